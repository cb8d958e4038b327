"""The free runs of a number line, and what they count."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import compress, count

from duels.core.bits import members
from duels.core.game import Move
from duels.games.number_line_duel import LinePosition

PERIOD = 12
REGULAR_FROM = 71
"""From this length on the counts repeat every twelve (Guy and Smith, 1956)."""


def _counts(highest: int) -> list[int]:
    """What runs of length 0..highest count: the least number that no move can leave."""
    counts = [0]
    for length in range(1, highest + 1):
        left = {
            counts[one] ^ counts[length - taken - one]
            for taken in (1, 2)
            for one in range((length - taken) // 2 + 1)
        }
        counts.append(next(value for value in count() if value not in left))
    return counts


COUNTS = _counts(REGULAR_FROM + 2 * PERIOD)


def run_count(length: int) -> int:
    """What a run of any length counts."""
    if length >= REGULAR_FROM:
        length = REGULAR_FROM + (length - REGULAR_FROM) % PERIOD
    return COUNTS[length]


def runs(free: int) -> list[tuple[int, int]]:
    """The free runs of a line, each by its first and last number."""
    # A run begins where the number below is gone, and ends where the one above is.
    return list(zip(members(free & ~(free << 1)), members(free & ~(free >> 1)), strict=True))


Run = tuple[int, int, int]
"""The first number of a run, its last, and what it counts."""


def counted_runs(position: LinePosition) -> list[Run]:
    """The free runs with what they count."""
    return [(first, last, run_count(last - first + 1)) for first, last in runs(position.state)]


def balanced(runs: Sequence[Run]) -> tuple[list[tuple[Run, Run]], list[Run]]:
    """Pairs of runs that count the same, and the runs that only balance all together."""
    return in_pairs(runs, lambda run: run[2])


def in_pairs(
    runs: Sequence[Run], alike: Callable[[Run], int]
) -> tuple[list[tuple[Run, Run]], list[Run]]:
    """Pairs of runs that are alike, and the runs that are left."""
    waiting: dict[int, Run] = {}
    pairs: list[tuple[Run, Run]] = []
    for run in runs:
        if alike(run) in waiting:
            pairs.append((waiting.pop(alike(run)), run))
        else:
            waiting[alike(run)] = run
    return pairs, list(waiting.values())


def run_name(first: int, last: int) -> str:
    """How a run is written: 5, or 5-8."""
    return str(first) if first == last else f"{first}-{last}"


def balancing(first: int, last: int, balance: int) -> Iterator[Move]:
    """The moves in one run after which the whole line is balanced."""
    length = last - first + 1
    needed = balance ^ run_count(length)
    counts = _counts_below(length)
    hit = bytearray(256)
    hit[needed] = 1
    for taken in (1, 2):
        if length >= taken:
            rest = length - taken + 1
            # What is left of the move against what is right of it, all at once.
            left, right = counts[:rest], counts[:rest][::-1]
            both = int.from_bytes(left, "little") ^ int.from_bytes(right, "little")
            places = compress(count(first), both.to_bytes(rest, "little").translate(hit))
            yield from places if taken == 1 else ((place, place + 1) for place in places)


def _counts_below(length: int) -> bytes:
    """What the runs shorter than this count."""
    start = bytes(COUNTS[:REGULAR_FROM])
    period = bytes(COUNTS[REGULAR_FROM : REGULAR_FROM + PERIOD])
    return (start + period * (length // PERIOD + 1))[:length]
