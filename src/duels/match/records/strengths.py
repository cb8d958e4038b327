"""How strong the computer is that is matched to the person here, kept game by game.

It begins at 25. A game that the person wins makes it stronger, one that the person loses makes it
weaker, so that in the end the person wins about half: by 16 the first time, by 2 less each time,
and by 4 from the seventh game on. So it soon finds its place, and follows whoever gets better.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from duels.core.game import Game
from duels.match.match import Match, Seat
from duels.match.players.levels import LEVELS, STRONGEST
from duels.match.players.specs import name_of
from duels.match.records.notebook import Notebook

AUTO = "auto"
"""What somebody types to be matched."""
BEGINS_AT = LEVELS["casual"].strength
LARGEST_STEP, SMALLEST_STEP = 16, 4
MOST_KEPT = 50
"""The latest matches against it are known by their ids: any of them may be resumed."""


class Standing(NamedTuple):
    """Where the strength in one game has got to, after how many games, and in which matches."""

    strength: int = BEGINS_AT
    games: int = 0
    matches: tuple[str, ...] = ()

    def after(self, won: bool) -> Standing:
        """The standing after the person has won or lost a game."""
        step = max(SMALLEST_STEP, LARGEST_STEP - 2 * self.games)
        strength = self.strength + (step if won else -step)
        return self._replace(strength=min(max(strength, 0), STRONGEST), games=self.games + 1)


class Strengths:
    """The standings of the person here, in one small file. What is damaged in it begins anew."""

    def __init__(self, folder: Path | None = None) -> None:
        self.notebook = Notebook("strength", folder)

    def of(self, kind: type[Game]) -> Standing:
        """The standing in a game."""
        return _read(self.notebook.read().get(kind.id)) or Standing()

    def seat(self, kind: type[Game]) -> Seat:
        """The computer that is matched to the person here."""
        strength = str(self.of(kind).strength)
        return Seat(name_of(strength), strength)

    def begin(self, match: Match) -> None:
        """From now on this match counts, and so do those that follow in its duel."""
        standing = self.of(type(match.game))
        matches = (*standing.matches, match.duel_id)[-MOST_KEPT:]
        with suppress(OSError):  # then it cannot count
            self._keep(match, standing._replace(matches=matches))

    def follows(self, match: Match) -> bool:
        """Whether a match is one that counts."""
        return match.duel_id in self.of(type(match.game)).matches

    def count(self, match: Match) -> Standing | None:
        """The standing after a match that is over; None if it does not count."""
        if not match.outcome or not self.follows(match):
            return None
        standing = self.of(type(match.game)).after(won=not match.computer(match.outcome.winner))
        self._keep(match, standing)
        return standing

    def _keep(self, match: Match, standing: Standing) -> None:
        """OSError if it cannot be written."""
        self.notebook.note(**{match.game.id: standing._asdict()})


def _read(data: Any) -> Standing | None:
    """A standing from plain data; None if it is not one in every part."""
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
