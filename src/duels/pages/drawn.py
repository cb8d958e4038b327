"""Boards for paper, as data that the template `sheets.html` draws."""

from __future__ import annotations

from typing import NamedTuple

from duels.core.game import Position, numbers_of
from duels.games.board import takers
from duels.service.boards import board_of


class PaperCell(NamedTuple):
    """A number, the player who has taken it (0 while it is free), and whether by the last move."""

    number: int
    taken_by: int = 0
    is_last: bool = False


class PaperBoard(NamedTuple):
    """A board as it is printed: cells, or a headline with a caption."""

    kind: str
    cells: tuple[PaperCell, ...] = ()
    headline: str = ""
    caption: str = ""


def blank_board(kind: str, size: int) -> PaperBoard:
    """Return a grid or a line on which every number is free."""
    return PaperBoard(kind, tuple(PaperCell(number) for number in range(1, size + 1)))


def paper_board(position: Position) -> PaperBoard:
    """Return a position as its game wants it to be shown."""
    board = board_of(position)
    kind = board["kind"]
    if kind in {"grid", "line"}:
        taken = takers(position)
        last = numbers_of(position.moves[-1]) if position.moves else ()
        cells = (
            PaperCell(number, taken.get(number, 0), number in last)
            for number in range(1, board["count"] + 1)
        )
        return PaperBoard(kind, tuple(cells))
    if kind == "digits":
        return PaperBoard(kind, headline=board["number"] or "…", caption=board["words"])
    return PaperBoard(kind, headline=board["words"])
