"""Verdicts, hints, reviews and pictures, computed in a separate process.

A thread would not be enough: it would compete with the threads that save moves and choose the
computer's, and slow down each of their many small steps. One job runs at a time. Clients take
turns, and a client is charged the seconds that its jobs took, not the number of its requests.
"""

from __future__ import annotations

import asyncio
import os
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from duels.core.errors import DuelsError
from duels.games import all_games
from duels.lab.jobs import begin_worker, end_workers
from duels.service.problems import Problem, problem_of
from duels.service.requests import Request

if TYPE_CHECKING:
    from starlette.requests import Request as HttpRequest

    from duels.server.rate_limits import RateLimiter

T = TypeVar("T")

WARM_UP_SECONDS = 5.0
"""How long after start-up the process starts: pages and moves come first."""
MAX_JOBS = 61
"""One running job and sixty that wait; a whole class asks for thirty at once."""
RETRY_SECONDS = 5
MAX_SECONDS = 20.0
"""Seconds after which a job is stopped; a page gives up after ten."""
NICE = 5


class ClientGone(Problem):
    """The client disconnected before its job began."""

    def __init__(self) -> None:
        super().__init__(503, "The client has disconnected.")


async def disconnected(request: HttpRequest) -> None:
    """Return once the client of a request has disconnected."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


class SolverProcess:
    """A process that does one job at a time, none for longer than `MAX_SECONDS`.

    It starts when it is needed, and restarts after it has died.
    """

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    async def call(self, function: Callable[..., Any], *args: Any) -> JobResult:
        """Call a function in the process, which is stopped if the job takes too long."""
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, get_context("spawn"), initializer=_begin)
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(MAX_SECONDS):
                return await loop.run_in_executor(self._pool, _call, function, args)
        except TimeoutError:
            self.stop()
            return JobResult(MAX_SECONDS, refused=(503, "This takes too long to work out."))
        except BrokenProcessPool:
            self.stop()
            sentence = "This could not be worked out just now. Try again in a moment."
            return JobResult(0.0, refused=(503, sentence))

    def stop(self) -> None:
        pool, self._pool = self._pool, None
        if pool:
            end_workers(pool)


class SolverPool:
    """The solver process, the jobs that wait for it, and the time that clients have used."""

    def __init__(self, limiter: RateLimiter, max_jobs: int = MAX_JOBS) -> None:
        self.limiter = limiter
        self.max_jobs = max_jobs
        self.jobs = 0
        self._process = SolverProcess()
        self._turn = asyncio.Semaphore(1)
        self._client_turns: dict[str, asyncio.Semaphore] = {}
        """By client: the lock that lets only one of its jobs at a time wait for `_turn`."""

    async def run(self, request: Request, function: Callable[..., T], *args: Any) -> T:
        """Call a function in the solver process, and return its result.

        It must be a function of a module, with plain data as arguments: both are pickled.

        A Problem if the client has used too much time (429), or if there are too many jobs or the
        client disconnects before its turn (503). All classes of one address take turns as one
        client, so new classes do not move it up the queue.
        """
        self.limiter.check(request.client)
        if self.jobs >= self.max_jobs:
            raise Problem(
                503,
                "Too many requests are waiting. Try again in a few seconds.",
                headers={"Retry-After": str(RETRY_SECONDS)},
            )
        begun = asyncio.Event()
        client = request.address or request.client
        job = asyncio.ensure_future(self._run_in_turn(client, begun, function, args))
        disconnected = asyncio.ensure_future(request.disconnected())
        self.jobs += 1
        try:
            await asyncio.wait((job, disconnected), return_when=asyncio.FIRST_COMPLETED)
            if not begun.is_set():
                raise ClientGone
            done = await job
        finally:
            self.jobs -= 1
            disconnected.cancel()
            job.cancel()
        self.limiter.charge(request.client, done.seconds)
        if done.refused:
            raise Problem(*done.refused)
        if done.fault:
            raise RuntimeError(done.fault)
        return cast("T", done.value)

    async def _run_in_turn(
        self, client: str, begun: asyncio.Event, function: Callable[..., Any], args: tuple[Any, ...]
    ) -> JobResult:
        client_turn = self._client_turns.setdefault(client, asyncio.Semaphore(1))
        try:
            async with client_turn, self._turn:
                begun.set()
                return await self._process.call(function, *args)
        finally:
            if not client_turn.locked():  # no other job of this client is waiting
                self._client_turns.pop(client, None)

    async def warm_up(self) -> None:
        """Start the process before the first job needs it."""
        await asyncio.sleep(WARM_UP_SECONDS)
        await self._process.call(abs, 0)

    def stop(self) -> None:
        self._process.stop()


class JobResult(NamedTuple):
    """The result of a job, and the seconds of computing it took."""

    seconds: float
    value: Any = None
    refused: tuple[int, str] | None = None
    """The status and the sentence of a Problem."""
    fault: str = ""
    """The traceback of any other exception."""


def _begin() -> None:
    begin_worker()
    all_games()  # a position of an added game can be unpickled only where the game is registered
    if hasattr(os, "nice"):
        os.nice(NICE)  # moves come first, even on a machine with few cores


def _call(function: Callable[..., Any], args: tuple[Any, ...]) -> JobResult:
    """Return exceptions as data: not every exception can be pickled."""
    began = time.thread_time()
    value, refused, fault = None, None, ""
    try:
        value = function(*args)
    except (Problem, DuelsError) as error:
        problem = problem_of(error)
        refused = problem.status, problem.detail
    except Exception:
        fault = traceback.format_exc()
    return JobResult(time.thread_time() - began, value, refused, fault)
