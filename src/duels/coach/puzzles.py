"""Puzzles: a position with exactly one winning move, and enough wrong ones to be interesting."""

from __future__ import annotations

from random import Random

from duels.core.game import Game, Position
from duels.players.levels import winning_at_once
from duels.theory import winning_moves

DIFFICULTY = {"novice": (3, 5), "casual": (3, 8), "skilled": (5, 15), "expert": (8, 10_000)}
"""By level: the fewest and the most wrong moves. Beyond novice the win is not there at once."""

FEWEST_WRONG = 2
TRIES = 3000


def puzzle(game: Game, level: str, chance: Random) -> Position | None:
    """A position of this game from random play, of this level or the nearest that was found."""
    fewest, most = DIFFICULTY[level]
    position, nearest, best = game.start(), None, 0
    for _ in range(TRIES):
        if position.outcome:
            position = game.start()
        wrong = len(position.legal_moves) - 1
        if max(best + 1, FEWEST_WRONG) <= wrong <= most and _is_puzzle(position, level):
            if wrong >= fewest:
                return position
            nearest, best = position, wrong
        position = position.play(chance.choice(position.legal_moves))
    return nearest


def _is_puzzle(position: Position, level: str) -> bool:
    if len(winning_moves(position)) != 1:
        return False
    return level == "novice" or not winning_at_once(position)
