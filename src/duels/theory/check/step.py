"""One step of a proof."""

from __future__ import annotations

from typing import Any

from duels.core.errors import ProofError
from duels.theory.verdict import Proof

_LEAVES = {int, str, type(None)}
_PLAIN = {*_LEAVES, list, tuple, dict}


def require_plain(proof: Any) -> None:
    """Raise ProofError unless a proof is made of whole numbers and words.

    What only equals a number, as 5.0 and true do, is none: others may read it differently.
    """
    left: list[Any] = [proof]
    while left:
        part = left.pop()
        if type(part) is dict:
            require({*map(type, part)} <= {str}, "not all of its names are words")
            inside = [*part.values()]
        else:
            inside = list(part) if type(part) in (list, tuple) else [part]
        kinds = {*map(type, inside)}
        require(kinds <= _PLAIN, "it has a part that is not a whole number, a word or a list")
        if not kinds <= _LEAVES:
            left += [one for one in inside if type(one) not in _LEAVES]


def require(holds: bool, otherwise: str) -> None:
    """Raise ProofError unless a step of a proof holds."""
    if not holds:
        raise ProofError(f"The proof fails: {otherwise}.")


def of_kind(kind: str, proof: Proof) -> None:
    """Raise ProofError unless a proof is of this kind."""
    require(proof.get("kind") == kind, f"a proof for this game is of the kind {kind}")
