"""Players: anything that chooses moves.

A level is a point on a strength from 0 to 100, which says how often a win is missed, by how far
ahead it is. The choice is a function of the match's seed and the number of moves, so that a resumed
or repeated game meets the same answers. What a program does wrong is a `Forfeit` with its reason,
never another move.
"""

from __future__ import annotations

from typing import Protocol

from duels.core.game import Move, Position


class Player(Protocol):
    """Chooses a legal move in any position that is not over."""

    def choose(self, position: Position) -> Move: ...
