"""Records as text for people: tags, then numbered moves with the seconds each took.

[Game "…"]
[Options "numbers=10 opening=any"]
[Player1 "Alice"]
[Player2 "Bob"]
...

1. 6 {3.2} 3 {1.5}
2. 9 {4.0} 1 {0.8} *
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from math import inf

from duels.core.errors import DuelsError, RecordError
from duels.core.words import quoted
from duels.match.match import Match
from duels.match.records.fields import RESULTS, rebuild, result
from duels.match.records.jsonl import as_dict

TAG_BEGINS = re.compile(r"\s*\[\w+\s")
_TAG = re.compile(r'\[(\w+)\s+("(?:[^"\\]|\\.)*")\]')
_TOKEN = re.compile(r"\{[^{}]*\}|[^\s{}]+|[{}]")
_NUMBER = re.compile(r"\d+\.+", re.ASCII)
_KEYS = {
    "".join(word.capitalize() for word in name.split("_")): name
    for name in (
        *("game", "options", "format", "player1", "player2", "computer1", "computer2", "first"),
        *("date", "id", "rules", "time_limit", "seed", "duel", "given", "result", "termination"),
    )
}
"""The tags, in their order, and what a record of data calls the same: TimeLimit, time_limit."""

Lines = list[tuple[int, str]]


def write(match: Match) -> str:
    """A record with a blank line behind it, so that records can be put one after another."""
    values = as_dict(match)
    values["options"] = " ".join(f"{name}={value}" for name, value in match.game.options.items())
    tags = [
        f"[{tag} {json.dumps(str(value), ensure_ascii=False)}]"
        for tag, name in _KEYS.items()
        if (value := values.get(name)) is not None
    ]
    written = [
        f"{match.game.format(move)} {{{seconds}}}"
        for move, seconds in zip(match.moves, match.seconds, strict=True)
    ]
    turns = zip_longest(written[::2], written[1::2], fillvalue="")
    body = [f"{n}. {one} {two}".rstrip() for n, (one, two) in enumerate(turns, start=1)]
    return "\n".join([*tags, "", *body, result(match), "", ""])


def read(lines: Iterable[str]) -> Iterator[Match | RecordError]:
    """The matches of some lines; a damaged record as an error that names its line."""
    for record in _split(lines):
        try:
            yield _read_record(record)
        except KeyError as error:
            yield RecordError(f"it has no tag for {error.args[0]}", record[0][0])
        except RecordError as error:
            error.line = error.line or record[0][0]
            yield error
        except DuelsError as error:
            yield RecordError(str(error), record[0][0])


def _split(lines: Iterable[str]) -> Iterator[Lines]:
    """The lines of each record with their numbers.

    A tag after moves begins a new record; so does a second game, when the moves are lost.
    """
    record: Lines = []
    in_moves = False
    for number, raw in enumerate(lines, start=1):
        line = raw.strip()
        again = line.startswith("[Game ") and any(old.startswith("[Game ") for _, old in record)
        if again or (line.startswith("[") and in_moves):
            yield record
            record, in_moves = [], False
        if line:
            record.append((number, line))
            in_moves = in_moves or not line.startswith(("[", "{"))
    if record:
        yield record


def _read_record(record: Lines) -> Match:
    head: dict[str, str] = {}
    moves: list[tuple[int, str, float]] = []
    results: list[tuple[int, str]] = []
    for number, line in record:
        if line.startswith("["):
            tag = _TAG.fullmatch(line)
            if not tag:
                raise RecordError(f"{quoted(line)} is not a tag", number)
            head[_KEYS.get(tag[1], tag[1])] = _unquote(tag[2], number)
        else:
            _read_moves(line, number, moves, results)
    if not moves and not results:
        raise RecordError("it ends with its tags, without moves or a result")
    for number, said in results:
        if said != head.get("result", said):
            raise RecordError(f"it says {said} here and {quoted(head['result'])} above", number)
    options = dict(part.partition("=")[::2] for part in head.get("options", "").split())
    return rebuild(head, options, moves)


def _read_moves(
    line: str,
    number: int,
    moves: list[tuple[int, str, float]],
    results: list[tuple[int, str]],
) -> None:
    """Add the moves of one line to `moves`, and a result to `results`."""
    for token in _TOKEN.findall(line):
        turn = len(moves) // 2 + 1
        if token.startswith("{") and len(token) > 1:
            moves[-1:] = [(at, move, _seconds(token, time)) for at, move, time in moves[-1:]]
        elif _NUMBER.fullmatch(token):
            if token.rstrip(".").lstrip("0") != str(turn):
                raise RecordError(f"{quoted(token)} stands where {turn}. should be", number)
        elif token in RESULTS:
            results.append((number, token))
        elif results:
            raise RecordError(f"{quoted(token)} stands behind the result", number)
        else:
            moves.append((number, token, 0.0))


def _seconds(comment: str, default: float) -> float:
    """The seconds in a comment; any other comment says nothing about time."""
    try:
        seconds = float(comment[1:-1])
    except ValueError:
        return default
    return seconds if 0 <= seconds < inf else default


def _unquote(value: str, number: int) -> str:
    try:
        return str(json.loads(value))
    except json.JSONDecodeError:
        raise RecordError(f"{quoted(value)} is not a quoted text", number) from None
