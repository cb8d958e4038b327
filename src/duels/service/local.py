"""A host without a server: whoever asks and whoever answers are in one process."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlsplit

from duels.core.game import Move
from duels.match.match import Match
from duels.service.asking import JSON, Answer, Asked, refusal
from duels.service.hosted import choose
from duels.service.matches import Matches
from duels.service.memory import MemoryStore
from duels.service.problems import Problem
from duels.service.routes import answer_to, find_route

T = TypeVar("T")


class LocalClock:
    """The milliseconds since this host began, after `start`."""

    def __init__(self, start: int = 0) -> None:
        self._zero = time.monotonic() - start / 1000

    def now(self) -> int:
        return int((time.monotonic() - self._zero) * 1000)

    def at_least(self, now: int) -> None:
        """Another host with the same matches has got so far."""
        self._zero = min(self._zero, time.monotonic() - now / 1000)


class AtOnce:
    """Works things out where they are asked for."""

    async def run(self, asked: Asked, function: Callable[..., T], *args: Any) -> T:
        return function(*args)


class LocalDesk:
    """Answers requests as a server does. `act` makes the moves of the computer."""

    def __init__(self, store: MemoryStore | None = None, clock: LocalClock | None = None) -> None:
        self.matches = Matches(store or MemoryStore(), clock or LocalClock())
        self.study = AtOnce()

    async def ask(
        self,
        method: str,
        address: str,
        body: bytes = b"",
        secret: str | None = None,
        media_type: str = JSON,
    ) -> Answer:
        """The answer to a request; `address` is a path and its query."""
        parts = urlsplit(address)
        found = find_route(method, parts.path)
        if found is None:
            return refusal(Problem(404, "There is nothing here."))
        route, names = found
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        return await answer_to(self, route, Asked(names, query, body, media_type, secret))

    async def act(self, match_id: str) -> None:
        """Do what is due in a match: the computer's move, or the end of the clock."""
        await self.matches.act(match_id, _choose)


async def _choose(match: Match) -> Move:
    return choose(match)
