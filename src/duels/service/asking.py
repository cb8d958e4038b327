"""A request and its answer as plain data."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from duels.core.errors import DuelsError
from duels.service.problems import MEDIA_TYPE, Problem, problem_body, problem_of

JSON = "application/json"
SVG = "image/svg+xml"
CLASS = "class "


async def _stays() -> None:
    """Whoever asked here waits for the answer, however long it takes."""
    await asyncio.Event().wait()


class Asked(NamedTuple):
    """What somebody asks: the names in the path, the query, the body, and who it is."""

    names: Mapping[str, str] = {}
    query: Mapping[str, str] = {}
    body: bytes = b""
    media_type: str = JSON
    secret: str | None = None
    """Opens a seat."""
    client: str = ""
    """Whom limits count it to."""
    address: str = ""
    """Who asks, if that is not whom it counts to: a class has its own limits, not its own turn."""
    gone: Callable[[], Awaitable[None]] = _stays
    """Returns when nobody waits for the answer any more."""

    @property
    def match_id(self) -> str:
        return self.names["match_id"]

    def about(self, school: str | None) -> Asked:
        """The same, counted to the class whose match or lesson it is about, if it is of one."""
        if not school:
            return self
        return self._replace(client=class_client(school), address=self.address or self.client)


def class_client(code: str) -> str:
    """Whom limits count to what is done in a class: a whole school may be one address."""
    return f"{CLASS}{code}"


def in_one(client: str) -> str:
    """Where a limit holds, for its sentence."""
    return "in one class" if client.startswith(CLASS) else "from one address"


class Answer(NamedTuple):
    """What is sent back."""

    content: bytes
    status: int = 200
    media_type: str = JSON
    headers: Mapping[str, str] = {}


def answer(data: Any, status: int = 200) -> Answer:
    """Data that was made here."""
    return Answer(json.dumps(data, separators=(",", ":")).encode(), status)


def refusal(error: Problem | DuelsError) -> Answer:
    """What is wrong, and the state of the match if the request came too late for it."""
    problem = problem_of(error)
    more = {"state": json.loads(problem.state)} if problem.state else {}
    body = problem_body(problem.status, problem.detail, **more)
    return Answer(body, problem.status, MEDIA_TYPE, problem.headers or {})
