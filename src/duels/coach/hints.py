"""Hints in stages: can I win - a question that leads there - which moves - why.

In a lost position: no - what to avoid - what to try - why it is lost.
"""

from __future__ import annotations

from typing import NamedTuple

from duels.core.game import Position
from duels.core.words import counted, in_words, listed
from duels.theory import solve, theory_of
from duels.theory.reasons import MOST_COMPARED, moves_in_words
from duels.theory.verdict import Verdict

MOST_NAMED = 12
"""Winning moves that are named."""


class Hint(NamedTuple):
    """One stage of help: what is asked, and the answer."""

    question: str
    text: str


def hints(position: Position) -> list[Hint]:
    """All stages of help, from little to everything; the position is not over."""
    verdict, theory = solve(position), theory_of(position)
    if verdict.wins:
        return [
            Hint("Can I win?", "You can win from here."),
            Hint("Where should I look?", theory.question(verdict)),
            Hint("Which moves win?", _which(verdict)),
            Hint("Why?", verdict.reason),
        ]
    certain = theory.decided(verdict)
    return [
        Hint("Can I win?", "You cannot force a win from here."),
        Hint("What should I avoid?", _avoid(verdict)),
        Hint("What can I try?", _try(verdict)),
        Hint("Why is it lost?", certain or theory.why_lost(verdict)),
    ]


def puzzle_hints(position: Position) -> list[Hint]:
    """The same for somebody who knows that there is a win, and looks for it."""
    _, where, which, why = hints(position)
    avoid = theory_of(position).what_to_avoid(solve(position))
    return [where, *([Hint("What should I avoid?", avoid)] if avoid else []), which, why]


def _avoid(verdict: Verdict[Position]) -> str:
    position, theory = verdict.position, theory_of(verdict.position)
    if position.legal_count == 1:
        return "Nothing: you have only one move."
    if theory.decided(verdict):
        return "Nothing: no choice matters any more."
    if position.legal_count > MOST_COMPARED:
        return "There are too many moves to say which of them lose at once."
    return theory.what_to_avoid(verdict) or "No move lets them win at once."


def _try(verdict: Verdict[Position]) -> str:
    position, theory = verdict.position, theory_of(verdict.position)
    if position.legal_count == 1:
        only = f"You can only {position.game.verb.do} {moves_in_words(position)}."
        return only if theory.decided(verdict) else f"{only} {theory.try_this(verdict)}"
    return "Whatever you like." if theory.decided(verdict) else theory.try_this(verdict)


def _which(verdict: Verdict[Position]) -> str:
    """How many moves win, and which."""
    position, winning = verdict.position, verdict.winning_moves
    written = [position.game.format(move) for move in winning]
    legal = position.legal_count
    if legal == 1:
        return f"You have only one move, {written[0]}, and it wins."
    if len(winning) == legal:
        return f"Every move wins: {position.game.verb.do} what you like."
    if len(winning) == 1:
        return f"Only one of {counted(legal, 'move')} wins: {written[0]}."
    count = f"{in_words(len(winning)).capitalize()} of {counted(legal, 'move')} win"
    if len(winning) > MOST_NAMED:
        return f"{count}, for example {listed(written[:MOST_NAMED])}."
    return f"{count}: {listed(written)}."
