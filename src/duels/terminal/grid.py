"""Boards of numbers: the grid of tiles of the chain games, and the number line."""

from __future__ import annotations

from duels.core.game import Position, numbers_of
from duels.games.board import takers
from duels.games.chain import ChainPosition
from duels.games.number_line_duel import LinePosition
from duels.look import MARKS
from duels.terminal.board import path
from duels.terminal.talk import Style

Tile = tuple[str, str]
"""The characters of a tile, and the same painted."""


def draw_grid(
    position: ChainPosition, style: Style, columns: int, rows: int, *, show_moves: bool
) -> list[str]:
    """Tiles ten in a row, five or fewer where the window is narrow; what fits is marked."""
    everything = position.legal == position.unused
    marked = None if everything or not show_moves else position.legal
    tiles = _tiles(position, style, _across(position, columns), rows, marked)
    return [*tiles, *path(position, style, columns)]


def draw_line(
    position: LinePosition, style: Style, columns: int, rows: int, *, show_moves: bool
) -> list[str]:
    """The numbers on one row where they fit, else in rows. Whatever is left may be crossed out."""
    size = position.game.size
    across = size if size * _width(position) <= columns else _across(position, columns)
    tiles = _tiles(position, style, across, rows, None)
    return [*tiles, *path(position, style, columns)]


def _width(position: Position) -> int:
    """The characters that a tile takes: a number between brackets, a mark, and a gap."""
    return len(str(position.game.size)) + 4


def _across(position: Position, columns: int) -> int:
    return next((n for n in (10, 5, 2) if n * _width(position) <= columns), 1)


def _tiles(
    position: Position, style: Style, across: int, tallest: int, marked: int | None
) -> list[str]:
    """The rows of tiles around the last move; `marked` is the bit set of those that stand out."""
    size, width = position.game.size, _width(position)
    rows = -(-size // across)
    newest = numbers_of(position.moves[-1]) if position.moves else (1,)
    top = max(0, min((newest[0] - 1) // across - tallest // 2, rows - tallest))
    bottom = min(top + tallest, rows)
    taker_of = takers(position)
    lines = []
    for first in range(top * across + 1, bottom * across + 1, across):
        row = ""
        for number in range(first, min(first + across, size + 1)):
            if taker := taker_of.get(number):
                plain, painted = _gone(number, taker, number in newest, style)
            else:
                plain, painted = _free(number, style, marked)
            row += " " * (width - len(plain)) + painted  # so that digits stand in columns
        lines.append(row.rstrip())
    return lines if bottom - top == rows else [*lines, f"(rows {top + 1} to {bottom} of {rows})"]


def _free(number: int, style: Style, marked: int | None) -> Tile:
    """A number that is still there: whether it may be played, where some may not."""
    if marked is None:
        return f" {number} ", f" {number} "
    if marked >> number & 1:
        return f"[{number}]", style.bold(f"[{number}]")
    return f" {number} ", style.faint(f" {number} ")


def _gone(number: int, taker: int, is_last: bool, style: Style) -> Tile:
    mark = MARKS[taker]
    if is_last:
        return f"({mark}{number})", style.last(f"({mark}{number})", taker)
    return f" {mark}{number} ", f" {style.player(mark, taker)}{style.gone(str(number), taker)} "
