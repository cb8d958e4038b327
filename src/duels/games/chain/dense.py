"""Maximum matching and Gallai-Edmonds decomposition of a graph that loses vertices.

The graph is given by neighbourhood bit sets: bit v of neighbours(u) is set iff u ~ v.  Vertices
are positive; 0 means "none".  A Forest has one alternating tree per exposed vertex, its root.
Outer vertices have an even alternating path to the root, inner vertices have odd ones only.
An odd cycle is contracted to a blossom, and its vertices are all outer.  A blossom is named after
its base, the vertex nearest to the root; an outer vertex in no blossom is its own base.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy

from duels.core.fast import bit_set, members

Edge = tuple[int, int]


class Forest:
    """The alternating forest of a maximum matching, repaired whenever a vertex is removed."""

    mate: list[int]  # mate[v] is the partner of v, or 0
    outer: int  # bit set D: the vertices that some maximum matching misses
    inner: int  # bit set A: their neighbours outside D
    core: int  # bit set C: the others, which every maximum matching matches among themselves

    def __init__(self, neighbours: Mapping[int, int], alive: int) -> None:
        """Match the vertices in the bit set `alive`; `neighbours` may include others."""
        self._near = neighbours.__getitem__
        size = alive.bit_length() or 1
        self.mate = [0] * size
        self.outer = self.inner = 0
        self.core = alive
        # These labels are set when a vertex joins a tree and are not cleared when it leaves.
        self._parent = [0] * size  # the outer vertex from which it was first reached as inner
        self._base = [0] * size  # union-find; its representatives are the bases
        self._blossom = [0] * size  # for a base: the bit set of its blossom, or 0 if it has none
        # For each vertex that only a blossom made outer: the edge (s, t) that closed the odd
        # cycle, where s is below the vertex.  In order of contraction.
        self._bridge: dict[int, Edge] = {}
        exposed = self._match_greedily()
        while exposed:
            root = exposed.bit_length() - 1
            exposed ^= 1 << root
            exposed ^= self._plant(root, exposed)

    @property
    def pairs(self) -> int:
        """The number of pairs in the matching."""
        return sum(map(bool, self.mate)) // 2

    def remove(self, u: int) -> None:
        """Delete the vertex u, which must be present."""
        bit, partner = 1 << u, self.mate[u]
        if self.outer & bit:
            tree = self._tree(u)
            stems = self.inner & tree
            self.mate = self.matching_missing(u)
            self.outer ^= self.outer & tree
            self.inner ^= stems
            self.core |= tree ^ bit
            if not self.outer:  # it was the only tree
                self._bridge.clear()
                return
            for v in members(tree):
                self._bridge.pop(v, None)
            # Other trees may take over.  Their outer vertices see only inner ones of this tree.
            touched = 0
            for v in members(stems):
                touched |= self._near(v)
            self._grow(list(members(touched & self.outer)), self.outer)
            return
        self.mate[u] = self.mate[partner] = 0
        if self.inner & bit:
            self.inner ^= bit  # the subtree below u is now a tree with root `partner`
        else:
            self.core ^= bit
            self._plant(partner)

    def without(self, *gone: int) -> Forest:
        """Return the forest of the graph without some vertices; this one does not change."""
        other = copy(self)
        for name in ("mate", "_parent", "_base", "_blossom", "_bridge"):
            setattr(other, name, getattr(self, name).copy())
        for u in gone:
            other.remove(u)
        return other

    def matching_missing(self, u: int) -> list[int]:
        """Return a maximum matching, as a list of mates, that misses the outer vertex u."""
        mate = self.mate.copy()
        for v, w in self._path(u):
            mate[v], mate[w] = w, v
        mate[u] = 0
        return mate

    def blossoms(self) -> list[list[int]]:
        """Return the odd cycles, in an order in which they can be contracted.

        A cycle is given by the two ends of each edge; all are in one list, because proofs are long.
        """
        mate, parent = self.mate, self._parent
        cycles: list[list[int]] = []
        here = back = (0, 0)
        for v, edge in self._bridge.items():
            if edge != here and edge != back:  # the bridge of a new cycle
                here, back = edge, edge[::-1]
                cycles.append([*edge, v, mate[v], v, parent[v]])
            else:
                cycles[-1] += v, mate[v], v, parent[v]
        return cycles

    def _match_greedily(self) -> int:
        """Match low degrees first; return the bit set of the exposed vertices.

        Unlike on sparse graphs this saves time: with searches alone, in any order that was tried,
        the first forest takes 1.5 to 20 times as long.
        """
        near, mate, alive = self._near, self.mate, self.core
        exposed = alive
        for v in sorted(members(alive), key=lambda v: (near(v) & alive).bit_count()):
            if not mate[v] and (choice := near(v) & exposed):
                w = choice.bit_length() - 1
                mate[v], mate[w] = w, v
                exposed ^= 1 << v | 1 << w
        return exposed

    def _plant(self, root: int, exposed: int = 0) -> int:
        """Grow a new tree; see _grow."""
        self._base[root] = root
        self._blossom[root] = 0
        return self._grow([root], 1 << root, exposed)

    def _grow(self, queue: list[int], outer: int, exposed: int = 0) -> int:
        """Complete the trees with the given outer vertices, scanning those in the queue.

        If one of the other `exposed` vertices is reached, augment the matching instead, discard the
        tree, and return that vertex as a bit set.
        """
        near, blossom, bridge = self._near, self._blossom, self._bridge
        core, inner, contracted = self.core ^ self.core & outer, self.inner, len(bridge)
        news, source = 0, 0  # vertices that `source`, a blossom, has not seen yet
        while queue:
            x = queue.pop()
            b = self._find(x)
            if b != source:
                blossom[b] = blossom[b] or 1 << b
                news, source = core | outer ^ outer & blossom[b], b
                if not news:
                    break  # a giant blossom needs only a few scans
            seen = near(x) & news
            if not seen:
                continue
            source = 0
            if found := seen & exposed:
                y = found.bit_length() - 1
                self.mate = self.matching_missing(x)
                self.mate[x], self.mate[y] = y, x
                while len(bridge) > contracted:
                    bridge.popitem()
                return 1 << y

            if seen & core:
                new, stems, leaves = self._hang(x, b, core ^ core & exposed, queue)
                core ^= new | leaves
                inner |= stems
                outer |= new ^ stems | leaves
                blossom[b] |= new ^ stems

            rest = seen & outer
            while rest := rest ^ rest & blossom[b]:
                y = rest.bit_length() - 1
                b = self._meeting(x, y)
                queue += self._contract(b, y, (x,))
                queue += self._contract(b, x, (y, *members(rest ^ rest & blossom[b])))
            inner ^= inner & blossom[b]
            outer |= blossom[b]
        self.core, self.inner, self.outer = core, inner, self.outer | outer
        return 0

    def _hang(self, x: int, b: int, core: int, queue: list[int]) -> tuple[int, int, int]:
        """Hang the core vertices that x in the blossom b sees, and their mates, on its tree.

        If the blossom sees both mates, they close an odd cycle and join it, and what they see is
        hung as well; this is so common that doing it all at once saves time. Return three bit sets:
        the vertices that were seen, those of them that are now inner, and their mates.
        """
        near, mate, parent, base = self._near, self.mate, self._parent, self._base
        bridge, joined = self._bridge, [x]
        seen_by: dict[int, int] = {}  # of the mate that was seen first
        free = core
        for x in joined:
            if not (new := near(x) & free):
                continue
            free ^= new
            for v in members(new):
                w = mate[v]
                if w in seen_by:
                    parent[v] = x
                    bridge[v] = w, seen_by.pop(w)
                    base[v] = base[w] = b
                    joined.append(v)
                    joined.append(w)
                else:
                    seen_by[v] = x
            if not free:
                break
        leaves = [mate[v] for v in seen_by]
        for v, w in zip(seen_by, leaves, strict=True):
            parent[v] = seen_by[v]
            base[w] = w
            self._blossom[w] = 0
        queue += leaves
        queue += joined[1:]
        return core ^ free, bit_set(seen_by), bit_set(leaves)

    def _meeting(self, x: int, y: int) -> int:
        """Return the base where the paths from x and y to their root meet."""
        mate, parent, find = self.mate, self._parent, self._find
        v, w = find(x), find(y)
        passed = set()
        while v not in passed:  # alternate, so that the number of steps is linear in the cycle
            if v:
                passed.add(v)
            v, w = w, find(parent[mate[v]])
        return v

    def _contract(self, top: int, t: int, ends: Iterable[int]) -> list[int]:
        """Contract the path between s and `top` for each edge st to one of the ends.

        An end that is not below `top` is left alone.  Return the inner vertices that became outer.
        """
        mate, parent, find = self.mate, self._parent, self._find
        base, blossom, bridge = self._base, self._blossom, self._bridge
        turned, alone = [], []
        taken = blossom[top]  # set when it was scanned, like every blossom with something below it
        for s in ends:
            passed = []
            w = base[s]
            if w != base[w]:
                w = find(s)
            while w != top and mate[w]:
                passed.append(w)
                w = base[parent[mate[w]]]
                if w != base[w]:
                    w = find(w)
            if w == top:
                for w in passed:
                    v = mate[w]
                    turned.append(v)
                    bridge[v] = s, t
                    base[v] = base[w] = top
                    if blossom[w]:
                        taken |= blossom[w]
                    else:
                        alone.append(w)
        blossom[top] = taken | bit_set(turned) | bit_set(alone)
        return turned

    def _find(self, v: int) -> int:
        """Return the base of the blossom of the outer vertex v."""
        base = self._base
        while v != base[v]:
            base[v] = v = base[base[v]]
        return v

    def _path(self, u: int) -> list[Edge]:
        """The unmatched edges, in any order, of an even alternating path from u to its root."""
        edges = []
        legs = [(u, 0)]
        while legs:
            v, end = legs.pop()
            while v != end and (w := self.mate[v]):
                if v in self._bridge:  # go down to s, over to t, and up from there
                    s, t = self._bridge[v]
                    legs.append((s, w))
                    edges.append((s, t))
                    v = t
                else:
                    v = self._parent[w]
                    edges.append((w, v))
        return edges

    def _tree(self, u: int) -> int:
        """Return the bit set of all vertices in the tree of the outer vertex u."""
        root = self._find(u)
        while self.mate[root]:
            root = self._find(self._parent[self.mate[root]])
        below: dict[int, list[int]] = {}
        for v in members(self.inner):
            below.setdefault(self._find(self._parent[v]), []).append(v)
        tree, bases = 0, [root]
        for base in bases:
            tree |= self._blossom[base]
            for v in below.get(base, ()):
                tree |= 1 << v
                bases.append(self.mate[v])
        return tree
