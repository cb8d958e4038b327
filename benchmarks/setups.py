"""Measures the set-ups of the games between two players who see one move ahead.

scripts/bench setups [GAME ...]; DUELS_WITH=FILE.py adds a game of your own.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from random import Random
from statistics import fmean
from typing import NamedTuple

from ladder import OneMoveAhead

from duels.core.errors import TooLarge
from duels.core.game import Game
from duels.games import all_games, find_game
from duels.theory import winning_moves

GAMES = 300
COLUMNS = "| set-up | options | first player wins | moves | choices that matter | last of them |"


class Measured(NamedTuple):
    """What games of one set-up are like."""

    first: float
    """The share of games that the first player wins."""
    moves: float
    choices: float | None
    """Positions of a game in which some moves keep the result and some do not; None if unknown."""
    last_choice: float | None
    """Which part of the game is over at the last of them; then it is decided for good."""


def measure(game: Game, games: int = GAMES, seed: int = 1) -> Measured:
    """What `games` games are like; the same seed gives the same answer."""
    chance = Random(seed)
    played = [_play(game, chance) for _ in range(games)]
    known = [(moves, places) for _, moves, places in played if places is not None]
    lasts = [places[-1] / moves if places else 0.0 for moves, places in known]
    return Measured(
        first=fmean(winner == 1 for winner, _, _ in played),
        moves=fmean(moves for _, moves, _ in played),
        choices=fmean(len(places) for _, places in known) if known else None,
        last_choice=fmean(lasts) if known else None,
    )


def _play(game: Game, chance: Random) -> tuple[int, int, list[int] | None]:
    """Who won, after how many moves, and which of them were choices that matter."""
    here, player = game.start(), OneMoveAhead(chance)
    places: list[int] | None = []
    while here.outcome is None:
        try:
            if places is not None and 0 < len(winning_moves(here)) < here.legal_count:
                places.append(len(here.moves) + 1)
        except TooLarge:
            places = None
        here = here.play(player.choose(here))
    return here.outcome.winner, len(here.moves), places


def table(kind: type[Game]) -> list[str]:
    """A line for each set-up of a game."""
    lines = [f"{kind.title}: {GAMES} games each", COLUMNS, "|---" * 6 + "|"]
    for setup in kind.all_setups():
        game = setup.game(kind)
        is_like = measure(game)
        unknown = is_like.choices is None
        choices = "unknown" if unknown else f"{is_like.choices:.1f}"
        last = "unknown" if unknown else f"{is_like.last_choice:.0%} of the game"
        name = setup.name if setup.matches == 1 else f"{setup.name} ({setup.matches} matches)"
        options = " ".join(f"{name} {value}" for name, value in game.options.items())
        shown = (name, options, f"{is_like.first:.0%}", f"{is_like.moves:.1f}", choices, last)
        lines.append(f"| {' | '.join(shown)} |")
    return [*lines, ""]


def main(names: Sequence[str]) -> None:
    for kind in map(find_game, names or all_games()):
        print("\n".join(table(kind)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
