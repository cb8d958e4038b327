"""What a server does without a request: computers' moves, clocks, clean-up, and fresh streams.

Any number of processes may do all of this at once, and again after a crash. The database schedules
the work: `due` is when a clock runs out or a computer moves, `expires` when a match may no longer
be needed. Both are postponed before any work is done, so a match that fails blocks no other; only
ids are read, so an unreadable row blocks none either.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import monotonic
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool

from duels.core.game import Move
from duels.games import all_games
from duels.match.match import Match
from duels.server.config import DAY, Config
from duels.server.database import Database, classes, matches, watchers
from duels.server.events import Hub, Notifier
from duels.server.rate_limits import delete_full
from duels.server.solver_pool import SolverPool
from duels.server.storage import (
    CLASS_LIFETIME,
    delete_class,
    save_watchers,
    streams_elsewhere,
    versions,
)
from duels.service import logs
from duels.service.classes import ENDED, is_code
from duels.service.hosted import choose_move
from duels.service.matches import Matches

T = TypeVar("T")

DUE_SECONDS = 0.2
WATCHERS_SECONDS = 1.0
WATCHERS_LAST = 60_000
"""Milliseconds after which the streams of a silent process are no longer counted."""
RATE_LIMIT_SECONDS = 1.0
DELETE_FULL_SECONDS = 60.0
CLEAN_UP_SECONDS = 5.0
POLL_SECONDS = 2.0
"""How often to look for versions that no notification has announced."""
POLL_SECONDS_SHARED_FILE = 0.1
"""The same where several processes share a SQLite file, which has no notifications."""
MAX_IN_QUERY = 500
MAX_ACTING = 2000
"""The most matches that this process acts in at once; the others stay due in the database."""
MAX_TAKEN = 50
MAX_CLEANED = 50
MIN_DELAY, MAX_DELAY = 2000, DAY
"""Milliseconds until a match is tried again; the delay doubles with each failure."""
MARKED_FOR = DAY
"""The time between marking and removing a match: long enough for a player to notice and return."""


class BackgroundJobs:
    """The background tasks of one server process."""

    def __init__(
        self, database: Database, matches: Matches, hub: Hub, solver: SolverPool, config: Config
    ) -> None:
        self.database = database
        self.matches = matches
        self.clock = matches.clock
        self.hub = hub
        self.solver = solver
        self.config = config
        self.process = secrets.token_hex(4)
        self._computers = ThreadPoolExecutor(2, "computers")
        self._threads = ThreadPoolExecutor(4, "background")
        self._tasks: set[asyncio.Task[Any]] = set()
        self._watchers_saved = 0
        self._recount: set[str] = set()
        self._elsewhere: dict[str, tuple[int, float]] = {}
        self._acting: set[str] = set()
        self._notify_servers: Callable[[str], None] = lambda match_id: None

    def start(self) -> None:
        """Start all tasks on the running event loop."""
        self._loop = asyncio.get_running_loop()
        self.matches.publish = self._publish
        self.matches.computer_to_move = self._act
        is_shared_file = self.config.workers > 1 and not self.database.is_postgres
        poll_seconds = POLL_SECONDS_SHARED_FILE if is_shared_file else POLL_SECONDS
        tasks: list[Coroutine[Any, Any, None]] = [
            self._every(DUE_SECONDS, self._act_on_due),
            self._every(WATCHERS_SECONDS, self._save_watchers),
            self._every(poll_seconds, self._poll_versions),
            self._every(RATE_LIMIT_SECONDS, self._save_solver_time),
            self.solver.warm_up(),
        ]
        in_threads: tuple[tuple[float, Callable[[], object]], ...] = (
            (
                DELETE_FULL_SECONDS,
                lambda: self.database.write(partial(delete_full, now=self.clock.now())),
            ),
            (CLEAN_UP_SECONDS, lambda: clean_up(self.database, self.clock.now(), self.config)),
            (CLEAN_UP_SECONDS, lambda: remove_classes(self.database, self.clock.now())),
        )
        tasks += [self._every(seconds, partial(self._run, job)) for seconds, job in in_threads]
        if self.database.is_postgres:
            notifier = Notifier(self.database.url, self.process, self._changed_elsewhere)
            self._notify_servers = notifier.notify
            tasks += notifier.tasks()
        for task in tasks:
            self._start(task)

    async def stop(self, seconds: float) -> None:
        """Cancel all tasks; a thread that does not end in time is left behind."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)
        self._computers.shutdown(wait=False, cancel_futures=True)
        self.solver.stop()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def streams_elsewhere(self, client: str) -> int:
        """Return how many streams a client has elsewhere; the count may be a second old."""
        now = monotonic()
        known, at = self._elsewhere.get(client, (0, -WATCHERS_SECONDS))
        if now - at >= WATCHERS_SECONDS:
            if len(self._elsewhere) > MAX_IN_QUERY:
                self._elsewhere = {}
            known = await run_in_threadpool(
                streams_elsewhere, self.database, self.process, client, self.clock.now()
            )
            self._elsewhere[client] = known, now
        return known

    def _publish(self, match_id: str, version: int, state: bytes) -> None:
        self.hub.publish(match_id, version, state)
        self._notify_servers(match_id)

    def _act(self, match_id: str) -> None:
        if match_id in self._acting or len(self._acting) >= MAX_ACTING:
            return
        self._acting.add(match_id)
        acting = self._start(self._try(self.matches.act(match_id, self._choose), match=match_id))
        acting.add_done_callback(lambda _: self._acting.discard(match_id))

    async def _choose(self, match: Match) -> Move:
        return await self._loop.run_in_executor(self._computers, choose_move, match)

    async def _act_on_due(self) -> None:
        due = await self._run(lambda: take_due(self.database, self.clock.now()))
        for match_id in due or ():
            self._act(match_id)

    async def _save_solver_time(self) -> None:
        """Charge solver time in the database, and read what clients have used on other servers."""
        limiter = self.solver.limiter
        if costs := limiter.take_unsaved():
            job = partial(limiter.save, costs=costs, now=self.clock.now())
            limiter.merge(await self._run(partial(self.database.write, job)) or {})

    async def _save_watchers(self) -> None:
        """Save how many streams are open here, if that has changed or was saved long ago.

        Streams get the count twice, a second apart, because a move at the same moment sends an
        outdated count.
        """
        changed, self.hub.changed = self.hub.changed, set()
        again, self._recount = self._recount, changed
        now = self.clock.now()
        if changed or now - self._watchers_saved > WATCHERS_LAST / 3:
            self._watchers_saved = now
            counts = {match_id: self.hub.listeners(match_id) for match_id in changed}
            save = partial(save_watchers, self.database, self.process, counts, now, WATCHERS_LAST)
            if not await self._run(save):
                self.hub.changed |= changed
            for match_id in changed:
                self._notify_servers(match_id)
        await self._refresh((changed | again) & self.hub.watched().keys())

    async def _poll_versions(self) -> None:
        watched = self.hub.watched()
        ids = list(watched)
        for start in range(0, len(ids), MAX_IN_QUERY):
            some = ids[start : start + MAX_IN_QUERY]
            newest = await self._newest(some)
            await self._refresh({i for i, version in newest.items() if version > watched[i]})

    def _changed_elsewhere(self, match_ids: list[str]) -> None:
        """Refresh what another process has changed: these, or without ids all that are watched."""
        if match_ids:
            self._start(self._refresh(self.hub.watched().keys() & set(match_ids)))
        else:
            self._start(self._poll_versions())

    async def _refresh(self, topics: set[str]) -> None:
        """Read these matches and classes, and publish them."""
        if not topics:
            return

        def fault(match_id: str, error: Exception) -> None:
            if isinstance(error, SQLAlchemyError):
                raise error
            logs.error("a match cannot be read", error, match=match_id)

        codes = {topic for topic in topics if is_code(topic)}
        for found in await self._try(self.matches.newest(topics - codes, fault)) or ():
            self.hub.publish(*found.event)
        for code, version in (await self._newest(codes)).items():
            self.hub.publish(code, version, b"{}")

    async def _newest(self, topics: Iterable[str]) -> dict[str, int]:
        """Return the newest versions; ENDED for a class that another process has removed."""
        found = await self._run(partial(versions, self.database, topics))
        if found is None:  # the database did not respond
            return {}
        return {topic: ENDED for topic in topics if is_code(topic)} | found

    def _start(self, job: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(job)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _every(self, seconds: float, job: Callable[[], Awaitable[Any]]) -> None:
        while True:
            try:
                await job()
            except Exception as error:
                logs.error("a background job failed", error)
            await asyncio.sleep(seconds)

    async def _run(self, job: Callable[[], T]) -> T | None:
        return await self._try(self._loop.run_in_executor(self._threads, job))

    async def _try(self, job: Awaitable[T], **data: str) -> T | None:
        """Return what a job returns, or None after logging why it failed."""
        try:
            return await job
        except SQLAlchemyError as error:
            logs.info("the database does not respond", reason=type(error).__name__, **data)
        except Exception as error:
            logs.error("a background job failed", error, **data)
        return None


def take_due(database: Database, now: int) -> list[str]:
    """Return the ids of matches in which a server must act now, if this server has their games.

    They are postponed first, and any change of a match gives it a new due time. So a match that
    fails waits longer each time, even if it takes the server down with it.
    """
    query = (
        sa.select(matches.c.id)
        .where(matches.c.due <= now, matches.c.game.in_(list(all_games())))
        .order_by(matches.c.due)
        .limit(MAX_TAKEN)
    )
    delay = sa.case(
        (matches.c.failures < 15, _time(MIN_DELAY).bitwise_lshift(matches.c.failures)),
        else_=_time(MAX_DELAY),
    )

    def take(connection: sa.Connection) -> list[str]:
        found = connection.execute(query.with_for_update(skip_locked=True))
        taken = list(found.scalars().all())
        if taken:  # otherwise another process was first
            connection.execute(
                matches.update()
                .where(matches.c.id.in_(taken))
                .values(due=_time(now) + delay, failures=matches.c.failures + 1)
            )
        return taken

    if not database.read(lambda at: at.execute(query.limit(1)).first()):
        return []
    return database.write(take)


def clean_up(database: Database, now: int, config: Config) -> None:
    """Mark some of the expired matches, and delete those that were marked a day ago.

    Every change of a match clears its mark, and so does opening its page. A match whose game is not
    on this server is never deleted.
    """
    query = (
        sa.select(matches.c.id)
        .where(matches.c.expires <= now)
        .order_by(matches.c.expires)
        .limit(MAX_CLEANED)
    )
    days = sa.case((matches.c.is_over, config.finished_days), else_=config.abandoned_days)
    end = matches.c.updated + sa.cast(days * DAY, sa.BigInteger)
    is_here = matches.c.game.in_(list(all_games()))
    is_old = sa.and_(is_here, end <= now)
    is_watched = matches.c.id.in_(sa.select(watchers.c.match_id).where(watchers.c.until > now))

    def clean(connection: sa.Connection) -> None:
        ids = connection.execute(query.with_for_update(skip_locked=True)).scalars().all()
        these = matches.c.id.in_(ids)
        was_marked = matches.c.marked <= now - MARKED_FOR
        since = sa.func.coalesce(matches.c.marked, _time(now))
        connection.execute(matches.delete().where(these, is_old, was_marked, ~is_watched))
        connection.execute(
            matches.update()
            .where(these)
            .values(
                marked=sa.case((is_old, since), else_=None),
                expires=sa.case((sa.and_(is_here, end > now), end), else_=_time(now + MARKED_FOR)),
            )
        )

    if database.read(lambda at: at.execute(query.limit(1)).first()):
        database.write(clean)


def remove_classes(database: Database, now: int) -> None:
    """Delete classes in which nothing has happened for a day, with all their matches.

    A move does not change the row of its class, so the dates of the matches count too.
    """
    over = sa.select(classes.c.code).where(classes.c.expires <= now).limit(MAX_CLEANED)

    def clean(connection: sa.Connection) -> None:
        codes = connection.execute(over.with_for_update(skip_locked=True)).scalars().all()
        of_these = matches.c.class_code.in_(codes)
        played = (
            sa.select(matches.c.class_code, matches.c.updated).where(of_these).with_for_update()
        )
        ends: dict[str, int] = {}
        for code, updated in connection.execute(played):
            ends[code] = max(ends.get(code, 0), updated + CLASS_LIFETIME)
        for code in codes:
            if ends.get(code, 0) > now:
                this = classes.c.code == code
                connection.execute(classes.update().where(this).values(expires=ends[code]))
            else:
                delete_class(connection, code)

    if database.read(lambda at: at.execute(over.limit(1)).first()):
        database.write(clean)


def _time(milliseconds: int) -> sa.BindParameter[int]:
    """Return a 64-bit integer; PostgreSQL assumes 32 bits unless a type is given."""
    return sa.literal(milliseconds, sa.BigInteger)
