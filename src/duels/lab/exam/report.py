"""The report of an exam: how often each player was right, next to chance and the levels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Any

from duels.lab.arena.usage import NOTHING
from duels.lab.exam.answers import BASELINES, Answer
from duels.lab.exam.items import DIFFICULTIES, SPLITS, Item
from duels.lab.reports import (
    Point,
    Series,
    Table,
    has_charts,
    missing_charts,
    page,
    plan_table,
    share_chart,
)
from duels.lab.results_folder import Plan
from duels.lab.scores import PHASES, percent, tally, with_interval
from duels.match.players.llm import ANSWERS
from duels.match.players.prompt import PRESETS, Conditions, preset_of

Summary = dict[str, Any]

PARTS: Mapping[str, Callable[[Item], str]] = {
    "game": lambda item: item.game,
    "board": lambda item: item.label,
    "difficulty": lambda item: item.difficulty,
    "phase": lambda item: item.phase,
    "split": lambda item: item.split,
}
"""How the items are divided into kinds."""
ORDER = [*DIFFICULTIES, *PHASES, *SPLITS]
CHARTS = {part: f"By {part}" for part in ("difficulty", "game", "board", "phase")}
MOST_PLAYERS = 7
"""The most players in a chart: as many as there are colours."""
MOST_FOR_ALL = 6
"""With more kinds of items than this, a chart leaves out the built-in levels."""


def summarize(plan: Plan, items: Sequence[Item], answers: Iterable[Answer]) -> Summary:
    """Return everything in the report as plain data."""
    by_hash = {item.hash: item for item in items}
    players: dict[str, list[Answer]] = {}
    for answer in answers:
        if answer.item in by_hash:
            players.setdefault(answer.player, []).append(answer)
    rows = [_player(name, mine, by_hash) for name, mine in players.items()]
    rows.sort(key=lambda row: (row["is_baseline"], -(row["share"] or 0.0)))
    # An exam has no retries; a preset is recognised by its other conditions.
    retries = PRESETS["standard"].retries
    conditions = Conditions(plan["show_legal"], retries, plan["time_limit"], plan["form"])
    return {
        "plan": plan,
        "preset": preset_of(conditions),
        "positions": len(items),
        "random": tally((False, item.share) for item in items).random,
        "players": rows,
    }


def _player(name: str, answers: Sequence[Answer], items: Mapping[str, Item]) -> Summary:
    graded = [answer for answer in answers if answer.is_graded]
    parts: dict[str, dict[str, list[Answer]]] = {part: {} for part in PARTS}
    for answer in graded:
        for part, kind in PARTS.items():
            parts[part].setdefault(kind(items[answer.item]), []).append(answer)
    used = sum((answer.usage for answer in answers), NOTHING)
    kinds = {answer.kind for answer in graded} | {*ANSWERS[:-1]}
    return {
        "player": name,
        "is_baseline": name in BASELINES,
        **_score(graded, items),
        "failed": len(answers) - len(graded),
        "answers": {
            kind: _share(answer.kind == kind for answer in graded) for kind in sorted(kinds)
        },
        "legal": _share(answer.kind == "move" for answer in graded),
        "by": {
            part: {kind: _score(found[kind], items) for kind in sorted(found, key=_place)}
            for part, found in parts.items()
        },
        "tokens_in": used.tokens_in,
        "tokens_out": used.tokens_out,
        "answers_without_token_counts": used.uncounted,
        "cost": None if used.cost is None else round(used.cost, 6),
    }


def _place(kind: str) -> tuple[int, str]:
    return (ORDER.index(kind), "") if kind in ORDER else (-1, kind)


def _score(answers: Sequence[Answer], items: Mapping[str, Item]) -> Summary:
    found = tally((a.is_right(items[a.item]), items[a.item].share) for a in answers)
    return {"positions": found.whole, "right": found.part} | found.data()


def _share(parts: Iterable[bool]) -> Summary:
    found = tally((part, 0.0) for part in parts)
    return {"count": found.part, "share": found.share, "interval": found.interval}


# Tables


def tables(summary: Summary) -> list[Table]:
    """Return the tables: accuracy, kinds of answers, tokens, and accuracy by kind of item."""
    rows = summary["players"]
    chance = ["random (exactly)", percent(summary["random"])]
    chance += ["", "", "0%", str(summary["positions"])]
    found = [
        Table(
            "Accuracy",
            ["", "right", "95%", "random", "beyond chance", "of"],
            [[row["player"], *_cells(row), f"{row['positions']:,}"] for row in rows] + [chance],
        )
    ]
    models = [row for row in rows if not row["is_baseline"]]
    kinds = [*dict.fromkeys(kind for row in models for kind in row["answers"])]
    if models:
        head = ["", *("legal" if kind == "move" else kind for kind in kinds), "failed"]
        cells = [
            [
                row["player"],
                *(_with_interval(row["answers"].get(kind)) for kind in kinds),
                str(row["failed"]),
            ]
            for row in models
        ]
        found.append(Table("Answers", head, cells))
        money = [
            [
                row["player"],
                f"{row['tokens_in']:,}",
                f"{row['tokens_out']:,}",
                f"{row['answers_without_token_counts']:,}",
                "–" if row["cost"] is None else f"{row['cost']:.4f}",
            ]
            for row in models
        ]
        head = ["", "tokens in", "tokens out", "not counted", "cost"]
        found.append(Table("Tokens and cost", head, money))
    found += [_by(part, rows) for part in PARTS if rows]
    return [table for table in found if table.rows]


def _by(part: str, rows: Sequence[Summary]) -> Table:
    kinds = [*dict.fromkeys(kind for row in rows for kind in row["by"][part])]
    cells = []
    for kind in sorted(kinds, key=_place):
        scores = [row["by"][part].get(kind) for row in rows]
        random = next(score["random"] for score in scores if score)
        count = max(score["positions"] for score in scores if score)
        cells.append([kind, f"{count:,}", percent(random), *map(_with_interval, scores)])
    head = ["", "positions", "random", *(row["player"] for row in rows)]
    return Table(f"By {part}", head, cells if len(kinds) > 1 else [])


def _cells(row: Summary) -> list[str]:
    if row["interval"] is None:
        return ["–"] * 4
    low, high = row["interval"]
    return [
        percent(row["share"]),
        f"{100 * low:.0f}–{100 * high:.0f}",
        percent(row["random"]),
        percent(row["corrected"]),
    ]


def _with_interval(found: Summary | None) -> str:
    return with_interval(found["share"], found["interval"]) if found else "–"


# Text, Markdown and HTML


def summary_lines(summary: Summary) -> list[str]:
    """Return the tables for a terminal."""
    lines: list[str] = []
    for table in tables(summary):
        lines += ["", table.title, *table.text()]
    return lines[1:]


def markdown(summary: Summary) -> str:
    """Return the tables in Markdown."""
    return "\n".join(line for table in tables(summary) for line in table.markdown())


def report(summary: Summary) -> str:
    """Return the page, which refers to nothing outside itself."""
    plan, preset = summary["plan"], summary["preset"]
    parts = [
        "<h1>Exam</h1>",
        f"<p>{summary['positions']:,} positions of {escape(', '.join(plan['splits']))}, each asked "
        f"once. The exam is <code>{plan['exam'][:16]}</code>, the prompt "
        f"<code>{plan['prompt_hash']}</code>{f', conditions: {preset}' if preset else ''}.</p>",
        '<p class="quiet">An answer is right if it keeps the win. The bars are 95% intervals '
        "(Wilson); the dashes are the exact score of a random player at the same positions; beyond "
        "chance is 0% for that and 100% for no mistakes.</p>",
        "" if has_charts() else missing_charts(),
    ]
    drawn = {title: chart(summary, part) for part, title in CHARTS.items()} if has_charts() else {}
    for table in [*tables(summary), plan_table(plan)]:
        parts += [f"<h2>{escape(table.title)}</h2>", drawn.get(table.title, ""), table.html()]
    return page("Exam", parts)


def chart(summary: Summary, part: str) -> str:
    """Return a chart of the share of right answers by kind of item; empty without answers."""
    rows = summary["players"][:MOST_PLAYERS]
    kinds = [*dict.fromkeys(kind for row in rows for kind in row["by"][part])]
    if not kinds:
        return ""
    if len(kinds) > MOST_FOR_ALL:
        rows = [row for row in rows if not row["is_baseline"]] or rows
    series = [Series(row["player"], _points(row["by"][part])) for row in rows]
    return share_chart(f"Share of right answers by {part}", kinds, series)


def _points(found: Mapping[str, Summary]) -> dict[str, Point]:
    return {
        kind: Point(one["share"], one["interval"], one["random"])
        for kind, one in found.items()
        if one["interval"]
    }
