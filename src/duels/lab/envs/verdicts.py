"""Exact verdicts in environments (`verdict=True`) and rewards for keeping a win.

`value` is 1 if the player to move wins with best play, else -1; `winning_mask` has a 1 for every
winning action. With `reward="keeping"` a move earns 1 for keeping a win that another move would
have given away, -1 for giving it away, and 0 where there is no choice: only one move, only winning
moves, or a lost position. The mean over the choices is then 2 * (share kept) - 1. The end of the
game earns nothing more; an illegal action earns -1.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from duels.core.fast import Bounded
from duels.core.game import Game, Move, Position
from duels.lab.envs.base import PositionHolder, keeping_reward, require
from duels.lab.envs.spaces import space_of
from duels.theory import winning_moves

with require("NumPy"):
    import numpy as np
    from numpy.typing import NDArray

MOST_CACHED = 100_000
"""Verdicts that a batch keeps."""


def value_of(position: Position, winning: tuple[Move, ...]) -> int:
    """Return 1 if the player to move wins with best play, or has won; else -1."""
    if outcome := position.outcome:
        return 1 if outcome.winner == position.to_move else -1
    return 1 if winning else -1


def verdict_info(position: Position) -> dict[str, Any]:
    """Return the verdict for the player to move, as an environment adds it to `info`."""
    winning = winning_moves(position)
    return {
        "value": value_of(position, winning),
        "winning_mask": space_of(position.game).mask(winning),
    }


class CachedVerdict(NamedTuple):
    """The verdict of a position, and its winning moves as a mask."""

    value: int
    winning: tuple[Move, ...]
    mask: NDArray[np.int8]


class BatchPositions:
    """The positions of the games of a batch, for verdicts and opponents that need them."""

    def __init__(self, game: Game, count: int) -> None:
        self._start = PositionHolder(game.start())
        self.all: list[Position] = [game.start()] * count
        self._cache = Bounded[Position, CachedVerdict](MOST_CACHED)

    def play(self, actions: NDArray[np.int64], rows: NDArray[np.int64]) -> None:
        """Play a legal action in some of the games."""
        moves, here = self._moves, self.all
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            here[row] = here[row].play(moves[action])

    def restart(self, rows: NDArray[np.int64]) -> None:
        for row in rows.tolist():
            self.all[row] = self._start.position

    def verdict_info(self) -> dict[str, Any]:
        """Return the value and the winning actions of every game, for the player to move."""
        verdicts = [self._verdict(position) for position in self.all]
        return {
            "value": np.array([verdict.value for verdict in verdicts], np.int8),
            "winning_mask": np.stack([verdict.mask for verdict in verdicts]),
        }

    def rewards(self, actions: NDArray[np.int64], rows: NDArray[np.int64]) -> list[int]:
        """Return the rewards of legal actions in some of the games, before they are played."""
        moves, here = self._moves, self.all
        return [
            keeping_reward(here[row], self._verdict(here[row]).winning, moves[action])
            for row, action in zip(rows.tolist(), actions.tolist(), strict=True)
        ]

    @property
    def _moves(self) -> Any:
        return space_of(self._start.position.game).moves

    def _verdict(self, position: Position) -> CachedVerdict:
        verdict = self._cache.get(position)
        if verdict is None:
            winning = winning_moves(position)
            mask = space_of(position.game).mask(winning)
            verdict = self._cache[position] = CachedVerdict(
                value_of(position, winning), winning, mask
            )
        return verdict

    def __reduce__(self) -> tuple[Any, ...]:
        return _replay, (self._start, [position.moves for position in self.all])


def _replay(start: PositionHolder, played: list[tuple[Move, ...]]) -> BatchPositions:
    game = start.position.game
    positions = BatchPositions(game, 0)
    positions.all = [game.position(*moves) for moves in played]
    return positions
