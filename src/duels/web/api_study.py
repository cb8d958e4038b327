"""The games, their rules and the truth about them over HTTP: what needs no match."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from time import thread_time
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from duels.core.errors import OptionError, RecordError
from duels.core.game import Game, Position
from duels.core.options import OptionValue
from duels.core.words import whole_number
from duels.games import UnknownGame, all_games, find_game
from duels.match import Match
from duels.pictures import verdict_svg
from duels.players.levels import LEVELS
from duels.record import is_json, read_lines
from duels.record.fields import result
from duels.theory import solve
from duels.web import schemas
from duels.web.answers import SVG, answer, answer_state, documented, problems, server_of
from duels.web.catalogue import catalogue
from duels.web.making import web_game
from duels.web.problems import Problem
from duels.web.requests import LONGEST_TEXT, Line
from duels.web.state import encode, game_state, players_state, position_state, texts

router = APIRouter(prefix="/api", tags=["study"])

LONGEST_RECORD = 20_000
"""Characters of one record; a match on a board of the web has far fewer."""
SECONDS_FOR_RECORDS = 1.5
"""Of computing."""
OPTIONS_IN_QUERY = {
    "name": "options",
    "in": "query",
    "description": "The options of the game, each under its own name.",
    "style": "form",
    "explode": True,
    "schema": {
        "type": "object",
        "additionalProperties": {"type": "string", "maxLength": LONGEST_TEXT},
    },
}


@router.get("/games", response_model=schemas.Games)
def games() -> Response:
    """The games with their options, and the levels of the computer."""
    return answer_state(_games(tuple(all_games().items())))


@lru_cache(maxsize=4)
def _games(_offered: tuple[tuple[str, type[Game]], ...]) -> bytes:
    """Worked out once, because every page asks for it."""
    levels = [{"name": level.name, "words": level.words} for level in LEVELS.values()]
    return encode({"games": catalogue(), "levels": levels})


@router.get("/rules/{game_id}", response_model=schemas.Rules, responses=problems(404))
def rules(game_id: str) -> Response:
    """The rules of a game, in Markdown."""
    try:
        kind = find_game(game_id)
    except UnknownGame:
        raise Problem(404, "There is no game with this id.") from None
    return answer({"game": kind.id, "title": kind.title, "markdown": kind.rules_text()})


@router.post("/solve", response_model=schemas.Solved, responses=problems(400, 413, 422, 429, 503))
async def post_solve(request: Request, line: Line) -> Response:
    """The truth about any position: who wins, by which moves, and why."""
    return answer(await server_of(request).study.run(request, _solved, line))


@router.get(
    "/picture.svg",
    response_class=Response,
    responses=problems(400, 422, 429, 503) | documented("The picture.", SVG),
    openapi_extra={"parameters": [OPTIONS_IN_QUERY]},
)
async def picture(
    request: Request,
    game: Annotated[str, Query(max_length=40)],
    moves: Annotated[str, Query(max_length=3000, description="Joined by dots: 28.14.41")] = "",
) -> Response:
    """The truth about any position, drawn."""
    query = dict(request.query_params)
    return Response(
        await server_of(request).study.run(request, _picture, game, query, moves), media_type=SVG
    )


@router.post(
    "/records",
    response_model=schemas.Records,
    responses=problems(413, 422, 429, 503),
    openapi_extra={"requestBody": {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def records(request: Request) -> Response:
    """The matches of a record file, and what is wrong with the damaged ones."""
    body = await request.body()
    return answer(await server_of(request).study.run(request, _records, body))


def _solved(line: Line) -> dict[str, Any]:
    position = _position(line.game, line.options, line.moves)
    verdict = solve(position)
    outcome = position.outcome
    if outcome:
        status = f"The game is over: Player {outcome.winner} has won."
    elif verdict.wins:
        status = f"Player {position.to_move}, to move, wins with best play."
    else:
        status = f"Player {position.to_move}, to move, loses against best play."
    return {
        "position": position_state(position, outcome),
        "wins": verdict.wins,
        "winning": texts(position.game, verdict.winning_moves),
        "reason": verdict.reason,
        "explanation": verdict.explanation,
        "status": status,
    }


def _position(game_id: str, options: Mapping[str, OptionValue], moves: list[str]) -> Position:
    return web_game(game_id, options).position(*moves)


def _picture(game_id: str, query: Mapping[str, str], moves: str) -> str:
    position = _position(game_id, _options(game_id, query), [m for m in moves.split(".") if m])
    return verdict_svg(solve(position))


def _options(game_id: str, query: Mapping[str, str]) -> dict[str, OptionValue]:
    """The options in the query of an address, where a number is text like everything else."""
    known = find_game(game_id).fields
    given: dict[str, OptionValue] = {}
    for name, text in query.items():
        if name in ("game", "moves"):
            continue
        if len(text) > LONGEST_TEXT:
            raise OptionError(f"An option may have at most {LONGEST_TEXT} characters.")
        number = None if name in known and known[name].choices else whole_number(text)
        given[name] = text if number is None else number
    return given


def _records(body: bytes) -> dict[str, Any]:
    found: list[dict[str, Any]] = []
    wrong = _too_long(body.decode("utf-8-sig", errors="replace").splitlines())
    began = thread_time()
    for match in () if wrong else read_lines(body):
        if isinstance(match, RecordError):
            wrong.append(f"line {match.line}: {match}")
        else:
            found.append(_record(match))
        if thread_time() - began > SECONDS_FOR_RECORDS:
            wrong.append("The rest of the file was not read: it is too long.")
            break
    return {"matches": found, "problems": wrong}


def _record(match: Match) -> dict[str, Any]:
    return {
        **game_state(match.game),
        "moves": texts(match.game, match.moves),
        "players": players_state(match.seats),
        "result": result(match),
    }


def _too_long(lines: list[str]) -> list[str]:
    """Where a single record is so long that it cannot be a match of this site."""
    one_a_line = is_json(lines)
    length, in_moves = 0, False
    for number, line in enumerate(lines, start=1):
        is_tag = line.lstrip().startswith("[")
        if one_a_line or (is_tag and in_moves):
            length = 0
        in_moves = not is_tag and (in_moves or bool(line.strip()))
        length += len(line)
        if length > LONGEST_RECORD:
            return [f"line {number}: this record is longer than {LONGEST_RECORD:,} characters."]
    return []
