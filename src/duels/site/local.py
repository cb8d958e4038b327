"""What a page has instead of a server: matches in memory, a clock, and requests in one process."""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlsplit

from duels.service.hosted import Hosted
from duels.service.matches import Job, Matches, StoredMatch, Transaction
from duels.service.problems import Problem
from duels.service.requests import JSON, Request, Response, refuse
from duels.service.routes import ROUTES, Route, handle
from duels.service.views import ListedMatchView, listed_match

T = TypeVar("T")

_PATTERNS = [(re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", r.path)), r) for r in ROUTES]


def find_route(method: str, path: str) -> tuple[Route, dict[str, str]] | None:
    """Return the route of a request, and the names in its path."""
    for pattern, route in _PATTERNS:
        found = pattern.fullmatch(path)
        if found and route.method == method:
            return route, found.groupdict()
    return None


class Conflict(Exception):
    """Another page saved first; `newest` has its matches, None for one that was removed."""

    def __init__(self, newest: Mapping[str, Hosted | None]) -> None:
        super().__init__()
        self.newest = newest


Save = Callable[[Mapping[str, Hosted]], Awaitable[None]]


async def _nowhere(_: Mapping[str, Hosted]) -> None:
    """Save nothing: the matches are only in memory."""


class MemoryStore:
    """Matches in memory, for tests and for a page without a server.

    `save` makes changes durable before they are visible. It raises `Conflict` unless each version
    is one higher than the saved one.
    """

    def __init__(self, save: Save = _nowhere) -> None:
        self.matches: dict[str, Hosted] = {}
        self._save = save

    async def read(self, job: Job[T]) -> T:
        return job(MemoryTransaction(self.matches))

    async def write(self, job: Job[T], meanwhile: Callable[[T], object] = lambda _: None) -> T:
        while True:
            transaction = MemoryTransaction(self.matches)
            result = job(transaction)
            meanwhile(result)
            try:
                if transaction.changed:
                    await self._save(transaction.changed)
            except Conflict as conflict:
                self.learn(conflict.newest)
                continue
            self.matches.update(transaction.changed)
            return result

    def learn(self, newest: Mapping[str, Hosted | None]) -> None:
        """Take over what another page has saved."""
        for match_id, hosted in newest.items():
            if hosted:
                self.matches[match_id] = hosted
            else:
                self.matches.pop(match_id, None)


class MemoryTransaction(Transaction):
    """The matches, and what one job has changed."""

    def __init__(self, matches: Mapping[str, Hosted]) -> None:
        self._matches = matches
        self.changed: dict[str, Hosted] = {}

    def find(
        self, match_id: str, now: int, known: Hosted | None = None, *, lock: bool = False
    ) -> StoredMatch | None:
        hosted = self.changed.get(match_id) or self._matches.get(match_id)
        return StoredMatch(hosted) if hosted else None

    def insert(self, hosted: Hosted, client: str) -> None:
        self.changed[hosted.match.id] = hosted

    def update(self, before: Hosted, after: Hosted, now: int) -> Hosted:
        saved = replace(after, version=before.version + 1, updated=now)
        self.changed[saved.match.id] = saved
        return saved

    def listed(self) -> list[ListedMatchView]:
        latest = sorted(self._matches.values(), key=lambda it: -it.updated)
        return [
            listed_match(it.match.id, it.match.game.id, it.match.seats, it.ply)
            for it in latest
            if it.public and not it.match.outcome
        ]


class LocalClock:
    """The milliseconds since this process began, after `start`."""

    def __init__(self, start: int = 0) -> None:
        self._zero = time.monotonic() - start / 1000

    def now(self) -> int:
        return int((time.monotonic() - self._zero) * 1000)

    def at_least(self, now: int) -> None:
        """Catch up with another page that has the same matches."""
        self._zero = min(self._zero, time.monotonic() - now / 1000)


class LocalSolver:
    """Runs a function where it is called."""

    async def run(self, request: Request, function: Callable[..., T], *args: Any) -> T:
        return function(*args)


class LocalServices:
    """Responds to requests as a server does, in one process."""

    def __init__(self, store: MemoryStore | None = None, clock: LocalClock | None = None) -> None:
        self.matches = Matches(store or MemoryStore(), clock or LocalClock())
        self.solver = LocalSolver()

    async def request(
        self,
        method: str,
        address: str,
        body: bytes = b"",
        token: str | None = None,
        media_type: str = JSON,
    ) -> Response:
        """Return the response to a request; `address` is a path and its query."""
        parts = urlsplit(address)
        found = find_route(method, parts.path)
        if found is None:
            return refuse(Problem(404, "There is nothing here."))
        route, names = found
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        return await handle(self, route, Request(names, query, body, media_type, token))
