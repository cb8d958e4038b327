"""The time of a database: the milliseconds during which any of its servers has been running.

Deadlines, and the days after which a match is removed, are counted in this time. It is stored in
the database, and every server adds the time since any server last did, at most 0.8 seconds at once.
A process does not count time before its own start unless another process is counting too. So a
server that was down takes no time from any player, however often; setting a wall clock changes
nothing; and while nothing can be written all clocks stop. A server that stops counts to its end.
When the last server is killed, the time since its last beat (usually less than 0.3 seconds) is
lost, which favours the player to move.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, Connection, cast, create_engine, event, extract, func, select
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from duels.server.database import Database, begin_immediate, clock, set_up_sqlite
from duels.service import logs

MAX_COUNTED = 800
"""The most milliseconds counted between two beats, however far apart they are."""
BEAT_SECONDS = 0.3
FRESH = 200
"""Milliseconds during which one beat is enough for all processes."""
LOCK_MILLISECONDS = 50
"""Milliseconds to wait for SQLite's lock before joining the queue of writes."""
QUEUE_SECONDS = 10.0
"""Seconds to wait in that queue."""

_STORED = select(clock.c.served, clock.c.raw)
_LOCKED = _STORED.with_for_update()
_EPOCH = select(cast(extract("epoch", func.clock_timestamp()) * 1000, BigInteger))

Raw = Callable[[Connection], int]


class Beat(NamedTuple):
    """The stored time, its age, the clock reading at which it was stored, and when it was read."""

    served: int
    age: int
    raw: int
    read: float

    @property
    def counted(self) -> int:
        """The stored time plus what may be added to it."""
        return self.served + max(0, min(self.age, MAX_COUNTED))


class Clock:
    """The time for this process, which also advances it for all processes.

    It counts by the clock of PostgreSQL, which all servers share, or with SQLite by the machine's
    monotonic clock, which all processes of a machine share until it reboots.
    """

    def __init__(
        self,
        database: Database,
        raw: Raw | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._monotonic = monotonic
        self._raw: Raw = raw or (_database_clock if database.is_postgres else self._machine_clock)
        self._unsynced = None if database.is_postgres else create_engine(database.url, pool_size=1)
        if self._unsynced:
            waiting = f"busy_timeout = {LOCK_MILLISECONDS}"
            set_up_sqlite(self._unsynced, waiting, "synchronous = NORMAL")
            event.listen(self._unsynced, "begin", begin_immediate)
        self._found: tuple[int, int] | None = None
        """When this process started: the stored `raw`, and the value of `raw` at that moment."""
        self._lock, self._latest = Lock(), 0
        self._stopping = Event()
        self._thread = Thread(target=self._run, name="clock", daemon=True)
        self.beat()

    def now(self) -> int:
        """Return the time in milliseconds; it never goes back."""
        since = (self._monotonic() - self._beat.read) * 1000
        with self._lock:
            self._latest = max(self._latest, self._beat.counted + int(min(since, MAX_COUNTED)))
            return self._latest

    @property
    def has_stopped(self) -> bool:
        """Whether the last beat is too long ago, because the database cannot be read or written."""
        return (self._monotonic() - self._beat.read) * 1000 > MAX_COUNTED

    def beat(self) -> None:
        """Read the time, and store the new time unless another process has just done so."""
        beat = self._database.read(lambda at: self._read(at, _STORED))
        if not 0 <= beat.age < FRESH:
            beat = self._write()
        self._beat = beat

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Count to the end, unless the database is busy."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(MAX_COUNTED / 1000)
        if not self._thread.is_alive():
            with suppress(SQLAlchemyError, TimeoutError):
                self._write(MAX_COUNTED / 1000)
        if self._unsynced:
            self._unsynced.dispose()

    def _run(self) -> None:
        is_failing = False
        while not self._stopping.wait(BEAT_SECONDS):
            try:
                self.beat()
                is_failing = False
            except Exception as error:
                if not is_failing:
                    logs.info("the clocks have stopped", reason=type(error).__name__)
                is_failing = True

    def _read(self, connection: Connection, query: Any) -> Beat:
        served, raw = connection.execute(query).one()
        now = self._raw(connection)
        self._found = self._found or (raw, now)
        if raw == self._found[0]:  # no process has counted since this one started
            raw = self._found[1]
        return Beat(served, now - raw, now, self._monotonic())

    def _write(self, longest_wait: float = QUEUE_SECONDS) -> Beat:
        """Store the time without a sync: a beat lost in a power failure costs a second at most."""
        if self._unsynced:
            try:
                with self._unsynced.begin() as connection:
                    return self._count(connection)
            except OperationalError:
                pass  # other processes write constantly: use the queue of this process's writes
        counting = self._database.submit(self._count)
        try:
            return counting.result(longest_wait)
        finally:
            counting.cancel()  # the next beat counts all of it

    def _count(self, connection: Connection) -> Beat:
        """Add the elapsed time; the row is locked first, so nothing is counted twice."""
        if self._database.is_postgres:
            connection.exec_driver_sql("SET LOCAL synchronous_commit = off")
        beat = self._read(connection, _LOCKED)
        connection.execute(clock.update().values(served=beat.counted, raw=beat.raw))
        return beat

    def _machine_clock(self, _: Connection) -> int:
        return int(self._monotonic() * 1000)


def _database_clock(connection: Connection) -> int:
    return int(connection.execute(_EPOCH).scalar_one())
