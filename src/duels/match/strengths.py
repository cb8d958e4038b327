"""The strength of the computer that is matched to a person, from the person's rating in a game.

As in chess, the rating rises with each win and falls with each loss, by more when the result was
unlikely and by less when many games have been played. The computer plays at the strength of the
same rating, so that the person wins about half. A win with hints counts less: with one hint half,
with three a quarter.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from duels.core.game import Game
from duels.match.match import Match, Seat
from duels.match.players.levels import LEVELS, between, strength_of
from duels.match.players.specs import opponent_seat
from duels.match.saved_games import Notebook

AUTO = "auto"
"""The word for an opponent that is matched to the person."""
BEGINS_AT = LEVELS["casual"].strength
RATINGS = {0: 0, 10: 165, 25: 360, 50: 520, 75: 560, 100: 600}
"""The rating of each strength: a player rated 400 higher wins about ten games of eleven.

These are rough means over the five games, from games between strengths; the highest are set closer
together, so that a perfect player soon meets the strongest computer.
"""
STRENGTHS = {rating: strength for strength, rating in RATINGS.items()}
LOWEST, HIGHEST = -100, 700
"""The bounds of a person's rating: somewhat weaker and stronger than any computer."""
LARGEST_STEP, SMALLEST_STEP = 533, 60
"""The most that one result can move a rating: in the first game, and after many games."""
MOST_KEPT = 50
"""How many of the latest matches still count when they are resumed."""


class Standing(NamedTuple):
    """A person's rating in one game, after how many games.

    `matches` has the ids of the matches that count, each with the hints taken so far.
    """

    rating: int = RATINGS[BEGINS_AT]
    games: int = 0
    matches: Mapping[str, int] = {}

    @property
    def strength(self) -> int:
        """The strength of the computer against which this person should win half of the games."""
        return round(between(STRENGTHS, min(max(self.rating, min(STRENGTHS)), max(STRENGTHS))))

    def after(self, won: bool, hints: int = 0, against: int | None = None) -> Standing:
        """Return the standing after a game; hints make a win count less.

        `against` is the computer's strength, if it is not the strength of this standing.
        """
        against = self.strength if against is None else against
        expected = 1 / (1 + 10 ** ((between(RATINGS, against) - self.rating) / 400))
        step = max(SMALLEST_STEP, 3 * LARGEST_STEP / (3 + self.games))
        change = step * (1 - expected) / (1 + hints) if won else -step * expected
        rating = min(max(round(self.rating + change), LOWEST), HIGHEST)
        return self._replace(rating=rating, games=self.games + 1)


class Strengths:
    """The standings in all games, in a notebook; a damaged notebook is started again."""

    def __init__(self, folder: Path | None = None) -> None:
        self.notebook = Notebook("strength", folder)

    def of(self, kind: type[Game]) -> Standing:
        """Return the standing in a game."""
        return _read(self.notebook.read().get(kind.id)) or Standing()

    def seat(self, kind: type[Game]) -> Seat:
        """Return a seat with the computer that is matched to the person."""
        return opponent_seat(str(self.of(kind).strength))

    def begin(self, match: Match) -> None:
        """Make this match count, and those that follow in its duel."""
        self._note_hints(match, 0)

    def take_hint(self, match: Match) -> None:
        """Make a win of this match count less, also if it is resumed."""
        if self.follows(match):
            self._note_hints(match, self.of(type(match.game)).matches[match.duel_id] + 1)

    def follows(self, match: Match) -> bool:
        """Say whether the result of a match changes the strength."""
        return match.duel_id in self.of(type(match.game)).matches

    def count(self, match: Match) -> Standing | None:
        """Save and return the standing after a finished match; None if it does not count."""
        if not match.outcome or not self.follows(match):
            return None
        before = self.of(type(match.game))
        against = strength_of(match.computer(1) or match.computer(2))
        won = not match.computer(match.outcome.winner)
        after = before.after(won, before.matches[match.duel_id], against)
        after = after._replace(matches={**after.matches, match.duel_id: 0})
        self._save(match, after)
        return after

    def _note_hints(self, match: Match, hints: int) -> None:
        """Save the hints taken in a match; if that fails, they do not count."""
        standing = self.of(type(match.game))
        matches = [*{**standing.matches, match.duel_id: hints}.items()][-MOST_KEPT:]
        with suppress(OSError):
            self._save(match, standing._replace(matches=dict(matches)))

    def _save(self, match: Match, standing: Standing) -> None:
        """Save a standing; OSError if that fails."""
        self.notebook.note(**{match.game.id: standing._asdict()})


def _read(data: Any) -> Standing | None:
    """Return a standing from plain data; None if any part of it is wrong."""
    if not isinstance(data, dict):
        return None
    rating, games, matches = (data.get(name) for name in Standing._fields)
    if type(rating) is not int or not LOWEST <= rating <= HIGHEST:
        return None
    if type(games) is not int or games < 0:
        return None
    if not isinstance(matches, dict):
        return None
    if not all(type(hints) is int and hints >= 0 for hints in matches.values()):
        return None
    return Standing(rating, games, matches)
