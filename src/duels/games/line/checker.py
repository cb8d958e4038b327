"""Number Line Duel: the Grundy value of each run, and the period of these values.

Assumes the rules of Number Line Duel itself: one free number or two neighbours are crossed out, and
the last mover wins. A game that changes any of them is rejected.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from duels.core.fast import members
from duels.core.game import Move
from duels.core.states import StatePosition
from duels.games.line.rules import LinePosition, NumberLineDuel
from duels.theory.check import of_kind, require, require_rules
from duels.theory.verdict import Proof

START, PERIOD = 71, 12
MOST_TAKEN = 2


def check_runs(position: LinePosition, proof: Proof) -> list[Move]:
    """Return the winning moves that the proof shows; ProofError if it does not show them."""
    of_kind("runs", proof)
    require_rules(position, StatePosition, NumberLineDuel)
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
    """Return the value of a run of any length, after checking the table as far as it goes."""
    counts = _counts()
    require(list(table) == counts[: len(table)], "the table of counts is wrong")
    return lambda n: counts[n] if n < START else counts[START + (n - START) % PERIOD]


@cache
def _counts() -> list[int]:
    """Return the values by definition (the least value that no move leaves) up to their period."""
    counts: list[int] = []
    for length in range(_compared(START, PERIOD).stop + PERIOD):
        left = {
            counts[one] ^ counts[length - taken - one]
            for taken in range(1, MOST_TAKEN + 1)
            for one in range(length - taken + 1)
        }
        counts.append(min(set(range(len(left) + 1)) - left))
    require(is_regular(counts, START, PERIOD), "the counts are not regular")
    return counts


def is_regular(counts: Sequence[int], start: int, period: int) -> bool:
    """Say whether these values show that they repeat from `start` on, for ever.

    A move takes at most MOST_TAKEN, so in a run of 2 * (start + period) + MOST_TAKEN or more it
    leaves a part of start + period or more, which has the same value when it is one period shorter.
    So the run has the same options as the run one period shorter, and the values of all longer runs
    follow from those that are compared.
    """
    compared = _compared(start, period)
    return len(counts) >= compared.stop + period and all(
        counts[length] == counts[length + period] for length in compared
    )


def _compared(start: int, period: int) -> range:
    """Return the lengths whose values must equal those one period longer."""
    return range(start, 2 * start + period + MOST_TAKEN)
