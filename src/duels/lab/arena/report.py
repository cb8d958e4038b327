"""The report of a tournament: ratings and grades as data, as text, and as a page with charts."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from duels.core.look import COLOURS
from duels.lab.arena.ratings import rate
from duels.lab.arena.results import MatchResult, grade_players
from duels.lab.arena.tournament import Tournament
from duels.lab.arena.usage import total
from duels.lab.reports import Table, bar_chart, dot_chart, has_charts, missing_charts, page, short
from duels.lab.results_folder import Plan
from duels.lab.scores import ALL_GAMES, PHASES, percent, share_of
from duels.match.players.specs import FORFEITS

Row = dict[str, Any]


def summarize(tournament: Tournament, plan: Plan, results: Sequence[MatchResult]) -> Row:
    """Return everything in the report as plain data."""
    grades = grade_players(results)
    names = list(tournament.players)
    ratings = {
        place: rate([one for one in results if place in (ALL_GAMES, one.label)], names)
        for place in (ALL_GAMES, *tournament.games)
    }
    unrated = [result for result in results if not result.is_rated]
    lost = total(usages for result in unrated for usages in (result.model, result.before)).values()
    ranked = sorted(names, key=lambda name: -(ratings[ALL_GAMES][name]["rating"] or 0))

    def row(place: str, name: str) -> Row:
        return ratings[place][name] | grades[place][name].data()

    return {
        "plan": plan,
        "matches": len(results),
        "unrated": len(unrated),
        "unrated_tokens": sum(used.tokens for used in lost),
        "players": [
            {"player": name, "spec": tournament.players[name]} | row(ALL_GAMES, name)
            for name in ranked
        ],
        "games": {
            place: [{"player": name} | row(place, name) for name in ranked]
            for place in tournament.games
        },
    }


def tables_of(summary: Row) -> dict[str, list[Row]]:
    """Return the rows of all games together, and of each game if there are several."""
    games: dict[str, list[Row]] = summary["games"]
    return games if len(games) == 1 else {ALL_GAMES: summary["players"], **games}


# Text

HEAD = ("player", "rating", "95%", "won", "kept", "random", "beyond", "from won", "lost")
LEGEND = (
    "rating: Bradley-Terry; next to it, and to each share, its 95% interval.",
    "won: share of the matches. kept: share of the choices (won positions in which a move",
    "could go wrong) that kept the win. random: what a random player keeps of the same",
    "choices. beyond: kept beyond chance (0 for random play, 100 for no mistakes).",
    "from won: matches won of those with a won position. There is no random baseline for",
    "wins: it depends on the opponents. Add random as a player, and see its row.",
    "lost: wins given away in the opening, the middle and the end of a match.",
)


def summary_lines(summary: Row) -> list[str]:
    """Return the summary for a terminal: tables of at most 80 columns, unless names are long."""
    lines = [f"{summary['matches']:,} matches."]
    if summary["unrated"]:
        share = percent(summary["unrated"] / summary["matches"])
        lines[0] += f" {summary['unrated']} of them ({share}, {summary['unrated_tokens']:,} tokens)"
        lines[0] += " ended with a server error and are not rated."
    for place, rows in tables_of(summary).items():
        lines += ["", place, *Table(place, HEAD, [_text_row(row) for row in rows]).text(gap=" ")]
    lines += ["", *LEGEND]
    forfeits = [row for row in summary["players"] if row["forfeits"]]
    for row in forfeits:
        counts = ", ".join(f"{reason} {count}" for reason, count in row["forfeits"].items())
        lines += ["", f"{row['player']} forfeited: {counts}."][row is not forfeits[0] :]
    return lines


def _text_row(row: Row) -> list[str]:
    corrected = row["corrected"]["choices_kept"]
    return [
        row["player"],
        str(row["rating"]),
        rating_interval(row),
        share_of(row, "score"),
        share_of(row, "choices_kept"),
        percent(row["random"]["choices_kept"]),
        "–" if corrected is None else f"{100 * corrected:.0f}",
        share_of(row, "wins_from_won_positions"),
        "/".join(str(row["blunders"][phase]) for phase in PHASES),
    ]


def rating_interval(row: Row) -> str:
    """Return the interval of a rating; an end may be open."""
    low, high = row["low"], row["high"]
    if low is None:
        return "any" if high is None else f"≤{high}"
    return f"≥{low}" if high is None else f"{low}–{high}"


# HTML


def report(summary: Row) -> str:
    """Return the page, which refers to nothing outside itself."""
    plan = summary["plan"]
    games = ", ".join(plan["games"])
    parts = [
        "<h1>Arena</h1>",
        f"<p>{summary['matches']:,} matches: {plan['rounds']} rounds of {escape(games)}, "
        f"seed {plan['seed']}. In each round each pair plays each game twice, each side first.</p>",
        "<h2>Ratings</h2>",
        rating_chart(summary["players"]) if has_charts() else missing_charts(),
        '<p class="quiet">Bradley-Terry: all matches at once, so that their order does not matter. '
        "400 points are ten wins to one. The bars are 95% intervals by profile likelihood; "
        "an arrow is an end that no match contradicts.</p>",
    ]
    for place, rows in tables_of(summary).items():
        parts += [f"<h2>{escape(place[:1].upper() + place[1:])}</h2>", _html_table(place, rows)]
        parts += charts(place, rows) if has_charts() else []
    parts += [
        '<p class="quiet">A choice is a won position in which some move would give the win away. '
        "Phases are thirds of a match.</p>",
        *_forfeits(summary["players"]),
    ]
    return page("Arena", parts)


def _html_table(place: str, rows: Sequence[Row]) -> str:
    head = ["player", "rating", "95%", "matches", "won"]
    head += ["value-preserving moves", "random", "choices kept", "random", "beyond chance"]
    head += ["won from won positions", "blunders: opening", "middle", "end"]
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
    return Table(place, head, cells).html()


def charts(place: str, rows: Sequence[Row]) -> list[str]:
    """Return bar charts: choices kept by each player, and wins given away by phase."""
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
    """Return a chart with a dot for each rating, and its interval."""
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
    head = ["player", "reason", "matches", "meaning"]
    return ["<h2>Forfeits</h2>", Table("Forfeits", head, cells).html()] if cells else []
