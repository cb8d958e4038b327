"""The matches of a process: found, changed, and played by the computer.

Every change is one transaction with the match locked; its event is published once it is durable.
The newest version of each match is cached, so that a move costs one validation.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec

from duels.core.game import Move
from duels.match.match import Match
from duels.service import hosted as changes
from duels.service.hosted import Hosted, Rematch
from duels.service.problems import Problem
from duels.service.requests import Request
from duels.service.storage import Store, StoredMatch, Transaction
from duels.service.views import match_view

T = TypeVar("T")

MOST_CACHED = 5000
"""Matches in memory."""
NO_MATCH = "There is no match with this id."

Change = Callable[[Hosted, int], Hosted | Rematch]
Publish = Callable[[str, int, bytes], None]
ChooseMove = Callable[[Match], Awaitable[Move]]


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
        """Return a match as this process has last seen it."""
        return self._cache.get(match_id)

    async def find(self, match_id: str) -> StoredMatch | None:
        """Return a match, or None if there is none with this id."""
        if not changes.is_id(match_id):
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

    async def exists(self, match_id: str) -> bool:
        """Whether a match is saved, even if its game is not installed."""
        return changes.is_id(match_id) and await self.store.read(lambda at: at.exists(match_id))

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
        """Change a locked match in one transaction, then publish what has been written."""
        if not changes.is_id(match_id):
            raise Problem(404, NO_MATCH)
        now = self.clock.now()  # when it was requested, however long it waits to be written

        def job(transaction: Transaction) -> tuple[Hosted, StoredMatch, Hosted | None]:
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
            return before, StoredMatch(after, found.watching), following

        before, found, following = await self.store.write(job)
        state = self._state(found)
        if found.hosted is not before:
            self.publish_match(found.hosted, state)
        if following and following.computer_moves:
            self.computer_to_move(following.match.id)
        return StateEvent(found.hosted, state)

    def publish_match(self, hosted: Hosted, state: bytes | None = None) -> None:
        """Publish a new or changed match, and let the computer move if it is its turn."""
        self._remember(hosted)
        state = state or self._state(StoredMatch(hosted))
        self.publish(hosted.match.id, hosted.version, state)
        if hosted.computer_moves:
            self.computer_to_move(hosted.match.id)

    def _state(self, found: StoredMatch) -> bytes:
        """Return the public state of a match as JSON."""
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
    """Runs what takes a while: a module's function with plain data."""

    def run(self, request: Request, function: Callable[..., T], *args: Any) -> Awaitable[T]: ...


class Services(Protocol):
    """What a handler needs to respond to a request."""

    @property
    def matches(self) -> Matches: ...

    @property
    def solver(self) -> Solver: ...
