"""The games as PettingZoo environments: two agents that take turns.

env = duels.envs.pettingzoo.env(GAME)       by its id, with its options as keywords

player_1 moves first. The winner is rewarded with 1 and the loser with -1. An action that is not
legal ends the game: -1 for whoever took it, and nothing for the other (PettingZoo's own
`TerminateIllegalWrapper`). Nothing is left to chance, so a seed changes nothing.

Observations and action ids are described in `duels.envs.actions`.
"""

from __future__ import annotations

from typing import Any, ClassVar, TypeAlias

from duels.core.game import Game
from duels.core.options import read_choice
from duels.envs.actions import (
    DEFAULT_GAME,
    action_count,
    environment_game,
    mask,
    move_of,
    observation,
    observation_size,
)
from duels.envs.extras import needed
from duels.envs.frozen import Frozen, HasPosition, as_text

with needed("PettingZoo"):
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

AGENTS = ("player_1", "player_2")
RENDER_MODES = ("human", "ansi")

Observation: TypeAlias = dict[str, NDArray[np.int8]]


def env(
    game: str | Game = DEFAULT_GAME, *, render_mode: str | None = None, **options: Any
) -> AECEnv:
    """A game between two agents, with PettingZoo's usual wrappers."""
    wrapped = raw_env(game, render_mode=render_mode, **options)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class DuelAEC(HasPosition, AECEnv):  # type: ignore[misc]
    """The game itself; here an action that is not legal is an IllegalMove."""

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": [*RENDER_MODES],
        "name": "duels_v0",
        "is_parallelizable": False,
        "render_fps": 1,
    }
    agents: list[str]
    agent_selection: str
    rewards: dict[str, int]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, dict[str, Any]]
    _cumulative_rewards: dict[str, int]

    def __init__(
        self, game: str | Game = DEFAULT_GAME, *, render_mode: str | None = None, **options: Any
    ) -> None:
        super().__init__()
        self._held = Frozen(environment_game(game, **options).start())
        if render_mode is not None:
            read_choice("render_mode", render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self.possible_agents = [*AGENTS]
        self.action_spaces = {
            agent: spaces.Discrete(action_count(self.game)) for agent in self.possible_agents
        }
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": _zeros_and_ones(observation_size(self.game)),
                    "action_mask": _zeros_and_ones(action_count(self.game)),
                }
            )
            for agent in self.possible_agents
        }
        self._begin()

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._begin()
        self._show()

    def observe(self, agent: str) -> Observation:
        """What an agent sees; the mask is empty for the one whose turn it is not."""
        legal = mask(self.position)
        if agent != self.agent_selection:
            legal[:] = 0
        return {"observation": observation(self.position), "action_mask": legal}

    def step(self, action: int) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        position = self.position.play(move_of(self.game, action))
        self._held = Frozen(position)
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self.agent_selection = AGENTS[position.to_move - 1]
        if outcome := position.outcome:
            winner = AGENTS[outcome.winner - 1]
            self.rewards = {one: 1 if one == winner else -1 for one in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {one: {"outcome": outcome.reason} for one in self.agents}
        self._accumulate_rewards()
        self._show()

    def render(self) -> str | None:
        if self.render_mode == "human":
            print(as_text(self.position))
        return as_text(self.position) if self.render_mode == "ansi" else None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def close(self) -> None:
        """There is nothing to close."""

    def _begin(self) -> None:
        self._held = Frozen(self.game.start())
        self.agents = [*AGENTS]
        self.agent_selection = AGENTS[0]
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: {} for agent in AGENTS}

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


def _zeros_and_ones(length: int) -> spaces.Box:
    return spaces.Box(0, 1, (length,), np.int8)


raw_env = DuelAEC
"""PettingZoo's name for an environment without wrappers."""
