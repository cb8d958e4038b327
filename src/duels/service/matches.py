"""The matches of a process: found, changed, saved, and played by the computer.

Every change is one transaction with the match locked; its event is published once it is durable.
The newest version of each match is cached, so that a move costs one validation. `Store` is the
interface of any place that saves matches and classes; a saved match is a document.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any, Literal, NamedTuple, Protocol, TypeVar, get_type_hints

import msgspec
from msgspec import Struct

from duels.core.errors import DAMAGED
from duels.core.game import Game, Move
from duels.games import UnknownGame, game
from duels.match.match import Match
from duels.service import hosted as changes
from duels.service.classes import SchoolClass
from duels.service.hosted import Hosted, Rematch, is_id
from duels.service.problems import Problem, ready
from duels.service.requests import Request
from duels.service.views import ListedMatchView, match_view

T = TypeVar("T")

MOST_CACHED = 5000
"""The most matches in memory."""
NO_MATCH = "There is no match with this id."
NO_CLASSES = "A class needs a server, so that its pupils can reach it."

Change = Callable[[Hosted, int], Hosted | Rematch]
Publish = Callable[[str, int, bytes], None]
ChooseMove = Callable[[Match], Awaitable[Move]]


class StoredMatch(NamedTuple):
    """A hosted match and the number of event streams open on it."""

    hosted: Hosted
    watching: int = 0


class Transaction(ABC):
    """The saved matches and classes during one job; all its changes are saved, or none.

    The methods that are not abstract suit a store without classes.
    """

    @abstractmethod
    def find(
        self, match_id: str, now: int, known: Hosted | None = None, *, lock: bool = False
    ) -> StoredMatch | None:
        """Return a match; return `known` itself if that is still the newest version."""

    @abstractmethod
    def insert(self, hosted: Hosted, client: str) -> None:
        """Save a new match and charge this client; a Problem if it has created too many."""

    @abstractmethod
    def update(self, before: Hosted, after: Hosted, now: int) -> Hosted:
        """Save a changed match and return it with its new version."""

    @abstractmethod
    def listed(self) -> Iterable[ListedMatchView]:
        """Return the public matches in progress, the latest first."""

    def reschedule(self, hosted: Hosted) -> None:  # noqa: B027
        """Set the due time of a match again, after there was nothing to do."""

    def find_class(self, code: str, *, lock: bool = False) -> SchoolClass | None:
        return None

    def charge_guess(self, client: str, cost: int, now: int) -> None:  # noqa: B027
        """Charge a wrong class code to a client; a Problem after too many."""

    def insert_class(self, it: SchoolClass, client: str) -> None:
        """Save a new class and charge this client; a Problem if it has created too many."""
        raise Problem(501, NO_CLASSES)

    def update_class(self, before: SchoolClass, after: SchoolClass, now: int) -> None:
        """Save a changed class with a new version."""
        raise Problem(501, NO_CLASSES)

    def remove_class(self, it: SchoolClass) -> None:
        raise Problem(501, NO_CLASSES)


Job = Callable[[Transaction], T]


class Store(Protocol):
    """A place that saves matches and classes."""

    def read(self, job: Job[T]) -> Awaitable[T]:
        """Run a job that only reads."""

    def write(self, job: Job[T], meanwhile: Callable[[T], object] = lambda _: None) -> Awaitable[T]:
        """Run a job that changes something; when this returns, all of it is durable.

        A job may run twice, so it must check what has already been saved. `meanwhile` gets the
        result while it is being saved, and may prepare a response in the time that this takes.
        """


class Clock(Protocol):
    """The time in milliseconds; it never goes back."""

    def now(self) -> int: ...


class StateEvent(NamedTuple):
    """A match and its public state, ready to be sent."""

    hosted: Hosted
    state: bytes

    @property
    def event(self) -> tuple[str, int, bytes]:
        """The topic, version and data for open streams."""
        return self.hosted.match.id, self.hosted.version, self.state


@dataclass(frozen=True)
class _Written:
    """A match before and after a change, and the rematch that the change began."""

    before: Hosted
    found: StoredMatch
    following: Hosted | None
    _state: Callable[[StoredMatch], bytes]

    @cached_property
    def state(self) -> bytes:
        """The new state."""
        return self._state(self.found)


class Matches:
    """All matches in a store, as one process sees them."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.store = store
        self.clock = clock
        self.publish: Publish = lambda topic, version, data: None
        """Sends an event to the streams of a topic: a match or a class."""
        self.computer_to_move: Callable[[str], None] = lambda match_id: None
        """Called with the id of a match in which the computer has to move."""
        self._cache: OrderedDict[str, Hosted] = OrderedDict()

    def cached(self, match_id: str) -> Hosted | None:
        """Return a match as this process last saw it."""
        return self._cache.get(match_id)

    async def find(self, match_id: str) -> StoredMatch | None:
        """Return a match, or None if there is none with this id."""
        if not is_id(match_id):
            return None
        now, known = self.clock.now(), self._cache.get(match_id)
        found = await self.store.read(lambda transaction: transaction.find(match_id, now, known))
        if found:
            self._remember(found.hosted)
        return found

    async def get(self, match_id: str) -> StoredMatch:
        """Return a match; a Problem if there is none with this id."""
        found = await self.find(match_id)
        if found is None:
            raise Problem(404, NO_MATCH)
        return found

    async def state(self, match_id: str) -> bytes | None:
        """Return the public state of a match as JSON, or None if there is none with this id."""
        found = await self.find(match_id)
        return self._state(found) if found else None

    async def newest(
        self, match_ids: Iterable[str], report: Callable[[str, Exception], None]
    ) -> list[StateEvent]:
        """Return the newest states of some matches; errors go to `report`, match by match."""

        def read(transaction: Transaction) -> list[StateEvent]:
            found = []
            for match_id in match_ids:
                now, known = self.clock.now(), self._cache.get(match_id)
                try:
                    if stored := transaction.find(match_id, now, known):
                        found.append(StateEvent(stored.hosted, self._state(stored)))
                except Exception as error:
                    report(match_id, error)
            return found

        found = await self.store.read(read)
        for one in found:
            self._remember(one.hosted)
        return found

    async def insert(self, hosted: Hosted, client: str) -> None:
        """Save a new match and charge this client."""
        await self.store.write(lambda transaction: transaction.insert(hosted, client))
        self._remember(hosted)
        if hosted.computer_moves:
            self.computer_to_move(hosted.match.id)

    async def change(self, match_id: str, change: Change, client: str = "") -> StateEvent:
        """Change a match durably, and publish it if anything is different.

        A rematch that begins is charged to this client.
        """
        try:
            return await self._write(match_id, change, client)
        except Problem as problem:
            if problem.stale:
                problem.state = self._state(await self.get(match_id))
            raise

    async def act(self, match_id: str, choose_move: ChooseMove) -> None:
        """Do what is due in a match: make the computer's move, or end it when time has run out."""
        found = await self.find(match_id)
        if found is None:
            return
        it = found.hosted
        change: Change = changes.end_if_out_of_time
        if it.computer_moves:
            ply, move = it.ply, await choose_move(it.match)
            change = lambda it, now: changes.play_computer(it, ply, move, now)  # noqa: E731
        changed = await self._write(match_id, change)
        if changed.hosted.version == it.version:
            await self.store.write(lambda transaction: transaction.reschedule(it))

    async def _write(self, match_id: str, change: Change, client: str = "") -> StateEvent:
        """Change a locked match in one transaction, then publish the result."""
        if not is_id(match_id):
            raise Problem(404, NO_MATCH)
        now = self.clock.now()  # the time of the request, however long it waits to be written

        def job(transaction: Transaction) -> _Written:
            found = transaction.find(match_id, now, self._cache.get(match_id), lock=True)
            if found is None:
                raise Problem(404, NO_MATCH)
            before = found.hosted
            changed = change(before, now)
            after, following = changed if isinstance(changed, Rematch) else (changed, None)
            if after is not before:
                after = transaction.update(before, after, now)
            if following:
                transaction.insert(following, client)
            return _Written(before, StoredMatch(after, found.watching), following, self._state)

        written = await self.store.write(job, lambda written: written.state)
        after, state, following = written.found.hosted, written.state, written.following
        if after is not written.before:
            self.publish_match(after, state)
        if following and following.computer_moves:
            self.computer_to_move(following.match.id)
        return StateEvent(after, state)

    def publish_match(self, hosted: Hosted, state: bytes | None = None) -> None:
        """Publish a new or changed match, and let the computer move if it is its turn."""
        self._remember(hosted)
        state = state or self._state(StoredMatch(hosted))
        self.publish(hosted.match.id, hosted.version, state)
        if hosted.computer_moves:
            self.computer_to_move(hosted.match.id)

    def _state(self, found: StoredMatch) -> bytes:
        return msgspec.json.encode(match_view(*found, self.clock.now()))

    def _remember(self, hosted: Hosted) -> None:
        match_id = hosted.match.id
        known = self._cache.get(match_id)
        if known is None or known.version <= hosted.version:
            self._cache[match_id] = hosted
        self._cache.move_to_end(match_id)
        if len(self._cache) > MOST_CACHED:
            self._cache.popitem(last=False)


class Solver(Protocol):
    """Runs slow work: a module's function with plain data."""

    def run(self, request: Request, function: Callable[..., T], *args: Any) -> Awaitable[T]: ...


class Services(Protocol):
    """What a handler needs to respond to a request."""

    @property
    def matches(self) -> Matches: ...

    @property
    def solver(self) -> Solver: ...


_TYPES = get_type_hints(Match) | get_type_hints(Hosted)
_OF_MATCH = [one.name for one in fields(Match) if one.name not in ("position", "seconds")]
_OF_HOSTED = [one.name for one in fields(Hosted) if one.name != "match"]
MatchDocument = msgspec.defstruct(
    "MatchDocument",
    [
        ("form", Literal[1]),  # increase it with every change of a field
        *((name, _TYPES[name]) for name in (*_OF_MATCH, *_OF_HOSTED)),
        ("game", str),
        ("options", dict[str, int | str]),
        ("ply", int),
        ("is_over", bool),
        ("moves", list[tuple[str, float]]),
    ],
    forbid_unknown_fields=True,
)
"""A hosted match as it is saved: its fields and those of its match. In a database, the moves are
separate rows."""


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
        saved = msgspec.convert(data, ready(MatchDocument), strict=True)
        hosted = restore(saved)
        date = datetime.fromisoformat(hosted.match.date)  # Python in the browser has no strptime
        is_whole = is_id(hosted.match.id) and MatchDocument(**document(hosted)) == saved
        is_whole = is_whole and f"{date:%Y-%m-%dT%H:%M:%SZ}" == hosted.match.date
    except (*DAMAGED, OSError) as error:
        raise ValueError("This is not a match of Number Duels.") from error
    if not is_whole:
        raise ValueError("This match is damaged.")
    return hosted


@lru_cache(maxsize=64)
def _game(game_id: str, options: tuple[tuple[str, int | str], ...]) -> Game:
    """Return a game; matches with the same options share its caches."""
    try:
        return game(game_id, **dict(options))
    except UnknownGame:
        detail = f"This match is saved, but its game, {game_id}, is not here."
        raise Problem(409, detail) from None
