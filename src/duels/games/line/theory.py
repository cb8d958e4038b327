"""Number Line Duel is Kayles: each free run has a value, and balanced lines are lost.

The value of a run depends only on its length. A line is balanced if each of 1, 2, 4 and 8 occurs an
even number of times when the value of every run is written as a sum of them (the exclusive or is
0).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import compress, count

from duels.core.board import MOST_DRAWN, Drawing, Link
from duels.core.fast import members
from duels.core.game import Move, numbers_of
from duels.core.words import listed
from duels.games.line.rules import LinePosition
from duels.theory.reasons import Instruction
from duels.theory.theory import FEW, Progress, Theory
from duels.theory.verdict import Proof, Verdict

PERIOD = 12
REGULAR_FROM = 71
"""From this length on the values repeat every twelve (Guy and Smith, 1956)."""


def _worths(highest: int) -> list[int]:
    """Return the values of runs of length 0..highest: the least number that no move can leave."""
    counts = [0]
    for length in range(1, highest + 1):
        left = {
            counts[one] ^ counts[length - taken - one]
            for taken in (1, 2)
            for one in range((length - taken) // 2 + 1)
        }
        counts.append(next(value for value in count() if value not in left))
    return counts


WORTHS = _worths(REGULAR_FROM + 2 * PERIOD)


def run_worth(length: int) -> int:
    """Return the value of a run of any length."""
    if length >= REGULAR_FROM:
        length = REGULAR_FROM + (length - REGULAR_FROM) % PERIOD
    return WORTHS[length]


def runs(free: int) -> list[tuple[int, int]]:
    """Return the free runs of a line as pairs of their first and last number."""
    # A run begins where the number below is gone, and ends where the one above is.
    return list(zip(members(free & ~(free << 1)), members(free & ~(free >> 1)), strict=True))


Run = tuple[int, int, int]
"""The first number of a run, its last, and its value."""


def valued_runs(position: LinePosition) -> list[Run]:
    """Return the free runs with their values."""
    return [(first, last, run_worth(last - first + 1)) for first, last in runs(position.state)]


def balanced(runs: Sequence[Run]) -> tuple[list[tuple[Run, Run]], list[Run]]:
    """Return pairs of runs of equal value, and the runs that only balance all together."""
    return in_pairs(runs, lambda run: run[2])


def equal_pairs(runs: Sequence[Run]) -> list[tuple[Run, Run]]:
    """Return the runs in pairs of equal length, if all of them come in such pairs."""
    pairs, rest = in_pairs(runs, lambda run: run[1] - run[0])
    return [] if rest else pairs


def in_pairs(
    runs: Sequence[Run], alike: Callable[[Run], int]
) -> tuple[list[tuple[Run, Run]], list[Run]]:
    """Return pairs of equal runs, and the runs that are left."""
    waiting: dict[int, Run] = {}
    pairs: list[tuple[Run, Run]] = []
    for run in runs:
        if alike(run) in waiting:
            pairs.append((waiting.pop(alike(run)), run))
        else:
            waiting[alike(run)] = run
    return pairs, list(waiting.values())


def run_name(first: int, last: int) -> str:
    """Return a run in words: 5, or 5 to 8."""
    return str(first) if first == last else f"{first} to {last}"


def balancing(first: int, last: int, balance: int) -> Iterator[Move]:
    """Return the moves in one run after which the whole line is balanced."""
    length = last - first + 1
    needed = balance ^ run_worth(length)
    counts = _worths_below(length)
    hit = bytearray(256)
    hit[needed] = 1
    for taken in (1, 2):
        if length >= taken:
            rest = length - taken + 1
            # Compare the parts left and right of each move, all at once.
            left, right = counts[:rest], counts[:rest][::-1]
            both = int.from_bytes(left, "little") ^ int.from_bytes(right, "little")
            places = compress(count(first), both.to_bytes(rest, "little").translate(hit))
            yield from places if taken == 1 else ((place, place + 1) for place in places)


def _worths_below(length: int) -> bytes:
    """Return the values of the runs shorter than this."""
    start = bytes(WORTHS[:REGULAR_FROM])
    period = bytes(WORTHS[REGULAR_FROM : REGULAR_FROM + PERIOD])
    return (start + period * (length // PERIOD + 1))[:length]


LineVerdict = Verdict[LinePosition]

LONG_LINE = 1000
"""On a line of at least this many numbers, not every winning move is compared to find the
easiest."""


class LineTheory(Theory[LinePosition]):
    """Balance: if the values of the runs cancel, the player to move loses."""

    def winning_moves(
        self, position: LinePosition, progress: Progress | None = None
    ) -> tuple[Move, ...]:
        """Return the moves that balance the line."""
        found = runs(position.state)
        balance = 0
        for first, last in found:
            balance ^= run_worth(last - first + 1)
        winning: list[Move] = []
        if balance:
            for first, last in found:
                winning += balancing(first, last, balance)
        return tuple(sorted(winning, key=numbers_of))

    def columns(self, position: LinePosition) -> dict[str, int]:
        """Return the Grundy value of the whole line."""
        return {"grundy": run_worth(position.game.size)}

    def prove(self, position: LinePosition, winning: tuple[Move, ...]) -> Proof:
        """Return the value of every run."""
        found = valued_runs(position)
        longest = max((last - first + 1 for first, last, _ in found), default=0)
        shown = min(longest, REGULAR_FROM + PERIOD)
        counts = WORTHS[: shown + 1]
        return {"kind": "runs", "runs": [list(run) for run in found], "counts": counts}

    def best_move(self, verdict: LineVerdict) -> Move:
        """Return a winning move, one that leaves equal runs if possible: it is easy to see."""
        position, winning = verdict.position, verdict.winning_moves
        if position.game.size > LONG_LINE:
            middle = _middle(position)
            return middle if middle in winning else winning[0]
        return max(winning, key=lambda move: _evenness(position, move))

    def wins_at_once(self, position: LinePosition) -> tuple[Move, ...]:
        """Return the last number, or the last two if they are neighbours."""
        last = position.state
        count = last.bit_count()
        if count == 1:
            return (last.bit_length() - 1,)
        return position.legal_moves[1:2] if count == 2 and last & last >> 1 else ()

    def moves_left(self, position: LinePosition) -> list[int] | None:
        """Return the number of free numbers if none are neighbours: then each takes one move."""
        free: int = position.state
        return None if free & free >> 1 else [free.bit_count()]

    def weight(self, position: LinePosition) -> int:
        return 2 + position.game.size // 16

    def is_slow(self, position: LinePosition) -> bool:
        return position.game.size > 20_000

    # Words

    def worked_out(self, verdict: LineVerdict) -> Instruction | None:
        """Return only a win in one move: balance is simpler to explain than any line of play."""
        if not self.wins_at_once(verdict.position):
            return None
        move = self.best_move(verdict)
        return Instruction(move, f"{self.ending(verdict.position, move)}.", ends=True)

    def why_won(self, verdict: LineVerdict) -> Instruction:
        move = self.best_move(verdict)
        found = valued_runs(verdict.position.play(move))
        if [last - first for first, last, _ in found] == [0, 0]:
            last_two = f"That leaves only {found[0][0]} and {found[1][0]}."
            return Instruction(move, f"{last_two} They cross out one, and you cross out the other.")
        if equal_pairs(found):
            equal, other = _equal(found)
            copy = f"Copy every move in the {other}: whenever they can move, so can you."
            return Instruction(move, f"That leaves {equal}. {copy}")
        again = "Whatever they cross out, you can balance it again. So the last move is yours."
        return Instruction(move, f"That leaves the line balanced: {_balance(found)} {again}")

    def why_lost(self, verdict: LineVerdict) -> str:
        found = valued_runs(verdict.position)
        if equal_pairs(found):
            equal, other = _equal(found)
            return (
                f"There are {equal}. Whatever you cross out, they can copy it in the {other}, "
                "so you run out first."
            )
        return (
            f"The line is balanced: {_balance(found)} "
            "Whatever you cross out, they can balance it again."
        )

    def longer_question(self, verdict: LineVerdict) -> str:
        found = valued_runs(verdict.position.play(self.best_move(verdict)))
        if equal_pairs(found):
            parts = "two equal halves" if len(found) == 2 else "runs that come in equal pairs"
            return f"Can you leave {parts}?"
        return "What is each run worth, and which move balances the line?"

    def clue(self, verdict: LineVerdict) -> Drawing:
        """Return the free runs, each with what the reason is about: its length or its value."""
        if verdict.position.game.size > MOST_DRAWN:
            return Drawing()
        return Drawing(links=_brackets(verdict.position, self._reached(verdict)))

    def drawing(self, verdict: LineVerdict) -> Drawing:
        if not verdict.wins:
            return self.clue(verdict)
        reached = self._reached(verdict)
        is_drawn = verdict.position.game.size <= MOST_DRAWN
        return Drawing([self.best_move(verdict)], _brackets(reached, reached) if is_drawn else [])

    def _reached(self, verdict: LineVerdict) -> LinePosition:
        """Return the lost position that the reason is about: this one, or the one to leave."""
        position = verdict.position
        return position.play(self.best_move(verdict)) if verdict.wins else position

    def explanation(self, verdict: LineVerdict) -> list[str]:
        """Return lines that say how to copy, or how to add up values."""
        position = verdict.position
        if self.decided(verdict) or (verdict.wins and self.wins_at_once(position)):
            return []
        after, start = position, "Your opponent can copy"
        if verdict.wins:
            move = self.best_move(verdict)
            after = position.play(move)
            start = f"Cross out {position.game.in_words(move)}, then copy"
        if pairs := equal_pairs(valued_runs(after)):
            return [f"{start} every move in the run of the same length:", _pairs_in_words(pairs)]
        return _how_to_count(verdict)

    def ending(self, position: LinePosition, move: Move) -> str:
        return "nothing is left"


LINE = LineTheory()


def _brackets(position: LinePosition, lost: LinePosition) -> list[Link]:
    """Return every free run: with its length if equal runs lose in `lost`, or else its value."""
    is_equal = bool(equal_pairs(valued_runs(lost)))
    return [
        Link(
            tuple(range(first - 1, last)),
            "run",
            label=f"length {last - first + 1}" if is_equal else f"worth {worth}",
        )
        for first, last, worth in ([] if lost.outcome else valued_runs(position))
    ]


def _how_to_count(verdict: LineVerdict) -> list[str]:
    assert verdict.proof
    counts = verdict.proof["counts"]
    found = [f"{run_name(one, two)} is worth {n}" for one, two, n in verdict.proof["runs"]]
    lines = [
        f"Now {', '.join(found[:20])}{' and so on' if len(found) > 20 else ''}.",
        "What a run is worth depends on its length (length:worth):",
        " ".join(f"{length}:{value}" for length, value in enumerate(counts) if length),
    ]
    if len(counts) > REGULAR_FROM + PERIOD:
        lines.append(f"From length {REGULAR_FROM} on, the worths repeat every {PERIOD} lengths.")
    return [
        *lines,
        "Split every worth into 1s, 2s, 4s and 8s: 3 is 1 + 2, 5 is 1 + 4, and 6 is 2 + 4.",
        "A line is balanced if each of these occurs an even number of times.",
        "For example, 1, 2 and 3 balance: 3 is 1 + 2, so there are two 1s and two 2s.",
        f"{'Always' if verdict.wins else 'They can always'} leave a balanced line.",
    ]


def _equal(found: list[Run]) -> tuple[str, str]:
    """Name the runs, which come in equal pairs, and what the other run of a pair is called."""
    pairs = equal_pairs(found)
    if len(pairs) == 1:
        return f"two equal halves, {_pairs_in_words(pairs)}", "other half"
    more = " and so on" if len(pairs) > FEW else ""
    return (
        f"only pairs of equal runs: {_pairs_in_words(pairs[:FEW])}{more}",
        "run of the same length",
    )


def _pairs_in_words(pairs: list[tuple[Run, Run]]) -> str:
    """Return pairs of runs in words, such as: 1 to 4 and 7 to 10; 12 and 14."""
    return "; ".join(f"{run_name(*one[:2])} and {run_name(*two[:2])}" for one, two in pairs)


def _balance(found: list[Run]) -> str:
    """Say which runs cancel: those of equal value in pairs, the others together."""
    pairs, rest = balanced(found)
    equal = ""
    if pairs:
        equal = f"the runs {_pairs_in_words(pairs[:1])} are each worth {pairs[0][0][2]}"
        equal += ", so they cancel."
    if len(pairs) > 1:
        more = ", and so on" if len(pairs) > 2 else ""
        equal += f" So do {_pairs_in_words(pairs[1:2])}, each worth {pairs[1][0][2]}{more}."
    if not rest:
        return equal
    terms = listed([f"{run_name(*run[:2])} is worth {run[2]}" for run in rest])
    also = f"Also, {terms}" if pairs else terms
    return f"{equal} {also}. These cancel, because {_split(rest)}.".strip()


def _split(rest: list[Run]) -> str:
    """Return the largest values as sums: 3 is 1 + 2."""
    return listed(
        [
            f"{value} is {' + '.join(str(1 << bit) for bit in range(4) if value >> bit & 1)}"
            for value in sorted({run[2] for run in rest if run[2].bit_count() > 1})
        ]
    )


def _evenness(position: LinePosition, move: Move) -> tuple[int, int]:
    """Return a sort key: moves that leave two equal runs first, then those that take most."""
    lengths = [last - first for first, last, _ in valued_runs(position.play(move))]
    alone = sum(lengths.count(length) % 2 for length in set(lengths))
    return (-alone, -len(lengths))


def _middle(position: LinePosition) -> Move:
    """Return the middle of the longest run, which leaves two equal runs."""
    first, last, _ = max(valued_runs(position), key=lambda run: run[1] - run[0])
    middle = (first + last) // 2
    return middle if (first + last) % 2 == 0 else (middle, middle + 1)
