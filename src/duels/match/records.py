"""Records of matches: text with tags and numbered moves for people, JSON lines for programs.

    [Game "ID"]
    [Options "numbers=10 opening=any"]
    [Version "1"]
    [Player1 "Alice"]
    [Player2 "Bob"]

    1. 6 {3.2} 3 {1.5}
    2. 9 {4.0} 1 {0.8}
    *

A line of JSON has the same fields, and moves and seconds as lists. `record_data.py` declares them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from math import inf
from pathlib import Path
from typing import Any

from duels.core.errors import DuelsError, RecordError
from duels.core.files import read_small
from duels.core.words import quoted
from duels.match.match import Match
from duels.match.record_data import (
    RESULTS,
    TAGS,
    check_values,
    read_record,
    record_data,
    replay,
    result,
)

LARGEST = 64 * 2**20
"""The largest record file that is read, in bytes."""


def write_record(match: Match, path: Path) -> str:
    """Return a match in the form for this file name: JSON for .json and .jsonl, otherwise text."""
    wants_json = path.suffix.lower() in {".json", ".jsonl"}
    return write_json(match) if wants_json else write_text(match)


def read_records(path: Path) -> Iterator[Match | RecordError]:
    """Yield every record of a file in order; a damaged one as an error that says where and why."""
    try:
        return read_lines(read_small(path, LARGEST))
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}.") from None


def read_lines(content: bytes) -> Iterator[Match | RecordError]:
    """Like `read_records`, from the content of a file."""
    lines = content.decode("utf-8-sig", errors="replace").splitlines()
    return read_json(lines) if is_json(lines) else read_text(lines)


def is_json(lines: list[str]) -> bool:
    """Say whether these are JSON lines: a tag makes it text, even if a comment begins a line."""
    tagged = any(_TAG_BEGINS.match(line) for line in lines)
    return not tagged and any(line.lstrip().startswith("{") for line in lines)


def earlier_records(path: Path, match: Match) -> list[Match] | None:
    """Return the other records of the match's duel in a file; None if it has anything else."""
    if not path.exists():
        return []
    try:
        found = [record for record in read_records(path) if isinstance(record, Match)]
    except RecordError:
        return None
    ids = [record.id for record in found]
    if not found or len(ids) > len({*ids}) or any(r.duel_id != match.duel_id for r in found):
        return None
    return [record for record in found if record.id != match.id]


# JSON lines


def write_json(match: Match) -> str:
    """Return a match as one line of JSON, with its line end."""
    return json.dumps(record_data(match), ensure_ascii=False) + "\n"


def read_json(lines: Iterable[str]) -> Iterator[Match | RecordError]:
    """Yield the matches of JSON lines; a damaged line as an error that names it."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield read_record(json.loads(line), number)
            except RecordError as error:
                yield error
            except (ValueError, RecursionError):  # also a number of thousands of digits
                yield RecordError("it is not JSON", number)


# Text

_TAG_BEGINS = re.compile(r"\s*\[\w+\s")
_TAG = re.compile(r'\[(\w+)\s+("(?:[^"\\]|\\.)*")\]')
_TOKEN = re.compile(r"\{[^{}]*\}|[^\s{}]+|[{}]")
_NUMBER = re.compile(r"\d+\.+", re.ASCII)

Lines = list[tuple[int, str]]


def write_text(match: Match) -> str:
    """Return a match as text, with an empty line at its end; empty values get no tag."""
    values = record_data(match)
    values["options"] = " ".join(f"{name}={value}" for name, value in match.game.options.items())
    tags = [
        f"[{tag} {json.dumps(str(value), ensure_ascii=False)}]"
        for tag, field in TAGS.items()
        if (value := values[field.name])
    ]
    written = [
        f"{match.game.format(move)} {{{seconds}}}"
        for move, seconds in zip(match.moves, match.seconds, strict=True)
    ]
    turns = zip_longest(written[::2], written[1::2], fillvalue="")
    body = [f"{n}. {one} {two}".rstrip() for n, (one, two) in enumerate(turns, start=1)]
    return "\n".join([*tags, "", *body, result(match), "", ""])


def read_text(lines: Iterable[str]) -> Iterator[Match | RecordError]:
    """Yield the matches of a text; a damaged record as an error that names its line."""
    for record in _split(lines):
        try:
            yield _read_text_record(record)
        except RecordError as error:
            error.line = error.line or record[0][0]
            yield error
        except DuelsError as error:
            yield RecordError(str(error), record[0][0])


def _split(lines: Iterable[str]) -> Iterator[Lines]:
    """Yield the numbered lines of each record.

    A tag after moves begins a new record; so does a second Game tag, if the moves are missing.
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


def _read_text_record(record: Lines) -> Match:
    head: dict[str, Any] = {}
    moves: list[tuple[int, str, float]] = []
    results: list[tuple[int, str]] = []
    for number, line in record:
        if line.startswith("["):
            tag = _TAG.fullmatch(line)
            if not tag:
                raise RecordError(f"{quoted(line)} is not a tag", number)
            if field := TAGS.get(tag[1]):
                head[field.name] = field.kind.from_tag(_unquote(tag[2], number))
        else:
            _read_moves(line, number, moves, results)
    if not moves and not results:
        raise RecordError("it ends with its tags, without moves or a result")
    for number, said in results:
        if said != head.get("result", said):
            raise RecordError(f"it says {said} here and {quoted(head['result'])} above", number)
    return replay(check_values(head | {"moves": []}), moves)


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
                raise RecordError(f"{quoted(token)} is where {turn}. should be", number)
        elif token in RESULTS:
            results.append((number, token))
        elif results:
            raise RecordError(f"{quoted(token)} comes after the result", number)
        else:
            moves.append((number, token, 0.0))


def _seconds(comment: str, default: float) -> float:
    """Return the seconds in a comment, or the default if it contains something else."""
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
