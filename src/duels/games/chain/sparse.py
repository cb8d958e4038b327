"""Maximum matching and Gallai-Edmonds decomposition of a sparse graph that loses vertices.

A maximum matching with a maximal alternating forest rooted at its exposed vertices shows in which
part of the decomposition each vertex lies:

    OUTER  D, missed by some maximum matching,
    INNER  A, outside D but next to it,
    FREE   C, all the rest.

Vertices are 1..n; 0 means "none". `divisors` is a compiled version for the divisor graph.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, MutableSequence
from copy import copy
from itertools import chain, compress
from typing import NamedTuple, cast

FREE, OUTER, INNER, GONE = range(4)
"""The sides of the decomposition, and GONE for removed vertices."""
DIGITS = [bytes(b"01"[other == side] for other in range(256)) for side in range(4)]
"""By side: a translation from sides to the digits of the bit set of that side."""
COMPACT = {"side": "B", "near": "i", "far": "i", "mark": "i", "queue": "i"}
"""The lists that are stored as arrays, which copy quickly and which the garbage collector skips."""

Progress = Callable[[float], None]
Ints = MutableSequence[int]


class Graph(NamedTuple):
    """All adjacency lists in one: the neighbours of v are targets[offsets[v] : offsets[v + 1]]."""

    offsets: Ints
    targets: Ints


class Trees(NamedTuple):
    """A matching and its alternating forest; all but `queue` are indexed by vertex."""

    mate: Ints
    side: Ints
    parent: Ints  # the outer vertex from which this one was reached as an inner vertex
    link: Ints  # union-find: leads to the base of the blossom; 0 if inner or gone
    blossom: Ints  # serial number of the blossom that made this inner vertex outer...
    near: Ints  # ...and the two ends of the edge that closed it
    far: Ints
    mark: Ints  # serial number of the last blossom searched for here; mark[0] is the latest of all
    queue: Ints


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
        turned = compress(range(len(blossom)), blossom)
        last = 0
        for v in sorted(turned, key=blossom.__getitem__):
            if blossom[v] != last:
                last = blossom[v]
                cycles.append([near[v], far[v], v, mate[v], v, parent[v]])
            else:
                cycles[-1] += v, mate[v], v, parent[v]
        return cycles


# How trees grow, and are repaired


def _neighbours(graph: Graph, v: int) -> Ints:
    return graph.targets[graph.offsets[v] : graph.offsets[v + 1]]


def _base(link: Ints, v: int) -> int:
    while link[v] != v:
        link[v] = link[link[v]]
        v = link[v]
    return v


def _clear(trees: Trees, v: int) -> None:
    trees.side[v] = FREE
    trees.parent[v] = trees.blossom[v] = 0
    trees.link[v] = v


def rematch(trees: Trees, v: int, w: int) -> None:
    """Match the outer vertex v to w and flip the even alternating path from v to its root."""
    mate = trees.mate
    pending = [v, w]
    while pending:
        w = pending.pop()
        v = pending.pop()
        old = mate[v]
        mate[v] = w
        if mate[old] != v:  # v was the root, or the path has met a part flipped before
            continue
        if trees.blossom[v]:
            x, y = trees.near[v], trees.far[v]
            pending.extend((y, x, x, y))
        else:
            mate[old] = trees.parent[old]
            pending.extend((mate[old], old))


def _attach(trees: Trees, x: int, y: int, tail: int) -> int:
    """Hang the matched free vertex y on the outer vertex x and queue y's mate as outer."""
    z = trees.mate[y]
    trees.side[y] = INNER
    trees.link[y] = 0
    trees.parent[y] = x
    trees.side[z] = OUTER
    trees.queue[tail] = z
    return tail + 1


def _shrink(trees: Trees, x: int, y: int, base: int, other: int, tail: int) -> int:
    """Contract the blossom closed by the edge x-y; queue its inner vertices, now outer.

    `base` and `other` are the bases of x and y.
    """
    mate, side, parent, link, blossom, near, far, mark, queue = trees
    serial = mark[0] + 1
    mark[0] = serial
    a, b = base, other
    # Climb from both ends in turn, so that the work is bounded by the size of the blossom.
    while mark[a] != serial:
        mark[a] = serial
        a = _base(link, parent[mate[a]])  # 0 above a root
        if b:
            a, b = b, a
    for p, q, v in ((x, y, base), (y, x, other)):
        while v != a:
            o = mate[v]
            link[v] = link[o] = a
            side[o] = OUTER
            blossom[o], near[o], far[o] = serial, p, q
            queue[tail] = o
            tail += 1
            v = _base(link, parent[o])
    return tail


def _grow(graph: Graph, trees: Trees, tail: int) -> None:
    """Grow from the outer vertices queue[:tail]; an augmenting path is flipped, its tree freed."""
    offsets, targets = graph
    mate, side, link, queue = trees.mate, trees.side, trees.link, trees.queue
    head = 0
    while head < tail:
        x = queue[head]
        head += 1
        base = link[x]
        if link[base] != base:
            base = _base(link, x)
        for y in targets[offsets[x] : offsets[x + 1]]:
            lead = link[y]
            if not lead or lead == base:
                continue
            if side[y] == OUTER:
                other = _base(link, y)
                if other != base:
                    tail = _shrink(trees, x, y, base, other, tail)
                    base = _base(link, x)
            elif mate[y]:
                tail = _attach(trees, x, y, tail)
            else:
                mate[y] = x
                rematch(trees, x, y)
                for v in queue[:tail]:
                    _clear(trees, v)
                    _clear(trees, mate[v])
                return


def _search(graph: Graph, trees: Trees, v: int) -> None:
    """Search from v if it is exposed and in no tree; keep the tree if the search fails."""
    if trees.side[v] == FREE and trees.mate[v] == 0:
        trees.side[v] = OUTER
        trees.queue[0] = v
        _grow(graph, trees, 1)


def saturate(graph: Graph, trees: Trees, start: int, stop: int) -> None:
    """Search from every vertex from `start` down to `stop`.

    Of the orders that were tried this is by far the fastest on divisors, with an empty matching at
    the start: the highest numbers have few neighbours, and the first search finds a partner for
    nearly all of them.
    """
    for v in range(start, stop - 1, -1):
        _search(graph, trees, v)


def _uproot(trees: Trees, u: int) -> list[int]:
    """Expose the outer vertex u, free all vertices of its tree, and return the inner ones."""
    mate, side, parent, queue = trees.mate, trees.side, trees.parent, trees.queue
    root = _base(trees.link, u)
    while mate[root]:
        root = _base(trees.link, parent[mate[root]])
    child = [0] * len(mate)
    sibling = [0] * len(mate)
    for v in compress(range(len(mate)), parent):
        sibling[v] = child[parent[v]]
        child[parent[v]] = v
    queue[0] = root
    head, tail = 0, 1
    while head < tail:
        v = child[queue[head]]
        head += 1
        while v:
            queue[tail], queue[tail + 1] = v, mate[v]
            tail += 2
            v = sibling[v]
    inner = [v for v in queue[:tail] if side[v] == INNER]
    rematch(trees, u, 0)
    for v in queue[:tail]:
        _clear(trees, v)
    return inner


def remove_vertex(graph: Graph, trees: Trees, u: int) -> None:
    """Remove u from the graph; repair matching and forest where they change."""
    side = trees.side
    if side[u] == OUTER:
        inner = _uproot(trees, u)
        side[u] = GONE
        trees.link[u] = 0
        tail = 0
        # Only these vertices connected the tree to other trees, which may now grow into it.
        for a in inner:
            for x in _neighbours(graph, a):
                if side[x] == OUTER:
                    tail = _attach(trees, x, a, tail)
                    break
        _grow(graph, trees, tail)
    else:
        widow = trees.mate[u]
        trees.mate[u] = trees.mate[widow] = trees.parent[u] = trees.link[u] = 0
        side[u] = GONE
        # If u's former partner is outer, it is the root of its subtree; if it is free, it gets a
        # new tree.
        _search(graph, trees, widow)
