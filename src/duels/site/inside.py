"""Python in a page's worker: answers requests as a server does, and does by itself what one does.

What it is asked and what it tells are JSON texts. A `Disk`, which is written in JavaScript, keeps
the matches; a move is answered when it has been kept.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Mapping
from random import Random
from typing import Any, Protocol

import msgspec

from duels.core.errors import DuelsError
from duels.core.game import Move
from duels.games.added import fault_of_a_game
from duels.match.match import Match
from duels.service.hosted import COMPUTER_GRACE, Hosted, choose_move, is_id
from duels.service.problems import Problem
from duels.service.requests import JSON, Response, refuse
from duels.service.routes import LocalClock, LocalServices, find_route
from duels.service.storage import Conflict, MemoryStore, document, read_document
from duels.site.content import content_at
from duels.site.own import add_game, check_export

SOON = 0.02
"""Seconds before the computer thinks, in which the answer to the move before it goes out."""
AGAIN = 5.0
"""Seconds before what went wrong by itself is tried again."""
WENT_WRONG = "Something went wrong. Nothing is lost; try again."


class Disk(Protocol):
    """Keeps matches by their ids, as JSON."""

    def load(self, match_id: str) -> Awaitable[str | None]:
        """A match as it was kept last."""

    def save(self, documents: str) -> Awaitable[str]:
        """Keep a list of matches as a whole: {}, or {"newest": {id: match}} where versions differ,
        or {"trouble": sentence}."""

    def tell(self, news: str) -> None:
        """Something for the page."""


class Inside:
    """A host for the page that started it. `start` is how far the clock had got."""

    def __init__(self, disk: Disk, start: int = 0) -> None:
        self.disk = disk
        self.clock = LocalClock(start)
        self.store = MemoryStore(self._keep)
        self.services = LocalServices(self.store, self.clock)
        self.matches = self.services.matches
        self.matches.publish = self._announce
        self.matches.computer_to_move = self._look
        self.hurried: set[tuple[str, int]] = set()
        """Matches at so many moves in which the computer was told to stop thinking."""
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._acting: dict[str, asyncio.Task[None]] = {}

    async def ask(self, text: str) -> str:
        """The answer to a request: {method, path, body, secret, type}; a path: `api/games`."""
        asked = json.loads(text)
        try:
            answer = await self._answer(asked)
        except Problem as problem:
            answer = refuse(problem)
        except Exception as error:
            answer = refuse(Problem(500, _told(error)))
        return json.dumps(
            {
                "status": answer.status,
                "headers": {"Content-Type": answer.media_type, **answer.headers},
                "content": answer.content.decode(),
            }
        )

    async def _answer(self, asked: Mapping[str, Any]) -> Response:
        method, path = asked["method"], asked["path"]
        if not path.startswith("api/"):
            return content_at(path)
        path = f"/{path}"
        found = find_route(method, path.partition("?")[0])
        if found and (match_id := found[1].get("match_id")):
            await self._load(match_id)
        body, secret = (asked.get("body") or "").encode(), asked.get("secret")
        return await self.services.request(method, path, body, secret, asked.get("type") or JSON)

    async def heard(self, match_id: str) -> None:
        """Another page of this site has changed a match: whoever looks at it here is told."""
        known = self.store.matches.get(match_id)
        if known and (newest := await self._read(match_id)) and newest.version > known.version:
            self.store.learn({match_id: newest})
            self.matches.publish_match(newest)
            self._look(match_id, COMPUTER_GRACE / 1000)

    def hurry(self, match_id: str, ply: int) -> None:
        """The computer was stopped here: it moves without thinking."""
        self.hurried.add((match_id, ply))

    def clock_runs_at(self) -> int:
        """What the time is, if somebody's clock is running; otherwise 0."""
        runs = any(self.store.matches[one].deadline for one in self._timers)
        return self.clock.now() if runs else 0

    def add_game(self, name: str, source: str) -> str:
        """Run somebody's own file of games: {games: ids}, or {trouble: sentence}."""
        return json.dumps(add_game(name, source))

    def check_export(self, text: str) -> str:
        """What an exported file holds, or {trouble: sentence} if it cannot be taken over."""
        return json.dumps(check_export(text))

    async def _load(self, match_id: str) -> None:
        """Have a match in memory that is kept here."""
        if match_id in self.store.matches or not is_id(match_id):
            return
        if hosted := await self._read(match_id):
            self.clock.at_least(hosted.updated)
            self.store.learn({match_id: hosted})
            self._look(match_id)

    async def _read(self, match_id: str) -> Hosted | None:
        kept = await self.disk.load(match_id)
        if kept is None:
            return None
        try:
            return read_document(json.loads(kept))
        except (ValueError, RecursionError):
            raise Problem(409, "This match is kept, but it is damaged.") from None

    async def _keep(self, changed: Mapping[str, Hosted]) -> None:
        written = msgspec.json.encode([document(one) for one in changed.values()]).decode()
        done = json.loads(await self.disk.save(written))
        if "newest" in done:
            newest = {name: one and read_document(one) for name, one in done["newest"].items()}
            for hosted in filter(None, newest.values()):
                self.clock.at_least(hosted.updated)
            raise Conflict(newest)
        if "trouble" in done:
            raise Problem(507, done["trouble"])

    def _announce(self, match_id: str, version: int, state: bytes) -> None:
        self.disk.tell(f'{{"match":"{match_id}","state":{state.decode()}}}')
        self._look(match_id)

    def _look(self, match_id: str, grace: float = SOON) -> None:
        """Do later what is due in a match."""
        if timer := self._timers.pop(match_id, None):
            timer.cancel()
        hosted = self.matches.cached(match_id) or self.store.matches[match_id]
        if match_id in self._acting or hosted.match.outcome:
            return
        if hosted.computer_moves:
            wait = grace
        elif hosted.deadline is not None:
            wait = max(0, hosted.deadline - self.clock.now()) / 1000
        else:
            return
        loop = asyncio.get_running_loop()
        self._timers[match_id] = loop.call_later(wait, self._act, match_id)

    def _act(self, match_id: str) -> None:
        self._timers.pop(match_id, None)
        if match_id not in self._acting:
            doing = self._do_what_is_due(match_id)
            self._acting[match_id] = asyncio.get_running_loop().create_task(doing)

    async def _do_what_is_due(self, match_id: str) -> None:
        wait = SOON
        try:
            await self.matches.act(match_id, self._choose)
        except Exception as error:
            wait = AGAIN
            known = str(error) if isinstance(error, Problem | DuelsError) else _told(error)
            self._tell(match=match_id, trouble=known)
        finally:
            del self._acting[match_id]
        self._look(match_id, wait)

    async def _choose(self, match: Match) -> Move:
        ply = len(match.moves)
        self._tell(thinking={"match": match.id, "ply": ply, "title": match.game.title})
        await asyncio.sleep(SOON)  # the page is told before nothing else can be
        try:
            if (match.id, ply) in self.hurried:
                return Random(f"{match.seed} {ply}").choice(match.position.legal_moves)
            return choose_move(match)
        finally:
            self._tell(thinking=None)

    def _tell(self, **news: Any) -> None:
        self.disk.tell(json.dumps(news))


def _told(error: Exception) -> str:
    """A sentence for what should not happen; the browser's console has the rest."""
    logging.getLogger("duels.site").error("a request failed", exc_info=error)
    return fault_of_a_game(error) or WENT_WRONG
