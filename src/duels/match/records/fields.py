"""Putting a match together again from what a record says, in whichever form it said it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from duels.core.errors import DuelsError, MissingGame, RecordError
from duels.core.game import Move, Outcome
from duels.core.words import printable, quoted, whole_number
from duels.games import RULES_VERSION, UnknownGame, game
from duels.games.added import fault_of_a_game
from duels.match.match import (
    ENDINGS,
    LONGEST_COMMAND,
    MOST_MATCHES,
    SECOND,
    UNFINISHED,
    Duel,
    Match,
    Seat,
    read_seats,
    read_time_limit,
)
from duels.match.players.levels import LEVELS

FORMAT = 2
"""The form of records: from 2 on they say which players are computers."""
RESULTS = {"1-0": 1, "0-1": 2, "*": None}
"""How a result is written: who began stands first."""

Kinds = tuple[type | None, ...]
"""The types that a value may have; None for null."""

_FORM: Mapping[str, Kinds] = {
    "game": (str,),
    "options": (dict,),
    "player1": (str,),
    "player2": (str,),
    "first": (str,),
    "date": (str,),
    "id": (str,),
    "rules": (int,),
    "time_limit": (float, int, None),
    "seed": (int,),
    "moves": (list,),
    "seconds": (list,),
    "result": (str,),
    "termination": (str,),
}
_SINCE_FORMAT_2: Mapping[str, Kinds] = {
    "format": (int,),
    "computer1": (str, None),
    "computer2": (str, None),
    "duel": (str, None),
    "given": (int,),
}
_DUEL = re.compile(r"(\d{1,4}) of (\d{1,4}), (\d{1,4})-(\d{1,4})", re.ASCII)


def result(match: Match) -> str:
    """ "1-0" when the player who began has won, "0-1" for the other, "*" while nobody has."""
    winner = match.outcome.winner if match.outcome else None
    return next(text for text, player in RESULTS.items() if player == winner)


def check_form(data: Any, **more: Kinds) -> None:
    """RecordError unless plain data has just the fields of a match and `more`, rightly typed."""
    if not isinstance(data, dict):
        raise RecordError("it is not a JSON object")
    needed = {**_FORM, **more}
    known = {**needed, **_SINCE_FORMAT_2}
    for name in needed.keys() - data.keys():
        raise RecordError(f"it has no {name}")
    for name, value in data.items():
        if name not in known:
            raise RecordError(f"it has a field {quoted(name)}, which a game has not")
        if not _is_one(value, known[name]):
            raise RecordError(f"its {name} has the wrong form")
    if not all(_is_one(value, (int, str)) for value in data["options"].values()):
        raise RecordError("its options are not numbers and words")


def _is_one(value: Any, kinds: Kinds) -> bool:
    return (None if value is None else type(value)) in kinds


def rebuild(
    head: Mapping[str, Any],
    options: Mapping[str, Any],
    moves: Iterable[tuple[int, Move | str, float]],
) -> Match:
    """The match with this head and these moves, each with its line and its seconds.

    The moves are played by the rules, so a record cannot claim what could not have happened.
    """
    if str(head.get("rules", RULES_VERSION)) != str(RULES_VERSION):
        raise RecordError(
            f"it was written for version {quoted(head['rules'])} of the rules, "
            f"this program plays version {RULES_VERSION}"
        )
    one, two = read_seats((_seat(head, 1), _seat(head, 2)))
    first = str(head.get("first", one.name))
    if first not in (one.name, two.name):
        raise RecordError(f"{quoted(first)} moves first and is not one of the players")
    try:
        playing = game(str(head["game"]), **options)
    except UnknownGame as error:
        raise MissingGame(f"it is of {quoted(error.game_id)}, a game that is not here") from None
    match = Match(
        id=printable(str(head.get("id", ""))),
        date=printable(str(head.get("date", ""))),
        seats=(one, two) if first == one.name else (two, one),
        position=playing.start(),
        time_limit=read_time_limit(head.get("time_limit")),
        seed=_whole("seed", head.get("seed", 0)),
        duel=_duel(head.get("duel")),
    )
    position, times = match.position, []
    for number, (line, said, seconds) in enumerate(moves, start=1):
        try:
            move = position.game.parse(said) if isinstance(said, str) else said
            position = position.play(move)
        except DuelsError as error:
            raise RecordError(f"move {number}: {error}", line) from None
        except Exception as error:
            if sentence := fault_of_a_game(error):
                raise RecordError(f"move {number}: {sentence}", line) from None
            raise
        times.append(seconds)
    given = _whole("given", head.get("given", 0))
    if not 0 <= given <= len(times):
        raise RecordError(f"it says that {given} of its {len(times)} moves were given")
    played = replace(match, position=position, seconds=tuple(times), given=given)
    return _with_ending(played, head)


def _seat(head: Mapping[str, Any], player: int) -> Seat:
    """Who sat where. Version 0.1.0 wrote no computers: there a name said it."""
    name, computer = str(head[f"player{player}"]), str(head.get(f"computer{player}") or "")
    if "format" not in head and not computer:
        level = name.casefold().removesuffix(SECOND)
        if level in LEVELS:
            computer = level
        elif name.casefold().startswith(("ugi:", "llm:")):
            computer = name
    if not computer.isprintable() or len(computer) > LONGEST_COMMAND:
        raise RecordError(f"nobody plays who is called {quoted(computer)}")
    return Seat(name, computer)


def _whole(name: str, value: Any) -> int:
    number = whole_number(str(value))
    if number is None:
        raise RecordError(f"the {name} must be a whole number, not {quoted(value)}")
    return number


def duel_in_words(duel: Duel) -> str:
    """Which match of a duel it is, and how that stood before it: "2 of 3, 0-1"."""
    return "{} of {}, {}-{}".format(duel.number, duel.of, *duel.score)


def _duel(said: Any) -> Duel | None:
    if said is None:
        return None
    written = _DUEL.fullmatch(str(said))
    number, of, one, two = map(int, written.groups()) if written else (0, 0, 0, 0)
    if not 1 <= number <= of <= MOST_MATCHES or one + two != number - 1:
        raise RecordError(f"{quoted(said)} does not say which match of a duel it is")
    return Duel(number, of, (one, two))


def _with_ending(match: Match, head: Mapping[str, Any]) -> Match:
    """The match ended as the record says, if that agrees with its moves."""
    claimed = str(head.get("result", "*"))
    reason = str(head.get("termination", UNFINISHED))
    if claimed not in RESULTS:
        raise RecordError(f"the result must be 1-0, 0-1 or *, not {quoted(claimed)}")
    winner = RESULTS[claimed]
    if reason in ENDINGS and winner and not match.outcome:
        match = replace(match, ended=Outcome(winner, reason))
    if (claimed, reason) != (result(match), match.termination):
        raise RecordError(
            f"it says {claimed} ({printable(reason[:24])}), "
            f"but its moves say {result(match)} ({match.termination})"
        )
    return match
