"""One step of a proof."""

from __future__ import annotations

from duels.core.errors import ProofError
from duels.theory.verdict import Proof


def require(holds: bool, otherwise: str) -> None:
    """Raise ProofError unless a step of a proof holds."""
    if not holds:
        raise ProofError(f"The proof fails: {otherwise}.")


def of_kind(kind: str, proof: Proof) -> None:
    """Raise ProofError unless a proof is of this kind."""
    require(proof.get("kind") == kind, f"a proof for this game is of the kind {kind}")
