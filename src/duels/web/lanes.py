"""Threads for what takes a while; the queue is bounded, and whoever finds it full is told so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from starlette.types import Receive

from duels.web.problems import Problem

T = TypeVar("T")

RETRY_SECONDS = 5


class HungUp(Problem):
    """Whoever asked does not wait for the answer any more."""

    def __init__(self) -> None:
        super().__init__(503, "Whoever asked has gone.")


class Lane:
    """So many threads, and so many jobs that may wait for one; used on the event loop."""

    def __init__(self, name: str, threads: int, most_waiting: int) -> None:
        self.most_waiting = most_waiting
        self._threads = ThreadPoolExecutor(threads, name)
        self._free = threads
        self._waiting: list[tuple[Callable[[], float], asyncio.Future[None]]] = []

    async def run(self, job: Callable[[], T], receive: Receive, rank: Callable[[], float]) -> T:
        """What the job finds; the lowest rank goes first. It is dropped if the sender hangs up."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(receive, rank)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, job)
        finally:
            self._next()

    def stop(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _wait(self, receive: Receive, rank: Callable[[], float]) -> None:
        """Until it is our turn."""
        if len(self._waiting) >= self.most_waiting:
            raise Problem(
                503,
                "Too many are asking at the moment. Try again in a few seconds.",
                headers={"Retry-After": str(RETRY_SECONDS)},
            )
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        place = (rank, turn)
        self._waiting.append(place)
        gone = asyncio.create_task(_hung_up(receive))
        try:
            await asyncio.wait((turn, gone), return_when=asyncio.FIRST_COMPLETED)
            if not turn.done():
                raise HungUp
        except BaseException:
            if turn.done():
                self._next()
            else:
                self._waiting.remove(place)
            raise
        finally:
            gone.cancel()

    def _next(self) -> None:
        """A thread is free: the turn of whoever waits with the lowest rank, or of nobody yet."""
        if not self._waiting:
            self._free += 1
            return
        place = min(self._waiting, key=lambda place: place[0]())
        self._waiting.remove(place)
        place[1].set_result(None)


async def _hung_up(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
