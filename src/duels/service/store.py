"""Where matches are kept: what a database, a browser or plain memory has to do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import NamedTuple, Protocol, TypeVar

from duels.match.match import Seats
from duels.service.classes import SchoolClass
from duels.service.hosted import Hosted

T = TypeVar("T")


class Found(NamedTuple):
    """A hosted match and how many event streams are open on it."""

    hosted: Hosted
    watching: int = 0


class Listed(NamedTuple):
    """A match in a list: what is known of it without playing its moves."""

    id: str
    game: str
    seats: Seats
    ply: int


class Shelf(Protocol):
    """What is kept, during one job. What a job changes is kept as a whole, or not at all."""

    def find(
        self, match_id: str, now: int, known: Hosted | None = None, *, to_change: bool = False
    ) -> Found | None:
        """A match. `known` is used when it is still the newest; `to_change` keeps others off."""

    def exists(self, match_id: str) -> bool:
        """Whether a match is kept, be its game here or not."""

    def insert(self, hosted: Hosted, client: str) -> None:
        """A new match, which counts to this client; a Problem if that is one too many."""

    def update(self, before: Hosted, after: Hosted, now: int) -> Hosted:
        """What has changed; the match as it is kept, with its new version."""

    def put_back(self, hosted: Hosted) -> None:
        """Nothing was to be done in this match now."""

    def listed(self) -> Iterable[Listed]:
        """The public matches that are being played, the latest first."""

    def find_class(self, code: str, *, to_change: bool = False) -> SchoolClass | None:
        """A class by its code; `to_change` keeps others off."""

    def count_guess(self, client: str, cost: int, now: int) -> None:
        """Somebody at a door without a secret; a Problem after too many wrong codes."""

    def insert_class(self, it: SchoolClass, client: str) -> None:
        """A new class, which counts to this client; a Problem if that is one too many."""

    def update_class(self, before: SchoolClass, after: SchoolClass, now: int) -> None:
        """What has changed, with a new version."""

    def remove_class(self, it: SchoolClass) -> None:
        """The class and its matches are gone."""


Job = Callable[[Shelf], T]


class Store(Protocol):
    """A place that keeps matches."""

    def read(self, job: Job[T]) -> Awaitable[T]:
        """What the job finds."""

    def write(self, job: Job[T]) -> Awaitable[T]:
        """The same for a job that changes something: all of it is durable then, or nothing is.

        A job may run twice, so it must find out what is there already.
        """
