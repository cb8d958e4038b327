"""One line of the results: a match that was played, with the grade of every turn.

`read_line` and `Played.data` are the only places that know how it is written down.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from duels.players.specs import FORFEITS
from duels.record.fields import RESULTS

PHASES = ("opening", "middle", "end")
"""The thirds of the turns of a match."""
SPOILT = "failed"
"""The forfeit that is a server's fault: it says nothing about the players."""

Data = dict[str, Any]


@dataclass(frozen=True)
class Grade:
    """One turn: how many moves were legal, how many of them won, and whether a win was kept."""

    legal: int
    winning: int
    kept: bool

    @property
    def is_choice(self) -> bool:
        """Whether the position was won and some move would have given the win away."""
        return 0 < self.winning < self.legal


@dataclass(frozen=True)
class Forfeited:
    """Who lost without a move, why, and where: who forfeits a won position keeps no win."""

    player: int
    reason: str
    detail: str
    legal: int
    winning: int

    @property
    def grade(self) -> Grade:
        return Grade(self.legal, self.winning, kept=not self.winning)


@dataclass(frozen=True)
class Usage:
    """What a model has answered in a match, by kind, and what that came to."""

    answers: Mapping[str, int] = field(default_factory=dict)
    tokens_in: int = 0
    tokens_out: int = 0
    uncounted: int = 0
    """Answers whose tokens the server has not counted."""
    cost: float | None = None

    def __add__(self, more: Usage) -> Usage:
        answers = dict(self.answers)
        for kind, count in more.answers.items():
            answers[kind] = answers.get(kind, 0) + count
        costs = [cost for cost in (self.cost, more.cost) if cost is not None]
        return Usage(
            answers,
            self.tokens_in + more.tokens_in,
            self.tokens_out + more.tokens_out,
            self.uncounted + more.uncounted,
            round(sum(costs), 8) if costs else None,
        )


Usages = Mapping[int, Usage]
"""By player, for those who are models."""


@dataclass(frozen=True)
class Played:
    """A match that was played: which of the plan, its record, and its grading."""

    label: str
    """The game, as it is written in the plan."""
    round: int
    record: Data
    """The match as `duels.record.jsonl` writes it."""
    grading: tuple[Grade, ...]
    forfeit: Forfeited | None = None
    model: Usages = field(default_factory=dict)
    before: Usages = field(default_factory=dict)
    """What was paid for the same match before, when a server spoilt it."""

    @property
    def key(self) -> str:
        return key_of(self.label, self.names, self.round)

    @property
    def names(self) -> tuple[str, str]:
        """The names of the player who began and of the other."""
        return self.record["player1"], self.record["player2"]

    @property
    def winner(self) -> int:
        """Who won: 1, who began, or 2."""
        return RESULTS[self.record["result"]] or 0

    @property
    def is_rated(self) -> bool:
        """A match that a server spoilt says nothing about the players."""
        return not (self.forfeit and self.forfeit.reason == SPOILT)

    def player(self, name: str) -> int:
        """Whether somebody was player 1 or 2."""
        return 1 + self.names.index(name)

    def turns(self, player: int) -> Iterator[tuple[str, Grade]]:
        """The grade of each turn of a player, with its phase."""
        grades = [*self.grading, *([self.forfeit.grade] if self.forfeit else [])]
        for ply, grade in enumerate(grades):
            if 1 + ply % 2 == player:
                yield PHASES[len(PHASES) * ply // len(grades)], grade

    def data(self) -> Data:
        """The line as plain data."""
        data = {"key": self.key, "label": self.label, "round": self.round, **self.record}
        data["grading"] = [asdict(grade) for grade in self.grading]
        data["forfeit"] = asdict(self.forfeit) if self.forfeit else None
        for name, usages in (("model", self.model), ("before", self.before)):
            if usages:
                data[name] = {str(player): _usage_data(use) for player, use in usages.items()}
        return data


def key_of(label: str, names: tuple[str, str], round_: int) -> str:
    """Which match of a plan it is."""
    return " | ".join([label, *names, str(round_)])


def total(usages: Iterable[Usages]) -> dict[int, Usage]:
    """What several runs of the same match came to."""
    totals: dict[int, Usage] = {}
    for usage in usages:
        for player, used in usage.items():
            totals[player] = totals.get(player, Usage()) + used
    return totals


def read_line(data: Any) -> Played:
    """The match that `Played.data` wrote; KeyError, TypeError or ValueError if it is damaged."""
    record = dict(data)
    key, label = _of(str, record.pop("key")), _of(str, record.pop("label"))
    round_, forfeit = _of(int, record.pop("round")), record.pop("forfeit")
    grading = tuple(_grade(grade) for grade in _of(list, record.pop("grading")))
    played = Played(
        label,
        round_,
        record,
        grading,
        _forfeited(forfeit) if forfeit is not None else None,
        _usages(record.pop("model", {})),
        _usages(record.pop("before", {})),
    )
    for name in played.names:
        _of(str, name)
    if played.key != key or not played.winner or len(grading) != len(_of(list, record["moves"])):
        raise ValueError("It contradicts itself.")
    return played


def _grade(data: Any) -> Grade:
    return Grade(_of(int, data["legal"]), _of(int, data["winning"]), _of(bool, data["kept"]))


def _forfeited(data: Any) -> Forfeited:
    player, reason = _of(int, data["player"]), _of(str, data["reason"])
    if player not in (1, 2) or reason not in FORFEITS:
        raise ValueError("Nobody forfeits like that.")
    counts = (_of(int, data["legal"]), _of(int, data["winning"]))
    return Forfeited(player, reason, _of(str, data["detail"]), *counts)


def _usages(data: Any) -> dict[int, Usage]:
    return {int(player): _usage(used) for player, used in _of(dict, data).items()}


def _usage(data: Any) -> Usage:
    answers, cost = _of(dict, data["answers"]), data["cost"]
    return Usage(
        {kind: _of(int, count) for kind, count in answers.items()},
        _of(int, data["tokens_in"]),
        _of(int, data["tokens_out"]),
        _of(int, data["untold"]),
        None if cost is None else float(cost),
    )


def _usage_data(usage: Usage) -> Data:
    return {
        "answers": dict(usage.answers),
        "tokens_in": usage.tokens_in,
        "tokens_out": usage.tokens_out,
        "untold": usage.uncounted,
        "cost": usage.cost,
    }


def _of(kind: type, value: Any) -> Any:
    """A value that must be of a type, and not of one that only behaves like it."""
    if type(value) is not kind:
        raise TypeError(f"{value!r} is not of the type {kind.__name__}.")
    return value
