"""Strategies for Divisor Duel that a person can use: as few lines as possible.

A line is a number that the winner leaves, with what to add to every digit that can follow. From
where nobody can make a number that divides any more there is nothing to look up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from duels.games.divisor_duel import DIGITS
from duels.theory.digits import Search


class Answer(NamedTuple):
    """The digit to add, and the lines that one needs after it."""

    digit: int
    lines: int
    ends: bool
    """Whether the number divides then."""


class Plan:
    """The shortest strategies of the winner. All positions of one divisor share a memory."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self._lines: dict[tuple[int, int], int] = {}

    def answer(self, used: int, remainder: int, left: int) -> Answer:
        """What to add in a won state: what ends the game, or else needs the fewest lines."""
        search, winning = self.search, []
        for digit in DIGITS:
            if used >> digit & 1:
                continue
            more, rest = search.step(used, remainder, digit)
            if rest == 0:
                return Answer(digit, 0, True)
            if left > 1 and not search.wins(more, rest, left - 1, left - 1):
                winning.append((digit, more, rest))
        for digit, more, rest in winning:
            if self.is_over(more, rest, left - 1):
                return Answer(digit, 0, False)
        found = [Answer(d, self.lines(u, r, left - 1), False) for d, u, r in winning]
        return min(found, key=lambda answer: answer.lines)

    def is_over(self, used: int, remainder: int, left: int) -> bool:
        """Whether no number can divide any more, and the other player has the last digit."""
        return left % 2 == 1 and not self.search.is_possible(used, remainder, left)

    def lines(self, used: int, remainder: int, left: int) -> int:
        """How many lines the winner needs after leaving a state that is lost for the other one."""
        key = used, remainder
        if key not in self._lines:
            count = 0
            if not self.is_over(used, remainder, left):
                count = 1 + sum(answer.lines for _, answer in self.answers(used, remainder, left))
            self._lines[key] = count
        return self._lines[key]

    def answers(self, used: int, remainder: int, left: int) -> Iterator[tuple[int, Answer]]:
        """What to answer to each digit that can follow a state; none to the very last digit."""
        for digit in DIGITS:
            if not used >> digit & 1 and left > 1:
                yield digit, self.answer(*self.search.step(used, remainder, digit), left - 1)

    def table(self, number: int, used: int, remainder: int, left: int) -> list[str]:
        """The strategy after a number that the winner leaves, what comes first first.

        For example "43: 5 -> 2; 6 8 9 -> 1*", where the star means that it no longer matters.
        """
        todo, written = [(number, used, remainder, left)], []
        for here, used, remainder, left in todo:
            by_answer: dict[str, list[int]] = {}
            for digit, (added, lines, ends) in self.answers(used, remainder, left):
                star = "" if ends or lines else "*"
                by_answer.setdefault(f"{added}{star}", []).append(digit)
                if lines:
                    after = self.search.step(*self.search.step(used, remainder, digit), added)
                    todo.append((100 * here + 10 * digit + added, *after, left - 2))
            groups = [f"{' '.join(map(str, theirs))} -> {own}" for own, theirs in by_answer.items()]
            written.append(f"{here or 'start'}: {'; '.join(groups)}")
        return written
