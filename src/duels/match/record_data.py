"""A match as plain data: the fields of records and of saved games, each declared once.

Reading replays the moves by the rules, so the data cannot claim an impossible game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from math import inf
from types import NoneType
from typing import Any, NamedTuple

from duels.core.errors import DuelsError, MissingGame, RecordError
from duels.core.files import version_fault
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
RESULTS = {"1-0": 1, "0-1": 2, "*": None}
"""The winner by result; player 1 is the one who moved first."""
REQUIRED = object()

_DUEL = re.compile(r"(\d{1,4}) of (\d{1,4}), (\d{1,4})-(\d{1,4})", re.ASCII)


def result(match: Match) -> str:
    """Return "1-0" if the player who moved first has won, "0-1" for the other, "*" before that."""
    winner = match.outcome.winner if match.outcome else None
    return next(text for text, player in RESULTS.items() if player == winner)


class Kind(NamedTuple):
    """A kind of field value: its words, its test, and its parser for tags of the text form."""

    words: str
    accepts: Callable[[Any], bool]
    from_tag: Callable[[str], Any] = str


class Field(NamedTuple):
    """One field of a record; records may leave out a default, saved games have every field."""

    name: str
    kind: Kind
    value: Callable[[Match], Any]
    default: Any = REQUIRED

    @property
    def tag(self) -> str:
        """The name in the text form: TimeLimit for time_limit."""
        return "".join(word.capitalize() for word in self.name.split("_"))

    def check(self, value: Any) -> None:
        """Raise RecordError if a record cannot have this value."""
        if not self.kind.accepts(value):
            raise RecordError(f"its {self.name} must be {self.kind.words}, not {quoted(value)}")


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


def _number(text: str) -> int | str:
    """Return the integer in a tag, or its text, which the field then refuses."""
    number = whole_number(text)
    return text if number is None else number


def _limit(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _options(text: str) -> dict[str, str]:
    return dict(part.partition("=")[::2] for part in text.split())


TEXT = Kind("a text", lambda value: isinstance(value, str))
WHOLE = Kind("a whole number", lambda value: type(value) is int, _number)
LIMIT = Kind("a number of seconds", lambda value: type(value) in (int, float, NoneType), _limit)
OPTIONS = Kind("numbers and words by name", _are_options, _options)
PLAYER = Kind("a player's specification", _is_player)
DUEL = Kind('like "2 of 3, 0-1"', _is_duel)
MOVES = Kind("a list of moves", _are_moves)
SECONDS = Kind("a list of times", _are_seconds)
RESULT = Kind("1-0, 0-1 or *", lambda value: isinstance(value, str) and value in RESULTS)

FIELDS: Mapping[str, Field] = {
    field.name: field
    for field in (
        Field("game", TEXT, lambda match: match.game.id),
        Field("options", OPTIONS, lambda match: dict(match.game.options), {}),
        Field("version", WHOLE, lambda match: VERSION, VERSION),
        Field("player1", TEXT, lambda match: match.name(1)),
        Field("player2", TEXT, lambda match: match.name(2)),
        Field("computer1", PLAYER, lambda match: match.computer(1) or None, None),
        Field("computer2", PLAYER, lambda match: match.computer(2) or None, None),
        Field("first", TEXT, lambda match: match.name(1), ""),
        Field("date", TEXT, lambda match: match.date, ""),
        Field("id", TEXT, lambda match: match.id, ""),
        Field("rules", WHOLE, lambda match: RULES_VERSION, RULES_VERSION),
        Field("time_limit", LIMIT, lambda match: match.time_limit, None),
        Field("seed", WHOLE, lambda match: match.seed, 0),
        Field("duel", DUEL, lambda match: _format_duel(match), None),
        Field("given", WHOLE, lambda match: match.given, 0),
        Field("moves", MOVES, lambda match: list(match.moves)),
        Field("seconds", SECONDS, lambda match: list(match.seconds), None),
        Field("result", RESULT, result, "*"),
        Field("termination", TEXT, lambda match: match.termination, UNFINISHED),
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


def record_data(match: Match) -> dict[str, Any]:
    """Return a match as plain data; a pair is a tuple of two."""
    return {name: field.value(match) for name, field in FIELDS.items()}


def read_record(data: Any, line: int = 0) -> Match:
    """Return the match that `record_data` wrote; RecordError if it is damaged.

    Unknown fields are ignored: the results of the arena are records with extra fields.
    """
    try:
        if not isinstance(data, dict):
            raise RecordError("it is not a JSON object")
        values = check_values(data)
        moves, seconds = values["moves"], values["seconds"]
        if seconds is None:
            seconds = [0.0] * len(moves)
        if len(seconds) != len(moves):
            raise RecordError("its seconds do not fit its moves")
        return replay(values, ((line, *turn) for turn in zip(moves, seconds, strict=True)))
    except RecordError as error:
        error.line = line
        raise
    except DuelsError as error:
        raise RecordError(str(error), line) from None


def check_values(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return every field, checked; RecordError names the first that is missing or wrong."""
    if fault := version_fault({"version": VERSION, **data}, VERSION):
        raise RecordError(fault)
    values = {}
    for name, field in FIELDS.items():
        values[name] = data.get(name, field.default)
        if values[name] is REQUIRED:
            raise RecordError(f"the field {quoted(name)} is missing")
        if name in data:
            field.check(values[name])
    return values


def replay(values: Mapping[str, Any], moves: Iterable[tuple[int, Any, float]]) -> Match:
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
        raise MissingGame(f"its game, {quoted(error.game_id)}, is not installed here") from None
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
