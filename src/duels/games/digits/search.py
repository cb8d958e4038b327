"""Solve Divisor Duel by search, and find strategies that people can follow, with few lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from duels.games.digits.rules import DIGITS

Strategy = list[Any]
"""[digit], or [digit, {answer: strategy, ...}] with one strategy for every answer."""


class Search:
    """Who wins from a state, and in how few moves; all states of one divisor share a cache."""

    def __init__(self, divisor: int) -> None:
        self.divisor = divisor
        self._known: dict[tuple[int, int, int], bool] = {}
        self._possible: dict[tuple[int, int], bool] = {}

    def step(self, used: int, remainder: int, digit: int) -> tuple[int, int]:
        """Return the state after a digit."""
        return used | 1 << digit, (10 * remainder + digit) % self.divisor

    def wins(self, used: int, remainder: int, left: int, within: int) -> bool:
        """Say whether the player to move can win in `within` moves; `left` digits remain."""
        if within < left and self._hopeless(remainder, within):
            return False
        key = (used, remainder, within)
        if key not in self._known:
            self._known[key] = self._wins(used, remainder, left, within)
        return self._known[key]

    def _wins(self, used: int, remainder: int, left: int, within: int) -> bool:
        steps = [self.step(used, remainder, digit) for digit in DIGITS if not used >> digit & 1]
        if any(rest == 0 for _, rest in steps):
            return True
        if left == 1 or within == 1:
            return False
        return any(self._answered(*step, left - 1, within - 1) for step in steps)

    def _answered(self, used: int, remainder: int, left: int, within: int) -> bool:
        """Say whether every move from here has a reply with which the other player wins in time."""
        if within >= left:
            return not self.wins(used, remainder, left, left)
        if within < 2:
            return False
        steps = [self.step(used, remainder, digit) for digit in DIGITS if not used >> digit & 1]
        return all(rest and self.wins(more, rest, left - 1, within - 1) for more, rest in steps)

    def _hopeless(self, remainder: int, within: int) -> bool:
        """Say whether no choice of `within` more digits can reach a multiple."""
        return all(
            -remainder * 10**digits % self.divisor >= 10**digits for digits in range(1, within + 1)
        )

    def is_possible(self, used: int, remainder: int, left: int) -> bool:
        """Say whether the digits left can make a divisible number if both players cooperate."""
        if left == 0 or self._hopeless(remainder, left):
            return False
        key = used, remainder
        if key not in self._possible:
            steps = [self.step(used, remainder, digit) for digit in DIGITS if not used >> digit & 1]
            self._possible[key] = any(not rest for _, rest in steps) or any(
                self.is_possible(*step, left - 1) for step in steps
            )
        return self._possible[key]

    def strategy(self, used: int, remainder: int, left: int) -> Strategy:
        """Return the shortest winning strategy for the player to move, who can win."""
        within = next(n for n in range(1, left + 1) if self.wins(used, remainder, left, n))
        for digit in DIGITS:
            if used >> digit & 1:
                continue
            step = self.step(used, remainder, digit)
            if step[1] == 0:
                return [digit]
            if left > 1 and within > 1 and self._answered(*step, left - 1, within - 1):
                return [digit, self.answers(*step, left - 1)]
        raise AssertionError("a won state has a winning digit")

    def answers(self, used: int, remainder: int, left: int) -> dict[str, Strategy]:
        """Return the strategy against each move of a player who cannot win."""
        found: dict[str, Strategy] = {}
        for digit in DIGITS:
            if not used >> digit & 1:
                step = self.step(used, remainder, digit)
                found[str(digit)] = self.strategy(*step, left - 1) if left > 1 else []
        return found


class Answer(NamedTuple):
    """The digit to add, and the lines of strategy that are needed after it."""

    digit: int
    lines: int
    ends: bool
    """Whether the number is then divisible."""


class Plan:
    """The shortest strategies of the winner; all positions of one divisor share a cache."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self._lines: dict[tuple[int, int], int] = {}

    def answer(self, used: int, remainder: int, left: int) -> Answer:
        """Return the digit to add in a won state: it ends the game or needs the fewest lines."""
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
        """Say whether no number can become divisible, and the other player has the last digit."""
        return left % 2 == 1 and not self.search.is_possible(used, remainder, left)

    def lines(self, used: int, remainder: int, left: int) -> int:
        """Return how many lines the winner needs after leaving the other player in a lost state."""
        key = used, remainder
        if key not in self._lines:
            count = 0
            if not self.is_over(used, remainder, left):
                count = 1 + sum(answer.lines for _, answer in self.answers(used, remainder, left))
            self._lines[key] = count
        return self._lines[key]

    def answers(self, used: int, remainder: int, left: int) -> Iterator[tuple[int, Answer]]:
        """Return the reply to each digit that can follow a state; none to the very last digit."""
        for digit in DIGITS:
            if not used >> digit & 1 and left > 1:
                yield digit, self.answer(*self.search.step(used, remainder, digit), left - 1)

    def table(self, number: int, used: int, remainder: int, left: int) -> list[str]:
        """Return the strategy after a number that the winner leaves, in the order of play.

        For example "43: 5 -> 2; 6 8 9 -> 1*", where the star means that nothing matters after that.
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
