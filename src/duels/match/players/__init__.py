"""Players: anything that chooses moves.

A level is a named strength from 0 to 100, which decides how often a win is missed, depending on how
far ahead it is. A built-in player's choice is a function of the match's seed and the number of
moves, so a resumed or repeated game gets the same replies. If an external program fails, it loses
by `Forfeit` with the reason; no move is made up for it.
"""

from __future__ import annotations

from typing import Protocol

from duels.core.game import Move, Position


class Player(Protocol):
    """Chooses a legal move in any position that is not over."""

    def choose(self, position: Position) -> Move: ...
