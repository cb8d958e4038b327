"""Models in a results folder: Inspect asks the missing questions, and its logs are the results.

Logs that `inspect eval` or `inspect eval-retry` wrote into the same folder count too, whatever the
model, its address and its price.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalSample, list_eval_logs, read_eval_log
from inspect_ai.model import Model
from inspect_ai.util import EarlyStop

from duels.core.errors import DAMAGED, DuelsError, OptionError
from duels.core.files import refuse_link
from duels.core.words import quoted
from duels.lab.arena.matches import MatchResult, read_result
from duels.lab.exam import tasks
from duels.lab.exam.results import Answer, answer_key, usage
from duels.lab.jobs import JobProgress, count, note
from duels.lab.results_folder import FolderError
from duels.match.players.models import error_words, set_prices, time_limits
from duels.match.players.prompt import ANSWERS, LATE, MOVE, Conditions
from duels.match.players.specs import FAILED

LOGS = "logs"
AT_ONCE = 10
"""Questions under way at the same time, unless `max_connections` says otherwise."""
MOST_WRITES = 500
"""The most times that a run writes its log, because each write copies the whole file. With fewer
than twice as many questions it writes after every answer, so a killed run loses none."""


class Budget:
    """An amount of money (2.50) or of tokens (500000tokens) for a whole run, and what is spent.

    The cost of a question is estimated by the mean of those before it. Questions that are under way
    when the budget is spent are answered.
    """

    def __init__(self, text: str) -> None:
        number = text.removesuffix("tokens").strip()
        self.in_tokens = number != text.strip()
        try:
            self.amount = float(number)
        except ValueError:
            self.amount = -1.0
        if not 0 < self.amount < 2**53:
            raise OptionError(f"{quoted(text)} is not an amount like 2.50 or 500000tokens.")
        self.spent = 0.0
        self.counted = 0
        self.is_spent = False
        self.is_blind = False
        """Whether a server does not count tokens, so that the budget cannot be guarded."""

    def count(self, tokens: Sequence[int] | None, cost: float | None) -> None:
        """Count one answer, if its cost is known."""
        amount = (sum(tokens) if tokens else None) if self.in_tokens else cost
        if amount is not None:
            self.spent += amount
            self.counted += 1

    def allows(self, running: int) -> bool:
        """Whether one more question may be asked while others are under way."""
        mean = self.spent / self.counted if self.counted else 0.0
        self.is_spent = self.is_spent or self.spent + (running + 1) * mean > self.amount
        return not self.is_spent

    def note_spent(self) -> None:
        """Say that the budget is spent, if it is."""
        if self.is_spent:
            spent = f"{self.spent:,.6g} of {self.amount:,.6g}{' tokens' if self.in_tokens else ''}"
            note(f"The budget is spent: {spent}. To continue, run it with a larger budget.")


@dataclass(frozen=True)
class ModelSettings:
    """The models of a run, what they see, and what they may use."""

    models: Sequence[Model] = ()
    show_legal: bool = True
    time_limit: float | None = None
    generate: Mapping[str, Any] = field(default_factory=dict)
    """Inspect's options of a request, for example temperature."""
    price: tuple[float, float] | None = None
    """The prices of a million tokens in and out."""
    budget: Budget | None = None

    @property
    def at_once(self) -> int:
        return int(self.generate.get("max_connections", AT_ONCE))


# Logs


class Sample(NamedTuple):
    """A sample in a log: the answer of a model, or its match."""

    answer: Answer
    match: MatchResult | None = None
    """The match in the task `play`, unless a server error ended it."""
    kinds: Mapping[str, int] = {}
    """How many answers of each kind the match had."""


def read_logs(folder: Path, task: str) -> dict[str, Sample]:
    """Return the samples in all logs of a task: the latest with a score, or else a failed one.

    They are found by the key of the answer: the name of the model and the id of the sample.
    """
    found: dict[str, Sample] = {}
    for one in _samples(folder / LOGS, task):
        if one.answer.is_graded or one.answer.key not in found:
            found[one.answer.key] = one
    return found


def _samples(path: Path, task: str) -> Iterator[Sample]:
    """Yield the samples of all logs of a task, the oldest log first."""
    unread = {"messages", "events", "attachments", "store"}
    for info in list_eval_logs(str(path), descending=False) if path.is_dir() else ():
        try:
            log = read_eval_log(info, exclude_fields=unread)
        except Exception as error:  # a damaged file can fail in any way
            file = path / info.name.rpartition("/")[2]
            words = f"{file} is not a log of Inspect, or it is damaged: {error}"
            raise DuelsError(words) from None
        metadata = log.eval.metadata or {}
        if log.eval.task.rpartition("/")[2] != task or "prompt" not in metadata:
            continue
        name, show_legal = tasks.player_name(log.eval.model, metadata), bool(metadata["show_legal"])
        for sample in log.samples or ():
            try:
                found = _read_sample(name, sample, show_legal, in_exam=task == "exam")
            except DAMAGED:
                words = f"A log of {name} is damaged: its score of {sample.id} cannot be read."
                raise DuelsError(words) from None
            yield found


def _read_sample(player: str, sample: EvalSample, show_legal: bool, *, in_exam: bool) -> Sample:
    score = None if sample.error else next(iter((sample.scores or {}).values()), None)
    noted = (score.metadata or {}) if score else {}
    detail = score.explanation if score else sample.error and sample.error.message
    kind = FAILED if not score else noted["kind"] if in_exam else MOVE
    used = tasks.usage_data(sample.model_usage.values())
    answer = Answer(
        player,
        str(sample.id),
        kind,
        score.answer if score and kind == MOVE else None,
        "" if kind == MOVE else detail or "",
        used["tokens"] and tuple(used["tokens"]),
        used["cost"],
        round(sample.working_time or 0.0, 3),
        is_model=True,
        show_legal=show_legal,
    )
    if in_exam or not score:
        return Sample(answer)
    return Sample(answer, read_result(noted["result"]), noted["answers"])


# Asking


def ask_models(out: Path, settings: ModelSettings, task: Task) -> list[Sample]:
    """Run the samples of a task that this folder does not have; return those of all models."""
    planned = [str(sample.id) for sample in task.dataset]
    name = task.name.rpartition("/")[2]
    found, budget = read_logs(out, name), settings.budget
    if budget:
        for one in found.values():
            budget.count(one.answer.tokens, one.answer.cost)
    conditions = tasks.conditions_data(Conditions(settings.show_legal))
    for model in settings.models:
        player = tasks.player_name(str(model), conditions)
        missing = _missing(found, player, planned)
        if missing:
            what = f"{'answers' if name == 'exam' else 'matches'} of {player}"
            done = len(planned) - len(missing)
            if done:
                note(f"{count(done, len(planned), what)} already saved.")
            with JobProgress(what, len(planned), done) as progress:
                try:
                    _ask(out / LOGS, model, task, missing, settings, progress)
                except DuelsError:  # on a full disk, the log lacks the last answers
                    with suppress(DuelsError):
                        saved = read_logs(out, name)
                        progress.done = len(planned) - len(_missing(saved, player, planned))
                    raise
    if budget:
        budget.note_spent()
    everything = read_logs(out, name) if settings.models else found
    return [one for one in everything.values() if one.answer.item in {*planned}]


def _missing(found: Mapping[str, Sample], player: str, planned: Sequence[str]) -> list[str]:
    """Return the samples without an answer of a player; a failed one has none."""
    graded = {key for key, one in found.items() if one.answer.is_graded}
    return [id_ for id_ in planned if answer_key(player, id_) not in graded]


def _ask(
    logs: Path,
    model: Model,
    task: Task,
    missing: list[str],
    settings: ModelSettings,
    progress: JobProgress,
) -> None:
    """Run the missing samples of a task with a model; Inspect writes the answers to its log."""
    try:
        refuse_link(logs)
    except OSError as error:
        raise FolderError(f"{logs} cannot be written: {error.strerror}.") from None
    limits = time_limits(settings.time_limit).model_dump(exclude_none=True)
    set_prices(model, settings.price)
    task.early_stopping = _Watch(settings, progress)
    try:
        with redirect_stdout(sys.stderr):  # ours is for the table
            found = inspect_eval(
                task,
                model=model,
                sample_id=[*missing],
                log_dir=str(logs),
                log_level="error",
                display="none",
                ctl_server=False,
                log_realtime=False,
                log_buffer=max(1, len(missing) // MOST_WRITES),
                fail_on_error=False,
                **{"max_connections": AT_ONCE} | limits | dict(settings.generate),
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


class _Watch:
    """Called by Inspect before and after each sample: shows progress and guards the budget."""

    def __init__(self, settings: ModelSettings, progress: JobProgress) -> None:
        self.budget = settings.budget
        self.at_once = settings.at_once
        self.progress = progress
        self.running: set[str] = set()

    async def start_task(self, task: Any, samples: Any, epochs: int) -> str:
        return "duels"

    async def schedule_sample(self, id: str | int, epoch: int) -> Any:  # noqa: A002
        budget, running = self.budget, min(len(self.running), self.at_once - 1)
        if budget and (budget.is_blind or not budget.allows(running)):
            return EarlyStop(id=id, epoch=epoch, reason="the budget is spent")
        self.running.add(str(id))
        return None

    async def complete_sample(self, id: str | int, epoch: int, scores: Any) -> None:  # noqa: A002
        self.running.discard(str(id))
        self.progress.step()
        score = next(iter(scores.values())).score.metadata if scores else {}
        if self.budget:
            self.budget.is_blind |= score.get("tokens") is None and score.get("kind") != LATE
            self.budget.count(score.get("tokens"), score.get("cost"))

    async def complete_task(self) -> dict[str, Any]:
        return {}


def answers_by_model(played: Sequence[Sample]) -> list[dict[str, Any]]:
    """Return the kinds of answers in matches and the usage of each model, for the report."""
    rows = []
    for name in dict.fromkeys(one.answer.player for one in played):
        mine = [one for one in played if one.answer.player == name]
        kinds = sum((Counter(one.kinds) for one in mine), Counter[str]())
        failed = sum(one.match is None for one in mine)
        counts = {kind: kinds[kind] for kind in ANSWERS}
        used = usage([one.answer for one in mine])
        rows.append({"player": name, "answers": counts, "failed": failed, **used})
    return rows
