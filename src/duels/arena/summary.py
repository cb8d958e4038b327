"""The summary of a tournament: as data, and as lines for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from duels.arena.folder import Plan
from duels.arena.grades import EVERYWHERE, grade
from duels.arena.line import PHASES, Played
from duels.arena.ratings import rate
from duels.arena.tournament import Tournament


def summarize(tournament: Tournament, plan: Plan, lines: Sequence[Played]) -> dict[str, Any]:
    """Everything that the report says."""
    grades = grade(lines)
    names = list(tournament.players)
    places = [EVERYWHERE, *tournament.games]
    ratings = {
        place: rate(
            [line for line in lines if place in (EVERYWHERE, line.label)],
            names,
            seed=tournament.seed,
        )
        for place in places
    }
    ranked = sorted(names, key=lambda name: -ratings[EVERYWHERE][name]["rating"])
    return {
        "plan": plan,
        "matches": len(lines),
        "unrated": sum(not line.is_rated for line in lines),
        "players": [
            {"player": name, "spec": tournament.players[name]}
            | ratings[EVERYWHERE][name]
            | grades[EVERYWHERE][name].data()
            for name in ranked
        ],
        "games": {
            place: [
                {"player": name} | ratings[place][name] | grades[place][name].data()
                for name in ranked
            ]
            for place in tournament.games
        },
    }


def summary_lines(summary: dict[str, Any]) -> list[str]:
    """Tables that fit 80 columns, unless the names are long."""
    lines = [f"{summary['matches']:,} matches."]
    if summary["unrated"]:
        lines[0] += f" {summary['unrated']} of them a server has spoilt; they are not rated."
    for place, rows in tables_of(summary).items():
        lines += ["", place, *_table([_HEAD, *(_row(row) for row in rows)])]
    lines += ["", *_LEGEND, *_forfeits(summary["players"])]
    return lines


def tables_of(summary: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The rows of all games together, and of each if there are several."""
    games: dict[str, list[dict[str, Any]]] = summary["games"]
    return games if len(games) == 1 else {EVERYWHERE: summary["players"], **games}


_HEAD = ["player", "rating", "", "won", "kept", "from won", "opening", "middle", "end"]
_LEGEND = [
    "rating: Bradley-Terry with its 95% interval. won: share of the matches.",
    "kept: share of the choices (won positions in which a move could go wrong) that kept",
    "the win. from won: matches won of those with a won position. The rest: wins given",
    "away in each third of a match.",
]


def _row(row: dict[str, Any]) -> list[str]:
    interval = f"{row['low']}–{row['high']}"
    shares = [row["score"], row["choices_kept"], row["wins_from_won_positions"]]
    return [
        row["player"],
        str(row["rating"]),
        interval,
        *(percent(value) for value in shares),
        *(str(row["blunders"][phase]) for phase in PHASES),
    ]


def _table(rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _forfeits(rows: Sequence[dict[str, Any]]) -> list[str]:
    lines = []
    for row in rows:
        if row["forfeits"]:
            counts = ", ".join(f"{reason} {count}" for reason, count in row["forfeits"].items())
            lines.append(f"{row['player']} forfeited: {counts}.")
    return ["", *lines] if lines else []


def percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"
