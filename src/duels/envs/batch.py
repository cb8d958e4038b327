"""Thousands of games at once on NumPy arrays, for learning at scale.

env = BatchEnv("number-duel", 4096, seed=1)
while learning:
    actions = policy(env.observations(), env.masks())       # or env.random_actions()
    rewards, done = env.step(actions)

A reward is that of the player who has just moved: 1 for winning, -1 for losing, 0 while the game
goes on. A game that is over starts again at once, so `masks()`, `observations()` and `to_move` are
already those of the next game. An action that is not legal loses the game; `illegal` tells which.

What may be played is kept as bits, 64 actions to a word, so that a step is a few operations on
whole arrays. The words come from the rule books, compiled once (`duels.envs.tables`).
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any, TypeAlias

from duels.core.errors import OptionError
from duels.core.game import Game
from duels.envs.actions import (
    LARGEST_NUMBER,
    action_count,
    board_size,
    environment_game,
    remainder_bits,
)
from duels.envs.extras import needed
from duels.envs.frozen import Frozen
from duels.envs.tables import compiled
from duels.games.divisor_duel import DivisorDuel
from duels.games.options import read_whole

with needed("NumPy"):
    import numpy as np
    from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.uint64]


class BatchEnv:
    """`count` games of one kind, each with its own turn and its own end."""

    def __init__(self, game: str | Game, count: int, *, seed: int = 0, **options: Any) -> None:
        self._held = Frozen(environment_game(game, **options).start())
        self.count = read_whole("count", count, 1)
        self.actions = action_count(self.game)
        self._tables = compiled(self.game)
        self._divisor = 0
        if isinstance(self.game, DivisorDuel):
            self._divisor = min(self.game.divisor, LARGEST_NUMBER + 1)
        self.reset(seed)

    @property
    def game(self) -> Game:
        """The rule book with its options."""
        return self._held.position.game

    def reset(self, seed: int = 0) -> None:
        """Start all games again, with chance from a seed."""
        self._chance = np.random.default_rng(read_whole("seed", seed, 0))
        words = len(self._tables.free)
        self._free: Words = np.empty((words, self.count), np.uint64)
        self._legal: Words = np.empty_like(self._free)
        self.plies = np.zeros(self.count, np.int32)
        self.last = np.full(self.count, -1, np.int64)
        self.illegal = np.zeros(self.count, np.bool_)
        self._remainder = np.zeros(self.count, np.int64)
        self._restart(np.arange(self.count))

    @property
    def to_move(self) -> NDArray[np.int32]:
        """Whose turn it is in each game: 1 or 2."""
        return 1 + self.plies % 2

    def masks(self) -> NDArray[np.bool_]:
        """Which actions are legal: one row a game."""
        return _unpacked(self._legal, self.actions)

    def observations(self) -> NDArray[np.int8]:
        """What can be seen, one row a game, as `duels.envs.actions` describes it."""
        size, bits = board_size(self.game), remainder_bits(self.game)
        seen = np.zeros((self.count, 2 * size + bits), np.int8)
        seen[:, :size] = _unpacked(self._free, size)
        begun = np.flatnonzero(self.last >= 0)
        last = self.last[begun]
        seen[begun, size + last % size] = 1
        pairs = last >= size
        seen[begun[pairs], size + last[pairs] % size + 1] = 1
        seen[:, 2 * size :] = self._remainder[:, None] >> np.arange(bits) & 1
        return seen

    def random_actions(self) -> NDArray[np.int64]:
        """A legal action for every game, each as likely as another."""
        ends = list(accumulate(np.bitwise_count(self._legal).astype(np.int64)))
        wanted = (self._chance.random(self.count) * ends[-1]).astype(np.int64)
        word, index = self._legal[0], np.zeros(self.count, np.int64)
        before = np.zeros_like(index)
        for end, later in zip(ends, self._legal[1:], strict=False):
            here = wanted >= end
            word = np.where(here, later, word)
            before = np.where(here, end, before)
            index += here
        return (index << 6) + nth_bit(word, (wanted - before).astype(np.uint64))

    def step(self, actions: NDArray[np.integer[Any]]) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
        """Play one action in every game: the rewards of those who moved, and which games ended."""
        chosen = self._read(actions)
        legal = self._legal[chosen >> 6, np.arange(self.count)] >> (chosen & 63).astype(np.uint64)
        np.equal(legal & np.uint64(1), 0, out=self.illegal)
        can_go_on = np.zeros(self.count, np.uint64)
        for free, keep, follow, after in zip(
            self._free, self._tables.keep, self._tables.follow, self._legal, strict=True
        ):
            free &= keep.take(chosen)
            np.bitwise_and(free, follow.take(chosen), out=after)
            can_go_on |= after
        self.plies += 1
        self.last = chosen
        done = can_go_on == 0
        rewards = done.astype(np.int8)
        if self._divisor:
            self._remainder = (10 * self._remainder + chosen + 1) % self._divisor
            divisible = self._remainder == 0
            done |= divisible
            rewards = 2 * divisible.astype(np.int8) - done
        if self.illegal.any():
            done |= self.illegal
            rewards[self.illegal] = -1
        self._restart(np.flatnonzero(done))
        return rewards, done

    def _read(self, actions: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        chosen = np.array(actions)
        if chosen.shape != (self.count,) or chosen.dtype.kind not in "iu":
            raise OptionError(f"step needs {self.count} whole numbers, one action for every game.")
        if chosen.min() < 0 or chosen.max() >= self.actions:
            raise OptionError(f"Actions go from 0 to {self.actions - 1}.")
        return chosen.astype(np.int64, copy=False)

    def _restart(self, games: NDArray[np.int64]) -> None:
        self._free[:, games] = self._tables.free[:, None]
        self._legal[:, games] = self._tables.opening[:, None]
        self.plies[games] = 0
        self.last[games] = -1
        self._remainder[games] = 0


def _unpacked(words: Words, length: int) -> NDArray[np.bool_]:
    """The first `length` bits of every game as booleans."""
    octets = np.ascontiguousarray(words.T, dtype="<u8").view(np.uint8)
    return np.unpackbits(octets, axis=1, count=length, bitorder="little").view(np.bool_)


NTH_OF_BYTE = np.array(
    [
        ([place for place in range(8) if byte >> place & 1] + [0] * 8)[nth]
        for nth in range(8)
        for byte in range(256)
    ]
)
"""At 256 * n + byte: the place of the byte's bit number n, counted from 0."""


def nth_bit(words: Words, nth: Words) -> NDArray[np.int64]:
    """The place of bit number `nth` of those that are set in each word, counted from 0."""
    place = np.zeros_like(words)
    for width in (32, 16, 8):  # skip the lower half of what is left if the bit is not there
        below = np.bitwise_count(words & np.uint64((1 << width) - 1))
        skip = nth >= below
        shift = skip * np.uint64(width)
        nth = nth - below * skip
        words = words >> shift
        place += shift
    index = nth << np.uint64(8) | words & np.uint64(255)
    found: NDArray[np.int64] = place.astype(np.int64) + NTH_OF_BYTE[index.astype(np.int64)]
    return found
