"""A share of many, with its interval, what chance alone would give, and what is beyond chance.

Moves of one match are not independent of each other, so a share is counted by match: where matches
differ more than single moves would, fewer of them count. The interval is Wilson's (95 %).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

Z = 1.959964


@dataclass
class Tally:
    """Counts by group: in each so many of so many, and how many of them chance would have given."""

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
    def share(self) -> float | None:
        return rounded(self.part / self.whole) if self.groups else None

    @property
    def random(self) -> float | None:
        """The exact score of a random player at the same positions."""
        if not self.groups:
            return None
        return rounded(sum(group[2] for group in self.groups) / self.whole)

    @property
    def corrected(self) -> float | None:
        """0 is as good as chance, 1 is without a fault."""
        if self.share is None or self.random is None or self.random >= 1:
            return None
        return rounded((self.share - self.random) / (1 - self.random))

    @property
    def interval(self) -> list[float] | None:
        if not self.groups:
            return None
        return [*map(rounded, wilson(self.part / self.whole, self._independent()))]

    def _independent(self) -> float:
        """How many independent observations the counts are worth."""
        whole, count = self.whole, len(self.groups)
        if count == whole:
            return whole
        share = self.part / whole
        if count < 2 or share in (0, 1):
            return count  # nothing tells how alike the moves of a match are
        between = sum((part - share * size) ** 2 for part, size, _ in self.groups)
        variance = count / (count - 1) * between / whole**2
        plain = share * (1 - share) / whole
        return whole / max(1.0, variance / plain)

    def data(self) -> dict[str, Any]:
        """Everything, for a sheet."""
        return {
            "share": self.share,
            "interval": self.interval,
            "random": self.random,
            "corrected": self.corrected,
        }


def tally(parts: Iterable[tuple[bool, float]]) -> Tally:
    """Of observations that are independent: whether it was right, and the chance of that."""
    return Tally([(int(right), 1, chance) for right, chance in parts])


def wilson(share: float, count: float) -> tuple[float, float]:
    """The interval of a share of so many independent observations."""
    middle = share + Z * Z / (2 * count)
    half = Z * sqrt(share * (1 - share) / count + Z * Z / (4 * count * count))
    below = 1 + Z * Z / count
    return max(0.0, (middle - half) / below), min(1.0, (middle + half) / below)


def rounded(value: float) -> float:
    return round(value, 4)


def percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"


def with_interval(share: float | None, interval: list[float] | None) -> str:
    """ "88% 53–98": a share and its interval, as short as it can be said."""
    if share is None or interval is None:
        return "–"
    return f"{share:.0%} {100 * interval[0]:.0f}–{100 * interval[1]:.0f}"
