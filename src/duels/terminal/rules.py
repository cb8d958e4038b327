"""The rules of a game as text for a terminal."""

from __future__ import annotations

import re
import textwrap
from importlib.resources import files


def rules_text(game_id: str) -> str:
    """The rules of a game as they are written down, in Markdown."""
    return files("duels").joinpath("rules", f"{game_id}.md").read_text(encoding="utf-8")


def rules_lines(game_id: str, columns: int = 80) -> list[str]:
    """The rules without the signs of Markdown, wrapped to the window."""
    text = re.sub(r"`([^`]*)`|\*\*", _plain, rules_text(game_id)).replace("\n  ", " ")
    lines: list[str] = []
    for line in text.splitlines():
        indent = "  " if line.startswith("- ") else ""
        width = max(20, min(columns, 80) - 1)
        lines += textwrap.wrap(line.lstrip("# "), width, subsequent_indent=indent) or [""]
    return lines


def _plain(sign: re.Match[str]) -> str:
    """What was said in code's type, quoted if it is more than a word; nothing for other signs."""
    code = sign[1] or ""
    return f'"{code}"' if " " in code else code
