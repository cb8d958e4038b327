"""Matches in memory: for tests, and for a page that is its own server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from duels.service.classes import SchoolClass
from duels.service.hosted import Hosted
from duels.service.problems import Problem
from duels.service.store import Found, Job, Listed

T = TypeVar("T")
NO_CLASSES = "A class needs a server, so that its pupils can reach it: duels serve."
Keep = Callable[[Mapping[str, Hosted]], Awaitable[None]]


class Stale(Exception):
    """Somebody else was first: their matches are the newest, None for one that is gone."""

    def __init__(self, newest: Mapping[str, Hosted | None]) -> None:
        super().__init__()
        self.newest = newest


async def _nowhere(_: Mapping[str, Hosted]) -> None:
    """Memory alone is what keeps them."""


class MemoryStore:
    """Keeps matches by their ids; `keep` is told what has changed before anybody else is.

    What it keeps has a version one higher than what was there, or it raises `Stale`.
    """

    def __init__(self, keep: Keep = _nowhere) -> None:
        self.matches: dict[str, Hosted] = {}
        self._keep = keep

    async def read(self, job: Job[T]) -> T:
        return job(MemoryShelf(self.matches))

    async def write(self, job: Job[T]) -> T:
        while True:
            shelf = MemoryShelf(self.matches)
            result = job(shelf)
            try:
                if shelf.changed:
                    await self._keep(shelf.changed)
            except Stale as stale:
                self.learn(stale.newest)
                continue
            self.matches.update(shelf.changed)
            return result

    def learn(self, newest: Mapping[str, Hosted | None]) -> None:
        """What somebody else has kept."""
        for match_id, hosted in newest.items():
            if hosted:
                self.matches[match_id] = hosted
            else:
                self.matches.pop(match_id, None)


class MemoryShelf:
    """The matches and what one job has changed of them."""

    def __init__(self, matches: Mapping[str, Hosted]) -> None:
        self._matches = matches
        self.changed: dict[str, Hosted] = {}

    def find(
        self, match_id: str, now: int, known: Hosted | None = None, *, to_change: bool = False
    ) -> Found | None:
        hosted = self.changed.get(match_id) or self._matches.get(match_id)
        return Found(hosted) if hosted else None

    def exists(self, match_id: str) -> bool:
        return match_id in self._matches

    def insert(self, hosted: Hosted, client: str) -> None:
        self.changed[hosted.match.id] = hosted

    def update(self, before: Hosted, after: Hosted, now: int) -> Hosted:
        kept = replace(after, version=before.version + 1, updated=now)
        self.changed[kept.match.id] = kept
        return kept

    def put_back(self, hosted: Hosted) -> None:
        pass

    def find_class(self, code: str, *, to_change: bool = False) -> SchoolClass | None:
        return None

    def count_guess(self, client: str, cost: int, now: int) -> None:
        pass

    def insert_class(self, it: SchoolClass, client: str) -> None:
        raise Problem(501, NO_CLASSES)

    def update_class(self, before: SchoolClass, after: SchoolClass, now: int) -> None:
        raise Problem(501, NO_CLASSES)

    def remove_class(self, it: SchoolClass) -> None:
        raise Problem(501, NO_CLASSES)

    def listed(self) -> list[Listed]:
        latest = sorted(self._matches.values(), key=lambda it: -it.updated)
        return [
            Listed(it.match.id, it.match.game.id, it.match.seats, it.ply)
            for it in latest
            if it.public and not it.match.outcome
        ]
