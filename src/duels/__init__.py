"""Number Duels: five two-player number games.

import duels
verdict = duels.solve(duels.game("…", numbers=20).start().play(6))
verdict.winning_moves, verdict.reason
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from duels.core.board import Board, Cell, Link
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
from duels.core.game import Game, Move, Outcome, Position, Verb
from duels.core.options import SetUp, choice, whole
from duels.core.parts import Parts
from duels.core.states import StateGame, StatePosition
from duels.games import GAMES, game, register

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from duels.match.players import Player
    from duels.match.players.grading import Graded
    from duels.theory.verdict import Verdict

__version__ = "1.0.0"


def solve(position: Position, progress: Callable[[float], None] | None = None) -> Verdict[Position]:
    """Return the verdict on a position: who wins, by which moves, why, and the proof."""
    if not hasattr(position, "legal_moves"):
        raise TypeError("duels.solve takes a position, not a game: pass game.start().")
    from duels.theory import solve

    return solve(position, progress)


def check(verdict: Verdict[Position]) -> None:
    """Check the proof of a verdict without the solver; raise ProofError if it fails."""
    from duels.theory.check import check
    from duels.theory.verdict import Verdict

    if not isinstance(verdict, Verdict):
        raise TypeError("duels.check takes the verdict that duels.solve returned, proof and all.")
    check(verdict)


def grade(
    player: str | Player | Callable[[Position], Move],
    game: str | Game,
    *,
    positions: int | Iterable[Position] = 200,
    seed: int = 0,
) -> Graded:
    """Return the share of choices in which a player keeps the win, with its 95 % interval."""
    from duels.match.players.grading import grade

    return grade(player, game, positions=positions, seed=seed)


__all__ = [
    "GAMES",
    "Board",
    "Cell",
    "DuelsError",
    "Game",
    "IllegalMove",
    "Link",
    "MatchError",
    "Move",
    "OptionError",
    "OptionNameError",
    "Outcome",
    "Parts",
    "Position",
    "ProofError",
    "RecordError",
    "SetUp",
    "StateGame",
    "StatePosition",
    "UnreadableMove",
    "Verb",
    "check",
    "choice",
    "game",
    "grade",
    "register",
    "solve",
    "whole",
]
