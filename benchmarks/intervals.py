"""How often the 95 % interval of a rating holds the truth, in simulated tournaments.

An interval shall miss in 2.5 % on either side. One that is open can only miss on the other side, so
it holds the truth in about 97.5 %, and results of few games come in steps: that is why a field in
which nearly every interval is open is covered in 98 % and more.

scripts/bench intervals [TOURNAMENTS]
"""

from __future__ import annotations

import sys
from time import perf_counter

import numpy as np

from duels.lab.arena.ratings import SCALE, ratings_of

FIELDS = {
    "close": (0, 20, 50, 90),
    "spread": (0, 100, 250, 800),
    "lopsided": (0, 400, 800, 1200),
    "one ahead": (0, 0, 0, 0, 0, 1000),
}
"""True strengths in points."""
GAMES = (5, 20, 200)
"""Of each pair."""


def main(tournaments: int) -> None:
    print(f"{tournaments:,} tournaments each; covered: share of ratings inside their interval.")
    print("     field games a pair  covered   worst    best   open  above  below  width")
    began = perf_counter()
    worst, best = 1.0, 0.0
    for name, strengths in FIELDS.items():
        truth = np.array(strengths) / SCALE
        truth = truth - truth.mean()
        chance = 1 / (1 + np.exp(truth[None, :] - truth[:, None]))
        for games in GAMES:
            random = np.random.default_rng([games, len(strengths), sum(strengths)])
            drawn = random.binomial(games, chance, (tournaments, *chance.shape))
            above = np.triu(drawn, 1)
            wins = above + np.triu(games - above, 1).transpose(0, 2, 1)
            _, low, high = ratings_of(wins.astype(float))
            inside = ((low <= truth) & (truth <= high)).mean(axis=0)
            above, below = (truth < low).mean(), (truth > high).mean()
            is_open = np.isinf(low) | np.isinf(high)
            width = np.median((high - low)[~is_open]) * SCALE if (~is_open).any() else np.nan
            print(
                f"{name:>10} {games:>12} {inside.mean():>8.1%} {inside.min():>7.1%} "
                f"{inside.max():>7.1%} {is_open.mean():>6.0%} {above:>6.1%} {below:>6.1%} "
                f"{width:>6.0f}"
            )
            worst, best = min(worst, inside.min()), max(best, inside.max())
    print("above, below: intervals that lie above or below the truth, each aimed at 2.5%;")
    print("one that is open on a side cannot miss there, and covers about 97.5%.")
    print(f"Each player on its own: {worst:.1%} to {best:.1%}. {perf_counter() - began:.0f} s.")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)
