"""The report of a tournament: ratings and grades as data, as tables, and as charts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from duels.lab.arena.matches import MatchResult, Played, grade_players
from duels.lab.arena.ratings import rate
from duels.lab.arena.tournament import Tournament
from duels.lab.reports import (
    ALL_GAMES,
    PHASES,
    Point,
    Report,
    Section,
    Table,
    beyond_chance,
    dot_chart,
    model_tables,
    percent,
    share_text,
)
from duels.match.players.specs import FORFEITS

Row = dict[str, Any]
MOST_REPEATED = 10
"""The pairs whose repetitions a report shows: those with the fewest distinct games."""


def summarize(tournament: Tournament, results: Sequence[MatchResult]) -> Row:
    """Return everything in the report as plain data, the strongest player first."""
    grades = grade_players(results)
    names = list(tournament.players)
    ratings = {
        place: rate([one for one in results if place in (ALL_GAMES, one.label)], names)
        for place in (ALL_GAMES, *tournament.games)
    }
    ranked = list(ratings[ALL_GAMES])

    def row(place: str, name: str) -> Row:
        return ratings[place][name] | grades[place][name].data()

    return {
        "matches": len(results),
        "distinct": len({result.played for result in results}),
        "unrated": sum(not result.is_rated for result in results),
        "repeated": repeated_games(results),
        "players": [
            {"player": name, "spec": tournament.players[name]} | row(ALL_GAMES, name)
            for name in ranked
        ],
        "games": {
            place: [{"player": name} | row(place, name) for name in ranked]
            for place in tournament.games
        },
    }


def repeated_games(results: Iterable[MatchResult]) -> list[Row]:
    """Return the pairs that repeated a game, by board, with the number of distinct games."""
    games: dict[tuple[str, tuple[str, ...]], list[Played]] = defaultdict(list)
    for result in results:
        games[result.label, tuple(sorted(result.names))].append(result.played)
    return [
        {"game": label, "players": [*pair], "matches": len(played), "distinct": len({*played})}
        for (label, pair), played in games.items()
        if len({*played}) < len(played)
    ]


# Tables

HEAD = ("player", "rating", "95%", "won", "kept", "chance", "beyond", "from won", "lost")
LEGEND = (
    "rating: Bradley-Terry, all matches at once; 400 points are ten wins to one, and 1500 is the "
    "mean of the players who have both won and lost against each other. ≥ and ≤ are bounds: the "
    "player never lost to these players, or never beat them. Next to it, and to each share, is its "
    "95% interval, by distinct games.",
    "won: share of the matches. kept: share of the choices (won positions in which a move could "
    "go wrong) that kept the win. chance: the share of the same choices that random moves keep; if "
    "a model does not see the legal moves, a random answer is any move that can be typed. "
    "beyond: kept beyond chance (0% for random play, 100% for no mistakes).",
    "from won: of the matches with a won position, the share won. How many a random player wins "
    "depends on the opponents: see the row random, or add it as a player. lost: wins given away in "
    "each third of a match: its opening, its middle and its end.",
)


def report(summary: Row) -> Report:
    """Return the report of a tournament, or of matches against a level."""
    plan, matches, distinct = summary["plan"], summary["matches"], summary["distinct"]
    rounds = f"{plan['rounds']} {'round' if plan['rounds'] == 1 else 'rounds'}"
    about = f"{matches:,} matches: {rounds} of {', '.join(plan['games'])}."
    about += " In each round, each pair plays each game twice and swaps sides."
    if distinct < matches:
        about += f" {distinct:,} distinct of {matches:,}: the intervals count identical games once."
    if failed := summary["unrated"]:
        about += f" {failed} of them ({percent(failed / matches)}) ended with a server error"
        about += f" and {'is' if failed == 1 else 'are'} not rated."
    games: dict[str, list[Row]] = summary["games"]
    shown = games if len(games) == 1 else {ALL_GAMES: summary["players"], **games}
    sections = [
        Section(Table(place, HEAD, [*map(_cells, rows)]), _charts(place, rows))
        for place, rows in shown.items()
    ]
    of_models = model_tables(summary.get("models", []), str)
    rest = (*of_models, _repeated(summary), _forfeits(summary["players"]))
    sections += [Section(table) for table in rest if table.rows]
    return Report("Arena", about, sections, LEGEND, summary)


def _cells(row: Row) -> list[str]:
    ends = "" if row["rating"] is None else f"{row['low']}–{row['high']}"
    return [
        row["player"],
        shown_rating(row),
        ends.replace("None", ""),
        share_text(row["won"]),
        share_text(row["choices"]),
        percent(row["choices"]["random"]),
        beyond_chance(row["choices"]),
        share_text(row["from_won"]),
        "/".join(str(row["blunders"][phase]) for phase in PHASES),
    ]


def shown_rating(row: Row) -> str:
    """Return a rating, or the bound that is known instead: "≥ 1890"."""
    if row["rating"] is not None:
        return str(row["rating"])
    if row["low"] is not None:
        return f"≥ {row['low']}"
    return "unknown" if row["high"] is None else f"≤ {row['high']}"


def _repeated(summary: Row) -> Table:
    fewest_first = sorted(summary["repeated"], key=lambda one: one["distinct"] / one["matches"])
    cells = [
        [
            f"{' and '.join(one['players'])}, {one['game']}",
            f"{one['distinct']} distinct of {one['matches']}",
        ]
        for one in fewest_first[:MOST_REPEATED]
    ]
    more = len(fewest_first) - len(cells)
    cells += [[f"and {more} more in summary.json", ""]] if more else []
    return Table("Repeated games", ["players", "matches"], cells)


def _forfeits(rows: Sequence[Row]) -> Table:
    cells = [
        [row["player"], reason, count, FORFEITS[reason]]
        for row in rows
        for reason, count in row["forfeits"].items()
    ]
    return Table("Forfeits", ["player", "reason", "matches", "meaning"], cells)


def _charts(place: str, rows: Sequence[Row]) -> Mapping[str, Callable[[], str]]:
    """Return charts: the ratings, choices kept by each player, and wins given away by phase."""
    names = [row["player"] for row in rows]
    ratings = {
        row["player"]: Point(row["rating"], (row["low"], row["high"]), None, shown_rating(row))
        for row in rows
    }
    kept = {
        row["player"]: Point(one["share"], one["interval"], one["random"], share_text(one))
        for row in rows
        if (one := row["choices"])["interval"]
    }
    given = {
        phase: {
            row["player"]: Point(rate, (rate, rate))
            for row in rows
            for rate in [row["blunders"][phase] / max(row["matches"], 1)]
        }
        for phase in PHASES
    }
    found = {
        "Ratings": ({"": ratings}, False),
        "Choices that kept the win": ({"": kept}, True),
        "Wins given away, per match": (given, False),
    }
    return {
        title: partial(dot_chart, f"{title}, {place}", names, series, in_percent=in_percent)
        for title, (series, in_percent) in found.items()
    }
