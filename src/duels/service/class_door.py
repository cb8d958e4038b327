"""The door of a class: whoever belongs to it comes in, and nobody guesses its code for long."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from duels.service.asking import Answer, Asked
from duels.service.classes import SchoolClass, taught_by
from duels.service.play import Desk
from duels.service.problems import Problem
from duels.service.teaching import NoClass, Seen, look_as, look_at

Handler = Callable[..., Awaitable[Answer]]


def guarded(handle: Handler) -> Handler:
    """Whoever asks with a wrong code is counted, whatever is asked: no way to guess is free."""

    @wraps(handle)
    async def watched(desk: Desk, asked: Asked, *sent: Any) -> Answer:
        try:
            return await handle(desk, asked, *sent)
        except Problem as problem:
            if isinstance(problem, NoClass) or problem.status in (401, 403):
                await _count(desk, asked.client, int(isinstance(problem, NoClass)))
            raise

    return watched


async def knock(desk: Desk, asked: Asked, secret: str | None) -> Seen:
    """A class; whoever belongs to it comes in, others may try so many codes."""
    seen = await look_as(desk.matches, code_of(asked), secret)
    if not seen.school.knows(secret):
        await _count(desk, asked.client, 0)
    return seen


async def listen(desk: Desk, code: str, key: str, client: str) -> SchoolClass:
    """A class whose news somebody wants to hear; a browser sends a key with that, no secret."""
    try:
        school = (await look_as(desk.matches, code.strip().lower(), None)).school
    except NoClass:
        await _count(desk, client, 1)
        raise
    if not school.may_listen(key):
        await _count(desk, client, 0)
        if key:
            raise Problem(403, "This key opens nothing in this class.")
    return school


async def seen_by_teacher(desk: Desk, asked: Asked) -> Seen:
    """A class with all its matches; a Problem for everybody but its teacher."""
    seen = await look_at(desk.matches, code_of(asked))
    taught_by(seen.school, asked.secret)
    return seen


def code_of(asked: Asked) -> str:
    """The code as somebody types it."""
    return asked.names["code"].strip().lower()


async def _count(desk: Desk, client: str, cost: int) -> None:
    """A wrong code costs 1; a right one is refused after too many."""
    now = desk.matches.clock.now()
    await desk.matches.store.write(lambda at: at.count_guess(client, cost, now))
