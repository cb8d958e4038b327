"""Matches and classes in the database: how they become rows, and queries about many of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import msgspec
from sqlalchemy import (
    ClauseElement,
    Connection,
    Row,
    Select,
    bindparam,
    func,
    select,
    text,
    union_all,
)
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool

from duels.core.errors import DAMAGED
from duels.games import all_games
from duels.match.match import Match
from duels.server.config import DAY, Config
from duels.server.database import Database, classes, execute, matches, moves, watchers
from duels.server.rate_limits import MAX_CLASSES, charge_guess, charge_new
from duels.service import logs
from duels.service.classes import SchoolClass
from duels.service.hosted import Hosted
from duels.service.matches import (
    MatchDocument,
    StoredMatch,
    Transaction,
    document,
    played_moves,
    restore,
)
from duels.service.problems import ready
from duels.service.views import ListedMatchView, listed_match

T = TypeVar("T")

MAX_LISTED = 50
CLASS_LIFETIME = DAY
"""How long a class lasts after the last join, move or change in it."""


class Prepared:
    """A statement compiled once per kind of database, for the few that every move executes."""

    def __init__(self, statement: ClauseElement, *columns: str) -> None:
        self._statement = statement
        self._columns = columns or None
        self._compiled: dict[str, Any] = {}

    def execute(self, connection: Connection, *rows: dict[str, Any]) -> list[Any]:
        """Execute it once for each of these rows of values, and return what it finds."""
        dialect = connection.dialect
        if dialect.name not in self._compiled:
            found = self._statement.compile(dialect=dialect, column_keys=self._columns)
            self._compiled[dialect.name] = found
        compiled = self._compiled[dialect.name]
        values: list[Any] = [*rows]
        if names := compiled.positiontup:
            values = [tuple([row[name] for name in names]) for row in rows]
        return execute(connection, compiled.string, *values)


_CHANGING = ("version", "updated", "expires", "marked", "due", "failures", "is_over", "document")
"""The columns that `_values` returns."""
_WATCHING = (
    select(func.coalesce(func.sum(watchers.c.streams), text("0")))
    .where(watchers.c.match_id == matches.c.id, watchers.c.until > bindparam("now"))
    .where(watchers.c.is_player == text("0"))
    .scalar_subquery()
)
_SELECT_VERSION = select(matches.c.version, _WATCHING).where(matches.c.id == bindparam("id"))
_VERSION = Prepared(_SELECT_VERSION)
_LOCKED_VERSION = Prepared(_SELECT_VERSION.with_for_update())
_DOCUMENT = select(matches.c.version, matches.c.document).where(matches.c.id == bindparam("id"))
_MOVES = (
    select(moves.c.move, moves.c.seconds)
    .where(moves.c.match_id == bindparam("id"))
    .order_by(moves.c.ply)
)
_UPDATE = matches.update().where(
    matches.c.id == bindparam("match_id"), matches.c.version == bindparam("version_before")
)
_UPDATE_ALL = Prepared(_UPDATE, *_CHANGING)
_UPDATE_MOST = Prepared(_UPDATE, *(name for name in _CHANGING if name != "expires"))
"""Without the column that has an index: a move need not postpone a check that may come early."""
_INSERT_MOVES = Prepared(moves.insert())
_DELETE_MOVES = moves.delete().where(
    moves.c.match_id == bindparam("id"), moves.c.ply >= bindparam("first")
)


class Storage:
    """The store of a server; reads run in threads, writes wait for the database's writers."""

    def __init__(self, database: Database, config: Config) -> None:
        self.database = database
        self.config = config

    async def read(self, job: Callable[[SqlTransaction], T]) -> T:
        return await run_in_threadpool(self.database.read, lambda at: job(self._at(at)))

    async def write(
        self, job: Callable[[SqlTransaction], T], meanwhile: Callable[[T], object] = lambda _: None
    ) -> T:
        loop = asyncio.get_running_loop()
        writing = self.database.submit(
            lambda at: job(self._at(at)),
            lambda result: loop.call_soon_threadsafe(meanwhile, result),
        )
        return await asyncio.wrap_future(writing)

    def _at(self, connection: Connection) -> SqlTransaction:
        return SqlTransaction(connection, self.config)


class SqlTransaction(Transaction):
    """Matches and classes through one connection."""

    def __init__(self, connection: Connection, config: Config) -> None:
        self._connection = connection
        self._config = config

    def find(
        self, match_id: str, now: int, known: Hosted | None = None, *, lock: bool = False
    ) -> StoredMatch | None:
        query = _LOCKED_VERSION if lock else _VERSION
        rows = query.execute(self._connection, {"id": match_id, "now": now})
        if not rows:
            return None
        ((version, watching),) = rows
        if known and known.version == version:
            return StoredMatch(known, int(watching))
        loaded = _load(self._connection, match_id)
        return StoredMatch(loaded, int(watching)) if loaded else None

    def insert(self, hosted: Hosted, client: str) -> None:
        most = self._config.max_matches
        charge_new(self._connection, "matches", most, client, hosted.updated)
        insert(self._connection, hosted, self._config)

    def update(self, before: Hosted, after: Hosted, now: int) -> Hosted:
        saved = replace(after, version=before.version + 1, updated=now)
        match_id, shared = saved.match.id, _shared_moves(before.match, saved.match)
        if shared < before.ply:
            self._connection.execute(_DELETE_MOVES, {"id": match_id, "first": shared})
        _insert_moves(self._connection, saved.match, shared)
        keys = {"match_id": match_id, "version_before": before.version}
        is_ending = (before.match.outcome is None) != (saved.match.outcome is None)
        statement = _UPDATE_ALL if is_ending else _UPDATE_MOST
        statement.execute(self._connection, _values(saved, self._config) | keys)
        return saved

    def reschedule(self, hosted: Hosted) -> None:
        keys = {"match_id": hosted.match.id, "version_before": hosted.version}
        self._connection.execute(_UPDATE, keys | {"due": hosted.due, "failures": 0})

    def listed(self) -> list[ListedMatchView]:
        return listed_matches(self._connection)

    def find_class(self, code: str, *, lock: bool = False) -> SchoolClass | None:
        query = select(classes).where(classes.c.code == code)
        row = self._connection.execute(query.with_for_update() if lock else query).first()
        return msgspec.json.decode(row.document, type=ready(SchoolClass)) if row else None

    def charge_guess(self, client: str, cost: int, now: int) -> None:
        charge_guess(self._connection, client, cost, now)

    def insert_class(self, it: SchoolClass, client: str) -> None:
        charge_new(self._connection, "classes", MAX_CLASSES, client, it.updated)
        self._connection.execute(classes.insert(), {"code": it.code, **_class_values(it)})

    def update_class(self, before: SchoolClass, after: SchoolClass, now: int) -> None:
        saved = replace(after, version=before.version + 1, updated=now)
        where = classes.c.code == before.code, classes.c.version == before.version
        self._connection.execute(classes.update().where(*where).values(_class_values(saved)))

    def remove_class(self, it: SchoolClass) -> None:
        delete_class(self._connection, it.code)


def delete_class(connection: Connection, code: str) -> None:
    connection.execute(matches.delete().where(matches.c.class_code == code))
    connection.execute(classes.delete().where(classes.c.code == code))


def _class_values(it: SchoolClass) -> dict[str, Any]:
    return {
        "version": it.version,
        "updated": it.updated,
        "expires": it.updated + CLASS_LIFETIME,
        "document": msgspec.json.encode(it).decode(),
    }


def insert(connection: Connection, hosted: Hosted, config: Config) -> None:
    """Insert a new match, which may begin with some moves."""
    fixed = {
        "id": hosted.match.id,
        "game": hosted.match.game.id,
        "public": hosted.public,
        "class_code": hosted.class_code,
    }
    connection.execute(matches.insert(), fixed | _values(hosted, config))
    _insert_moves(connection, hosted.match, 0)


def _insert_moves(connection: Connection, match: Match, known: int) -> None:
    added = [
        {"match_id": match.id, "ply": ply, "move": move, "seconds": seconds}
        for ply, (move, seconds) in enumerate(played_moves(match, known), start=known)
    ]
    if added:
        _INSERT_MOVES.execute(connection, *added)


def _values(hosted: Hosted, config: Config) -> dict[str, Any]:
    """Return the columns of a match that change."""
    is_over = hosted.match.outcome is not None
    days = config.finished_days if is_over else config.abandoned_days
    return {
        "version": hosted.version,
        "updated": hosted.updated,
        "expires": hosted.updated + round(days * DAY),
        "marked": None,
        "due": hosted.due,
        "failures": 0,
        "is_over": is_over,
        "document": msgspec.json.encode(document(hosted, with_moves=False)).decode(),
    }


def _load(connection: Connection, match_id: str) -> Hosted | None:
    """Replay the moves of a match; retry if another process changes it between two statements."""
    while row := connection.execute(_DOCUMENT, {"id": match_id}).first():
        played = connection.execute(_MOVES, {"id": match_id}).all()
        again = connection.execute(_DOCUMENT, {"id": match_id}).first()
        if again and again.version == row.version:
            saved = msgspec.json.decode(row.document, type=ready(MatchDocument))
            return restore(saved, [(move, seconds) for move, seconds in played])
    return None


def _shared_moves(before: Match, after: Match) -> int:
    """Return how many moves the two matches share from the start."""
    if after.moves[: len(before.moves)] == before.moves:
        return len(before.moves)
    return len(after.moves)


def listed_matches(connection: Connection) -> list[ListedMatchView]:
    """Return public matches in progress, the latest first, without those that cannot be read."""
    query = (
        select(matches.c.id, matches.c.game, matches.c.document)
        .where(matches.c.public, ~matches.c.is_over, matches.c.game.in_(list(all_games())))
        .order_by(matches.c.updated.desc())
        .limit(MAX_LISTED)
    )
    try:
        rows: list[Any] = list(connection.execute(query).all())
    except SQLAlchemyError:  # one of them may not be valid text: read them one by one
        ids = connection.execute(query.with_only_columns(matches.c.id)).scalars().all()
        each = (_readable(connection, query.where(matches.c.id == one)) for one in ids)
        rows = [row for row in each if row]
    found = []
    for row in rows:
        try:
            saved: Any = msgspec.json.decode(row.document, type=ready(MatchDocument))
            found.append(listed_match(row.id, row.game, saved.seats, saved.ply))
        except DAMAGED as error:
            logs.info("a match cannot be listed", match=row.id, reason=type(error).__name__)
    return found


def _readable(connection: Connection, query: Select[Any]) -> Row[Any] | None:
    try:
        return connection.execute(query).first()
    except SQLAlchemyError as error:
        logs.info("a match cannot be listed", reason=type(error).__name__)
        return None


def versions(database: Database, topics: Iterable[str]) -> dict[str, int]:
    """Return the newest versions of some matches and classes, by id or code."""
    these = list(topics)
    query = select(matches.c.id, matches.c.version).where(matches.c.id.in_(these))
    of_classes = select(classes.c.code, classes.c.version).where(classes.c.code.in_(these))
    both = union_all(query, of_classes)
    return dict(tuple(row) for row in database.read(lambda at: at.execute(both).all()))


def streams_elsewhere(database: Database, process: str, client: str, now: int) -> int:
    query = select(func.coalesce(func.sum(watchers.c.streams), 0)).where(
        watchers.c.client == client, watchers.c.process != process, watchers.c.until > now
    )
    return database.read(lambda at: int(at.execute(query).scalar_one()))


def save_watchers(
    database: Database,
    process: str,
    streams: Mapping[str, Mapping[tuple[str, bool], int]],
    now: int,
    lasts: int,
) -> bool:
    """Save how many streams are open on each match in this process (`Hub.listeners`); return True.

    A match with an open page is unmarked, so it is not removed.
    """
    until = now + lasts

    def save(connection: Connection) -> None:
        mine = watchers.c.process == process
        connection.execute(watchers.delete().where(mine, watchers.c.match_id.in_(list(streams))))
        rows = [
            {
                "match_id": match_id,
                "process": process,
                "client": client,
                "is_player": int(is_player),
                "streams": count,
                "until": until,
            }
            for match_id, clients in streams.items()
            for (client, is_player), count in clients.items()
        ]
        if rows:
            connection.execute(watchers.insert(), rows)
        connection.execute(watchers.update().where(mine).values(until=until))
        connection.execute(watchers.delete().where(watchers.c.until <= now))
        marked = matches.c.id.in_(list(streams)), matches.c.marked.is_not(None)
        connection.execute(matches.update().where(*marked).values(marked=None))

    database.write(save)
    return True
