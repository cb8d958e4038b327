"""Moves as action ids, and positions as arrays: one `Space`, which the game names in its parts.

The action id of a move is its place in `game.all_moves()`. An observation is a vector of zeros and
ones (int8), the same for both players, with all that matters for the play ahead.

`StateSpace` is the plain one, for any game that is made of states. A family of games may have
a better one: `duels.lab.envs.board` is what those share in which a move uses up numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from duels.core.errors import OptionError, UnreadableMove
from duels.core.game import Game, Move, Position
from duels.core.parts import load, parts_of
from duels.core.words import quoted
from duels.lab.envs.bits import Words
from duels.lab.envs.extras import needed

with needed("NumPy"):
    import numpy as np
    from numpy.typing import NDArray

P = TypeVar("P", bound=Position, contravariant=True)
Rows: TypeAlias = "slice | NDArray[np.int64]"
"""Some of the games of a batch."""
ALL = slice(None)


def space_of(game: Game) -> Space[Any]:
    """The space of a game, made once."""
    if "space" not in game.memory:
        game.memory["space"] = load(parts_of(game).space)(game)
    space: Space[Any] = game.memory["space"]
    return space


def observation(position: Position) -> NDArray[np.int8]:
    """What can be seen of a position."""
    return space_of(position.game).observation(position)


def mask(position: Position) -> NDArray[np.int8]:
    """A 1 for every legal action."""
    return space_of(position.game).mask(position.legal_moves)


class Batch(Protocol):
    """Many games of one kind at once, as arrays."""

    legal: Words
    """The legal actions of every game, as bits."""

    def play(self, actions: NDArray[np.int64], rows: Rows) -> NDArray[np.int8]:
        """Play an action in some games: 1 where it won the game, -1 where it lost, 0 elsewhere.

        After an action that is not legal anything may be found; such a game is started again.
        """

    def restart(self, games: NDArray[np.int64]) -> None:
        """Start some of the games again."""

    def observations(self, rows: Rows) -> NDArray[np.int8]:
        """What can be seen, one row a game."""


class Space(Generic[P]):
    """Actions, observations, lengths and batches of one game."""

    observation_size: int
    """How long an observation is."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.moves = game.all_moves()
        """In the order of their action ids."""
        if not self.moves:
            raise OptionError(f"{game.title} ({game.options_in_words()}) has no moves to choose.")

    def action_of(self, move: Move) -> int:
        """The action id of a move."""
        return self.moves.index(move)

    def move_of(self, action: Any) -> Move:
        """The move that an action id stands for; UnreadableMove if it stands for none."""
        try:
            place = index(action)
        except TypeError:
            place = -1
        if not 0 <= place < len(self.moves):
            last = len(self.moves) - 1
            raise UnreadableMove(f"{quoted(action)} is not an action: they go from 0 to {last}.")
        return self.moves[place]

    def legal_actions(self, position: P) -> list[int]:
        """The ids of the legal moves, in increasing order; none when the game is over."""
        return sorted(map(self.action_of, position.legal_moves))

    def mask(self, moves: Iterable[Move]) -> NDArray[np.int8]:
        """A 1 for the action of each of the moves."""
        found = np.zeros(len(self.moves), np.int8)
        found[[*map(self.action_of, moves)]] = 1
        return found

    def observation(self, position: P) -> NDArray[np.int8]:
        """What can be seen of a position, as zeros and ones."""
        raise NotImplementedError

    def words(self, position: P) -> str:
        """The observation in words, with nothing in them that it does not have."""
        return position.words

    def longest_game(self) -> int:
        """The most moves that a game can have, or a bound for it."""
        raise NotImplementedError

    def batch(self, count: int) -> Batch:
        """That many games, all at their start."""
        raise NotImplementedError
