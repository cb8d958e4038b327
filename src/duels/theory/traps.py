"""What to do in a lost position: leave the other player as few good answers as possible."""

from __future__ import annotations

from typing import NamedTuple

from duels.core.game import Move, Position
from duels.games.chain import ChainPosition
from duels.games.number_line_duel import LinePosition

WORK = 2_000_000_000
"""Moves to try times the square of the board, which is about a second."""


class Trap(NamedTuple):
    """A move, how many answers it leaves, and how many of these win; the hardest of all or not."""

    move: Move
    answers: int
    good: int
    of_all: bool = True

    @property
    def share(self) -> float:
        return self.good / self.answers if self.answers else 0.0


def hardest_trap(position: Position) -> Trap:
    """The move after which the smallest share of answers wins; the first of several such.

    On a large board only some moves are tried, and the trap says so.
    """
    legal = position.legal_moves
    size = int(position.game.options.get("numbers", 9))
    most = max(4, WORK // size**2)
    tried = legal[:: -(-len(legal) // most)]
    hardest = min((_trap(position, move) for move in tried), key=lambda trap: trap.share)
    return hardest._replace(of_all=len(tried) == len(legal))


def _trap(position: Position, move: Move) -> Trap:
    from duels.theory import winning_moves

    after = position.play(move)
    return Trap(move, _answers(after), len(winning_moves(after)))


def _answers(position: Position) -> int:
    """How many moves there are, without listing them where there may be a million."""
    if isinstance(position, ChainPosition):
        return position.legal.bit_count()
    if isinstance(position, LinePosition):
        return position.free.bit_count() + position.pairs.bit_count()
    return len(position.legal_moves)
