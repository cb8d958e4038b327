"""The matches of a server: create, join, move, take back, resign, play again.

Every change is one transaction in which the row of the match is held. It is announced when it is
durable. The newest version of each match is kept in memory, so that a move costs one validation.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from threading import Lock
from typing import NamedTuple

from sqlalchemy import Connection

from duels.core.game import Move
from duels.match import new_match
from duels.web import hosted as changes
from duels.web import storage
from duels.web.budgets import count_match
from duels.web.clock import Clock
from duels.web.config import Config
from duels.web.database import Database
from duels.web.hosted import Hosted
from duels.web.problems import Problem
from duels.web.state import encode, state_of
from duels.web.storage import Found
from duels.web.writers import Job

MOST_KEPT = 5000
"""Matches in memory."""
ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
ID_LENGTH = 10

Change = Callable[[Hosted, int], Hosted]
Also = Callable[[Connection], None]
Written = tuple[Hosted, Found]
Announce = Callable[[str, int, bytes], None]


class Changed(NamedTuple):
    """A match after a change, and its state as everybody is told."""

    hosted: Hosted
    state: bytes


class Matches:
    """All matches in a database; may be used from any thread."""

    def __init__(self, database: Database, config: Config, clock: Clock) -> None:
        self.database = database
        self.config = config
        self.clock = clock
        self.announce: Announce = lambda match_id, version, state: None
        self.computer_to_move: Callable[[str], None] = lambda match_id: None
        self._newest: OrderedDict[str, Hosted] = OrderedDict()
        self._lock = Lock()

    def find(self, match_id: str) -> Found | None:
        """A match, if there is one with this id."""
        if not is_id(match_id):
            return None
        known = self._newest.get(match_id)
        found = self.database.read(lambda at: storage.find(at, match_id, self.clock.now(), known))
        if found:
            self._keep(found.hosted)
        return found

    def get(self, match_id: str) -> Found:
        """A match; a Problem if there is none with this id."""
        found = self.find(match_id)
        if found is None:
            raise Problem(404, "There is no match with this id.")
        return found

    def exists(self, match_id: str) -> bool:
        """Whether there is a match with this id, be its game on this server or not."""
        return is_id(match_id) and self.database.read(lambda at: storage.exists(at, match_id))

    def state(self, match_id: str) -> bytes:
        """What everybody may know about a match."""
        return encode(state_of(*self.get(match_id), self.clock.now()))

    async def create(self, hosted: Hosted, client: str) -> None:
        """Keep a new match, which counts to this client."""
        writing = self.database.submit(lambda at: self._insert(at, hosted, client))
        await asyncio.wrap_future(writing)
        self._keep(hosted)
        if hosted.computer_moves:
            self.computer_to_move(hosted.match.id)

    async def join(self, match_id: str, secret: str | None, name: str | None) -> bytes:
        changed = await self._change(
            match_id, lambda it, now: changes.join(it, changes.sit(it, secret), name, now)
        )
        return changed.state

    async def move(self, match_id: str, secret: str | None, ply: int, said: Move | str) -> bytes:
        """Play a move, once; a Problem with the state if it comes too late."""
        changed = await self._change(
            match_id, lambda it, now: changes.play(it, changes.sit(it, secret), ply, said, now)
        )
        if changed.hosted.ply == ply:
            raise Problem(409, "The time for this move has run out.", state=changed.state)
        return changed.state

    async def resign(self, match_id: str, secret: str | None) -> bytes:
        changed = await self._change(
            match_id, lambda it, _: changes.resign(it, changes.sit(it, secret))
        )
        return changed.state

    async def ask_takeback(self, match_id: str, secret: str | None, ply: int) -> bytes:
        changed = await self._change(
            match_id,
            lambda it, now: changes.ask_takeback(it, changes.sit(it, secret), ply, now),
        )
        return changed.state

    async def answer_takeback(
        self, match_id: str, secret: str | None, ply: int, agree: bool
    ) -> bytes:
        changed = await self._change(
            match_id,
            lambda it, now: changes.answer_takeback(it, changes.sit(it, secret), ply, agree, now),
        )
        return changed.state

    async def rematch(self, match_id: str, secret: str | None, client: str) -> str:
        """The id of the next match with the sides swapped; the same one whenever asked."""
        again: list[Hosted] = []

        def play_again(it: Hosted, now: int) -> Hosted:
            seats = changes.sit(it, secret)
            if it.rematch:
                return it
            if not it.match.outcome:
                raise Problem(409, "The game is not over yet.", stale=True)
            again[:] = [_sides_swapped(it, seats, now)]
            return replace(it, rematch=again[0].match.id)

        def keep_both(connection: Connection) -> None:
            self._insert(connection, again[0], client)

        changed = await self._change(match_id, play_again, also=keep_both)
        new_id = str(changed.hosted.rematch)
        if again and again[0].match.id == new_id and again[0].computer_moves:
            self.computer_to_move(new_id)
        return new_id

    def act(self, match_id: str) -> None:
        """Do what is due: the computer's move, or the end of the clock."""
        found = self.find(match_id)
        if found is None:
            return
        it = found.hosted
        job = self._job(match_id, _computers_move(it) if it.computer_moves else changes.run_out)
        changed = self._changed(*self.database.write(job))
        if changed.hosted.version == it.version:
            self.database.write(lambda at: storage.put_back(at, it))

    def _insert(self, connection: Connection, hosted: Hosted, client: str) -> None:
        count_match(connection, self.config.max_matches, client, hosted.updated)
        storage.insert(connection, hosted, self.config)

    async def _change(self, match_id: str, change: Change, also: Also | None = None) -> Changed:
        """Change a match; it is durable then, and announced if anything is different."""
        try:
            writing = self.database.submit(self._job(match_id, change, also))
            return self._changed(*await asyncio.wrap_future(writing))
        except Problem as problem:
            if problem.stale:
                problem.state = await asyncio.to_thread(self.state, match_id)
            raise

    def _job(self, match_id: str, change: Change, also: Also | None = None) -> Job[Written]:
        """A change as a job for the database, in which the row of the match is held."""
        if not is_id(match_id):
            raise Problem(404, "There is no match with this id.")
        now = self.clock.now()  # when it was asked for, however long it waits to be written

        def job(connection: Connection) -> Written:
            known = self._newest.get(match_id)
            found = storage.find(connection, match_id, now, known, to_change=True)
            if found is None:
                raise Problem(404, "There is no match with this id.")
            before = found.hosted
            after = change(before, now)
            if after is not before:
                after = storage.update(connection, before, after, now, self.config)
                if also:
                    also(connection)
            return before, Found(after, found.watching)

        return job

    def _changed(self, before: Hosted, found: Found) -> Changed:
        """Tell whoever has to know what has been written."""
        hosted = found.hosted
        state = encode(state_of(*found, self.clock.now()))
        if hosted is not before:
            self._keep(hosted)
            self.announce(hosted.match.id, hosted.version, state)
            if hosted.computer_moves:
                self.computer_to_move(hosted.match.id)
        return Changed(hosted, state)

    def _keep(self, hosted: Hosted) -> None:
        match_id = hosted.match.id
        with self._lock:
            known = self._newest.get(match_id)
            if known is None or known.version <= hosted.version:
                self._newest[match_id] = hosted
            self._newest.move_to_end(match_id)
            if len(self._newest) > MOST_KEPT:
                self._newest.popitem(last=False)


def new_id() -> str:
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def is_id(text: str) -> bool:
    """Whether this could be the id of a match."""
    return len(text) == ID_LENGTH and text.isascii() and text.isalnum()


def _computers_move(it: Hosted) -> Change:
    ply, move = it.ply, changes.choose(it.match)
    return lambda it, now: changes.play_computer(it, ply, move, now)


def _sides_swapped(it: Hosted, seats: tuple[int, ...], now: int) -> Hosted:
    """The next match of two players: in a friend's match the other one has to come first."""
    match = it.match
    again = new_match(match.game, match.seats[::-1], time_limit=match.time_limit)
    joined = (2 in seats, 1 in seats) if it.mode == "friend" else (True, True)
    return Hosted(
        match=replace(again, id=new_id()),
        mode=it.mode,
        secrets=(it.secrets[1], it.secrets[0]),
        updated=now,
        joined=joined,
        turn_started=now if all(joined) else None,
        public=it.public,
        show_moves=it.show_moves,
    )
