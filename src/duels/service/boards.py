"""The board of a position as data for a page."""

from __future__ import annotations

from typing import Any

from duels.core.board import board_data
from duels.core.game import Position

Board = dict[str, Any]


def board_of(position: Position) -> Board:
    """Return the board that a position's game describes."""
    return board_data(position)
