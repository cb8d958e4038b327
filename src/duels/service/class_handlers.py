"""Requests about a class: from its teacher, from its pupils, and from visitors with a code."""

from __future__ import annotations

import csv
import io
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from duels.coach.puzzles import Puzzle, mistakes
from duels.coach.review import review
from duels.core.game import Position
from duels.core.words import name_order
from duels.match.match import Match
from duels.service import analysis, classes
from duels.service.class_matches import (
    Change,
    ClassMatches,
    ClassView,
    NoClass,
    change_class,
    class_view,
    end_class,
    get_class,
    rule_match,
)
from duels.service.classes import SchoolClass
from duels.service.hosted import new_id
from duels.service.matches import Services
from duels.service.problems import Problem
from duels.service.requests import GameLine, JoinClass, NewRound, Request, Response, Ruling
from duels.service.seats import hash_token, new_token
from duels.service.views import PositionView, View, position_fields

MOST_TURNING_POINTS = 6
"""The most turning points that a class gets as puzzles."""
CSV = "text/csv; charset=utf-8"

Handler = Callable[..., Awaitable[Any]]


class ClassCreated(View, frozen=True):
    """A new class. The token is the teacher's, and is sent only once."""

    code: str
    token: str
    state: ClassView


class ClassEnded(View, frozen=True):
    """Whether a class has ended."""

    ended: bool


class PupilStanding(View, frozen=True):
    """A pupil's points and games, and how many of their chances to win they took."""

    pupil: str
    name: str
    points: int
    games: int
    chances: int
    taken: int


class TurningPoint(PositionView, frozen=True):
    """A position from a game of the class in which a win was missed."""

    source: str
    difficulty: str


class ClassResults(View, frozen=True):
    """The standings of a class, and the positions it can learn from."""

    standings: list[PupilStanding]
    turning_points: list[TurningPoint]


class JudgedMatches(View, frozen=True):
    """By match and player, the chances to win and how many were taken; and the turning points."""

    chances: dict[str, list[tuple[int, int]]]
    turning_points: list[TurningPoint]


def limit_guesses(handle: Handler) -> Handler:
    """Wrap a handler so that every wrong code is charged to its client."""

    @wraps(handle)
    async def limited(services: Services, request: Request, *sent: Any) -> Any:
        try:
            return await handle(services, request, *sent)
        except Problem as problem:
            if isinstance(problem, NoClass) or problem.status in (401, 403):
                await charge_guess(services, request.client, int(isinstance(problem, NoClass)))
            raise

    return limited


async def charge_guess(services: Services, client: str, cost: int) -> None:
    """Charge a wrong code (cost 1), or refuse even a right one after too many (cost 0)."""
    now = services.matches.clock.now()
    await services.matches.store.write(lambda at: at.charge_guess(client, cost, now))


async def _check_access(services: Services, request: Request, token: str | None) -> ClassMatches:
    """Return a class; a client outside the class may try only a limited number of codes."""
    found = await get_class(services.matches, _code(request), token)
    if not found.school_class.is_member(token):
        await charge_guess(services, request.client, 0)
    return found


async def class_to_follow(services: Services, code: str, key: str, client: str) -> SchoolClass:
    """Return a class for an event stream, which sends a stream key and no token."""
    try:
        it = (await get_class(services.matches, code.strip().lower(), None)).school_class
    except NoClass:
        await charge_guess(services, client, 1)
        raise
    if not it.may_follow(key):
        await charge_guess(services, client, 0)
        if key:
            raise Problem(403, "This key does not belong to this class.")
    return it


async def _as_teacher(services: Services, request: Request) -> ClassMatches:
    """Return a class with all its matches; a Problem unless the request is its teacher's."""
    found = await get_class(services.matches, _code(request), request.token)
    found.school_class.require_teacher(request.token)
    return found


def _code(request: Request) -> str:
    """Return the class code in a path, in its canonical form."""
    return request.names["code"].strip().lower()


async def create(services: Services, request: Request) -> ClassCreated:
    """Start a class: its code is for the board, its token only for the teacher."""
    token = new_token()
    now = services.matches.clock.now()
    it = SchoolClass(new_id(classes.CODE_LENGTH), hash_token(token), now)
    await services.matches.store.write(lambda at: at.insert_class(it, request.client))
    state = class_view(ClassMatches(it, {}), token, now)
    return ClassCreated(it.code, token, state)


async def get(services: Services, request: Request) -> ClassView:
    """A class as its teacher, a pupil, a waiting device or a visitor sees it."""
    return _view(services, await _check_access(services, request, request.token), request.token)


def _view(services: Services, found: ClassMatches, token: str | None) -> ClassView:
    return class_view(found, token, services.matches.clock.now())


async def join(services: Services, request: Request, sent: JoinClass) -> ClassView:
    """Join a class with a token made on the device; sent again, it is the same pupil."""
    await _check_access(services, request, sent.token)

    def step(it: SchoolClass) -> SchoolClass:
        return classes.pair_latecomers(classes.join(it, sent.name, sent.token))

    return _view(services, await change_class(services.matches, _code(request), step), sent.token)


async def start_round(services: Services, request: Request, sent: NewRound) -> ClassView:
    """Start a round: all pupils are paired at once. Starting it twice changes nothing."""
    winners = (await _as_teacher(services, request)).winners
    return await _change(services, request, lambda it: classes.start_round(it, sent.round, winners))


async def rule(services: Services, request: Request, sent: Ruling) -> ClassView:
    """End a game and name its winner."""
    code = _code(request)
    found = await rule_match(services.matches, code, request.token, sent.match, sent.winner)
    return _view(services, found, request.token)


async def solve(services: Services, request: Request, sent: GameLine) -> analysis.VerdictView:
    """The verdict on a position that the class looks at, charged to the class."""
    found = await _as_teacher(services, request)
    charged = request.charged_to(found.school_class.code)
    return await services.solver.run(charged, analysis.solve_line, sent)


async def end(services: Services, request: Request) -> ClassEnded:
    """End the lesson: the class, its pupils and their games are removed."""
    await end_class(services.matches, _code(request), request.token)
    return ClassEnded(ended=True)


def changing(step: Callable[..., SchoolClass]) -> Handler:
    """Return a handler for a change of a class that only its teacher may make."""

    @wraps(step)
    async def handler(services: Services, request: Request, sent: Any) -> ClassView:
        return await _change(services, request, lambda it: step(it, sent))

    return handler


async def _change(services: Services, request: Request, step: Change) -> ClassView:
    found = await change_class(
        services.matches, _code(request), lambda it: step(it.require_teacher(request.token))
    )
    return _view(services, found, request.token)


async def results(services: Services, request: Request) -> ClassResults:
    """The standings with the chances each pupil took, and what the class can learn."""
    found = await _as_teacher(services, request)
    played = [hosted.match for hosted in found.matches.values() if hosted.match.outcome]
    charged = request.charged_to(found.school_class.code)
    judged = await services.solver.run(charged, judge_matches, played)
    return ClassResults(_standings(found, judged), judged.turning_points)


async def results_file(services: Services, request: Request) -> Response:
    """The standings as a table for a spreadsheet."""
    shown = await results(services, request)
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["name", "points", "games", "chances to win", "chances taken"])
    for one in shown.standings:
        table.writerow([_cell(one.name), one.points, one.games, one.chances, one.taken])
    headers = {"Content-Disposition": f'attachment; filename="class-{_code(request)}.csv"'}
    return Response(text.getvalue().encode("utf-8-sig"), 200, CSV, headers)


def _cell(text: str) -> str:
    """Return a name in a form that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in "=+-@\t" else text


def judge_matches(matches: list[Match]) -> JudgedMatches:
    """Review finished matches: the chances of each player, and the turning points."""
    reviews = {match.id: review(match) for match in matches}
    return JudgedMatches(
        chances={match_id: [one.chances(1), one.chances(2)] for match_id, one in reviews.items()},
        turning_points=[
            TurningPoint(
                **position_fields(puzzle.position, None),
                source=puzzle.source,
                difficulty=puzzle.difficulty,
            )
            for puzzle in _different(mistakes(matches))[:MOST_TURNING_POINTS]
        ],
    )


def _different(puzzles: list[Puzzle]) -> list[Puzzle]:
    """Return the first puzzle at each position: games of a class often turn at the same one."""
    found: dict[Position, Puzzle] = {}
    for puzzle in puzzles:
        found.setdefault(puzzle.position, puzzle)
    return [*found.values()]


def _standings(found: ClassMatches, judged: JudgedMatches) -> list[PupilStanding]:
    """Return the pupils by points, the highest first, then by name."""
    rows = []
    for pupil in found.school_class.pupils:
        chances = [
            judged.chances[board.match_id][board.pupils.index(pupil.id)]
            for board in found.school_class.boards
            if pupil.id in board.pupils and board.match_id in judged.chances
        ]
        rows.append(
            PupilStanding(
                pupil=pupil.id,
                name=pupil.name,
                points=found.points(pupil),
                games=len(chances),
                chances=sum(total for total, _ in chances),
                taken=sum(taken for _, taken in chances),
            )
        )
    return sorted(rows, key=lambda row: (-row.points, name_order(row.name)))
