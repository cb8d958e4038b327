"""Divisor Duel by search: the state is which digits are used, and the remainder so far."""

from __future__ import annotations

from typing import Any, cast

from duels.core.game import Move
from duels.games.divisor_duel import DIGITS, DivisorDuel, DivisorPosition
from duels.theory.theory import FEW, Progress, Theory
from duels.theory.verdict import Proof, Verdict

Strategy = list[Any]
"""[digit], or [digit, {answer: strategy, ...}] with one strategy for every answer."""
DivisorVerdict = Verdict[DivisorPosition]


class DivisorTheory(Theory[DivisorPosition]):
    """A strategy: one digit to every digit of the opponent."""

    def winning_moves(
        self, position: DivisorPosition, progress: Progress | None = None
    ) -> tuple[Move, ...]:
        search, used, remainder, left = _state(position)
        winning: list[Move] = []
        for digit in digits_left(position):
            more, rest = search.step(used, remainder, digit)
            if rest == 0 or (left > 1 and not search.wins(more, rest, left - 1, left - 1)):
                winning.append(digit)
        return tuple(winning)

    def prove(self, position: DivisorPosition, winning: tuple[Move, ...]) -> Proof:
        """For every digit the strategy of whoever wins after it: a dictionary where it is ours."""
        search, used, remainder, left = _state(position)
        after: dict[str, Any] = {}
        for digit in digits_left(position):
            more, rest = search.step(used, remainder, digit)
            if digit in winning:
                after[str(digit)] = search.answers(more, rest, left - 1) if rest else {}
            else:
                after[str(digit)] = search.strategy(more, rest, left - 1) if left > 1 else []
        return {"kind": "strategy", "after": after}

    def best_move(self, verdict: DivisorVerdict) -> int:
        """The digit that wins soonest."""
        after = _after(verdict)
        winning = cast("tuple[int, ...]", verdict.winning_moves)
        return min(winning, key=lambda digit: _depth(after[str(digit)]))

    def why_won(self, verdict: DivisorVerdict) -> str:
        move, divisor = self.best_move(verdict), divisor_of(verdict.position)
        number = 10 * verdict.position.state + move
        if number % divisor == 0:
            return f"{move} makes {number}, and {number} is divisible by {divisor}."
        answers = _some(number, _after(verdict)[str(move)], divisor)
        return f"Add {move}. Whatever your opponent adds, you have an answer: {answers}."

    def why_lost(self, verdict: DivisorVerdict) -> str:
        position = verdict.position
        answers = _some(position.state, _after(verdict), divisor_of(position))
        return f"You cannot force a win, whatever you add: {answers}."

    def explanation(self, verdict: DivisorVerdict) -> list[str]:
        """The strategy as a tree: what was added, what to answer."""
        number, after = verdict.position.state, _after(verdict)
        answer = "the number on the left with the digit on the right:"
        if not verdict.wins:
            return [f"Your opponent answers {answer}", *_tree_lines(number, after)]
        move = self.best_move(verdict)
        if not after[str(move)]:
            return []
        tree = _tree_lines(10 * number + move, after[str(move)])
        return [f"Add {move}, then answer {answer}", *tree]

    def wins_at_once(self, position: DivisorPosition) -> tuple[Move, ...]:
        number, divisor = position.state, divisor_of(position)
        return tuple(d for d in digits_left(position) if (10 * number + d) % divisor == 0)


DIVISOR = DivisorTheory()


def divisor_of(position: DivisorPosition) -> int:
    return cast("DivisorDuel", position.game).divisor


def digits_left(position: DivisorPosition) -> tuple[int, ...]:
    return cast("tuple[int, ...]", position.legal)


def _state(position: DivisorPosition) -> tuple[Search, int, int, int]:
    """The search of this game, the digits used as bits, the remainder, and the digits left."""
    divisor = divisor_of(position)
    search: Search = position.game.memory.setdefault("search", Search(divisor))
    used = sum(1 << int(digit) for digit in str(position.state or ""))
    return search, used, position.state % divisor, len(position.legal)


def _after(verdict: DivisorVerdict) -> dict[str, Any]:
    assert verdict.proof
    after: dict[str, Any] = verdict.proof["after"]
    return after


def _some(number: int, strategies: dict[str, Any], divisor: int) -> str:
    """The first of the digits that can follow a number, each with what answers it."""
    shown = [
        _answer(10 * number + int(digit), strategy, divisor)
        for digit, strategy in list(strategies.items())[:FEW]
    ]
    return "; ".join(shown) + ("; and so on" if len(strategies) > FEW else "")


def _answer(number: int, strategy: Strategy, divisor: int) -> str:
    """What answers a number, and why that is good."""
    if not strategy:
        return f"{number} uses the last digit and loses"
    reply = 10 * number + strategy[0]
    if reply % divisor == 0:
        return f"{number} makes {reply} possible, and {reply} is divisible"
    return f"{number} is answered with {strategy[0]}"


def _tree_lines(number: int, answers: dict[str, Any]) -> list[str]:
    lines: list[str] = []
    for digit, strategy in answers.items():
        lines += _strategy_lines(10 * number + int(digit), strategy)
    return lines


def _strategy_lines(number: int, strategy: Strategy) -> list[str]:
    if not strategy:
        return []
    own = [f"{number}: {strategy[0]}"]
    return own + (_tree_lines(10 * number + strategy[0], strategy[1]) if strategy[1:] else [])


def _depth(tree: Any) -> int:
    """The number of moves that a strategy takes at most."""
    if isinstance(tree, dict):
        return max((1 + _depth(part) for part in tree.values()), default=0)
    return 1 + (_depth(tree[1]) if len(tree) > 1 else 0) if tree else 0


class Search:
    """Who wins from a state, and in how few moves. All states of one divisor share a memory."""

    def __init__(self, divisor: int) -> None:
        self.divisor = divisor
        self._known: dict[tuple[int, int, int], bool] = {}

    def step(self, used: int, remainder: int, digit: int) -> tuple[int, int]:
        """The state after a digit."""
        return used | 1 << digit, (10 * remainder + digit) % self.divisor

    def wins(self, used: int, remainder: int, left: int, within: int) -> bool:
        """Whether the player to move can force a win in `within` moves; `left` digits remain."""
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
        """Whether every move from here can be answered so that the other player wins in time."""
        if within >= left:
            return not self.wins(used, remainder, left, left)
        if within < 2:
            return False
        steps = [self.step(used, remainder, digit) for digit in DIGITS if not used >> digit & 1]
        return all(rest and self.wins(more, rest, left - 1, within - 1) for more, rest in steps)

    def _hopeless(self, remainder: int, within: int) -> bool:
        """No `within` further digits, whichever they are, reach a multiple of the divisor."""
        return all(
            -remainder * 10**digits % self.divisor >= 10**digits for digits in range(1, within + 1)
        )

    def strategy(self, used: int, remainder: int, left: int) -> Strategy:
        """The shortest way to win for the player to move, who can."""
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
        """For each move of a player who cannot win: the strategy against it."""
        found: dict[str, Strategy] = {}
        for digit in DIGITS:
            if not used >> digit & 1:
                step = self.step(used, remainder, digit)
                found[str(digit)] = self.strategy(*step, left - 1) if left > 1 else []
        return found
