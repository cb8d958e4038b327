"""The exact truth in environments, for those who ask for it (`truth=True`).

`value` is 1 if the player wins with best play and -1 if not; `winning_mask` has a 1 for every
action that wins. With `reward="keeping"` a move is paid for what it does to the win: 1 for keeping
a win that another move would have given away, -1 for giving it away, and 0 where there is no
choice: only one move, only winning moves, or a lost position. The mean over the choices is then
2 * (share kept) - 1. How the game ends pays nothing besides; an action that is not legal is -1.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from duels.core.game import Game, Move, Position
from duels.core.options import read_choice
from duels.lab.envs.extras import needed
from duels.lab.envs.frozen import Frozen
from duels.lab.envs.spaces import space_of
from duels.match.players.grading import is_choice
from duels.theory import winning_moves

with needed("NumPy"):
    import numpy as np
    from numpy.typing import NDArray

REWARDS = ("outcome", "keeping")
MOST_KNOWN = 100_000
"""Positions whose truth a batch remembers."""


def read_reward(value: Any) -> str:
    """Which reward it is; OptionError if there is none of that name."""
    return read_choice("reward", value, REWARDS)


def value_of(position: Position, winning: tuple[Move, ...]) -> int:
    """1 if the player to move wins with best play, or has won; else -1."""
    if outcome := position.outcome:
        return 1 if outcome.winner == position.to_move else -1
    return 1 if winning else -1


def truth_of(position: Position) -> dict[str, Any]:
    """What an environment adds to its `info`, for the player to move."""
    winning = winning_moves(position)
    return {
        "value": value_of(position, winning),
        "winning_mask": space_of(position.game).mask(winning),
    }


def keeping_reward(position: Position, move: Move) -> int:
    """What a legal move is paid with `reward="keeping"`."""
    return _paid(position, winning_moves(position), move)


def _paid(position: Position, winning: tuple[Move, ...], move: Move) -> int:
    if not is_choice(position, winning):
        return 0
    return 1 if move in winning else -1


class Known(NamedTuple):
    """What is known of a position."""

    value: int
    winning: tuple[Move, ...]
    mask: NDArray[np.int8]


class Positions:
    """The positions of the games of a batch, for whoever has to look at them one by one."""

    def __init__(self, game: Game, count: int) -> None:
        self._start = Frozen(game.start())
        self.all: list[Position] = [game.start()] * count
        self._known: dict[Position, Known] = {}

    def play(self, actions: NDArray[np.int64], rows: NDArray[np.int64]) -> None:
        """Play a legal action in some of the games."""
        moves, here = self._moves, self.all
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            here[row] = here[row].play(moves[action])

    def restart(self, rows: NDArray[np.int64]) -> None:
        for row in rows.tolist():
            self.all[row] = self._start.position

    def truth(self) -> dict[str, Any]:
        """The value and the winning actions of every game, for the player to move."""
        known = [self._look(position) for position in self.all]
        return {
            "value": np.array([one.value for one in known], np.int8),
            "winning_mask": np.stack([one.mask for one in known]),
        }

    def paid(self, actions: NDArray[np.int64], rows: NDArray[np.int64]) -> list[int]:
        """What legal actions are paid that are about to be played in some of the games."""
        moves, here = self._moves, self.all
        return [
            _paid(here[row], self._look(here[row]).winning, moves[action])
            for row, action in zip(rows.tolist(), actions.tolist(), strict=True)
        ]

    @property
    def _moves(self) -> Any:
        return space_of(self._start.position.game).moves

    def _look(self, position: Position) -> Known:
        known = self._known.get(position)
        if known is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            winning = winning_moves(position)
            mask = space_of(position.game).mask(winning)
            known = self._known[position] = Known(value_of(position, winning), winning, mask)
        return known

    def __reduce__(self) -> tuple[Any, ...]:
        return _replayed, (self._start, [position.moves for position in self.all])


def _replayed(start: Frozen, played: list[tuple[Move, ...]]) -> Positions:
    game = start.position.game
    positions = Positions(game, 0)
    positions.all = [game.position(*moves) for moves in played]
    return positions
