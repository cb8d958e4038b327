"""Number Line Duel is Kayles: each free run counts something, and balanced lines are lost.

What a run counts depends only on its length. A line is balanced when, with every count written as a
sum of 1, 2, 4 and 8, each of these occurs an even number of times (the exclusive or is 0).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress, count

from duels.core.bits import members
from duels.core.game import Move, numbers_of
from duels.core.words import listed
from duels.games.number_line_duel import LinePosition
from duels.theory.theory import FEW, Progress, Theory
from duels.theory.verdict import Proof, Verdict

LineVerdict = Verdict[LinePosition]

PERIOD = 12
REGULAR_FROM = 71
"""From this length on the counts repeat every twelve (Guy and Smith, 1956)."""
LONG_LINE = 1000
"""Numbers on a line from which on not every winning move is looked at for the easiest one."""


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


class LineTheory(Theory[LinePosition]):
    """Balance: a line on which each count occurs evenly often is lost for the player to move."""

    def winning_moves(
        self, position: LinePosition, progress: Progress | None = None
    ) -> tuple[Move, ...]:
        """Those that balance the line."""
        found = runs(position.state)
        balance = 0
        for first, last in found:
            balance ^= run_count(last - first + 1)
        winning: list[Move] = []
        if balance:
            for first, last in found:
                winning += _balancing(first, last, balance)
        return tuple(sorted(winning, key=numbers_of))

    def prove(self, position: LinePosition, winning: tuple[Move, ...]) -> Proof:
        """What every run counts."""
        found = counted_runs(position)
        longest = max((last - first + 1 for first, last, _ in found), default=0)
        shown = min(longest, REGULAR_FROM + PERIOD)
        counts = COUNTS[: shown + 1]
        return {"kind": "runs", "runs": [list(run) for run in found], "counts": counts}

    def best_move(self, verdict: LineVerdict) -> Move:
        """A move that leaves equal runs is the easiest to understand."""
        position, winning = verdict.position, verdict.winning_moves
        if position.game.size > LONG_LINE:
            middle = _middle(position)
            return middle if middle in winning else winning[0]
        return max(winning, key=lambda move: _evenness(position, move))

    def why_won(self, verdict: LineVerdict) -> str:
        position, move = verdict.position, self.best_move(verdict)
        after = position.play(move)
        written = position.game.format(move)
        if after.outcome:
            return f"Cross out {written}: it is the last move."
        return f"Cross out {written}. That balances the line: {_balance(counted_runs(after))}."

    def why_lost(self, verdict: LineVerdict) -> str:
        balance = _balance(counted_runs(verdict.position))
        return (
            f"You cannot force a win: the line is balanced ({balance}), and whatever you cross "
            "out, your opponent can balance it again."
        )

    def explanation(self, verdict: LineVerdict) -> list[str]:
        assert verdict.proof
        counts = verdict.proof["counts"]
        found = [f"{run_name(one, two)} counts {n}" for one, two, n in verdict.proof["runs"]]
        by_length = [f"{length}:{value}" for length, value in enumerate(counts) if length]
        lines = [
            f"The runs: {', '.join(found[:20])}{' and so on' if len(found) > 20 else ''}.",
            "What a run counts depends on its length (length:count):",
            " ".join(by_length),
        ]
        if len(counts) > 83:
            lines.append("From length 71 on the counts repeat every 12.")
        rule = (
            "Write the counts as sums of 1, 2, 4 and 8: balanced means that each occurs "
            "evenly often."
        )
        return [*lines, rule, "Always leave a balanced line."]

    def wins_at_once(self, position: LinePosition) -> tuple[Move, ...]:
        return () if position.legal_count > 3 else super().wins_at_once(position)

    def weight(self, position: LinePosition) -> int:
        return 2 + position.game.size // 16

    def is_slow(self, position: LinePosition) -> bool:
        return position.game.size > 20_000


LINE = LineTheory()


Run = tuple[int, int, int]
"""The first number of a run, its last, and what it counts."""


def counted_runs(position: LinePosition) -> list[Run]:
    """The free runs with what they count."""
    return [(first, last, run_count(last - first + 1)) for first, last in runs(position.state)]


def balanced(runs: Sequence[Run]) -> tuple[list[tuple[Run, Run]], list[Run]]:
    """Pairs of runs that count the same, and the runs that only balance all together."""
    waiting: dict[int, Run] = {}
    pairs: list[tuple[Run, Run]] = []
    for run in runs:
        if run[2] in waiting:
            pairs.append((waiting.pop(run[2]), run))
        else:
            waiting[run[2]] = run
    return pairs, list(waiting.values())


def run_name(first: int, last: int) -> str:
    """How a run is written: 5, or 5-8."""
    return str(first) if first == last else f"{first}-{last}"


def _balancing(first: int, last: int, balance: int) -> Iterator[Move]:
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


def _balance(runs: list[Run]) -> str:
    """Which runs balance which: equal ones in pairs, the rest together."""
    pairs, rest = balanced(runs)
    shown = [f"{run_name(*one[:2])} against {run_name(*two[:2])}" for one, two in pairs]
    if rest:
        together = [f"{run_name(first, last)} ({value})" for first, last, value in rest]
        shown.append(f"{listed(together)} together")
    return "; ".join(shown[:FEW]) + (" and so on" if len(shown) > FEW else "") or "nothing is left"


def _evenness(position: LinePosition, move: Move) -> tuple[int, int]:
    """Moves that leave two equal runs are the easiest to understand; then those that take most."""
    lengths = [last - first for first, last, _ in counted_runs(position.play(move))]
    alone = sum(lengths.count(length) % 2 for length in set(lengths))
    return (-alone, -len(lengths))


def _middle(position: LinePosition) -> Move:
    """The middle of the longest run: what is left of it is two equal ones."""
    first, last, _ = max(counted_runs(position), key=lambda run: run[1] - run[0])
    middle = (first + last) // 2
    return middle if (first + last) % 2 == 0 else (middle, middle + 1)
