"""The database: SQLite in a file, or PostgreSQL for any number of servers.

A write is one transaction, durable when `write` returns. SQLite has one writer and an expensive
commit, so there writes that wait at the same moment share a commit; PostgreSQL does that by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, make_url, select
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError, ProgrammingError
from sqlalchemy.exc import DatabaseError as SQLDatabaseError

from duels.core.errors import DuelsError, install
from duels.web import tables

T = TypeVar("T")
Job = Callable[[Connection], T]

BUSY_MILLISECONDS = 5000
MOST_WRITERS = 16
MOST_TOGETHER = 100
"""Writes that share a commit."""
PAGES_IN_JOURNAL = 20_000
"""When a commit itself has to tidy SQLite's journal; `tidy` does it before, in nobody's way."""


class DatabaseError(DuelsError):
    """The database cannot be opened."""


class Database:
    """Reads and writes as jobs that are handed a connection."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._reading = _engine(url, isolation_level="AUTOCOMMIT")
        self._writing = _engine(url)
        self.is_postgres = self._writing.dialect.name == "postgresql"
        self._writers: GroupWriter | Writers
        if self.is_postgres:
            self._writers = Writers(self._writing)
        else:
            event.listen(self._writing, "begin", _begin_immediate)
            self._writers = GroupWriter(self._writing)

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

    def close(self) -> None:
        self._writers.stop()
        self._reading.dispose()
        self._writing.dispose()

    def _opening(self, first_use: Callable[[], T]) -> T:
        try:
            return first_use()
        except ProgrammingError:
            raise
        except SQLDatabaseError as error:
            shown = make_url(self.url).render_as_string(hide_password=True)
            reason = str(error.orig).strip().splitlines()[0].rstrip(".")
            raise DatabaseError(f"The database {shown} cannot be opened: {reason}.") from None


class Writers:
    """Threads that write at the same time, a transaction each."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._threads = ThreadPoolExecutor(MOST_WRITERS, "writer")

    def submit(self, job: Job[T]) -> Future[T]:
        return self._threads.submit(self._write, job)

    def stop(self) -> None:
        self._threads.shutdown()

    def _write(self, job: Job[T]) -> T:
        try:
            return self._commit(job)
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
            return self._commit(job)  # the connection was old; a new one may be better

    def _commit(self, job: Job[T]) -> T:
        with self._engine.begin() as connection:
            return job(connection)


class GroupWriter(Thread):
    """One thread that writes for all; whoever waits at the same moment is committed together."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(name="writer", daemon=True)
        self._engine = engine
        self._waiting: SimpleQueue[tuple[Job[Any], Future[Any]] | None] = SimpleQueue()
        self.start()

    def submit(self, job: Job[T]) -> Future[T]:
        future: Future[T] = Future()
        self._waiting.put((job, future))
        return future

    def stop(self) -> None:
        """Finish what is waiting, then end."""
        self._waiting.put(None)
        self.join()

    def run(self) -> None:
        while first := self._waiting.get():
            group = [first]
            while len(group) < MOST_TOGETHER and not self._waiting.empty():
                following = self._waiting.get()
                if following is None:
                    self._waiting.put(None)
                    break
                group.append(following)
            self._commit(group)

    def _commit(self, group: list[tuple[Job[Any], Future[Any]]]) -> None:
        done: list[tuple[Any, Exception | None]]
        try:
            with self._engine.begin() as connection:
                if len(group) == 1:
                    done = [(group[0][0](connection), None)]
                else:
                    done = [self._run_one(job, connection) for job, _ in group]
        except Exception as error:
            done = [(None, error)] * len(group)
        for (_, future), (result, failure) in zip(group, done, strict=True):
            if failure:
                future.set_exception(failure)
            else:
                future.set_result(result)

    def _run_one(self, job: Job[Any], connection: Connection) -> tuple[Any, Exception | None]:
        """One job of a group; if it fails, the others do not."""
        try:
            with connection.begin_nested():
                return job(connection), None
        except OperationalError:
            raise
        except Exception as error:
            return None, error


def _engine(url: str, **more: Any) -> Engine:
    try:
        kind = make_url(url).get_backend_name()
        if kind not in {"sqlite", "postgresql"}:
            raise DatabaseError(f"The database must be SQLite or PostgreSQL, not {kind}.")
        engine = create_engine(url, pool_size=10, max_overflow=30, hide_parameters=True, **more)
    except ModuleNotFoundError as error:
        raise DatabaseError(f"{error.name} is not installed. {install('postgres')}") from None
    except (ArgumentError, TypeError):
        raise DatabaseError(
            "The database must be a file or a URL like postgresql://user@host/name."
        ) from None
    if kind == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # we begin transactions ourselves
    for pragma in (
        f"busy_timeout = {BUSY_MILLISECONDS}",
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        f"wal_autocheckpoint = {PAGES_IN_JOURNAL}",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_immediate(connection: Connection) -> None:
    """Take the write lock at the start, so that no transaction has to give up half-way."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")
