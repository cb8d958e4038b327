"""The threads that write, and what they owe to whoever waits.

A write whose caller has gone is not begun; one that has begun is done, though nobody may be told.
Nothing that a job or a caller does ends a thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, OperationalError

T = TypeVar("T")
Job = Callable[[Connection], T]
Group = list[tuple[Job[Any], "Future[Any]"]]


class Stopped(RuntimeError):
    """A write that comes after the end."""


class Writers:
    """Threads with a transaction each; those who wait at the same moment may share one."""

    def __init__(self, engine: Engine, threads: int, together: int) -> None:
        self._engine = engine
        self._together = together
        self._waiting: SimpleQueue[tuple[Job[Any], Future[Any]] | None] = SimpleQueue()
        self._lock = Lock()
        self._is_stopped = False
        self._threads = [
            Thread(target=self._run, name="writer", daemon=True) for _ in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, job: Job[T]) -> Future[T]:
        future: Future[T] = Future()
        with self._lock:
            if self._is_stopped:
                raise Stopped("The database is closed.")
            self._waiting.put((job, future))
        return future

    def stop(self, seconds: float) -> bool:
        """Finish what is waiting, then end: whether there was time for it."""
        with self._lock:
            self._is_stopped = True
            self._waiting.put(None)
        end = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _run(self) -> None:
        while first := self._waiting.get():
            group = [first]
            while len(group) < self._together and not self._waiting.empty():
                following = self._waiting.get()
                if following is None:
                    self._waiting.put(None)
                    break
                group.append(following)
            begun = [each for each in group if each[1].set_running_or_notify_cancel()]
            if begun:
                self._write(begun)
        self._waiting.put(None)  # for the next thread

    def _write(self, group: Group) -> None:
        try:
            done = self._try(group)
        except BaseException as error:
            done = [(None, _failure(error))] * len(group)
        for (_, future), (result, failure) in zip(group, done, strict=True):
            if failure:
                future.set_exception(failure)
            else:
                future.set_result(result)

    def _try(self, group: Group) -> list[tuple[Any, Exception | None]]:
        try:
            return self._commit(group)
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
            return self._commit(group)  # the connection was old; a new one may be better

    def _commit(self, group: Group) -> list[tuple[Any, Exception | None]]:
        with self._engine.begin() as connection:
            if len(group) == 1:
                return [(group[0][0](connection), None)]
            return [_run_one(job, connection) for job, _ in group]


def _run_one(job: Job[Any], connection: Connection) -> tuple[Any, Exception | None]:
    """One job of a group; if it fails, the others do not."""
    try:
        with connection.begin_nested():
            return job(connection), None
    except OperationalError:
        raise
    except BaseException as error:
        return None, _failure(error)


def _failure(error: BaseException) -> Exception:
    """What a caller is told: an event loop that is handed SystemExit would end the server."""
    if isinstance(error, Exception) and not isinstance(error, StopIteration):
        return error
    return RuntimeError(f"A write ended with {type(error).__name__}.")
