"""What the pages' board shows of a position: the kind of board, which is a script of the pages,
and the facts that this script needs. A game names its board in its parts.
"""

from __future__ import annotations

from typing import Any

from duels.core.game import Position
from duels.core.parts import load, parts_of

Board = dict[str, Any]


def board_of(position: Position) -> Board:
    """The board of a position, as its game wants it to be shown."""
    board: Board = load(parts_of(position.game).page)(position)
    return board


def tiles(position: Position) -> Board:
    """The state in words and a tile for each move: a board for every game."""
    return {"kind": "tiles", "words": position.words}


def grid(position: Position) -> Board:
    """The numbers from 1 on, ten in a row; each is a move, and used once."""
    return {"kind": "grid", "count": position.game.size}


def line(position: Position) -> Board:
    """The numbers from 1 on, side by side; a move is one or two neighbours, and used once."""
    return {"kind": "line", "count": position.game.size}
