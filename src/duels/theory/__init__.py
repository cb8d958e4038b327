"""Exact verdicts with proofs. `check` does not use the solver."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from duels.core.game import Move, Position
from duels.games.chain import ChainPosition
from duels.games.divisor_duel import DivisorPosition
from duels.games.number_line_duel import LinePosition
from duels.theory.verdict import Proof, Verdict, as_it_is

Progress = Callable[[float], None]


def solve(position: Position, progress: Progress | None = None) -> Verdict:
    """The verdict on a position; `progress` hears the share of the work done on large boards."""
    if position.outcome:
        return Verdict(position, None, (), partial(as_it_is, None))
    winning = winning_moves(position, progress)
    return Verdict(position, bool(winning), winning, partial(_prove, position, winning))


def winning_moves(position: Position, progress: Progress | None = None) -> tuple[Move, ...]:
    """Only the winning moves, for those who need no proof."""
    match position:
        case ChainPosition():
            from duels.theory.chain import winning_chain

            return winning_chain(position, progress)
        case LinePosition():
            from duels.theory.line import winning_line

            return winning_line(position)
        case DivisorPosition():
            from duels.theory.divisor import winning_divisor

            return () if position.outcome else winning_divisor(position)
    raise TypeError(f"There is no theory of {position!r}.")


def _prove(position: Position, winning: tuple[Any, ...]) -> Proof:
    match position:
        case ChainPosition():
            from duels.theory.chain import prove_chain

            return prove_chain(position, winning)
        case LinePosition():
            from duels.theory.line import prove_line

            return prove_line(position)
        case DivisorPosition():
            from duels.theory.divisor import prove_divisor

            return prove_divisor(position, winning)
    raise TypeError(f"There is no theory of {position!r}.")
