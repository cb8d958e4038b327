"""Exact verdicts with proofs. `check` does not use the solver.

A chain game is a matching problem: `sparse.py` and its compiled version `compiled.py` handle
factors and multiples, `dense.py` boards on which most numbers fit each other. The forests of the
last few positions are cached, and the next position repairs one of them. A proof is plain data, or
on large boards arrays, written on first use: on a large board it takes longer than
the repair. `docs/explanation/theory.md` explains why all this is true.
"""

from __future__ import annotations

from duels.core.game import Move, Position
from duels.theory.theory import Progress, theory_of
from duels.theory.verdict import Verdict

__all__ = ["Verdict", "solve", "theory_of", "winning_moves"]


def solve(position: Position, progress: Progress | None = None) -> Verdict[Position]:
    """Return the verdict on a position; on large boards `progress` gets the share of work done."""
    if position.outcome:
        return Verdict(position, None, ())
    winning = winning_moves(position, progress)
    return Verdict(position, bool(winning), winning)


def winning_moves(position: Position, progress: Progress | None = None) -> tuple[Move, ...]:
    """Return only the winning moves, without a proof; none when the game is over."""
    return () if position.outcome else theory_of(position).winning_moves(position, progress)
