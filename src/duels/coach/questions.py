"""The kinds of questions that a lesson asks: how answers are read, accepted and responded to.

The theory decides which answers are accepted. A lesson declares only those that no theory knows,
such as the numbers that some pairs leave over.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from duels.coach.hints import refute
from duels.core.errors import DuelsError, UnreadableMove
from duels.core.game import Move, Position, numbers_of, other
from duels.core.words import counted, listed, whole_number
from duels.theory import solve, theory_of, winning_moves

FEW = 5
"""The most moves that a sentence lists."""
NUMBERS = "numbers"
GAME = "game"


class Kind(NamedTuple):
    """A kind of question."""

    read: Callable[[Position, str], str]
    """Return the answer in normal form; DuelsError if it cannot be read."""
    right: Callable[[Position], tuple[str, ...]] = lambda _: ()
    """Return the accepted answers, in normal form."""
    follows: Callable[[Position, str], str] = lambda *_: "No. Look again."
    """Return the response to an answer that is not accepted."""
    is_move: bool = False
    """Whether an answer is one move."""
    shows_moves: bool = True
    """Whether the board may show the legal moves."""
    choices: tuple[str, ...] = ()
    """All possible answers, if they are a few words."""
    names_numbers: bool = False
    """Whether an answer is a list of numbers or moves."""


def winner(position: Position) -> int:
    """Return the player who wins with best play."""
    wins = bool(winning_moves(position))
    return position.to_move if wins else other(position.to_move)


def _move(position: Position, typed: str) -> str:
    move = position.game.parse(typed)
    position.play(move)
    return position.game.format(move)


def _moves(position: Position, typed: str) -> str:
    """Read several moves in any order, legal or not."""
    words = re.split(r"[\s,;]+", re.sub(r"\band\b", " ", typed.lower()).strip(" \t,;."))
    moves = {position.game.parse(word) for word in words}
    return _written(position, sorted(moves, key=numbers_of))


def _numbers(_: Position, typed: str) -> str:
    """Read one or more numbers in any order: 12 11, 11-12, 11 and 12."""
    words = re.split(r"[\s,;-]+|\band\b", typed.lower().strip(" ,;."))
    found = [whole_number(word) for word in words if word]
    if not found or None in found:
        raise UnreadableMove("Answer with a number, or with several, like 3 6.")
    return " ".join(map(str, sorted({number for number in found if number is not None})))


def _choice(words: tuple[str, ...], right: Callable[[Position], int]) -> Kind:
    """Return a kind with a few words as answers; `right` gives the index of the accepted one."""

    def read(_: Position, typed: str) -> str:
        begun = typed.strip().lower()
        found = [word for word in words if begun and word.startswith(begun)]
        if len(found) != 1:
            raise UnreadableMove(f"Answer {listed(words, 'or')}.")
        return found[0]

    return Kind(
        read,
        lambda here: (words[right(here)],),
        lambda here, _: solve(here).reason,
        choices=words,
    )


def _written(position: Position, moves: list[Move] | tuple[Move, ...]) -> str:
    return " ".join(map(position.game.format, moves))


def _each(moves: Callable[[Position], tuple[Move, ...]]) -> Callable[[Position], tuple[str, ...]]:
    return lambda position: tuple(map(position.game.format, moves(position)))


def _ending(position: Position) -> tuple[Move, ...]:
    ends: tuple[Move, ...] = theory_of(position).wins_at_once(position)
    return ends


def _safe(position: Position) -> tuple[Move, ...]:
    """Return the moves after which the opponent has not won, and cannot win at once."""
    after = {move: position.play(move) for move in position.legal_moves}
    mine = position.to_move
    return tuple(
        move
        for move, here in after.items()
        if (here.outcome.winner == mine if here.outcome else not _ending(here))
    )


def _length(position: Position) -> tuple[str, ...]:
    lengths = theory_of(position).moves_left(position) or []
    return (str(lengths[0]),) if len(lengths) == 1 else ()


def _refuted(position: Position, answer: str) -> str:
    """Say what the opponent does after a move that gives the win away, and why it decides."""
    move = position.game.parse(answer)
    after = position.play(move)
    if not after.outcome and not solve(after).wins:
        return "That wins too, but the question asks for something else."
    return refute(position, move).words


def _continues(position: Position, answer: str) -> str:
    """Say how the game can continue after a move that should have ended it."""
    game = position.game
    after = position.play(game.parse(answer))
    if after.outcome:
        return "That ends the game, and they win."
    moves = after.legal_moves
    for_example = ", for example" if len(moves) > FEW else ""
    shown = game.list_moves(moves[:FEW], "or")
    return f"That does not end the game. They can still {game.verb.do} {shown}{for_example}."


def _not_all(position: Position, answer: str) -> str:
    """Return the rule against an illegal move, or say how many moves are missing."""
    named = [position.game.parse(word) for word in answer.split()]
    for move in named:
        try:
            position.play(move)
        except DuelsError as error:
            return str(error)
    missing = position.legal_count - len(named)
    return f"Right so far, but {counted(missing, 'more number')} can be played."


KINDS = {
    "winning move": Kind(_move, _each(winning_moves), _refuted, is_move=True),
    "ending move": Kind(_move, _each(_ending), _continues, is_move=True),
    "safe move": Kind(_move, _each(_safe), _refuted, is_move=True),
    "all moves": Kind(
        _moves,
        lambda here: (_written(here, here.legal_moves),),
        _not_all,
        shows_moves=False,
        names_numbers=True,
    ),
    "moves left": Kind(_numbers, _length, lambda *_: "Count again: one move after another."),
    "yes or no": _choice(("yes", "no"), lambda here: not winning_moves(here)),
    "first or second": _choice(("first", "second"), lambda here: winner(here) - 1),
    NUMBERS: Kind(_numbers, shows_moves=False, names_numbers=True),
}
"""The kinds by the names that lessons use; "yes or no" asks whether the player to move can win."""
