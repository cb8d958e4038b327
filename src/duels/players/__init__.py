"""Players: anything that chooses moves."""

from __future__ import annotations

from typing import Protocol

from duels.core.game import Move, Position


class Player(Protocol):
    """Chooses a legal move in any position that is not over."""

    def choose(self, position: Position) -> Move: ...
