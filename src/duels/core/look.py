"""The look of the games, defined once for terminal, pictures and pages, and an SVG sheet.

Each player has a mark and a colour, always shown together: colour alone never carries meaning. In
an SVG, colours are classes: `ink` fills, `ink-line` draws. It refers to nothing outside.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from html import escape
from math import fsum

MARKS = {1: "●", 2: "▲"}
COLOURS = {1: "#0072B2", 2: "#D55E00"}
"""Okabe-Ito blue and orange-red, distinct for every kind of colour vision."""
COLOURS_ON_DARK = {1: "#56B4E9", 2: "#F0904D"}
TERMINAL_COLOURS = {1: 33, 2: 208}
"""The nearest of the 256 terminal colours that are readable on dark and on light."""

WINNING = "★"
LOSING = "✕"
PLAYABLE = "›"
"""Marks a legal number if there is no room for brackets."""
IN_ASCII = {MARKS[1]: "o", MARKS[2]: "^", WINNING: "*", LOSING: "x", PLAYABLE: ">"}
IN_ASCII |= {"–": "-", "…": "...", "←": "<", "→": ">"}
GOOD, GOOD_ON_DARK = "#00694E", "#53CBA3"
BAD, BAD_ON_DARK = "#93354F", "#E59BB1"
GONE = "#8A8A8A"
TERMINAL_GONE = 245

MARGIN = 32

PAINTS = {
    "ground": ("#FCFBF8", "#1A1C20"),
    "tile": ("#FFFFFF", "#282B31"),
    "faded": ("#F0EEE9", "#2B2D31"),
    "edge": ("#D3D0C8", "#454952"),
    "ink": ("#23262B", "#ECEAE4"),
    "quiet": ("#66676A", "#A9AAAD"),
    "gone": (GONE, GONE),
    "good": (GOOD, GOOD_ON_DARK),
    "mild": ("#E2F3EB", "#17382D"),
    "bad": (BAD, BAD_ON_DARK),
    "player1": (COLOURS[1], COLOURS_ON_DARK[1]),
    "player2": (COLOURS[2], COLOURS_ON_DARK[2]),
}
"""By name: the colour on a light and on a dark background."""

FONTS = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Noto Sans",sans-serif'
LETTER = 0.55
"""The width of a letter divided by the font size, for a wide font, because fonts differ."""

Span = tuple[str, str]
"""Some text, and the classes it is written in."""

_NOT_IN_XML = "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
"""Compiled on first use: that takes as long as importing the rest of this module."""


class Sheet:
    """A drawing that grows downwards; `y` is where the next item begins."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.y = float(MARGIN)
        self._parts: list[str] = []

    @property
    def room(self) -> int:
        """The width between the margins."""
        return self.width - 2 * MARGIN

    def text(self, x: float, y: float, words: str, look: str = "ink", size: float = 14) -> None:
        """Add text with its baseline at y; the classes m and e centre it or end it at x."""
        self.spans(x, y, [(words, look)], size)

    def spans(self, x: float, y: float, spans: Sequence[Span], size: float = 14) -> None:
        """Add a line of text in several styles."""
        if len(spans) == 1:
            look, inside = f' class="{spans[0][1]}"', clean(spans[0][0])
        else:
            look = ""
            inside = "".join(f'<tspan class="{look}">{clean(text)}</tspan>' for text, look in spans)
        place = f'x="{_short(x)}" y="{_short(y)}"'
        self._parts.append(f'<text {place} font-size="{_short(size)}"{look}>{inside}</text>')

    def box(self, x: float, y: float, wide: float, high: float, look: str, round_: int = 6) -> None:
        """Add a rectangle with round corners."""
        self._parts.append(
            f'<rect x="{_short(x)}" y="{_short(y)}" width="{_short(wide)}" height="{_short(high)}" '
            f'rx="{round_}" class="{look}"/>'
        )

    def path(self, data: str, look: str) -> None:
        """Add an SVG path."""
        self._parts.append(f'<path d="{data}" class="{look}"/>')

    def paragraph(self, words: str, look: str = "ink", size: float = 14, lines: int = 12) -> None:
        """Add text between the margins, at most `lines` lines."""
        across = int(self.room / (size * LETTER))
        clean_words = " ".join(words.split())
        for line in textwrap.wrap(clean_words, across, max_lines=lines, placeholder=" …"):
            self.y += size * 1.45
            self.text(MARGIN, self.y - size * 0.3, line, look, size)

    def flow(self, items: Iterable[Sequence[Span]], size: float = 13, gap: float = 14) -> None:
        """Add short texts one after the other, wrapped between the margins."""
        x: float = MARGIN
        self.y += size * 1.4
        for spans in items:
            wide = text_width("".join(text for text, _ in spans), size)
            if x > MARGIN and x + wide > self.width - MARGIN:
                x, self.y = MARGIN, self.y + size * 1.7
            self.spans(x, self.y, spans, size)
            x += wide + gap
        self.y += size * 0.4

    def finished(self, title: str, description: str) -> str:
        """Return the whole picture; title and description are for screen readers."""
        wide, high = self.width, _short(self.y + MARGIN)
        body = "\n".join(self._parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" '
            f'height="{high}" role="img" class="duels-picture">\n'
            f"<title>{clean(title)}</title>\n<desc>{clean(description)}</desc>\n"
            f"<style>{_STYLE}</style>\n"
            f'<rect width="{wide}" height="{high}" rx="14" class="ground"/>\n{body}\n</svg>\n'
        )


def clean(words: str) -> str:
    """Return text that is valid in XML."""
    return escape(re.sub(_NOT_IN_XML, "�", words))


def text_width(words: str, size: float) -> float:
    """Estimate the width of some text."""
    wider = {"0123456789": 0.64, "●▲★✕▢": 0.82, " ": 0.33}
    looks = {char: wide for chars, wide in wider.items() for char in chars}
    return size * fsum(looks.get(char, LETTER) for char in words)  # `sum` differs between Pythons


def fitting(words: str, wide: float, size: float) -> float:
    """Return a font size, at most `size`, in which the words fit."""
    return min(size, wide / max(text_width(words, 1), LETTER))


def _short(number: float) -> str:
    return f"{round(number, 1):g}" if abs(number) < 100_000 else str(round(number))


def _rules(ground: int) -> str:
    return "".join(
        f".duels-picture .{name}{{fill:{paint[ground]}}}"
        f".duels-picture .{name}-line{{stroke:{paint[ground]}}}"
        for name, paint in PAINTS.items()
    )


_STYLE = (
    f".duels-picture{{font-family:{FONTS};font-variant-numeric:tabular-nums}}"
    ".duels-picture .m{text-anchor:middle}.duels-picture .e{text-anchor:end}"
    ".duels-picture .b{font-weight:600}.duels-picture .struck{text-decoration:line-through}"
    ".duels-picture .last{text-decoration:underline}"
    ".duels-picture .thick{stroke-width:2.5}.duels-picture .open{fill:none}"
    f"{_rules(0)}@media (prefers-color-scheme:dark){{{_rules(1)}}}"
)
