"""The logs of Inspect in a results folder, read as answers to an exam or as graded matches.

Logs that `inspect eval` or `inspect eval-retry` wrote into the same folder count too, whatever the
model, its address and its price.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from duels.core.errors import DAMAGED, DuelsError, install
from duels.lab.arena.results import MatchResult, read_result
from duels.lab.exam.answers import Answer
from duels.match.players.answers import MOVE
from duels.match.players.specs import FAILED

LOGS = "logs"
T = TypeVar("T")


@dataclass(frozen=True)
class Prices:
    """What a million tokens cost; None if it is not known."""

    tokens_in: float | None = None
    tokens_out: float | None = None

    def cost(self, tokens: tuple[int, int] | None) -> float | None:
        if tokens is None or (self.tokens_in, self.tokens_out) == (None, None):
            return None
        read, written = tokens
        return (read * (self.tokens_in or 0) + written * (self.tokens_out or 0)) / 1_000_000


class LoggedSample(NamedTuple):
    """A sample of a log: which model was asked what, and the score; without one it has failed."""

    player: str
    """The name of the model in tables."""
    show_legal: bool
    id: str
    score: Mapping[str, Any] | None
    """The metadata of the score."""
    answer: str | None
    detail: str
    tokens: tuple[int, int] | None
    cost: float | None
    seconds: float


def read_logs(folder: Path, task: str) -> Iterator[LoggedSample]:
    """Yield the samples of all logs of a task in a results folder, the oldest log first."""
    path = folder / LOGS
    if not path.is_dir():
        return
    try:
        from inspect_ai.log import list_eval_logs, read_eval_log
    except ImportError:
        raise DuelsError(f"The logs of models need Inspect. {install('llm')}") from None
    unread = {"messages", "events", "attachments", "store"}
    for info in list_eval_logs(str(path), descending=False):
        try:
            log = read_eval_log(info, exclude_fields=unread)
        except Exception as error:  # a damaged file can fail in any way
            words = f"{info.name} is not a log of Inspect, or it is damaged: {error}"
            raise DuelsError(words) from None
        metadata = log.eval.metadata or {}
        if log.eval.task.rpartition("/")[2] == task and "prompt" in metadata:
            yield from _samples(log, metadata)


def _samples(log: Any, metadata: Mapping[str, Any]) -> Iterator[LoggedSample]:
    from duels.lab.exam.tasks import player_name, usage_data

    name = player_name(log.eval.model, dict(metadata))
    prices = Prices(metadata.get("price_in"), metadata.get("price_out"))
    for sample in log.samples or ():
        score = next(iter((sample.scores or {}).values()), None)
        found = usage_data(sample.model_usage.values())
        tokens = (found[0], found[1]) if found else None
        known = [usage.total_cost for usage in sample.model_usage.values()]
        cost = sum(known) if known and None not in known else prices.cost(tokens)
        yield LoggedSample(
            name,
            bool(metadata["show_legal"]),
            str(sample.id),
            None if sample.error or not score else score.metadata or {},
            score.answer if score else None,
            (sample.error.message if sample.error else score.explanation if score else "") or "",
            tokens,
            cost,
            round(sample.working_time or 0.0, 3),
        )


def model_answers(folder: Path) -> dict[str, Answer]:
    """Return the answers of models to an exam by key: the latest that counts, or a failure."""
    found: dict[str, Answer] = {}
    for one in read_logs(folder, "exam"):
        answer = _read(_answer, one)
        if answer.is_graded or answer.key not in found:
            found[answer.key] = answer
    return found


def _answer(one: LoggedSample) -> Answer:
    kind = one.score["kind"] if one.score else FAILED
    move = one.answer if kind == MOVE else None
    detail = "" if kind == MOVE else one.detail
    rest = (kind, move, detail, one.tokens, one.cost, one.seconds)
    return Answer(one.player, one.id, *rest, is_model=True, show_legal=one.show_legal)


def _read(read: Callable[[LoggedSample], T], one: LoggedSample) -> T:
    """Return the result of a sample; DuelsError if our scorer cannot have written it."""
    try:
        return read(one)
    except DAMAGED:
        words = f"A log of {one.player} is damaged: its score of {one.id} cannot be read."
        raise DuelsError(words) from None


class PlayedMatch(NamedTuple):
    """A match of a model in a log: None if a server error ended it."""

    player: str
    id: str
    result: MatchResult | None
    answers: Mapping[str, int]
    tokens: tuple[int, int] | None
    cost: float | None
    detail: str


def model_matches(folder: Path) -> dict[tuple[str, str], PlayedMatch]:
    """Return the matches of models, by the model and the sample."""
    found: dict[tuple[str, str], PlayedMatch] = {}
    for one in read_logs(folder, "play"):
        match = _read(_match, one)
        if match.result or (one.player, one.id) not in found:
            found[one.player, one.id] = match
    return found


def _match(one: LoggedSample) -> PlayedMatch:
    result = read_result(one.score["result"]) if one.score else None
    answers = one.score["answers"] if one.score else {}
    rest = (one.tokens, one.cost, one.detail)
    return PlayedMatch(one.player, one.id, result, answers, *rest)
