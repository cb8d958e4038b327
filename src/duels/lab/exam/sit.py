"""Sitting an exam: every question is asked once, and no paid answer is asked for again.

Models are asked from one process, many requests at a time; other players use all cores.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from time import monotonic

from duels.core.game import Game
from duels.games import RULES_VERSION
from duels.lab.arena.budget import Budget
from duels.lab.arena.folder import TRANSCRIPTS, Folder, FolderError, Plan
from duels.lab.arena.progress import Progress
from duels.lab.arena.usage import NOTHING, usage_of
from duels.lab.exam.answer import Answer, key_of
from duels.lab.exam.item import Item
from duels.lab.jobs import run_jobs
from duels.match.players.answers import MOVE
from duels.match.players.levels import LEVELS
from duels.match.players.llm import Exchange, ModelPlayer, ModelSettings, name_and_address
from duels.match.players.prompt import PROMPT_VERSION, prompt_hash
from duels.match.players.specs import Forfeit, open_player, read_spec

AT_ONCE = 8
CHUNK = 25
"""Questions that one process answers in a row."""
BASELINES = tuple(LEVELS)
"""Who sits every exam, so that a score says something."""


@dataclass(frozen=True)
class Sitting:
    """Who answers which questions, under which conditions."""

    exam: str
    games: tuple[Game, ...]
    splits: tuple[str, ...]
    items: tuple[Item, ...]
    sitters: Mapping[str, str]
    """Specifications by name; a model's begins with llm:"""
    settings: ModelSettings
    time_limit: float

    @property
    def plan(self) -> Plan:
        """Sitters are not in it, and more of them may come."""
        conditions = self.settings.conditions(self.time_limit)
        return {
            "kind": "sitting of an exam",
            "exam": self.exam,
            "splits": list(self.splits),
            "positions": len(self.items),
            **self.settings.data,
            "time_limit": self.time_limit,
            "prompt": PROMPT_VERSION,
            "prompt_hash": prompt_hash(self.games, conditions, in_exam=True),
            "rules": RULES_VERSION,
        }


def sit(
    sitting: Sitting,
    folder: Folder[Answer],
    *,
    jobs: int | None,
    at_once: int | None,
    budget: Budget | None,
    note: Callable[[str], None],
) -> list[Answer]:
    """Ask what is not answered yet; every answer, also of those who sat here before."""
    there = {key: answer for key, answer in folder.open().items() if answer.counts}
    if there or folder.damaged:
        skipped = f"; {folder.damaged} damaged lines are asked again" if folder.damaged else ""
        note(f"{len(there):,} answers are there already{skipped}.")
    left = {
        name: [item for item in sitting.items if key_of(name, item.hash) not in there]
        for name in sitting.sitters
    }
    missing = sum(map(len, left.values()))
    if missing and folder.is_closed:
        raise FolderError(
            f"{folder.path} is of an older prompt, and {missing:,} of its answers are missing. "
            "Choose another folder."
        )
    models = {name: spec for name, spec in sitting.sitters.items() if spec.startswith("llm:")}
    total = len(sitting.sitters) * len(sitting.items)
    with Progress("answers", total, total - missing) as progress:

        def keep(answer: Answer, exchanges: Sequence[Exchange] = ()) -> None:
            """On disk before anything else happens: it was paid for."""
            if exchanges:
                folder.add(({"key": answer.key} | one for one in exchanges), TRANSCRIPTS)
            folder.add([answer.data()])
            there[answer.key] = answer
            progress.step()

        others = [name for name in sitting.sitters if name not in models]
        tasks = [task for name in others for task in _tasks(name, left[name], sitting)]
        for _, answers in run_jobs(answer_all, tasks, jobs=jobs):
            for answer in answers:
                keep(answer)
        if budget:
            for answer in there.values():
                if answer.sitter in models:
                    budget.count(answer.used)
        for name, spec in models.items():
            if left[name]:
                asked = _ask_model(name, spec, left[name], sitting, at_once, budget, keep)
                asyncio.run(asked)
    if budget and budget.is_spent:
        note(f"The budget is spent: {budget.words}. The same command with a larger one goes on.")
    return list(there.values())


Task = tuple[str, str, tuple[Item, ...], float, ModelSettings]


def _tasks(name: str, items: Iterable[Item], sitting: Sitting) -> Iterator[Task]:
    """Questions of the same board together: a program is started for one board."""
    boards: dict[str, list[Item]] = {}
    for item in items:
        boards.setdefault(item.label, []).append(item)
    for asked in boards.values():
        for first in range(0, len(asked), CHUNK):
            chunk = tuple(asked[first : first + CHUNK])
            yield name, sitting.sitters[name], chunk, sitting.time_limit, sitting.settings


def answer_all(task: Task) -> list[Answer]:
    """The answers of a player that is no model. Chance follows from each question."""
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
            except Forfeit as lost:
                answer = Answer(name, item.hash, lost.reason, detail=lost.detail)
                stack.close()
                player = None
            answers.append(replace(answer, seconds=round(monotonic() - began, 3)))
    return answers


async def _ask_model(
    name: str,
    spec: str,
    items: Sequence[Item],
    sitting: Sitting,
    at_once: int | None,
    budget: Budget | None,
    keep: Callable[[Answer, Sequence[Exchange]], None],
) -> None:
    """Many questions under way at the same time, as far as the budget allows."""
    model, address = name_and_address(spec.removeprefix("llm:"))
    player = ModelPlayer(model, address, sitting.time_limit, sitting.settings, in_exam=True)
    waiting = iter(items)
    under_way: set[asyncio.Task[None]] = set()

    async def ask(item: Item) -> None:
        exchanges: list[Exchange] = []
        try:
            move = await player.consider(item.position, exchanges.append)
            answer = Answer(name, item.hash, MOVE, item.position.game.format(move))
        except Forfeit as lost:
            answer = Answer(name, item.hash, lost.reason, detail=lost.detail)
        used = sum(map(usage_of, exchanges), NOTHING)
        seconds = round(sum(one["seconds"] for one in exchanges), 3)
        answer = replace(answer, used=used, seconds=seconds)
        keep(answer, exchanges)
        if budget:
            budget.count(answer.used)

    try:
        while True:
            while len(under_way) < (at_once or AT_ONCE):
                if budget and not budget.allows(len(under_way)):
                    break
                if (item := next(waiting, None)) is None:
                    break
                under_way.add(asyncio.create_task(ask(item)))
            if not under_way:
                return
            done, under_way = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()  # raises what ends the run
    finally:
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
        await player.aclose()
