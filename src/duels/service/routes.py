"""The table of routes, shared by the server and the static site, and how a request is handled."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import iscoroutinefunction
from typing import Any, NamedTuple, TypeVar, get_type_hints

from duels.core.errors import DuelsError
from duels.service import analysis, class_handlers, classes, hosted, match_handlers, practice, seats
from duels.service.class_matches import ClassView
from duels.service.matches import Services
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
from duels.service.views import MatchView, View

T = TypeVar("T")

Handler = Callable[..., Any]
"""A function of the services, the request and the parsed `sent`, which returns an awaitable view or
response; or a plain function of the names in the path and `sent`, which the solver runs."""


class Route(NamedTuple):
    """A kind of request and its possible responses.

    The handler's annotations declare the struct that it takes as `sent` and the view that it
    returns.
    """

    method: str
    path: str
    handler: Handler
    problems: tuple[int, ...] = ()
    status: int = 200
    media_types: tuple[str, ...] = ()
    """The media types of a text response."""
    takes_token: bool = False
    """Whether the handler looks at the token of a seat or a class."""
    encodes: type[View] | None = None
    """The view that is sent if the handler does not return one."""

    @property
    def sent(self) -> type[Any] | None:
        """The struct that the handler takes, or bytes, or None."""
        return _hints(self.handler).get("sent")

    @property
    def view(self) -> type[View] | None:
        """The struct of the response; None if it is text."""
        returned = _hints(self.handler)["return"]
        is_view = isinstance(returned, type) and issubclass(returned, View)
        return returned if is_view else self.encodes


_hints = cache(get_type_hints)
_is_coroutine_function = cache(iscoroutinefunction)

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
    problems = (*CHANGES, *more)
    return Route("POST", MATCH + path, handler, problems, takes_token=True, encodes=MatchView)


def _class(path: str, handler: Handler, *problems: int) -> Route:
    """Return a route for a handler, or for a change of a class."""
    if not iscoroutinefunction(handler):
        handler = class_handlers.changing(handler)
    problems = problems or (*CHANGES, 429)
    return Route("POST", CLASS + path, handler, problems, takes_token=True, encodes=ClassView)


def _text(path: str, handler: Handler, problems: tuple[int, ...], *media_types: str) -> Route:
    token = 401 in problems
    return Route("GET", path, handler, problems, media_types=media_types, takes_token=token)


def _own(path: str, handler: Handler, problems: tuple[int, ...]) -> Route:
    return Route("GET", path, handler, problems, takes_token=True)


CLASS_ROUTES = (
    Route("POST", "/api/classes", class_handlers.create, (413, 429, 503), status=201),
    _own(CLASS, class_handlers.get, (404, 429, 503)),
    _class("/join", class_handlers.join),
    _class("/plan", classes.plan),
    _class("/rounds", class_handlers.start_round),
    _class("/pause", classes.pause),
    _class("/pupils", classes.change_pupil),
    _class("/pairs", classes.pair),
    _class("/rulings", class_handlers.rule),
    _class("/solve", class_handlers.solve, 401, 403, 404, *BODIES),
    _class("/end", class_handlers.end),
    _own(RESULTS, class_handlers.results, OWN_ANALYSES),
    _text(f"{RESULTS}.csv", class_handlers.results_file, OWN_ANALYSES, "text/csv"),
)
MATCH_ROUTES = (
    _change("/moves", match_handlers.move),
    Route("POST", MATCHES, match_handlers.create, BODIES, status=201),
    Route("GET", MATCHES, match_handlers.list_public, (503,)),
    _own(MATCH, match_handlers.get, READS),
    _change("/join", match_handlers.join),
    _change("/devices", seats.invite_device),
    _change("/resign", hosted.resign),
    _change("/takeback", hosted.takeback),
    _change("/takeback/answer", hosted.reply_takeback),
    _change("/rematch", hosted.rematch, 429),
    _change("/rematch/answer", hosted.reply_rematch, 429),
    _own(f"{MATCH}/hint", match_handlers.hint, OWN_ANALYSES),
    Route("GET", f"{MATCH}/review", match_handlers.get_review, ANALYSES),
    _text(f"{MATCH}/record", match_handlers.record, (404, 409, 422, 503), *RECORDS),
    _text(f"{MATCH}/picture.svg", match_handlers.picture, ANALYSES, SVG),
    _text(f"{MATCH}/result.svg", match_handlers.result_picture, ANALYSES, SVG),
)
ROUTES = (
    *MATCH_ROUTES,  # first, because routes are tried in order and most requests are moves
    *(one._replace(handler=class_handlers.limit_guesses(one.handler)) for one in CLASS_ROUTES),
    Route("GET", "/api/games", analysis.list_games, encodes=analysis.GameList),
    Route("GET", "/api/rules/{game_id}", practice.rules, (404, 422)),
    Route("GET", "/api/position", analysis.position, (400, 422)),
    Route("POST", "/api/solve", analysis.solve_line, BODIES),
    _text("/api/picture.svg", analysis.picture, (400, *QUERIES), SVG),
    Route("POST", "/api/records", analysis.records, (413, *QUERIES)),
    Route("POST", "/api/reviews", analysis.reviews, (413, *QUERIES)),
    Route("POST", "/api/strength", analysis.strength, BODIES),
    Route("GET", LESSON, practice.lesson, (404, *QUERIES)),
    Route("GET", f"{LESSON}/hint", practice.lesson_hint, (404, *QUERIES)),
    Route("POST", f"{LESSON}/answer", practice.lesson_answer, (404, *BODIES)),
    Route("GET", "/api/puzzle", practice.random_puzzle, QUERIES),
    Route("POST", "/api/puzzle/try", practice.try_puzzle, BODIES),
    Route("POST", "/api/puzzle/hint", practice.puzzle_hint, BODIES),
    Route("GET", DAILY, practice.daily, QUERIES),
    Route("POST", f"{DAILY}/share", practice.share_daily, BODIES),
)


async def handle(services: Services, route: Route, request: Request) -> Response:
    """Return the response to a request; a problem is a response too."""
    try:
        sent = read_sent(route, request)
        if _is_coroutine_function(route.handler):
            found = await route.handler(services, request, *sent)
        else:
            args = (*request.names.values(), *sent)
            found = await services.solver.run(request, route.handler, *args)
        return found if isinstance(found, Response) else respond(found, route.status)
    except (Problem, DuelsError) as error:
        return refuse(error)


def read_sent(route: Route, request: Request) -> tuple[Any, ...]:
    """Return the contents that the handler takes: the query of a GET, otherwise the body."""
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
