"""The answers to an exam: every player answers every item once.

Levels, engines and Python players answer here, on all cores; models are asked by Inspect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from time import monotonic
from typing import Any

import msgspec
from msgspec import Struct

from duels.games import RULES_VERSION
from duels.lab.exam.dataset import Manifest
from duels.lab.exam.items import Item
from duels.lab.jobs import JobProgress
from duels.lab.results_folder import Amount, Count, Data, Plan, ResultsFolder
from duels.match.players.answers import MOVE
from duels.match.players.levels import LEVELS
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


def read_answer(data: Any) -> Answer:
    """Return the answer of a line; ValueError if it is not one."""
    return msgspec.convert(data, Answer)


@dataclass(frozen=True)
class ExamRun:
    """The players, the items that they answer, and the time for an answer."""

    exam: Manifest
    splits: tuple[str, ...]
    items: tuple[Item, ...]
    players: Mapping[str, str]
    """Specifications by name."""
    time_limit: float | None

    @property
    def plan(self) -> Plan:
        """The plan, without the players: a later run may add some."""
        return {
            "kind": "exam run",
            "exam": self.exam.hash,
            "name": f"{self.exam.name} {self.exam.edition}",
            "seed": self.exam.seed,
            "splits": list(self.splits),
            "positions": len(self.items),
            "rules": RULES_VERSION,
        }


def run_exam(
    run: ExamRun, folder: ResultsFolder[Answer], *, jobs: int | None, note: Callable[[str], None]
) -> list[Answer]:
    """Get the missing answers; return all answers in the folder, also of earlier players."""
    answers = {key: answer for key, answer in folder.open().items() if answer.is_graded}
    folder.note_resumed(f"{len(answers):,} answers", len(answers), note)
    tasks = [
        task
        for name in run.players
        for task in _tasks(
            name, [item for item in run.items if answer_key(name, item.hash) not in answers], run
        )
    ]
    total, missing = len(run.players) * len(run.items), sum(len(items) for _, _, items, _ in tasks)
    progress = JobProgress("answers", total, total - missing)
    folder.complete(answers, answer_items, tasks, progress, jobs=jobs)
    return [*answers.values()]


Task = tuple[str, str, tuple[Item, ...], float | None]


def _tasks(name: str, items: Iterable[Item], run: ExamRun) -> Iterator[Task]:
    """Yield chunks of items of the same board, because a program is started for one board."""
    boards: dict[str, list[Item]] = {}
    for item in items:
        boards.setdefault(item.label, []).append(item)
    for board in boards.values():
        for first in range(0, len(board), CHUNK):
            yield name, run.players[name], tuple(board[first : first + CHUNK]), run.time_limit


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
