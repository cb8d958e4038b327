"""Matches of a tournament: how they are played, graded and written to results.jsonl.

A choice is a won position in which some legal move would give the win away: only there can a player
go wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from time import monotonic
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, Struct

from duels.core.errors import TooLarge
from duels.core.game import Move
from duels.lab.arena.tournament import Pairing, match_key
from duels.lab.reports import ALL_GAMES, PHASES, Tally
from duels.lab.results_folder import Count, Data, ResultsFolder
from duels.match.players.prompt import Conditions
from duels.match.players.specs import FAILED, FORFEITS, Forfeit, open_player
from duels.match.record_data import RESULTS, record_data
from duels.theory import winning_moves

Chance = Annotated[float, Meta(ge=0, le=1)]


class Grade(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The grade of a turn: how many moves were legal, how many won, and whether a win was kept."""

    legal: Count
    winning: Count
    kept: bool
    chance: Chance | None = None
    """How likely random answers keep the win, if the legal moves were hidden from the player."""

    def __post_init__(self) -> None:
        if self.winning > self.legal:
            raise ValueError("more moves win than are legal")

    @property
    def is_choice(self) -> bool:
        """Whether the position was won and some move would have given the win away."""
        return 0 < self.winning < self.legal

    @property
    def by_chance(self) -> float:
        """The probability that a random answer keeps the win; 1 if the position was lost."""
        if not self.winning:
            return 1.0
        return self.winning / self.legal if self.chance is None else self.chance


class ForfeitedTurn(Struct, frozen=True, forbid_unknown_fields=True):
    """The turn in which a player forfeited; its grade, the last one, keeps no win."""

    player: Annotated[int, Meta(ge=1, le=2)]
    reason: str
    detail: str

    def __post_init__(self) -> None:
        if self.reason not in FORFEITS:
            raise ValueError(f"unknown reason: {self.reason}")


class Played(NamedTuple):
    """The course of a match: equal for matches that repeat each other move for move."""

    label: str
    names: tuple[str, str]
    moves: str
    forfeit: str


class MatchResult(Struct, frozen=True):
    """A finished match of a plan."""

    label: str
    """The game, as the plan writes it."""
    round: Count
    record: Data
    """The match as `record_data` writes it."""
    grading: tuple[Grade, ...]
    """The grade of each turn after the opening, also of a forfeited one."""
    forfeit: ForfeitedTurn | None = None

    @property
    def key(self) -> str:
        return match_key(self.label, self.names, self.round)

    @property
    def names(self) -> tuple[str, str]:
        """The names of player 1, who moved first, and of player 2."""
        return self.record["player1"], self.record["player2"]

    @property
    def winner(self) -> int:
        """The player who won, 1 or 2."""
        return RESULTS[self.record["result"]] or 0

    @property
    def given(self) -> int:
        """The number of moves that were drawn as an opening; they are not graded."""
        given: int = self.record.get("given", 0)
        return given

    @property
    def played(self) -> Played:
        moves, forfeit = json.dumps(self.record["moves"]), self.forfeit
        return Played(self.label, self.names, moves, forfeit.reason if forfeit else "")

    @property
    def is_rated(self) -> bool:
        """Whether the match counts: a server error says nothing about the players."""
        return not (self.forfeit and self.forfeit.reason == FAILED)

    @property
    def server_errors(self) -> list[tuple[str, str | None]]:
        """The players, each with the error of its server or None; after an error only the one."""
        failed = None if self.is_rated else self.forfeit
        if failed:
            return [(self.names[failed.player - 1], failed.detail)]
        return [(name, None) for name in self.names]

    def turns(self, player: int) -> Iterator[tuple[str, Grade]]:
        """Yield the phase and the grade of each turn of a player."""
        plies = self.given + len(self.grading)
        for ply, grade in enumerate(self.grading, start=self.given):
            if 1 + ply % 2 == player:
                yield PHASES[len(PHASES) * ply // plies], grade

    def data(self) -> Data:
        """Return the result as plain data: the fields of the record among its own."""
        data: Data = msgspec.to_builtins(self)
        record: Data = data.pop("record")
        data["grading"] = [*data["grading"]]
        return {"label": data.pop("label"), "round": data.pop("round")} | record | data


OWN_FIELDS = {*MatchResult.__struct_fields__} - {"record"}
"""The fields of a line that are not of the record."""


def read_result(data: Any) -> MatchResult:
    """Return the result in a line; ValueError or KeyError if it is damaged."""
    own = {name: value for name, value in data.items() if name in OWN_FIELDS}
    record = {name: value for name, value in data.items() if name not in OWN_FIELDS}
    result = msgspec.convert(own | {"record": record}, MatchResult)
    turns = len(data["moves"]) - result.given + (result.forfeit is not None)
    if not result.winner or len(result.grading) != turns:
        raise ValueError("The line contradicts itself.")
    return result


# Playing


def play_matches(
    folder: ResultsFolder[MatchResult], pairings: Iterable[Pairing]
) -> list[MatchResult]:
    """Play the matches that have no result yet; return all results in the order of the plan.

    Matches that a server error ended are played again.
    """
    planned = {pairing.key: pairing for pairing in pairings}
    done = {
        key: result
        for key, result in folder.open().items()
        if key in planned and result.names == planned[key].names and result.is_rated
    }
    left = [pairing for key, pairing in planned.items() if key not in done]
    folder.complete(done, play_match, left, "matches", len(done), len(planned))
    ordered = [done[key] for key in planned]
    if left:
        folder.write_in_order(ordered)
    return ordered


def play_match(pairing: Pairing) -> list[MatchResult]:
    """Play and grade a match; return its result in a list, as a task of `complete`."""
    playing = GradedMatch(pairing)
    with ExitStack() as stack:
        players = [
            stack.enter_context(open_player(seat.computer, playing.match.seed, pairing.time_limit))
            for seat in pairing.seats
        ]
        while not playing.match.outcome:
            here, began = playing.match.position, monotonic()
            try:
                move = players[here.to_move - 1].choose(here)
            except Forfeit as lost:
                playing.forfeit(lost)
            else:
                playing.play(move, monotonic() - began)
    return [playing.result]


class GradedMatch:
    """A match of a pairing under way, with the grade of every turn so far.

    The conditions of a model are given by its number, 1 or 2.
    """

    def __init__(
        self, pairing: Pairing, conditions: Mapping[int, Conditions] | None = None
    ) -> None:
        self.match = pairing.new_match()
        self._pairing = pairing
        self._conditions = conditions or {}
        self._grading: list[Grade] = []
        self._forfeit: ForfeitedTurn | None = None

    def play(self, move: Move, seconds: float) -> None:
        """Play a legal move and grade it."""
        after = self.match.play(move, seconds)
        self._grade(after.moves[-1])
        self.match = after

    def forfeit(self, lost: Forfeit) -> None:
        """End the match: the player to move forfeits."""
        self._grade(None)
        self._forfeit = ForfeitedTurn(self.match.position.to_move, lost.reason, lost.detail)
        self.match = self.match.forfeit(lost)

    @property
    def result(self) -> MatchResult:
        """The result of the finished match."""
        graded = (record_data(self.match), tuple(self._grading), self._forfeit)
        return MatchResult(self._pairing.label, self._pairing.round, *graded)

    def _grade(self, move: Move | None) -> None:
        """Grade the turn before it changes the match."""
        here = self.match.position
        try:
            winning = winning_moves(here)
        except TooLarge as error:
            raise TooLarge(f"{self._pairing.label} cannot be graded. {error}") from None
        shown = self._conditions.get(here.to_move, Conditions())
        chance = None if shown.show_legal else round(shown.chance(here, len(winning)), 6)
        kept = not winning or move in winning
        self._grading.append(Grade(here.legal_count, len(winning), kept, chance))


# Grades


@dataclass
class Grades:
    """The graded moves of one player at one game, counted by match."""

    won: Tally = field(default_factory=Tally)
    moves: Tally = field(default_factory=Tally)
    choices: Tally = field(default_factory=Tally)
    from_won: Tally = field(default_factory=Tally)
    blunders: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PHASES, 0))
    forfeits: dict[str, int] = field(default_factory=dict)

    def add(self, result: MatchResult, player: int) -> None:
        """Count a match in which this player was player 1 or 2."""
        turns, played = [*result.turns(player)], result.played
        grades, has_won = [grade for _, grade in turns], result.winner == player
        self.won.add(has_won, 1, group=played)
        self.moves.add(*_counts(grades), played)
        self.choices.add(*_counts([grade for grade in grades if grade.is_choice]), played)
        self.from_won.add(has_won, any(grade.winning for grade in grades), group=played)
        for phase, grade in turns:
            self.blunders[phase] += not grade.kept
        forfeit = result.forfeit
        if forfeit and forfeit.player == player:
            self.forfeits[forfeit.reason] = self.forfeits.get(forfeit.reason, 0) + 1

    def data(self) -> Data:
        """Return all scores as plain data."""
        return {
            "matches": self.won.data()["of"],
            "distinct": len(self.won.groups),
            "won": self.won.data(),
            "moves": self.moves.data(),
            "choices": self.choices.data(),
            "from_won": self.from_won.data(),
            "blunders": self.blunders,
            "forfeits": self.forfeits,
        }


def _counts(grades: Sequence[Grade]) -> tuple[int, int, float]:
    """Return the moves that kept the win, all moves, and how many random play would keep."""
    kept = sum(grade.kept for grade in grades)
    return kept, len(grades), sum(grade.by_chance for grade in grades)


def grade_players(results: Iterable[MatchResult]) -> dict[str, dict[str, Grades]]:
    """Return the grades of each player by game, and over all games; unrated matches are ignored."""
    found: dict[str, dict[str, Grades]] = {ALL_GAMES: {}}
    for result in results:
        for place in (ALL_GAMES, result.label):
            players = found.setdefault(place, {})
            for player, name in enumerate(result.names, start=1):
                grades = players.setdefault(name, Grades())
                if result.is_rated:
                    grades.add(result, player)
    return found
