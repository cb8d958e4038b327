"""Maximum matching and Gallai-Edmonds decomposition of a sparse graph that loses vertices.

A maximum matching with a maximal alternating forest rooted at its exposed vertices shows in which
part of the decomposition each vertex lies:

    OUTER  D, missed by some maximum matching,
    INNER  A, outside D but next to it,
    FREE   C, all the rest.

The kernels are in `trees`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from copy import copy
from itertools import chain
from typing import cast

from duels.games.chain.trees import (
    GONE,
    INNER,
    OUTER,
    Graph,
    Ints,
    Trees,
    rematch,
    remove_vertex,
    saturate,
)

DIGITS = [bytes(b"01"[other == side] for other in range(256)) for side in range(4)]
"""By side: a translation from sides to the digits of the bit set of that side."""
COMPACT = {"side": "B", "near": "i", "far": "i", "mark": "i", "queue": "i"}
"""The lists that are stored as arrays, which copy quickly and which the garbage collector skips."""

Progress = Callable[[float], None]


def _zeros(size: int, name: str) -> Ints:
    kind = COMPACT.get(name)
    return array(kind, bytes(array(kind).itemsize * size)) if kind else [0] * size


def divisor_graph(n: int) -> Graph:
    """Return the graph on 1..n that joins a and b if one is a proper divisor of the other."""
    offsets = [0] * (n + 2)
    for d in range(1, n + 1):
        offsets[d] += n // d - 1
        for m in range(2 * d, n + 1, d):
            offsets[m] += 1
    for v in range(1, n + 2):
        offsets[v] += offsets[v - 1]
    targets = [0] * offsets[-1]
    # Each offset is now the end of its list, and filling the list brings it back to the start.
    for d in range(1, n + 1):
        for m in range(2 * d, n + 1, d):
            offsets[d] -= 1
            targets[offsets[d]] = m
            offsets[m] -= 1
            targets[offsets[m]] = d
    return Graph(offsets, targets)


class Forest:
    """A maximum matching with its alternating forest, updated when a vertex is removed."""

    def __init__(
        self, graph: Graph, removed: Iterable[int] = (), *, progress: Progress | None = None
    ) -> None:
        """Start without the removed vertices; report to `progress` the share of work done."""
        size = len(graph.offsets) - 1
        self._graph = graph
        self._trees = trees = Trees(*(_zeros(size, name) for name in Trees._fields))
        trees.link[:] = list(range(size))
        for v in chain((0,), removed):
            trees.side[v] = GONE
            trees.link[v] = 0
        step = size // 100 + 1
        for start in range(size - 1, -1, -step):
            stop = max(start - step + 1, 0)
            saturate(graph, trees, start, stop)
            if progress:
                progress(1 - stop / size)

    @property
    def mate(self) -> list[int]:
        """The matching: mate[v] is v's partner, or 0."""
        return cast("list[int]", self._trees.mate)

    @property
    def pairs(self) -> int:
        """The number of pairs in the matching."""
        return sum(map(bool, self._trees.mate)) // 2

    @property
    def outer(self) -> int:
        """The bit set D: the vertices that some maximum matching misses."""
        return self._on(OUTER)

    @property
    def inner(self) -> int:
        """The bit set A."""
        return self._on(INNER)

    def _on(self, side: int) -> int:
        return int(bytes(self._trees.side).translate(DIGITS[side])[::-1], 2)

    def remove(self, u: int) -> None:
        """Remove u from the graph, and update matching and decomposition."""
        if self._trees.side[u] == GONE:
            raise ValueError(f"vertex {u} is not in the graph")
        remove_vertex(self._graph, self._trees, u)

    def without(self, *gone: int) -> Forest:
        """Return the forest of the graph without some vertices; this one does not change."""
        other = copy(self)
        other._trees = Trees(*map(copy, self._trees))
        for u in gone:
            other.remove(u)
        return other

    def matching_missing(self, u: int) -> list[int]:
        """Return a maximum matching, like `mate`, that misses the outer vertex u."""
        if self._trees.side[u] != OUTER:
            raise ValueError(f"every maximum matching covers vertex {u}")
        mate = copy(self._trees.mate)
        rematch(self._trees._replace(mate=mate), u, 0)
        return cast("list[int]", mate)

    def blossoms(self) -> list[list[int]]:
        """Return the odd cycle of each blossom; a blossom comes after those inside it.

        A cycle is given by the two ends of each edge; all are in one list, because proofs are long.
        """
        trees = self._trees
        mate, parent, blossom = trees.mate, trees.parent, trees.blossom
        near, far = trees.near, trees.far
        cycles: list[list[int]] = []
        turned = [v for v, serial in enumerate(blossom) if serial]
        last = 0
        for v in sorted(turned, key=blossom.__getitem__):
            if blossom[v] != last:
                last = blossom[v]
                cycles.append([near[v], far[v], v, mate[v], v, parent[v]])
            else:
                cycles[-1] += v, mate[v], v, parent[v]
        return cycles
