"""The sheet of an exam: who was right how often, where, beside chance and the levels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from duels.lab.arena.folder import Plan
from duels.lab.arena.line import PHASES
from duels.lab.arena.page import text_table
from duels.lab.arena.shares import percent, tally, with_interval
from duels.lab.arena.usage import NOTHING
from duels.lab.exam.answer import Answer
from duels.lab.exam.item import DIFFICULTIES, SPLITS, Item
from duels.lab.exam.sit import BASELINES
from duels.match.players.llm import ANSWERS
from duels.match.players.prompt import PRESETS, Conditions, preset_of

Sheet = dict[str, Any]
STANDARD = PRESETS["standard"]
"""An exam has no retries: its conditions have the name that they have with the usual ones."""

PARTS: Mapping[str, Callable[[Item], str]] = {
    "game": lambda item: item.game,
    "board": lambda item: item.label,
    "difficulty": lambda item: item.difficulty,
    "phase": lambda item: item.phase,
    "split": lambda item: item.split,
}
"""By what the questions are told apart."""
_ORDER = [*DIFFICULTIES, *PHASES, *SPLITS]


class Table(NamedTuple):
    """A table for every way to show it."""

    title: str
    head: list[str]
    rows: list[list[str]]


def make_sheet(plan: Plan, items: Sequence[Item], answers: Iterable[Answer]) -> Sheet:
    """Everything that the report says."""
    by_hash = {item.hash: item for item in items}
    sitters: dict[str, list[Answer]] = {}
    for answer in answers:
        if answer.item in by_hash:
            sitters.setdefault(answer.sitter, []).append(answer)
    rows = [_sitter(name, mine, by_hash) for name, mine in sitters.items()]
    rows.sort(key=lambda row: (row["is_baseline"], -(row["share"] or 0.0)))
    random = tally((False, item.share) for item in items).random
    asked = Conditions(plan["show_legal"], STANDARD.retries, plan["time_limit"], plan["form"])
    return {
        "plan": plan,
        "preset": preset_of(asked),
        "positions": len(items),
        "random": random,
        "sitters": rows,
    }


def _sitter(name: str, answers: Sequence[Answer], items: Mapping[str, Item]) -> Sheet:
    counted = [answer for answer in answers if answer.counts]
    parts: dict[str, dict[str, list[Answer]]] = {part: {} for part in PARTS}
    for answer in counted:
        for part, kind in PARTS.items():
            parts[part].setdefault(kind(items[answer.item]), []).append(answer)
    used = sum((answer.used for answer in answers), NOTHING)
    kinds = {answer.kind for answer in counted} | {*ANSWERS[:-1]}
    return {
        "sitter": name,
        "is_baseline": name in BASELINES,
        **_score(counted, items),
        "spoilt": len(answers) - len(counted),
        "answers": {
            kind: _share(answer.kind == kind for answer in counted) for kind in sorted(kinds)
        },
        "legal": _share(answer.kind == "move" for answer in counted),
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
    return (_ORDER.index(kind), "") if kind in _ORDER else (-1, kind)


def _score(answers: Sequence[Answer], items: Mapping[str, Item]) -> Sheet:
    found = tally((a.is_right(items[a.item]), items[a.item].share) for a in answers)
    return {"positions": found.whole, "right": found.part} | found.data()


def _share(parts: Iterable[bool]) -> Sheet:
    found = tally((part, 0.0) for part in parts)
    return {"count": found.part, "share": found.share, "interval": found.interval}


def tables(sheet: Sheet) -> list[Table]:
    """The sheet in tables: all together, what went wrong, and each part."""
    rows = sheet["sitters"]
    by_chance = ["random (exactly)", percent(sheet["random"])]
    by_chance += ["", "", "0%", str(sheet["positions"])]
    found = [
        Table(
            "Accuracy",
            ["", "right", "95%", "random", "beyond chance", "of"],
            [[row["sitter"], *_cells(row), f"{row['positions']:,}"] for row in rows] + [by_chance],
        )
    ]
    models = [row for row in rows if not row["is_baseline"]]
    kinds = [*dict.fromkeys(kind for row in models for kind in row["answers"])]
    if models:
        head = ["", *("legal" if kind == "move" else kind for kind in kinds), "spoilt"]
        cells = [
            [
                row["sitter"],
                *(_with_interval(row["answers"].get(kind)) for kind in kinds),
                str(row["spoilt"]),
            ]
            for row in models
        ]
        found.append(Table("Answers", head, cells))
        money = [
            [
                row["sitter"],
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


def _by(part: str, rows: Sequence[Sheet]) -> Table:
    kinds = [*dict.fromkeys(kind for row in rows for kind in row["by"][part])]
    cells = []
    for kind in sorted(kinds, key=_place):
        of = [row["by"][part].get(kind) for row in rows]
        random = next(one["random"] for one in of if one)
        count = max(one["positions"] for one in of if one)
        cells.append([kind, f"{count:,}", percent(random), *map(_with_interval, of)])
    head = ["", "positions", "random", *(row["sitter"] for row in rows)]
    return Table(f"By {part}", head, cells if len(kinds) > 1 else [])


def _cells(row: Sheet) -> list[str]:
    if row["interval"] is None:
        return ["–"] * 4
    low, high = row["interval"]
    return [
        percent(row["share"]),
        f"{100 * low:.0f}–{100 * high:.0f}",
        percent(row["random"]),
        percent(row["corrected"]),
    ]


def _with_interval(found: Sheet | None) -> str:
    return with_interval(found["share"], found["interval"]) if found else "–"


def sheet_lines(sheet: Sheet) -> list[str]:
    """The tables at a terminal."""
    lines: list[str] = []
    for table in tables(sheet):
        lines += ["", table.title, *text_table([table.head, *table.rows], gap="  ")]
    return lines[1:]


def sheet_markdown(sheet: Sheet) -> str:
    """The tables in Markdown."""
    lines = []
    for table in tables(sheet):
        lines += [f"## {table.title}", "", _markdown(table.head)]
        lines += ["|---|" + "---:|" * (len(table.head) - 1), *map(_markdown, table.rows), ""]
    return "\n".join(lines)


def _markdown(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"
