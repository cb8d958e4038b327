"""The report of a tournament as one page that opens from disk: tables, and plots as inline SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from duels.lab.arena.line import PHASES
from duels.lab.arena.page import html_table, page, svg
from duels.lab.arena.shares import percent, share_of
from duels.lab.arena.summary import rating_interval, tables_of
from duels.match.players.specs import FORFEITS

Row = dict[str, Any]


def report(summary: dict[str, Any]) -> str:
    """The page. It refers to nothing outside itself."""
    plan = summary["plan"]
    games = ", ".join(plan["games"])
    parts = [
        "<h1>Arena</h1>",
        f"<p>{summary['matches']:,} matches: {plan['rounds']} rounds of {escape(games)}, "
        f"seed {plan['seed']}. In each round each pair plays each game twice, each side first.</p>",
        "<h2>Ratings</h2>",
        rating_plot(summary["players"]),
        '<p class="quiet">Bradley-Terry: all matches at once, so that their order does not matter. '
        "400 points are ten wins to one. The bars are 95% intervals by profile likelihood; "
        "an arrow is an end that no match contradicts.</p>",
    ]
    for place, rows in tables_of(summary).items():
        parts += [f"<h2>{escape(place[:1].upper() + place[1:])}</h2>", table(rows)]
        parts += [share_plot(rows), blunder_plot(rows)]
    parts += [
        '<p class="quiet">A choice is a won position in which some move would give the win away. '
        "Phases are thirds of a match.</p>",
        *_forfeits(summary["players"]),
    ]
    return page("Arena", "\n".join(parts))


def table(rows: Sequence[Row]) -> str:
    head = ["player", "rating", "95%", "matches", "won"]
    head += [
        "value-preserving moves",
        "random",
        "choices kept",
        "random",
        "beyond chance",
        "won from won positions",
    ]
    head += ["blunders: opening", "middle", "end"]
    cells = [
        [
            row["player"],
            row["rating"],
            rating_interval(row),
            row["matches"],
            share_of(row, "score"),
            share_of(row, "value_preserving"),
            percent(row["random"]["value_preserving"]),
            share_of(row, "choices_kept"),
            percent(row["random"]["choices_kept"]),
            percent(row["corrected"]["choices_kept"]),
            f"{share_of(row, 'wins_from_won_positions')} of {row['won_positions']}",
            *(row["blunders"][phase] for phase in PHASES),
        ]
        for row in rows
    ]
    return html_table(head, cells)


LEFT, WIDE, STEP = 180, 480, 28


def rating_plot(rows: Sequence[Row]) -> str:
    """A dot for each rating, with its interval; an open end is an arrow."""
    ends = [row[name] for row in rows for name in ("low", "rating", "high")]
    known = [end for end in ends if end is not None]
    low: int = min(known) - 80
    high: int = max(known) + 80

    def place(value: float) -> float:
        return round(LEFT + WIDE * (value - low) / (high - low), 1)

    parts = []
    step = 200 if high - low > 700 else 100
    for tick in range(-(-low // step) * step, high, step):
        x, bottom = place(tick), len(rows) * STEP + 8
        parts.append(f'<line class="axis" x1="{x}" y1="4" x2="{x}" y2="{bottom}"/>')
        parts.append(f'<text class="quiet" x="{x - 14}" y="{bottom + 16}">{tick}</text>')
    for number, row in enumerate(rows):
        y = number * STEP + 20
        one = place(low if row["low"] is None else row["low"])
        two = place(high if row["high"] is None else row["high"])
        parts.append(f'<text x="0" y="{y + 5}">{_name(row)}</text>')
        parts.append(f'<line class="line" x1="{one}" y1="{y}" x2="{two}" y2="{y}"/>')
        for end, x, way in (("low", one, 8), ("high", two, -8)):
            if row[end] is None:
                points = f"{x},{y} {x + way},{y - 5} {x + way},{y + 5}"
                parts.append(f'<polygon class="mark" points="{points}"/>')
        parts.append(f'<circle class="mark" cx="{place(row["rating"])}" cy="{y}" r="6"/>')
        parts.append(f'<text x="{two + 8}" y="{y + 5}">{row["rating"]}</text>')
    return svg("Ratings with their intervals", len(rows) * STEP + 32, parts)


def share_plot(rows: Sequence[Row]) -> str:
    """How many of the choices each player kept, with the interval."""
    shares = [(row, row["choices_kept"] or 0.0, share_of(row, "choices_kept")) for row in rows]
    whiskers = [row["intervals"]["choices_kept"] for row in rows]
    drawn = _bars("Choices that kept the win", shares, "mark", whiskers)
    return "<h3>Choices that kept the win</h3>" + drawn


def blunder_plot(rows: Sequence[Row]) -> str:
    """Blunders per match in each phase; small rows of three bars with their words."""
    most = max((max(row["blunders"].values()) / max(row["matches"], 1) for row in rows), default=0)
    shares = [
        (row | {"player": f"{row['player']}, {phase}"}, rate / most if most else 0, f"{rate:.2f}")
        for row in rows
        for phase in PHASES
        for rate in [row["blunders"][phase] / max(row["matches"], 1)]
    ]
    return "<h3>Wins given away, per match</h3>" + _bars("Wins given away per match", shares, "bad")


def _bars(
    title: str,
    shares: Sequence[tuple[Row, float, str]],
    look: str,
    whiskers: Sequence[Sequence[float] | None] = (),
) -> str:
    """Bars with their words; `whiskers` are the intervals of their ends."""
    parts = []
    for number, (row, share, words) in enumerate(shares):
        y = number * STEP + 4
        long = round(WIDE * share, 1)
        parts.append(f'<text x="0" y="{y + 15}">{_name(row)}</text>')
        parts.append(f'<rect class="{look}" x="{LEFT}" y="{y}" width="{long}" height="18" rx="3"/>')
        right = LEFT + long
        if whiskers and (ends := whiskers[number]):
            one, right = (round(LEFT + WIDE * end, 1) for end in ends)
            parts.append(f'<line class="end" x1="{one}" y1="{y + 9}" x2="{right}" y2="{y + 9}"/>')
        parts.append(f'<text x="{max(right, LEFT + long) + 8}" y="{y + 15}">{words}</text>')
    return svg(title, len(shares) * STEP + 8, parts)


def _name(row: Row) -> str:
    name = row["player"]
    return escape(name if len(name) <= 24 else f"{name[:23]}…")


def _forfeits(rows: Sequence[Row]) -> list[str]:
    cells = [
        [row["player"], reason, count, FORFEITS[reason]]
        for row in rows
        for reason, count in row["forfeits"].items()
    ]
    if not cells:
        return []
    return ["<h2>Forfeits</h2>", html_table(["player", "reason", "matches", "meaning"], cells)]
