"""The report of an exam as one page that opens from disk: tables, and plots fit for a paper."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from duels.lab.arena.page import html_table, page, plan_table, svg
from duels.lab.exam.sheet import Sheet, tables

PLOTS = {"difficulty": "By difficulty", "game": "By game", "board": "By board", "phase": "By phase"}
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7F7F7F")
"""Okabe and Ito's, which everybody can tell apart; each has a shape as well."""
MOST_SITTERS = len(COLOURS)
LEFT, TOP, HIGH, WIDE = 56, 12, 260, 700
NAMES = 330
MOST_SIDE_BY_SIDE = 6


def report(sheet: Sheet) -> str:
    """The page. It refers to nothing outside itself."""
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
    drawn = {title: plot(sheet, part) for part, title in PLOTS.items()}
    for table in tables(sheet):
        parts += [f"<h2>{escape(table.title)}</h2>", drawn.get(table.title, "")]
        parts.append(html_table(table.head, table.rows))
    parts += ["<h2>How it was asked</h2>", plan_table(plan)]
    return page("Exam", "\n".join(parts))


def plot(sheet: Sheet, part: str) -> str:
    """The share that was right for each kind of question, a mark for each sitter."""
    rows = sheet["sitters"][:MOST_SITTERS]
    kinds = [*dict.fromkeys(kind for row in rows for kind in row["by"][part])]
    if len(kinds) > MOST_SIDE_BY_SIDE:
        return _one_below_another(rows, part, kinds)
    if not kinds:
        return ""
    group = WIDE / len(kinds)
    parts = [_grid(share) for share in range(0, 101, 25)]
    for number, kind in enumerate(kinds):
        left = LEFT + number * group
        random = next(row["by"][part][kind]["random"] for row in rows if kind in row["by"][part])
        y = _y(random)
        parts.append(
            f'<line class="random" x1="{left + 4:.1f}" x2="{left + group - 4:.1f}" '
            f'y1="{y}" y2="{y}"/>'
        )
        middle = left + group / 2
        name = f'<text x="{middle:.1f}" y="{TOP + HIGH + 20}" text-anchor="middle">'
        parts.append(f"{name}{_short(kind)}</text>")
        for place, row in enumerate(rows):
            found = row["by"][part].get(kind)
            if found and found["interval"]:
                x = left + group * (place + 1) / (len(rows) + 1)
                low, high = found["interval"]
                parts.append(
                    f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_y(low)}" y2="{_y(high)}" '
                    f'stroke="{COLOURS[place]}" stroke-width="1.5"/>'
                )
                parts.append(_mark(place, x, _y(found["share"])))
    return _finished(part, rows, TOP + HIGH + 50, parts)


def _one_below_another(rows: Sequence[Sheet], part: str, kinds: Sequence[str]) -> str:
    """The same for many kinds, across: those who are measured, without the levels."""
    rows = [row for row in rows if not row["is_baseline"]] or rows
    across, left, line = WIDE + LEFT - NAMES, NAMES, 14
    each = line * len(rows) + 8
    bottom = TOP + each * len(kinds)
    parts = []
    for share in range(0, 101, 25):
        x = left + across * share / 100
        parts.append(f'<line class="axis" x1="{x}" x2="{x}" y1="{TOP}" y2="{bottom}"/>')
        parts.append(f'<text class="quiet" x="{x - 12}" y="{bottom + 16}">{share}%</text>')
    for number, kind in enumerate(kinds):
        top = TOP + number * each
        parts.append(f'<text x="0" y="{top + each / 2 + 4}">{_short(kind, 44)}</text>')
        for place, row in enumerate(rows):
            found = row["by"][part].get(kind)
            if found and found["interval"]:
                y = top + 4 + line * (place + 0.5)
                low, high, chance = (
                    round(left + across * x, 1) for x in (*found["interval"], found["random"])
                )
                parts.append(
                    f'<line x1="{low}" x2="{high}" y1="{y}" y2="{y}" '
                    f'stroke="{COLOURS[place]}" stroke-width="1.5"/>'
                    f'<line class="random" x1="{chance}" x2="{chance}" y1="{top}" '
                    f'y2="{top + each}"/>'
                )
                parts.append(_mark(place, left + across * found["share"], y))
    return _finished(part, rows, bottom + 48, parts)


def _finished(part: str, rows: Sequence[Sheet], bottom: int, parts: list[str]) -> str:
    """The plot with who is who below it."""
    for place, row in enumerate(rows):
        x, y = LEFT + (place % 4) * 180, bottom + 22 * (place // 4)
        name = f'<text x="{x + 10}" y="{y}">{_short(row["sitter"], 22)}</text>'
        parts += [_mark(place, x, y - 4), name]
    high = bottom + 12 + 22 * ((len(rows) - 1) // 4)
    return _STYLE + svg(f"Share of right answers by {part}", high, parts)


_STYLE = (
    "<style>svg .random { stroke: var(--quiet); stroke-width: 2; stroke-dasharray: 5 4; }</style>"
)


def _y(share: float) -> float:
    return round(TOP + HIGH * (1 - share), 1)


def _grid(share: int) -> str:
    y = _y(share / 100)
    return (
        f'<line class="axis" x1="{LEFT}" x2="{LEFT + WIDE}" y1="{y}" y2="{y}"/>'
        f'<text class="quiet" x="8" y="{y + 4}">{share}%</text>'
    )


def _mark(place: int, x: float, y: float) -> str:
    """A dot, a triangle, a square or a diamond."""
    shapes: Sequence[Sequence[tuple[float, float]]] = (
        (),
        ((0, -6), (6, 5), (-6, 5)),
        ((-5, -5), (5, -5), (5, 5), (-5, 5)),
        ((0, -7), (6, 0), (0, 7), (-6, 0)),
    )
    look = f'style="fill: {COLOURS[place]}"'
    if not (shape := shapes[place % len(shapes)]):
        return f'<circle {look} cx="{x:.1f}" cy="{y}" r="5"/>'
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in shape)
    return f'<polygon {look} points="{points}"/>'


def _short(words: str, most: int = 26) -> str:
    return escape(words if len(words) <= most else f"{words[: most - 1]}…")
