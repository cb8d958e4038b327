"""The database: SQLite in a file, or PostgreSQL for any number of servers.

A write is one transaction, durable when `write` returns. SQLite has one writer and an expensive
commit, so writes that wait at the same moment share one; PostgreSQL does that by itself.

A match is one JSON document next to the columns that are queried. Its moves are separate rows,
because the key (match, ply) makes a second move at the same ply impossible. All times are
milliseconds of the time in `clock.py`.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing
from queue import SimpleQueue
from threading import Lock, Thread, local
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.exc import DatabaseError as SQLDatabaseError
from sqlalchemy.types import TypeEngine

from duels.core.errors import DuelsError, install

T = TypeVar("T")
Job = Callable[[sa.Connection], T]
Done = tuple[Any, Exception | None]

VERSION = 1
"""The version of the schema; increase it with every change of a table or of a document."""
CREATE_LOCK = 20260504
"""The advisory lock under which only one server at a time creates PostgreSQL's tables."""
BUSY_MILLISECONDS = 5000
"""How long a write waits for a lock that another process holds."""
CONNECT_SECONDS = 5
IDLE_MILLISECONDS = 15_000
"""Milliseconds after which PostgreSQL ends the transaction of a silent server and releases its
locks."""
CLOSE_SECONDS = 30.0
MAX_WRITERS = 16
MAX_GROUP = 100
"""The most writes that share a commit."""
BEGIN_IMMEDIATE = "BEGIN IMMEDIATE"
"""Takes SQLite's write lock at once, so that no transaction has to give up half-way."""
MIN_FREE_BYTES = 1024 * 1024
"""Bytes that must be free on the disk of a SQLite file."""


metadata = sa.MetaData()


def _column(name: str, kind: type[TypeEngine[Any]]) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False)


matches = sa.Table(
    "matches",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    _column("version", sa.Integer),
    _column("updated", sa.BigInteger),
    _column("expires", sa.BigInteger),  # when to check whether the match is still needed
    sa.Column("marked", sa.BigInteger),  # since when the match has been marked for removal
    sa.Column("due", sa.BigInteger),  # when a server must act without a request, if ever
    _column("failures", sa.Integer),  # how often that has failed
    _column("game", sa.Text),
    _column("public", sa.Boolean),
    _column("is_over", sa.Boolean),
    sa.Column("class_code", sa.Text),  # the class that plays it, if one does
    _column("document", sa.Text),  # everything else: `service/matches.py`
)
sa.Index("matches_expires", matches.c.expires)
for _name, _by, _where in (
    ("matches_due", matches.c.due, matches.c.due.is_not(None)),
    ("matches_listed", matches.c.updated, matches.c.public & ~matches.c.is_over),
    ("matches_class", matches.c.class_code, matches.c.class_code.is_not(None)),
):
    sa.Index(_name, _by, sqlite_where=_where, postgresql_where=_where)

moves = sa.Table(
    "moves",
    metadata,
    sa.Column(
        "match_id", sa.Text, sa.ForeignKey(matches.c.id, ondelete="CASCADE"), primary_key=True
    ),
    sa.Column("ply", sa.Integer, primary_key=True, autoincrement=False),
    _column("move", sa.Text),
    _column("seconds", sa.Double),
    sqlite_with_rowid=False,  # one tree instead of two, so a move writes one page less
)
classes = sa.Table(
    "classes",
    metadata,
    sa.Column("code", sa.Text, primary_key=True),
    _column("version", sa.Integer),
    _column("updated", sa.BigInteger),
    sa.Column("expires", sa.BigInteger, nullable=False, index=True),
    _column("document", sa.Text),
)
watchers = sa.Table(
    "watchers",
    metadata,
    sa.Column("match_id", sa.Text, primary_key=True),
    sa.Column("process", sa.Text, primary_key=True),
    sa.Column("client", sa.Text, primary_key=True, index=True),  # see `rate_limits.client_id`
    sa.Column("is_player", sa.Integer, primary_key=True),  # 0 for a page that only watches
    _column("streams", sa.Integer),
    _column("until", sa.BigInteger),
)
clock = sa.Table("clock", metadata, _column("served", sa.BigInteger), _column("raw", sa.BigInteger))
"""One row: the time, and the clock reading at which it was last counted."""
rate_limits = sa.Table(
    "rate_limits",
    metadata,
    sa.Column("client", sa.Text, primary_key=True),
    sa.Column("bucket", sa.Text, primary_key=True),
    _column("used", sa.Double),
    _column("at", sa.BigInteger),
)
schema_version = sa.Table("schema_version", metadata, _column("version", sa.Integer))


class DatabaseError(DuelsError):
    """The database cannot be opened."""


class SchemaError(DuelsError):
    """The database has another version of the schema."""


class Database:
    """Runs reads and writes, which are functions of a connection."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._reading, self._writing = _engine(url), _engine(url)
        self.is_postgres = self._writing.dialect.name == "postgresql"
        if self.is_postgres:
            self._writers = Writers(self._writing, MAX_WRITERS, 1, "BEGIN")
        else:
            self._writers = Writers(self._writing, 1, MAX_GROUP, BEGIN_IMMEDIATE)

    def read(self, job: Job[T]) -> T:
        """Return what the job finds; each of its statements sees the newest commit."""
        with self._reading.connect() as connection:
            return job(connection)

    def write(self, job: Job[T]) -> T:
        """Run the job in a transaction: all of it is durable, or none of it happened.

        A job may run twice if the connection breaks, so it must check what has already been saved.
        """
        return self.submit(job).result()

    def submit(self, job: Job[T], meanwhile: Callable[[T], object] = lambda _: None) -> Future[T]:
        """Like `write`, but returns a future; `meanwhile` gets the result before it is durable."""
        return self._writers.submit(job, meanwhile)

    def prepare(self) -> None:
        """Create the tables of a new database; SchemaError if it has another schema version."""
        try:
            self.write(create_tables)
        except SQLDatabaseError as error:
            url = sa.make_url(self.url)
            shown = url.set(drivername=url.get_backend_name()).render_as_string(hide_password=True)
            if not self.is_postgres:
                shown = url.database or shown
            reason = str(error.orig).strip().splitlines()[0].rstrip(".")
            raise DatabaseError(f"The database {shown} cannot be opened: {reason}.") from None

    @property
    def has_room(self) -> bool:
        """Say whether SQLite's file can grow.

        Writes do not reveal it: on a full disk some succeed, because they reuse the log.
        """
        file = self._writing.url.database
        if self.is_postgres or not file:
            return True
        try:
            return shutil.disk_usage(file).free >= MIN_FREE_BYTES
        except OSError:
            return True  # not a file, or it has been removed: reads will fail

    def close(self, seconds: float = CLOSE_SECONDS) -> bool:
        """Finish waiting writes and close; return whether there was time for all of them."""
        has_written = self._writers.stop(seconds)
        self._reading.dispose()
        self._writing.dispose()
        return has_written


def create_tables(connection: sa.Connection) -> None:
    """Create the tables if there are none; SchemaError if they have another version."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SET LOCAL lock_timeout = 0"))
        connection.execute(sa.select(sa.text(f"pg_advisory_xact_lock({CREATE_LOCK})")))
    if not sa.inspect(connection).has_table(schema_version.name):
        metadata.create_all(connection)
        connection.execute(schema_version.insert().values(version=VERSION))
        connection.execute(clock.insert().values(served=0, raw=0))
        return
    found = connection.execute(sa.select(schema_version.c.version)).scalar()
    if found != VERSION:
        raise SchemaError(
            f"The database has version {found} of the schema, and this version of duels needs "
            f"{VERSION}. Use another database, or the version of duels that created this one."
        )


def _engine(url: str) -> sa.Engine:
    """Return an engine without implicit transactions: `Writers` begin their own."""
    more: dict[str, Any] = {"isolation_level": "AUTOCOMMIT", "hide_parameters": True}
    try:
        kind = sa.make_url(url).get_backend_name()
        if kind not in {"sqlite", "postgresql"}:
            raise DatabaseError(f"The database must be SQLite or PostgreSQL, not {kind}.")
        if kind == "postgresql":
            more["connect_args"] = _postgres_settings(sa.make_url(url).query.get("options", ""))
        engine = sa.create_engine(url, pool_size=10, max_overflow=30, **more)
    except ModuleNotFoundError as error:
        raise DatabaseError(f"{error.name} is not installed. {install('postgres')}") from None
    except (ArgumentError, TypeError):
        raise DatabaseError(
            "The database must be a file or a URL like postgresql://user@host/name."
        ) from None
    if kind == "sqlite":
        set_up_sqlite(
            engine,
            f"busy_timeout = {BUSY_MILLISECONDS}",
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
        )
    return engine


def _postgres_settings(given: Any) -> dict[str, Any]:
    """Return time limits, so that nothing waits forever; those in the URL override them."""
    settings = {
        "lock_timeout": BUSY_MILLISECONDS,
        "idle_in_transaction_session_timeout": IDLE_MILLISECONDS,
    }
    options = " ".join(f"-c {name}={value}" for name, value in settings.items())
    return {"connect_timeout": CONNECT_SECONDS, "options": f"{options} {given}"}


def set_up_sqlite(engine: sa.Engine, *pragmas: str) -> None:
    """Apply these settings to every connection of the engine, without implicit transactions."""

    def set_up(connection: Any, _record: object) -> None:
        connection.isolation_level = None
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    sa.event.listen(engine, "connect", set_up)


def begin_immediate(connection: sa.Connection) -> None:
    execute(connection, BEGIN_IMMEDIATE)


def execute(connection: sa.Connection, statement: str, *rows: Any) -> list[Any]:
    """Execute a statement once for each of these rows of values, and return what it finds.

    SQLAlchemy's own execution takes ten times as long as SQLite; the errors are SQLAlchemy's.
    """
    dialect, driver = connection.dialect, connection.connection
    try:
        with closing(driver.cursor()) as cursor:
            if rows[1:]:
                cursor.executemany(statement, rows)
            else:
                cursor.execute(statement, *rows)
            return list(cursor.fetchall()) if cursor.description else []
    except dialect.loaded_dbapi.Error as error:
        if is_lost := dialect.is_disconnect(error, driver, None):
            connection.invalidate(error)
        kind = dialect.loaded_dbapi.Error
        raise DBAPIError.instance(
            statement, None, error, kind, connection_invalidated=is_lost, dialect=dialect
        ) from error


class Stopped(RuntimeError):
    """A write was submitted after the database was closed."""


class Write(NamedTuple):
    """A job, the future of its result, and what to call with the result before the commit."""

    job: Job[Any]
    future: Future[Any]
    meanwhile: Callable[[Any], object]


class Writers:
    """Threads that write, with a transaction each; waiting writes may share one.

    A write whose caller no longer waits is not started; one that has started is finished. No
    exception in a job or a caller ends a thread.
    """

    def __init__(self, engine: sa.Engine, threads: int, max_group: int, begin: str) -> None:
        self._engine = engine
        self._max_group = max_group
        self._begin = begin
        self._queue: SimpleQueue[Write | None] = SimpleQueue()
        self._lock = Lock()
        self._is_stopped = False
        self._local = local()
        self._threads = [
            Thread(target=self._run, name="writer", daemon=True) for _ in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, job: Job[T], meanwhile: Callable[[T], object] = lambda _: None) -> Future[T]:
        """Queue a write and return its future."""
        future: Future[T] = Future()
        with self._lock:
            if self._is_stopped:
                raise Stopped("The database is closed.")
            self._queue.put(Write(job, future, meanwhile))
        return future

    def stop(self, seconds: float) -> bool:
        """Finish waiting writes, then end; return whether there was time for all of them."""
        with self._lock:
            self._is_stopped = True
            self._queue.put(None)
        end = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _run(self) -> None:
        while first := self._queue.get():
            group = [first]
            while len(group) < self._max_group and not self._queue.empty():
                following = self._queue.get()
                if following is None:
                    self._queue.put(None)
                    break
                group.append(following)
            begun = [each for each in group if each.future.set_running_or_notify_cancel()]
            if begun:
                self._write(begun)
        self._close()
        self._queue.put(None)  # for the next thread

    def _write(self, group: list[Write]) -> None:
        try:
            done = self._try(group)
        except BaseException as error:
            done = [(None, _failure(error))] * len(group)
        for write, (result, failure) in zip(group, done, strict=True):
            if failure:
                write.future.set_exception(failure)
            else:
                write.future.set_result(result)

    def _try(self, group: list[Write]) -> list[Done]:
        try:
            return self._commit(group)
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
            return self._commit(group)  # on a new connection

    def _commit(self, group: list[Write]) -> list[Done]:
        connection = self._connection()
        try:
            execute(connection, self._begin)
            if len(group) == 1:
                done: list[Done] = [(group[0].job(connection), None)]
            else:
                done = [_run_one(write.job, connection) for write in group]
            for write, (result, failure) in zip(group, done, strict=True):
                if not failure:
                    write.meanwhile(result)
            execute(connection, "COMMIT")
            return done
        except BaseException:
            self._close()
            raise

    def _connection(self) -> sa.Connection:
        """Return this thread's connection, which stays open until something fails."""
        connection: sa.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = self._engine.connect()
            connection.begin()  # or SQLAlchemy would replace a lost connection within a job
        return connection

    def _close(self) -> None:
        if connection := self._local.__dict__.pop("connection", None):
            connection.close()


def _run_one(job: Job[Any], connection: sa.Connection) -> Done:
    """Run one job of a group in a savepoint, so that its failure affects no other job."""
    execute(connection, "SAVEPOINT job")
    result, failure = None, None
    try:
        result = job(connection)
    except OperationalError:
        raise
    except BaseException as error:
        execute(connection, "ROLLBACK TO job")
        failure = _failure(error)
    execute(connection, "RELEASE job")
    return result, failure


def _failure(error: BaseException) -> Exception:
    """Return the caller's exception: SystemExit would end the event loop and so the server."""
    if isinstance(error, Exception) and not isinstance(error, StopIteration):
        return error
    return RuntimeError(f"A write ended with {type(error).__name__}.")
