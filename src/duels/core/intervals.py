"""Shares with a confidence interval, such as 17 out of 20.

A share is `part` of `whole`, and its 95 % interval is Wilson's (1927). If the cases come in similar
clusters, such as the moves of one match, `clustered` works out how many independent cases they are
worth (Korn and Graubard 1998).
"""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from typing import NamedTuple

Z = 1.959963984540054
"""Standard deviations around the mean that contain 95 % of a normal distribution."""
FEW_DEGREES = {1: 12.706204736, 2: 4.302652730}


class Share(NamedTuple):
    """A share with its interval; without cases the bounds are None."""

    part: int
    whole: int
    low: float | None
    high: float | None

    @property
    def value(self) -> float | None:
        return self.part / self.whole if self.whole else None

    def above(self, chance: float) -> float | None:
        """Rescale the share so that chance is 0 and all is 1; worse than chance is negative."""
        return None if self.value is None or chance >= 1 else (self.value - chance) / (1 - chance)

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return "no case"
        return f"{self.part / self.whole:.1%} ({self.low:.1%} to {self.high:.1%})"


def share(part: int, whole: int) -> Share:
    """Return the share of independent cases with its Wilson interval."""
    return Share(part, whole, *_wilson(part / whole, whole)) if whole else Share(0, 0, None, None)


def clustered(clusters: Iterable[tuple[int, int]]) -> Share:
    """Return the share of cases in clusters, each given as a part and a whole."""
    counts = [(part, whole) for part, whole in clusters if whole]
    part, whole = sum(part for part, _ in counts), sum(whole for _, whole in counts)
    if not counts or len(counts) == whole:
        return share(part, whole)
    worth = float(len(counts))  # equal cases, or one cluster, do not show how alike they are
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
    """Return how many standard errors contain 95 % of Student's distribution."""
    if degrees in FEW_DEGREES:
        return FEW_DEGREES[degrees]
    z, n = Z, degrees
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )
