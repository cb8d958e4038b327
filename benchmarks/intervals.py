"""How often the 95 % intervals of the arena hold the truth, in simulated tournaments.

Two deterministic players repeat a game whenever they get the same opening again, so with few
openings most matches are repetitions. An interval shall miss in 2.5 % on either side. A bound can
only miss on one side, so it holds the truth in about 97.5 %, and results of few games come in
steps: that is why a field in which nearly every rating is a bound is covered in 98 % and more. A
share of matches won is counted as if the opponents were drawn at random too, so it is covered more
often than it says if some are much stronger than others.

scripts/bench intervals [TOURNAMENTS]
"""

from __future__ import annotations

import sys
from itertools import combinations
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from duels.lab.arena.matches import MatchResult, grade_players
from duels.lab.arena.ratings import SCALE, effective_wins, ratings_of
from duels.lab.reports import ALL_GAMES

FIELDS = {
    "close": (0, 20, 50, 90),
    "spread": (0, 100, 250, 800),
    "lopsided": (0, 400, 800, 1200),
    "one ahead": (0, 0, 0, 0, 0, 1000),
}
"""True strengths in points."""
ROUNDS = ((3, 1000), (30, 1), (30, 10), (30, 1000))
"""Rounds of two matches a pair, and the openings that each round draws one of."""


class Coverage(NamedTuple):
    """Which intervals hold the truth, each an array by tournament and player."""

    rating: Any
    above: Any
    """Whether the interval of the rating lies above the truth."""
    below: Any
    is_bound: Any
    width: float
    won: Any
    distinct: float
    """Distinct matches of a pair."""


def simulate(strengths: tuple[int, ...], rounds: int, openings: int, tournaments: int) -> Coverage:
    """Play tournaments between deterministic players; the same arguments give the same numbers."""
    truth = np.array(strengths) / SCALE
    chance = 1 / (1 + np.exp(truth[None, :] - truth[:, None]))
    share = (chance.sum(axis=1) - 0.5) / (len(truth) - 1)
    names = [f"player {number}" for number in range(len(truth))]
    random = np.random.default_rng([rounds, openings, *strengths])
    wins, won, distinct = [], [], 0
    for _ in range(tournaments):
        results = tournament(random, chance, names, rounds, openings)
        wins.append(effective_wins(results, names))
        distinct += len({result.played for result in results})
        grades = grade_players(results)[ALL_GAMES]
        ends = np.array([grades[name].won.data()["interval"] for name in names])
        won.append((ends[:, 0] <= share) & (share <= ends[:, 1]))
    found = ratings_of(np.array(wins))
    core = found.core / found.core.sum(axis=1, keepdims=True)
    relative = truth - (truth * core).sum(axis=1, keepdims=True)
    above, below = relative < found.low, relative > found.high
    width = (found.high - found.low)[found.is_known]
    pairs = len(truth) * (len(truth) - 1) / 2 * tournaments
    return Coverage(
        rating=~above & ~below,
        above=above,
        below=below,
        is_bound=~found.is_known,
        width=float(np.median(width) * SCALE) if len(width) else float("nan"),
        won=np.array(won),
        distinct=distinct / pairs,
    )


def tournament(
    random: Any, chance: Any, names: list[str], rounds: int, openings: int
) -> list[MatchResult]:
    """Return the results of a round robin: the opening and the sides decide every match."""
    results = []
    for one, two in combinations(range(len(names)), 2):
        is_won = random.random((openings, 2)) < chance[one, two]
        for number, opening in enumerate(random.integers(openings, size=rounds).tolist()):
            for side, seats in enumerate(((one, two), (two, one))):
                is_first = bool(is_won[opening, side]) == (side == 0)
                record = {
                    "player1": names[seats[0]],
                    "player2": names[seats[1]],
                    "result": "1-0" if is_first else "0-1",
                    "moves": [opening],
                }
                results.append(MatchResult("simulated", number, record, ()))
    return results


def main(tournaments: int) -> None:
    print(f"{tournaments:,} tournaments each; covered: share of ratings inside their interval.")
    head = "     field  a pair distinct  covered  worst   best bounds  above  below  width    won"
    print(head)
    began = perf_counter()
    for name, strengths in FIELDS.items():
        for rounds, openings in ROUNDS:
            found = simulate(strengths, rounds, openings, tournaments)
            each = found.rating.mean(axis=0)
            print(
                f"{name:>10} {2 * rounds:>7} {found.distinct:>8.1f} {each.mean():>8.1%} "
                f"{each.min():>6.1%} {each.max():>6.1%} {found.is_bound.mean():>6.0%} "
                f"{found.above.mean():>6.1%} {found.below.mean():>6.1%} {found.width:>6.0f} "
                f"{found.won.mean():>6.1%}",
                flush=True,
            )
    print("above, below: intervals that lie above or below the truth, each aimed at 2.5%.")
    print(f"won: covered shares of matches won. {perf_counter() - began:.0f} s.")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
