"""What can be asked, and who answers it. A server and a page without one use the same table."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from duels.core.errors import DuelsError
from duels.hosting import class_requests as asked_of_classes
from duels.hosting import class_results, lessons, past, play, practice, requests, school, truth
from duels.hosting.asking import SVG, Answer, Asked, refusal
from duels.hosting.play import Desk
from duels.hosting.problems import Problem
from duels.hosting.reading import read_body, read_query

Handler = Callable[..., Awaitable[Answer]]
PLAIN = ("text/plain", "application/jsonl")


class Route(NamedTuple):
    """A request: what it takes, what it gives, and what may be wrong with it."""

    method: str
    path: str
    handle: Handler
    gives: str = ""
    """The name of a schema; empty where the answer is text."""
    problems: tuple[int, ...] = ()
    body: type[Any] | None = None
    query: type[Any] | None = None
    status: int = 200
    media_types: tuple[str, ...] = ()
    """Of an answer that is text."""
    is_secret: bool = False
    """Whether the secret of a seat matters."""


CHANGES = (400, 401, 403, 404, 409, 413, 422, 503)
LOOKS = (404, 409, 503)
STUDIES = (404, 409, 422, 429, 503)
ASKED = (422, 429, 503)
POSED = (400, 413, *ASKED)
MATCHES, MATCH = "/api/matches", "/api/matches/{match_id}"
LESSON, DAILY = "/api/lessons/{game_id}", "/api/daily/{day}"


def _change(
    path: str, handle: Handler, body: type[Any] | None = None, more: tuple[int, ...] = ()
) -> Route:
    return Route(
        "POST", MATCH + path, handle, "State", (*CHANGES, *more), body=body, is_secret=True
    )


def _ask(
    path: str, handle: Handler, gives: str, query: type[Any], problems: tuple[int, ...], **more: Any
) -> Route:
    return Route("GET", path, handle, gives, problems, query=query, **more)


def _text(
    path: str, handle: Handler, query: type[Any], problems: tuple[int, ...], *media_types: str
) -> Route:
    return Route("GET", path, handle, "", problems, query=query, media_types=media_types)


CLASS = "/api/classes/{code}"


def _class(path: str, handle: Handler, body: type[Any] | None = None) -> Route:
    return Route(
        "POST", CLASS + path, handle, "ClassState", (*CHANGES, 429), body=body, is_secret=True
    )


CLASS_ROUTES = (
    Route("POST", "/api/classes", school.create, "ClassCreated", (413, 429, 503), status=201),
    Route("GET", CLASS, school.look, "ClassState", (404, 429, 503), is_secret=True),
    _class("/join", school.join, asked_of_classes.Come),
    _class("/plan", school.plan, asked_of_classes.NewPlan),
    _class("/rounds", school.start_round, asked_of_classes.Round),
    _class("/pause", school.pause, asked_of_classes.Pause),
    _class("/pupils", school.change_pupil, asked_of_classes.ChangePupil),
    _class("/pairs", school.pair, asked_of_classes.Pairing),
    _class("/rulings", school.rule, asked_of_classes.Ruling),
    Route(
        "POST",
        f"{CLASS}/solve",
        school.solved,
        "Solved",
        (401, 403, 404, *POSED),
        body=requests.Line,
        is_secret=True,
    ),
    _class("/end", school.end)._replace(gives="ClassEnded"),
    Route(
        "GET",
        f"{CLASS}/results",
        class_results.results,
        "ClassResults",
        (401, 403, *STUDIES),
        is_secret=True,
    ),
    Route(
        "GET",
        f"{CLASS}/results.csv",
        class_results.results_file,
        problems=(401, 403, *STUDIES),
        media_types=("text/csv",),
        is_secret=True,
    ),
)
ROUTES = (
    *CLASS_ROUTES,
    _change("/moves", play.move, requests.NewMove),
    Route("POST", MATCHES, play.create, "Created", POSED, requests.NewMatch, status=201),
    Route("GET", MATCHES, play.list_public, "Matches", (503,)),
    Route("GET", MATCH, play.state, "State", LOOKS, is_secret=True),
    _change("/join", play.join, requests.Join),
    _change("/devices", play.invite_device, requests.NewDevice),
    _change("/resign", play.resign),
    _change("/takeback", play.takeback, requests.AskTakeback),
    _change("/takeback/answer", play.answer_takeback, requests.AnswerTakeback),
    _change("/rematch", play.rematch, more=(429,)),
    _change("/rematch/answer", play.answer_rematch, requests.AnswerRematch, (429,)),
    _ask(f"{MATCH}/hint", play.hint, "Hint", requests.Stage, (401, 403, *STUDIES), is_secret=True),
    Route("GET", f"{MATCH}/review", play.get_review, "Review", STUDIES),
    _text(f"{MATCH}/record", play.record, requests.Form, (404, 409, 422, 503), *PLAIN),
    _text(f"{MATCH}/picture.svg", play.picture, requests.Step, STUDIES, SVG),
    Route("GET", "/api/games", truth.games, "Games"),
    Route("GET", "/api/rules/{game_id}", truth.rules, "Rules", (404,)),
    Route("POST", "/api/solve", truth.solved, "Solved", POSED, requests.Line),
    _text("/api/picture.svg", truth.picture, requests.Drawn, (400, *ASKED), SVG),
    Route("POST", "/api/records", truth.records, "Records", (413, *ASKED)),
    Route("GET", LESSON, lessons.lesson, "Lesson", (404, *ASKED)),
    _ask(f"{LESSON}/hint", lessons.hint, "LessonHint", requests.LessonStep, (404, *ASKED)),
    Route(
        "POST",
        f"{LESSON}/answer",
        lessons.answered,
        "LessonReply",
        (404, *POSED),
        requests.LessonAnswer,
    ),
    _ask("/api/puzzle", practice.puzzle, "PuzzleState", requests.AnyPuzzle, ASKED),
    Route("POST", "/api/puzzle/try", practice.tried, "PuzzleReply", POSED, requests.Tried),
    Route("POST", "/api/puzzle/hint", practice.hint, "Hint", POSED, requests.PuzzleStage),
    Route("GET", DAILY, practice.daily, "PuzzleState", ASKED),
    Route("POST", f"{DAILY}/share", practice.share, "Shared", POSED, requests.Attempted),
    Route("POST", "/api/reviews", past.reviews, "Reviews", (413, *ASKED)),
    Route("POST", "/api/strength", past.strength, "Strength", POSED, requests.Result),
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
        given: tuple[Any, ...] = ()
        if route.body:
            if asked.body and asked.media_type != "application/json":
                raise Problem(422, "The body must be sent as application/json.")
            given = (read_body(route.body, asked.body),)
        if route.query:
            given = (*given, read_query(route.query, asked.query))
        return await route.handle(desk, asked, *given)
    except (Problem, DuelsError) as error:
        return refusal(error)
