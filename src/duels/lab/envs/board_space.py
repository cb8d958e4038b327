"""The space of games in which a move uses up numbers of a board.

An observation has a 1 for every free number, then a 1 for each number of the last move. In a batch,
an action leaves `free & keep[action]` free, and those of them in `follow[action]` are legal next.
Both tables are compiled once from the rules of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from duels.core.board import free_in_words
from duels.core.errors import OptionError
from duels.core.fast import bit_set, members, up_to
from duels.core.game import Game, numbers_of
from duels.core.words import ranges
from duels.lab.envs.base import require
from duels.lab.envs.spaces import P, Rows, Space, Words, pack, unpack_rows

with require("NumPy"):
    import numpy as np
    from numpy.typing import NDArray

MOST_ACTIONS = 10_000
"""Larger boards would need gigabytes of tables."""


class Rules(NamedTuple):
    """The rules of a game as bit sets of actions: bit a is action a."""

    opening: int
    keep: Sequence[int]
    """By action: the actions that it leaves free."""
    follow: Sequence[int]
    """By action: the actions that may follow it."""


class BoardSpace(Space[P]):
    """A space whose first actions are the numbers 1, 2, 3 ... of the board."""

    def __init__(self, game: Game, board_size: int | None = None) -> None:
        super().__init__(game)
        self.board_size = game.size if board_size is None else board_size
        self.observation_size = 2 * self.board_size

    def free(self, position: P) -> int:
        """Return the bit set of the free numbers."""
        played = {number for move in position.moves for number in numbers_of(move)}
        return up_to(self.board_size) ^ bit_set(played)

    def observed(self, position: P) -> int:
        last = numbers_of(position.moves[-1]) if position.moves else ()
        return self.free(position) >> 1 | bit_set(last) >> 1 << self.board_size

    def words(self, position: P) -> str:
        """Return the free numbers and the last move; the order of earlier moves is not observed."""
        last = position.game.format(position.moves[-1]) if position.moves else "none"
        return f"{free_in_words(ranges(members(self.free(position))))}. Last: {last}"

    def longest_game(self) -> int:
        return self.board_size

    def batch(self, count: int) -> BoardBatch:
        return BoardBatch(self, count)

    def rules(self) -> Rules:
        """Return the rules for a batch: by default an action uses up itself only."""
        count = len(self.moves)
        if count > MOST_ACTIONS:
            raise OptionError(
                f"A batch has room for {MOST_ACTIONS:,} actions, and this board has {count:,}: "
                "try a smaller one."
            )
        everything = (1 << count) - 1
        all_but_itself = [everything ^ 1 << action for action in range(count)]
        return Rules(everything, all_but_itself, [everything] * count)


class BoardBatch:
    """A batch as bit sets of free and of legal actions. The last legal action wins."""

    def __init__(self, space: BoardSpace[Any], count: int) -> None:
        rules, actions, size = space.rules(), len(space.moves), space.board_size
        self._all_free = pack([(1 << actions) - 1], actions)
        self._opening = pack([rules.opening], actions)
        self._keep = pack(rules.keep, actions)
        self._follow = pack(rules.follow, actions)
        self._board = pack([(1 << size) - 1], size)[:, 0]
        self._width = space.observation_size
        last = [sum(1 << size + number - 1 for number in numbers_of(move)) for move in space.moves]
        self._last_seen = np.ascontiguousarray(pack([*last, 0], self._width).T)
        """By action: how it is observed as the last move; the last row is for no move yet."""
        self._none = actions
        self._free: Words = np.repeat(self._all_free, count, axis=1)
        self.legal: Words = np.repeat(self._opening, count, axis=1)
        self._last = np.full(count, self._none, np.int64)

    def play(self, actions: NDArray[np.int64], rows: Rows) -> NDArray[np.int8]:
        can_go_on = np.zeros(len(actions), np.uint64)
        for free, keep, follow, legal in zip(
            self._free, self._keep, self._follow, self.legal, strict=True
        ):
            left = keep.take(actions)
            left &= free[rows]
            free[rows] = left
            left &= follow.take(actions)
            legal[rows] = left
            can_go_on |= left
        self._last[rows] = actions
        rewards: NDArray[np.int8] = (can_go_on == 0).astype(np.int8)
        return rewards

    def restart(self, games: NDArray[np.int64]) -> None:
        self._free[:, games] = self._all_free
        self.legal[:, games] = self._opening
        self._last[games] = self._none

    def observations(self, rows: Rows) -> NDArray[np.int8]:
        return unpack_rows(self._seen(rows), self._width)

    def _seen(self, rows: Rows) -> Words:
        """Return the observations as bit sets, one row per game."""
        seen: Words = self._last_seen.take(self._last[rows], axis=0)
        for word, (board, free) in enumerate(zip(self._board, self._free, strict=False)):
            seen[:, word] |= free[rows] & board
        return seen
