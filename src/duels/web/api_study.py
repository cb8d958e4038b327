"""The games, their rules and the truth about them over HTTP: what needs no match."""

from __future__ import annotations

from dataclasses import MISSING
from time import monotonic
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from duels.core.errors import RecordError
from duels.core.game import Position
from duels.games import GAMES, option_fields
from duels.games.criteria import CRITERIA
from duels.games.options import OPTIONS
from duels.match import Match
from duels.players.levels import LEVELS
from duels.record import jsonl, text
from duels.record.fields import result
from duels.terminal.rules import rules_text
from duels.theory import solve
from duels.theory.reasons import explanation
from duels.web import schemas
from duels.web.answers import SVG, answer, documented, problems, server_of
from duels.web.making import HIGHEST_DIVISOR, MOST_NUMBERS, web_game
from duels.web.problems import Problem
from duels.web.state import position_state, texts
from duels.web.wanted import Line

router = APIRouter(prefix="/api", tags=["study"])

BOUNDS: dict[str, dict[str, Any]] = {
    "numbers": {"lowest": 1, "highest": MOST_NUMBERS},
    "divisor": {"lowest": 2, "highest": HIGHEST_DIVISOR},
    "criteria": {"choices": list(CRITERIA)},
    "opening": {"choices": ["any", "even"]},
}
LONGEST_RECORD = 20_000
"""Characters of one record; a match on a board of the web has far fewer."""
SECONDS_FOR_RECORDS = 2.0


@router.get("/games", response_model=schemas.Games)
async def games() -> Response:
    """The five games with their options, and the levels of the computer."""
    told = [
        {
            "game": game_id,
            "title": kind.title,
            "summary": kind.summary,
            "options": [
                {
                    "name": name,
                    "words": OPTIONS[name],
                    "default": None if option.default is MISSING else option.default,
                }
                | BOUNDS[name]
                for name, option in option_fields(game_id).items()
            ],
        }
        for game_id, kind in GAMES.items()
    ]
    levels = [{"name": level.name, "words": level.words} for level in LEVELS.values()]
    return answer({"games": told, "levels": levels})


@router.get("/rules/{game_id}", response_model=schemas.Rules, responses=problems(404))
def rules(game_id: str) -> Response:
    """The rules of a game, in Markdown."""
    if game_id not in GAMES:
        raise Problem(404, "There is no game with this id.")
    title = GAMES[game_id].title
    return answer({"game": game_id, "title": title, "markdown": rules_text(game_id)})


@router.post("/solve", response_model=schemas.Solved, responses=problems(400, 413, 422))
async def post_solve(request: Request, line: Line) -> Response:
    """The truth about any position: who wins, by which moves, and why."""
    return answer(await server_of(request).work.think(lambda: _solved(line)))


@router.get(
    "/picture.svg",
    response_class=Response,
    responses=problems(400, 422) | documented("The picture.", SVG),
)
async def picture(
    request: Request,
    game: Annotated[str, Query(max_length=40)],
    numbers: Annotated[str | None, Query(max_length=20)] = None,
    criteria: Annotated[str | None, Query(max_length=200)] = None,
    divisor: Annotated[str | None, Query(max_length=20)] = None,
    opening: Annotated[str | None, Query(max_length=20)] = None,
    moves: Annotated[str, Query(max_length=2000, description="Joined by dots: 28.14.41")] = "",
) -> Response:
    """The truth about any position, drawn."""
    given = {"numbers": numbers, "criteria": criteria, "divisor": divisor, "opening": opening}

    def draw() -> str:
        from duels.pictures import verdict_svg

        options = {name: value for name, value in given.items() if value is not None}
        return verdict_svg(solve(_position(game, options, [m for m in moves.split(".") if m])))

    return Response(await server_of(request).work.think(draw), media_type=SVG)


@router.post(
    "/records",
    response_model=schemas.Records,
    responses=problems(413, 422),
    openapi_extra={"requestBody": {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def records(request: Request) -> Response:
    """The matches of a record file, and what is wrong with the damaged ones."""
    body = await request.body()
    return answer(await server_of(request).work.think(lambda: _records(body)))


def _solved(line: Line) -> dict[str, Any]:
    position = _position(line.game, line.options.given(), line.moves)
    verdict = solve(position)
    outcome = position.outcome
    if outcome:
        status = f"The game is over: Player {outcome.winner} has won."
    elif verdict.wins:
        status = f"Player {position.to_move}, to move, wins with best play."
    else:
        status = f"Player {position.to_move}, to move, loses against best play."
    board = position_state(position, is_over=outcome is not None)
    return {
        "position": board | {"outcome": outcome._asdict() if outcome else None},
        "wins": verdict.wins,
        "winning_text": texts(position.game, verdict.winning_moves),
        "reason": verdict.reason,
        "explanation": explanation(verdict),
        "status": status,
    }


def _position(game_id: str, options: dict[str, Any], moves: list[str]) -> Position:
    here = web_game(game_id, options).start()
    for move in moves:
        here = here.play(here.game.parse(move))
    return here


def _records(body: bytes) -> dict[str, Any]:
    lines = body.decode("utf-8-sig", errors="replace").splitlines()
    first = next((line for line in lines if line.strip()), "")
    is_json = first.lstrip().startswith("{")
    found: list[dict[str, Any]] = []
    wrong = _too_long(lines, is_json)
    began = monotonic()
    for match in () if wrong else (jsonl if is_json else text).read(lines):
        if isinstance(match, RecordError):
            wrong.append(f"line {match.line}: {match}")
        else:
            found.append(_record(match))
        if monotonic() - began > SECONDS_FOR_RECORDS:
            wrong.append("The rest of the file was not read: it is too long.")
            break
    return {"matches": found, "problems": wrong}


def _record(match: Match) -> dict[str, Any]:
    return {
        "game": match.game.id,
        "options": dict(match.game.options),
        "moves_text": texts(match.game, match.moves),
        "players": list(match.players),
        "result": result(match),
    }


def _too_long(lines: list[str], is_json: bool) -> list[str]:
    """Where a single record is so long that it cannot be a match of this site."""
    length, in_moves = 0, False
    for number, line in enumerate(lines, start=1):
        is_tag = line.lstrip().startswith("[")
        if is_json or (is_tag and in_moves):
            length = 0
        in_moves = not is_tag and (in_moves or bool(line.strip())) if not is_tag else False
        length += len(line)
        if length > LONGEST_RECORD:
            return [f"line {number}: this record is longer than {LONGEST_RECORD:,} characters."]
    return []
