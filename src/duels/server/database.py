"""The database: SQLite in a file, or PostgreSQL for any number of servers.

A write is one transaction, durable when `write` returns. SQLite has one writer and an expensive
commit, so there writes that wait at the same moment share a commit; PostgreSQL does that by itself.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, make_url, select
from sqlalchemy.exc import ArgumentError, ProgrammingError
from sqlalchemy.exc import DatabaseError as SQLDatabaseError

from duels.core.errors import DuelsError, install
from duels.server import tables
from duels.server.writers import Job, Writers

T = TypeVar("T")

BUSY_MILLISECONDS = 5000
"""How long a write waits for a lock that somebody else holds."""
CONNECT_SECONDS = 5
IDLE_MILLISECONDS = 15_000
"""When PostgreSQL ends a transaction whose server fell silent, and frees the rows it held."""
CLOSE_SECONDS = 30.0
MOST_WRITERS = 16
MOST_TOGETHER = 100
"""Writes that share a commit."""
PAGES_IN_JOURNAL = 20_000
"""When a commit itself has to tidy SQLite's journal; `tidy` does it before, in nobody's way."""

LEAST_ROOM = 1024 * 1024
"""Bytes that must be free beside a SQLite file."""


class DatabaseError(DuelsError):
    """The database cannot be opened."""


class Database:
    """Reads and writes as jobs that are handed a connection."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._reading = _engine(url, isolation_level="AUTOCOMMIT")
        self._writing = _engine(url)
        self.is_postgres = self._writing.dialect.name == "postgresql"
        if self.is_postgres:
            self._writers = Writers(self._writing, MOST_WRITERS, together=1)
        else:
            event.listen(self._writing, "begin", begin_immediate)
            self._writers = Writers(self._writing, 1, MOST_TOGETHER)

    def read(self, job: Job[T]) -> T:
        """What the job finds; each of its statements sees the database as it is by then."""
        with self._reading.connect() as connection:
            return job(connection)

    def write(self, job: Job[T]) -> T:
        """Run the job in a transaction: all of it is durable, or none of it happened.

        A job may run twice if the connection breaks, so it must find out what is there already.
        """
        return self.submit(job).result()

    def submit(self, job: Job[T]) -> Future[T]:
        """The same for those who do not want to stand and wait."""
        return self._writers.submit(job)

    def migrate(self) -> tuple[int, int]:
        """Bring the schema up to date; the versions before and after."""
        return self._opening(lambda: self.write(tables.migrate))

    def check(self) -> None:
        """SchemaError unless the schema is the one that this program knows."""

        def version(connection: Connection) -> int:
            return connection.execute(select(tables.schema_version.c.version)).scalar() or 0

        try:
            found = self._opening(lambda: self.read(version))
        except ProgrammingError:
            found = 0
        tables.check_schema(found)

    def tidy(self) -> None:
        """Move what SQLite's journal holds into the file, while others read and write."""
        if not self.is_postgres:
            self.read(lambda at: at.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)").all())

    @property
    def has_room(self) -> bool:
        """Whether SQLite's file can grow.

        Writes do not show it: on a full disk some succeed, because they reuse the journal.
        """
        file = self._writing.url.database
        if self.is_postgres or not file:
            return True
        try:
            return shutil.disk_usage(file).free >= LEAST_ROOM
        except OSError:
            return True  # not a file, or it is gone: reading will tell

    def close(self, seconds: float = CLOSE_SECONDS) -> bool:
        """Write what is waiting, and end: whether there was time for it."""
        has_written = self._writers.stop(seconds)
        self._reading.dispose()
        self._writing.dispose()
        return has_written

    def _opening(self, first_use: Callable[[], T]) -> T:
        try:
            return first_use()
        except ProgrammingError:
            raise
        except SQLDatabaseError as error:
            shown = make_url(self.url).render_as_string(hide_password=True)
            reason = str(error.orig).strip().splitlines()[0].rstrip(".")
            raise DatabaseError(f"The database {shown} cannot be opened: {reason}.") from None


def _engine(url: str, **more: Any) -> Engine:
    try:
        kind = make_url(url).get_backend_name()
        if kind not in {"sqlite", "postgresql"}:
            raise DatabaseError(f"The database must be SQLite or PostgreSQL, not {kind}.")
        if kind == "postgresql":
            more["connect_args"] = _postgres_settings(make_url(url).query.get("options", ""))
        engine = create_engine(url, pool_size=10, max_overflow=30, hide_parameters=True, **more)
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
            f"wal_autocheckpoint = {PAGES_IN_JOURNAL}",
        )
    return engine


def _postgres_settings(given: Any) -> dict[str, Any]:
    """So that nothing waits for ever; what the URL says goes before."""
    settings = {
        "lock_timeout": BUSY_MILLISECONDS,
        "idle_in_transaction_session_timeout": IDLE_MILLISECONDS,
    }
    options = " ".join(f"-c {name}={value}" for name, value in settings.items())
    return {"connect_timeout": CONNECT_SECONDS, "options": f"{options} {given}"}


def set_up_sqlite(engine: Engine, *pragmas: str) -> None:
    """Every connection of the engine has these settings, and begins no transaction by itself."""

    def set_up(connection: Any, _record: object) -> None:
        connection.isolation_level = None
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    event.listen(engine, "connect", set_up)


def begin_immediate(connection: Connection) -> None:
    """Take the write lock at the start, so that no transaction has to give up half-way."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")
