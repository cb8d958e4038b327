"""Divisor Duel by search, and what to say about it."""

from __future__ import annotations

from typing import Any, cast

from duels.core.game import Move
from duels.core.words import counted, listed
from duels.games.digits.rules import DivisorDuel, DivisorPosition
from duels.games.digits.search import Answer, Plan, Search
from duels.theory.reasons import Win, short_win
from duels.theory.theory import Progress, Theory
from duels.theory.verdict import Proof, Verdict

DivisorVerdict = Verdict[DivisorPosition]
State = tuple[int, int, int]
"""The digits used as bits, the remainder, and the digits left."""


class DivisorTheory(Theory[DivisorPosition]):
    """A strategy: one digit to every digit of the opponent."""

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
        """For every digit the winner's strategy after it: a dictionary if the winner is us."""
        search, (used, remainder, left) = _plan(position).search, _state(position)
        after: dict[str, Any] = {}
        for digit in digits_left(position):
            more, rest = search.step(used, remainder, digit)
            if digit in winning:
                after[str(digit)] = search.answers(more, rest, left - 1) if rest else {}
            else:
                after[str(digit)] = search.strategy(more, rest, left - 1) if left > 1 else []
        return {"kind": "strategy", "after": after}

    def best_move(self, verdict: DivisorVerdict) -> int:
        """The digit that is easiest to play on from."""
        return _plan(verdict.position).answer(*_state(verdict.position)).digit

    def wins_at_once(self, position: DivisorPosition) -> tuple[Move, ...]:
        number, divisor = position.state, divisor_of(position)
        return tuple(d for d in digits_left(position) if (10 * number + d) % divisor == 0)

    def moves_left(self, position: DivisorPosition) -> list[int] | None:
        """Where nobody can make a number that divides, all digits are played."""
        state = _state(position)
        return None if _plan(position).search.is_possible(*state) else [state[2]]

    # Words

    def decided(self, verdict: DivisorVerdict) -> str:
        position = verdict.position
        if not self.moves_left(position):
            return ""
        left = len(digits_left(position))
        who = "yours" if left % 2 else "theirs"
        count = f"{counted(left, 'digit').capitalize()} {'is' if left == 1 else 'are'} left"
        why = f"{_why_never(position)} {count}, so the last one is {who}."
        why += " Whoever adds the last digit loses."
        return f"{why} Add what you like." if verdict.wins else why

    def why_won(self, verdict: DivisorVerdict) -> str:
        position, plan = verdict.position, _plan(verdict.position)
        move, divisor = self.best_move(verdict), divisor_of(position)
        used, remainder, left = _state(position)
        after = (*plan.search.step(used, remainder, move), left - 1)
        start = f"Add {move}. They cannot make a number that divides by {divisor} now."
        if plan.is_over(*after):
            return (
                f"Add {move}. {_why_never(position.play(move))} So the last digit is theirs, "
                "and they lose. From then on add what you like."
            )
        return f"{start} {_answers(dict(plan.answers(*after)))} {_last(left - 1)}".strip()

    def why_lost(self, verdict: DivisorVerdict) -> str:
        position = verdict.position
        found = dict(_plan(position).answers(*_state(position)))
        said = "Whatever you add, they have an answer."
        if later := {digit: answer for digit, answer in found.items() if not answer.ends}:
            said = f"Whatever you add, they have an answer: {_groups(later, 'they')}."
        if len(found) % 2:
            said += " If nobody makes a number that divides, the last digit is yours. That loses."
        return said

    def worked_out(self, verdict: DivisorVerdict) -> list[str]:
        """None where nothing matters after one digit: that is simpler still."""
        answer = _plan(verdict.position).answer(*_state(verdict.position))
        return super().worked_out(verdict) if answer.ends or answer.lines else []

    def short_win(self, verdict: DivisorVerdict) -> Win | None:
        return short_win(self, verdict.position, (self.best_move(verdict),))

    def allows(self, position: DivisorPosition, move: Move, answer: Move) -> str:
        return f"{move} allows {position.state or ''}{move}{answer}"

    def longer_question(self, verdict: DivisorVerdict) -> str:
        return "After which digit can they not finish the number, whatever they add?"

    def question(self, verdict: DivisorVerdict) -> str:
        if self.wins_at_once(verdict.position):
            return "Which digit would finish the number now?"
        if self.moves_left(verdict.position):
            return "Can anybody still make a number that divides? Who adds the last digit?"
        return self.longer_question(verdict)

    def explanation(self, verdict: DivisorVerdict) -> list[str]:
        """The strategy as a table: what they add to a number, and what to add then."""
        position, plan = verdict.position, _plan(verdict.position)
        if self.moves_left(position) or (verdict.wins and self.wins_at_once(position)):
            return []
        number, state = position.state, _state(position)
        head = "Your opponent looks up the number and the digit that you add"
        if verdict.wins:
            move = self.best_move(verdict)
            number, state = 10 * number + move, _after(plan, state, move)
            head = f"Add {move}. Then look up the number and the digit that they add"
            if plan.is_over(*state):
                return []
        if not (table := plan.table(number, *state)) or state[2] == 1:
            return []
        star = "* Nobody can make a number that divides then: add what you like."
        return [
            f"{head}, and {'adds' if not verdict.wins else 'add'} what the arrow points to:",
            *table,
            *([star] if any("*" in line for line in table) else []),
        ]

    def ending(self, position: DivisorPosition, move: Move) -> str:
        number = 10 * position.state + cast("int", move)
        return f"that makes {number}, which divides by {divisor_of(position)}"


DIVISOR = DivisorTheory()


def divisor_of(position: DivisorPosition) -> int:
    return cast("DivisorDuel", position.game).divisor


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
    """Why nobody can make a number that divides any more."""
    divisor, left = divisor_of(position), digits_left(position)
    number, divides = position.state, f"A number that divides by {divisor}"
    largest = int(f"{number or ''}{''.join(map(str, reversed(left)))}")
    if divisor > largest:
        return f"{divisor} is larger than any number that you two can make."
    if divisor % 10 == 0:
        return f"{divides} ends in 0, and there is no 0. So nobody ever makes one."
    if divisor % 5 == 0 and 5 not in left:
        return f"{divides} ends in 5 or 0. The 5 is used, and there is no 0."
    if divisor % 2 == 0 and not any(digit % 2 == 0 for digit in left):
        return f"{divides} is even, and no even digit is left."
    if len(left) == 1:
        return f"{10 * number + left[0]} does not divide by {divisor}."
    return f"However the digits are added, no number divides by {divisor} any more."


def _answers(found: dict[int, Answer]) -> str:
    """What to answer to each digit: what ends the game at once, and what else."""
    ending = {digit: answer for digit, answer in found.items() if answer.ends}
    later = {digit: answer for digit, answer in found.items() if not answer.ends}
    if not ending:
        return f"Whatever they add, you have an answer: {_groups(later)}."
    lose = "loses" if len(ending) == 1 else "lose"
    said = f"Then {listed([*ending])} {lose} at once: {_groups(ending, names_all=True)}."
    return f"{said} Otherwise {_groups(later)}." if later else said


def _groups(found: dict[int, Answer], who: str = "", names_all: bool = False) -> str:
    """For example: after 5 or 9 add 6; after 7 add 2."""
    by_answer: dict[int, list[int]] = {}
    for digit, answer in found.items():
        by_answer.setdefault(answer.digit, []).append(digit)
    groups = sorted(by_answer.items(), key=lambda group: len(group[1]))
    add = f"{who} add".strip()
    said = [f"after {listed(theirs, 'or')} {add} {own}" for own, theirs in groups]
    if names_all:  # they were named just before
        return f"{said[0]}, for example" if len(said) > 1 else f"{add} {groups[0][0]}"
    if len(groups) == 2 and len(groups[-1][1]) > 2:
        said[-1] = f"after anything else {add} {groups[-1][0]}"
        return "; ".join(said)
    if len(said) == 1 and len(found) > 2:
        return f"{add} {groups[0][0]}"
    return "; ".join(said[:2]) + ("; and so on" if len(said) > 2 else "")


def _last(left: int) -> str:
    """Who loses where nobody makes a number that divides, with so many digits left for them."""
    return "If nobody makes one, the last digit is theirs, and they lose." if left % 2 else ""
