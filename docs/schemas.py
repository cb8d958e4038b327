"""The JSON schemas of the files of arena, exams and atlas, from what reads and writes them."""

from __future__ import annotations

import json
from typing import Any, Literal, TypedDict

import msgspec
from msgspec import UNSET, Struct, UnsetType

from duels.lab.arena.matches import ForfeitedTurn, Grade
from duels.lab.exam.dataset import ItemRow, Manifest
from duels.lab.exam.results import Answer
from duels.lab.results_folder import Count, Origin

Interval = tuple[float, float]


class AnswerLine(Answer, frozen=True, kw_only=True):
    """A line of results.jsonl: the answer of a player to an item, and what it cost."""

    key: str
    origin: Origin


class ExamPlan(Struct, frozen=True, kw_only=True):
    """plan.json: which exam the results in the folder are for."""

    version: int
    kind: Literal["exam run"]
    exam: str
    name: str
    seed: int
    splits: list[str]
    positions: Count
    rules: int
    origin: Origin


class Score(TypedDict):
    """A count and its share, next to chance at the same positions where there is such a thing."""

    count: Count
    of: Count
    share: float | None
    interval: Interval | None
    random: float | None
    corrected: float | None
    corrected_interval: Interval | None


class PlayerScore(Score):
    """What one player or model has answered."""

    player: str
    is_baseline: bool
    failed: Count
    answers: dict[str, Score]
    by: dict[str, dict[str, Score]]
    tokens_in: Count
    tokens_out: Count
    cost: float | None


class ExamSummary(TypedDict):
    """summary.json: everything in the report."""

    origin: Origin
    hash: str
    plan: ExamPlan
    positions: Count
    random: float
    random_hidden: float | None
    players: list[PlayerScore]


# The arena, and matches of models


class ArenaPlan(Struct, frozen=True, kw_only=True):
    """plan.json: who plays what in the matches of the folder."""

    version: int
    kind: Literal["tournament", "matches"]
    games: list[str]
    rounds: Count
    seed: int
    rules: int
    origin: Origin
    players: dict[str, str] | UnsetType = UNSET
    """Specifications by name, in a tournament."""
    time_limit: float | UnsetType | None = UNSET
    opponent: str | UnsetType = UNSET
    """The level that models play against, in matches of models."""


class MatchLine(Struct, frozen=True, kw_only=True):
    """A line of results.jsonl: the record of a match, with the grade of each turn after `given`."""

    key: str
    label: str
    round: Count
    version: int
    id: str
    date: str
    game: str
    options: dict[str, int | str]
    rules: int
    player1: str
    """The player who moved first."""
    player2: str
    computer1: str
    computer2: str
    seed: int
    given: Count
    """The number of moves of the opening that was drawn."""
    moves: list[int | list[int]]
    seconds: list[float]
    result: Literal["1-0", "0-1"]
    termination: str
    grading: list[Grade]
    forfeit: ForfeitedTurn | None
    origin: Origin


class Rated(TypedDict):
    """The rating and the grades of one player."""

    player: str
    rating: int | None
    """None if only a bound is known: it is above `low`, or below `high`."""
    low: int | None
    high: int | None
    matches: Count
    distinct: Count
    """Matches that do not repeat another one move for move; the intervals count these."""
    won: Score
    moves: Score
    """Moves that did not give a win away."""
    choices: Score
    """Won positions in which a move could give the win away, and the win was kept."""
    from_won: Score
    """Matches won, of those with a won position."""
    blunders: dict[str, Count]
    forfeits: dict[str, Count]


class RatedPlayer(Rated):
    """The same over all games."""

    spec: str


class Repeated(TypedDict):
    """A pair that has repeated games at one board."""

    game: str
    players: list[str]
    matches: Count
    distinct: Count


class ModelUse(TypedDict):
    """The answers of a model by kind, and what they cost."""

    player: str
    answers: dict[str, Count]
    failed: Count
    tokens_in: Count
    tokens_out: Count
    cost: float | None


class OfModels(TypedDict, total=False):
    models: list[ModelUse]


class ArenaSummary(OfModels):
    """summary.json: everything in the report; `models` only in matches of models."""

    origin: Origin
    hash: str
    plan: ArenaPlan
    matches: Count
    distinct: Count
    unrated: Count
    repeated: list[Repeated]
    players: list[RatedPlayer]
    games: dict[str, list[Rated]]


# The atlas


class AtlasPlan(Struct, frozen=True, kw_only=True):
    """plan.json: the game whose sizes are in the folder."""

    version: int
    kind: Literal["atlas"]
    game: str
    options: dict[str, str]
    rules: int
    origin: Origin


class AtlasLine(Struct, frozen=True, kw_only=True):
    """A line of results.jsonl: one size; some games have further columns with counts."""

    key: str
    size: Count
    winner: Literal[1, 2]
    openings: Count
    winning: Count
    winning_openings: list[str] | None
    origin: Origin


FILES: dict[str, Any] = {
    "arena-plan": ArenaPlan,
    "arena-result": MatchLine,
    "arena-summary": ArenaSummary,
    "atlas-plan": AtlasPlan,
    "atlas-result": AtlasLine,
    "exam": Manifest,
    "exam-item": ItemRow,
    "exam-plan": ExamPlan,
    "exam-result": AnswerLine,
    "exam-summary": ExamSummary,
    "origin": Origin,
}
"""The type of each file, or of each line of it; `origin` is in the metadata of Parquet."""


def schema(name: str) -> dict[str, Any]:
    draft = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return draft | msgspec.json.schema(FILES[name])


def schemas() -> dict[str, str]:
    """The schemas as text, by file name."""
    return {f"{name}.json": json.dumps(schema(name), indent=2) + "\n" for name in FILES}
