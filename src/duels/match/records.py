"""Records of matches: text with tags and numbered moves for people, JSON lines for programs.

    [Game "ID"]
    [Options "numbers=10 opening=any"]
    [Version "1"]
    [Player1 "Alice"]
    [Player2 "Bob"]

    1. 6 {3.2} 3 {1.5}
    2. 9 {4.0} 1 {0.8}
    *

A line of JSON has the same fields, and moves and seconds as lists. `FIELDS` declares them once.
The moves are played by the rules again, so a record cannot claim what could not have happened.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from math import inf
from pathlib import Path
from typing import Any

from duels.core.errors import DuelsError, MissingGame, RecordError
from duels.core.files import read_small, version_fault
from duels.core.game import Outcome, read_move
from duels.core.words import printable, quoted, whole_number
from duels.games import RULES_VERSION, UnknownGame, game
from duels.games.added import fault_of_a_game
from duels.match.match import (
    ENDINGS,
    LONGEST_COMMAND,
    MOST_MATCHES,
    UNFINISHED,
    Duel,
    Match,
    Seat,
    read_seats,
    read_time_limit,
)

VERSION = 1
"""The version of the format, for records and saved games alike."""
LARGEST = 64 * 2**20
"""The largest record file that is read, in bytes."""
RESULTS = {"1-0": 1, "0-1": 2, "*": None}
"""The winner by how a result is written: 1 is the player who moved first."""
REQUIRED = object()

_DUEL = re.compile(r"(\d{1,4}) of (\d{1,4}), (\d{1,4})-(\d{1,4})", re.ASCII)


def result(match: Match) -> str:
    """Return "1-0" if the player who moved first has won, "0-1" for the other, "*" before that."""
    winner = match.outcome.winner if match.outcome else None
    return next(text for text, player in RESULTS.items() if player == winner)


# The fields


@dataclass(frozen=True)
class Field:
    """One field of a record; the default is that of records, a saved game has every field."""

    name: str
    words: str
    """What a value must be, for the sentence about one that is not."""
    accepts: Callable[[Any], bool]
    value: Callable[[Match], Any]
    default: Any = REQUIRED
    from_tag: Callable[[str], Any] = str

    @property
    def tag(self) -> str:
        """The name in the text form: TimeLimit for time_limit."""
        return "".join(word.capitalize() for word in self.name.split("_"))

    def check(self, value: Any) -> None:
        """Raise RecordError if a record cannot have this value."""
        if not self.accepts(value):
            raise RecordError(f"its {self.name} must be {self.words}, not {quoted(value)}")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_whole(value: Any) -> bool:
    return type(value) is int


def _is_limit(value: Any) -> bool:
    return value is None or type(value) in (int, float)


def _is_player(value: Any) -> bool:
    return value is None or (
        isinstance(value, str) and value.isprintable() and len(value) <= LONGEST_COMMAND
    )


def _are_options(value: Any) -> bool:
    return isinstance(value, dict) and all(type(one) in (int, str) for one in value.values())


def _are_moves(value: Any) -> bool:
    return isinstance(value, list) and all(type(move) in (int, list) for move in value)


def _are_seconds(value: Any) -> bool:
    return isinstance(value, list) and all(
        type(time) in (int, float) and 0 <= time < inf for time in value
    )


def _is_duel(value: Any) -> bool:
    return value is None or (isinstance(value, str) and _parse_duel(value) is not None)


def _is_result(value: Any) -> bool:
    return isinstance(value, str) and value in RESULTS


def _number(text: str) -> int | str:
    """Return the whole number of a tag; a text that is none stays, and is refused by its field."""
    number = whole_number(text)
    return text if number is None else number


def _limit(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _options(text: str) -> dict[str, str]:
    return dict(part.partition("=")[::2] for part in text.split())


TEXT, WHOLE, PLAYER = "a text", "a whole number", "a player's specification"

FIELDS: Mapping[str, Field] = {
    field.name: field
    for field in (
        Field("game", TEXT, _is_text, lambda match: match.game.id),
        Field(
            "options",
            "numbers and words by name",
            _are_options,
            lambda match: dict(match.game.options),
            {},
            _options,
        ),
        Field("version", WHOLE, _is_whole, lambda match: VERSION, VERSION, _number),
        Field("player1", TEXT, _is_text, lambda match: match.name(1)),
        Field("player2", TEXT, _is_text, lambda match: match.name(2)),
        Field("computer1", PLAYER, _is_player, lambda match: match.computer(1) or None, None),
        Field("computer2", PLAYER, _is_player, lambda match: match.computer(2) or None, None),
        Field("first", TEXT, _is_text, lambda match: match.name(1), ""),
        Field("date", TEXT, _is_text, lambda match: match.date, ""),
        Field("id", TEXT, _is_text, lambda match: match.id, ""),
        Field("rules", WHOLE, _is_whole, lambda match: RULES_VERSION, RULES_VERSION, _number),
        Field(
            "time_limit",
            "a number of seconds",
            _is_limit,
            lambda match: match.time_limit,
            None,
            _limit,
        ),
        Field("seed", WHOLE, _is_whole, lambda match: match.seed, 0, _number),
        Field("duel", 'like "2 of 3, 0-1"', _is_duel, lambda match: _format_duel(match), None),
        Field("given", WHOLE, _is_whole, lambda match: match.given, 0, _number),
        Field("moves", "a list of moves", _are_moves, lambda match: list(match.moves)),
        Field("seconds", "a list of times", _are_seconds, lambda match: list(match.seconds), None),
        Field("result", "1-0, 0-1 or *", _is_result, result, "*"),
        Field("termination", TEXT, _is_text, lambda match: match.termination, UNFINISHED),
    )
}
"""The fields of a match by name, in the order in which they are written."""
LISTS = ("moves", "seconds")
"""The fields that the text form has as numbered moves."""
TAGS = {field.tag: field for field in FIELDS.values() if field.name not in LISTS}


def _format_duel(match: Match) -> str | None:
    """Return "2 of 3, 0-1": the second of three matches, with the score before it."""
    return match.duel and "{} of {}, {}-{}".format(
        match.duel.number, match.duel.of, *match.duel.score
    )


def _parse_duel(text: str) -> Duel | None:
    written = _DUEL.fullmatch(text)
    number, of, one, two = map(int, written.groups()) if written else (0, 0, 0, 0)
    is_sound = 1 <= number <= of <= MOST_MATCHES and one + two == number - 1
    return Duel(number, of, (one, two)) if is_sound else None


# Plain data


def record_data(match: Match) -> dict[str, Any]:
    """Return a match as plain data; a pair is a tuple of two."""
    return {name: field.value(match) for name, field in FIELDS.items()}


def read_record(data: Any, line: int = 0) -> Match:
    """Return the match that `record_data` wrote; RecordError if it is damaged.

    Fields that a record does not have are ignored: results of the arena are records with more.
    """
    try:
        if not isinstance(data, dict):
            raise RecordError("it is not a JSON object")
        values = _values(data)
        moves, seconds = values["moves"], values["seconds"]
        if seconds is None:
            seconds = [0.0] * len(moves)
        if len(seconds) != len(moves):
            raise RecordError("its seconds do not fit its moves")
        return _replay(values, ((line, *turn) for turn in zip(moves, seconds, strict=True)))
    except RecordError as error:
        error.line = line
        raise
    except DuelsError as error:
        raise RecordError(str(error), line) from None


def _values(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return every field, checked; RecordError names the first that is missing or wrong."""
    if fault := version_fault({"version": VERSION, **data}, VERSION):
        raise RecordError(fault)
    values = {}
    for name, field in FIELDS.items():
        values[name] = data.get(name, field.default)
        if values[name] is REQUIRED:
            raise RecordError(f"it has no {name}")
        if name in data:
            field.check(values[name])
    return values


def _replay(values: Mapping[str, Any], moves: Iterable[tuple[int, Any, float]]) -> Match:
    """Play the moves, each with its line and its seconds, from the start of the match."""
    if values["rules"] != RULES_VERSION:
        raise RecordError(
            f"it was written for version {values['rules']} of the rules, "
            f"and this program plays version {RULES_VERSION}"
        )
    sides = [Seat(values[f"player{n}"], values[f"computer{n}"] or "") for n in (1, 2)]
    one, two = read_seats((sides[0], sides[1]))
    first = values["first"] or one.name
    if first not in (one.name, two.name):
        raise RecordError(f"{quoted(first)} moves first but is not one of the players")
    try:
        playing = game(values["game"], **values["options"])
    except UnknownGame as error:
        raise MissingGame(f"it is of {quoted(error.game_id)}, a game that is not here") from None
    position, times = playing.start(), []
    for number, (line, said, seconds) in enumerate(moves, start=1):
        try:
            move = playing.parse(said) if isinstance(said, str) else read_move(said)
            position = position.play(move)
        except DuelsError as error:
            raise RecordError(f"move {number}: {error}", line) from None
        except Exception as error:
            if sentence := fault_of_a_game(error):
                raise RecordError(f"move {number}: {sentence}", line) from None
            raise
        times.append(seconds)
    given = values["given"]
    if not 0 <= given <= len(times):
        raise RecordError(f"it says that {given} of its {len(times)} moves were given")
    match = Match(
        id=printable(values["id"]),
        date=printable(values["date"]),
        seats=(one, two) if first == one.name else (two, one),
        position=position,
        seconds=tuple(times),
        time_limit=read_time_limit(values["time_limit"]),
        seed=values["seed"],
        duel=values["duel"] and _parse_duel(values["duel"]),
        given=given,
    )
    return _with_ending(match, values["result"], values["termination"])


def _with_ending(match: Match, claimed: str, reason: str) -> Match:
    """Return the match ended as the record claims; RecordError if its moves say otherwise."""
    winner = RESULTS[claimed]
    if reason in ENDINGS and winner and not match.outcome:
        match = replace(match, ended=Outcome(winner, reason))
    if (claimed, reason) != (result(match), match.termination):
        raise RecordError(
            f"it says {claimed} ({printable(reason[:24])}), "
            f"but its moves say {result(match)} ({match.termination})"
        )
    return match


# Files


def write_record(match: Match, path: Path) -> str:
    """Return a match in the form that the file's name asks for: JSON for .json and .jsonl."""
    wants_json = path.suffix.lower() in {".json", ".jsonl"}
    return write_json(match) if wants_json else write_text(match)


def read_records(path: Path) -> Iterator[Match | RecordError]:
    """Yield every record of a file in order; a damaged one as the error that says where and why."""
    try:
        return read_lines(read_small(path, LARGEST))
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}.") from None


def read_lines(content: bytes) -> Iterator[Match | RecordError]:
    """Like `read_records`, from the content of a file."""
    lines = content.decode("utf-8-sig", errors="replace").splitlines()
    return read_json(lines) if is_json(lines) else read_text(lines)


def is_json(lines: list[str]) -> bool:
    """Whether these are JSON lines: a tag makes it text, even where a comment begins a line."""
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
                head[field.name] = field.from_tag(_unquote(tag[2], number))
        else:
            _read_moves(line, number, moves, results)
    if not moves and not results:
        raise RecordError("it ends with its tags, without moves or a result")
    for number, said in results:
        if said != head.get("result", said):
            raise RecordError(f"it says {said} here and {quoted(head['result'])} above", number)
    return _replay(_values(head | {"moves": []}), moves)


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
    """Return the seconds of a comment, or the default if the comment says something else."""
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
