"""The strength of the computer that is matched to the person at this terminal, for each game.

It begins at 25. Each win of the person makes it stronger and each loss weaker, so that in the end
the person wins about half. A step is 40 the first time, 2 less each time, and 4 from the 19th game
on; a loss counts two thirds. Below 25, where a little strength decides much, a win counts 4 and a
loss the whole step, at least 8. So a beginner soon wins about half, and a perfect player soon meets
a perfect opponent. A win with hints counts less: with one hint half, with three a quarter.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from duels.core.game import Game
from duels.match.match import Match, Seat
from duels.match.players.levels import LEVELS, STRONGEST
from duels.match.players.specs import opponent_seat
from duels.match.saved_games import Notebook

AUTO = "auto"
"""The word for an opponent that is matched to the person."""
BEGINS_AT = LEVELS["casual"].strength
LARGEST_STEP, SMALLEST_STEP = 40, 4
SMALLEST_FALL = 8
"""The smallest step after a loss against a weak computer."""
MOST_KEPT = 50
"""How many matches still count when they are resumed: the latest."""


class Standing(NamedTuple):
    """The strength in one game, after how many games, and the ids of the matches that count."""

    strength: int = BEGINS_AT
    games: int = 0
    matches: tuple[str, ...] = ()

    def after(self, won: bool, hints: int = 0) -> Standing:
        """Return the standing after a game; hints make a win count less."""
        step = max(SMALLEST_STEP, LARGEST_STEP - 2 * self.games)
        if won:
            step = (step if self.strength >= BEGINS_AT else SMALLEST_STEP) // (1 + hints)
        elif self.strength <= BEGINS_AT:
            step = max(SMALLEST_FALL, step)
        else:
            step = max(SMALLEST_STEP, 2 * step // 3)
        strength = self.strength + (step if won else -step)
        return self._replace(strength=min(max(strength, 0), STRONGEST), games=self.games + 1)


class Strengths:
    """The standings in all games, in a notebook; a damaged one begins anew."""

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
        standing = self.of(type(match.game))
        matches = (*standing.matches, match.duel_id)[-MOST_KEPT:]
        with suppress(OSError):  # then it cannot count
            self._save(match, standing._replace(matches=matches))

    def follows(self, match: Match) -> bool:
        """Whether the result of a match changes the strength."""
        return match.duel_id in self.of(type(match.game)).matches

    def count(self, match: Match, hints: int = 0) -> Standing | None:
        """Save and return the standing after a finished match; None if it does not count."""
        if not match.outcome or not self.follows(match):
            return None
        standing = self.of(type(match.game)).after(not match.computer(match.outcome.winner), hints)
        self._save(match, standing)
        return standing

    def _save(self, match: Match, standing: Standing) -> None:
        """Save a standing; OSError if that fails."""
        self.notebook.note(**{match.game.id: standing._asdict()})


def _read(data: Any) -> Standing | None:
    """Return a standing from plain data; None if any part of it is wrong."""
    if not isinstance(data, dict):
        return None
    strength, games, matches = (data.get(name) for name in Standing._fields)
    if type(strength) is not int or not 0 <= strength <= STRONGEST:
        return None
    if type(games) is not int or games < 0:
        return None
    if not isinstance(matches, list) or not all(isinstance(id_, str) for id_ in matches):
        return None
    return Standing(strength, games, tuple(matches))
