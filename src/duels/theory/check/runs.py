"""Number Line Duel: what each run counts, and the period of the counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from duels.core.bits import members
from duels.core.game import Move
from duels.games.number_line_duel import LinePosition
from duels.theory.check.step import of_kind, require
from duels.theory.verdict import Proof

START, PERIOD = 71, 12


def check_runs(position: LinePosition, proof: Proof) -> list[Move]:
    of_kind("runs", proof)
    counts = _kayles(proof["counts"])
    free = members(position.state)
    named: list[int] = []
    balance = end = 0
    for first, last, claimed in proof["runs"]:
        require(end < first <= last <= position.game.size, f"{first}-{last} is not the next run")
        end = last
        named += range(first, last + 1)
        require(not position.state >> first - 1 & 1, f"the run does not begin at {first}")
        require(not position.state >> last + 1 & 1, f"the run does not end at {last}")
        require(counts(last - first + 1) == claimed, f"the run {first}-{last} counts otherwise")
        balance ^= claimed
    require(tuple(named) == free, "the runs are not the free numbers")
    winning: list[Move] = []
    for first, last, claimed in proof["runs"]:
        for low in range(first, last + 1):
            for high in range(low, min(low + 2, last + 1)):
                rest = counts(low - first) ^ counts(last - high)
                if balance ^ claimed ^ rest == 0:
                    winning.append(low if low == high else (low, high))
    return winning


def _kayles(table: Sequence[int]) -> Callable[[int], int]:
    """What a run of any length counts, after checking the table as far as it goes."""
    counts = _counts()
    require(list(table) == counts[: len(table)], "the table of counts is wrong")
    return lambda n: counts[n] if n < START else counts[START + (n - START) % PERIOD]


@cache
def _counts() -> list[int]:
    """The counts by their definition, the least value that no move leaves, and their period.

    If they are regular up to twice the start of the period plus the period plus 2, they are so
    for ever: no longer run can be split in a way that has not been looked at.
    """
    counts: list[int] = []
    for length in range(2 * START + PERIOD + 3):
        left = {
            counts[one] ^ counts[length - taken - one]
            for taken in (1, 2)
            for one in range(length - taken + 1)
        }
        counts.append(min(set(range(len(left) + 1)) - left))
    for length in range(START, len(counts) - PERIOD):
        require(counts[length] == counts[length + PERIOD], "the counts are not regular")
    return counts
