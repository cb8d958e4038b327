"""Where matches are kept: the database as a store, and hosted matches in its tables and back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, bindparam, func, select
from starlette.concurrency import run_in_threadpool

from duels.match.match import Match
from duels.server.budgets import MOST_CLASSES, count_guess, count_new
from duels.server.config import DAY, Config
from duels.server.database import Database
from duels.server.due import CLASS_LASTS
from duels.server.lookups import listed_matches
from duels.server.tables import classes, matches, moves, watchers
from duels.service.classes import SchoolClass
from duels.service.hosted import Hosted
from duels.service.storage import (
    ListedMatch,
    MatchDocument,
    StoredMatch,
    class_document,
    document,
    played_moves,
    read_class,
    restore,
)

T = TypeVar("T")

_WATCHING = (
    select(func.coalesce(func.sum(watchers.c.streams), 0))
    .where(watchers.c.match_id == matches.c.id, watchers.c.until > bindparam("now"))
    .scalar_subquery()
)
_GLANCE = select(matches.c.version, _WATCHING).where(matches.c.id == bindparam("id"))
_GLANCE_LOCKED = _GLANCE.with_for_update()
_ROW = select(matches).where(matches.c.id == bindparam("id"))
_MOVES = (
    select(moves.c.move, moves.c.seconds)
    .where(moves.c.match_id == bindparam("id"))
    .order_by(moves.c.ply)
)
_UPDATE = matches.update().where(
    matches.c.id == bindparam("match_id"), matches.c.version == bindparam("version_before")
)

_DOCUMENT = tuple(name for name in MatchDocument.__struct_fields__ if name != "moves")
_INSERT_MOVES = moves.insert()
_DELETE_MOVES = moves.delete().where(
    moves.c.match_id == bindparam("id"), moves.c.ply >= bindparam("kept")
)


class Storage:
    """The matches in a database. Reading runs in threads; writing waits for those that write."""

    def __init__(self, database: Database, config: Config) -> None:
        self.database = database
        self.config = config

    async def read(self, job: Callable[[SqlTransaction], T]) -> T:
        return await run_in_threadpool(self.database.read, self._in_transaction(job))

    async def write(self, job: Callable[[SqlTransaction], T]) -> T:
        return await asyncio.wrap_future(self.database.submit(self._in_transaction(job)))

    def _in_transaction(self, job: Callable[[SqlTransaction], T]) -> Callable[[Connection], T]:
        return lambda connection: job(SqlTransaction(connection, self.config))


class SqlTransaction:
    """The matches as one connection sees them."""

    def __init__(self, connection: Connection, config: Config) -> None:
        self._connection = connection
        self._config = config

    def find(
        self, match_id: str, now: int, known: Hosted | None = None, *, lock: bool = False
    ) -> StoredMatch | None:
        glance = _GLANCE_LOCKED if lock else _GLANCE
        row = self._connection.execute(glance, {"id": match_id, "now": now}).first()
        if row is None:
            return None
        version, watching = row
        if known and known.version == version:
            return StoredMatch(known, int(watching))
        loaded = _load(self._connection, match_id)
        return StoredMatch(loaded, int(watching)) if loaded else None

    def exists(self, match_id: str) -> bool:
        query = select(matches.c.id).where(matches.c.id == match_id)
        return self._connection.execute(query).first() is not None

    def insert(self, hosted: Hosted, client: str) -> None:
        most = self._config.max_matches
        count_new(self._connection, "matches", most, client, hosted.updated)
        insert(self._connection, hosted, self._config)

    def update(self, before: Hosted, after: Hosted, now: int) -> Hosted:
        kept = replace(after, version=before.version + 1, updated=now)
        match_id, shared = kept.match.id, _shared(before.match, kept.match)
        if shared < before.ply:
            self._connection.execute(_DELETE_MOVES, {"id": match_id, "kept": shared})
        _insert_moves(self._connection, kept.match, shared)
        keys = {"match_id": match_id, "version_before": before.version}
        self._connection.execute(_UPDATE, _values(kept, self._config) | keys)
        return kept

    def reschedule(self, hosted: Hosted) -> None:
        """It is looked at again when something is due."""
        keys = {"match_id": hosted.match.id, "version_before": hosted.version}
        self._connection.execute(_UPDATE, keys | {"due": hosted.due, "failures": 0})

    def listed(self) -> list[ListedMatch]:
        return listed_matches(self._connection)

    def find_class(self, code: str, *, lock: bool = False) -> SchoolClass | None:
        query = select(classes).where(classes.c.code == code)
        row = self._connection.execute(query.with_for_update() if lock else query).first()
        if row is None:
            return None
        return read_class(row.code, row.version, row.updated, row.document)

    def count_guess(self, client: str, cost: int, now: int) -> None:
        count_guess(self._connection, client, cost, now)

    def insert_class(self, it: SchoolClass, client: str) -> None:
        count_new(self._connection, "classes", MOST_CLASSES, client, it.updated)
        self._connection.execute(classes.insert(), {"code": it.code, **_class_values(it)})

    def update_class(self, before: SchoolClass, after: SchoolClass, now: int) -> None:
        kept = replace(after, version=before.version + 1, updated=now)
        where = classes.c.code == before.code, classes.c.version == before.version
        self._connection.execute(classes.update().where(*where).values(_class_values(kept)))

    def remove_class(self, it: SchoolClass) -> None:
        self._connection.execute(matches.delete().where(matches.c.school == it.code))
        self._connection.execute(classes.delete().where(classes.c.code == it.code))


def _class_values(it: SchoolClass) -> dict[str, Any]:
    expires, document = it.updated + CLASS_LASTS, class_document(it)
    return {"version": it.version, "updated": it.updated, "expires": expires, "document": document}


def insert(connection: Connection, hosted: Hosted, config: Config) -> None:
    """A new match; it may begin with some moves."""
    connection.execute(matches.insert(), {"id": hosted.match.id} | _values(hosted, config))
    _insert_moves(connection, hosted.match, 0)


def _insert_moves(connection: Connection, match: Match, known: int) -> None:
    """The moves after those that are known."""
    added = [
        {"match_id": match.id, "ply": ply, "move": move, "seconds": seconds}
        for ply, (move, seconds) in enumerate(played_moves(match, known), start=known)
    ]
    if added:
        connection.execute(_INSERT_MOVES, added)


def _values(hosted: Hosted, config: Config) -> dict[str, Any]:
    """The columns that change, with those that only a database has."""
    days = config.finished_days if hosted.match.outcome else config.abandoned_days
    columns = msgspec.structs.asdict(document(hosted, with_moves=False))
    del columns["id"], columns["moves"]
    return columns | {
        "due": hosted.due,
        "failures": 0,
        "expires": hosted.updated + round(days * DAY),
        "marked": None,
    }


def _load(connection: Connection, match_id: str) -> Hosted | None:
    """Play the moves again. Without a transaction they may change in between; then once more."""
    while row := connection.execute(_ROW, {"id": match_id}).first():
        played = connection.execute(_MOVES, {"id": match_id}).all()
        again = connection.execute(_ROW, {"id": match_id}).first()
        if again and again.version == row.version:
            columns = {name: row._mapping[name] for name in _DOCUMENT}
            return restore(MatchDocument(**columns, moves=[(move, took) for move, took in played]))
    return None


def _shared(before: Match, after: Match) -> int:
    """How many moves the two have in common, from the first on."""
    if after.moves[: len(before.moves)] == before.moves:
        return len(before.moves)
    return len(after.moves)
