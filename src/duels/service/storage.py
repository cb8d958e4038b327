"""Storage: what a place to save matches and classes must do, one in memory, and saved documents."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

import msgspec
from msgspec import Struct

from duels.core.errors import DAMAGED
from duels.core.game import Game, Outcome
from duels.games import UnknownGame, game
from duels.match.match import Match, Seats
from duels.service.classes import Board, Plan, Pupil, SchoolClass
from duels.service.hosted import Help, Hosted, Takeback, is_id
from duels.service.problems import Problem
from duels.service.tokens import SeatToken

T = TypeVar("T")


class StoredMatch(NamedTuple):
    """A hosted match and the number of event streams open on it."""

    hosted: Hosted
    watching: int = 0


class ListedMatch(NamedTuple):
    """A match in a list: what is known without replaying its moves."""

    id: str
    game: str
    seats: Seats
    ply: int


class Transaction(Protocol):
    """The saved matches and classes during one job; all its changes are saved, or none."""

    def find(
        self, match_id: str, now: int, known: Hosted | None = None, *, lock: bool = False
    ) -> StoredMatch | None:
        """Return a match; `known` if that is still the newest version."""

    def exists(self, match_id: str) -> bool:
        """Whether a match is saved, even if its game is not installed."""

    def insert(self, hosted: Hosted, client: str) -> None:
        """Save a new match and charge this client; a Problem if that is one too many."""

    def update(self, before: Hosted, after: Hosted, now: int) -> Hosted:
        """Save a changed match and return it with its new version."""

    def reschedule(self, hosted: Hosted) -> None:
        """Set again when a match is due, after nothing had to be done."""

    def listed(self) -> Iterable[ListedMatch]:
        """Return the public matches in progress, the latest first."""

    def find_class(self, code: str, *, lock: bool = False) -> SchoolClass | None:
        """Return a class by its code."""

    def count_guess(self, client: str, cost: int, now: int) -> None:
        """Charge a wrong class code to a client; a Problem after too many."""

    def insert_class(self, it: SchoolClass, client: str) -> None:
        """Save a new class and charge this client; a Problem if that is one too many."""

    def update_class(self, before: SchoolClass, after: SchoolClass, now: int) -> None:
        """Save a changed class with a new version."""

    def remove_class(self, it: SchoolClass) -> None:
        """Remove a class and its matches."""


Job = Callable[[Transaction], T]


class Store(Protocol):
    """A place that saves matches and classes."""

    def read(self, job: Job[T]) -> Awaitable[T]:
        """Run a job that only reads."""

    def write(self, job: Job[T]) -> Awaitable[T]:
        """Run a job that changes something; when it returns, all of it is durable.

        A job may run twice, so it must look at what is saved already.
        """


class Conflict(Exception):
    """Another page saved first; `newest` has its matches, None for one that was removed."""

    def __init__(self, newest: Mapping[str, Hosted | None]) -> None:
        super().__init__()
        self.newest = newest


Save = Callable[[Mapping[str, Hosted]], Awaitable[None]]
NO_CLASSES = "A class needs a server, so that its pupils can reach it: duels serve."


async def _nowhere(_: Mapping[str, Hosted]) -> None:
    """Save nothing: the matches are only in memory."""


class MemoryStore:
    """Matches in memory, for tests and for a page without a server.

    `save` makes changes durable before they are visible. It raises `Conflict` unless each version
    is one higher than the saved one.
    """

    def __init__(self, save: Save = _nowhere) -> None:
        self.matches: dict[str, Hosted] = {}
        self._save = save

    async def read(self, job: Job[T]) -> T:
        return job(MemoryTransaction(self.matches))

    async def write(self, job: Job[T]) -> T:
        while True:
            transaction = MemoryTransaction(self.matches)
            result = job(transaction)
            try:
                if transaction.changed:
                    await self._save(transaction.changed)
            except Conflict as conflict:
                self.learn(conflict.newest)
                continue
            self.matches.update(transaction.changed)
            return result

    def learn(self, newest: Mapping[str, Hosted | None]) -> None:
        """Take over what another page has saved."""
        for match_id, hosted in newest.items():
            if hosted:
                self.matches[match_id] = hosted
            else:
                self.matches.pop(match_id, None)


class MemoryTransaction:
    """The matches, and what one job has changed."""

    def __init__(self, matches: Mapping[str, Hosted]) -> None:
        self._matches = matches
        self.changed: dict[str, Hosted] = {}

    def find(
        self, match_id: str, now: int, known: Hosted | None = None, *, lock: bool = False
    ) -> StoredMatch | None:
        hosted = self.changed.get(match_id) or self._matches.get(match_id)
        return StoredMatch(hosted) if hosted else None

    def exists(self, match_id: str) -> bool:
        return match_id in self._matches

    def insert(self, hosted: Hosted, client: str) -> None:
        self.changed[hosted.match.id] = hosted

    def update(self, before: Hosted, after: Hosted, now: int) -> Hosted:
        saved = replace(after, version=before.version + 1, updated=now)
        self.changed[saved.match.id] = saved
        return saved

    def reschedule(self, hosted: Hosted) -> None:
        pass

    def find_class(self, code: str, *, lock: bool = False) -> SchoolClass | None:
        return None

    def count_guess(self, client: str, cost: int, now: int) -> None:
        pass

    def insert_class(self, it: SchoolClass, client: str) -> None:
        raise Problem(501, NO_CLASSES)

    def update_class(self, before: SchoolClass, after: SchoolClass, now: int) -> None:
        raise Problem(501, NO_CLASSES)

    def remove_class(self, it: SchoolClass) -> None:
        raise Problem(501, NO_CLASSES)

    def listed(self) -> list[ListedMatch]:
        latest = sorted(self._matches.values(), key=lambda it: -it.updated)
        return [
            ListedMatch(it.match.id, it.match.game.id, it.match.seats, it.ply)
            for it in latest
            if it.public and not it.match.outcome
        ]


class MatchDocument(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A hosted match as it is saved. A database has the moves in rows of their own."""

    form: Literal[1] = 1
    """Raise it with every change of this struct."""
    id: str
    version: int
    updated: int
    date: str
    game: str
    options: dict[str, int | str]
    seats: Seats
    mode: Literal["computer", "friend", "here"]
    tokens: tuple[SeatToken, ...]
    joined: tuple[bool, bool]
    public: bool
    show_moves: bool
    coach: bool
    class_code: str | None
    time_limit: float | None
    seed: int
    given: int
    turn_started: int | None
    paused: int | None
    helped: tuple[Help, ...]
    takeback: Takeback | None
    rematch_offer: int | None
    rematch: str | None
    score: tuple[int, int]
    ended: Outcome | None
    ply: int
    is_over: bool
    moves: list[tuple[str, float]]


def document(hosted: Hosted, *, with_moves: bool = True) -> MatchDocument:
    """Return a hosted match as a document."""
    match = hosted.match
    return MatchDocument(
        id=match.id,
        version=hosted.version,
        updated=hosted.updated,
        date=match.date,
        game=match.game.id,
        options=dict(match.game.options),
        seats=match.seats,
        mode=hosted.mode,
        tokens=hosted.tokens,
        joined=hosted.joined,
        public=hosted.public,
        show_moves=hosted.show_moves,
        coach=hosted.coach,
        class_code=hosted.class_code,
        time_limit=match.time_limit,
        seed=match.seed,
        given=match.given,
        turn_started=hosted.turn_started,
        paused=hosted.paused,
        helped=hosted.helped,
        takeback=hosted.takeback,
        rematch_offer=hosted.rematch_offer,
        rematch=hosted.rematch,
        score=hosted.score,
        ended=match.ended,
        ply=hosted.ply,
        is_over=match.outcome is not None,
        moves=played_moves(match) if with_moves else [],
    )


def played_moves(match: Match, known: int = 0) -> list[tuple[str, float]]:
    """Return the moves after the first `known` ones, each with its seconds."""
    moves = zip(match.moves[known:], match.seconds[known:], strict=True)
    return [(match.game.format(move), seconds) for move, seconds in moves]


def restore(saved: MatchDocument, moves: Sequence[tuple[str, float]]) -> Hosted:
    """Return the hosted match of a document, by replaying its moves."""
    match = Match(
        id=saved.id,
        date=saved.date,
        seats=saved.seats,
        position=_game(saved.game, tuple(saved.options.items())).position(*(m for m, _ in moves)),
        seconds=tuple(seconds for _, seconds in moves),
        time_limit=saved.time_limit,
        seed=saved.seed,
        given=saved.given,
        ended=saved.ended,
    )
    return Hosted(
        match=match,
        mode=saved.mode,
        tokens=saved.tokens,
        updated=saved.updated,
        joined=saved.joined,
        turn_started=saved.turn_started,
        version=saved.version,
        public=saved.public,
        show_moves=saved.show_moves,
        coach=saved.coach,
        helped=saved.helped,
        takeback=saved.takeback,
        rematch_offer=saved.rematch_offer,
        rematch=saved.rematch,
        score=saved.score,
        class_code=saved.class_code,
        paused=saved.paused,
    )


def read_document(data: Any) -> Hosted:
    """Return the hosted match of untrusted plain data; ValueError if it is damaged."""
    try:
        saved = msgspec.convert(data, MatchDocument, strict=True)
        date = datetime.fromisoformat(saved.date)  # the browser's Python has no strptime
        hosted = restore(saved, saved.moves)
        is_whole = is_id(hosted.match.id) and document(hosted) == saved
        is_whole = is_whole and f"{date:%Y-%m-%dT%H:%M:%SZ}" == saved.date
    except (*DAMAGED, OSError) as error:
        raise ValueError("This is not a match of Number Duels.") from error
    if not is_whole:
        raise ValueError("This match is damaged.")
    return hosted


@lru_cache(maxsize=64)
def _game(game_id: str, options: tuple[tuple[str, int | str], ...]) -> Game:
    """Return a game; matches with the same options share what it computes about its board."""
    try:
        return game(game_id, **dict(options))
    except UnknownGame:
        detail = f"This match is saved, but its game, {game_id}, is not here."
        raise Problem(409, detail) from None


class ClassDocument(Struct, frozen=True, kw_only=True):
    """A class as it is saved, apart from its code, version and time."""

    teacher: str
    pupils: tuple[Pupil, ...]
    plan: Plan | None
    round: int
    boards: tuple[Board, ...]
    is_paused: bool


def class_document(it: SchoolClass) -> str:
    """Return a class as JSON."""
    saved = ClassDocument(
        teacher=it.teacher,
        pupils=it.pupils,
        plan=it.plan,
        round=it.round,
        boards=it.boards,
        is_paused=it.is_paused,
    )
    return msgspec.json.encode(saved).decode()


def read_class(code: str, version: int, updated: int, text: str) -> SchoolClass:
    """Return a saved class."""
    saved = msgspec.json.decode(text, type=ClassDocument)
    return SchoolClass(
        code=code,
        teacher=saved.teacher,
        updated=updated,
        version=version,
        pupils=saved.pupils,
        plan=saved.plan,
        round=saved.round,
        boards=saved.boards,
        is_paused=saved.is_paused,
    )
