"""Shares with their intervals, next to the score of a random player at the same positions.

Moves of one match are not independent of each other, and a match that repeats another one move for
move shows nothing new. So a share is counted by group: one for each distinct match.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any

from duels.match.players.grading import clustered

PHASES = ("opening", "middle", "end")
"""The thirds of a match, by turns."""
ALL_GAMES = "all games"
SHARES = ("share", "interval", "random", "corrected", "corrected_interval")

Score = dict[str, Any]
"""A share as plain data."""


@dataclass
class Tally:
    """Counts by group: the part, the whole, and the part that random play would score."""

    groups: dict[Hashable, tuple[int, int, float]] = field(default_factory=dict)

    def add(
        self, part: int, whole: int, by_chance: float = 0.0, group: Hashable | None = None
    ) -> None:
        """Add counts to a group; to a new one if none is named."""
        if whole:
            name = len(self.groups) if group is None else group
            before = self.groups.get(name, (0, 0, 0.0))
            self.groups[name] = (before[0] + part, before[1] + whole, before[2] + by_chance)

    def data(self) -> Score:
        """Return the count, the share and its interval as plain data; None where there is no case.

        `random` is the exact score of a random player at the same positions, so in `corrected`
        only the share is uncertain: 0 is random play, and 1 is no mistakes. They are None if there
        is no random player to compare with, as for matches won.
        """
        found = clustered((part, whole) for part, whole, _ in self.groups.values())
        data: Score = {"count": found.part, "of": found.whole} | dict.fromkeys(SHARES)
        if found.low is None or found.high is None:
            return data
        values = (found.part / found.whole, found.low, found.high)
        data["share"], *data["interval"] = (round(value, 4) for value in values)
        if by_chance := sum(group[2] for group in self.groups.values()):
            chance = data["random"] = round(by_chance / found.whole, 4)
            if chance < 1:
                beyond = (round((value - chance) / (1 - chance), 4) for value in values)
                data["corrected"], *data["corrected_interval"] = beyond
        return data


def tally(parts: Iterable[tuple[bool, float]]) -> Tally:
    """Return the tally of independent observations, each with the chance of being right."""
    found = Tally()
    for right, chance in parts:
        found.add(right, 1, chance)
    return found


def percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"


def with_interval(share: float | None, interval: list[float] | None) -> str:
    """Return a share with its interval in the shortest form: "88% 53–98"."""
    if share is None or interval is None:
        return "–"
    low, high = (round(100 * end) for end in interval)
    return f"{share:.0%} {low}{' to ' if low < 0 else '–'}{high}"


def share_text(score: Score | None) -> str:
    """Return a share with its interval."""
    return with_interval(score["share"], score["interval"]) if score else "–"


def beyond_chance(score: Score) -> str:
    """Return the share beyond chance with its interval."""
    return with_interval(score["corrected"], score["corrected_interval"])
