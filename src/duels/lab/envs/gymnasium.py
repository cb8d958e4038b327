"""The games as Gymnasium environments: an agent against a computer opponent.

gymnasium.make("duels/GAME-v0", opponent="expert", plays="second")

- GAME is the game's id with capitals and without dashes; the game's options are keywords.
- `opponent`: a level, "random", or any object with `choose(position)`.
- `plays`: whether the agent moves "first" or "second", "alternating" from episode to episode (first
  after a seed), or as a "coin" decides. `reset(options={"plays": ...})` says it for one episode.
- The reward is 1 for a won game, -1 for a lost one, and 0 before the end.
- An action that is not legal loses the game: reward -1, terminated, `info["illegal"]` is True.
- `info["action_mask"]` has a 1 for every legal action, as has `env.unwrapped.action_masks()`.
- `truth=True` adds `info["value"]` and `info["winning_mask"]`, and `reward="keeping"` pays for
  keeping the win instead of for the end: see `duels.lab.envs.truth`.
- If the opponent's first move ends the game, no action is legal and any step ends the episode.

`make_vec` makes a `duels.lab.envs.batch.BatchEnv` of it, which steps all games at once.
Observations and action ids are described in `duels.lab.envs.spaces`.
"""

from __future__ import annotations

from random import Random
from typing import Any, TypeAlias

from duels.core.errors import IllegalMove
from duels.core.game import Game, Outcome, other
from duels.core.options import read_choice
from duels.lab.envs.extras import needed, read_render_mode
from duels.lab.envs.frozen import (
    DEFAULT_GAME,
    Frozen,
    HasPosition,
    as_text,
    environment_game,
)
from duels.lab.envs.opponents import (
    PLAYS,
    environment_ids,
    find_opponent,
    read_plays,
    side_of_agent,
)
from duels.lab.envs.spaces import mask, observation, space_of
from duels.lab.envs.truth import keeping_reward, read_reward, truth_of
from duels.match.players import Player

with needed("Gymnasium"):
    import gymnasium
    import numpy as np
    from numpy.typing import NDArray

Observation: TypeAlias = NDArray[np.int8]
Info = dict[str, Any]


def register() -> None:
    """Make all games known to Gymnasium; once more after a game was added does no harm."""
    for game_id, environment_id in environment_ids().items():
        if environment_id not in gymnasium.registry:
            gymnasium.register(
                environment_id,
                entry_point="duels.lab.envs.gymnasium:DuelEnv",
                vector_entry_point="duels.lab.envs.batch:BatchEnv",
                kwargs={"game": game_id, "opponent": "expert"},
            )


class DuelEnv(HasPosition, gymnasium.Env[Observation, np.int64]):  # type: ignore[misc, unused-ignore]
    """One agent plays one game after another against an opponent."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str | Game = DEFAULT_GAME,
        *,
        opponent: str | Player = "expert",
        plays: str = "first",
        truth: bool = False,
        reward: str = "outcome",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self._held = Frozen(environment_game(game, **options).start())
        self.plays = read_choice("plays", plays, PLAYS)
        self.truth, self.reward = bool(truth), read_reward(reward)
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
        self._held, self._under_way = Frozen(position), True
        return observation(position), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, Info]:
        if not self._under_way:
            raise gymnasium.error.ResetNeeded("There is no game under way: call reset() first.")
        here, paid = self.position, 0.0
        if not here.outcome:
            before, move = here, space_of(self.game).move_of(action)
            try:
                here = before.play(move)
            except IllegalMove:
                return self._ended(Outcome(other(self._player), "illegal"), -1.0)
            if self.reward == "keeping":
                paid = float(keeping_reward(before, move))
            if not here.outcome:
                here = here.play(self._opponent.choose(here))
            self._held = Frozen(here)
        if here.outcome:
            return self._ended(here.outcome, paid)
        return observation(here), paid, False, False, self._info()

    def action_masks(self) -> NDArray[np.int8]:
        """A 1 for every legal action."""
        return mask(self.position)

    def render(self) -> str | None:
        return as_text(self.position) if self.render_mode == "ansi" else None

    def _info(self) -> Info:
        info = {"action_mask": self.action_masks(), "illegal": False, "player": self._player}
        return info | truth_of(self.position) if self.truth else info

    def _ended(self, outcome: Outcome, paid: float) -> tuple[Observation, float, bool, bool, Info]:
        info = self._info() | {"illegal": outcome.reason == "illegal", "outcome": outcome.reason}
        won = 1.0 if outcome.winner == self._player else -1.0
        reward = paid if self.reward == "keeping" else won
        if self.truth:
            info["value"] = int(won)
        self._under_way = False
        return observation(self.position), reward, True, False, info
