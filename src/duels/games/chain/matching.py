"""Maximum matchings of the unused numbers: computed once, then repaired after each move."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Protocol

from duels.core.fast import Bounded, is_numba_installed, members, up_to
from duels.games.chain import dense, sparse
from duels.games.chain.criteria import CRITERIA
from duels.games.chain.rules import FEW, ChainGame, ChainPosition
from duels.games.chain.sparse import Graph
from duels.theory.theory import Progress
from duels.theory.verdict import no_collection

COMPILED_FROM = 20_000
"""Boards of at least this size are worth the time it takes to load the compiler, if there is
one."""


class Forest(Protocol):
    """The interface that `sparse`, `compiled` and `dense` forests share."""

    @property
    def mate(self) -> list[int]: ...

    @property
    def pairs(self) -> int: ...

    @property
    def outer(self) -> int: ...

    @property
    def inner(self) -> int: ...

    def matching_missing(self, u: int) -> list[int]: ...

    def blossoms(self) -> list[list[int]]: ...

    def without(self, *gone: int) -> Forest: ...


def forest_of(position: ChainPosition, progress: Progress | None = None) -> Forest:
    """Return the forest of the unused numbers, repaired from a recent position's if possible."""
    game, unused = position.game, position.unused
    recent: Recent = game.memory.setdefault("forests", Recent(game.size))
    later: list[int] = []
    for move in (0, *position.moves[:-4:-1]):
        if move:
            later.append(move)
            unused |= 1 << move
        forest = recent.get(unused)
        if forest:
            break
    else:
        later, forest = [], None
    if forest and not later:
        return forest
    with no_collection():
        forest = forest.without(*reversed(later)) if forest else _new_forest(position, progress)
    recent.put(position.unused, forest)
    return forest


def outer_of(position: ChainPosition, progress: Progress | None = None) -> int:
    """Return the unused numbers that some maximum matching misses; cached on small boards."""
    unused, memory = position.unused, position.game.memory
    if unused >= FEW:
        return forest_of(position, progress).outer
    if "outer" not in memory:
        memory["outer"] = Bounded[int, int](MOST_OUTER)
    known: Bounded[int, int] = memory["outer"]
    outer = known.get(unused)
    if outer is None:
        outer = known[unused] = forest_of(position).outer
    return outer


def is_compiled(game: ChainGame) -> bool:
    """Say whether compiled code solves this game: a large board of factors and multiples."""
    by_factors = game.rules == (CRITERIA["factor"],)
    return by_factors and game.size >= COMPILED_FROM and is_numba_installed()


def _new_forest(position: ChainPosition, progress: Progress | None) -> Forest:
    game = position.game
    if game.rules != (CRITERIA["factor"],):
        return dense.Forest(game.neighbours, position.unused)
    if is_compiled(game):
        from duels.games.chain import compiled

        return compiled.Forest(game.size, position.unused, progress=progress)
    removed = members(up_to(game.size) ^ position.unused)
    return sparse.Forest(_divisor_graph(game), removed, progress=progress)


def _divisor_graph(game: ChainGame) -> Graph:
    if "graph" not in game.memory:
        game.memory["graph"] = sparse.divisor_graph(game.size)
    graph: Graph = game.memory["graph"]
    return graph


class Recent:
    """The forests of a game's last positions; they are never changed, only copied and repaired."""

    def __init__(self, size: int) -> None:
        self._most = min(MOST_FORESTS, max(FEWEST_FORESTS, MOST_NUMBERS // size))
        self._forests: OrderedDict[int, Forest] = OrderedDict()
        self._lock = Lock()

    def get(self, unused: int) -> Forest | None:
        with self._lock:
            forest = self._forests.get(unused)
            if forest:
                self._forests.move_to_end(unused)
            return forest

    def put(self, unused: int, forest: Forest) -> None:
        with self._lock:
            self._forests[unused] = forest
            while len(self._forests) > self._most:
                self._forests.popitem(last=False)


MOST_FORESTS, FEWEST_FORESTS, MOST_NUMBERS = 64, 2, 40_000
"""How many forests a game caches: many small ones, few large ones."""
MOST_OUTER = 50_000
"""How many sets of outer numbers a game caches, on a small board."""
