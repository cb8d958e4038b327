"""Colours of the app for dark and light screens, and a canvas of styled characters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.theme import Theme

from duels.core.look import BAD, BAD_ON_DARK, COLOURS, COLOURS_ON_DARK, GOOD, GOOD_ON_DARK

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
    ),
)


class Palette(NamedTuple):
    """The styles of a board."""

    players: Mapping[int, Style]
    legal: Style
    free: Style
    gone: Style
    quiet: Style
    frame: Style
    cursor: Style
    good: Style
    bad: Style
    text: Style


def palette(dark: bool) -> Palette:
    """Return the styles for a dark or a light screen."""
    ground = "#15191E" if dark else "#FBFBF9"
    ink = "#E6E6E3" if dark else "#1B1F24"
    players = COLOURS_ON_DARK if dark else COLOURS
    grey = "#7C858F" if dark else "#767676"
    tile = "#2B3947" if dark else "#DDE6EF"

    def style(colour: str, back: str = ground, **more: bool) -> Style:
        return Style(color=colour, bgcolor=back, **more)  # type: ignore[arg-type]

    return Palette(
        players={player: style(colour, bold=True) for player, colour in players.items()},
        legal=style("#FFFFFF" if dark else "#000000", tile, bold=True),
        free=style(ink),
        gone=style(grey, strike=True),
        quiet=style(grey),
        frame=style("#5B7690" if dark else "#7C93AA"),
        cursor=style(ground, "#E8C547" if dark else "#7A5C00", bold=True),
        good=style(GOOD_ON_DARK if dark else GOOD, tile, bold=True),
        bad=style(BAD_ON_DARK if dark else BAD, tile),
        text=style(ink),
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
