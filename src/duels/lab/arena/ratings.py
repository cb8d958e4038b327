"""Ratings by the model of Bradley and Terry: all matches at once, so that order says nothing.

A rating is told against the mean of all. Half a win each way is added to every pair that has met,
which keeps the rating of somebody who never loses finite. Its interval is what the matches do not
contradict: all ratings under which they are not much less likely than under the best ones (the
profile likelihood, without the half wins). An end may be open: nothing contradicts that somebody
who never lost is any stronger. `scripts/bench intervals` shows how often the truth is inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from duels.core.errors import DuelsError, install
from duels.core.game import other
from duels.lab.arena.line import Played

try:
    import numpy as np
except ImportError:
    raise DuelsError(f"The arena needs numpy. {install('arena')}") from None

SCALE = 400 / 2.302585092994046
"""As in chess: 400 points are ten to one."""
MIDDLE = 1500
DROP = 3.841459 / 2
"""How far the logarithm of the likelihood may fall: 95 % by the distribution of its double."""
FARTHEST = 12.0
"""Where an end counts as open, in natural units: beyond 2,000 points."""
HARDLY = 1e-3
"""Wins each way that are added where only the likelihood counts, so that there is a highest one."""
STEPS, HALVINGS = 60, 28


def rate(lines: Iterable[Played], players: Sequence[str]) -> dict[str, dict[str, int | None]]:
    """The rating of each player and the ends of its interval, None if open; the mean is 1500."""
    names = sorted(players)
    found = ratings_of(_wins(lines, names)[None])
    return {
        name: dict(zip(("rating", "low", "high"), (_points(of[0, i]) for of in found), strict=True))
        for i, name in enumerate(names)
    }


def ratings_of(wins: Any) -> tuple[Any, Any, Any]:
    """Of many tournaments at once: the ratings and both ends, in natural units around 0.

    `wins[t, i, j]` is how often i has beaten j. An open end is infinite.
    """
    met = wins + wins.transpose(0, 2, 1) > 0
    fitted = _fit(wins + 0.5 * met)
    bare = wins + HARDLY * met
    best = _fit(bare)
    least = _likelihood(bare, best) - DROP
    low, high = (_ends(bare, best, least, sign) for sign in (-1.0, 1.0))
    return fitted, np.minimum(low, fitted), np.maximum(high, fitted)


def _ends(wins: Any, best: Any, least: Any, sign: float) -> Any:
    """For each player, how far its rating can go until all matches become too unlikely."""
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
    """The most likely ratings with mean 0, one of them held fast if that is said (Newton)."""
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


def _wins(lines: Iterable[Played], names: Sequence[str]) -> Any:
    """How often the player of a row has beaten the player of a column."""
    place = {name: i for i, name in enumerate(names)}
    wins = np.zeros((len(names), len(names)))
    for line in lines:
        if line.is_rated:
            winner, loser = (line.names[player - 1] for player in (line.winner, other(line.winner)))
            wins[place[winner], place[loser]] += 1
    return wins


def _points(rating: float) -> int | None:
    """In the points of chess; None for an end that is open."""
    return round(MIDDLE + SCALE * rating) if abs(rating) < FARTHEST else None
