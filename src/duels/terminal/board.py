"""The board as a picture of characters, with and without colour, as wide as the window allows."""

from __future__ import annotations

import textwrap
from typing import Any

from duels.core.bits import members
from duels.core.game import Position
from duels.look import MARKS
from duels.terminal.talk import Style

TALLEST = 40
"""Rows of tiles; a larger board shows those around the last move."""


def draw(position: Position, style: Style, columns: int = 80) -> list[str]:
    """The lines of the board of any game."""
    kind = position.game.id
    if kind == "divisor-duel":
        return _keypad(position, style)
    tiles = _line_tiles(position, style) if kind == "number-line-duel" else _tiles(position, style)
    return [*_grid(position, tiles, columns), *_path(position, style, columns)]


Tile = tuple[str, str]
"""The characters of a tile, and the same painted."""


def _tiles(position: Any, style: Style) -> list[Tile]:
    """Chain games: what is gone and who took it, what may be played, what may not."""
    takers = {number: taker for taker, number in _taken(position)}
    legal = set(members(position.legal))
    unused = position.unused.bit_count()
    tiles = []
    for number in range(1, position.game.numbers + 1):
        if number in takers:
            tiles.append(_gone(number, takers[number], number == position.last, style))
        elif number in legal and len(legal) < unused:
            tiles.append((f"[{number}]", style.bold(f"[{number}]")))
        else:
            text = f" {number} "
            tiles.append((text, text if number in legal else style.faint(text)))
    return tiles


def _line_tiles(position: Any, style: Style) -> list[Tile]:
    """The number line: what is crossed out and by whom."""
    takers = {number: taker for taker, number in _taken(position)}
    last = position.moves[-1] if position.moves else 0
    newest = last if isinstance(last, tuple) else (last,)
    return [
        _gone(number, takers[number], number in newest, style)
        if number in takers
        else (f" {number} ", f" {number} ")
        for number in range(1, position.game.numbers + 1)
    ]


def _gone(number: int, taker: int, is_last: bool, style: Style) -> Tile:
    mark = MARKS[taker]
    if is_last:
        return f"({mark}{number})", style.last(f"({mark}{number})", taker)
    return f" {mark}{number} ", f" {style.player(mark, taker)}{style.gone(str(number), taker)} "


def _taken(position: Position) -> list[tuple[int, int]]:
    """Who took which number, in the order of play."""
    return [
        (1 + ply % 2, number)
        for ply, move in enumerate(position.moves)
        for number in (move if isinstance(move, tuple) else (move,))
    ]


def _grid(position: Any, tiles: list[Tile], columns: int) -> list[str]:
    """Tiles ten in a row, five or fewer where the window is narrow."""
    width = len(str(position.game.numbers)) + 4
    across = next((n for n in (10, 5, 2) if n * width <= columns), 1)
    rows = [tiles[start : start + across] for start in range(0, len(tiles), across)]
    lines = ["".join(_padded(tile, width) for tile in row).rstrip() for row in rows]
    if len(lines) <= TALLEST:
        return lines
    last = max((number for _, number in _taken(position)[-1:]), default=1)
    top = min(max(0, (last - 1) // across - TALLEST // 2), len(lines) - TALLEST)
    note = f"(rows {top + 1} to {top + TALLEST} of {len(lines)})"
    return [*lines[top : top + TALLEST], note]


def _padded(tile: Tile, width: int) -> str:
    """A tile in the middle of its place; its colours take no room."""
    plain, painted = tile
    left = (width - len(plain) + 1) // 2
    return " " * left + painted + " " * (width - len(plain) - left)


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
