"""A proof of a chain game as arrays, for boards with too many numbers for lists.

It contains the same matching, barrier and odd cycles, each as one array of 32-bit integers.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from duels.core.errors import ProofError

Array = Any
"""A numpy array of 32-bit integers."""


class PackedProof(NamedTuple):
    """The contents of a matching proof as flat arrays; an edge is two entries, its ends."""

    move: int | None
    pairs: Array
    barrier: Array
    edges: Array
    """The edges of all cycles, one cycle after another."""
    ends: Array
    """Where each cycle ends in `edges`."""

    def require_whole(self) -> None:
        """Raise ProofError unless the arrays have the form of a proof."""
        for array in self[1:]:
            if str(array.dtype) != "int32" or array.ndim != 1:
                raise ProofError("The proof is damaged: it does not have the form of a proof.")
        lengths = self.ends[1:] - self.ends[:-1]
        first, last = (self.ends[:1], self.ends[-1:].tolist() or [0])
        odd = (first % 4 == 2).all() and (lengths % 4 == 2).all()
        rising = (first > 0).all() and (lengths > 0).all()
        if not (odd and rising) or last != [len(self.edges)] or len(self.pairs) % 2:
            raise ProofError("The proof fails: a cycle is not odd, or a pair is not two numbers.")

    def data(self) -> dict[str, Any]:
        """Return the proof as plain data: lists of pairs and of cycles."""
        flat, bounds = self.edges.tolist(), [0, *self.ends.tolist()]
        return {
            "kind": "matching",
            "move": self.move,
            "pairs": list(zip(self.pairs[::2].tolist(), self.pairs[1::2].tolist(), strict=True)),
            "barrier": self.barrier.tolist(),
            "blossoms": [flat[start:end] for start, end in pairwise(bounds)],
        }
