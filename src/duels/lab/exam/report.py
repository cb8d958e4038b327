"""The report of an exam: one page with tables and charts that opens from disk."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from duels.lab.arena.page import html_table, page, plan_table
from duels.lab.charts import MISSING, Point, Series, has_charts, share_chart
from duels.lab.exam.sheet import Sheet, tables

CHARTS = {part: f"By {part}" for part in ("difficulty", "game", "board", "phase")}
MOST_SITTERS = 7
"""How many players a chart shows: as many as there are colours."""
MOST_FOR_ALL = 6
"""With more kinds of questions than this, a chart leaves out the built-in levels."""


def report(sheet: Sheet) -> str:
    """Return the page, which refers to nothing outside itself."""
    plan = sheet["plan"]
    name = sheet["preset"]
    parts = [
        "<h1>Exam</h1>",
        f"<p>{sheet['positions']:,} positions of {escape(', '.join(plan['splits']))}, each asked "
        f"once. The exam is <code>{plan['exam'][:16]}</code>, the prompt "
        f"<code>{plan['prompt_hash']}</code>{f', conditions: {name}' if name else ''}.</p>",
        '<p class="quiet">An answer is right if it keeps the win. The bars are 95% intervals '
        "(Wilson); the dashes are the exact score of a random player at the same positions; beyond "
        "chance is 0% for that and 100% without a fault.</p>",
    ]
    drawn = {title: chart(sheet, part) for part, title in CHARTS.items()} if has_charts() else {}
    parts += [] if has_charts() else [f"<p>{escape(MISSING)}</p>"]
    for table in tables(sheet):
        parts += [f"<h2>{escape(table.title)}</h2>", drawn.get(table.title, "")]
        parts.append(html_table(table.head, table.rows))
    parts += ["<h2>How it was asked</h2>", plan_table(plan)]
    return page("Exam", "\n".join(parts))


def chart(sheet: Sheet, part: str) -> str:
    """Return the share of right answers by kind of question; empty if there is none."""
    rows = sheet["sitters"][:MOST_SITTERS]
    kinds = [*dict.fromkeys(kind for row in rows for kind in row["by"][part])]
    if not kinds:
        return ""
    if len(kinds) > MOST_FOR_ALL:
        rows = [row for row in rows if not row["is_baseline"]] or rows
    series = [Series(row["sitter"], _points(row["by"][part])) for row in rows]
    return share_chart(f"Share of right answers by {part}", kinds, series)


def _points(found: Mapping[str, Sheet]) -> dict[str, Point]:
    return {
        kind: Point(one["share"], one["interval"], one["random"])
        for kind, one in found.items()
        if one["interval"]
    }
