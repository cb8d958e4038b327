"""The action and observation space of Divisor Duel: digits, the last one, and the remainder."""

from __future__ import annotations

from duels.games.digits.rules import DIGITS, DivisorDuel, DivisorPosition
from duels.lab.envs.base import require
from duels.lab.envs.board_space import BoardBatch, BoardSpace
from duels.lab.envs.spaces import Rows, Words

with require("NumPy"):
    import numpy as np
    from numpy.typing import NDArray

LARGEST_NUMBER = int("".join(map(str, reversed(DIGITS))))
"""The largest number and the largest remainder that can occur."""


class DivisorSpace(BoardSpace[DivisorPosition]):
    """The observation: the digits, the last one, and the remainder in binary, lowest bit first."""

    game: DivisorDuel

    def __init__(self, game: DivisorDuel) -> None:
        super().__init__(game, len(DIGITS))
        self.remainder_bits = min(game.divisor - 1, LARGEST_NUMBER).bit_length()
        self.observation_size += self.remainder_bits

    def observed(self, position: DivisorPosition) -> int:
        remainder = position.state % self.game.divisor
        return super().observed(position) | remainder << 2 * self.board_size

    def words(self, position: DivisorPosition) -> str:
        return f"{super().words(position)}. Remainder: {position.state % self.game.divisor}"

    def longest_game(self) -> int:
        """Return the exact length, by a search over used digits and remainder."""
        seen: set[tuple[frozenset[object], int]] = set()
        stack = [self.game.start()]
        longest = 0
        while stack and longest < len(DIGITS):
            here = stack.pop()
            longest = max(longest, len(here.moves))
            key = frozenset(here.moves), here.state % self.game.divisor
            if key not in seen:
                seen.add(key)
                stack += [here.play(move) for move in here.legal_moves]
        return longest

    def batch(self, count: int) -> DivisorBatch:
        return DivisorBatch(self, count)


class DivisorBatch(BoardBatch):
    """A batch of games: a divisible number wins, using up all digits without one loses."""

    def __init__(self, space: DivisorSpace, count: int) -> None:
        super().__init__(space, count)
        self._divisor = min(space.game.divisor, LARGEST_NUMBER + 1)  # what an array can hold
        self._remainder = np.zeros(count, np.int64)

    def play(self, actions: NDArray[np.int64], rows: Rows) -> NDArray[np.int8]:
        is_last = super().play(actions, rows)
        number = 10 * self._remainder[rows] + actions + 1
        remainder = number - number // self._divisor * self._divisor  # four times as fast as %
        self._remainder[rows] = remainder
        is_divisible = remainder == 0
        rewards: NDArray[np.int8] = is_divisible.view(np.int8) - (is_last > is_divisible)
        return rewards

    def restart(self, games: NDArray[np.int64]) -> None:
        super().restart(games)
        self._remainder[games] = 0

    def _seen(self, rows: Rows) -> Words:
        seen = super()._seen(rows)
        seen[:, 0] |= self._remainder[rows].view(np.uint64) << np.uint64(2 * len(DIGITS))
        return seen
