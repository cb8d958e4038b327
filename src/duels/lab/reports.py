"""Reports: tables for a terminal, Markdown and HTML, charts, and pages that open from disk.

Charts are drawn by matplotlib as SVG, in colours for light and dark pages; the same data gives the
same bytes. Without matplotlib a report has tables only, and `MISSING` says what to install.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from html import escape
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from duels.core.errors import install
from duels.core.look import COLOURS

MISSING = f"The charts are missing: they need matplotlib. {install('arena')}"
GREY = "#808080"
"""The lines of charts in a page, visible on light and dark; text has the page's colour."""
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7F7F7F")
"""The colours of Okabe and Ito, which colour-blind readers can tell apart."""
SHAPES = "o^sD"
"""Dot, triangle, square and diamond: series do not differ in colour alone."""
LONGEST_NAME = 32

Interval = Sequence[float | None]
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

# Tables and pages


class Table(NamedTuple):
    """A table with a title; names are to the left, numbers to the right."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[object]]

    def text(self, gap: str = "  ") -> list[str]:
        """Return the table as lines for a terminal, without its title."""
        cells = [[*map(str, row)] for row in (self.head, *self.rows)]
        wide, *widths = (max(map(len, column)) for column in zip(*cells, strict=True))
        lines = []
        for name, *numbers in cells:
            aligned = (cell.rjust(width) for cell, width in zip(numbers, widths, strict=True))
            lines.append(gap.join([name.ljust(wide), *aligned]).rstrip())
        return lines

    def markdown(self) -> list[str]:
        """Return the table as lines of Markdown, with its title."""
        rows = [[str(cell).replace("|", r"\|") for cell in row] for row in (self.head, *self.rows)]
        head, *body = [f"| {' | '.join(row)} |" for row in rows]
        return [f"## {self.title}", "", head, "|---|" + "---:|" * (len(self.head) - 1), *body, ""]

    def html(self) -> str:
        """Return the table as HTML, without its title."""
        head, *body = [
            "".join(f"<{tag}>{escape(str(cell))}</{tag}>" for cell in row)
            for tag, row in (("th", self.head), *(("td", row) for row in self.rows))
        ]
        lines = "\n".join(f"<tr>{row}</tr>" for row in body)
        return f"<table><thead><tr>{head}</tr></thead><tbody>\n{lines}</tbody></table>"


def plan_table(plan: Mapping[str, Any]) -> Table:
    """Return the plan of a run as a table."""
    rows = [(name.replace("_", " "), plain(plan[name])) for name in plan if name != "kind"]
    return Table("How it was asked", ["switch", "value"], rows)


def plain(value: Any) -> Any:
    """Return a value of a plan as a reader expects it."""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "not set" if value is None else value


def page(title: str, parts: Sequence[str]) -> str:
    """Return an HTML page that refers to nothing outside itself."""
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style></head>\n"
        f"<body>\n{body}\n</body></html>\n"
    )


def missing_charts() -> str:
    """Return the sentence that says what charts need, for a page without any."""
    return f"<p>{escape(MISSING)}</p>"


# Charts


def has_charts() -> bool:
    """Whether charts can be drawn here."""
    return find_spec("matplotlib") is not None


def new_figure(wide: float, high: float) -> tuple[Any, Any]:
    """Return a figure of that size in inches, and its axes."""
    # The classes and not pyplot: no window system, no global state.
    figure = import_module("matplotlib.figure").Figure(figsize=(wide, high), layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def svg_file(figure: Any, **settings: Any) -> str:
    """Return a figure as the content of an SVG file."""
    matplotlib = import_module("matplotlib")
    text = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "duels", "svg.fonttype": "none"}):
        metadata = {"Date": None, "Creator": None}
        figure.savefig(text, format="svg", dpi=150, metadata=metadata, **settings)
    return "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())


def dot_chart(
    title: str, names: Sequence[str], values: Sequence[float], intervals: Sequence[Interval]
) -> str:
    """Return values in rows with their intervals; an end that is None is drawn as an arrow."""
    figure, axes = _rows_figure(names)
    known = [end for interval in intervals for end in interval if end is not None]
    low, high = min([*values, *known]) - 80, max([*values, *known]) + 80
    for row, (value, (left, right)) in enumerate(zip(values, intervals, strict=True)):
        ends = (low if left is None else left, high if right is None else right)
        axes.plot(ends, (row, row), color=COLOURS[1], linewidth=2)
        axes.plot(value, row, "o", color=COLOURS[1])
        for end, mark in ((left, "<"), (right, ">")):
            if end is None:
                axes.plot(ends[mark == ">"], row, mark, color=COLOURS[1])
        _label(axes, ends[1], row, f"{value:g}")
    axes.grid(axis="x", color=GREY, alpha=0.3)
    return _in_page(figure, title)


def bar_chart(
    title: str,
    names: Sequence[str],
    values: Sequence[float],
    labels: Sequence[str],
    colour: str,
    intervals: Sequence[Sequence[float] | None] = (),
) -> str:
    """Return bars in rows with their labels, and the intervals of their ends where known."""
    figure, axes = _rows_figure(names)
    axes.barh(range(len(names)), values, height=0.6, color=colour, alpha=0.6)
    for row, (value, label) in enumerate(zip(values, labels, strict=True)):
        ends = intervals[row] if intervals else None
        if ends:
            axes.plot(ends, (row, row), color=colour, linewidth=2)
        _label(axes, max(value, *(ends or [value])), row, label)
    axes.set_xlim(left=0)
    return _in_page(figure, title)


class Point(NamedTuple):
    """A share with its interval, and the share of a random player."""

    share: float
    interval: Sequence[float]
    chance: float


class Series(NamedTuple):
    """The points of one player by kind."""

    name: str
    points: Mapping[str, Point]


def share_chart(title: str, kinds: Sequence[str], series: Sequence[Series]) -> str:
    """Return shares by kind in rows: a mark with its interval for each series, chance dashed."""
    figure, axes = _rows_figure(kinds, each=0.2 * len(series) + 0.25, extra=1.0)
    for number, one in enumerate(series):
        colour, shape = PALETTE[number % len(PALETTE)], SHAPES[number % len(SHAPES)]
        rows = [kinds.index(kind) for kind in one.points]
        places = [row + 0.8 * (number + 1) / (len(series) + 1) - 0.4 for row in rows]
        for place, point in zip(places, one.points.values(), strict=True):
            axes.plot(point.interval, (place, place), color=colour, linewidth=1.5)
        shares = [point.share for point in one.points.values()]
        axes.plot(shares, places, shape, color=colour, label=short(one.name, 22))
    for row, kind in enumerate(kinds):
        chances = [one.points[kind].chance for one in series if kind in one.points]
        for chance in chances[:1]:
            axes.plot((chance, chance), (row - 0.42, row + 0.42), "--", color=GREY, linewidth=1.5)
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f}%")
    axes.grid(axis="x", color=GREY, alpha=0.3)
    figure.legend(loc="outside lower left", ncols=4, frameon=False)
    return _in_page(figure, title)


def short(words: str, most: int = LONGEST_NAME) -> str:
    """Return words of at most that length, cut with an ellipsis."""
    return words if len(words) <= most else f"{words[: most - 1]}…"


def _rows_figure(names: Sequence[str], each: float = 0.32, extra: float = 0.5) -> tuple[Any, Any]:
    """Return a figure with a row for each name, the first one at the top."""
    figure, axes = new_figure(8, each * len(names) + extra)
    axes.set_yticks(range(len(names)), [_literal(short(name)) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(color=GREY)
    axes.spines[["left", "bottom"]].set_color(GREY)
    return figure, axes


def _label(axes: Any, x: float, row: int, text: str) -> None:
    """Write a label next to the end of a row."""
    place = {"xytext": (6, 0), "textcoords": "offset points", "va": "center"}
    axes.annotate(_literal(text), (x, row), annotation_clip=False, **place)


def _literal(text: str) -> str:
    """Escape the dollar signs that matplotlib would read as formulas."""
    return text.replace("$", r"\$")


def _in_page(figure: Any, title: str) -> str:
    """Return a figure as a part of an HTML page, with its title for screen readers."""
    text = svg_file(figure, transparent=True)
    text = re.sub(r'<g id="[^"]*">', "<g>", text[text.index("<svg") :])  # ids occur in every chart
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    return text.replace("<svg ", f'<svg role="img" aria-label="{escape(title)}" ', 1)
