"""Shares with their intervals, next to the score of a random player at the same positions.

Moves of one match are not independent of each other, so a share is counted by match.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from duels.match.players.grading import Share, clustered

PHASES = ("opening", "middle", "end")
"""The thirds of a match, by turns."""
ALL_GAMES = "all games"


@dataclass
class Tally:
    """Counts by group: the part, the whole, and the part that random play would score."""

    groups: list[tuple[int, int, float]] = field(default_factory=list)

    def add(self, part: int, whole: int, by_chance: float = 0.0) -> None:
        if whole:
            self.groups.append((part, whole, by_chance))

    @property
    def part(self) -> int:
        return sum(group[0] for group in self.groups)

    @property
    def whole(self) -> int:
        return sum(group[1] for group in self.groups)

    @property
    def counted(self) -> Share:
        return clustered((part, whole) for part, whole, _ in self.groups)

    @property
    def share(self) -> float | None:
        return rounded(self.counted.value)

    @property
    def random(self) -> float | None:
        """The exact score of a random player at the same positions."""
        if not self.groups:
            return None
        return rounded(sum(group[2] for group in self.groups) / self.whole)

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

    def data(self) -> dict[str, Any]:
        """Return the share and what belongs to it as plain data."""
        return {
            "share": self.share,
            "interval": self.interval,
            "random": self.random,
            "corrected": self.corrected,
        }


def tally(parts: Iterable[tuple[bool, float]]) -> Tally:
    """Return the tally of independent observations, each with the chance of being right."""
    return Tally([(int(right), 1, chance) for right, chance in parts])


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"


def with_interval(share: float | None, interval: list[float] | None) -> str:
    """Return a share with its interval in the shortest form: "88% 53–98"."""
    if share is None or interval is None:
        return "–"
    return f"{share:.0%} {100 * interval[0]:.0f}–{100 * interval[1]:.0f}"


def share_of(row: dict[str, Any], name: str) -> str:
    """Return a share of a row with its interval."""
    return with_interval(row[name], row["intervals"][name])
