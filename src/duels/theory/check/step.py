"""One step of a proof."""

from __future__ import annotations

from duels.core.errors import ProofError


def require(holds: bool, otherwise: str) -> None:
    """Raise ProofError unless a step of a proof holds."""
    if not holds:
        raise ProofError(f"The proof fails: {otherwise}.")
