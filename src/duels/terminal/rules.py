"""The rules of a game as text for a terminal."""

from __future__ import annotations

import re
import textwrap

from duels.core.game import Game
from duels.core.rules_text import MATHEMATICS, STRATEGY, rules_without


def rules_lines(kind: type[Game], columns: int = 80) -> list[str]:
    """The rules without the signs of Markdown, wrapped to the window, without how to win."""
    rules = rules_without(kind.rules_text(), STRATEGY, MATHEMATICS)
    text = re.sub(r"`([^`]*)`|\*\*", _plain, rules).replace("\n  ", " ")
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
