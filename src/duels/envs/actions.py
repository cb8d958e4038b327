"""Moves as action ids, and positions as arrays: the one mapping that all environments share.

| game | action ids |
|---|---|
| chain games | number n is n - 1 |
| divisor-duel | digit d is d - 1 |
| number-line-duel | number n is n - 1, and the pair (n, n + 1) is `numbers` + n - 1 |

An observation is a vector of zeros and ones (int8), the same for both players: a 1 for every number
(or digit) that is still free, then a 1 for the number or numbers of the last move. In Divisor Duel
the remainder follows as binary digits, lowest first. Nothing else matters for the play ahead.
"""

from __future__ import annotations

from operator import index
from typing import Any

from duels.core.errors import UnreadableMove
from duels.core.game import Game, Move, Position, numbers_of
from duels.core.words import quoted
from duels.envs.extras import needed
from duels.games import game as registered_game
from duels.games.divisor_duel import DIGITS, DivisorDuel, DivisorPosition
from duels.games.number_line_duel import NumberLineDuel

with needed("NumPy"):
    import numpy as np
    from numpy.typing import NDArray

LARGEST_NUMBER = 987_654_321
"""The largest number of Divisor Duel; no remainder is larger."""

DEFAULTS: dict[str, dict[str, Any]] = {"divisor-duel": {"divisor": 13}}
"""What an environment may leave out, and a person at the prompt may not."""


def environment_game(game: str | Game, **options: Any) -> Game:
    """A game as it is, or by its id and options."""
    if isinstance(game, str):
        return registered_game(game, **{**DEFAULTS.get(game, {}), **options})
    return registered_game(game.id, **{**game.options, **options}) if options else game


def board_size(game: Game) -> int:
    """How many numbers, or digits, the board has."""
    return len(DIGITS) if isinstance(game, DivisorDuel) else int(game.options["numbers"])


def action_count(game: Game) -> int:
    """How many actions there are: they are 0, 1, 2..."""
    return 2 * board_size(game) - 1 if isinstance(game, NumberLineDuel) else board_size(game)


def move_of(game: Game, action: Any) -> Move:
    """The move that an action id stands for; UnreadableMove if it stands for none."""
    size, last = board_size(game), action_count(game) - 1
    try:
        low = index(action) + 1
    except TypeError:
        low = 0
    if not 1 <= low <= last + 1:
        raise UnreadableMove(f"{quoted(action)} is not an action: they go from 0 to {last}.")
    return low if low <= size else (low - size, low - size + 1)


def action_of(game: Game, move: Move) -> int:
    """The action id of a move of this game."""
    if isinstance(move, tuple):
        return board_size(game) + move[0] - 1
    return move - 1


def legal_actions(position: Position) -> list[int]:
    """The ids of the legal moves, in increasing order; none when the game is over."""
    return sorted(action_of(position.game, move) for move in position.legal_moves)


def mask(position: Position) -> NDArray[np.int8]:
    """A 1 for every legal action."""
    found = np.zeros(action_count(position.game), np.int8)
    found[legal_actions(position)] = 1
    return found


def observation_size(game: Game) -> int:
    """How long an observation is."""
    return 2 * board_size(game) + remainder_bits(game)


def observation(position: Position) -> NDArray[np.int8]:
    """What can be seen: the free numbers, the last move, and the remainder of Divisor Duel."""
    size = board_size(position.game)
    seen = np.zeros(observation_size(position.game), np.int8)
    seen[:size] = 1
    for move in position.moves:
        for number in numbers_of(move):
            seen[number - 1] = 0
    for number in numbers_of(position.moves[-1]) if position.moves else ():
        seen[size + number - 1] = 1
    if isinstance(position, DivisorPosition):
        bits = np.arange(remainder_bits(position.game))
        seen[2 * size :] = position.remainder >> bits & 1
    return seen


def remainder_bits(game: Game) -> int:
    """How many binary digits the remainder of Divisor Duel may have; 0 in other games."""
    if not isinstance(game, DivisorDuel):
        return 0
    return min(game.divisor - 1, LARGEST_NUMBER).bit_length()
