"""The answers to an exam: every player answers every item once, and no answer is paid for twice.

Models are asked from one process with many requests at a time; other players use all cores.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from time import monotonic
from typing import Any

import msgspec
from msgspec import Struct

from duels.core.game import Game
from duels.games import RULES_VERSION
from duels.lab.arena.usage import NOTHING, Budget, Usage, usage_of
from duels.lab.exam.items import Item
from duels.lab.jobs import JobProgress, run_jobs
from duels.lab.results_folder import TRANSCRIPTS, Amount, Count, Data, Plan, ResultsFolder
from duels.match.players.answers import MOVE
from duels.match.players.levels import LEVELS
from duels.match.players.llm import Exchange, ModelPlayer, ModelSettings, name_and_address
from duels.match.players.prompt import PROMPT_VERSION, prompt_hash
from duels.match.players.specs import FAILED, FORFEITS, Forfeit, open_player, read_spec

AT_ONCE = 8
CHUNK = 25
"""Items that one process answers in a row."""
BASELINES = tuple(LEVELS)
"""The players that answer every exam, to compare a score with."""


class Answer(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer of a player to an item, and what it cost."""

    player: str
    item: str
    """The hash of the item."""
    kind: str
    """"move", or why there is none: one of `FORFEITS`."""
    move: str | None = None
    detail: str = ""
    tokens_in: Count = 0
    tokens_out: Count = 0
    uncounted: Count = 0
    cost: Amount | None = None
    seconds: Amount = 0.0

    def __post_init__(self) -> None:
        if self.kind != MOVE and self.kind not in FORFEITS:
            raise ValueError(f"unknown kind: {self.kind}")
        if (self.kind == MOVE) != (self.move is not None):
            raise ValueError("kind and move contradict each other")

    @property
    def key(self) -> str:
        return answer_key(self.player, self.item)

    @property
    def usage(self) -> Usage:
        counts = (self.tokens_in, self.tokens_out, self.uncounted)
        return Usage({self.kind: 1}, *counts, self.cost)

    @property
    def is_graded(self) -> bool:
        """Whether the answer counts: a server error says nothing about the model."""
        return self.kind != FAILED

    def is_right(self, item: Item) -> bool:
        """Whether the move keeps the win."""
        game = item.position.game
        return self.move is not None and game.parse(self.move) in item.winning_moves

    def data(self) -> Data:
        return {"key": self.key, **msgspec.to_builtins(self)}


def answer_key(player: str, item: str) -> str:
    return f"{player} | {item}"


def read_answer_line(data: Any) -> Answer:
    """Return the answer of a line; ValueError if `Answer.data` would not write it so."""
    fields = {name: value for name, value in data.items() if name != "key"}
    answer = msgspec.convert(fields, Answer)
    if answer.data() != data:
        raise ValueError("The line contradicts itself.")
    return answer


@dataclass(frozen=True)
class ExamRun:
    """The players, the items that they answer, and the conditions."""

    exam: str
    games: tuple[Game, ...]
    splits: tuple[str, ...]
    items: tuple[Item, ...]
    players: Mapping[str, str]
    """Specifications by name; that of a model begins with llm:"""
    settings: ModelSettings
    time_limit: float

    @property
    def plan(self) -> Plan:
        """The plan, without the players: a later run may add some."""
        conditions = self.settings.conditions(self.time_limit)
        return {
            "kind": "exam run",
            "exam": self.exam,
            "splits": list(self.splits),
            "positions": len(self.items),
            **self.settings.data,
            "time_limit": self.time_limit,
            "prompt": PROMPT_VERSION,
            "prompt_hash": prompt_hash(self.games, conditions, in_exam=True),
            "rules": RULES_VERSION,
        }


def run_exam(
    run: ExamRun,
    folder: ResultsFolder[Answer],
    *,
    jobs: int | None,
    at_once: int | None,
    budget: Budget | None,
    note: Callable[[str], None],
) -> list[Answer]:
    """Get the missing answers; return all answers in the folder, also of earlier players."""
    answers = {key: answer for key, answer in folder.open().items() if answer.is_graded}
    left = {
        name: [item for item in run.items if answer_key(name, item.hash) not in answers]
        for name in run.players
    }
    missing = sum(map(len, left.values()))
    folder.note_resumed(f"{len(answers):,} answers", len(answers), missing, note)
    models = {name: spec for name, spec in run.players.items() if spec.startswith("llm:")}
    total = len(run.players) * len(run.items)
    with JobProgress("answers", total, total - missing) as progress:

        def save(answer: Answer, exchanges: Sequence[Exchange] = ()) -> None:
            if exchanges:
                folder.add(({"key": answer.key} | one for one in exchanges), TRANSCRIPTS)
            folder.add([answer.data()])
            answers[answer.key] = answer
            progress.step()

        others = [name for name in run.players if name not in models]
        tasks = [task for name in others for task in _tasks(name, left[name], run)]
        for _, found in run_jobs(answer_items, tasks, jobs=jobs):
            for answer in found:
                save(answer)
        if budget:
            for answer in answers.values():
                if answer.player in models:
                    budget.count(answer.usage)
        for name, spec in models.items():
            if left[name]:
                asyncio.run(_ask_model(name, spec, left[name], run, at_once, budget, save))
    if budget and budget.is_spent:
        note(f"The budget is spent: {budget.words}. To continue, run it with a larger budget.")
    return list(answers.values())


Task = tuple[str, str, tuple[Item, ...], float, ModelSettings]


def _tasks(name: str, items: Iterable[Item], run: ExamRun) -> Iterator[Task]:
    """Yield chunks of items of the same board, because a program is started for one board."""
    boards: dict[str, list[Item]] = {}
    for item in items:
        boards.setdefault(item.label, []).append(item)
    for board in boards.values():
        for first in range(0, len(board), CHUNK):
            chunk = tuple(board[first : first + CHUNK])
            yield name, run.players[name], chunk, run.time_limit, run.settings


def answer_items(task: Task) -> list[Answer]:
    """Return the answers of a player that is not a model. Each item has its own seed."""
    name, spec, items, limit, settings = task
    is_started_once = read_spec(spec)[1] != ""
    answers = []
    with ExitStack() as stack:
        player = None
        for item in items:
            began = monotonic()
            try:
                if player is None or not is_started_once:
                    seed = int(item.hash[:8], 16)
                    player = stack.enter_context(open_player(spec, seed, limit, settings))
                move = item.position.game.format(player.choose(item.position))
                answer = Answer(name, item.hash, MOVE, move)
            except Forfeit as forfeit:
                answer = Answer(name, item.hash, forfeit.reason, detail=forfeit.detail)
                stack.close()
                player = None
            seconds = round(monotonic() - began, 3)
            answers.append(msgspec.structs.replace(answer, seconds=seconds))
    return answers


async def _ask_model(
    name: str,
    spec: str,
    items: Sequence[Item],
    run: ExamRun,
    at_once: int | None,
    budget: Budget | None,
    save: Callable[[Answer, Sequence[Exchange]], None],
) -> None:
    """Ask a model all items, many at a time, as far as the budget allows."""
    model, address = name_and_address(spec.removeprefix("llm:"))
    player = ModelPlayer(model, address, run.time_limit, run.settings, in_exam=True)
    waiting = iter(items)
    running: set[asyncio.Task[None]] = set()

    async def ask(item: Item) -> None:
        exchanges: list[Exchange] = []
        try:
            move = await player.consider(item.position, exchanges.append)
            kind, text, detail = MOVE, item.position.game.format(move), ""
        except Forfeit as forfeit:
            kind, text, detail = forfeit.reason, None, forfeit.detail
        used = sum(map(usage_of, exchanges), NOTHING)
        counts = (used.tokens_in, used.tokens_out, used.uncounted, used.cost)
        seconds = round(sum(one["seconds"] for one in exchanges), 3)
        save(Answer(name, item.hash, kind, text, detail, *counts, seconds), exchanges)
        if budget:
            budget.count(used)

    try:
        while True:
            while len(running) < (at_once or AT_ONCE):
                if budget and not budget.allows(len(running)):
                    break
                if (item := next(waiting, None)) is None:
                    break
                running.add(asyncio.create_task(ask(item)))
            if not running:
                return
            done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()  # raises what ends the run
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await player.aclose()
