"""How hard a puzzle is, measured: how far one must see, and the wrong moves that look right."""

from __future__ import annotations

from typing import NamedTuple

from duels.core.game import Move, Position
from duels.theory import theory_of
from duels.theory.resistance import distances

HIGHEST = {"easy": 3, "medium": 7, "hard": 10_000}
"""The words, each with the highest number that it stands for."""
FAR = 4
"""So many moves of one player are far ahead: nobody looks further."""
MOST_VISITED = 1_000
"""Positions that are visited to measure one puzzle."""


class Difficulty(NamedTuple):
    """How far one must see to tell the right move from the others, as a number and as a word.

    The right move counts the moves of one's own that it takes to win. A wrong move counts the moves
    that the opponent needs to punish it, but the last: nothing if they can win at once, and never
    more than one has to see of the right move to know that it wins.
    """

    sight: int
    """Moves of one's own until the win is there; `FAR` where it is as far, or further."""
    traps: tuple[int, ...] = ()
    """What the wrong moves count that do not lose at once."""

    @property
    def number(self) -> int:
        return self.sight + sum(self.traps)

    @property
    def word(self) -> str:
        return next((word for word, most in HIGHEST.items() if self.number <= most), "hard")


def measure(position: Position, winning: tuple[Move, ...]) -> Difficulty:
    """The difficulty of finding one of the winning moves of a position."""
    needed = distances(theory_of(position), position, winning, FAR, MOST_VISITED)
    sight = min(needed[move] for move in winning)
    wrong = (min(needed[move], sight) - 1 for move in position.legal_moves if move not in winning)
    return Difficulty(sight, tuple(sorted(count for count in wrong if count > 0)))
