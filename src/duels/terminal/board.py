"""The board as a picture of characters, with and without colour, as wide as the window allows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from duels.core.game import Position
from duels.core.look import MARKS, PLAYABLE
from duels.core.parts import load, parts_of
from duels.terminal.talk import Style
from duels.terminal.wrap import wrap

TALLEST = 50
"""Rows of a board where nobody says how many there is room for."""
LONGEST_PATH = 60
"""Moves that are shown of a long game: the last ones."""
BRACKETS = {
    "may be played": re.compile(rf"\[\d+\]|{PLAYABLE}\d+"),
    "was the last move": re.compile(r"\(\D\d+\)"),
}
"""What the signs of a board mean, and where they stand in it."""


def draw(
    position: Position,
    style: Style,
    columns: int = 80,
    rows: int = TALLEST,
    *,
    show_moves: bool = True,
) -> list[str]:
    """The lines of the board of any game; of a board taller than `rows`, those that matter.

    Where `show_moves` is false, people find out by themselves which moves may be played.
    """
    lines: list[str] = load(parts_of(position.game).board)(
        position, style, columns, rows, show_moves=show_moves
    )
    return lines


def legend(board: Sequence[str], said: set[str]) -> str:
    """What the brackets of a board say, by the first of each kind that was not `said` before."""
    drawn, parts = "\n".join(board), []
    for meaning, bracketed in BRACKETS.items():
        if meaning not in said and (found := bracketed.search(drawn)):
            parts.append(f"{found[0]} {meaning}")
            said.add(meaning)
    return f"{', '.join(parts)}." if parts else ""


def draw_plain(
    position: Position, style: Style, columns: int, rows: int, *, show_moves: bool
) -> list[str]:
    """The position in words, the moves that may be played, and those that were."""
    words = position.words.split()
    lines = _wrapped(words, columns, "  ")[: max(rows // 2, 1)]
    if show_moves:
        lines += _choices(position, style, columns, max(rows - len(lines), 1))
    return [*lines, *path(position, style, columns)]


def path(position: Position, style: Style, columns: int) -> list[str]:
    """The moves so far, each with the mark of who made it."""
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


def _choices(position: Position, style: Style, columns: int, rows: int) -> list[str]:
    """The moves that may be played as tiles, as many as there is room for."""
    most = rows * columns // len("[1] ")
    tiles = [f"[{position.game.format(move)}]" for move in position.legal_moves[:most]]
    lines = _wrapped(tiles, columns, "  ")
    if len(lines) > rows or position.legal_count > most:
        lines = [*lines[: rows - 1], f"  … {position.legal_count:,} moves in all"]
    return [f"  {style.bold(line.lstrip())}" for line in lines]


def _wrapped(words: Sequence[str], columns: int, indent: str = "") -> list[str]:
    return wrap(indent + " ".join(words), max(columns - 1, 10)) if words else []
