"""Pairing a class for a round: by score, without repeating pairs if possible, and with fair sides.

Pupils who have not met are the edges of a graph, and a round is a matching in it: the forests that
decide Number Duel also decide whether all remaining pupils can still meet a new opponent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

from duels.games.chain.dense import Forest

COMPUTER = ""
"""The id of the computer, which plays a pupil without a partner."""
Pair = tuple[str, str]
"""Two pupils; the first one moves first."""


def pair_up(
    pupils: Sequence[str], played: Sequence[Pair], score: Mapping[str, float]
) -> list[Pair]:
    """Return the pairs of a round for all `pupils`, given the games played so far.

    Pupils meet others with similar scores, unless that would force a pair to meet again.
    """
    waiting = sorted(pupils, key=lambda pupil: -score.get(pupil, 0))
    if len(waiting) % 2:
        waiting.append(COMPUTER)
    met, tilt = {frozenset(pair) for pair in played}, _tilt(played)
    unfair = {frozenset((a, b)) for a in waiting for b in waiting if a != b and _tilted(tilt, a, b)}
    pairs: list[Pair] = []
    while waiting:
        one, *others = waiting
        liked = sorted(others, key=_likeness(one, score, tilt))
        two = _partner(one, liked, met | unfair)
        if _again(waiting, met) < _again(_without(waiting, one, two), met) + ({one, two} in met):
            two = _partner(one, liked, met)
        pairs.append(_seated(one, two, played, tilt))
        waiting = _without(waiting, one, two)
    return pairs


def _partner(one: str, others: Sequence[str], avoided: Collection[frozenset[str]]) -> str:
    """Return the first of the others with whom the round has the fewest repeated pairs."""
    fewest = _again([one, *others], avoided)
    return next(
        two
        for two in others
        if _again(_without(others, two), avoided) + ({one, two} in avoided) == fewest
    )


def _without(pupils: Sequence[str], *gone: str) -> list[str]:
    return [pupil for pupil in pupils if pupil not in gone]


def _again(pupils: Sequence[str], avoided: Collection[frozenset[str]]) -> int:
    """Return the least number of repeated pairs in a round of all these pupils."""
    places = range(1, len(pupils) + 1)
    new = {
        one: sum(
            1 << two
            for two in places
            if one != two and frozenset((pupils[one - 1], pupils[two - 1])) not in avoided
        )
        for one in places
    }
    forest = Forest(new, sum(1 << place for place in places))
    return (len(pupils) - sum(mate > 0 for mate in forest.mate)) // 2


def _tilt(played: Sequence[Pair]) -> Counter[str]:
    """Return for each pupil how much more often they have moved first than second."""
    tilt: Counter[str] = Counter()
    for first, second in played:
        tilt[first] += 1
        tilt[second] -= 1
    return tilt


def _tilted(tilt: Counter[str], one: str, two: str) -> bool:
    """Say whether one of the two would have had one side three times more often than the other."""
    return min(tilt[one], tilt[two]) > 1 or max(tilt[one], tilt[two]) < -1


def _likeness(
    one: str, score: Mapping[str, float], tilt: Counter[str]
) -> Callable[[str], tuple[bool, float, bool]]:
    """Return a sort key for opponents: the computer last, similar scores, different sides."""
    return lambda two: (
        two == COMPUTER,
        abs(score.get(one, 0) - score.get(two, 0)),
        tilt[one] * tilt[two] > 0,
    )


def _seated(one: str, two: str, played: Sequence[Pair], tilt: Counter[str]) -> Pair:
    """Return the pair in order: first the pupil who moved first less often, or not last time."""
    if tilt[one] != tilt[two]:
        return (one, two) if tilt[one] < tilt[two] else (two, one)
    for first, second in reversed(played):
        if {first, second} & {one, two}:
            return (two, one) if one == first or two == second else (one, two)
    return one, two
