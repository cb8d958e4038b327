"""The rules of a game in Markdown, with kinds for the parts that some readers leave out.

A comment names a kind: on the line above a heading of the second level for that section, or at the
end of a line for a rule of one line. Everything else belongs to the rules themselves.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

STRATEGY = "strategy"
"""The section that says how to win."""
MATHEMATICS = "mathematics"
CORRECTIONS = "corrections"
"""The section about errors in a printed rule book."""
PEOPLE = "people"
"""A rule about typing mistakes, which is only for people."""
KINDS = (STRATEGY, MATHEMATICS, CORRECTIONS, PEOPLE)

_MARK = re.compile(rf"\s*<!-- ({'|'.join(KINDS)}) -->$")


class Section(NamedTuple):
    """A section with its heading, as Markdown; the first has the title and no kind."""

    kind: str
    text: str


def sections(text: str, without: Collection[str] = ()) -> list[Section]:
    """Return the sections of a text, without those and without the rules of some kinds."""
    found: list[tuple[str, list[str]]] = [("", [])]
    above = ""
    for line in text.splitlines():
        mark = _MARK.search(line)
        kind, plain = (mark[1], line[: mark.start()]) if mark else ("", line)
        if mark and not plain:
            above = kind
            continue
        if line.startswith("## "):
            found.append((above, []))
            above = ""
        if kind not in without or not kind:
            found[-1][1].append(plain)
    return [
        Section(kind, "\n".join(lines).strip())
        for kind, lines in found
        if not kind or kind not in without
    ]


def rules_without(text: str, *kinds: str) -> str:
    """Return a text without the parts of some kinds, and without the comments."""
    return "\n\n".join(section.text for section in sections(text, kinds) if section.text)
