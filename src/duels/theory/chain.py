"""The chain games: undirected vertex geography, solved by a maximum matching.

Let G be the graph of the unused numbers. Taking u wins if and only if some maximum matching of G
misses u (Fraenkel, Scheinerman and Ullman, 1993). One decomposition of G grades every move at once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.util import find_spec
from threading import Lock
from typing import Protocol

from duels.core.bits import members, up_to
from duels.games.chain import ChainGame, ChainPosition
from duels.games.criteria import CRITERIA
from duels.theory import dense, sparse
from duels.theory.verdict import Proof, no_collection

Progress = Callable[[float], None]

COMPILED_FROM = 20_000
"""Boards from this size on are worth the time it takes to load a compiler, if there is one."""


class Forest(Protocol):
    """What both kinds of forest answer: see `sparse` and `dense`."""

    @property
    def mate(self) -> list[int]: ...

    def outer_among(self, bits: int) -> tuple[int, ...]: ...

    def inner_vertices(self) -> list[int]: ...

    def matching_missing(self, u: int) -> list[int]: ...

    def blossoms(self) -> list[list[int]]: ...

    def without(self, u: int) -> Forest: ...


def winning_chain(position: ChainPosition, progress: Progress | None = None) -> tuple[int, ...]:
    """The winning moves."""
    return forest_of(position, progress).outer_among(position.legal)


def prove_chain(position: ChainPosition, winning: Sequence[int]) -> Proof:
    """A matching, with the barrier and the odd cycles that show which numbers it can miss."""
    forest = forest_of(position)
    best = _best_opening(position, winning)
    mate = forest.matching_missing(best) if best else forest.mate
    return {
        "kind": "matching",
        "move": best,
        "pairs": [(one, two) for one, two in enumerate(mate) if one < two],
        "barrier": forest.inner_vertices(),
        "blossoms": forest.blossoms(),
    }


def _best_opening(position: ChainPosition, winning: Sequence[int]) -> int | None:
    """The winning move that leaves the fewest answers; large numbers are looked at first."""
    neighbours, unused = position.game.neighbours, position.unused
    candidates = winning[-64:]
    return min(
        reversed(candidates),
        key=lambda number: (neighbours[number] & unused).bit_count(),
        default=None,
    )


def forest_of(position: ChainPosition, progress: Progress | None = None) -> Forest:
    """The forest of the unused numbers, repaired from that of a moment ago if we still have it."""
    game, unused = position.game, position.unused
    later: list[int] = []
    for move in (0, *position.moves[:-4:-1]):
        if move:
            later.append(int(move))  # type: ignore[arg-type]
            unused |= 1 << later[-1]
        forest = _recent.get(game, unused)
        if forest:
            break
    else:
        later, forest = [], None
    if forest and not later:
        return forest
    with no_collection():
        forest = forest or _new_forest(position, progress)
        for number in reversed(later):
            forest = forest.without(number)
    _recent.put(game, position.unused, forest)
    return forest


def _new_forest(position: ChainPosition, progress: Progress | None) -> Forest:
    game = position.game
    if game.rules != (CRITERIA["factor"],):
        return dense.Forest(game.neighbours, position.unused)
    removed = members(up_to(game.numbers) ^ position.unused)
    compiled = game.numbers >= COMPILED_FROM and find_spec("numba") is not None
    return sparse.Forest(_divisor_graph(game.numbers, compiled), removed, progress=progress)


@lru_cache(maxsize=2)
def _divisor_graph(numbers: int, compiled: bool) -> sparse.Graph:
    return sparse.divisor_graph(numbers, compiled=compiled)


class _Recent:
    """The forests of the last positions. They are never changed, only copied and repaired."""

    def __init__(self) -> None:
        self._forests: OrderedDict[tuple[ChainGame, int], Forest] = OrderedDict()
        self._numbers = 0
        self._lock = Lock()

    def get(self, game: ChainGame, unused: int) -> Forest | None:
        with self._lock:
            forest = self._forests.get((game, unused))
            if forest:
                self._forests.move_to_end((game, unused))
            return forest

    def put(self, game: ChainGame, unused: int, forest: Forest) -> None:
        with self._lock:
            if (game, unused) not in self._forests:
                self._numbers += game.numbers
            self._forests[game, unused] = forest
            while len(self._forests) > MOST_FORESTS or (
                self._numbers > MOST_NUMBERS and len(self._forests) > FEWEST_FORESTS
            ):
                (oldest, _), _ = self._forests.popitem(last=False)
                self._numbers -= oldest.numbers

    def clear(self) -> None:
        with self._lock:
            self._forests.clear()
            self._numbers = 0


MOST_FORESTS, FEWEST_FORESTS, MOST_NUMBERS = 64, 2, 40_000
"""How many forests are kept: many small ones (a server has many matches), few large ones."""

_recent = _Recent()
