"""The board of a position in lines of text, with and without colour, as wide as the window."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from duels.core.board import Board, Cell, describe
from duels.core.game import Position
from duels.core.look import MARKS, PLAYABLE
from duels.terminal.talk import Style
from duels.terminal.words import wrap

TALLEST = 50
"""Rows of a board, unless the caller says how many there is room for."""
LONGEST_PATH = 60
"""Moves that are shown of a long game: the last ones."""
WIDE, NARROW, TIGHT = 4, 2, 1
"""What a tile has around its text: a mark, brackets and a gap; a mark and a gap; a mark."""
SIGNS = {
    "Numbers in [ ] can be played.": re.compile(r"\[\d+\]"),
    f"Numbers after {PLAYABLE} can be played.": re.compile(rf"{PLAYABLE}\d+"),
    "{} was the last move.": re.compile(r"\(\D\d+\)"),
}
"""What the signs of a board mean, and how to find them in it; {} is what was found."""


class BoardText(NamedTuple):
    """A board in lines."""

    lines: list[str]
    is_cut: bool = False
    """Whether rows are left out; then the last line says which are shown."""


def draw(
    position: Position,
    style: Style,
    columns: int = 80,
    rows: int = TALLEST,
    *,
    show_moves: bool = True,
) -> BoardText:
    """Return a board in lines; of one taller than `rows`, those around the last move.

    With `show_moves` false the players find out by themselves which moves are legal.
    """
    board = describe(position)
    lines = _head(board, style, columns, max(rows // 2, 1))
    rows -= len(lines)
    if board.layout != "tiles":
        grid = _grid(position, board, style, columns, max(rows, 1), show_moves)
        return BoardText([*lines, *grid.lines], grid.is_cut)
    if show_moves:
        lines += _tiles(position, board, style, columns, max(rows, 1))
    return BoardText([*lines, *path(position, style, columns)])


def legend(board: Sequence[str], said: set[str]) -> str:
    """Return what the signs of a board mean, except for what was `said` before."""
    drawn, parts = "\n".join(board), []
    for meaning, signs in SIGNS.items():
        if meaning not in said and (found := signs.findall(drawn)):
            parts.append(meaning.format(" ".join(found)))
            said.add(meaning)
    return " ".join(parts)


def path(position: Position, style: Style, columns: int) -> list[str]:
    """Return the moves so far, each with the mark of its player."""
    written = [
        f"{MARKS[1 + ply % 2]}{position.game.format(move)}"
        for ply, move in enumerate(position.moves)
    ]
    if len(written) > LONGEST_PATH:
        written = ["…", *written[-LONGEST_PATH:]]
    lines = _wrapped(written, columns)
    for player, mark in MARKS.items():
        lines = [line.replace(mark, style.player(mark, player)) for line in lines]
    return lines


def _head(board: Board, style: Style, columns: int, rows: int) -> list[str]:
    """The headline, each part in the colour of its player, and the caption."""
    if any(cell.taken_by for cell in board.headline):
        parts = [
            (style.last if cell.last else style.player)(
                f"{MARKS[cell.taken_by]}{cell.text}", cell.taken_by
            )
            for cell in board.headline
        ]
        lines = [f"  {' '.join(parts)}"]
    else:
        words = [word for cell in board.headline for word in cell.text.split()]
        lines = _wrapped(words, columns, "  ")[:rows]
    return [*lines, *_wrapped(board.caption.split(), columns, "  ")]


def _tiles(position: Position, board: Board, style: Style, columns: int, rows: int) -> list[str]:
    """The legal moves as tiles, as many as there is room for."""
    most = rows * columns // len("[1] ")
    tiles = [f"[{cell.text}]" for cell in board.cells[:most] if cell]
    lines = _wrapped(tiles, columns, "  ")
    if len(lines) > rows or position.legal_count > len(tiles):
        lines = [*lines[: rows - 1], f"  … {position.legal_count:,} moves in all"]
    return [f"  {style.bold(line.lstrip())}" for line in lines]


def _grid(
    position: Position, board: Board, style: Style, columns: int, tallest: int, show_moves: bool
) -> BoardText:
    """The cells in their rows, or in shorter ones where the window is narrow."""
    longest = max((len(row) for row in board.rows), default=0)
    digits = max((len(cell.text) for cell in board.cells if cell), default=1)
    across, width = _across(longest, digits, columns)
    rows = [row[at : at + across] for row in board.rows for at in range(0, len(row), across)]
    top, bottom = _window(rows, tallest)
    every_cell_is_legal = all(cell.legal for cell in board.cells if cell and not cell.gone)
    marks_moves = show_moves and not every_cell_is_legal and position.outcome is None
    brackets = width - digits == WIDE
    lines = []
    for row in rows[top:bottom]:
        line = ""
        for cell in row:
            plain, painted = _cell(cell, style, brackets, marks_moves) if cell else ("", "")
            line += " " * (width - len(plain)) + painted  # so that digits line up
        lines.append(line.rstrip())
    is_cut = bottom - top < len(rows)
    if is_cut:
        lines.append(f"(rows {top + 1} to {bottom} of {len(rows)})")
    return BoardText(lines, is_cut)


def _across(longest: int, digits: int, columns: int) -> tuple[int, int]:
    """Return how many tiles there are in a row, and how wide they are."""
    for across in (longest, min(10, longest), 5, 2):
        for more in (WIDE, NARROW, TIGHT):
            if across * (digits + more) <= columns:
                return max(across, 1), digits + more
    return 1, digits + NARROW


def _window(rows: Sequence[Sequence[Cell | None]], tallest: int) -> tuple[int, int]:
    """Return which rows to show: all of them, or those around the last move."""
    if len(rows) <= tallest:
        return 0, len(rows)
    tallest = max(tallest - 1, 1)  # the last line says that there are more
    last = next((n for n, row in enumerate(rows) if any(c and c.last for c in row)), 0)
    top = max(0, min(last - tallest // 2, len(rows) - tallest))
    return top, top + tallest


def _cell(cell: Cell, style: Style, brackets: bool, marks_moves: bool) -> tuple[str, str]:
    """Return the characters of a cell, and the same painted."""
    gap, text = " " if brackets else "", cell.text
    if cell.gone:
        return _gone(cell, style, brackets)
    if marks_moves and cell.legal:
        tile = f"[{text}]" if brackets else f"{PLAYABLE}{text}"
        return tile, style.bold(tile)
    painted = text if marks_moves else style.bold(text)
    return f"{gap}{text}{gap}", f"{gap}{painted}{gap}"


def _gone(cell: Cell, style: Style, brackets: bool) -> tuple[str, str]:
    gap, mark = " " if brackets else "", MARKS.get(cell.taken_by, "·")
    if cell.last and cell.taken_by:
        tile = f"({mark}{cell.text})" if brackets else f"{mark}{cell.text}"
        return tile, style.last(tile, cell.taken_by)
    if not cell.taken_by:
        return f"{gap}·{gap}", f"{gap}{style.faint('·')}{gap}"
    painted = f"{style.player(mark, cell.taken_by)}{style.gone(cell.text)}"
    return f"{gap}{mark}{cell.text}{gap}", f"{gap}{painted}{gap}"


def _wrapped(words: Sequence[str], columns: int, indent: str = "") -> list[str]:
    return wrap(indent + " ".join(words), max(columns - 1, 10)) if words else []
