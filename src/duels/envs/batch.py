"""Thousands of games at once on NumPy arrays, for learning at scale.

env = BatchEnv(GAME, 4096, seed=1)
while learning:
    actions = policy(env.observations(), env.masks())       # or env.random_actions()
    rewards, done = env.step(actions)

A reward is that of the player who has just moved: 1 for winning, -1 for losing, 0 while the game
goes on. A game that is over starts again at once, so `masks()`, `observations()` and `to_move` are
already those of the next game. An action that is not legal loses the game; `illegal` says which.

How a game is stepped is known by its space (`duels.envs.spaces`).
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from duels.core.errors import OptionError
from duels.core.game import Game
from duels.core.options import read_whole
from duels.envs.actions import action_count, environment_game
from duels.envs.bits import nth_bit, unpacked
from duels.envs.extras import needed
from duels.envs.frozen import Frozen
from duels.envs.spaces import space_of

with needed("NumPy"):
    import numpy as np
    from numpy.typing import NDArray


class BatchEnv:
    """`count` games of one kind, each with its own turn and its own end."""

    def __init__(self, game: str | Game, count: int, *, seed: int = 0, **options: Any) -> None:
        self._held = Frozen(environment_game(game, **options).start())
        self.count = read_whole("count", count, 1)
        self.actions = action_count(self.game)
        self._games = space_of(self.game).batch(self.count)
        self.reset(seed)

    @property
    def game(self) -> Game:
        """The rule book with its options."""
        return self._held.position.game

    def reset(self, seed: int = 0) -> None:
        """Start all games again, with chance from a seed."""
        self._chance = np.random.default_rng(read_whole("seed", seed, 0))
        self.plies = np.zeros(self.count, np.int32)
        self.illegal = np.zeros(self.count, np.bool_)
        self._games.restart(np.arange(self.count))

    @property
    def to_move(self) -> NDArray[np.int32]:
        """Whose turn it is in each game: 1 or 2."""
        return 1 + self.plies % 2

    def masks(self) -> NDArray[np.bool_]:
        """Which actions are legal: one row a game."""
        return unpacked(self._games.legal, self.actions)

    def observations(self) -> NDArray[np.int8]:
        """What can be seen, one row a game, as `duels.envs.actions.observation` has it."""
        return self._games.observations()

    def random_actions(self) -> NDArray[np.int64]:
        """A legal action for every game, each as likely as another."""
        legal = self._games.legal
        ends = list(accumulate(np.bitwise_count(legal).astype(np.int64)))
        nth = (self._chance.random(self.count) * ends[-1]).astype(np.int64)
        word, index = legal[0], np.zeros(self.count, np.int64)
        before = np.zeros_like(index)
        for end, later in zip(ends, legal[1:], strict=False):
            here = nth >= end
            word = np.where(here, later, word)
            before = np.where(here, end, before)
            index += here
        return (index << 6) + nth_bit(word, (nth - before).astype(np.uint64))

    def step(self, actions: NDArray[np.integer[Any]]) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
        """Play one action in every game: the rewards of those who moved, and which games ended."""
        chosen, games = self._read(actions), self._games
        legal = games.legal[chosen >> 6, np.arange(self.count)] >> (chosen & 63).astype(np.uint64)
        np.equal(legal & np.uint64(1), 0, out=self.illegal)
        rewards = games.play(chosen)
        if self.illegal.any():
            rewards[self.illegal] = -1
        self.plies += 1
        done = rewards != 0
        ended = np.flatnonzero(done)
        games.restart(ended)
        self.plies[ended] = 0
        return rewards, done

    def _read(self, actions: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        chosen = np.array(actions)
        if chosen.shape != (self.count,) or chosen.dtype.kind not in "iu":
            raise OptionError(f"step needs {self.count} whole numbers, one action for every game.")
        if chosen.min() < 0 or chosen.max() >= self.actions:
            raise OptionError(f"Actions go from 0 to {self.actions - 1}.")
        return chosen.astype(np.int64, copy=False)
