"""Number Duels: five two-player number games.

import duels
position = duels.game("sequence-duel", numbers=20).start().play(6).play(3)
position.legal_moves    # (1, 9, 12, 15, 18)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from duels.core.errors import (
    DuelsError,
    IllegalMove,
    MatchError,
    OptionError,
    OptionNameError,
    ProofError,
    RecordError,
    UnreadableMove,
)
from duels.core.game import Game, Move, Outcome, Position
from duels.games import GAMES, game

if TYPE_CHECKING:
    from collections.abc import Callable

    from duels.theory.verdict import Verdict

__version__ = "0.1.0"


def solve(position: Position, progress: Callable[[float], None] | None = None) -> Verdict:
    """The exact truth about a position: who wins, by which moves, why, and the proof."""
    from duels.theory import solve

    return solve(position, progress)


def check(verdict: Verdict) -> None:
    """Check the proof of a verdict without the solver; ProofError if it does not prove it."""
    from duels.theory.check import check

    check(verdict)


__all__ = [
    "GAMES",
    "DuelsError",
    "Game",
    "IllegalMove",
    "MatchError",
    "Move",
    "OptionError",
    "OptionNameError",
    "Outcome",
    "Position",
    "ProofError",
    "RecordError",
    "UnreadableMove",
    "check",
    "game",
    "solve",
]
