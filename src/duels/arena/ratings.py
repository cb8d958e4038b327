"""Ratings by the model of Bradley and Terry: all matches at once, so that order says nothing.

Half a win each way is added to every pair that has met, which keeps the rating of somebody who
never loses finite. Intervals are a bootstrap over the matches of each pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from duels.arena.line import Played
from duels.core.errors import OptionError, install
from duels.core.game import other

SCALE = 400 / 2.302585092994046
"""As in chess: 400 points are ten to one."""
MIDDLE = 1500
SAMPLES = 300
LEVEL = 95
"""Per cent of the samples that an interval holds."""


def require_ratings() -> None:
    """A sentence, before anything is played, if what ratings need is not installed."""
    for name in ("numpy", "choix"):
        try:
            import_module(name)
        except ImportError:
            raise OptionError(f"The arena needs {name}. {install('arena')}") from None


def rate(
    lines: Iterable[Played], players: Sequence[str], *, seed: int = 0
) -> dict[str, dict[str, float]]:
    """The rating of each player with the ends of its interval; the mean of all is 1500."""
    import numpy as np

    names = sorted(players)
    wins = _wins(lines, names)
    met = wins + wins.T > 0
    chance = np.random.default_rng(abs(seed))
    fitted = _fit(wins, met)
    played = (wins + wins.T).astype(int)
    # Drawn with half a win each way too: a pair of 30 to 0 could go otherwise next time.
    likely = (wins + 0.5) / (played + 1)
    drawn = np.triu(chance.binomial(played, likely, (SAMPLES, *played.shape)), 1)
    different, place = np.unique(drawn, axis=0, return_inverse=True)
    fits = np.array([_fit(above + np.triu(played - above, 1).T, met) for above in different])
    low, high = np.percentile(fits[place.ravel()], [(100 - LEVEL) / 2, (100 + LEVEL) / 2], axis=0)
    return {
        name: {
            "rating": round(float(fitted[i])),
            "low": round(float(min(low[i], fitted[i]))),
            "high": round(float(max(high[i], fitted[i]))),
        }
        for i, name in enumerate(names)
    }


def _wins(lines: Iterable[Played], names: Sequence[str]) -> Any:
    """How often the player of a row has beaten the player of a column."""
    import numpy as np

    place = {name: i for i, name in enumerate(names)}
    wins = np.zeros((len(names), len(names)))
    for line in lines:
        if line.is_rated:
            winner, loser = (line.names[player - 1] for player in (line.winner, other(line.winner)))
            wins[place[winner], place[loser]] += 1
    return wins


def _fit(wins: Any, met: Any) -> Any:
    choix = import_module("choix")
    if not met.any():
        return wins.sum(axis=0) + MIDDLE
    fitted = choix.ilsr_pairwise_dense(wins + 0.5 * met, alpha=1e-9)
    return MIDDLE + SCALE * (fitted - fitted.mean())
