"""The theory of Divisor Duel: search, a theorem for large divisors, and the reasons in words."""

from __future__ import annotations

from typing import Any, cast

from duels.core.board import Drawing
from duels.core.game import Move
from duels.core.words import counted, listed, short_number
from duels.games.digits.rules import DivisorDuel, DivisorPosition
from duels.games.digits.search import Answer, Plan, Search
from duels.theory.reasons import Instruction, Win, short_win
from duels.theory.theory import Progress, Theory
from duels.theory.verdict import Proof, Verdict

DivisorVerdict = Verdict[DivisorPosition]
State = tuple[int, int, int]
"""The used digits as bits, the remainder, and the number of digits left."""


class DivisorTheory(Theory[DivisorPosition]):
    """A strategy with one reply to each digit of the opponent."""

    def at(self, position: DivisorPosition) -> Theory[DivisorPosition]:
        """Return the theory of large divisors where it applies; it needs no search."""
        return LARGE if divisor_of(position) >= LARGE_FROM else self

    def winning_moves(
        self, position: DivisorPosition, progress: Progress | None = None
    ) -> tuple[Move, ...]:
        search, (used, remainder, left) = _plan(position).search, _state(position)
        winning: list[Move] = []
        for digit in digits_left(position):
            more, rest = search.step(used, remainder, digit)
            if rest == 0 or (left > 1 and not search.wins(more, rest, left - 1, left - 1)):
                winning.append(digit)
        return tuple(winning)

    def prove(self, position: DivisorPosition, winning: tuple[Move, ...]) -> Proof:
        return {"kind": "strategy", "after": self.strategies(position, winning)}

    def strategies(self, position: DivisorPosition, winning: tuple[Move, ...]) -> dict[str, Any]:
        """Return the strategy after each digit: a dictionary of replies if it wins, else a list."""
        search, (used, remainder, left) = _plan(position).search, _state(position)
        after: dict[str, Any] = {}
        for digit in digits_left(position):
            more, rest = search.step(used, remainder, digit)
            if digit in winning:
                after[str(digit)] = search.answers(more, rest, left - 1) if rest else {}
            else:
                after[str(digit)] = search.strategy(more, rest, left - 1) if left > 1 else []
        return after

    def best_move(self, verdict: DivisorVerdict) -> int:
        """Return the digit after which playing on is easiest."""
        if len(verdict.winning_moves) == 1:
            return cast("int", verdict.winning_moves[0])
        return _plan(verdict.position).answer(*_state(verdict.position)).digit

    def wins_at_once(self, position: DivisorPosition) -> tuple[Move, ...]:
        number, divisor = position.state, divisor_of(position)
        return tuple(d for d in digits_left(position) if (10 * number + d) % divisor == 0)

    def moves_left(self, position: DivisorPosition) -> list[int] | None:
        """Return the number of digits left if no number can become divisible any more."""
        state = _state(position)
        return None if _plan(position).search.is_possible(*state) else [state[2]]

    # Words

    def decided(self, verdict: DivisorVerdict) -> str:
        position = verdict.position
        if not self.moves_left(position):
            return ""
        left = len(digits_left(position))
        who = "you" if left % 2 else "they"
        count = f"{counted(left, 'digit').capitalize()} {'is' if left == 1 else 'are'} left"
        why = f"{_why_never(position)} {count}, so {who} add the last one."
        why += " The player who adds the last digit loses."
        return f"{why} Add any digit you like." if verdict.wins else why

    def why_won(self, verdict: DivisorVerdict) -> Instruction:
        move = self.best_move(verdict)
        after = verdict.position.play(move)
        if self.moves_left(after):
            then = "So they add the last digit and lose. From now on, add any digit you like."
            return Instruction(move, f"{_why_never(after)} {then}")
        return Instruction(move, self.how_to_play_on(verdict.position, after))

    def how_to_play_on(self, before: DivisorPosition, after: DivisorPosition) -> str:
        """Say why a move has won, and how to reply to what follows it."""
        answers = dict(_plan(after).answers(*_state(after)))
        now = f"With their next digit they cannot make a number divisible by {written(after)}."
        return f"{now} {_answers(answers)} {_last(len(after.legal), after)}".strip()

    def why_lost(self, verdict: DivisorVerdict) -> str:
        position = verdict.position
        found = dict(_plan(position).answers(*_state(position)))
        said = "Whatever you add, they have an answer."
        if later := {digit: answer for digit, answer in found.items() if not answer.ends}:
            said = f"Whatever you add, they have an answer: {_groups(later, 'they')}."
        if len(found) % 2:
            said += f" If neither of you makes a number divisible by {written(position)},"
            said += " you add the last digit and lose."
        return said

    def worked_out(self, verdict: DivisorVerdict) -> Instruction | None:
        """Return a short win in sentences; None if nothing matters after one digit."""
        after = verdict.position.play(self.best_move(verdict))
        is_simpler = not after.outcome and self.moves_left(after)
        return None if is_simpler else super().worked_out(verdict)

    def short_win(self, verdict: DivisorVerdict) -> Win | None:
        return short_win(self, verdict.position, (self.best_move(verdict),))

    def allows(self, position: DivisorPosition, move: Move, answer: Move) -> str:
        return f"after {move} they make {position.state or ''}{move}{answer}"

    def longer_question(self, verdict: DivisorVerdict) -> str:
        divisible = f"a number divisible by {written(verdict.position)}"
        return f"After which digit can they not make {divisible}?"

    def question(self, verdict: DivisorVerdict) -> str:
        if self.wins_at_once(verdict.position):
            return f"Which digit makes the number divisible by {written(verdict.position)} now?"
        if self.moves_left(verdict.position):
            divisible = f"a number divisible by {written(verdict.position)}"
            return f"Can either of you still make {divisible}? Who adds the last digit?"
        return self.longer_question(verdict)

    def clue(self, verdict: DivisorVerdict) -> Drawing:
        """Return the remainder that each digit leaves."""
        position, divisor = verdict.position, divisor_of(verdict.position)
        after = [
            (digit, (10 * position.state + digit) % divisor) for digit in digits_left(position)
        ]
        return Drawing(labels=[(digit, f"leaves {short_number(left)}") for digit, left in after])

    def drawing(self, verdict: DivisorVerdict) -> Drawing:
        winning = [self.best_move(verdict)] if verdict.wins else []
        return self.clue(verdict)._replace(winning=winning)

    def explanation(self, verdict: DivisorVerdict) -> list[str]:
        """Return the strategy as a table of their digits and your replies."""
        position, plan = verdict.position, _plan(verdict.position)
        if self.moves_left(position) or (verdict.wins and self.wins_at_once(position)):
            return []
        number, state = position.state, _state(position)
        head = "Your opponent looks up the number and the digit you add"
        if verdict.wins:
            move = self.best_move(verdict)
            number, state = 10 * number + move, _after(plan, state, move)
            head = f"Add {move}. Then look up the number and the digit they add"
            if plan.is_over(*state):
                return []
        if not (table := plan.table(number, *state)) or state[2] == 1:
            return []
        star = f"* No number can be divisible by {written(position)} any more: any digit will do."
        return [
            f"{head}, and {'add' if verdict.wins else 'adds'} the digit after the arrow:",
            *table,
            *([star] if any("*" in line for line in table) else []),
        ]

    def ending(self, position: DivisorPosition, move: Move) -> str:
        number = 10 * position.state + cast("int", move)
        return f"that makes {number}, which is divisible by {written(position)}"


DIVISOR = DivisorTheory()
LARGE_FROM = 87
"""The smallest divisor from which on a theorem says who wins: see `LargeDivisorTheory`."""


def divisor_of(position: DivisorPosition) -> int:
    return cast("DivisorDuel", position.game).divisor


def written(position: DivisorPosition) -> str:
    """Return the divisor as it is written in a sentence."""
    return short_number(divisor_of(position))


def digits_left(position: DivisorPosition) -> tuple[int, ...]:
    return cast("tuple[int, ...]", position.legal)


def _plan(position: DivisorPosition) -> Plan:
    plan: Plan = position.game.memory.setdefault("plan", Plan(Search(divisor_of(position))))
    return plan


def _state(position: DivisorPosition) -> State:
    used = sum(1 << int(digit) for digit in str(position.state or ""))
    return used, position.state % divisor_of(position), len(position.legal)


def _after(plan: Plan, state: State, digit: int) -> State:
    used, remainder, left = state
    return (*plan.search.step(used, remainder, digit), left - 1)


def _why_never(position: DivisorPosition) -> str:
    """Say why no number can become divisible any more."""
    divisor, left = divisor_of(position), digits_left(position)
    number, named = position.state, written(position)
    multiple = f"Every multiple of {named}"
    largest = int(f"{number or ''}{''.join(map(str, reversed(left)))}")
    if divisor > largest:
        return f"{named} is larger than any number you can make from these digits."
    if divisor % 10 == 0:
        return f"{multiple} ends in 0, and there is no 0."
    if divisor % 5 == 0 and 5 not in left:
        return f"{multiple} ends in 5 or 0. The 5 is used, and there is no 0."
    if divisor % 2 == 0 and not any(digit % 2 == 0 for digit in left):
        return f"{multiple} is even, and no even digit is left."
    if len(left) == 1:
        return f"{10 * number + left[0]} is not divisible by {named}."
    return f"The digits that are left cannot make a number divisible by {named}."


def _answers(found: dict[int, Answer]) -> str:
    """Return the replies to each digit: those that end the game at once, and the others."""
    ending = {digit: answer for digit, answer in found.items() if answer.ends}
    later = {digit: answer for digit, answer in found.items() if not answer.ends}
    if not ending:
        return f"Whatever they add, you have an answer: {_groups(later)}."
    wins = f"If they add {listed([*ending], 'or')}, you win at once"
    said = f"{wins}: {_groups(ending, names_all=True)}."
    return f"{said} Otherwise, {_groups(later)}." if later else said


def _groups(found: dict[int, Answer], who: str = "", names_all: bool = False) -> str:
    """Return the replies in words, like "after 5 or 9 add 6; after 7 add 2"."""
    by_answer: dict[int, list[int]] = {}
    for digit, answer in found.items():
        by_answer.setdefault(answer.digit, []).append(digit)
    groups = sorted(by_answer.items(), key=lambda group: len(group[1]))
    add = f"{who} add".strip()
    said = [f"after {listed(theirs, 'or')} {add} {own}" for own, theirs in groups]
    if names_all:  # the sentence before has named them
        return f"{said[0]}, for example" if len(said) > 1 else f"{add} {groups[0][0]}"
    if len(groups) == 2 and len(groups[-1][1]) > 2:
        said[-1] = f"after anything else {add} {groups[-1][0]}"
        return "; ".join(said)
    if len(said) == 1 and len(found) > 2:
        return f"{add} {groups[0][0]}"
    return "; ".join(said[:2]) + ("; and so on" if len(said) > 2 else "")


def _last(left: int, position: DivisorPosition) -> str:
    """Say who loses if no number becomes divisible."""
    divisible = f"a number divisible by {written(position)}"
    return (
        f"If neither of you makes {divisible}, they add the last digit and lose."
        if left % 2
        else ""
    )


class LargeDivisorTheory(DivisorTheory):
    """With a divisor of 87 or more, look one move ahead: avoid the digit that lets them finish.

    With Player 2 to move, Player 2 wins, and at most one digit lets Player 1 finish. With Player 1
    to move, Player 1 wins only by finishing at once. The proof is in docs/explanation/theory.md
    (T2) and, for Coq, in proofs/DivisorTheorems.v.
    """

    def winning_moves(
        self, position: DivisorPosition, progress: Progress | None = None
    ) -> tuple[Move, ...]:
        if position.to_move == 1:
            return self.wins_at_once(position)
        replies = self._replies(position)
        return tuple(digit for digit in digits_left(position) if digit not in replies)

    def prove(self, position: DivisorPosition, winning: tuple[Move, ...]) -> Proof:
        """Return the digits that finish now and, for Player 2, those that let Player 1 finish."""
        replies = self._replies(position) if position.to_move == 2 else {}
        after = {str(digit): found for digit, found in replies.items()}
        return {"kind": "finishes", "now": [*self.wins_at_once(position)], "after": after}

    def best_move(self, verdict: DivisorVerdict) -> int:
        """Return a digit that finishes, one after which neither player can, or any that wins."""
        position, winning = verdict.position, verdict.winning_moves
        simplest = [move for move in self.wins_at_once(position) if move in winning] or (
            move for move in winning if self.moves_left(position.play(move))
        )
        found = next(iter(simplest), winning[0])
        assert isinstance(found, int)
        return found

    def _replies(self, position: DivisorPosition) -> dict[int, list[int]]:
        """Return the digits that let the opponent finish, each with the digits that would do so."""
        divisor, digits = divisor_of(position), digits_left(position)
        now = self.wins_at_once(position)
        found: dict[int, list[int]] = {}
        for digit in digits:
            number = 10 * position.state + digit
            replies = [d for d in digits if d != digit and (10 * number + d) % divisor == 0]
            if replies and digit not in now:
                found[digit] = replies
        return found

    # Words

    def how_to_play_on(self, before: DivisorPosition, after: DivisorPosition) -> str:
        avoid = "No digit lets them finish now. Later at most one digit does: avoid that one."
        for digit, (reply, *_) in self._replies(before).items():
            which = f"Now it is {digit}: {self.allows(before, digit, reply)}."
            avoid = f"At most one digit lets them finish: avoid that one. {which}"
        return f"{avoid} {self._at_the_end(after, 'they')}"

    def why_lost(self, verdict: DivisorVerdict) -> str:
        avoid = "Whatever you add, at most one digit lets you finish then, and they can avoid it."
        return f"{avoid} {self._at_the_end(verdict.position, 'you')}"

    def _at_the_end(self, position: DivisorPosition, who: str) -> str:
        never = f"If neither of you makes a number divisible by {written(position)}"
        return f"{never}, {who} add the last digit and lose."

    def explanation(self, verdict: DivisorVerdict) -> list[str]:
        """Return the one rule that wins, where it is needed."""
        position = verdict.position
        if not verdict.wins or self.wins_at_once(position):
            return []
        if self.moves_left(position.play(self.best_move(verdict))):
            return []
        finish = f"they can make a number divisible by {written(position)}"
        return [f"Each time, avoid the digit after which {finish}. Add any other digit."]


LARGE = LargeDivisorTheory()
