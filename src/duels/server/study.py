"""Verdicts, hints, reviews and pictures: one at a time, within a budget of work for each client.

What counts is the time that was spent on computing, not the number of requests: a class may ask
a thousand times for what is easy.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, TypeVar, cast

from sqlalchemy import Connection

from duels.server.budgets import Budget, spend
from duels.server.lanes import Lane
from duels.server.thinker import Thinker
from duels.service.problems import Problem
from duels.service.requests import Request, limit_scope

T = TypeVar("T")

BEGIN_SECONDS = 5.0
"""After the start, when everybody else is served."""
MOST_WAITING = 60
"""A class that asks all at once is thirty."""
REFILLS = 120_000
"""Milliseconds after which all of a client's seconds are there again."""
MOST_CLIENTS = 10_000


class Study:
    """The lane of one process, and what its clients have spent, as far as that is known here."""

    def __init__(self, seconds: float) -> None:
        self.budget = Budget("study", seconds, REFILLS)
        self._lane = Lane(1, MOST_WAITING)
        self._thinker = Thinker()
        self._spent: dict[str, tuple[float, float]] = {}
        """By client: the seconds, and when that was, in milliseconds of a monotonic clock."""
        self._unshared: dict[str, float] = {}

    async def run(self, request: Request, function: Callable[..., T], *args: Any) -> T:
        """What a function finds. Whoever has asked for least so far goes first.

        Classes of one address wait as one: nobody is served before others by making new ones.
        """
        client = request.client
        too_much = self.spent(client) - self.budget.most
        if too_much > 0:
            raise Problem(
                429,
                f"More has been asked {limit_scope(client)} than the server can work out. "
                "Games go on; try this again in a while.",
                headers=self.budget.retry_after(too_much),
            )
        queued = f"queue {request.address}" if request.address else client
        async with self._lane.turn(request.disconnected, lambda: self.spent(queued)):
            done = await self._thinker.run(function, args)
        self._unshared[client] = self._unshared.get(client, 0.0) + done.seconds
        for who in {client, queued}:
            self._learn(who, self.spent(who) + done.seconds)
        if done.refused:
            raise Problem(*done.refused)
        if done.fault:
            raise RuntimeError(done.fault)
        return cast("T", done.result)

    async def begin(self) -> None:
        """Have the process ready before somebody waits for it."""
        await asyncio.sleep(BEGIN_SECONDS)
        await self._thinker.run(abs, (0,))

    def spent(self, client: str) -> float:
        """The seconds that still count."""
        spent, at = self._spent.get(client, (0.0, 0.0))
        return self.budget.still_spent(spent, _now() - at)

    def unshared(self) -> dict[str, float]:
        """What has been spent here since this was asked last."""
        costs, self._unshared = self._unshared, {}
        return costs

    def share(self, connection: Connection, costs: dict[str, float], now: int) -> dict[str, float]:
        """Write down what was spent here; what was spent at all servers together."""
        return {
            client: spend(connection, self.budget, client, cost, now)
            for client, cost in sorted(costs.items())
        }

    def learn(self, spent: dict[str, float]) -> None:
        """What clients have spent at all servers."""
        for client, seconds in spent.items():
            self._learn(client, seconds + self._unshared.get(client, 0.0))

    def stop(self) -> None:
        self._thinker.stop()

    def _learn(self, client: str, seconds: float) -> None:
        if len(self._spent) > MOST_CLIENTS:
            self._spent = {who: it for who, it in self._spent.items() if self.spent(who)}
        self._spent[client] = (seconds, _now())


def _now() -> float:
    return time.monotonic() * 1000
