"""Checking proofs. Nothing of the solver is imported here: only the rules of the games.

Each checker works out from the proof which moves win, or raises ProofError with the step that
fails. `check` then compares that with what the verdict claims.
"""

from __future__ import annotations

from duels.core.errors import DAMAGED, DuelsError, ProofError
from duels.core.game import Position
from duels.core.parts import load
from duels.theory.check.step import require, require_plain
from duels.theory.verdict import Verdict


def check(verdict: Verdict[Position]) -> None:
    """Raise ProofError unless the proof proves who wins, and exactly which moves win."""
    position = verdict.position
    if position.outcome:
        claimed = (verdict.wins, verdict.winning_moves, verdict.proof)
        require(claimed == (None, (), None), "the game is over, and the verdict says otherwise")
        return
    proof = verdict.proof if isinstance(verdict.proof, dict) else {}
    require_plain([proof, list(verdict.winning_moves)])
    try:
        winning = load(position.game.parts.checker)(position, proof)
    except ProofError:
        raise
    except DuelsError as error:
        raise ProofError(f"The proof fails: {error}") from None
    except DAMAGED:
        raise ProofError("The proof is damaged: it does not have the form of a proof.") from None
    require(tuple(winning) == verdict.winning_moves, "it proves other winning moves")
    require(verdict.wins is bool(winning), "it proves the opposite")
