"""Lines that fit a window: broken between words, and never inside one or inside a number."""

from __future__ import annotations

import re
from collections.abc import Iterator

ESCAPES = re.compile(r"\x1b\[[\d;]*m")
GAP = re.compile(r"^ +| {2,}")
"""Before each column of a line of a list."""
THOUSANDS = re.compile(r"\W*\d{1,3}(,\d{3})+\W*")


def width(text: str) -> int:
    """The columns that a text takes: colours take none."""
    return len(ESCAPES.sub("", text))


def wrap(line: str, room: int) -> list[str]:
    """A line as lines of at most `room` columns; a list keeps its columns."""
    if width(line) <= room:
        return [line]
    gaps = GAP.finditer(line) if line.startswith(" ") else ()
    columns = [width(line[: gap.end()]) for gap in gaps]
    indent = " " * max((column for column in columns if column <= room // 2), default=0)
    lines, here = [], ""
    for piece in _pieces(line, max(room - len(indent), 1)):
        if here.strip() and width(here + piece) > room:
            lines.append(here)
            piece, here = piece.lstrip(), indent
        here += piece
    return [*lines, here]


def _pieces(line: str, room: int) -> Iterator[str]:
    """What stays together: words, each with the space before it, and numbers of a list."""
    for word in re.findall(r"\s*\S+", line):
        parts = [word] if THOUSANDS.fullmatch(word) else re.findall(r"\s*[^,]*,*", word)
        for part in filter(None, parts):
            if width(part.strip()) <= room:
                yield part
            else:  # no window is wide enough for some paths
                yield from re.findall(f".{{1,{room}}}", part)
