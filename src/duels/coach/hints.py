"""Hints in stages: can I win - how many moves win - which - why."""

from __future__ import annotations

from duels.core.game import Position
from duels.core.words import listed
from duels.theory import solve
from duels.theory.verdict import Verdict


def hints(position: Position) -> list[str]:
    """All stages of help, from little to everything; the position is not over."""
    verdict = solve(position)
    if not verdict.wins:
        return ["You cannot force a win from here.", verdict.reason]
    return ["You can win from here.", _how_many(verdict), _which(verdict), verdict.reason]


def _how_many(verdict: Verdict[Position]) -> str:
    winning, legal = len(verdict.winning_moves), len(verdict.position.legal_moves)
    return f"{winning:,} of {legal:,} moves win{'s' if winning == 1 else ''}."


def _which(verdict: Verdict[Position]) -> str:
    winning = [verdict.position.game.format(move) for move in verdict.winning_moves]
    if len(winning) > 40:
        return f"Among the winning moves: {', '.join(winning[:40])}."
    return f"{'Winning' if len(winning) > 1 else 'The only winning move'}: {listed(winning)}."
