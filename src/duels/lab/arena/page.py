"""Tables for a terminal, and pages that open from disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

STYLE = """
:root { color-scheme: light dark; --ink: #23262B; --quiet: #66676A; --edge: #D3D0C8;
  --ground: #FCFBF8; }
@media (prefers-color-scheme: dark) { :root { --ink: #ECEAE4; --quiet: #A9AAAD;
  --edge: #454952; --ground: #1A1C20; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground);
  max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { padding: .25rem .75rem; text-align: right; border-bottom: 1px solid var(--edge); }
td { white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
svg { max-width: 100%; height: auto; }
svg text { fill: var(--ink); }
.quiet { color: var(--quiet); }
"""


def text_table(rows: Sequence[Sequence[str]], gap: str = " ") -> list[str]:
    """Rows in columns: names to the left, figures to the right."""
    wide, *widths = (max(map(len, column)) for column in zip(*rows, strict=True))
    lines = []
    for name, *cells in rows:
        figures = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        lines.append(gap.join([name.ljust(wide), *figures]).rstrip())
    return lines


def page(title: str, body: str) -> str:
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style></head>\n"
        f"<body>\n{body}\n</body></html>\n"
    )


def html_table(head: Sequence[object], rows: Sequence[Sequence[object]]) -> str:
    top = "".join(f"<th>{escape(str(cell))}</th>" for cell in head)
    lines = [
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows
    ]
    return f"<table><thead><tr>{top}</tr></thead><tbody>\n" + "\n".join(lines) + "</tbody></table>"


def plan_table(plan: Mapping[str, Any]) -> str:
    """What was asked for, as people write it."""
    said = {name.replace("_", " "): plain(plan[name]) for name in plan if name != "kind"}
    return html_table(["switch", "value"], [*said.items()])


def plain(value: Any) -> Any:
    """A value of a plan as people write it."""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "not said" if value is None else value
