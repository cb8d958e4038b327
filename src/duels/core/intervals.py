"""Shares with an interval: how sure one can be of 17 kept out of 20.

A share is `part` of `whole`, and its 95 % interval is Wilson's (1927).
Where the cases come in clusters that resemble each other, as the moves of one match do, `clustered`
says how many independent cases they are worth (Korn and Graubard 1998), and never more than there
are.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from typing import NamedTuple

Z = 1.959963984540054
"""Of a normal distribution 95 % lies within so many standard deviations."""
FEW_DEGREES = {1: 12.706204736, 2: 4.302652730}


class Share(NamedTuple):
    """A share with its interval; None without cases."""

    part: int
    whole: int
    low: float | None
    high: float | None

    @property
    def value(self) -> float | None:
        return self.part / self.whole if self.whole else None

    def above(self, chance: float) -> float | None:
        """How much of the way from chance (0) to all (1) it is; below 0 it is worse than chance."""
        return None if self.value is None or chance >= 1 else (self.value - chance) / (1 - chance)

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return "no case"
        return f"{self.part / self.whole:.1%} ({self.low:.1%} to {self.high:.1%})"


def share(part: int, whole: int) -> Share:
    """The share of independent cases, with its Wilson interval."""
    return Share(part, whole, *_wilson(part / whole, whole)) if whole else Share(0, 0, None, None)


def clustered(clusters: Iterable[tuple[int, int]]) -> Share:
    """The share of cases that come in clusters, each a part and a whole: the choices of a match."""
    counts = [(part, whole) for part, whole in clusters if whole]
    part, whole = sum(part for part, _ in counts), sum(whole for _, whole in counts)
    if not counts or len(counts) == whole:
        return share(part, whole)
    worth = float(len(counts))  # of equal cases, or of one cluster, one cannot see how alike it is
    value, degrees = part / whole, len(counts) - 1
    if 0 < part < whole and degrees:
        spread = sum((one - value * of) ** 2 for one, of in counts) * len(counts) / degrees
        worth = whole * (value * (1 - value) * whole / spread) if spread else float(whole)
        worth *= (Z / _student(degrees)) ** 2
    return Share(part, whole, *_wilson(value, min(worth, whole)))


def _wilson(value: float, cases: float) -> tuple[float, float]:
    centre = value + Z * Z / (2 * cases)
    reach = Z * sqrt(value * (1 - value) / cases + Z * Z / (4 * cases * cases))
    scale = 1 + Z * Z / cases
    low, high = (centre - reach) / scale, (centre + reach) / scale
    return (0.0 if value == 0 else max(low, 0.0)), (1.0 if value == 1 else min(high, 1.0))


def _student(degrees: int) -> float:
    """Within so many standard errors lies 95 % of Student's distribution (Cornish-Fisher)."""
    if degrees in FEW_DEGREES:
        return FEW_DEGREES[degrees]
    z, n = Z, degrees
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )
