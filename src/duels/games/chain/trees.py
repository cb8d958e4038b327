"""Alternating trees in plain Python, which grow a matching and repair it vertex by vertex.

Vertices are 1..n; 0 means "none". `divisors` is a compiled version for the divisor graph.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import NamedTuple

FREE, OUTER, INNER, GONE = range(4)
"""The sides of the decomposition, as in `sparse`, and GONE for removed vertices."""

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
    for v in range(len(mate)):
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
