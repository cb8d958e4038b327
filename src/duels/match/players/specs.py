"""Player specifications, as they are typed, and how they become players.

novice … perfect, random     built in
0 … 100                      built in, by strength
ugi:COMMAND                  a program that speaks UGI (docs/how-to/agents.md)
py:MODULE:NAME               your own Python code (`programs.py`); MODULE may be a file
llm:MODEL, llm:MODEL@URL     a language model, by its name in Inspect (`models.py`)
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from typing import Any

from duels.core.errors import DuelsError, OptionError, OptionNameError, UnreadableMove
from duels.core.game import Move, Position
from duels.core.words import closest, did_you_mean, listed, quoted
from duels.match.match import COMPUTER_NAME, Seat
from duels.match.players import Player
from duels.match.players.levels import BUILT_IN, computer_move, strength_of

TIME_LIMIT = 30.0
"""The default limit for one answer of a program, in seconds."""


class Forfeit(DuelsError):
    """The loss of an external player that gave no legal move; `reason` is one of `FORFEITS`."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail

    def __reduce__(self) -> tuple[type[Forfeit], tuple[str, str]]:
        return Forfeit, (self.reason, self.detail)


def judged(position: Position, read: Callable[[Any], Move], said: Any, words: str) -> Move:
    """Return the move of an external player; Forfeit, beginning with `words`, if it is illegal."""
    try:
        move = read(said)
        position.play(move)
    except DuelsError as error:
        reason = "unreadable" if isinstance(error, UnreadableMove) else "illegal"
        raise Forfeit(reason, f"{words}: {error}") from None
    return move


FAILED = "failed"
"""The forfeit that is the server's fault, and says nothing about the player."""
FORFEITS = {
    "late": "no answer within the time limit",
    "crash": "the program could not be started, or ended by itself",
    "unreadable": "an answer that is not a move",
    "illegal": "a move that the rules forbid",
    "refused": "the model refused to answer",
    "cut off": "an answer that was cut off before its end",
    FAILED: "the server failed to answer; says nothing about the model",
}


def read_spec(text: str, *more: str) -> tuple[str, str]:
    """Return the kind of a player (a built-in name, ugi, py or llm) and the rest of its text.

    The error for any other text also names `more`, what the caller itself reads as a player.
    """
    kind, colon, rest = (part.strip() for part in text.strip().partition(":"))
    kind = kind.casefold()
    if not colon and (kind in BUILT_IN or strength_of(kind) is not None):
        return kind, ""
    if colon and kind == "ugi":
        return kind, _command(rest)
    if colon and kind == "py":
        if not all(part.strip() for part in rest.rpartition(":")):
            raise OptionNameError("py: needs a module and a name in it, like py:my_agent:choose.")
        return kind, rest
    if colon and kind == "llm":
        if not rest.partition("@")[0].strip():
            raise OptionNameError("llm: needs a model, like llm:openai/gpt-5 or llm:duels/mock.")
        return kind, rest
    outside = ("ugi:COMMAND", "py:MODULE:NAME", "llm:MODEL")
    known = listed([*BUILT_IN, *more, "a strength from 0 to 100", *outside])
    meant = did_you_mean(closest(text, [*BUILT_IN, *more]))
    raise OptionNameError(f"There is no player {quoted(text)}; there are {known}.{meant}")


def name_of(text: str) -> str:
    """Return the default name of a player: "strength 37" for a number, else its specification."""
    return Seat("", text).level


def opponent_seat(text: str) -> Seat:
    """Return the seat of a computer that plays against a person."""
    is_built_in = text in BUILT_IN or strength_of(text) is not None
    return Seat(COMPUTER_NAME if is_built_in else text, text)


def what_it_does(text: str) -> str:
    """Return what an external player does to this machine, in words; empty if built in."""
    kind = read_spec(text)[0]
    if kind in ("ugi", "py"):
        return "runs a program" if kind == "ugi" else "runs Python code"
    return "asks a language model, with your API key" if kind == "llm" else ""


def check_ready(text: str) -> None:
    """Raise OptionError if this machine lacks what a player needs."""
    kind, rest = read_spec(text)
    if kind == "ugi" and not shutil.which(program := shlex.split(rest)[0]):
        raise OptionError(
            f"The engine {quoted(program)} is not a program that can be started here."
        )
    if kind == "py":
        from duels.match.players.programs import PythonPlayer

        PythonPlayer(rest)
    if kind == "llm":
        from duels.match.players.models import find_model

        find_model(rest)


def open_player(
    text: str, seed: int, time_limit: float | None = None
) -> AbstractContextManager[Player]:
    """Return a player for one match, with random numbers from the seed.

    The `choose` of an external player raises Forfeit if there is no legal move, or if an answer
    takes longer than `time_limit` (by default 30 seconds for a program, 10 minutes for a model).
    """
    kind, rest = read_spec(text)
    if kind == "llm":
        from duels.match.players.models import ModelPlayer

        return closing(ModelPlayer(rest, time_limit))
    if kind not in ("ugi", "py"):
        return nullcontext(Seeded(kind, seed))
    from duels.match.players.programs import PythonPlayer, UgiPlayer

    limit = time_limit or TIME_LIMIT
    if kind == "ugi":
        return closing(UgiPlayer(shlex.split(rest), seed=seed, time_limit=limit))
    return nullcontext(PythonPlayer(rest, seed=seed, time_limit=limit))


@dataclass(frozen=True)
class Seeded:
    """A built-in player whose choice is a function of the seed and the number of moves."""

    name: str
    seed: int

    def choose(self, position: Position) -> Move:
        return computer_move(self.name, position, self.seed)


def _command(text: str) -> str:
    """Return the command of an engine; OptionNameError if it is not one."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise OptionNameError(f"{quoted(text)} is not a command: {error}.") from None
    if not words:
        raise OptionNameError("ugi: needs a command, for example ugi:./my-engine.")
    return text
