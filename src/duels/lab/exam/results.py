"""The results of an exam: the answer of every player to every item, and the report of them.

Levels, engines and Python players answer here, on all cores; Inspect sends the questions to models.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from time import monotonic
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from duels.games import RULES_VERSION
from duels.lab.exam.dataset import DIFFICULTIES, SPLITS, Item, Manifest
from duels.lab.reports import (
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
    tally,
)
from duels.lab.results_folder import Amount, Count, Data, Plan, ResultsFolder
from duels.match.players.levels import LEVELS
from duels.match.players.prompt import ANSWERS, MOVE
from duels.match.players.specs import FAILED, FORFEITS, Forfeit, open_player, read_spec

CHUNK = 25
"""Items that one process answers in a row."""
BASELINES = tuple(LEVELS)
"""The players that answer every exam, to compare a score with."""


class Answer(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The answer of a player to an item, and what it cost."""

    player: str
    item: str
    """The hash of the item."""
    kind: str
    """"move", or why there is none: one of `FORFEITS`."""
    move: str | None = None
    detail: str = ""
    tokens: tuple[Count, Count] | None = None
    """In and out, as the server counts them."""
    cost: Amount | None = None
    seconds: Amount = 0.0
    is_model: bool = False
    show_legal: bool = True
    """Whether the legal moves were in the question; players other than models know them."""

    def __post_init__(self) -> None:
        if self.kind != MOVE and self.kind not in FORFEITS:
            raise ValueError(f"unknown kind: {self.kind}")
        if (self.kind == MOVE) != (self.move is not None):
            raise ValueError("kind and move contradict each other")

    @property
    def key(self) -> str:
        return answer_key(self.player, self.item)

    @property
    def is_graded(self) -> bool:
        """Whether the answer counts: a server error says nothing about the model."""
        return self.kind != FAILED

    @property
    def error(self) -> str | None:
        return self.detail if self.kind == FAILED else None

    def is_right(self, item: Item) -> bool:
        """Whether the move keeps the win."""
        game = item.position.game
        return self.move is not None and game.parse(self.move) in item.winning_moves

    def data(self) -> Data:
        data: Data = msgspec.to_builtins(self)
        return data


def answer_key(player: str, item: str) -> str:
    return f"{player} | {item}"


def exam_plan(exam: Manifest, splits: Sequence[str], positions: int) -> Plan:
    """Return the plan of a run. Players are not part of it: a later run may add some."""
    return {
        "kind": "exam run",
        "exam": exam.hash,
        "name": f"{exam.name} {exam.edition}",
        "seed": exam.seed,
        "splits": list(splits),
        "positions": positions,
        "rules": RULES_VERSION,
    }


class Task(NamedTuple):
    """Items of one board for one player, because a program is started for one board."""

    player: str
    spec: str
    items: Sequence[Item]
    time_limit: float | None


def run_exam(
    folder: ResultsFolder[Answer],
    items: Sequence[Item],
    players: Mapping[str, str],
    time_limit: float | None,
) -> list[Answer]:
    """Collect the missing answers; return all in the folder, also those of earlier players.

    Players are specifications by name.
    """
    answers = {key: answer for key, answer in folder.open().items() if answer.is_graded}
    tasks = []
    for name, spec in players.items():
        boards: dict[str, list[Item]] = {}
        for item in items:
            if answer_key(name, item.hash) not in answers:
                boards.setdefault(item.label, []).append(item)
        tasks += [
            Task(name, spec, board[first : first + CHUNK], time_limit)
            for board in boards.values()
            for first in range(0, len(board), CHUNK)
        ]
    total, missing = len(players) * len(items), sum(len(task.items) for task in tasks)
    folder.complete(answers, answer_items, tasks, "answers of the players", total - missing, total)
    return [*answers.values()]


def answer_items(task: Task) -> list[Answer]:
    """Return the answers of a player to some items. Each item has its own seed."""
    name, spec, items, limit = task
    is_started_once = read_spec(spec)[1] != ""
    answers = []
    with ExitStack() as stack:
        player = None
        for item in items:
            began = monotonic()
            try:
                if player is None or not is_started_once:
                    seed = int(item.hash[:8], 16)
                    player = stack.enter_context(open_player(spec, seed, limit))
                move = item.position.game.format(player.choose(item.position))
                answer = Answer(name, item.hash, MOVE, move)
            except Forfeit as forfeit:
                answer = Answer(name, item.hash, forfeit.reason, detail=forfeit.detail)
                stack.close()
                player = None
            seconds = round(monotonic() - began, 3)
            answers.append(msgspec.structs.replace(answer, seconds=seconds))
    return answers


# The report

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
MOST_MARKS = 160
"""A chart with more marks than this would be taller than a page, so only its table is shown."""


def summarize(items: Sequence[Item], answers: Iterable[Answer]) -> Summary:
    """Return everything in the report as plain data."""
    by_hash = {item.hash: item for item in items}
    players: dict[tuple[str, bool], list[Answer]] = {}
    for answer in answers:
        if answer.item in by_hash:
            players.setdefault((answer.player, answer.is_model), []).append(answer)
    rows = []
    for (name, is_model), mine in players.items():
        shown = f"{name} (model)" if is_model and (name, False) in players else name
        is_baseline = name in BASELINES and not is_model
        rows.append({"player": shown, "is_baseline": is_baseline, **_player(mine, by_hash)})
    is_hidden = any(not answer.show_legal for mine in players.values() for answer in mine)
    hidden = [(False, item.chance(show_legal=False)) for item in items if is_hidden]
    rows.sort(key=lambda row: (row["is_baseline"], -(row["share"] or 0.0)))
    return {
        "positions": len(items),
        "random": tally((False, item.share) for item in items).data()["random"],
        "random_hidden": tally(hidden).data()["random"],
        "players": rows,
    }


def _player(answers: Sequence[Answer], items: Mapping[str, Item]) -> Summary:
    graded = [answer for answer in answers if answer.is_graded]
    parts: dict[str, dict[str, list[Answer]]] = {part: {} for part in PARTS}
    for answer in graded:
        for part, kind in PARTS.items():
            parts[part].setdefault(kind(items[answer.item]), []).append(answer)
    kinds = [*ANSWERS, *sorted({answer.kind for answer in graded} - {*ANSWERS})]
    return {
        **_score(graded, items),
        "failed": len(answers) - len(graded),
        "answers": {
            kind: tally((answer.kind == kind, 0.0) for answer in graded).data() for kind in kinds
        },
        "by": {
            part: {kind: _score(found[kind], items) for kind in sorted(found, key=_place)}
            for part, found in parts.items()
        },
        **usage(answers),
    }


def _place(kind: str) -> tuple[int, str]:
    return (ORDER.index(kind), "") if kind in ORDER else (-1, kind)


def _score(answers: Sequence[Answer], items: Mapping[str, Item]) -> Summary:
    graded = [(answer, items[answer.item]) for answer in answers]
    right = ((answer.is_right(item), item.chance(answer.show_legal)) for answer, item in graded)
    return tally(right).data()


def usage(answers: Sequence[Answer]) -> Summary:
    """Return the tokens in and out and the cost of a model: the sums over its answers."""
    counted = [answer.tokens for answer in answers if answer.tokens]
    costs = [answer.cost for answer in answers if answer.tokens and answer.cost is not None]
    read, written = map(sum, zip(*counted, strict=True)) if counted else (0, 0)
    return {
        "tokens_in": read,
        "tokens_out": written,
        "cost": round(sum(costs), 6) if costs else None,
    }


# Tables and charts

LEGEND = (
    "right: share of the answers that keep the win, with its 95% interval (Wilson). chance: the "
    "exact score of random moves at the same positions (dashes in charts). beyond chance: 0% "
    "for random moves, and 100% for no mistakes.",
)


def report(summary: Summary) -> Report:
    """Return the report: accuracy, kinds of answers, tokens, and accuracy by kind of item."""
    plan, rows = summary["plan"], summary["players"]
    about = f"{summary['positions']:,} positions of {', '.join(plan['splits'])}, each asked once. "
    about += f"The exam is {plan['exam'][:16]}."
    of_models = model_tables([row for row in rows if not row["is_baseline"]], share_text)
    found = [Section(table) for table in (_accuracy(summary), *of_models)]
    for part in PARTS:
        kinds = sorted({kind for row in rows for kind in row["by"][part]}, key=_place)
        if len(kinds) > 1:
            found.append(Section(_by(part, kinds, rows), chart(part, kinds, rows)))
    sections = [section for section in found if section.table.rows]
    return Report("Exam", about, sections, LEGEND, summary)


def _accuracy(summary: Summary) -> Table:
    by_chance = {"chance (exact)": "random", "chance (moves hidden)": "random_hidden"}
    exact = [
        [words, percent(summary[name]), "", "", "0%", f"{summary['positions']:,}"]
        for words, name in by_chance.items()
        if summary[name] is not None
    ]
    cells = [[row["player"], *_cells(row), f"{row['of']:,}"] for row in summary["players"]]
    return Table("Accuracy", ["", "right", "95%", "chance", "beyond chance", "of"], cells + exact)


def _by(part: str, kinds: Sequence[str], rows: Sequence[Summary]) -> Table:
    # The last row is a level, which knows the legal moves and has answered everything.
    whole = [next(row["by"][part][k] for row in rows[::-1] if k in row["by"][part]) for k in kinds]
    cells = [
        ["positions", *(f"{score['of']:,}" for score in whole)],
        ["chance (exact)", *(percent(score["random"]) for score in whole)],
    ]
    cells += [[row["player"], *(share_text(row["by"][part].get(k)) for k in kinds)] for row in rows]
    return Table(f"By {part}", ["", *kinds], cells)


def _cells(row: Summary) -> list[str]:
    if row["interval"] is None:
        return ["–"] * 4
    low, high = row["interval"]
    return [
        percent(row["share"]),
        f"{100 * low:.0f}–{100 * high:.0f}",
        percent(row["random"]),
        beyond_chance(row),
    ]


def chart(
    part: str, kinds: Sequence[str], rows: Sequence[Summary]
) -> Mapping[str, Callable[[], str]]:
    """Return the chart of right answers by kind of item, unless it would be too large."""
    if len(kinds) * len(rows) > MOST_MARKS:
        return {}
    series = {
        row["player"]: {
            kind: Point(one["share"], one["interval"], one["random"])
            for kind, one in row["by"][part].items()
            if one["interval"]
        }
        for row in rows
    }
    title = f"Right answers by {part}"
    return {title: partial(dot_chart, title, kinds, series)}
