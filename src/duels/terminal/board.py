"""The board as a picture of characters, with and without colour, as wide as the window allows."""

from __future__ import annotations

import textwrap
from typing import Any

from duels.core.game import Position, numbers_of, takers
from duels.look import MARKS
from duels.terminal.talk import Style

TALLEST = 50
"""Rows of tiles where nobody says how many there is room for."""

Tile = tuple[str, str]
"""The characters of a tile, and the same painted."""


def draw(
    position: Position,
    style: Style,
    columns: int = 80,
    rows: int = TALLEST,
    *,
    show_moves: bool = True,
) -> list[str]:
    """The lines of the board of any game; of a board taller than `rows`, those that matter.

    Where `show_moves` is false, people find out by themselves which numbers may be played.
    """
    if position.game.id == "divisor-duel":
        return _keypad(position, style)
    tiles = _grid(position, style, columns, rows, show_moves)
    return [*tiles, *_path(position, style, columns)]


def _grid(position: Any, style: Style, columns: int, tallest: int, show_moves: bool) -> list[str]:
    """Tiles ten in a row, five or fewer where the window is narrow."""
    numbers = position.game.numbers
    width = len(str(numbers)) + 4
    across = next((n for n in (10, 5, 2) if n * width <= columns), 1)
    rows = -(-numbers // across)
    newest = numbers_of(position.moves[-1])[0] if position.moves else 1
    top = max(0, min((newest - 1) // across - tallest // 2, rows - tallest))
    bottom = min(top + tallest, rows)
    taker_of = takers(position)
    lines = []
    for first in range(top * across + 1, bottom * across + 1, across):
        row = range(first, min(first + across, numbers + 1))
        tiles = [_tile(position, number, taker_of.get(number), style, show_moves) for number in row]
        lines.append("".join(_padded(tile, width) for tile in tiles).rstrip())
    return lines if bottom - top == rows else [*lines, f"(rows {top + 1} to {bottom} of {rows})"]


def _tile(position: Any, number: int, taker: int | None, style: Style, show_moves: bool) -> Tile:
    """What is gone and who took it, what may be played, what may not."""
    if taker:
        return _gone(number, taker, number in numbers_of(position.moves[-1]), style)
    everything = position.game.id == "number-line-duel" or position.legal == position.unused
    if everything or not show_moves:
        return f" {number} ", f" {number} "
    if position.legal >> number & 1:
        return f"[{number}]", style.bold(f"[{number}]")
    return f" {number} ", style.faint(f" {number} ")


def _gone(number: int, taker: int, is_last: bool, style: Style) -> Tile:
    mark = MARKS[taker]
    if is_last:
        return f"({mark}{number})", style.last(f"({mark}{number})", taker)
    return f" {mark}{number} ", f" {style.player(mark, taker)}{style.gone(str(number), taker)} "


def _padded(tile: Tile, width: int) -> str:
    """A tile at the right end of its place, so that digits stand in columns."""
    plain, painted = tile
    return " " * (width - len(plain)) + painted


def _path(position: Position, style: Style, columns: int) -> list[str]:
    """The moves so far, each with the mark of who made it."""
    if not position.moves:
        return []
    told = [
        f"{MARKS[1 + ply % 2]}{position.game.format(move)}"
        for ply, move in enumerate(position.moves)
    ]
    if len(told) > 60:
        told = ["…", *told[-60:]]
    lines = textwrap.wrap(" ".join(told), max(columns - 1, 10), break_on_hyphens=False)
    for player, mark in MARKS.items():
        lines = [line.replace(mark, style.player(mark, player)) for line in lines]
    return lines


def _keypad(position: Any, style: Style) -> list[str]:
    """Divisor Duel: the growing number, what is left over, and the digits that remain."""
    number = " ".join(
        (style.last if ply == len(position.moves) - 1 else style.player)(
            f"{MARKS[1 + ply % 2]}{digit}", 1 + ply % 2
        )
        for ply, digit in enumerate(position.moves)
    )
    left = f"remainder {position.remainder} (÷ {position.game.divisor})" if position.moves else ""
    keys = [
        " ".join(str(digit) if digit in position.pool else "·" for digit in row)
        for row in ((1, 2, 3), (4, 5, 6), (7, 8, 9))
    ]
    return [
        f"  {number or '(no digit yet)'}",
        *([f"  {left}"] if left else []),
        *(f"  {key}" for key in keys),
    ]
