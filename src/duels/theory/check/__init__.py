"""Checking proofs. Nothing of the solver is imported here: only the rules of the games.

Each checker works out from the proof which moves win, or raises ProofError with the step that
fails. `check` then compares that with what the verdict claims.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from duels.core.errors import DuelsError, ProofError
from duels.core.game import Move
from duels.games.chain import ChainPosition
from duels.games.divisor_duel import DivisorPosition
from duels.games.number_line_duel import LinePosition
from duels.theory.check.matching import check_matching
from duels.theory.check.runs import check_runs
from duels.theory.check.step import require
from duels.theory.check.strategy import check_strategy
from duels.theory.verdict import Proof, Verdict

CHECKERS: dict[type, tuple[str, Callable[[Any, Proof], list[Move]]]] = {
    ChainPosition: ("matching", check_matching),
    LinePosition: ("runs", check_runs),
    DivisorPosition: ("strategy", check_strategy),
}


def check(verdict: Verdict) -> None:
    """Raise ProofError unless the proof proves who wins, and exactly which moves win."""
    position = verdict.position
    if position.outcome:
        claimed = (verdict.wins, verdict.winning_moves, verdict.proof)
        require(claimed == (None, (), None), "the game is over, and the verdict says otherwise")
        return
    require(type(position) in CHECKERS, "there is no theory of this game")
    kind, checker = CHECKERS[type(position)]
    proof = verdict.proof if isinstance(verdict.proof, dict) else {}
    require(proof.get("kind") == kind, f"a proof for this game is of the kind {kind}")
    try:
        winning = checker(position, proof)
    except ProofError:
        raise
    except DuelsError as error:
        raise ProofError(f"The proof fails: {error}") from None
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        raise ProofError("The proof is damaged: it does not have the form of a proof.") from None
    require(tuple(winning) == verdict.winning_moves, "it proves other winning moves")
    require(verdict.wins is bool(winning), "it proves the opposite")
