"""What can be asked without a match: the games, their rules, and the truth about them."""

from __future__ import annotations

import time
from functools import lru_cache
from typing import Any

from duels.core.errors import RecordError
from duels.core.game import Game
from duels.core.options import OptionValue
from duels.core.words import whole_number
from duels.games import all_games, find_game
from duels.match.match import Match
from duels.match.players.levels import LEVELS
from duels.match.records import is_json, read_lines, result
from duels.match.strengths import BEGINS_AT
from duels.service.asking import SVG, Answer, Asked, answer
from duels.service.catalogue import catalogue
from duels.service.making import web_game
from duels.service.play import Desk
from duels.service.problems import Problem
from duels.service.requests import Drawn, Line
from duels.service.state import encode, game_state, players_state, position_state, texts
from duels.theory import solve
from duels.theory.pictures import verdict_svg

LONGEST_RECORD = 20_000
"""Characters of one record; a match on a board of the web has far fewer."""
SECONDS_FOR_RECORDS = 1.5
"""Of computing."""
seconds_worked = getattr(time, "thread_time", time.process_time)
"""By this thread; a browser's Python has one thread, and no clock for it."""


async def games(desk: Desk, asked: Asked) -> Answer:
    """The games with their options, and the levels of the computer."""
    return Answer(_games(tuple(all_games().items())))


@lru_cache(maxsize=4)
def _games(_offered: tuple[tuple[str, type[Game]], ...]) -> bytes:
    """Worked out once, because every page asks for it."""
    levels = [{"name": level.name, "words": level.words} for level in LEVELS.values()]
    return encode({"games": catalogue(), "levels": levels, "begins_at": BEGINS_AT})


async def rules(desk: Desk, asked: Asked) -> Answer:
    """The rules of a game, in Markdown."""
    kind = game_named(asked.names["game_id"])
    return answer({"game": kind.id, "title": kind.title, "markdown": kind.rules_text()})


def game_named(game_id: str) -> type[Game]:
    """The game that a path names."""
    kind = all_games().get(game_id)
    if kind is None:
        raise Problem(404, "There is no game with this id.")
    return kind


def solved(sent: Line) -> dict[str, Any]:
    """The truth about any position: who wins, by which moves, and why."""
    position = web_game(sent.game, sent.options).position(*sent.moves)
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


def picture(sent: Drawn) -> Answer:
    """The truth about any position, drawn."""
    moves = [move for move in sent.moves.split(".") if move]
    position = web_game(sent.game, _options(sent)).position(*moves)
    return Answer(verdict_svg(solve(position)).encode(), 200, SVG)


def _options(sent: Drawn) -> dict[str, OptionValue]:
    """The options in an address, where a number is text like everything else."""
    known = find_game(sent.game).fields
    given: dict[str, OptionValue] = {}
    for name, text in sent.options.items():
        number = None if name in known and known[name].choices else whole_number(text)
        given[name] = text if number is None else number
    return given


def records(sent: bytes) -> dict[str, Any]:
    """The matches of a record file, and what is wrong with the damaged ones."""
    found, wrong = read_matches(sent)
    return {"matches": [_record(match) for match in found], "problems": wrong}


def read_matches(body: bytes) -> tuple[list[Match], list[str]]:
    """The matches of a record file, and what is wrong with it."""
    found: list[Match] = []
    wrong = _too_long(body.decode("utf-8-sig", errors="replace").splitlines())
    began = seconds_worked()
    for match in () if wrong else read_lines(body):
        if isinstance(match, RecordError):
            wrong.append(f"line {match.line}: {match}")
        else:
            found.append(match)
        if seconds_worked() - began > SECONDS_FOR_RECORDS:
            wrong.append("The rest of the file was not read: it is too long.")
            break
    return found, wrong


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
