"""What to do in a lost position: leave the other player as few good answers as possible."""

from __future__ import annotations

from typing import NamedTuple

from duels.core.game import Move, Position


class Trap(NamedTuple):
    """A move, how many answers it leaves, and how many of these win."""

    move: Move
    answers: int
    good: int

    @property
    def share(self) -> float:
        return self.good / self.answers if self.answers else 0.0


def hardest_trap(position: Position) -> Trap:
    """The move after which the smallest share of answers wins; the first of several such."""
    return min((_trap(position, move) for move in _tried(position)), key=lambda trap: trap.share)


def _trap(position: Position, move: Move) -> Trap:
    from duels.theory import winning_moves

    after = position.play(move)
    return Trap(move, len(after.legal_moves), len(winning_moves(after)))


def _tried(position: Position) -> tuple[Move, ...]:
    """All legal moves; on a large board as many, evenly spread, as a person would wait for."""
    legal = position.legal_moves
    size = int(position.game.options.get("numbers", 9))
    most = max(4, min(128, 200_000 // size))
    return legal[:: -(-len(legal) // most)]
