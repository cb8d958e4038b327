"""Openings for players that may be deterministic, who would otherwise repeat one game forever.

An opening is balanced if either side wins often when both play at random from there: at least six
of twenty games. So the result is not decided by the side, but by how well each player plays. Each
opening is played twice, with each player on each side.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice
from random import Random

from duels.core.game import Game, Move, Position

Opening = tuple[Move, ...]

TRIALS, LEAST = 20, 6
"""The random games from a position, and how many of them each side must win."""
PART = 3
"""An opening is at most this part of a random game: the first third."""
MOST_TRIED = 50
"""The most random games that are played to find another opening; small boards have few."""


def draw_openings(game: Game, count: int, seed: int) -> list[Opening]:
    """Return the openings of the rounds: the start first, then balanced ones drawn by the seed.

    More rounds begin with the same openings. If the board has too few, they are used again.
    """
    return list(islice(cycle([(), *islice(_balanced(game, seed), count - 1)]), count))


def is_balanced(position: Position, chance: Random) -> bool:
    """Whether each side wins often enough when both play at random."""
    outcomes = [_play_out(position, chance).outcome for _ in range(TRIALS)]
    wins = sum(outcome is not None and outcome.winner == 1 for outcome in outcomes)
    return LEAST <= wins <= TRIALS - LEAST


def _balanced(game: Game, seed: int) -> Iterator[Opening]:
    """Yield different openings, each the beginning of a random game."""
    chance, seen, missed = Random(f"openings {seed}"), set[Position](), 0
    while missed < MOST_TRIED:
        missed += 1
        moves = _play_out(game.start(), chance).moves
        # After an even number of moves the player who moves first is to move again.
        longest = max(len(moves) // PART, 2)
        position = game.position(*moves[: 2 * chance.randint(1, longest // 2)])
        if position.outcome or position in seen or not is_balanced(position, chance):
            continue
        seen.add(position)
        missed = 0
        yield position.moves


def _play_out(position: Position, chance: Random) -> Position:
    while not position.outcome:
        position = position.play(chance.choice(position.legal_moves))
    return position
