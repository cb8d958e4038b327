"""Computer opponents of five strengths.

A level misses a won position with a stated probability, unless the win is one that a person of that
strength would see. Otherwise it plays a winning move. In a lost position it sets the hardest trap.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from duels.core.game import Move, Position
from duels.core.states import TooLarge
from duels.theory import theory_of, winning_moves

MOST_LOOKED_AT = 60
"""Moves that a person would try out in the head, and more."""


@dataclass(frozen=True)
class Level:
    """A strength: how often it misses, and how far ahead it looks even then.

    A sight of 1 sees a move that wins at once; of 2, also that a move lets the opponent do so.
    """

    name: str
    misses: float
    sight: int
    words: str


LEVELS = {
    level.name: level
    for level in (
        Level("novice", 0.9, 0, "misses nine wins in ten"),
        Level("casual", 0.6, 1, "sees a win in one move"),
        Level("skilled", 0.3, 2, "also sees yours"),
        Level("expert", 0.1, 2, "misses one win in ten"),
        Level("perfect", 0.0, 2, "never misses a win"),
    )
}


def computer_move(level: Level, position: Position, seed: int) -> Move:
    """What a computer plays in a match: the same in the same place with the same seed."""
    return LevelPlayer(level, Random(f"{seed} {len(position.moves)}")).choose(position)


class LevelPlayer:
    """A computer of some level; `chance` decides what it misses and what it picks."""

    def __init__(self, level: Level, chance: Random) -> None:
        self.level = level
        self.chance = chance

    def choose(self, position: Position) -> Move:
        if len(position.legal_moves) == 1:
            return position.legal_moves[0]
        if self.level.sight >= 1 and (wins_at_once := winning_at_once(position)):
            return wins_at_once[0]
        try:
            winning = winning_moves(position)
        except TooLarge:  # nobody knows; what is seen at once still counts
            return self.chance.choice(self._seen_as_safe(position, position.legal_moves))
        if not winning:
            return theory_of(position).hardest(position).move
        if self.chance.random() >= self.level.misses:
            return self.chance.choice(winning)
        wins = set(winning)
        wrong = tuple(move for move in position.legal_moves if move not in wins)
        return self.chance.choice(self._seen_as_safe(position, wrong or position.legal_moves))

    def _seen_as_safe(self, position: Position, moves: tuple[Move, ...]) -> tuple[Move, ...]:
        """The moves without those that visibly hand the opponent the game."""
        if self.level.sight < 2:
            return moves
        looked_at = self.chance.sample(moves, min(len(moves), MOST_LOOKED_AT))
        safe = tuple(move for move in looked_at if not _hands_over(position.play(move)))
        return safe or moves


class RandomPlayer:
    """Any legal move, each as likely as another."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance

    def choose(self, position: Position) -> Move:
        return self.chance.choice(position.legal_moves)


def _hands_over(after: Position) -> bool:
    """Whether a move that did not win at once visibly loses: it ends the game, or the next does."""
    return after.outcome is not None or bool(winning_at_once(after))


def winning_at_once(position: Position) -> list[Move]:
    """Moves after which the game is over and won, as far as a person would look for them."""
    found = []
    for move in position.legal_moves[:MOST_LOOKED_AT]:
        after = position.play(move).outcome
        if after and after.winner == position.to_move:
            found.append(move)
    return found
