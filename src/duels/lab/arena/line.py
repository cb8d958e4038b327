"""One line of the results: a match that was played, with the grade of every turn.

`read_line` and `Played.data` are the only places that know how it is written down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from duels.lab.arena.folder import Data, read_amount, read_count
from duels.lab.arena.usage import Usage, Usages
from duels.match.players.specs import FORFEITS
from duels.match.record_data import RESULTS

PHASES = ("opening", "middle", "end")
"""The thirds of the turns of a match."""
OURS = {"key", "label", "round", "grading", "forfeit", "model", "before"}
"""What a line has besides the record of the match."""
SPOILT = "failed"
"""The forfeit that is a server's fault: it says nothing about the players."""


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

    @property
    def by_chance(self) -> float:
        """How likely a random legal move keeps what there is to keep."""
        return self.winning / self.legal if self.winning else 1.0


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
class Played:
    """A match that was played: which of the plan, its record, and its grading."""

    label: str
    """The game, as it is written in the plan."""
    round: int
    record: Data
    """The match as `record_data` writes it."""
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
            data |= {name: _usages_data(usages)} if usages else {}
        return data


def key_of(label: str, names: tuple[str, str], round_: int) -> str:
    """Which match of a plan it is."""
    return " | ".join([label, *names, str(round_)])


def read_line(data: Any) -> Played:
    """The match that `Played.data` wrote; some error if it would be written otherwise."""
    forfeit = data["forfeit"]
    line = Played(
        label=str(data["label"]),
        round=read_count(data["round"]),
        record={name: value for name, value in data.items() if name not in OURS},
        grading=tuple(_grade(turn) for turn in data["grading"]),
        forfeit=None if forfeit is None else _forfeited(forfeit),
        model=_usages(data.get("model", {})),
        before=_usages(data.get("before", {})),
    )
    if line.data() != data or not line.winner or len(line.grading) != len(data["moves"]):
        raise ValueError("It contradicts itself.")
    return line


def _grade(data: Any) -> Grade:
    legal, winning, kept = read_count(data["legal"]), read_count(data["winning"]), data["kept"]
    if winning > legal or type(kept) is not bool:
        raise ValueError("No turn is like that.")
    return Grade(legal, winning, kept)


def _forfeited(data: Any) -> Forfeited:
    player, reason, detail = int(data["player"]), str(data["reason"]), str(data["detail"])
    if player not in (1, 2) or reason not in FORFEITS:
        raise ValueError("Nobody forfeits like that.")
    return Forfeited(player, reason, detail, read_count(data["legal"]), read_count(data["winning"]))


def _usages(data: Any) -> dict[int, Usage]:
    return {
        int(player): Usage(
            {kind: read_count(count) for kind, count in used["answers"].items()},
            read_count(used["tokens_in"]),
            read_count(used["tokens_out"]),
            int(used["uncounted"]),
            read_amount(used["cost"]),
        )
        for player, used in data.items()
    }


def _usages_data(usages: Usages) -> Data:
    return {
        str(player): {
            "answers": dict(used.answers),
            "tokens_in": used.tokens_in,
            "tokens_out": used.tokens_out,
            "uncounted": used.uncounted,
            "cost": used.cost,
        }
        for player, used in usages.items()
    }
