"""Maximum matching and Gallai-Edmonds decomposition of a dense graph, vertex by vertex.

The graph is given by neighbourhood bit sets: bit v of neighbours(u) is set iff u ~ v.  Vertices
are positive integers; 0 means "none".  The decomposition splits the vertices into

* D, `outer`: missed by some maximum matching,
* A, `inner`: the neighbours of D outside D,
* C, `core`:  the rest, perfectly matched within itself by every maximum matching.

A Forest holds one alternating tree per exposed vertex (its root).  Outer vertices have an even
alternating path to the root, inner vertices only odd ones.  Odd cycles of a tree are contracted
to blossoms, whose vertices are all outer.  A blossom is known by its base, the vertex nearest to
the root; a vertex in no blossom is its own base.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy

Edge = tuple[int, int]


def members(bits: int) -> Iterator[int]:
    """The elements of a bit set, in descending order."""
    # From the top, because a big int is cut short there: bits & -bits would always cost its length.
    while bits:
        v = bits.bit_length() - 1
        yield v
        bits ^= 1 << v


class Forest:
    """The alternating forest of a maximum matching, kept up to date as vertices leave."""

    mate: list[int]  # mate[v] is the partner of v, or 0
    outer: int  # D
    inner: int  # A
    core: int  # C

    def __init__(self, neighbours: Mapping[int, int], alive: int) -> None:
        """Match the subgraph induced by the bit set `alive`; `neighbours` may ignore `alive`."""
        self._near = neighbours.__getitem__
        size = max(1, alive.bit_length())
        self.mate = [0] * size
        self.outer = self.inner = 0
        self.core = alive  # while growing: whatever is in no tree yet
        # The labels below hold for vertices in a tree; others are stale, and reset upon entry.
        self._parent = [0] * size  # inner vertex -> the outer vertex that reached it
        self._base = [0] * size  # union-find towards the base
        self._blossom = [0] * size  # base -> bit set of its blossom
        # Vertices that are outer only through a blossom -> the edge (s, t) that closed it, s being
        # the end below the vertex.  In order of contraction.
        self._bridge: dict[int, Edge] = {}
        exposed = self._match_greedily()
        while exposed:
            root = exposed.bit_length() - 1
            exposed ^= 1 << root
            exposed ^= self._plant(root, exposed)

    def remove(self, u: int) -> None:
        """Delete the vertex u, which must be present, and repair matching and decomposition."""
        bit, partner = 1 << u, self.mate[u]
        if self.outer & bit:
            self._remove_outer(u)
            return
        self.mate[u] = self.mate[partner] = 0
        if self.inner & bit:
            self.inner ^= bit  # the partner's subtree is a tree of its own now
        else:
            self.core ^= bit
            self._plant(partner, 0)

    def is_outer(self, v: int) -> bool:
        """Whether some maximum matching misses v."""
        return bool(self.outer >> v & 1)

    def inner_vertices(self) -> list[int]:
        """The set A."""
        return sorted(members(self.inner))

    def without(self, u: int) -> Forest:
        """The forest of the graph without u; this one stays as it is."""
        other = copy(self)
        for name in ("mate", "_parent", "_base", "_blossom", "_bridge"):
            setattr(other, name, copy(getattr(self, name)))
        other.remove(u)
        return other

    def matching_missing(self, u: int) -> list[int]:
        """A maximum matching, as a mate list, that misses the outer vertex u."""
        mate = self.mate.copy()
        for v, w in self._path(u):
            mate[v], mate[w] = w, v
        mate[u] = 0
        return mate

    def blossoms(self) -> list[list[Edge]]:
        """The edges of each contracted odd cycle, in an order of contraction."""
        cycles: dict[Edge, list[Edge]] = {}
        for v, (s, t) in self._bridge.items():
            if self.outer >> v & 1:
                bridge = (min(s, t), max(s, t))
                cycle = cycles.setdefault(bridge, [bridge])
                cycle += (v, self.mate[v]), (v, self._parent[v])
        return list(cycles.values())

    def _match_greedily(self) -> int:
        """Match low degrees first; return the bit set of the exposed vertices."""
        near, mate, single = self._near, self.mate, self.core
        for v in sorted(members(single), key=lambda v: (near(v) & self.core).bit_count()):
            if not mate[v] and (choice := near(v) & single):
                w = choice.bit_length() - 1
                mate[v], mate[w] = w, v
                single ^= 1 << v | 1 << w
        return single

    def _plant(self, root: int, exposed: int) -> int:
        """Start a tree at an exposed vertex and grow it; see _grow."""
        self._base[root] = root
        self._blossom[root] = 1 << root
        self._bridge.pop(root, None)
        return self._grow([root], 1 << root, exposed)

    def _grow(self, queue: list[int], outer: int, exposed: int) -> int:
        """Grow the trees with the given outer vertices, those in the queue being unscanned.

        Return 0 if they are complete.  If a tree reaches one of the `exposed` vertices, augment
        the matching, drop the tree, and return that vertex's bit.
        """
        near, mate, parent, bridge = self._near, self.mate, self._parent, self._bridge
        base, blossom = self._base, self._blossom
        core, inner = self.core ^ self.core & outer, self.inner
        while queue:
            x = queue.pop()
            b = self._find(x)
            if not core and outer == blossom[b]:
                break  # nothing left to be seen
            seen = near(x)
            if found := seen & exposed:
                return self._augment(x, found.bit_length() - 1)

            stems = leaves = 0
            new = rest = seen & core
            while rest:
                v = rest.bit_length() - 1
                w = mate[v]
                rest ^= 1 << v
                w_bit = 1 << w
                parent[v] = x
                bridge.pop(v, None)
                bridge.pop(w, None)
                if rest & w_bit:  # x v w is a triangle, hence a blossom
                    rest ^= w_bit
                    base[v] = base[w] = b
                    bridge[v] = w, x
                    queue += v, w
                else:
                    stems |= 1 << v
                    leaves |= w_bit
                    base[v], base[w] = v, w
                    blossom[w] = w_bit
                    queue.append(w)
            core ^= new | leaves
            outer |= new ^ stems | leaves
            blossom[b] |= new ^ stems

            rest = seen & outer
            while rest := rest ^ rest & blossom[b]:
                queue += self._contract(x, rest.bit_length() - 1)
                b = self._find(x)
            outer |= blossom[b]
            inner |= stems
            inner ^= inner & blossom[b]

        self.core, self.inner = core, inner
        self.outer |= outer
        return 0

    def _augment(self, x: int, y: int) -> int:
        """Match the outer vertex x with y, which is exposed; return y's bit."""
        self.mate[:] = self.matching_missing(x)
        self.mate[x], self.mate[y] = y, x
        return 1 << y

    def _contract(self, x: int, y: int) -> list[int]:
        """Contract the odd cycle closed by the edge xy; return its inner vertices."""
        mate, parent, base, blossom, find = (
            self.mate,
            self._parent,
            self._base,
            self._blossom,
            self._find,
        )
        # Climbing in turns takes no more steps than the cycle is long.  No base is above a root.
        v, w = find(x), find(y)
        passed = {0}
        while v not in passed or not v:
            passed.add(v)
            v, w = w, find(parent[mate[v]])
        top, union, turned = v, blossom[v], []
        for s, t in ((x, y), (y, x)):
            w = find(s)
            while w != top:
                v = mate[w]
                self._bridge[v] = s, t
                turned.append(v)
                union |= blossom[w] | 1 << v
                base[v] = base[w] = top
                w = find(parent[v])
        blossom[top] = union
        return turned

    def _find(self, v: int) -> int:
        """The base of the blossom that contains v."""
        base = self._base
        while v != base[v]:
            base[v] = v = base[base[v]]
        return v

    def _root(self, v: int) -> int:
        """The root of the tree that contains the outer vertex v."""
        v = self._find(v)
        while self.mate[v]:
            v = self._find(self._parent[self.mate[v]])
        return v

    def _path(self, u: int) -> list[Edge]:
        """The unmatched edges of the even alternating path from u to its root, in any order."""
        edges = []
        legs = [(u, self._root(u))]
        while legs:
            v, end = legs.pop()
            while v != end:
                w = self.mate[v]
                if v in self._bridge:  # down to the bridge, across, and up on the other side
                    s, t = self._bridge[v]
                    edges.append((s, t))
                    legs.append((s, w))
                    v = t
                else:
                    v = self._parent[w]
                    edges.append((w, v))
        return edges

    def _tree(self, root: int) -> int:
        """The bit set of the vertices of a tree."""
        below: dict[int, list[int]] = {}
        for v in members(self.inner):
            below.setdefault(self._find(self._parent[v]), []).append(v)
        tree, bases = 0, [root]
        while bases:
            base = bases.pop()
            tree |= self._blossom[base]
            for v in below.get(base, ()):
                tree |= 1 << v
                bases.append(self.mate[v])
        return tree

    def _remove_outer(self, u: int) -> None:
        """Delete an outer vertex: its tree dissolves, and others may take over the pieces."""
        tree = self._tree(self._root(u))
        self.mate = self.matching_missing(u)
        stems = self.inner & tree
        self.inner ^= stems
        self.outer ^= self.outer & tree
        self.core |= tree ^ 1 << u
        # Outer vertices of different trees are never adjacent: only former inner ones can be taken.
        seen = 0
        for v in members(stems):
            seen |= self._near(v)
        self._grow(list(members(seen & self.outer)), self.outer, 0)
