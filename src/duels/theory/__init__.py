"""Exact verdicts with proofs. `check` does not use the solver."""

from __future__ import annotations

from collections.abc import Callable

from duels.core.game import Position
from duels.games.chain import ChainPosition
from duels.games.divisor_duel import DivisorPosition
from duels.games.number_line_duel import LinePosition
from duels.theory.verdict import Verdict


def solve(position: Position, progress: Callable[[float], None] | None = None) -> Verdict:
    """The verdict on a position; `progress` hears the share of the work done on large boards."""
    if position.outcome:
        return Verdict(position, None, (), None)
    match position:
        case ChainPosition():
            from duels.theory.chain import solve_chain

            winning, proof = solve_chain(position, progress)
        case LinePosition():
            from duels.theory.line import solve_line

            winning, proof = solve_line(position)
        case DivisorPosition():
            from duels.theory.divisor import solve_divisor

            winning, proof = solve_divisor(position)
        case _:
            raise TypeError(f"There is no theory of {position!r}.")
    return Verdict(position, bool(winning), winning, proof)
