"""The summary of a tournament: as data, and as lines for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from duels.lab.arena.folder import Plan
from duels.lab.arena.grades import EVERYWHERE, grade
from duels.lab.arena.line import PHASES, Played
from duels.lab.arena.page import text_table
from duels.lab.arena.ratings import rate
from duels.lab.arena.shares import percent, share_of
from duels.lab.arena.tournament import Tournament
from duels.lab.arena.usage import total


def summarize(tournament: Tournament, plan: Plan, lines: Sequence[Played]) -> dict[str, Any]:
    """Everything that the report says."""
    grades = grade(lines)
    names = list(tournament.players)
    places = [EVERYWHERE, *tournament.games]
    ratings = {
        place: rate([line for line in lines if place in (EVERYWHERE, line.label)], names)
        for place in places
    }
    spoilt = [line for line in lines if not line.is_rated]
    lost = total(usages for line in spoilt for usages in (line.model, line.before)).values()
    ranked = sorted(names, key=lambda name: -(ratings[EVERYWHERE][name]["rating"] or 0))
    return {
        "plan": plan,
        "matches": len(lines),
        "unrated": len(spoilt),
        "spoilt_tokens": sum(used.tokens for used in lost),
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
        share = percent(summary["unrated"] / summary["matches"])
        lines[0] += f" A server has spoilt {summary['unrated']} of them ({share}), and "
        lines[0] += f"{summary['spoilt_tokens']:,} tokens; they are not rated."
    for place, rows in tables_of(summary).items():
        lines += ["", place, *text_table([_HEAD, *(_row(row) for row in rows)])]
    lines += ["", *_LEGEND, *_forfeits(summary["players"])]
    return lines


def tables_of(summary: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The rows of all games together, and of each if there are several."""
    games: dict[str, list[dict[str, Any]]] = summary["games"]
    return games if len(games) == 1 else {EVERYWHERE: summary["players"], **games}


_HEAD = ["player", "rating", "95%", "won", "kept", "random", "beyond", "from won", "lost"]
_LEGEND = [
    "rating: Bradley-Terry; beside it, and beside each share, its 95% interval.",
    "won: share of the matches. kept: share of the choices (won positions in which a move",
    "could go wrong) that kept the win. random: what a random player keeps of the same",
    "choices. beyond: kept beyond chance (0 as good as chance, 100 without a fault).",
    "from won: matches won of those with a won position. Of won matches there is no",
    "random: it depends on whom one meets. Let random take part, and see its row.",
    "lost: wins given away in the opening, the middle and the end of a match.",
]


def _row(row: dict[str, Any]) -> list[str]:
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


def rating_interval(row: dict[str, Any]) -> str:
    """The interval of a rating; an end may be open."""
    low, high = row["low"], row["high"]
    if low is None:
        return "any" if high is None else f"≤{high}"
    return f"≥{low}" if high is None else f"{low}–{high}"


def _forfeits(rows: Sequence[dict[str, Any]]) -> list[str]:
    lines = []
    for row in rows:
        if row["forfeits"]:
            counts = ", ".join(f"{reason} {count}" for reason, count in row["forfeits"].items())
            lines.append(f"{row['player']} forfeited: {counts}.")
    return ["", *lines] if lines else []
