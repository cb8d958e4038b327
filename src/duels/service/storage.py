"""Storage: what a place to save matches and classes must do, and a match as a saved document."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import fields
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal, NamedTuple, Protocol, TypeVar, get_type_hints

import msgspec
from msgspec import Struct

from duels.core.errors import DAMAGED
from duels.core.game import Game
from duels.games import UnknownGame, game
from duels.match.match import Match, Seats
from duels.service.classes import SchoolClass
from duels.service.hosted import Hosted, is_id
from duels.service.problems import Problem

T = TypeVar("T")

NO_CLASSES = "A class needs a server, so that its pupils can reach it: duels serve."


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


class Transaction(ABC):
    """The saved matches and classes during one job; all its changes are saved, or none.

    What is not abstract here is how a store without classes does it.
    """

    @abstractmethod
    def find(
        self, match_id: str, now: int, known: Hosted | None = None, *, lock: bool = False
    ) -> StoredMatch | None:
        """Return a match; `known` if that is still the newest version."""

    @abstractmethod
    def exists(self, match_id: str) -> bool:
        """Whether a match is saved, even if its game is not installed."""

    @abstractmethod
    def insert(self, hosted: Hosted, client: str) -> None:
        """Save a new match and charge this client; a Problem if that is one too many."""

    @abstractmethod
    def update(self, before: Hosted, after: Hosted, now: int) -> Hosted:
        """Save a changed match and return it with its new version."""

    @abstractmethod
    def listed(self) -> Iterable[ListedMatch]:
        """Return the public matches in progress, the latest first."""

    def reschedule(self, hosted: Hosted) -> None:  # noqa: B027
        """Set again when a match is due, after nothing had to be done."""

    def find_class(self, code: str, *, lock: bool = False) -> SchoolClass | None:
        """Return a class by its code."""
        return None

    def count_guess(self, client: str, cost: int, now: int) -> None:  # noqa: B027
        """Charge a wrong class code to a client; a Problem after too many."""

    def insert_class(self, it: SchoolClass, client: str) -> None:
        """Save a new class and charge this client; a Problem if that is one too many."""
        raise Problem(501, NO_CLASSES)

    def update_class(self, before: SchoolClass, after: SchoolClass, now: int) -> None:
        """Save a changed class with a new version."""
        raise Problem(501, NO_CLASSES)

    def remove_class(self, it: SchoolClass) -> None:
        """Remove a class and its matches."""
        raise Problem(501, NO_CLASSES)


Job = Callable[[Transaction], T]


class Store(Protocol):
    """A place that saves matches and classes."""

    def read(self, job: Job[T]) -> Awaitable[T]:
        """Run a job that only reads."""

    def write(self, job: Job[T]) -> Awaitable[T]:
        """Run a job that changes something; when it returns, all of it is durable.

        A job may run twice, so it must look at what is saved already.
        """


_TYPES = get_type_hints(Match) | get_type_hints(Hosted)
_OF_MATCH = [one.name for one in fields(Match) if one.name not in ("position", "seconds")]
_OF_HOSTED = [one.name for one in fields(Hosted) if one.name != "match"]
MatchDocument = msgspec.defstruct(
    "MatchDocument",
    [
        ("form", Literal[1]),  # raise it with every change of a field
        *((name, _TYPES[name]) for name in (*_OF_MATCH, *_OF_HOSTED)),
        ("game", str),
        ("options", dict[str, int | str]),
        ("ply", int),
        ("is_over", bool),
        ("moves", list[tuple[str, float]]),
    ],
    forbid_unknown_fields=True,
)
"""A hosted match as it is saved: its fields and those of its match. A database has the moves in
rows of their own."""


def document(hosted: Hosted, *, with_moves: bool = True) -> dict[str, Any]:
    """Return a hosted match as a document."""
    match = hosted.match
    return {
        "form": 1,
        **{name: getattr(match, name) for name in _OF_MATCH},
        **{name: getattr(hosted, name) for name in _OF_HOSTED},
        "game": match.game.id,
        "options": match.game.options,
        "ply": hosted.ply,
        "is_over": match.outcome is not None,
        "moves": played_moves(match) if with_moves else [],
    }


def played_moves(match: Match, known: int = 0) -> list[tuple[str, float]]:
    """Return the moves after the first `known` ones, each with its seconds."""
    moves = zip(match.moves[known:], match.seconds[known:], strict=True)
    return [(match.game.format(move), seconds) for move, seconds in moves]


def restore(saved: Struct, rows: Sequence[tuple[str, float]] = ()) -> Hosted:
    """Return the hosted match of a MatchDocument, by replaying its moves or those of a database."""
    data = msgspec.structs.asdict(saved)
    moves = data["moves"] or rows
    game = _game(data["game"], tuple(data["options"].items()))
    match = Match(
        position=game.position(*(move for move, _ in moves)),
        seconds=tuple(seconds for _, seconds in moves),
        **{name: data[name] for name in _OF_MATCH},
    )
    return Hosted(match=match, **{name: data[name] for name in _OF_HOSTED})


def read_document(data: Any) -> Hosted:
    """Return the hosted match of untrusted plain data; ValueError if it is damaged."""
    try:
        saved = msgspec.convert(data, MatchDocument, strict=True)
        hosted = restore(saved)
        date = datetime.fromisoformat(hosted.match.date)  # the browser's Python has no strptime
        is_whole = is_id(hosted.match.id) and MatchDocument(**document(hosted)) == saved
        is_whole = is_whole and f"{date:%Y-%m-%dT%H:%M:%SZ}" == hosted.match.date
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
