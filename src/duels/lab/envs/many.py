"""Thousands of games at once on NumPy arrays, without an agent: what batches are made of.

games = ManyGames(GAME, 4096, seed=1)
rewards, done = games.step(games.random_actions())

A reward is that of the player who has just moved: 1 for winning, -1 for losing, 0 while the game
goes on. `step` plays in every game and starts those again that are over; `play` and `restart` do
the same to some of the games. An action that is not legal loses the game; after a step `illegal`
says which.

How a game is stepped is known by its space (`duels.lab.envs.spaces`).
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any, TypeAlias

from duels.core.errors import OptionError
from duels.core.game import Game
from duels.core.options import read_whole
from duels.lab.envs.bits import nth_bit, unpacked
from duels.lab.envs.extras import needed
from duels.lab.envs.frozen import Frozen, environment_game
from duels.lab.envs.spaces import ALL, Rows, space_of

with needed("NumPy"):
    import numpy as np
    from numpy.typing import NDArray

Actions: TypeAlias = NDArray[np.int64]


class ManyGames:
    """`count` games of one kind, each with its own turn and its own end."""

    def __init__(self, game: str | Game, count: int, *, seed: int = 0, **options: Any) -> None:
        self._held = Frozen(environment_game(game, **options).start())
        self.count = read_whole("count", count, 1)
        space = space_of(self.game)
        self.actions = len(space.moves)
        self._games = space.batch(self.count)
        self._all = np.arange(self.count)
        _keep_freed_memory()
        self.reset(seed)

    @property
    def game(self) -> Game:
        """The rule book with its options."""
        return self._held.position.game

    def reset(self, seed: int = 0) -> None:
        """Start all games again, with chance from a seed."""
        self.chance = np.random.default_rng(read_whole("seed", seed, 0))
        self.plies = np.zeros(self.count, np.int32)
        self.illegal = np.zeros(self.count, np.bool_)
        self._games.restart(self._all)

    @property
    def to_move(self) -> NDArray[np.int32]:
        """Whose turn it is in each game: 1 or 2."""
        return 1 + (self.plies & 1)

    def masks(self) -> NDArray[np.bool_]:
        """Which actions are legal: one row a game."""
        return unpacked(self._games.legal, self.actions).view(np.bool_)

    def observations(self, rows: Rows = ALL) -> NDArray[np.int8]:
        """What can be seen, one row a game, as the game's space has it."""
        return self._games.observations(rows)

    def random_actions(self, rows: Rows = ALL) -> Actions:
        """A legal action for every game, each as likely as another."""
        legal = self._games.legal[:, rows]
        ends = list(accumulate(np.bitwise_count(legal).astype(np.int64)))
        nth = (self.chance.random(legal.shape[1]) * ends[-1]).astype(np.int64)
        word, index, before = legal[0], np.int64(0), np.int64(0)
        for end, later in zip(ends, legal[1:], strict=False):
            is_later = -(nth >= end).astype(np.int64)  # all bits or none: cheaper than a choice
            word = word ^ (word ^ later) & is_later.view(np.uint64)
            before = before ^ (before ^ end) & is_later
            index = index - is_later
        found: Actions = nth_bit(word, nth - before) + (index << 6)
        return found

    def are_illegal(self, actions: Actions, rows: Rows = ALL) -> NDArray[np.bool_]:
        """Which of the actions are not legal."""
        legal = self._games.legal
        if len(legal) == 1:
            words = legal[0, rows]
        else:
            words = legal.reshape(-1).take((actions >> 6) * self.count + self._all[rows])
        bits: NDArray[np.bool_] = words >> (actions & 63).view(np.uint64) & np.uint64(1) == 0
        return bits

    def play(
        self, actions: Actions, illegal: NDArray[np.bool_], rows: Rows = ALL
    ) -> NDArray[np.int8]:
        """Play an action in some of the games: the rewards of those who moved."""
        rewards = self._games.play(actions, rows)
        if illegal.any():
            rewards[illegal] = -1
        self.plies[rows] += 1
        return rewards

    def restart(self, rows: NDArray[np.int64]) -> None:
        """Start some of the games again."""
        self._games.restart(rows)
        self.plies[rows] = 0

    def step(self, actions: NDArray[np.integer[Any]]) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
        """Play one action in every game: the rewards of those who moved, and which games ended."""
        chosen = self.read(actions)
        self.illegal = self.are_illegal(chosen)
        rewards = self.play(chosen, self.illegal)
        done = rewards != 0
        self.restart(np.flatnonzero(done))
        return rewards, done

    def read(self, actions: NDArray[np.integer[Any]]) -> Actions:
        """One action for every game; OptionError if it is something else."""
        chosen = np.array(actions)
        if chosen.shape != (self.count,) or chosen.dtype.kind not in "iu":
            raise OptionError(f"step needs {self.count} whole numbers, one action for every game.")
        if chosen.min() < 0 or chosen.max() >= self.actions:
            raise OptionError(f"Actions go from 0 to {self.actions - 1}.")
        return chosen.astype(np.int64, copy=False)


def _keep_freed_memory() -> None:
    """Let the C library keep the memory that one step frees for the next one.

    glibc gives free memory at the end of its heap back to the system, from 128 kB on: a step would
    then be slowed down to a half by page faults. Once a block as large as this one was freed, it
    keeps twice as much. Elsewhere nothing happens.
    """
    np.empty(8 << 20, np.uint8)
