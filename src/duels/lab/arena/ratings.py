"""Ratings by the Bradley-Terry model: all matches at once, so that their order does not matter.

A rating is relative to the mean of all players. Half a win each way is added to every pair that has
met, which keeps the rating of a player who never loses finite. The interval is by profile
likelihood, without the half wins: all ratings under which the matches are not much less likely than
under the best ones. An end may be open: a player who never lost may be any stronger.
`scripts/bench intervals` shows how often the true rating is inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from duels.core.errors import DuelsError, install
from duels.core.game import other
from duels.lab.arena.results import MatchResult

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
    """Return each player's rating and the ends of its interval, None if open; the mean is 1500."""
    names = sorted(players)
    found = ratings_of(_wins(results, names)[None])
    return {
        name: dict(zip(("rating", "low", "high"), (_points(of[0, i]) for of in found), strict=True))
        for i, name in enumerate(names)
    }


def ratings_of(wins: Any) -> tuple[Any, Any, Any]:
    """Return the ratings of many tournaments and both ends, in natural units around 0.

    `wins[t, i, j]` is how often i beat j in tournament t. An open end is infinite.
    """
    met = wins + wins.transpose(0, 2, 1) > 0
    fitted = _fit(wins + 0.5 * met)
    bare = wins + TINY * met
    best = _fit(bare)
    least = _likelihood(bare, best) - DROP
    low, high = (_ends(bare, best, least, sign) for sign in (-1.0, 1.0))
    return fitted, np.minimum(low, fitted), np.maximum(high, fitted)


def _ends(wins: Any, best: Any, least: Any, sign: float) -> Any:
    """Return how far each rating can go until the matches become too unlikely."""
    ends = np.empty_like(best)
    for player in range(best.shape[1]):
        near, far = best[:, player].copy(), np.full(len(best), sign * FARTHEST)
        fits = _fit(wins, best, player, far)
        is_open = _likelihood(wins, fits) >= least
        for _ in range(HALVINGS):
            middle = (near + far) / 2
            fits = _fit(wins, best, player, middle)
            is_inside = _likelihood(wins, fits) >= least
            near, far = np.where(is_inside, middle, near), np.where(is_inside, far, middle)
        ends[:, player] = np.where(is_open, sign * np.inf, near)
    return ends


def _fit(wins: Any, start: Any = None, player: int | None = None, at: Any = None) -> Any:
    """Return the most likely ratings with mean 0, by Newton; that of `player` is fixed to `at`."""
    many, size, _ = wins.shape
    held = np.zeros((size, 1 if player is None else 2))
    held[:, 0] = 1.0
    found = np.zeros((many, size)) if start is None else start.copy()
    if player is not None:
        held[player, 1] = 1.0
        found[:, player] = at
        found[:, np.arange(size) != player] -= found.sum(axis=1, keepdims=True) / max(size - 1, 1)
    played = wins + wins.transpose(0, 2, 1)
    corner = np.zeros((held.shape[1], held.shape[1]))
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(found[:, None, :] - found[:, :, None]))
        slope = wins.sum(axis=2) - (played * chance).sum(axis=2)
        weights = played * chance * (1 - chance)
        bend = -weights + np.eye(size) * (weights.sum(axis=2)[:, :, None] + 1e-9)
        full = np.block(
            [
                [bend, np.broadcast_to(held, (many, *held.shape))],
                [
                    np.broadcast_to(held.T, (many, *held.T.shape)),
                    np.broadcast_to(corner, (many, *corner.shape)),
                ],
            ]
        )
        right = np.concatenate([slope, np.zeros((many, held.shape[1]))], axis=1)
        step = np.linalg.solve(full, right[:, :, None])[:, :size, 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        found += step * np.minimum(1.0, 1.0 / np.maximum(longest, 1e-12))
        if longest.max(initial=0.0) < 1e-7:
            break
    return found


def _likelihood(wins: Any, ratings: Any) -> Any:
    apart = ratings[:, None, :] - ratings[:, :, None]
    return -(wins * np.logaddexp(0.0, apart)).sum(axis=(1, 2))


def _wins(results: Iterable[MatchResult], names: Sequence[str]) -> Any:
    """Return how often the player of each row beat the player of each column."""
    place = {name: i for i, name in enumerate(names)}
    wins = np.zeros((len(names), len(names)))
    for result in results:
        if result.is_rated:
            players = (result.winner, other(result.winner))
            winner, loser = (result.names[player - 1] for player in players)
            wins[place[winner], place[loser]] += 1
    return wins


def _points(rating: float) -> int | None:
    """Return a rating in the points of chess; None for an open end."""
    return round(MIDDLE + SCALE * rating) if abs(rating) < FARTHEST else None
