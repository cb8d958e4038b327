"""Number Line Duel: cross out one number, or two that are next to each other."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, cast

from duels.core.board import (
    MOST_DRAWN,
    Board,
    Link,
    free_in_words,
    number_cells,
    shown_numbers,
    window_words,
)
from duels.core.fast import members, up_to
from duels.core.game import Move, Position, Verb, numbers_of
from duels.core.options import SetUp, board_numbers
from duels.core.parts import Parts
from duels.core.states import StateGame, StatePosition
from duels.core.words import listed, ranges, short_number

LinePosition = StatePosition[int]
"""The state is the bit set of the numbers that are not crossed out."""


class NumberLineDuel(StateGame[int]):
    """Cross out one number or two neighbours of 1..size; cross out the last and you win."""

    id, title = "number-line-duel", "Number Line Duel"
    summary = "Cross out one number or two neighbours; cross out the last and you win."
    verb = Verb("cross out", "crossed out", "crossed out by")
    pair_words = "two neighbours"
    sample_size, sample = 7, ("3-4", "6")
    for_newcomers = True
    setups = (
        SetUp("to-15", "1 to 15: about 12 moves, either side can win", size=15),
        SetUp("to-20", "1 to 20: about 16 moves, most of them matter", size=20),
    )
    parts = Parts(
        theory="duels.games.line.theory:LINE",
        checker="duels.games.line.checker:check_runs",
        dialogue="duels.games.line.dialogue:NumberLineDuelDialogue",
        picture="duels.games.line.picture:line_svg",
        space="duels.games.line.environment:LineSpace",
        options=("numbers",),
    )
    numbers: int = board_numbers(10)

    @property
    def size(self) -> int:
        return self.numbers

    def first(self) -> int:
        return up_to(self.size)

    def allowed(self, state: int) -> LineMoves:
        return LineMoves(state)

    def after(self, state: int, move: Move) -> int:
        return state ^ sum(1 << number for number in numbers_of(move))

    def read(self, move: Any) -> Move:
        read = super().read(move)
        return (min(read), max(read)) if isinstance(read, tuple) else read

    def in_words(self, move: Move) -> str:
        return listed(numbers_of(move))

    def list_moves(self, moves: Sequence[Move], last: str = "and") -> str:
        """Return moves in words; a pair differs from two numbers: 3; 4; or 5 and 6 together."""
        if not any(isinstance(move, tuple) for move in moves):
            return super().list_moves(moves, last)
        words = [self.in_words(m) + " together" * isinstance(m, tuple) for m in moves]
        if len(words) == 1:
            return words[0]
        if last and len(words) == 2:
            return f"{words[0]}, {last} {words[1]}"
        return "; ".join([*words[:-1], f"{last} {words[-1]}".strip()])

    def refusal(self, state: int, move: Move) -> str:
        numbers = numbers_of(move)
        for number in numbers:
            if not 1 <= number <= self.size:
                return f"{short_number(number)} is not on the line: it goes from 1 to {self.size}."
            if not state >> number & 1:
                return f"{number} is crossed out already."
        return f"{listed(numbers)} are not neighbours on the line."

    def words(self, state: int) -> str:
        return free_in_words(ranges(members(state)))

    def board(self, position: Position) -> Board:
        """Return the numbers in a row; free neighbours are linked, as one move can take both."""
        free = cast("LinePosition", position).state
        shown = shown_numbers(position)
        first, last = shown[0], len(shown) - 1
        pairs = members(LineMoves(free).pairs >> first & (1 << last) - 1)
        links = [_pair(first + cell, cell) for cell in pairs]
        caption = window_words(position)
        return Board([number_cells(position, free)], "line", links, caption=caption)

    def all_moves(self) -> tuple[Move, ...]:
        """Return the numbers, then the pairs."""
        numbers = range(1, self.size + 1)
        return (*numbers, *pairwise(numbers))


@lru_cache(maxsize=MOST_DRAWN)
def _pair(number: int, cell: int) -> Link:
    """Return the link of a number, in this cell, with the next one."""
    return Link((cell, cell + 1), "move", (number, number + 1))


class LineMoves(Collection[Move]):
    """The moves on a line with these free numbers, counted and looked up without listing them."""

    def __init__(self, free: int) -> None:
        self.free = free

    @property
    def pairs(self) -> int:
        """The bit set of every number that is free together with the next one."""
        return self.free & self.free >> 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LineMoves) and self.free == other.free

    def __hash__(self) -> int:
        return hash(self.free)

    def __bool__(self) -> bool:
        return self.free > 0

    def __len__(self) -> int:
        return self.free.bit_count() + self.pairs.bit_count()

    def __contains__(self, move: object) -> bool:
        low, *more = numbers_of(move)  # type: ignore[arg-type]
        return (
            low > 0
            and bool((self.pairs if more else self.free) >> low & 1)
            and more in ([], [low + 1])
        )

    def __iter__(self) -> Iterator[Move]:
        pairs = set(members(self.pairs))
        for number in members(self.free):
            yield number
            if number in pairs:
                yield number, number + 1
