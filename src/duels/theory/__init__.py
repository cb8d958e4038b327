"""Exact verdicts with proofs. `check` does not use the solver.

A chain game is a matching problem: `sparse.py` and, compiled, `compiled.py` are for factors and
multiples, `dense.py` for boards on which most numbers fit each other. The forests of the last few
positions are kept, and the next position is a repair of one of them. A proof is plain data, or on
large boards arrays, written on first use: on a large board it takes longer than the
repair. `docs/explanation/theory.md` says why all this is true.
"""

from __future__ import annotations

from duels.core.game import Move, Position
from duels.theory.theory import Progress, theory_of
from duels.theory.verdict import Verdict

__all__ = ["Verdict", "solve", "theory_of", "winning_moves"]


def solve(position: Position, progress: Progress | None = None) -> Verdict[Position]:
    """The verdict on a position; `progress` hears the share of the work done on large boards."""
    if position.outcome:
        return Verdict(position, None, ())
    winning = winning_moves(position, progress)
    return Verdict(position, bool(winning), winning)


def winning_moves(position: Position, progress: Progress | None = None) -> tuple[Move, ...]:
    """Only the winning moves, for those who need no proof; none when the game is over."""
    return () if position.outcome else theory_of(position).winning_moves(position, progress)
