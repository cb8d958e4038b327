"""What the graded moves of many matches come to, for each player and game.

Only in a choice, a won position in which some legal move would give the win away, can a player
go wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from duels.arena.line import PHASES, Played

EVERYWHERE = "all games"


@dataclass
class Grades:
    """Counts of one player at one game."""

    matches: int = 0
    wins: int = 0
    moves: int = 0
    preserving: int = 0
    choices: int = 0
    kept: int = 0
    won_games: int = 0
    won_games_won: int = 0
    blunders: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PHASES, 0))
    forfeits: dict[str, int] = field(default_factory=dict)

    def count(self, line: Played, player: int) -> None:
        """Add one match, which this player played as player 1 or 2."""
        self.matches += 1
        won = line.winner == player
        self.wins += won
        had_win = False
        for phase, grade in line.turns(player):
            had_win = had_win or grade.winning > 0
            self.moves += 1
            self.preserving += grade.kept
            if grade.is_choice:
                self.choices += 1
                self.kept += grade.kept
            self.blunders[phase] += not grade.kept
        lost = line.forfeit
        if lost and lost.player == player:
            self.forfeits[lost.reason] = self.forfeits.get(lost.reason, 0) + 1
        self.won_games += had_win
        self.won_games_won += had_win and won

    def data(self) -> dict[str, Any]:
        return {
            "matches": self.matches,
            "wins": self.wins,
            "score": share(self.wins, self.matches),
            "moves": self.moves,
            "value_preserving": share(self.preserving, self.moves),
            "choices": self.choices,
            "choices_kept": share(self.kept, self.choices),
            "won_positions": self.won_games,
            "wins_from_won_positions": share(self.won_games_won, self.won_games),
            "blunders": self.blunders,
            "forfeits": self.forfeits,
        }


def grade(lines: Iterable[Played]) -> dict[str, dict[str, Grades]]:
    """By game, and over all of them: the grades of each player in the matches that count."""
    found: dict[str, dict[str, Grades]] = {EVERYWHERE: {}}
    for line in lines:
        for place in (EVERYWHERE, line.label):
            players = found.setdefault(place, {})
            for player, name in enumerate(line.names, start=1):
                mine = players.setdefault(name, Grades())
                if line.is_rated:
                    mine.count(line, player)
    return found


def share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
