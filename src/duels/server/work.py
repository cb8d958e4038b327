"""What a server does by itself: computers' moves, clocks, cleaning up, and keeping streams fresh.

Everything here may be done by any number of processes at once, and again after a crash: what is due
stands in the database, and each act is a change like a player's.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import monotonic
from typing import Any, TypeVar

from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool

from duels.core.game import Move
from duels.match.match import Match
from duels.server.budgets import forget
from duels.server.config import Config
from duels.server.database import Database
from duels.server.due import clean_up, remove_classes, take_due
from duels.server.events import Hub
from duels.server.lookups import note_watchers, streams_elsewhere, versions
from duels.server.study import Study
from duels.service import logs
from duels.service.classes import ENDED, is_code
from duels.service.hosted import choose_move
from duels.service.matches import Matches

T = TypeVar("T")

DUE_SECONDS = 0.2
WATCHERS_SECONDS = 1.0
WATCHERS_LAST = 60_000
"""Milliseconds after which the streams of a process that no longer says so are not counted."""
TIDY_SECONDS = 5.0
SHARE_SECONDS = 1.0
FORGET_SECONDS = 60.0
CLEAN_UP_SECONDS = 5.0
POLL_SECONDS = 2.0
"""How often to look for versions that nobody told us."""
POLL_SECONDS_SHARED_FILE = 0.1
"""The same where several processes share a SQLite file, and this is the only way to hear."""
MOST_IN_A_QUERY = 500
MOST_ACTING = 2000
"""Matches that wait for this process to act; what is left out stays due in the database."""


class Work:
    """The background tasks of one server process."""

    def __init__(
        self, database: Database, matches: Matches, hub: Hub, study: Study, config: Config
    ) -> None:
        self.database = database
        self.matches = matches
        self.clock = matches.clock
        self.hub = hub
        self.study = study
        self.config = config
        self.process = secrets.token_hex(4)
        self._computers = ThreadPoolExecutor(2, "computers")
        self._chores = ThreadPoolExecutor(4, "chores")
        self._tasks: set[asyncio.Task[Any]] = set()
        self._counted = 0
        self._recounted: set[str] = set()
        self._elsewhere: dict[str, tuple[int, float]] = {}
        self._acting: set[str] = set()
        self._tell_others: Callable[[str], None] = lambda match_id: None

    def start(self) -> None:
        """Begin, on the running event loop."""
        self._loop = asyncio.get_running_loop()
        self.matches.publish = self._publish
        self.matches.computer_to_move = self._act
        jobs: list[Coroutine[Any, Any, None]] = [
            self._every(DUE_SECONDS, self._do_what_is_due),
            self._every(WATCHERS_SECONDS, self._count_watchers),
            self._every(self._poll_seconds, self._look_for_news),
            self._every(SHARE_SECONDS, self._share_study),
            self.study.begin(),
        ]
        chores: tuple[tuple[float, Callable[[], object]], ...] = (
            (TIDY_SECONDS, self.database.tidy),
            (FORGET_SECONDS, lambda: self.database.write(partial(forget, now=self.clock.now()))),
            (CLEAN_UP_SECONDS, lambda: clean_up(self.database, self.clock.now(), self.config)),
            (CLEAN_UP_SECONDS, lambda: remove_classes(self.database, self.clock.now())),
        )
        jobs += [self._every(seconds, partial(self._run, chore)) for seconds, chore in chores]
        if self.database.is_postgres:
            from duels.server.postgres import Notifier

            notifier = Notifier(self.database.url, self.process, self._heard)
            self._tell_others = notifier.tell
            jobs += notifier.jobs()
        for job in jobs:
            self._start(job)

    async def stop(self, seconds: float) -> None:
        """End what can be ended; a thread that does not come back in time is left behind."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)
        self._computers.shutdown(wait=False, cancel_futures=True)
        self.study.stop()
        self._chores.shutdown(wait=False, cancel_futures=True)

    async def streams_elsewhere(self, client: str) -> int:
        """How many streams a client has open in other processes, which say so once a second."""
        now = monotonic()
        known, at = self._elsewhere.get(client, (0, -WATCHERS_SECONDS))
        if now - at >= WATCHERS_SECONDS:
            if len(self._elsewhere) > MOST_IN_A_QUERY:
                self._elsewhere = {}
            ask = partial(streams_elsewhere, self.database, self.process, client, self.clock.now())
            known = await run_in_threadpool(ask)
            self._elsewhere[client] = known, now
        return known

    @property
    def _poll_seconds(self) -> float:
        shared_file = self.config.workers > 1 and not self.database.is_postgres
        return POLL_SECONDS_SHARED_FILE if shared_file else POLL_SECONDS

    def _publish(self, match_id: str, version: int, state: bytes) -> None:
        self.hub.publish(match_id, version, state)
        self._tell_others(match_id)

    def _act(self, match_id: str) -> None:
        if match_id in self._acting or len(self._acting) >= MOST_ACTING:
            return
        self._acting.add(match_id)
        doing = self._start(self._try(self.matches.act(match_id, self._choose), match=match_id))
        doing.add_done_callback(lambda _: self._acting.discard(match_id))

    async def _choose(self, match: Match) -> Move:
        return await self._loop.run_in_executor(self._computers, choose_move, match)

    async def _do_what_is_due(self) -> None:
        due = await self._run(lambda: take_due(self.database, self.clock.now()))
        for match_id in due or ():
            self._act(match_id)

    async def _share_study(self) -> None:
        """Count what clients have asked for here to what they have asked for elsewhere."""
        if costs := self.study.unshared():
            job = partial(self.study.share, costs=costs, now=self.clock.now())
            self.study.learn(await self._run(partial(self.database.write, job)) or {})

    async def _count_watchers(self) -> None:
        """Write down how many streams are open here, where that has changed or grows old.

        It is told twice, a second apart: a move made in the same moment tells the count before it.
        """
        changed, self.hub.changed = self.hub.changed, set()
        told, self._recounted = self._recounted, changed
        now = self.clock.now()
        if changed or now - self._counted > WATCHERS_LAST / 3:
            self._counted = now
            counts = {match_id: self.hub.listeners(match_id) for match_id in changed}
            note = partial(note_watchers, self.database, self.process, counts, now, WATCHERS_LAST)
            if not await self._run(note):
                self.hub.changed |= changed
            for match_id in changed:
                self._tell_others(match_id)
        await self._refresh((changed | told) & self.hub.watched().keys())

    async def _look_for_news(self) -> None:
        watched = self.hub.watched()
        ids = list(watched)
        for start in range(0, len(ids), MOST_IN_A_QUERY):
            some = ids[start : start + MOST_IN_A_QUERY]
            newest = await self._newest(some)
            newer = {i for i, version in newest.items() if version > watched[i]}
            await self._refresh(newer)

    def _heard(self, match_ids: list[str]) -> None:
        """Another process has changed these; none named means that some may have been missed."""
        if match_ids:
            self._start(self._refresh(self.hub.watched().keys() & set(match_ids)))
        else:
            self._start(self._look_for_news())

    async def _refresh(self, topics: set[str]) -> None:
        """Read these matches and classes, and tell their streams."""
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
        """The newest versions; a class that another process has removed is told once."""
        found = await self._run(partial(versions, self.database, topics))
        if found is None:  # the database does not answer
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
                logs.error("a chore failed", error)
            await asyncio.sleep(seconds)

    async def _run(self, chore: Callable[[], T]) -> T | None:
        """Do a chore in a thread."""
        return await self._try(self._loop.run_in_executor(self._chores, chore))

    async def _try(self, job: Awaitable[T], **data: str) -> T | None:
        """Do a chore; a database that does not answer now will be asked again."""
        try:
            return await job
        except SQLAlchemyError as error:
            logs.info("the database does not answer", reason=type(error).__name__, **data)
        except Exception as error:
            logs.error("a chore failed", error, **data)
        return None
