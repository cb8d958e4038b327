"""Moves as action ids, and positions as arrays: the one mapping that all environments share.

The action id of a move is its place in `game.all_moves()`. An observation is a vector of zeros and
ones (int8), the same for both players, with all that matters for the play ahead. What it consists
of is said by the game's space: see `duels.envs.states` for any game, and `duels.envs.board`.
"""

from __future__ import annotations

from operator import index
from typing import Any

from duels.core.errors import UnreadableMove
from duels.core.game import Game, Move, Position
from duels.core.words import quoted
from duels.envs.extras import needed
from duels.envs.spaces import space_of
from duels.games import GAMES, find_game
from duels.games import game as registered_game

with needed("NumPy"):
    import numpy as np
    from numpy.typing import NDArray

DEFAULT_GAME = next(iter(GAMES))
"""What is played if nobody says what: the first game of the menu."""


def environment_game(game: str | Game, **options: Any) -> Game:
    """A game as it is, or by its id; what a person would have to choose has an example here."""
    if isinstance(game, Game) and not options:
        return game
    kind = find_game(game).usual() if isinstance(game, str) else game
    return registered_game(kind.id, **{**kind.options, **options})


def action_count(game: Game) -> int:
    """How many actions there are: they are 0, 1, 2..."""
    return len(space_of(game).moves)


def move_of(game: Game, action: Any) -> Move:
    """The move that an action id stands for; UnreadableMove if it stands for none."""
    moves = space_of(game).moves
    try:
        place = index(action)
    except TypeError:
        place = -1
    if not 0 <= place < len(moves):
        last = len(moves) - 1
        raise UnreadableMove(f"{quoted(action)} is not an action: they go from 0 to {last}.")
    return moves[place]


def action_of(game: Game, move: Move) -> int:
    """The action id of a move of this game."""
    return space_of(game).action_of(move)


def legal_actions(position: Position) -> list[int]:
    """The ids of the legal moves, in increasing order; none when the game is over."""
    return sorted(map(space_of(position.game).action_of, position.legal_moves))


def mask(position: Position) -> NDArray[np.int8]:
    """A 1 for every legal action."""
    found = np.zeros(action_count(position.game), np.int8)
    found[legal_actions(position)] = 1
    return found


def observation_size(game: Game) -> int:
    """How long an observation is."""
    return space_of(game).observation_size


def observation(position: Position) -> NDArray[np.int8]:
    """What can be seen of a position."""
    return space_of(position.game).observation(position)


def observation_words(position: Position) -> str:
    """The same in words: where the arrays are equal, so are the words."""
    return space_of(position.game).words(position)


def longest_game(game: Game) -> int:
    """The most moves that a game can have; a bound where nobody knows a quick way to the truth."""
    return space_of(game).longest_game()
