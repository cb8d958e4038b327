"""Hints in stages: can I win - how many moves win - which - why."""

from __future__ import annotations

from collections.abc import Callable

from duels.core.game import Position
from duels.core.words import listed
from duels.theory import solve
from duels.theory.verdict import Verdict

STAGES = 4


def hint(position: Position, stage: int) -> str:
    """One stage of help, from 1 to 4; the position is not over."""
    return _STAGES[min(stage, STAGES) - 1](solve(position))


def _can_i_win(verdict: Verdict) -> str:
    if verdict.wins:
        return "You can win from here."
    return "You cannot force a win from here, but your opponent may slip."


def _how_many(verdict: Verdict) -> str:
    winning, legal = len(verdict.winning_moves), len(verdict.position.legal_moves)
    return f"{winning:,} of {legal:,} moves win{'s' if winning == 1 else ''}."


def _which(verdict: Verdict) -> str:
    if not verdict.wins:
        return "No move wins against best play."
    told = [verdict.position.game.format(move) for move in verdict.winning_moves]
    if len(told) > 40:
        return f"Among the winning moves: {', '.join(told[:40])}."
    return f"{'Winning' if len(told) > 1 else 'The only winning move'}: {listed(told)}."


def _why(verdict: Verdict) -> str:
    return verdict.reason


_STAGES: tuple[Callable[[Verdict], str], ...] = (_can_i_win, _how_many, _which, _why)
