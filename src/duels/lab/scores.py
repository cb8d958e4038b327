"""Shares with their intervals, next to the score of a random player at the same positions.

Moves of one match are not independent of each other, and a match that repeats another one move for
move shows nothing new. So a share is counted by group: one for each distinct match.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any

from duels.match.players.grading import Share, clustered

PHASES = ("opening", "middle", "end")
"""The thirds of a match, by turns."""
ALL_GAMES = "all games"


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

    @property
    def part(self) -> int:
        return sum(group[0] for group in self.groups.values())

    @property
    def whole(self) -> int:
        return sum(group[1] for group in self.groups.values())

    @property
    def counted(self) -> Share:
        return clustered((part, whole) for part, whole, _ in self.groups.values())

    @property
    def share(self) -> float | None:
        return rounded(self.counted.value)

    @property
    def random(self) -> float | None:
        """The exact score of a random player at the same positions."""
        if not self.groups:
            return None
        return rounded(sum(group[2] for group in self.groups.values()) / self.whole)

    @property
    def corrected(self) -> float | None:
        """The share corrected for chance: 0 for random play, 1 for no mistakes."""
        return None if self.random is None else rounded(self.counted.above(self.random))

    @property
    def interval(self) -> list[float] | None:
        """The 95 % interval of the share."""
        found = self.counted
        if found.low is None or found.high is None:
            return None
        return [round(found.low, 4), round(found.high, 4)]

    @property
    def corrected_interval(self) -> list[float] | None:
        """The 95 % interval of the share corrected for chance."""
        found, chance = self.counted, self.random
        if found.low is None or found.high is None or chance is None:
            return None
        return beyond_chance(found.low, found.high, chance)

    def data(self) -> dict[str, Any]:
        """Return the share and what belongs to it as plain data."""
        return {
            "share": self.share,
            "interval": self.interval,
            "random": self.random,
            "corrected": self.corrected,
            "corrected_interval": self.corrected_interval,
        }


def tally(parts: Iterable[tuple[bool, float]]) -> Tally:
    """Return the tally of independent observations, each with the chance of being right."""
    found = Tally()
    for right, chance in parts:
        found.add(right, 1, chance)
    return found


def beyond_chance(low: float, high: float, chance: float) -> list[float] | None:
    """Return the interval of a share, rescaled so that chance is 0 and no mistakes are 1.

    Chance is exact at the positions that were asked, so only the share is uncertain. None if chance
    gets everything right.
    """
    if chance >= 1:
        return None
    return [round((end - chance) / (1 - chance), 4) for end in (low, high)]


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"


def with_interval(share: float | None, interval: list[float] | None) -> str:
    """Return a share with its interval in the shortest form: "88% 53–98"."""
    if share is None or interval is None:
        return "–"
    low, high = (f"{100 * end:.0f}" for end in interval)
    return f"{share:.0%} {low}{' to ' if interval[0] < 0 else '–'}{high}"


def share_of(row: dict[str, Any], name: str) -> str:
    """Return a share of a row with its interval."""
    return with_interval(row[name], row["intervals"][name])
