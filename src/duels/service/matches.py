"""The matches of a host: found, created, changed, and played by the computer.

Every change is one job in which the match is held. It is announced when it is durable. The newest
version of each match is kept in memory, so that a move costs one validation.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from typing import NamedTuple, Protocol

from duels.core.game import Move
from duels.match.match import Match
from duels.service import hosted as changes
from duels.service.hosted import Hosted
from duels.service.problems import Problem
from duels.service.rematches import Again
from duels.service.state import encode, state_of
from duels.service.store import Found, Job, Shelf, Store

MOST_KEPT = 5000
"""Matches in memory."""

Change = Callable[[Hosted, int], Hosted | Again]
Announce = Callable[[str, int, bytes], None]
Choose = Callable[[Match], Awaitable[Move]]


class Clock(Protocol):
    """Tells the time in milliseconds; it never goes back."""

    def now(self) -> int: ...


class Shown(NamedTuple):
    """A match, and its state as everybody is told."""

    hosted: Hosted
    state: bytes

    @property
    def news(self) -> tuple[str, int, bytes]:
        """For those who have a stream open on it."""
        return self.hosted.match.id, self.hosted.version, self.state


class Matches:
    """All matches in a store, as one process sees them."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.store = store
        self.clock = clock
        self.announce: Announce = lambda match_id, version, state: None
        self.computer_to_move: Callable[[str], None] = lambda match_id: None
        self._newest: OrderedDict[str, Hosted] = OrderedDict()

    def known(self, match_id: str) -> Hosted | None:
        """A match as this process has last seen it."""
        return self._newest.get(match_id)

    async def find(self, match_id: str) -> Found | None:
        """A match, if there is one with this id."""
        if not changes.is_id(match_id):
            return None
        now, known = self.clock.now(), self._newest.get(match_id)
        found = await self.store.read(lambda shelf: shelf.find(match_id, now, known))
        if found:
            self._keep(found.hosted)
        return found

    async def get(self, match_id: str) -> Found:
        """A match; a Problem if there is none with this id."""
        found = await self.find(match_id)
        if found is None:
            raise Problem(404, "There is no match with this id.")
        return found

    async def exists(self, match_id: str) -> bool:
        """Whether there is a match with this id, be its game here or not."""
        return changes.is_id(match_id) and await self.store.read(lambda at: at.exists(match_id))

    async def state(self, match_id: str) -> bytes:
        """What everybody may know about a match."""
        return encode(state_of(*await self.get(match_id), self.clock.now()))

    async def newest(
        self, match_ids: Iterable[str], fault: Callable[[str, Exception], None]
    ) -> list[Shown]:
        """The newest states of some matches; a fault in one does not keep the others."""

        def read(shelf: Shelf) -> list[Shown]:
            found = []
            for match_id in match_ids:
                now, known = self.clock.now(), self._newest.get(match_id)
                try:
                    if here := shelf.find(match_id, now, known):
                        found.append(Shown(here.hosted, encode(state_of(*here, now))))
                except Exception as error:
                    fault(match_id, error)
            return found

        found = await self.store.read(read)
        for shown in found:
            self._keep(shown.hosted)
        return found

    async def create(self, hosted: Hosted, client: str) -> None:
        """Keep a new match, which counts to this client."""
        await self.store.write(lambda shelf: shelf.insert(hosted, client))
        self._keep(hosted)
        if hosted.computer_moves:
            self.computer_to_move(hosted.match.id)

    async def change(self, match_id: str, change: Change, client: str = "") -> Shown:
        """Change a match; it is durable then, and announced if anything is different.

        A rematch that begins by it counts to this client.
        """
        try:
            return self._told(*await self.store.write(self._job(match_id, change, client)))
        except Problem as problem:
            if problem.stale:
                problem.state = await self.state(match_id)
            raise

    async def act(self, match_id: str, choose: Choose) -> None:
        """Do what is due: the computer's move, or the end of the clock."""
        found = await self.find(match_id)
        if found is None:
            return
        it = found.hosted
        change: Change = changes.run_out
        if it.computer_moves:
            ply, move = it.ply, await choose(it.match)
            change = lambda it, now: changes.play_computer(it, ply, move, now)  # noqa: E731
        changed = self._told(*await self.store.write(self._job(match_id, change)))
        if changed.hosted.version == it.version:
            await self.store.write(lambda shelf: shelf.put_back(it))

    def _job(
        self, match_id: str, change: Change, client: str = ""
    ) -> Job[tuple[Hosted, Found, Hosted | None]]:
        """A change as a job, in which the match is held: before, after, and what follows it."""
        if not changes.is_id(match_id):
            raise Problem(404, "There is no match with this id.")
        now = self.clock.now()  # when it was asked for, however long it waits to be written

        def job(shelf: Shelf) -> tuple[Hosted, Found, Hosted | None]:
            found = shelf.find(match_id, now, self._newest.get(match_id), to_change=True)
            if found is None:
                raise Problem(404, "There is no match with this id.")
            before = found.hosted
            changed = change(before, now)
            after, following = changed if isinstance(changed, Again) else (changed, None)
            if after is not before:
                after = shelf.update(before, after, now)
            if following:
                shelf.insert(following, client)
            return before, Found(after, found.watching), following

        return job

    def _told(self, before: Hosted, found: Found, following: Hosted | None) -> Shown:
        """Tell whoever has to know what has been written."""
        state = encode(state_of(*found, self.clock.now()))
        if found.hosted is not before:
            self.tell(found.hosted, state)
        if following and following.computer_moves:
            self.computer_to_move(following.match.id)
        return Shown(found.hosted, state)

    def tell(self, hosted: Hosted, state: bytes | None = None) -> None:
        """A match is new, or has changed."""
        self._keep(hosted)
        shown = state or encode(state_of(hosted, 0, self.clock.now()))
        self.announce(hosted.match.id, hosted.version, shown)
        if hosted.computer_moves:
            self.computer_to_move(hosted.match.id)

    def _keep(self, hosted: Hosted) -> None:
        match_id = hosted.match.id
        known = self._newest.get(match_id)
        if known is None or known.version <= hosted.version:
            self._newest[match_id] = hosted
        self._newest.move_to_end(match_id)
        if len(self._newest) > MOST_KEPT:
            self._newest.popitem(last=False)
