"""Reports of the arena and of exams: scores, charts, and pages for a terminal, Markdown and HTML.

A score is a share with its interval, next to that of a random player at the same positions. Moves
of one match are not independent of each other, and a match that repeats another one move for move
shows nothing new. So a share is counted by group: one for each distinct match.

Charts are drawn by matplotlib as SVG, in colours for light and dark pages; the same data gives the
same bytes. Without matplotlib a report has tables only, and `MISSING` says what to install.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from string import Template
from textwrap import wrap
from typing import Any, NamedTuple

import msgspec

from duels.core.errors import install
from duels.lab.results_folder import Data, ResultsFolder
from duels.match.players.grading import clustered
from duels.match.players.prompt import digest

MISSING = f"The charts are missing: they need matplotlib. {install('arena')}"
GREY = "#808080"
"""The lines of charts in a page, visible on light and dark; text has the page's colour."""
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7F7F7F")
"""The colours of Okabe and Ito, which colour-blind readers can tell apart."""
SHAPES = "o^sD"
"""Dot, triangle, square and diamond: series do not differ in colour alone."""
LONGEST_NAME = 32
WIDE, WIDE_PAGE = 80, 110
"""The most characters in a row of a table, at a terminal and on a page."""

PAGE = Path(__file__).with_name("report.html")
"""The page of a report, which refers to nothing outside itself."""

# Scores

PHASES = ("opening", "middle", "end")
"""The thirds of a match, by turns."""
ALL_GAMES = "all games"
SHARES = ("share", "interval", "random", "corrected", "corrected_interval")

Score = dict[str, Any]
"""A share as plain data."""


@dataclass
class Tally:
    """Counts by group: the part, the whole, and the part that random play would score."""

    groups: dict[Hashable, tuple[int, int, float]] = field(default_factory=dict)

    def add(
        self, part: int, whole: int, by_chance: float = 0.0, group: Hashable | None = None
    ) -> None:
        """Add counts to a group; to a new one if none is named."""
        if whole:
            name = len(self.groups) if group is None else group
            before = self.groups.get(name, (0, 0, 0.0))
            self.groups[name] = (before[0] + part, before[1] + whole, before[2] + by_chance)

    def data(self) -> Score:
        """Return the count, the share and its interval as plain data; None where there is no case.

        `random` is the exact score of a random player at the same positions, so in `corrected`
        only the share is uncertain: 0 is random play, and 1 is no mistakes. They are None if there
        is no random player to compare with, as for matches won.
        """
        found = clustered((part, whole) for part, whole, _ in self.groups.values())
        data: Score = {"count": found.part, "of": found.whole} | dict.fromkeys(SHARES)
        if found.low is None or found.high is None:
            return data
        values = (found.part / found.whole, found.low, found.high)
        data["share"], *data["interval"] = (round(value, 4) for value in values)
        if by_chance := sum(group[2] for group in self.groups.values()):
            chance = data["random"] = round(by_chance / found.whole, 4)
            if chance < 1:
                beyond = (round((value - chance) / (1 - chance), 4) for value in values)
                data["corrected"], *data["corrected_interval"] = beyond
        return data


def tally(parts: Iterable[tuple[bool, float]]) -> Tally:
    """Return the tally of independent observations, each with the chance of being right."""
    found = Tally()
    for right, chance in parts:
        found.add(right, 1, chance)
    return found


def percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"


def with_interval(share: float | None, interval: list[float] | None) -> str:
    """Return a share with its interval in the shortest form: "88% 53–98"."""
    if share is None or interval is None:
        return "–"
    low, high = (round(100 * end) for end in interval)
    return f"{share:.0%} {low}{' to ' if low < 0 else '–'}{high}"


def share_text(score: Score | None) -> str:
    """Return a share with its interval."""
    return with_interval(score["share"], score["interval"]) if score else "–"


def beyond_chance(score: Score) -> str:
    """Return the share beyond chance with its interval."""
    return with_interval(score["corrected"], score["corrected_interval"])


# Tables and pages


class Table(NamedTuple):
    """A table with a title; names are to the left, numbers to the right."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[object]]

    def text(self, gap: str = "  ") -> list[str]:
        """Return the table as lines for a terminal, without its title."""
        cells = [[*map(str, row)] for row in (self.head, *self.rows)]
        wide, *widths = self._widths
        lines = []
        for name, *numbers in cells:
            aligned = (cell.rjust(width) for cell, width in zip(numbers, widths, strict=True))
            lines.append(gap.join([name.ljust(wide), *aligned]).rstrip())
        return lines

    def markdown(self) -> list[str]:
        """Return the table as lines of Markdown, without its title."""
        rows = [[str(cell).replace("|", r"\|") for cell in row] for row in (self.head, *self.rows)]
        head, *body = [f"| {' | '.join(row)} |" for row in rows]
        return [head, "|---|" + "---:|" * (len(self.head) - 1), *body, ""]

    def html(self) -> str:
        """Return the table as HTML, without its title."""
        head, *body = [
            "".join(f"<{tag}>{escape(str(cell))}</{tag}>" for cell in row)
            for tag, row in (("th", self.head), *(("td", row) for row in self.rows))
        ]
        lines = "\n".join(f"<tr>{row}</tr>" for row in body)
        return f"<table><thead><tr>{head}</tr></thead><tbody>\n{lines}</tbody></table>"

    def fitted(self, wide: int) -> Iterator[Table]:
        """Yield the table in parts of at most this width, each with the first column."""
        first, *widths = self._widths
        begin = 1
        while begin < len(self.head):
            end, used = begin + 1, first + 2 + widths[begin - 1]
            while end < len(self.head) and used + 2 + widths[end - 1] <= wide:
                used += 2 + widths[end - 1]
                end += 1
            title = self.title if begin == 1 else f"{self.title} (continued)"
            kept = [[row[0], *row[begin:end]] for row in (self.head, *self.rows)]
            yield Table(title, [*map(str, kept[0])], kept[1:])
            begin = end

    @property
    def _widths(self) -> list[int]:
        columns = zip(self.head, *self.rows, strict=True)
        return [max(len(str(cell)) for cell in column) for column in columns]


class Section(NamedTuple):
    """A table with its charts, by their titles; they are only drawn for a page."""

    table: Table
    charts: Mapping[str, Callable[[], str]] = {}


class Report(NamedTuple):
    """A report: `about` says what was done, and `legend` explains the columns."""

    title: str
    about: str
    sections: Sequence[Section]
    legend: Sequence[str]
    summary: Data
    """Everything in the report as plain data."""

    def lines(self) -> list[str]:
        """Return the report for a terminal."""
        lines: list[str] = []
        for table in self._tables(WIDE):
            lines += [table.title, *table.text(), ""]
        return [
            *lines,
            *(line for words in (self.about, *self.legend) for line in wrap(words, WIDE)),
        ]

    def markdown(self) -> str:
        """Return the report in Markdown."""
        lines = [f"# {self.title}", "", self.about, "", self._made, ""]
        for table in (*self._tables(WIDE_PAGE), self._conditions):
            lines += [f"## {table.title}", "", *table.markdown()]
        return "\n".join([*lines, *(f"- {words}" for words in self.legend), ""])

    def html(self) -> str:
        """Return an HTML page that refers to nothing outside itself."""
        is_drawn = has_charts()
        parts = [f"<h1>{escape(self.title)}</h1>", _paragraph(self.about), _paragraph(self._made)]
        parts += [] if is_drawn else [_paragraph(MISSING)]
        for section in (*self.sections, Section(self._conditions)):
            for table in section.table.fitted(WIDE_PAGE):
                parts += [f"<h2>{escape(table.title)}</h2>", table.html()]
            for title, draw in section.charts.items() if is_drawn else ():
                parts.append(f"<h3>{escape(title)}</h3>{draw()}")
        parts += [_paragraph(words, "quiet") for words in self.legend]
        page = Template(PAGE.read_text("utf-8"))
        return page.substitute(title=escape(self.title), body="\n".join(parts))

    def _tables(self, wide: int) -> Iterator[Table]:
        for section in self.sections:
            yield from section.table.fitted(wide)

    @property
    def _made(self) -> str:
        made, seed = self.summary["origin"], self.summary["origin"]["seed"]
        drawn = "" if seed is None else f", seed {seed}"
        return (
            f"Made by {made['package']} on {made['date'][:10]}{drawn}. Licence of the data: "
            f"{made['licence']}. Hash of the conditions: {self.summary['hash']}."
        )

    @property
    def _conditions(self) -> Table:
        plan = self.summary["plan"]
        shown = [name for name in plan if name not in ("kind", "origin", "version")]
        rows = [(name.replace("_", " "), plain(plan[name])) for name in shown]
        return Table("Conditions", ["setting", "value"], rows)


def write_report(
    folder: ResultsFolder[Any], summary: Data, report_of: Callable[[Data], Report]
) -> Report:
    """Write summary.json, report.md and report.html; return the report.

    The summary begins with its origin, the plan, and the plan's hash: equal plans have equal ones.
    """
    plan = folder.plan
    asked = {name: value for name, value in plan.items() if name != "origin"}
    made = {"origin": msgspec.to_builtins(folder.origin), "hash": digest(asked), "plan": plan}
    report = report_of(made | summary)
    folder.write_data("summary.json", report.summary)
    folder.write("report.md", report.markdown())
    folder.write("report.html", report.html())
    return report


def _paragraph(words: str, style: str = "") -> str:
    tag = f'<p class="{style}">' if style else "<p>"
    return f"{tag}{escape(words)}</p>"


def model_tables(
    rows: Sequence[Mapping[str, Any]], cell: Callable[[Any], str]
) -> tuple[Table, Table]:
    """Return the answers of models by kind, and what they used; without rows if there are none."""
    kinds = [*dict.fromkeys(kind for row in rows for kind in row["answers"])]
    head = ["", *("legal" if kind == "move" else kind for kind in kinds), "failed"]
    answers = [
        [row["player"], *(cell(row["answers"].get(kind)) for kind in kinds), row["failed"]]
        for row in rows
    ]
    used = [
        [
            row["player"],
            f"{row['tokens_in']:,}",
            f"{row['tokens_out']:,}",
            "–" if row["cost"] is None else f"{row['cost']:.4f}",
        ]
        for row in rows
        if row["tokens_in"]
    ]
    usage = Table("Tokens and cost", ["", "tokens in", "tokens out", "cost"], used)
    return Table("Answers", head, answers), usage


def plain(value: Any) -> Any:
    """Return a value of a plan in words."""
    if isinstance(value, dict):
        return ", ".join(name if name == one else f"{name}={one}" for name, one in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "not set" if value is None else value


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


class Point(NamedTuple):
    """A mark in a chart, with its interval; a label is only drawn if there is one series."""

    value: float | None
    """None if only a bound is known."""
    interval: Sequence[float | None]
    """Its ends; None if it is open there, which is drawn as an arrow."""
    chance: float | None = None
    """The value of a random player, drawn as dashes."""
    label: str = ""


def dot_chart(
    title: str,
    rows: Sequence[str],
    series: Mapping[str, Mapping[str, Point]],
    *,
    in_percent: bool = True,
) -> str:
    """Return a chart with the points of each series by row, the first row at the top."""
    below = 0.25 * (len(series) // 3 + 1) if len(series) > 1 else 0.0
    figure, axes = new_figure(8, (0.2 * len(series) + 0.25) * len(rows) + 0.5 + below)
    axes.set_yticks(range(len(rows)), [*map(_literal, short_names(rows))])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.tick_params(color=GREY)
    axes.spines[["left", "bottom"]].set_color(GREY)
    axes.grid(axis="x", color=GREY, alpha=0.3)
    drawn = [(row, point) for points in series.values() for row, point in points.items()]
    values = [one for _, point in drawn for one in (point.value, *point.interval)]
    known = [value for value in values if value is not None] or [0.0]
    beyond = (max(known) - min(known)) / 8 or 1.0
    if in_percent:
        axes.set_xlim(0, 1)
        axes.xaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f}%")
    for number, (name, points) in enumerate(
        zip(short_names([*series]), series.values(), strict=True)
    ):
        colour, shape = PALETTE[number % len(PALETTE)], SHAPES[number % len(SHAPES)]
        for row, point in points.items():
            place = rows.index(row) + 0.8 * (number + 1) / (len(series) + 1) - 0.4
            low, high = point.interval
            left = min(known) - beyond if low is None else low
            right = max(known) + beyond if high is None else high
            axes.plot((left, right), (place, place), color=colour, linewidth=1.5)
            marks = [(left, "<")] * (low is None) + [(right, ">")] * (high is None)
            marks += [] if point.value is None else [(point.value, shape)]
            for x, mark in marks:
                axes.plot(x, place, mark, color=colour)
            if point.label and len(series) == 1:
                at = {"xytext": (6, 0), "textcoords": "offset points", "va": "center"}
                axes.annotate(_literal(point.label), (right, place), annotation_clip=False, **at)
        axes.plot([], [], shape, color=colour, label=_literal(name))
    for row, chance in {row: p.chance for row, p in drawn[::-1] if p.chance is not None}.items():
        place = rows.index(row)
        axes.plot((chance, chance), (place - 0.42, place + 0.42), "--", color=GREY, linewidth=1.5)
    if len(series) > 1:
        figure.legend(loc="outside lower left", ncols=3, frameon=False)
    return _in_page(figure, title)


def short_names(names: Sequence[str], most: int = LONGEST_NAME) -> list[str]:
    """Return names of at most that length, cut in the middle; different ones stay different."""
    cut = most // 2 - 3
    short = [name if len(name) <= most else f"{name[:cut]}…{name[-cut:]}" for name in names]
    return [
        name if short.count(name) == 1 else f"{name} ({short[:place].count(name) + 1})"
        for place, name in enumerate(short)
    ]


def _literal(text: str) -> str:
    """Escape the dollar signs that matplotlib would read as formulas."""
    return text.replace("$", r"\$")


def _in_page(figure: Any, title: str) -> str:
    """Return a figure as a part of an HTML page, with its title for screen readers."""
    text = svg_file(figure, transparent=True)
    text = re.sub(r'<g id="[^"]*">', "<g>", text[text.index("<svg") :])  # ids occur in every chart
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    return text.replace("<svg ", f'<svg role="img" aria-label="{escape(title)}" ', 1)
