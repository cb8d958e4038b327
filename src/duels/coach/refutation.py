"""What is wrong with a move: the answer that punishes it, and why, told to who made the move."""

from __future__ import annotations

from typing import NamedTuple

from duels.core.game import Move, Position
from duels.theory import solve, theory_of


class Refutation(NamedTuple):
    """The opponent's winning answer, the position after it, and a few words."""

    answer: Move | None
    """None where the move itself has lost the game."""
    position: Position
    words: str


def refute(position: Position, move: Move) -> Refutation:
    """Why a move loses that does not win."""
    game, after = position.game, position.play(move)
    if outcome := after.outcome:
        how = game.endings.get(outcome.reason, outcome.reason)
        return Refutation(None, after, f"That ends the game, and you lose: {how}.")
    answer = solve(after).best_move
    assert answer is not None, "this move wins"
    theory, then = theory_of(after), after.play(answer)
    they = f"They {game.verb.do} {game.format(answer)}"
    if then.outcome:
        return Refutation(answer, then, f"{they}: {theory.ending(after, answer)}.")
    verdict = solve(then)
    why = theory.decided(verdict) or theory.why_lost(verdict)
    return Refutation(answer, then, f"{they}. {why}")
