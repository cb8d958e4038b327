"""What can be asked, and who answers it. A server and a page without one use the same table."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from inspect import iscoroutinefunction
from typing import Any, NamedTuple, get_type_hints

from duels.core.errors import DuelsError
from duels.service import class_results, lessons, past, play, practice, school, truth
from duels.service.asking import JSON, SVG, Answer, Asked, answer, refusal
from duels.service.class_door import guarded
from duels.service.play import Desk
from duels.service.problems import Problem
from duels.service.reading import read_body, read_query

Handler = Callable[..., Any]
"""Takes the desk, the request, and what was `sent`, and awaits the answer; or it is a plain
function of the names in the path and what was `sent`, which the desk's study works out."""


class Route(NamedTuple):
    """A request: what it gives, and what may be wrong with it. Its handler says what it takes."""

    method: str
    path: str
    handle: Handler
    gives: str = ""
    """The name of a schema; empty where the answer is text."""
    problems: tuple[int, ...] = ()
    status: int = 200
    media_types: tuple[str, ...] = ()
    """Of an answer that is text."""
    is_secret: bool = False
    """Whether the secret of a seat matters."""


CHANGES = (400, 401, 403, 404, 409, 413, 422, 503)
LOOKS = (404, 409, 503)
STUDIES = (404, 409, 422, 429, 503)
OWN_STUDIES = (401, 403, *STUDIES)
ASKED = (422, 429, 503)
POSED = (400, 413, *ASKED)
MATCHES, MATCH = "/api/matches", "/api/matches/{match_id}"
CLASS, RESULTS = "/api/classes/{code}", "/api/classes/{code}/results"
LESSON, DAILY = "/api/lessons/{game_id}", "/api/daily/{day}"
PLAIN = ("text/plain", "application/jsonl")


def _change(path: str, handle: Handler, *more: int) -> Route:
    return Route("POST", MATCH + path, handle, "State", (*CHANGES, *more), is_secret=True)


def _class(path: str, handle: Handler) -> Route:
    return Route("POST", CLASS + path, handle, "ClassState", (*CHANGES, 429), is_secret=True)


def _text(path: str, handle: Handler, problems: tuple[int, ...], *media_types: str) -> Route:
    is_secret = 401 in problems
    return Route("GET", path, handle, "", problems, media_types=media_types, is_secret=is_secret)


CLASS_ROUTES = (
    Route("POST", "/api/classes", school.create, "ClassCreated", (413, 429, 503), status=201),
    Route("GET", CLASS, school.look, "ClassState", (404, 429, 503), is_secret=True),
    _class("/join", school.join),
    _class("/plan", school.plan),
    _class("/rounds", school.start_round),
    _class("/pause", school.pause),
    _class("/pupils", school.change_pupil),
    _class("/pairs", school.pair),
    _class("/rulings", school.rule),
    _class("/solve", school.solved)._replace(gives="Solved", problems=(401, 403, 404, *POSED)),
    _class("/end", school.end)._replace(gives="ClassEnded"),
    Route("GET", RESULTS, class_results.results, "ClassResults", OWN_STUDIES, is_secret=True),
    _text(f"{RESULTS}.csv", class_results.results_file, OWN_STUDIES, "text/csv"),
)
ROUTES = (
    *(route._replace(handle=guarded(route.handle)) for route in CLASS_ROUTES),
    _change("/moves", play.move),
    Route("POST", MATCHES, play.create, "Created", POSED, status=201),
    Route("GET", MATCHES, play.list_public, "Matches", (503,)),
    Route("GET", MATCH, play.state, "State", LOOKS, is_secret=True),
    _change("/join", play.join),
    _change("/devices", play.invite_device),
    _change("/resign", play.resign),
    _change("/takeback", play.takeback),
    _change("/takeback/answer", play.answer_takeback),
    _change("/rematch", play.rematch, 429),
    _change("/rematch/answer", play.answer_rematch, 429),
    Route("GET", f"{MATCH}/hint", play.hint, "Hint", OWN_STUDIES, is_secret=True),
    Route("GET", f"{MATCH}/review", play.get_review, "Review", STUDIES),
    _text(f"{MATCH}/record", play.record, (404, 409, 422, 503), *PLAIN),
    _text(f"{MATCH}/picture.svg", play.picture, STUDIES, SVG),
    Route("GET", "/api/games", truth.games, "Games"),
    Route("GET", "/api/rules/{game_id}", truth.rules, "Rules", (404,)),
    Route("POST", "/api/solve", truth.solved, "Solved", POSED),
    _text("/api/picture.svg", truth.picture, (400, *ASKED), SVG),
    Route("POST", "/api/records", truth.records, "Records", (413, *ASKED)),
    Route("GET", LESSON, lessons.lesson, "Lesson", (404, *ASKED)),
    Route("GET", f"{LESSON}/hint", lessons.hint, "LessonHint", (404, *ASKED)),
    Route("POST", f"{LESSON}/answer", lessons.answered, "LessonReply", (404, *POSED)),
    Route("GET", "/api/puzzle", practice.puzzle, "PuzzleState", ASKED),
    Route("POST", "/api/puzzle/try", practice.tried, "PuzzleReply", POSED),
    Route("POST", "/api/puzzle/hint", practice.hint, "Hint", POSED),
    Route("GET", DAILY, practice.daily, "PuzzleState", ASKED),
    Route("POST", f"{DAILY}/share", practice.share, "Shared", POSED),
    Route("POST", "/api/reviews", past.reviews, "Reviews", (413, *ASKED)),
    Route("POST", "/api/strength", past.strength, "Strength", POSED),
)

_PATTERNS = [(re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", r.path)), r) for r in ROUTES]


def find_route(method: str, path: str) -> tuple[Route, dict[str, str]] | None:
    """The route of a request, and the names in its path."""
    for pattern, route in _PATTERNS:
        found = pattern.fullmatch(path)
        if found and route.method == method:
            return route, found.groupdict()
    return None


async def answer_to(desk: Desk, route: Route, asked: Asked) -> Answer:
    """The answer to a request; what is wrong with it is an answer too."""
    try:
        given = _given(route, asked)
        if not iscoroutinefunction(route.handle):
            given = (*asked.names.values(), *given)
            found = await desk.study.run(asked, route.handle, *given)
            return found if isinstance(found, Answer) else answer(found)
        awaited: Answer = await route.handle(desk, asked, *given)
        return awaited
    except (Problem, DuelsError) as error:
        return refusal(error)


def _given(route: Route, asked: Asked) -> tuple[Any, ...]:
    """What was sent, as its handler takes it: in the query of a GET, else in the body."""
    kind = sent_to(route.handle)
    if kind is None:
        return ()
    if kind is bytes:
        return (asked.body,)
    if route.method == "GET":
        return (read_query(kind, asked.query),)
    if asked.body and asked.media_type != JSON:
        raise Problem(422, "The body must be sent as application/json.")
    return (read_body(kind, asked.body),)


@cache
def sent_to(handle: Handler) -> type[Any] | None:
    """The kind of request that a handler takes, or bytes, or nothing."""
    return get_type_hints(handle).get("sent")
