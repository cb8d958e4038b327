"""The shape that all five games share.

A `Game` is a rule book with its options fixed. It starts a `Position`; a position is one frozen
moment, and playing a move returns the next one. Nothing here knows about screens or players' names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, NamedTuple, Protocol

Move = int | tuple[int, int]
"""What a player says: a number, or two neighbours on the number line."""

OptionValue = int | str
"""The value of an option of a game."""


class Outcome(NamedTuple):
    """Who won, and why.

    The rules know "no-moves", "divisible" and "digits-used"; a match also "resigned" and "time".
    """

    winner: int
    reason: str


class Position(Protocol):
    """One frozen moment of a game. Equal when the same play can follow, however it was reached."""

    @property
    def game(self) -> Game: ...

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that led here, first to last."""

    @property
    def to_move(self) -> int:
        """Whose turn it is: 1 for the player who began, 2 for the other."""

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """Every move the rules allow, in increasing order; none when the game is over."""

    @property
    def outcome(self) -> Outcome | None:
        """None while the game goes on."""

    def play(self, move: Move) -> Position:
        """The position after `move`; UnreadableMove or IllegalMove if it cannot be played."""


class Game(Protocol):
    """A rule book with its options fixed."""

    id: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]

    @property
    def options(self) -> Mapping[str, OptionValue]:
        """The options by name; `duels.game(game.id, **game.options)` is an equal game."""

    def start(self) -> Position:
        """The position before the first move."""

    def parse(self, text: str) -> Move:
        """The move that somebody typed; UnreadableMove if it is none."""

    def format(self, move: Move) -> str:
        """How a move is written: `parse` reads it back."""


def other(player: int) -> int:
    """The opponent of player 1 or 2."""
    return 3 - player


def numbers_of(move: Move) -> tuple[int, ...]:
    """The one or two numbers of a move."""
    return move if isinstance(move, tuple) else (move,)


def takers(position: Position) -> dict[int, int]:
    """Who took each number that is gone."""
    return {
        number: 1 + ply % 2
        for ply, move in enumerate(position.moves)
        for number in numbers_of(move)
    }
