"""What the graded moves of many matches come to, for each player and game.

A position is a choice when it is won and some legal move would give the win away: only there can
a player go wrong. Phases are thirds of the moves of a match.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from duels.arena.folder import Line

PHASES = ("opening", "middle", "end")
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

    def count(self, line: Line, player: int) -> None:
        """Add one match, which this player played as player 1 or 2."""
        self.matches += 1
        won = winner_of(line) == player
        self.wins += won
        had_win = False
        for phase, grade in moves_of(line, player):
            had_win = had_win or grade["winning"] > 0
            self.moves += 1
            self.preserving += grade["kept"]
            if is_choice(grade):
                self.choices += 1
                self.kept += grade["kept"]
            self.blunders[phase] += not grade["kept"]
        lost = line.get("forfeit")
        if lost and lost["player"] == player:
            self.forfeits[lost["reason"]] = self.forfeits.get(lost["reason"], 0) + 1
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


def grade(lines: Iterable[Line]) -> dict[str, dict[str, Grades]]:
    """By game, and over all of them: the grades of each player in the matches that count."""
    found: dict[str, dict[str, Grades]] = {EVERYWHERE: {}}
    for line in lines:
        for place in (EVERYWHERE, line["label"]):
            players = found.setdefault(place, {})
            for player in (1, 2):
                mine = players.setdefault(line[f"player{player}"], Grades())
                if is_rated(line):
                    mine.count(line, player)
    return found


def moves_of(line: Line, player: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """The grade of each turn of a player, with its phase; who forfeits there keeps no win."""
    grading = line["grading"]
    if lost := line.get("forfeit"):
        left = {"legal": lost["legal"], "winning": lost["winning"], "kept": not lost["winning"]}
        grading = [*grading, left]
    for ply, grade_ in enumerate(grading):
        if 1 + ply % 2 == player:
            yield PHASES[3 * ply // len(grading)], grade_


def is_choice(grade_: dict[str, Any]) -> bool:
    return bool(0 < grade_["winning"] < grade_["legal"])


def winner_of(line: Line) -> int:
    return 1 if line["result"] == "1-0" else 2


def is_rated(line: Line) -> bool:
    """A match that a server spoilt says nothing about the players."""
    return not (line.get("forfeit") and line["forfeit"]["reason"] == "failed")


def share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
