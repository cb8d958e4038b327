"""Charts by matplotlib as SVG: the same data gives the same bytes.

Charts of a report are part of its page, in colours that suit light and dark pages. Without
matplotlib there are none, and `MISSING` says what to install.
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
"""For the lines of charts in a page, visible on light and dark; text has the page's colour."""
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7F7F7F")
"""The colours of Okabe and Ito, which almost everybody can tell apart."""
SHAPES = "o^sD"
"""A dot, a triangle, a square and a diamond: colour alone must not tell series apart."""
LONGEST_NAME = 32

Interval = Sequence[float | None]


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
    """Return values in rows, each with its interval; an end that is None is open: an arrow."""
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
    """Write beside the end of a row."""
    place = {"xytext": (6, 0), "textcoords": "offset points", "va": "center"}
    axes.annotate(_literal(text), (x, row), annotation_clip=False, **place)


def _literal(text: str) -> str:
    """Return a text without the dollar signs that matplotlib takes for formulas."""
    return text.replace("$", r"\$")


def _in_page(figure: Any, title: str) -> str:
    """Return a figure as a part of an HTML page, with its title for screen readers."""
    text = svg_file(figure, transparent=True)
    text = re.sub(r'<g id="[^"]*">', "<g>", text[text.index("<svg") :])  # ids occur in every chart
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    return text.replace("<svg ", f'<svg role="img" aria-label="{escape(title)}" ', 1)
