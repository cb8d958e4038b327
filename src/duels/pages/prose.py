"""The rule books' few signs of Markdown as HTML: headings, lists, paragraphs, bold, code."""

from __future__ import annotations

import re
from html import escape
from itertools import groupby

HEADING = re.compile(r"(#{1,4}) (.*)")
STARTS = re.compile(r"- |#{1,4} ")
INLINE = re.compile(r"\*\*([^*]+)\*\*|`([^`]+)`")


def sections(text: str) -> dict[str, str]:
    """The parts of a text by their headings of the second level; what stands before them as ""."""
    head, *rest = re.split(r"^## ", text, flags=re.MULTILINE)
    return {"": head} | {part.partition("\n")[0].strip(): f"## {part}" for part in rest}


def blocks(text: str) -> list[str]:
    """Headings, list items and paragraphs, each on one line."""
    found: list[str] = []
    is_open = False
    for line in text.splitlines():
        if is_open and line.strip() and not STARTS.match(line):
            found[-1] += f" {line.strip()}"
        elif line.strip():
            found.append(line.strip())
        is_open = bool(line.strip()) and not HEADING.match(line)
    return found


def html(lines: list[str]) -> str:
    """Blocks as HTML; whatever they say, it is text."""
    made: list[str] = []
    for is_item, group in groupby(lines, lambda line: line.startswith("- ")):
        if is_item:
            items = "\n".join(f"<li>{_inline(line[2:])}</li>" for line in group)
            made.append(f"<ul>\n{items}\n</ul>")
        else:
            made += [_block(line) for line in group]
    return "\n".join(made)


def _block(line: str) -> str:
    if heading := HEADING.fullmatch(line):
        level = len(heading[1])
        return f"<h{level}>{_inline(heading[2])}</h{level}>"
    return f"<p>{_inline(line)}</p>"


def _inline(text: str) -> str:
    return INLINE.sub(_sign, escape(text))


def _sign(found: re.Match[str]) -> str:
    return f"<strong>{found[1]}</strong>" if found[1] else f"<code>{found[2]}</code>"
