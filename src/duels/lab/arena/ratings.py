"""Ratings by the Bradley-Terry model: all matches at once, so that their order does not matter.

1500 is the mean of the core: the largest group of players each of whom has lost, directly or by way
of others, to every other one. Only within it is a rating determined. A player outside, who never
lost to it or never beat it, may be any stronger or weaker, so the rating is a bound. Without a core
1500 is the mean of all.

The interval is by profile likelihood: all ratings under which the matches are not much less likely
than under the best ones. Matches that repeat each other move for move show no more than one of them
does, so those of a pair count as their effective number (Kish): 60 with two distinct games of 30
each count as 2. `scripts/bench intervals` shows how often the true rating is inside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from duels.core.errors import DuelsError, install
from duels.core.game import other
from duels.lab.arena.matches import MatchResult

try:
    import numpy as np
except ImportError:
    raise DuelsError(f"The arena needs numpy. {install('arena')}") from None

SCALE = 400 / 2.302585092994046
"""As in chess: 400 points are ten to one."""
MIDDLE = 1500
DROP = 3.841459 / 2
"""How far the log-likelihood may fall: half the 95 % quantile of chi-squared, 1 degree."""
FARTHEST = 12.0
"""An end beyond this, in natural units, counts as open: 2,000 points."""
TINY = 1e-3
"""Wins each way that are added for the likelihood, so that it has a maximum."""
STEPS, HALVINGS = 60, 28


def rate(
    results: Iterable[MatchResult], players: Sequence[str]
) -> dict[str, dict[str, int | None]]:
    """Return each player's rating and the ends of its interval, the strongest first.

    A rating is None if it is only known to be above `low` or below `high`; an open end is None.
    """
    names = sorted(players)
    found = ratings_of(effective_wins(results, names)[None])
    strongest_first = sorted(range(len(names)), key=lambda i: -found.best[0, i])
    return {
        names[i]: {
            "rating": _points(found.best[0, i]) if found.is_known[0, i] else None,
            "low": _points(found.low[0, i]),
            "high": _points(found.high[0, i]),
        }
        for i in strongest_first
    }


class Ratings(NamedTuple):
    """The ratings of many tournaments in natural units, each an array by tournament and player."""

    best: Any
    low: Any
    high: Any
    """The ends of the interval; an open end is infinite."""
    core: Any
    """Whether a player is in the core, whose mean is 0; everyone if there is none."""
    is_known: Any
    """Whether the rating is more than a bound."""


def ratings_of(wins: Any) -> Ratings:
    """Return the ratings of many tournaments: `wins[t, i, j]` is how often i beat j in the t-th."""
    core = _core(wins)
    has_core = core.any(axis=1, keepdims=True)
    is_known, core = core, core | ~has_core
    wins = wins + TINY * (wins + wins.transpose(0, 2, 1) > 0)
    best = _fit(wins, core)
    least = _likelihood(wins, best) - DROP
    low, high = (_ends(wins, core, best, least, sign) for sign in (-1.0, 1.0))
    return Ratings(best, low, high, core, is_known)


def _core(wins: Any) -> Any:
    """Return which players are in the largest group that is connected by wins both ways."""
    reached = (wins > 0) | np.eye(wins.shape[1], dtype=bool)
    for _ in range(wins.shape[1].bit_length()):
        reached = reached @ reached
    groups = reached & reached.transpose(0, 2, 1)
    sizes = groups.sum(axis=2)
    largest = groups[np.arange(len(wins)), sizes.argmax(axis=1)]
    return largest & (sizes.max(axis=1) > 1)[:, None]


def _ends(wins: Any, core: Any, best: Any, least: Any, sign: float) -> Any:
    """Return the lower or upper ends of the intervals, by the sign."""
    ends = np.empty_like(best)
    for player in range(best.shape[1]):
        near, far = best[:, player].copy(), np.full(len(best), sign * FARTHEST)
        fits = _fit(wins, core, best, player, far)
        is_open = _likelihood(wins, fits) >= least
        for _ in range(HALVINGS):
            middle = (near + far) / 2
            fits = _fit(wins, core, best, player, middle)
            is_inside = _likelihood(wins, fits) >= least
            near, far = np.where(is_inside, middle, near), np.where(is_inside, far, middle)
        ends[:, player] = np.where(is_open, sign * np.inf, near)
    return ends


def _fit(wins: Any, core: Any, start: Any = None, player: int | None = None, at: Any = None) -> Any:
    """Return the most likely ratings (Newton); the core's mean is 0, `player` is fixed `at`."""
    many, size, _ = wins.shape
    held = np.zeros((many, size, 1 if player is None else 2))
    held[:, :, 0] = core
    found = np.zeros((many, size)) if start is None else start.copy()
    if player is not None:
        held[:, player, 1] = 1.0
        found[:, player] = at
        moved = core & (np.arange(size) != player)
        apart = (found * core).sum(axis=1, keepdims=True)
        found -= moved * apart / np.maximum(moved.sum(axis=1, keepdims=True), 1)
    played = wins + wins.transpose(0, 2, 1)
    corner = np.zeros((many, held.shape[2], held.shape[2]))
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(found[:, None, :] - found[:, :, None]))
        slope = wins.sum(axis=2) - (played * chance).sum(axis=2)
        weights = played * chance * (1 - chance)
        bend = -weights + np.eye(size) * (weights.sum(axis=2)[:, :, None] + 1e-9)
        full = np.block([[bend, held], [held.transpose(0, 2, 1), corner]])
        right = np.concatenate([slope, corner[:, 0]], axis=1)
        step = np.linalg.solve(full, right[:, :, None])[:, :size, 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        found += step * np.minimum(1.0, 1.0 / np.maximum(longest, 1e-12))
        if longest.max(initial=0.0) < 1e-7:
            break
    return found


def _likelihood(wins: Any, ratings: Any) -> Any:
    apart = ratings[:, None, :] - ratings[:, :, None]
    return -(wins * np.logaddexp(0.0, apart)).sum(axis=(1, 2))


def effective_wins(results: Iterable[MatchResult], names: Sequence[str]) -> Any:
    """Return how often the player of each row beat that of each column, without repetitions."""
    place = {name: i for i, name in enumerate(names)}
    wins = np.zeros((len(names), len(names)))
    squares = np.zeros_like(wins)
    rated = Counter((result.played, result.winner) for result in results if result.is_rated)
    for (played, winner), count in rated.items():
        won, lost = (place[played.names[player - 1]] for player in (winner, other(winner)))
        wins[won, lost] += count
        squares[won, lost] += count**2
    matches, repeated = wins + wins.T, squares + squares.T
    return wins * np.divide(matches, repeated, out=np.zeros_like(wins), where=repeated > 0)


def _points(rating: float) -> int | None:
    """Return a rating in the points of chess; None for an open end."""
    return round(MIDDLE + SCALE * rating) if abs(rating) < FARTHEST else None
