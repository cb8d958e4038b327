"""The table of routes, for the server and for a page without one, and how a request is answered."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import cache
from inspect import iscoroutinefunction
from typing import Any, NamedTuple, TypeVar, get_type_hints
from urllib.parse import parse_qsl, urlsplit

from duels.core.errors import DuelsError
from duels.core.game import Move
from duels.match.match import Match
from duels.service import analysis, class_handlers, classes, hosted, match_handlers, practice, seats
from duels.service.class_matches import ClassView
from duels.service.matches import Matches, Services
from duels.service.problems import Problem
from duels.service.requests import (
    JSON,
    SVG,
    Request,
    Response,
    read_body,
    read_query,
    refuse,
    respond,
)
from duels.service.storage import MemoryStore
from duels.service.views import HintView, MatchView, ReviewView, View

T = TypeVar("T")

Handler = Callable[..., Any]
"""Takes the services, the request, and what was `sent`, and returns an awaitable response; or is a
plain function of the names in the path and what was `sent`, which the solver runs."""


class Route(NamedTuple):
    """A kind of request and its possible responses. The handler's `sent` declares what it takes."""

    method: str
    path: str
    handler: Handler
    view: type[View] | None = None
    """The struct of the response; None if it is text."""
    problems: tuple[int, ...] = ()
    status: int = 200
    media_types: tuple[str, ...] = ()
    """Of a response that is text."""
    takes_token: bool = False
    """Whether the token of a seat or a class matters."""

    @property
    def sent(self) -> type[Any] | None:
        """The struct that the handler takes, or bytes, or None."""
        return _sent_type(self.handler)


@cache
def _sent_type(handler: Handler) -> type[Any] | None:
    return get_type_hints(handler).get("sent")


CHANGES = (400, 401, 403, 404, 409, 413, 422, 503)
READS = (404, 409, 503)
ANALYSES = (404, 409, 422, 429, 503)
OWN_ANALYSES = (401, 403, *ANALYSES)
QUERIES = (422, 429, 503)
BODIES = (400, 413, *QUERIES)
MATCHES, MATCH = "/api/matches", "/api/matches/{match_id}"
CLASS, RESULTS = "/api/classes/{code}", "/api/classes/{code}/results"
LESSON, DAILY = "/api/lessons/{game_id}", "/api/daily/{day}"
RECORDS = ("text/plain", "application/jsonl")


def _change(path: str, handler: Handler, *more: int) -> Route:
    """Return a route for a handler, or for a change of a hosted match."""
    if not iscoroutinefunction(handler):
        handler = match_handlers.changing(handler)
    return Route("POST", MATCH + path, handler, MatchView, (*CHANGES, *more), takes_token=True)


def _class(path: str, handler: Handler) -> Route:
    """Return a route for a handler, or for a change of a class."""
    if not iscoroutinefunction(handler):
        handler = class_handlers.changing(handler)
    return Route("POST", CLASS + path, handler, ClassView, (*CHANGES, 429), takes_token=True)


def _text(path: str, handler: Handler, problems: tuple[int, ...], *media_types: str) -> Route:
    token = 401 in problems
    return Route("GET", path, handler, None, problems, media_types=media_types, takes_token=token)


def _own(path: str, handler: Handler, view: type[View], problems: tuple[int, ...]) -> Route:
    return Route("GET", path, handler, view, problems, takes_token=True)


CLASS_ROUTES = (
    Route(
        "POST",
        "/api/classes",
        class_handlers.create,
        class_handlers.ClassCreated,
        (413, 429, 503),
        status=201,
    ),
    _own(CLASS, class_handlers.get, ClassView, (404, 429, 503)),
    _class("/join", class_handlers.join),
    _class("/plan", classes.plan),
    _class("/rounds", class_handlers.start_round),
    _class("/pause", classes.pause),
    _class("/pupils", classes.change_pupil),
    _class("/pairs", classes.pair),
    _class("/rulings", class_handlers.rule),
    _class("/solve", class_handlers.solve)._replace(
        view=analysis.VerdictView, problems=(401, 403, 404, *BODIES)
    ),
    _class("/end", class_handlers.end)._replace(view=class_handlers.ClassEnded),
    _own(RESULTS, class_handlers.results, class_handlers.ClassResults, OWN_ANALYSES),
    _text(f"{RESULTS}.csv", class_handlers.results_file, OWN_ANALYSES, "text/csv"),
)
MATCH_ROUTES = (
    _change("/moves", match_handlers.move),
    Route("POST", MATCHES, match_handlers.create, match_handlers.MatchCreated, BODIES, status=201),
    Route("GET", MATCHES, match_handlers.list_public, match_handlers.MatchList, (503,)),
    _own(MATCH, match_handlers.get, MatchView, READS),
    _change("/join", match_handlers.join),
    _change("/devices", seats.invite_device),
    _change("/resign", hosted.resign),
    _change("/takeback", hosted.takeback),
    _change("/takeback/answer", hosted.reply_takeback),
    _change("/rematch", hosted.rematch, 429),
    _change("/rematch/answer", hosted.reply_rematch, 429),
    _own(f"{MATCH}/hint", match_handlers.hint, HintView, OWN_ANALYSES),
    Route("GET", f"{MATCH}/review", match_handlers.get_review, ReviewView, ANALYSES),
    _text(f"{MATCH}/record", match_handlers.record, (404, 409, 422, 503), *RECORDS),
    _text(f"{MATCH}/picture.svg", match_handlers.picture, ANALYSES, SVG),
)
ROUTES = (
    *(one._replace(handler=class_handlers.limit_guesses(one.handler)) for one in CLASS_ROUTES),
    *MATCH_ROUTES,
    Route("GET", "/api/games", analysis.list_games, analysis.GameList),
    Route("GET", "/api/rules/{game_id}", analysis.rules, analysis.RulesView, (404,)),
    Route("POST", "/api/solve", analysis.solve_line, analysis.VerdictView, BODIES),
    _text("/api/picture.svg", analysis.picture, (400, *QUERIES), SVG),
    Route("POST", "/api/records", analysis.records, analysis.RecordList, (413, *QUERIES)),
    Route("POST", "/api/reviews", analysis.reviews, analysis.ReviewList, (413, *QUERIES)),
    Route("POST", "/api/strength", analysis.strength, analysis.StrengthView, BODIES),
    Route("GET", LESSON, practice.lesson, practice.LessonView, (404, *QUERIES)),
    Route("GET", f"{LESSON}/hint", practice.lesson_hint, practice.LessonHint, (404, *QUERIES)),
    Route("POST", f"{LESSON}/answer", practice.lesson_answer, practice.LessonReply, (404, *BODIES)),
    Route("GET", "/api/puzzle", practice.random_puzzle, practice.PuzzleView, QUERIES),
    Route("POST", "/api/puzzle/try", practice.try_puzzle, practice.PuzzleReply, BODIES),
    Route("POST", "/api/puzzle/hint", practice.puzzle_hint, HintView, BODIES),
    Route("GET", DAILY, practice.daily, practice.PuzzleView, QUERIES),
    Route("POST", f"{DAILY}/share", practice.share_daily, practice.SharedResult, BODIES),
)

_PATTERNS = [(re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", r.path)), r) for r in ROUTES]


def find_route(method: str, path: str) -> tuple[Route, dict[str, str]] | None:
    """Return the route of a request, and the names in its path."""
    for pattern, route in _PATTERNS:
        found = pattern.fullmatch(path)
        if found and route.method == method:
            return route, found.groupdict()
    return None


async def handle(services: Services, route: Route, request: Request) -> Response:
    """Return the response to a request; a problem is a response too."""
    try:
        sent = read_sent(route, request)
        if not iscoroutinefunction(route.handler):
            args = (*request.names.values(), *sent)
            found = await services.solver.run(request, route.handler, *args)
            return found if isinstance(found, Response) else respond(found)
        response: Response = await route.handler(services, request, *sent)
        return response
    except (Problem, DuelsError) as error:
        return refuse(error)


def read_sent(route: Route, request: Request) -> tuple[Any, ...]:
    """Return what was sent as the handler takes it: from the query of a GET, else the body."""
    kind = route.sent
    if kind is None:
        return ()
    if kind is bytes:
        return (request.body,)
    if route.method == "GET":
        return (read_query(kind, request.query),)
    if request.body and request.media_type != JSON:
        raise Problem(422, "The body must be sent as application/json.")
    return (read_body(kind, request.body),)


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
    """Responds to requests as a server does, in one process. `act` makes the computer's moves."""

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

    async def act(self, match_id: str) -> None:
        """Do what is due in a match: the computer's move, or the end of the clock."""
        await self.matches.act(match_id, _choose_move)


async def _choose_move(match: Match) -> Move:
    return hosted.choose_move(match)
