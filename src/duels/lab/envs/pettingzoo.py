"""PettingZoo environments: two agents that take turns.

env = duels.lab.envs.pettingzoo.env(GAME)

GAME is the id of a game; its options are keywords.

With `verdict=True`, `infos[agent]` has the agent's own "value" (1 or -1) and its "winning_mask",
all zeros for the agent that waits; `reward="keeping"` rewards each agent for its moves: see
`duels.lab.envs.base`.

player_1 moves first. By default the winner's reward is 1 and the loser's -1. An illegal action
loses the game: the agent that chose it gets -1, and the other gets 1 (0 with "keeping"). Nothing is
random, so a seed changes nothing.

Observations and action ids are described in `duels.lab.envs.spaces`.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from duels.core.game import Game
from duels.lab.envs.base import (
    DEFAULT_GAME,
    PositionHolder,
    PositionMixin,
    as_text,
    environment_game,
    keeping_reward,
    read_render_mode,
    read_reward,
    require,
)
from duels.lab.envs.spaces import space_of, verdict_info
from duels.theory import winning_moves

with require("PettingZoo"):
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

AGENTS = ("player_1", "player_2")
RENDER_MODES = ("human", "ansi")

Observation: TypeAlias = dict[str, NDArray[np.int8]]


def environment_name(game: Game) -> str:
    """Return PettingZoo's name for the environment: a_game_v0 for a-game."""
    return f"{game.id.replace('-', '_')}_v0"


def env(
    game: str | Game = DEFAULT_GAME, *, render_mode: str | None = None, **options: Any
) -> AECEnv:
    """Return a game between two agents, with PettingZoo's usual wrappers."""
    wrapped = raw_env(game, render_mode=render_mode, **options)
    wrapped = IllegalActionLoses(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class IllegalActionLoses(wrappers.TerminateIllegalWrapper):  # type: ignore[misc]
    """PettingZoo's wrapper rewards only the agent that erred, with -1; here the other gets 1."""

    def step(self, action: int) -> None:
        mover, was_terminated = self.agent_selection, self._terminated
        super().step(action)
        table = self.unwrapped
        if self._terminated and not was_terminated and table.reward == "outcome":
            winner = AGENTS[1 - AGENTS.index(mover)]
            table.rewards[winner] = table._cumulative_rewards[winner] = 1


class DuelAEC(PositionMixin, AECEnv):  # type: ignore[misc]
    """The game itself; an illegal action raises IllegalMove here."""

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": [*RENDER_MODES],
        "name": "duels_v0",  # each environment has its game's own name
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
        self,
        game: str | Game = DEFAULT_GAME,
        *,
        verdict: bool = False,
        reward: str = "outcome",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self._holder = PositionHolder(environment_game(game, **options).start())
        self.metadata = {**type(self).metadata, "name": environment_name(self.game)}
        self.verdict, self.reward = bool(verdict), read_reward(reward)
        self.render_mode = read_render_mode(render_mode, RENDER_MODES)
        self.possible_agents = [*AGENTS]
        space = space_of(self.game)
        actions, size = len(space.moves), space.observation_size
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in AGENTS}
        self.observation_spaces = {
            agent: spaces.Dict(
                {"observation": _zeros_and_ones(size), "action_mask": _zeros_and_ones(actions)}
            )
            for agent in AGENTS
        }
        self._begin()

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._begin()
        self._show()

    def observe(self, agent: str) -> Observation:
        """Return what an agent observes; the mask of the agent that waits is all zeros."""
        here, space = self.position, space_of(self.game)
        legal = here.legal_moves if agent == self.agent_selection else ()
        return {"observation": space.observation(here), "action_mask": space.mask(legal)}

    def step(self, action: int) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        before, move = self.position, space_of(self.game).move_of(action)
        position = before.play(move)
        self._holder = PositionHolder(position)
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self.agent_selection = AGENTS[position.to_move - 1]
        self._update_infos()
        if outcome := position.outcome:
            winner = AGENTS[outcome.winner - 1]
            self.rewards = {one: 1 if one == winner else -1 for one in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
            for info in self.infos.values():
                info["outcome"] = outcome.reason
        if self.reward == "keeping":
            kept = keeping_reward(before, winning_moves(before), move)
            self.rewards = dict.fromkeys(self.agents, 0) | {agent: kept}
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

    def _begin(self) -> None:
        self._holder = PositionHolder(self.game.start())
        self.agents = [*AGENTS]
        self.agent_selection = AGENTS[0]
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._update_infos()

    def _update_infos(self) -> None:
        """Clear the infos, and add the verdicts if they are wanted."""
        self.infos = {agent: {} for agent in AGENTS}
        if self.verdict:
            mover = verdict_info(self.position)
            nothing = np.zeros_like(mover["winning_mask"])
            waiting = {"value": -mover["value"], "winning_mask": nothing}
            for player, agent in enumerate(AGENTS, start=1):
                self.infos[agent] |= mover if player == self.position.to_move else waiting

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


def _zeros_and_ones(length: int) -> spaces.Box:
    return spaces.Box(0, 1, (length,), np.int8)


raw_env = DuelAEC
"""PettingZoo's name for an environment without wrappers."""
