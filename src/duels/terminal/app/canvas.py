"""How a board is drawn: where its tiles are, the colours for dark and light, the characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip
from textual.theme import Theme

from duels.core.board import Board, Cell
from duels.core.look import BAD, BAD_ON_DARK, COLOURS, COLOURS_ON_DARK, GOOD, GOOD_ON_DARK

EMPTY = " []│┃"
"""Characters around the text of a tile."""
TALL = 3
"""Rows of a tile that has a frame."""
DARK, LIGHT = "duels-dark", "duels-light"
THEMES = (
    Theme(
        name=DARK,
        primary=COLOURS_ON_DARK[1],
        secondary=COLOURS_ON_DARK[2],
        accent="#E8C547",
        foreground="#E6E6E3",
        background="#15191E",
        surface="#15191E",
        panel="#20262D",
        success=GOOD_ON_DARK,
        error=BAD_ON_DARK,
        warning="#E8C547",
        dark=True,
        variables={"grey": "#7C858F", "tile": "#2B3947", "legal": "#FFFFFF"},
    ),
    Theme(
        name=LIGHT,
        primary=COLOURS[1],
        secondary=COLOURS[2],
        accent="#7A5C00",
        foreground="#1B1F24",
        background="#FBFBF9",
        surface="#FBFBF9",
        panel="#ECECE7",
        success=GOOD,
        error=BAD,
        warning="#7A5C00",
        dark=False,
        variables={"grey": "#767676", "tile": "#DDE6EF", "legal": "#000000"},
    ),
)


class Palette(NamedTuple):
    """The styles of a board."""

    players: Mapping[int, Style]
    legal: Style
    free: Style
    gone: Style
    quiet: Style
    cursor: Style
    good: Style
    note: Style
    """What a hint writes under tiles."""
    bad: Style
    text: Style


def palette(dark: bool) -> Palette:
    """Return the styles for a dark or a light screen."""
    theme = THEMES[0] if dark else THEMES[1]
    ground, grey, tile = theme.background, theme.variables["grey"], theme.variables["tile"]

    def style(colour: str | None, back: str | None = ground, **more: bool) -> Style:
        return Style(color=colour, bgcolor=back, **more)  # type: ignore[arg-type]

    return Palette(
        players={1: style(theme.primary, bold=True), 2: style(theme.secondary, bold=True)},
        legal=style(theme.variables["legal"], tile, bold=True),
        free=style(theme.foreground),
        gone=style(grey, strike=True),
        quiet=style(grey),
        cursor=style(ground, theme.accent, bold=True),
        good=style(theme.success, tile, bold=True),
        note=style(theme.success),
        bad=style(theme.error, tile),
        text=style(theme.foreground),
    )


class Canvas:
    """Characters with styles in rows, to be shown as strips."""

    def __init__(self, width: int, height: int, ground: Style) -> None:
        self.width, self.height = width, height
        self._rows = [[(" ", ground)] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: Style) -> None:
        """Write a text; what is outside the canvas is cut off."""
        if 0 <= y < self.height:
            row = self._rows[y]
            for at, char in enumerate(text, start=x):
                if 0 <= at < self.width:
                    row[at] = (char, style)

    def join(self, x: int, y: int, step: int, style: Style) -> None:
        """Draw a line from a place to the left (-1) or right (1), up to the next character."""
        if 0 <= y < self.height:
            while 0 <= x < self.width and self._rows[y][x][0] in EMPTY:
                self._rows[y][x] = ("━", style)
                x += step

    def strip(self, y: int) -> Strip:
        """Return one row."""
        segments: list[Segment] = []
        text, style = "", None
        for char, its in self._rows[y] if 0 <= y < self.height else ():
            if its is not style and text:
                segments.append(Segment(text, style))
                text = ""
            text, style = text + char, its
        segments.append(Segment(text, style))
        return Strip(segments, self.width)


# Where the tiles are


Rows = list[list[int | None]]
"""The numbers of cells, row by row; None is an empty place."""


class Tile(NamedTuple):
    """Where a cell is drawn."""

    x: int
    y: int
    width: int
    height: int

    def holds(self, x: int, y: int) -> bool:
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


class Arrangement(NamedTuple):
    """Where all cells are drawn."""

    tiles: dict[int, Tile]
    width: int
    height: int
    hidden: int
    """How many rows are not shown."""


def arrange(board: Board, room: Size, near: int = 0) -> Arrangement:
    """Place the cells of a board as large as they fit; of one too tall, the rows near a cell."""
    places = count()
    numbers: Rows = [[_place(cell, next(places)) for cell in row] for row in board.rows]
    longest = max(map(len, numbers), default=1)
    digits = max((len(cell.text) for cell in board.cells if cell), default=1)
    is_line = board.layout == "line"
    spare = 2 if board.layout == "keypad" else 0
    sizes = [(digits + 8, 5, 2), (digits + 6 + spare, TALL, 2), (digits + 4, TALL, 1)]
    sizes += [(digits + 2 + (not is_line), TALL, 1), (digits + 4, 1, 1), (digits + 3, 1, 0)]
    sizes += [(digits + 2, 1, 0)]
    width, height, gap, lines = _largest(board.layout, numbers, longest, sizes, room)
    most = max(1, room.height // height)
    top = 0
    if len(lines) > most:
        at = next((y for y, line in enumerate(lines) if near in line), 0)
        top = max(0, min(at - most // 2, len(lines) - most))
    stroke = int(is_line and len(lines) > len(numbers))  # the room before and after a broken row
    tiles = {
        number: Tile(stroke + x * (width + gap), y * height, width, height)
        for y, line in enumerate(lines[top : top + most])
        for x, number in enumerate(line)
        if number is not None
    }
    wide = max((tile.x + tile.width for tile in tiles.values()), default=0)
    shown = min(most, len(lines))
    return Arrangement(tiles, wide + stroke, shown * height, len(lines) - shown)


def _place(cell: Cell | None, number: int) -> int | None:
    return None if cell is None else number


def _largest(
    layout: str, numbers: Rows, longest: int, sizes: Sequence[tuple[int, int, int]], room: Size
) -> tuple[int, int, int, Rows]:
    """Return the largest size of tile that fits, and the rows: unbroken ones if possible."""
    for width, height, gap in sizes:
        if (width + gap) * longest - gap <= room.width and len(numbers) * height <= room.height:
            return width, height, gap, numbers
    # A line is broken into as few rows as possible, with room for a stroke before and after each.
    across = room.width - 2 * (layout == "line")
    wrapped = {"line": [*sizes[3:4], *sizes[5:]], "tiles": sizes}
    for width, height, gap in wrapped.get(layout, ()):
        lines = _chunks(numbers, max(1, (across + gap) // (width + gap)))
        if len(lines) * height <= room.height:
            if layout == "line":  # rows of the same length, and not one number in the last
                lines = _chunks(numbers, -(-longest // len(lines)))
            return width, height, gap, lines
    width, height, gap = sizes[-1]
    fitting = max(1, (across + gap) // (width + gap))
    most = next((n for n in (longest, 10, 5, 2) if n <= min(fitting, longest)), fitting)
    return width, height, gap, _chunks(numbers, most)


def _chunks(rows: Rows, across: int) -> Rows:
    return [row[at : at + across] for row in rows for at in range(0, len(row), across)]
