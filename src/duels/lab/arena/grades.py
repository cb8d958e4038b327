"""What the graded moves of many matches come to, for each player and game.

Only in a choice, a won position in which some legal move would give the win away, can a player
go wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from duels.lab.arena.line import PHASES, Grade, Played
from duels.lab.arena.shares import Tally

EVERYWHERE = "all games"


@dataclass
class Grades:
    """Counts of one player at one game, by match."""

    won: Tally = field(default_factory=Tally)
    moves: Tally = field(default_factory=Tally)
    choices: Tally = field(default_factory=Tally)
    from_won: Tally = field(default_factory=Tally)
    blunders: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PHASES, 0))
    forfeits: dict[str, int] = field(default_factory=dict)

    def count(self, line: Played, player: int) -> None:
        """Add one match, which this player played as player 1 or 2."""
        turns = [*line.turns(player)]
        grades = [turn for _, turn in turns]
        choices = [turn for turn in grades if turn.is_choice]
        self.won.add(line.winner == player, 1)
        self.moves.add(*_counts(grades))
        self.choices.add(*_counts(choices))
        self.from_won.add(line.winner == player, any(turn.winning for turn in grades))
        for phase, turn in turns:
            self.blunders[phase] += not turn.kept
        lost = line.forfeit
        if lost and lost.player == player:
            self.forfeits[lost.reason] = self.forfeits.get(lost.reason, 0) + 1

    def data(self) -> dict[str, Any]:
        shares = {
            "score": self.won,
            "value_preserving": self.moves,
            "choices_kept": self.choices,
            "wins_from_won_positions": self.from_won,
        }
        at_positions = {name: shares[name] for name in ("value_preserving", "choices_kept")}
        return {
            "matches": self.won.whole,
            "wins": self.won.part,
            "moves": self.moves.whole,
            "choices": self.choices.whole,
            "won_positions": self.from_won.whole,
            **{name: found.share for name, found in shares.items()},
            "intervals": {name: found.interval for name, found in shares.items()},
            "random": {name: found.random for name, found in at_positions.items()},
            "corrected": {name: found.corrected for name, found in at_positions.items()},
            "blunders": self.blunders,
            "forfeits": self.forfeits,
        }


def _counts(grades: Sequence[Grade]) -> tuple[int, int, float]:
    """Moves that kept what there was to keep, all of them, and what chance would have kept."""
    return sum(turn.kept for turn in grades), len(grades), sum(turn.by_chance for turn in grades)


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
