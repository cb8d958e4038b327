"""Records as JSON lines: one match, one line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from math import inf
from typing import Any

from duels.core.errors import DuelsError, RecordError
from duels.core.game import read_move
from duels.games import RULES_VERSION
from duels.match.match import Match
from duels.match.records.fields import FORMAT, duel_in_words, rebuild, result


def as_dict(match: Match) -> dict[str, Any]:
    """A match as plain data; a pair is a list of two."""
    return {
        "game": match.game.id,
        "options": dict(match.game.options),
        "format": FORMAT,
        "player1": match.name(1),
        "player2": match.name(2),
        "computer1": match.computer(1) or None,
        "computer2": match.computer(2) or None,
        "first": match.name(1),
        "date": match.date,
        "id": match.id,
        "rules": RULES_VERSION,
        "time_limit": match.time_limit,
        "seed": match.seed,
        "duel": duel_in_words(match.duel) if match.duel else None,
        "moves": list(match.moves),
        "seconds": list(match.seconds),
        "result": result(match),
        "termination": match.termination,
        **({"given": match.given} if match.given else {}),
    }


def write(match: Match) -> str:
    """One line, with its line end."""
    return json.dumps(as_dict(match), ensure_ascii=False) + "\n"


def read(lines: Iterable[str]) -> Iterator[Match | RecordError]:
    """The matches of some lines; a damaged line as an error that names it."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _read_line(line, number)


def from_dict(data: Any, line: int = 0) -> Match:
    """The match that `as_dict` wrote; RecordError if it is damaged."""
    if not isinstance(data, dict) or not isinstance(data.get("options", {}), dict):
        raise RecordError("it is not a JSON object with options", line)
    moves, seconds = data.get("moves"), data.get("seconds")
    if not isinstance(moves, list):
        raise RecordError("it has no list of moves", line)
    times = seconds if isinstance(seconds, list) else [0.0] * len(moves)
    are_times = all(type(time) in (int, float) and 0 <= time < inf for time in times)
    if len(times) != len(moves) or not are_times:
        raise RecordError("its seconds do not fit its moves", line)
    try:
        played = ((line, read_move(move), time) for move, time in zip(moves, times, strict=True))
        return rebuild(data, data.get("options", {}), played)
    except KeyError as error:
        raise RecordError(f"it has no {error.args[0]}", line) from None
    except RecordError as error:
        error.line = line
        raise
    except DuelsError as error:
        raise RecordError(str(error), line) from None


def _read_line(line: str, number: int) -> Match | RecordError:
    try:
        return from_dict(json.loads(line), number)
    except RecordError as error:
        return error
    except (ValueError, RecursionError):  # also a number of thousands of digits
        return RecordError("it is not JSON", number)
