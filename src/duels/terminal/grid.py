"""Boards of numbers: the grid of tiles of the chain games, and the number line."""

from __future__ import annotations

from duels.core.game import Position, numbers_of
from duels.core.look import MARKS, PLAYABLE
from duels.games.board import takers
from duels.games.chain.rules import ChainPosition
from duels.games.line.rules import LinePosition
from duels.terminal.talk import Style

Tile = tuple[str, str]
"""The characters of a tile, and the same painted."""
WIDE, NARROW, TIGHT = 4, 2, 1
"""What a tile has beside its digits: a mark, brackets and a gap; a mark and a gap; a mark."""


def draw_grid(
    position: ChainPosition, style: Style, columns: int, rows: int, *, show_moves: bool
) -> list[str]:
    """Tiles ten in a row while they fit; what may be played is marked, unless any may begin."""
    is_free = not position.moves and position.legal == position.unused
    marked = None if is_free or not show_moves else position.legal
    return _tiles(position, style, *_across(position, columns), rows, marked)


def draw_line(
    position: LinePosition, style: Style, columns: int, rows: int, *, show_moves: bool
) -> list[str]:
    """The numbers on one row where they fit, else in rows. Whatever is left may be crossed out."""
    on_one_row = position.game.size
    return _tiles(position, style, *_across(position, columns, on_one_row), rows, None)


def _across(position: Position, columns: int, *first_choice: int) -> tuple[int, int]:
    """How many tiles there are in a row, and how wide they are."""
    digits = len(str(position.game.size))
    for across in (*first_choice, min(10, position.game.size), 5, 2):
        for more in (WIDE, NARROW, TIGHT):
            if across * (digits + more) <= columns:
                return across, digits + more
    return 1, digits + NARROW


def _tiles(
    position: Position, style: Style, across: int, width: int, tallest: int, marked: int | None
) -> list[str]:
    """The rows of tiles around the last move; `marked` is the bit set of those that stand out."""
    size = position.game.size
    brackets = width - len(str(size)) == WIDE
    rows = -(-size // across)
    if rows > tallest:
        tallest = max(tallest - 1, 1)  # the last line says that there are more
    newest = numbers_of(position.moves[-1]) if position.moves else (1,)
    top = max(0, min((newest[0] - 1) // across - tallest // 2, rows - tallest))
    bottom = min(top + tallest, rows)
    taker_of = takers(position)
    lines = []
    for first in range(top * across + 1, bottom * across + 1, across):
        row = ""
        for number in range(first, min(first + across, size + 1)):
            if taker := taker_of.get(number):
                plain, painted = _gone(number, taker, number in newest, style, brackets)
            else:
                plain, painted = _free(number, style, marked, brackets)
            row += " " * (width - len(plain)) + painted  # so that digits stand in columns
        lines.append(row.rstrip())
    return lines if bottom - top == rows else [*lines, f"(rows {top + 1} to {bottom} of {rows})"]


def _free(number: int, style: Style, marked: int | None, brackets: bool) -> Tile:
    """A number that is still there: whether it may be played, where some may not."""
    gap = " " if brackets else ""
    if marked is None:
        return f"{gap}{number}{gap}", f"{gap}{style.bold(str(number))}{gap}"
    if marked >> number & 1:
        tile = f"[{number}]" if brackets else f"{PLAYABLE}{number}"
        return tile, style.bold(tile)
    return f"{gap}{number}{gap}", f"{gap}{number}{gap}"


def _gone(number: int, taker: int, is_last: bool, style: Style, brackets: bool) -> Tile:
    mark, gap = MARKS[taker], " " if brackets else ""
    if is_last:
        tile = f"({mark}{number})" if brackets else f"{mark}{number}"
        return tile, style.last(tile, taker)
    painted = f"{style.player(mark, taker)}{style.gone(str(number))}"
    return f"{gap}{mark}{number}{gap}", f"{gap}{painted}{gap}"
