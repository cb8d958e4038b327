"""The week of the daily puzzle: the boards of each day, and how hard its puzzle is.

This table is frozen: changing a number would change puzzles that people have already solved, and so
needs a new series (`duels.coach.daily.SERIES`). It depends on nothing else in the program.
"""

from __future__ import annotations

from typing import NamedTuple


class Day(NamedTuple):
    """The requirements for the puzzle of a weekday."""

    difficulty: str
    game: str
    boards: tuple[dict[str, int | str], ...]
    """The possible options; one of them is drawn for each random game."""
    played: int
    """The fewest moves that lead to the position."""
    legal: tuple[int, int]
    """The fewest and the most legal moves in the position."""
    sight: tuple[int, int]
    """How far away the win is: 1 if this move wins, 2 if the next one does, 3 if it is further."""
    traps: tuple[int, int]
    """The fewest and the most wrong moves after which the opponent cannot win at once."""


def _sizes(low: int, high: int, **more: str) -> tuple[dict[str, int | str], ...]:
    return tuple({"numbers": size, **more} for size in range(low, high + 1))


def _digit_sums(low: int, high: int) -> tuple[dict[str, int | str], ...]:
    return _sizes(low, high, criteria="factor,digit-sum")


def _divisors(*numbers: int) -> tuple[dict[str, int | str], ...]:
    return tuple({"divisor": number} for number in numbers)


WEEK = (
    (
        Day("easy", "number-chain-duel", _sizes(14, 36), 3, (3, 6), (2, 2), (1, 1)),
        Day("easy", "sequence-duel", _sizes(14, 30), 3, (3, 6), (2, 2), (1, 1)),
    ),
    (Day("easy", "divisor-duel", _divisors(6, 7, 12, 14, 18, 27), 2, (3, 8), (2, 2), (0, 1)),),
    (Day("medium", "number-duel", _digit_sums(14, 30), 3, (4, 9), (2, 2), (2, 5)),),
    (Day("medium", "sequence-duel", _sizes(18, 40), 3, (4, 9), (2, 2), (2, 5)),),
    (
        Day("medium", "number-chain-duel", _sizes(18, 40), 4, (3, 6), (3, 3), (1, 1)),
        Day("medium", "divisor-duel", _divisors(18, 21, 27, 36), 2, (3, 8), (2, 2), (2, 4)),
    ),
    (
        Day("hard", "number-line-duel", _sizes(12, 20), 2, (10, 18), (3, 3), (8, 18)),
        Day("hard", "number-duel", _digit_sums(16, 30), 4, (4, 15), (3, 3), (3, 12)),
    ),
    (
        Day("hard", "sequence-duel", _sizes(30, 50, opening="even"), 3, (5, 15), (3, 3), (4, 15)),
        Day("hard", "number-line-duel", _sizes(12, 20), 2, (10, 18), (3, 3), (8, 18)),
    ),
)
"""Monday to Sunday; if a day has more than one kind, the date selects one."""
