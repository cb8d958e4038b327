"""The report of a tournament: one page with tables and charts that opens from disk."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from duels.core.look import COLOURS
from duels.lab.arena.line import PHASES
from duels.lab.arena.page import html_table, page
from duels.lab.arena.shares import percent, share_of
from duels.lab.arena.summary import rating_interval, tables_of
from duels.lab.charts import MISSING, bar_chart, dot_chart, has_charts, short
from duels.match.players.specs import FORFEITS

Row = dict[str, Any]


def report(summary: dict[str, Any]) -> str:
    """Return the page, which refers to nothing outside itself."""
    plan, is_drawn = summary["plan"], has_charts()
    games = ", ".join(plan["games"])
    parts = [
        "<h1>Arena</h1>",
        f"<p>{summary['matches']:,} matches: {plan['rounds']} rounds of {escape(games)}, "
        f"seed {plan['seed']}. In each round each pair plays each game twice, each side first.</p>",
        "<h2>Ratings</h2>",
        rating_chart(summary["players"]) if is_drawn else f"<p>{escape(MISSING)}</p>",
        '<p class="quiet">Bradley-Terry: all matches at once, so that their order does not matter. '
        "400 points are ten wins to one. The bars are 95% intervals by profile likelihood; "
        "an arrow is an end that no match contradicts.</p>",
    ]
    for place, rows in tables_of(summary).items():
        parts += [f"<h2>{escape(place[:1].upper() + place[1:])}</h2>", table(rows)]
        parts += charts(place, rows) if is_drawn else []
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


def charts(place: str, rows: Sequence[Row]) -> list[str]:
    """Return how many choices each player kept, and where each gave wins away, as bars."""
    names = [row["player"] for row in rows]
    kept = bar_chart(
        f"Choices that kept the win, {place}",
        names,
        [row["choices_kept"] or 0.0 for row in rows],
        [share_of(row, "choices_kept") for row in rows],
        COLOURS[1],
        [row["intervals"]["choices_kept"] for row in rows],
    )
    rates = [row["blunders"][phase] / max(row["matches"], 1) for row in rows for phase in PHASES]
    given = bar_chart(
        f"Wins given away per match, {place}",
        [f"{short(name, 22)}, {phase}" for name in names for phase in PHASES],
        rates,
        [f"{rate:.2f}" for rate in rates],
        COLOURS[2],
    )
    return [
        f"<h3>Choices that kept the win</h3>{kept}",
        f"<h3>Wins given away, per match</h3>{given}",
    ]


def rating_chart(rows: Sequence[Row]) -> str:
    """Return a dot for each rating, with its interval."""
    return dot_chart(
        "Ratings with their intervals",
        [row["player"] for row in rows],
        [row["rating"] for row in rows],
        [(row["low"], row["high"]) for row in rows],
    )


def _forfeits(rows: Sequence[Row]) -> list[str]:
    cells = [
        [row["player"], reason, count, FORFEITS[reason]]
        for row in rows
        for reason, count in row["forfeits"].items()
    ]
    if not cells:
        return []
    return ["<h2>Forfeits</h2>", html_table(["player", "reason", "matches", "meaning"], cells)]
