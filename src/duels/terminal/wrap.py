"""Lines that fit a window: broken between words, and never inside one or inside a number."""

from __future__ import annotations

import re
from collections.abc import Iterator

ESCAPES = re.compile(r"\x1b\[[\d;]*m")
ITEM = re.compile(r" +(\S+ )?\S+ {2,}")
"""The beginning of a line of a list, below whose text the rest of it goes."""
THOUSANDS = re.compile(r"\W*\d{1,3}(,\d{3})+\W*")


def width(text: str) -> int:
    """The columns that a text takes: colours take none."""
    return len(ESCAPES.sub("", text))


def wrap(line: str, room: int) -> list[str]:
    """A line as lines of at most `room` columns; what belongs to a list hangs below its text."""
    if width(line) <= room:
        return [line]
    hang = ITEM.match(line)
    deep = len(hang[0]) if hang and len(hang[0]) < room // 2 else 0
    indent = " " * (deep or len(line) - len(line.lstrip()))
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
