"""Computer opponents of every strength from 0 to 100; the five levels are points on that scale.

A computer misses wins as people do: the further ahead a win is, the more often it is missed. Of the
winning moves it prefers those that keep the game interesting. In a lost position it resists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from duels.core.errors import TooLarge
from duels.core.game import Move, Position
from duels.match.players import Player
from duels.theory.theory import Theory, theory_of

STRONGEST = 100
RANDOM = "random"
RESISTS = {0: 0.0, 10: 0.0, 25: 0.5, 50: 1.0, 100: 1.0}
"""By strength: how often a losing computer looks for the move that the opponent will get wrong."""
SEES_YOURS = {0: 0.0, 10: 0.25, 25: 0.625, 50: 1.0, 100: 1.0}
"""By strength: how often it sees that the opponent could win at once."""
AT_ONCE = {0: 0.75, 10: 0.25, 25: 0.0, 100: 0.0}
SOON = {0: 1.0, 10: 0.5, 25: 0.3, 50: 0.1, 75: 0.03, 100: 0.0}
FAR = {0: 1.0, 10: 1.0, 25: 0.5, 50: 0.25, 75: 0.1, 100: 0.0}
"""By strength: how often a win is missed, for a win in one move, in two moves, and any other."""
MOST_TRIED = 12
"""The most winning moves that are compared for how long they let the opponent resist."""


@dataclass(frozen=True)
class Level:
    """A strength with a name."""

    name: str
    strength: int
    words: str


LEVELS = {
    level.name: level
    for level in (
        Level("novice", 10, "takes most wins in one move, and half the wins in two"),
        Level("casual", 25, "never misses a win in one move"),
        Level("skilled", 50, "sees your threats, and most wins in two moves"),
        Level("expert", 75, "misses about one win in ten"),
        Level("perfect", 100, "never misses a win"),
    )
}
BUILT_IN = (*LEVELS, RANDOM)


def strength_of(name: str) -> int | None:
    """Return the strength of a level, or of a number from 0 to 100; None for anything else."""
    if name in LEVELS:
        return LEVELS[name].strength
    if name.isascii() and name.isdigit() and len(name) <= 3 and int(name) <= STRONGEST:
        return int(name)
    return None


def figure_of(name: str) -> int:
    """Return how many of the levels a player has reached: 1 for a novice, 5 if it is perfect."""
    strength = strength_of(name) or 0
    return max(1, sum(level.strength <= strength for level in LEVELS.values()))


def built_in(name: str, chance: Random) -> Player:
    """Return the player of a level or a strength, or else the random player."""
    strength = strength_of(name)
    return RandomPlayer(chance) if strength is None else Computer(strength, chance)


def computer_move(name: str, position: Position, seed: int) -> Move:
    """Return a built-in player's move, which follows from the seed and the number of moves."""
    return built_in(name, Random(f"{seed} {len(position.moves)}")).choose(position)


@dataclass(frozen=True)
class RandomPlayer:
    """Chooses uniformly among the legal moves."""

    chance: Random

    def choose(self, position: Position) -> Move:
        return self.chance.choice(position.legal_moves)


@dataclass(frozen=True)
class Computer:
    """A computer of some strength; `chance` decides what it misses and which move it picks."""

    strength: int
    chance: Random

    def choose(self, position: Position) -> Move:
        if position.legal_count == 1:
            return position.legal_moves[0]
        theory = theory_of(position)
        if (at_once := theory.wins_at_once(position)) and not self._does(AT_ONCE):
            return self.chance.choice(at_once)
        try:
            winning = theory.winning_moves(position)
        except TooLarge:  # too large to solve; immediate wins and losses are still seen
            return self._by_sight(theory, position)
        if winning and not self._does(SOON if theory.wins_soon(position) else FAR):
            return self._interesting_win(theory, position, winning)
        if not winning and self._does(RESISTS):
            return self.chance.choice(theory.hardest(position).moves)
        return self._by_sight(theory, position)

    def _does(self, shares: dict[int, float]) -> bool:
        return self.chance.random() < between(shares, self.strength)

    def _by_sight(self, theory: Theory[Any], position: Position) -> Move:
        """Return a random move; depending on the strength, one that allows no win at once."""
        if not self._does(SEES_YOURS):
            move = self.chance.choice(position.legal_moves)
            ended = position.play(move).outcome
            if not ended or ended.winner == position.to_move:  # no player ends a game by losing it
                return move
        moves = list(position.legal_moves)
        self.chance.shuffle(moves)
        after = ((move, position.play(move)) for move in moves)
        safe = (m for m, here in after if not here.outcome and not theory.wins_at_once(here))
        return next(safe, moves[0])

    def _interesting_win(
        self, theory: Theory[Any], position: Position, winning: Sequence[Move]
    ) -> Move:
        """Return a random winning move, if possible one after which the opponent can resist."""
        tried = self.chance.sample(winning, min(len(winning), MOST_TRIED))
        lively = (move for move in tried if _can_be_resisted(theory, position.play(move)))
        return next(lively, tried[0])


def _can_be_resisted(theory: Theory[Any], position: Position) -> bool:
    """Say whether the player to move can avoid losing at once, judging by a few of the moves."""
    moves = position.legal_moves
    few = moves[:: -(-len(moves) // MOST_TRIED)] if moves else ()
    after = map(position.play, few)
    return any(not here.outcome and not theory.wins_at_once(here) for here in after)


def between(points: Mapping[int, float], at: int) -> float:
    """Interpolate linearly between the points."""
    above = min(point for point in points if point >= at)
    below = max(point for point in points if point <= at)
    if above == below:
        return points[at]
    return points[below] + (points[above] - points[below]) * (at - below) / (above - below)
