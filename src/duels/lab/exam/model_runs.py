"""Models asked by Inspect: what a results folder lacks, within a budget for the whole run."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from duels.core.errors import DuelsError, OptionError
from duels.core.files import refuse_link
from duels.games import RULES_VERSION
from duels.lab.arena.tournament import Tournament, matches_against
from duels.lab.exam.answers import ExamRun
from duels.lab.exam.logs import LOGS, PlayedMatch, Prices, model_answers, model_matches
from duels.lab.exam.report import usage
from duels.lab.jobs import JobProgress
from duels.lab.results_folder import FolderError, Plan
from duels.match.players.answers import ANSWERS, LATE
from duels.match.players.levels import RANDOM
from duels.match.players.prompt import Conditions

RANDOM_NAME = "random player"
"""Plays the same matches as a model, because its chance of winning cannot be computed."""


class Budget:
    """An amount of money or of tokens for a whole run, and what was spent of it so far.

    What a question will cost is estimated by the mean of those before it. Questions that are under
    way when the budget is spent are answered.
    """

    def __init__(self, amount: float, *, in_tokens: bool = False) -> None:
        self.amount = amount
        self.in_tokens = in_tokens
        self.spent = 0.0
        self.counted = 0
        self.is_spent = False
        self.is_blind = False
        """Whether a server does not count tokens, so that nothing can be said."""

    def count(self, tokens: tuple[int, int] | None, cost: float | None) -> None:
        """Count the answer to one question, if it is known what it cost."""
        amount = (sum(tokens) if tokens else None) if self.in_tokens else cost
        if amount is not None:
            self.spent += amount
            self.counted += 1

    def allows(self, running: int) -> bool:
        """Whether one more question may be asked while others are under way."""
        mean = self.spent / self.counted if self.counted else 0.0
        self.is_spent = self.is_spent or self.spent + (running + 1) * mean > self.amount
        return not self.is_spent

    @property
    def words(self) -> str:
        unit = " tokens" if self.in_tokens else ""
        return f"{self.spent:,.6g} of {self.amount:,.6g}{unit}"


@dataclass(frozen=True)
class ModelSettings:
    """How models are asked in one run: where, how, how many questions at once, for how much."""

    base_url: str | None = None
    prices: Prices = field(default_factory=Prices)
    at_once: int = 10
    budget: Budget | None = None
    generate: Mapping[str, Any] = field(default_factory=dict)
    """Inspect's options of a request, for example temperature."""
    time_limit: float | None = None
    show_legal: bool = True

    @property
    def conditions(self) -> Conditions:
        return Conditions(self.show_legal)

    def full_name(self, model: str) -> str:
        """Return the model with its address, as `find_model` reads it."""
        return f"{model}@{self.base_url}" if self.base_url else model

    def count_spent(self, tokens: tuple[int, int] | None, cost: float | None) -> None:
        """Count what an earlier run in the same folder has spent."""
        if self.budget:
            self.budget.count(tokens, cost)


class _Watch:
    """Told by Inspect before and after each sample: shows progress and guards the budget."""

    def __init__(self, settings: ModelSettings, progress: JobProgress) -> None:
        self.settings = settings
        self.progress = progress
        self.running: set[str] = set()

    async def start_task(self, task: Any, samples: Any, epochs: int) -> str:
        return "duels"

    async def schedule_sample(self, id: str | int, epoch: int) -> Any:  # noqa: A002
        from inspect_ai.util import EarlyStop

        budget, running = self.settings.budget, min(len(self.running), self.settings.at_once - 1)
        if budget and (budget.is_blind or not budget.allows(running)):
            return EarlyStop(id=id, epoch=epoch, reason="the budget is spent")
        self.running.add(str(id))
        return None

    async def complete_sample(self, id: str | int, epoch: int, scores: Any) -> None:  # noqa: A002
        self.running.discard(str(id))
        self.progress.step()
        score = next(iter(scores.values())).score.metadata if scores else {}
        budget, found = self.settings.budget, score.get("tokens")
        if budget:
            tokens = (found[0], found[1]) if found else None
            budget.is_blind |= found is None and score.get("kind") != LATE
            budget.count(tokens, self.settings.prices.cost(tokens))

    async def complete_task(self) -> dict[str, Any]:
        return {}


def ask_exam(
    out: Path, exam: Path, run: ExamRun, models: Iterable[str], settings: ModelSettings
) -> None:
    """Let models answer the items of an exam that they have not answered in this folder."""
    if not models:
        return
    from duels.lab.exam import tasks

    answers = model_answers(out)
    for answer in answers.values():
        settings.count_spent(answer.tokens, answer.cost)
    for model in models:
        name = tasks.player_name(model, tasks.conditions_data(settings.conditions))
        done = {one.item for one in answers.values() if one.player == name and one.is_graded}
        missing = [item.hash for item in run.items if item.hash not in done]
        task = tasks.exam(
            str(exam.absolute()), list(run.splits), len(run.items), settings.show_legal
        )
        _ask(out, model, task, missing, len(run.items), settings, "answers")


@dataclass(frozen=True)
class Matches:
    """The matches of each player against one level."""

    games: list[str]
    opponent: str
    rounds: int
    seed: int

    @property
    def plan(self) -> Plan:
        return {
            "kind": "matches",
            "games": [*self.contest([]).games],
            "opponent": self.opponent,
            "rounds": self.rounds,
            "seed": self.seed,
            "rules": RULES_VERSION,
        }

    def contest(self, models: Iterable[str]) -> Tournament:
        """Return the matches of a random player, and of models by their names in tables."""
        players = dict.fromkeys(models, "") | {RANDOM_NAME: RANDOM}
        return matches_against(self.opponent, self.games, self.rounds, self.seed, players)

    def ask(self, out: Path, models: Sequence[str], settings: ModelSettings) -> list[PlayedMatch]:
        """Let models play the matches that are missing; return all matches of models there."""
        if not models and not (out / LOGS).is_dir():
            return []
        from duels.lab.exam import tasks

        there = model_matches(out)
        for one in there.values():
            settings.count_spent(one.tokens, one.cost)
        rest = (self.games, self.opponent, self.rounds, self.seed)
        for model in models:
            name = tasks.player_name(model, tasks.conditions_data(settings.conditions))
            task = tasks.play(*rest, show_legal=settings.show_legal)
            ids = [str(sample.id) for sample in task.dataset]
            missing = [one for one in ids if not ((name, one) in there and there[name, one].result)]
            _ask(out, model, task, missing, len(ids), settings, "matches")
        planned = {str(sample.id) for sample in tasks.play(*rest).dataset}
        return [one for one in model_matches(out).values() if one.id in planned]

    def answers(self, played: Sequence[PlayedMatch]) -> dict[str, Any]:
        """Return the kinds of answers and the usage of each model, for the report."""
        rows = []
        for name in dict.fromkeys(one.player for one in played):
            mine = [one for one in played if one.player == name]
            kinds = sum((Counter(one.answers) for one in mine), Counter[str]())
            failed = sum(one.result is None for one in mine)
            counts = {kind: kinds[kind] for kind in ANSWERS} | {"failed": failed}
            rows.append({"player": name, "answers": counts, **usage(mine)})
        return {"models": rows}


def _ask(
    out: Path,
    name: str,
    task: Any,
    missing: Collection[str],
    total: int,
    settings: ModelSettings,
    what: str,
) -> None:
    """Let Inspect ask a model the missing samples of a task; the answers are in its log."""
    from inspect_ai import eval as inspect_eval

    from duels.match.players.models import error_words, find_model, time_limits

    if not missing:
        return
    logs = out / LOGS
    try:
        refuse_link(logs)
    except OSError as error:
        raise FolderError(f"{logs} cannot be written: {error.strerror}.") from None
    limits = time_limits(settings.time_limit) if settings.time_limit else None
    generate = {
        "max_connections": settings.at_once,
        **(limits.model_dump(exclude_none=True) if limits else {}),
        **settings.generate,
    }
    prices = {"price_in": settings.prices.tokens_in, "price_out": settings.prices.tokens_out}
    task.metadata |= prices
    with JobProgress(what, total, total - len(missing)) as progress:
        task.early_stopping = _Watch(settings, progress)
        try:
            with redirect_stdout(sys.stderr):  # ours is for the table
                found = inspect_eval(
                    task,
                    model=find_model(settings.full_name(name)),
                    sample_id=[*missing],
                    log_dir=str(logs),
                    log_level="error",
                    display="none",
                    ctl_server=False,
                    log_realtime=False,
                    fail_on_error=False,
                    max_samples=settings.at_once,
                    **generate,
                )
        except DuelsError:
            raise
        except Exception as error:
            raise OptionError(f"Inspect cannot run this. {error_words(error)}") from None
        if not found or found[0].status == "cancelled":
            raise KeyboardInterrupt  # Inspect has caught it, and written its log
        if found[0].error:
            raise DuelsError(f"Inspect stopped. {found[0].error.message}")
    if settings.budget and settings.budget.is_blind:
        raise DuelsError("The server does not count tokens, so a budget cannot be guarded.")
