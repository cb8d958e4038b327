"""A bounded queue: whoever finds it full is told so at once, and whoever hangs up has no place."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from duels.service.problems import Problem

RETRY_SECONDS = 5
Gone = Callable[[], Awaitable[None]]
"""Returns when nobody waits for the answer any more."""


class HungUp(Problem):
    """Whoever asked does not wait for the answer any more."""

    def __init__(self) -> None:
        super().__init__(503, "Whoever asked has gone.")


class Lane:
    """So many at a time, and so many that may wait; used on the event loop."""

    def __init__(self, most: int, most_waiting: int) -> None:
        self.most_waiting = most_waiting
        self._free = most
        self._waiting: list[tuple[Callable[[], float], asyncio.Future[None]]] = []

    @asynccontextmanager
    async def turn(self, gone: Gone, rank: Callable[[], float]) -> AsyncIterator[None]:
        """Wait for one's turn; the lowest rank is next. A Problem if it never comes."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(gone, rank)
        try:
            yield
        finally:
            self._next()

    async def _wait(self, gone: Gone, rank: Callable[[], float]) -> None:
        if len(self._waiting) >= self.most_waiting:
            raise Problem(
                503,
                "Too many are asking at the moment. Try again in a few seconds.",
                headers={"Retry-After": str(RETRY_SECONDS)},
            )
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        place = (rank, turn)
        self._waiting.append(place)
        leaving = asyncio.ensure_future(gone())
        try:
            await asyncio.wait((turn, leaving), return_when=asyncio.FIRST_COMPLETED)
            if not turn.done():
                raise HungUp
        except BaseException:
            if turn.done():
                self._next()
            else:
                self._waiting.remove(place)
            raise
        finally:
            leaving.cancel()

    def _next(self) -> None:
        """There is room: the turn of whoever waits with the lowest rank, or of nobody yet."""
        if not self._waiting:
            self._free += 1
            return
        place = min(self._waiting, key=lambda place: place[0]())
        self._waiting.remove(place)
        place[1].set_result(None)
