"""What runs in the browser on the static site: Python in a page's worker instead of a server.

It handles the same requests, makes the computer's moves and ends games when a clock runs out.
Requests, responses and events are JSON texts. A `Disk`, written in JavaScript, saves the matches;
the response to a move is sent when it has been saved.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Mapping
from pathlib import Path
from random import Random
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from duels.core.errors import DuelsError
from duels.core.files import version_fault
from duels.core.game import Move
from duels.core.words import whole_number
from duels.games import GAMES, all_games
from duels.games.added import add_file, fault_of_a_game
from duels.match.match import Match
from duels.service import logs
from duels.service.hosted import COMPUTER_GRACE, Hosted, choose_move, is_id
from duels.service.matches import document, read_document
from duels.service.problems import Problem
from duels.service.requests import JSON, Response, refuse
from duels.site.local import Conflict, LocalClock, LocalServices, MemoryStore, find_route

if TYPE_CHECKING:
    from duels.pages.templates import Page

SOON = 0.02
"""Seconds before the computer thinks, so that the response to the move before it goes out."""
AGAIN = 5.0
"""Seconds before a failed computer move is tried again."""
WENT_WRONG = "Something went wrong. Nothing is lost; try again."
FORMAT = "number-duels"
VERSION = 1
"""The version of exports, which me-page.js writes."""
DAMAGED = "This file cannot be taken over: {}. Nothing was changed."


class Disk(Protocol):
    """Saves matches by their ids, as JSON."""

    def load(self, match_id: str) -> Awaitable[str | None]:
        """Return a match as it was last saved, or None."""

    def save(self, documents: str) -> Awaitable[str]:
        """Save all of a list of matches, or none: {}, or {"newest": {id: match}} where versions
        differ, or {"trouble": sentence}."""

    def send(self, event: str) -> None:
        """Send an event to the page."""


class BrowserService:
    """Serves the page that started it. `start` is the time at which the clock resumes."""

    def __init__(self, disk: Disk, start: int = 0) -> None:
        self.disk = disk
        self.clock = LocalClock(start)
        self.store = MemoryStore(self._save)
        self.services = LocalServices(self.store, self.clock)
        self.matches = self.services.matches
        self.matches.publish = self._publish
        self.matches.computer_to_move = self._schedule
        self.hurried: set[tuple[str, int]] = set()
        """Matches and plies at which the player has stopped the computer's thinking."""
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._acting: dict[str, asyncio.Task[None]] = {}

    async def handle(self, text: str) -> str:
        """Return the response to a request: {method, path, body, token, type}, path `api/games`."""
        try:
            response = await self._respond(json.loads(text))
        except Problem as problem:
            response = refuse(problem)
        except Exception as error:
            response = refuse(Problem(500, _sentence(error)))
        return json.dumps(
            {
                "status": response.status,
                "headers": {"Content-Type": response.media_type, **response.headers},
                "content": response.content.decode(),
            }
        )

    async def _respond(self, request: Mapping[str, Any]) -> Response:
        method, path = request["method"], request["path"]
        if not path.startswith("api/"):
            return page_fragment(path)
        path = f"/{path}"
        found = find_route(method, path.partition("?")[0])
        if found and (match_id := found[1].get("match_id")):
            await self._load(match_id)
        body, token = (request.get("body") or "").encode(), request.get("token")
        return await self.services.request(method, path, body, token, request.get("type") or JSON)

    async def match_changed(self, match_id: str) -> None:
        """Take over a match that another page of this site has changed, and publish its state."""
        known = self.store.matches.get(match_id)
        if known and (newest := await self._read(match_id)) and newest.version > known.version:
            self.store.learn({match_id: newest})
            self.matches.publish_match(newest)
            self._schedule(match_id, COMPUTER_GRACE / 1000)

    def hurry(self, match_id: str, ply: int) -> None:
        """Let the computer move without thinking at this ply: the player has stopped it."""
        self.hurried.add((match_id, ply))

    def running_clock(self) -> int:
        """Return the time if a player's clock is running, otherwise 0."""
        runs = any(self.store.matches[one].deadline for one in self._timers)
        return self.clock.now() if runs else 0

    def add_game(self, name: str, source: str) -> str:
        return json.dumps(add_game(name, source))

    def check_export(self, text: str) -> str:
        return json.dumps(check_export(text))

    async def _load(self, match_id: str) -> None:
        """Load a saved match into memory, unless it is there."""
        if match_id in self.store.matches or not is_id(match_id):
            return
        if hosted := await self._read(match_id):
            self.clock.at_least(hosted.updated)
            self.store.learn({match_id: hosted})
            self._schedule(match_id)

    async def _read(self, match_id: str) -> Hosted | None:
        saved = await self.disk.load(match_id)
        if saved is None:
            return None
        try:
            return read_document(json.loads(saved))
        except (ValueError, RecursionError):
            raise Problem(409, "This match is saved, but it is damaged.") from None

    async def _save(self, changed: Mapping[str, Hosted]) -> None:
        written = msgspec.json.encode([document(one) for one in changed.values()]).decode()
        done = json.loads(await self.disk.save(written))
        if "newest" in done:
            newest = {name: one and read_document(one) for name, one in done["newest"].items()}
            for hosted in filter(None, newest.values()):
                self.clock.at_least(hosted.updated)
            raise Conflict(newest)
        if "trouble" in done:
            raise Problem(507, done["trouble"])

    def _publish(self, match_id: str, version: int, state: bytes) -> None:
        self.disk.send(f'{{"match":"{match_id}","state":{state.decode()}}}')
        self._schedule(match_id)

    def _schedule(self, match_id: str, grace: float = SOON) -> None:
        """Set the timer of a match for the computer's move or the end of a player's time."""
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
            task = asyncio.get_running_loop().create_task(self._act_now(match_id))
            self._acting[match_id] = task

    async def _act_now(self, match_id: str) -> None:
        wait = SOON
        try:
            await self.matches.act(match_id, self._choose)
        except Exception as error:
            wait = AGAIN
            known = isinstance(error, Problem | DuelsError)
            self._send(match=match_id, trouble=str(error) if known else _sentence(error))
        finally:
            del self._acting[match_id]
        self._schedule(match_id, wait)

    async def _choose(self, match: Match) -> Move:
        ply = len(match.moves)
        self._send(thinking={"match": match.id, "ply": ply, "title": match.game.title})
        await asyncio.sleep(SOON)  # the page gets this event before Python blocks the worker
        try:
            if (match.id, ply) in self.hurried:
                return Random(f"{match.seed} {ply}").choice(match.position.legal_moves)
            return choose_move(match)
        finally:
            self._send(thinking=None)

    def _send(self, **event: Any) -> None:
        self.disk.send(json.dumps(event))


def _sentence(error: Exception) -> str:
    """Log an unexpected error to the browser's console, and return a sentence for the player."""
    logs.error("a request failed", error)
    return fault_of_a_game(error) or WENT_WRONG


def page_fragment(path: str) -> Response:
    """Return the inside of a page that has no file, with links that begin at `/`.

    Such pages are about the player's own games, or sheets of puzzles.
    """
    from duels.pages.routes import page_at
    from duels.pages.templates import Host, render

    page = _puzzle_sheet(path) or page_at(path)
    if not page:
        return refuse(Problem(404, "There is nothing here."))
    html = render("fragment.html", page=page, host=Host("/"), **page.values)
    return Response(html.encode(), 200, "text/html")


def _puzzle_sheet(path: str) -> Page | None:
    from duels.pages import print_sheets

    folder, _, name = path.rpartition("/")
    kind = all_games().get(folder.removeprefix("print/puzzles/"))
    number = whole_number(name) or 0
    is_sheet = folder.startswith("print/puzzles/") and 1 <= number <= print_sheets.LAST_SHEET
    if not kind or not is_sheet:
        return None
    try:
        puzzles = print_sheets.puzzle_sheet(kind.id, number)
        return print_sheets.puzzles_page(kind, number, puzzles)
    except DuelsError as error:
        return print_sheets.no_puzzles_page(kind, str(error))


def add_game(name: str, source: str) -> dict[str, Any]:
    """Run a file with the player's own games: {games: titles by id}, or {trouble: sentence}."""
    known = {*GAMES}
    folder = Path(gettempdir()) / "own-games"
    folder.mkdir(exist_ok=True)
    path = folder / (re.sub(r"[^\w.-]", "_", Path(name).name) or "game.py")
    path.write_text(source, encoding="utf-8")
    try:
        add_file(path)
    except (DuelsError, MemoryError) as error:
        return {"trouble": str(error).replace(f"{folder}/", "") or f"{name} needs too much memory."}
    return {"games": {one: GAMES[one].title for one in GAMES if one not in known}}


def check_export(text: str) -> dict[str, Any]:
    """Return what an exported file contains, or {trouble: sentence}.

    A match of a game that is not loaded here is accepted unread.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return {"trouble": DAMAGED.format("it is damaged, or it is not an export")}
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        return {"trouble": DAMAGED.format("it is not an export of Number Duels")}
    if fault := version_fault(data, VERSION):
        return {"trouble": DAMAGED.format(fault)}
    kept, matches, games = (data.get(name) for name in ("kept", "matches", "games"))
    if not (_is_text_by_name(kept) and _is_text_by_name(games) and isinstance(matches, list)):
        return {"trouble": DAMAGED.format("parts of it are missing")}
    for number, one in enumerate(matches, start=1):
        try:
            read_document(one)
        except Problem:
            pass
        except ValueError:
            return {"trouble": DAMAGED.format(f"match {number} in it is damaged")}
    return {"kept": kept, "matches": matches, "games": games}


def _is_text_by_name(data: Any) -> bool:
    return isinstance(data, dict) and all(isinstance(text, str) for text in data.values())
