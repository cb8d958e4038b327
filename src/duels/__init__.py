"""Number Duels: five two-player number games.

import duels
position = duels.game("sequence-duel", numbers=20).start().play(6).play(3)
position.legal_moves    # (1, 9, 12, 15, 18)
"""

from duels.core.errors import (
    DuelsError,
    IllegalMove,
    MatchError,
    OptionError,
    OptionNameError,
    RecordError,
    UnreadableMove,
)
from duels.core.game import Game, Move, Outcome, Position
from duels.games import GAMES, game

__version__ = "0.1.0"

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
    "RecordError",
    "UnreadableMove",
    "game",
]
