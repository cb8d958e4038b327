"""Gymnasium environments: one agent against a computer opponent.

gymnasium.make("duels/GAME-v0", opponent="expert", plays="second")

- GAME is the game's id with capitals and without dashes; the game's options are keywords.
- `opponent`: a level, "random", or any object with `choose(position)`.
- `plays`: when the agent moves: "first", "second", "alternating" (first after a seed, then changing
  with each episode), or "coin" (a toss for each). `reset(options={"plays": ...})` sets it for one
  episode.
- The reward is 1 for a won game, -1 for a lost one, and 0 before the end.
- An illegal action loses the game: reward -1, terminated, `info["illegal"]` is True.
- `info["action_mask"]` has a 1 for every legal action, and so does `env.unwrapped.action_masks()`.
- `verdict=True` adds `info["value"]` and `info["winning_mask"]`; `reward="keeping"` rewards moves
  that keep a win, and not the end of the game: see `duels.lab.envs.base`.
- If the opponent's first move ends the game, no action is legal and any step ends the episode.

`make_vec` creates a `duels.lab.envs.batch.BatchEnv`, which steps all games at once.
Observations and action ids are described in `duels.lab.envs.spaces`.
"""

from __future__ import annotations

from random import Random
from typing import Any, TypeAlias

from duels.core.errors import IllegalMove
from duels.core.game import Game, Outcome, other
from duels.core.options import read_choice
from duels.lab.envs.base import (
    DEFAULT_GAME,
    PLAYS,
    PositionHolder,
    PositionMixin,
    as_text,
    environment_game,
    environment_ids,
    find_opponent,
    keeping_reward,
    read_plays,
    read_render_mode,
    read_reward,
    require,
    side_of_agent,
)
from duels.lab.envs.spaces import mask, observation, space_of, verdict_info
from duels.match.players import Player
from duels.theory import winning_moves

with require("Gymnasium"):
    import gymnasium
    import numpy as np
    from numpy.typing import NDArray

Observation: TypeAlias = NDArray[np.int8]
Info = dict[str, Any]


def register() -> None:
    """Register all games with Gymnasium; call it again after adding a game."""
    for game_id, environment_id in environment_ids().items():
        if environment_id not in gymnasium.registry:
            gymnasium.register(
                environment_id,
                entry_point="duels.lab.envs.gymnasium:DuelEnv",
                vector_entry_point="duels.lab.envs.batch:BatchEnv",
                kwargs={"game": game_id, "opponent": "expert"},
            )


class DuelEnv(PositionMixin, gymnasium.Env[Observation, np.int64]):  # type: ignore[misc, unused-ignore]
    """One agent plays game after game against an opponent."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str | Game = DEFAULT_GAME,
        *,
        opponent: str | Player = "expert",
        plays: str = "first",
        verdict: bool = False,
        reward: str = "outcome",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self._holder = PositionHolder(environment_game(game, **options).start())
        self.plays = read_choice("plays", plays, PLAYS)
        self.verdict, self.reward = bool(verdict), read_reward(reward)
        self.render_mode = read_render_mode(render_mode, ("ansi",))
        space = space_of(self.game)
        self.action_space = gymnasium.spaces.Discrete(len(space.moves))
        self.observation_space = gymnasium.spaces.Box(0, 1, (space.observation_size,), np.int8)
        self._opponent_given = opponent
        self._opponent = find_opponent(opponent, Random(0))
        self._under_way = False
        self._player = 1
        self._episodes = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        super().reset(seed=seed)
        plays = read_plays(options, self.plays)
        self._episodes = 0 if seed is not None else self._episodes + 1
        self._player = side_of_agent(plays, self._episodes, lambda: int(self.np_random.integers(2)))
        chance = Random(int(self.np_random.integers(2**62)))
        self._opponent = find_opponent(self._opponent_given, chance)
        position = self.game.start()
        if self._player == 2:
            position = position.play(self._opponent.choose(position))
        self._holder, self._under_way = PositionHolder(position), True
        return observation(position), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, Info]:
        if not self._under_way:
            raise gymnasium.error.ResetNeeded("There is no game under way: call reset() first.")
        here, kept = self.position, 0.0
        if not here.outcome:
            before, move = here, space_of(self.game).move_of(action)
            try:
                here = before.play(move)
            except IllegalMove:
                return self._ended(Outcome(other(self._player), "illegal"), -1.0)
            if self.reward == "keeping":
                kept = float(keeping_reward(before, winning_moves(before), move))
            if not here.outcome:
                here = here.play(self._opponent.choose(here))
            self._holder = PositionHolder(here)
        if here.outcome:
            return self._ended(here.outcome, kept)
        return observation(here), kept, False, False, self._info()

    def action_masks(self) -> NDArray[np.int8]:
        """Return a 1 for every legal action."""
        return mask(self.position)

    def render(self) -> str | None:
        return as_text(self.position) if self.render_mode == "ansi" else None

    def _info(self) -> Info:
        info = {"action_mask": self.action_masks(), "illegal": False, "player": self._player}
        return info | verdict_info(self.position) if self.verdict else info

    def _ended(self, outcome: Outcome, kept: float) -> tuple[Observation, float, bool, bool, Info]:
        info = self._info() | {"illegal": outcome.reason == "illegal", "outcome": outcome.reason}
        won = 1.0 if outcome.winner == self._player else -1.0
        reward = kept if self.reward == "keeping" else won
        if self.verdict:
            info["value"] = int(won)
        self._under_way = False
        return observation(self.position), reward, True, False, info
