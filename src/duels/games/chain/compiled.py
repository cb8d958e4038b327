"""The forest of factors and multiples on large boards, compiled: the kernels are in `divisors`.

It needs the extra `fast`, and has the same interface as `sparse`.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import cache
from importlib import import_module
from itertools import pairwise
from typing import Any, NamedTuple

from duels.core.fast import Kernels
from duels.games.chain.divisors import (
    EXPOSED,
    GONE,
    HELPERS,
    INNER,
    MOST_DIVISORS,
    Search,
    find_factors,
    prefetch,
    rematch,
    remove_number,
    saturate,
)

Array = Any
"""A numpy array."""
Progress = Callable[[float], None]

_KERNELS = Kernels(*HELPERS)
PARTS = 200
"""The number of parts the work is divided into; progress is reported, and Ctrl-C noticed, between
them."""


@cache
def _compile_prefetch() -> None:
    """Compile `prefetch` to one instruction of the processor."""
    extending, types = import_module("numba.extending"), import_module("numba.core.types")
    ir = import_module("llvmlite.ir")

    def typed(_context: Any, array: Any, _index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, values[0]).data
            byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
            instruction = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
            entry = builder.bitcast(builder.gep(data, [values[1]]), byte)
            # The flags: read, not write; keep in all caches; data, not code.
            builder.call(instruction, [entry, number(0), number(3), number(1)])
            return context.get_dummy_value()

        return types.void(array, types.intp), generate

    fetch = extending.intrinsic(typed)
    extending.overload(prefetch, jit_options={"forceinline": True, "_nrt": False})(
        lambda _array, _index: lambda _array, _index: fetch(_array, _index)
    )


class PackedProof(NamedTuple):
    """A proof as flat arrays, because lists would be too long; an edge is two entries, its ends."""

    move: int | None
    pairs: Array
    barrier: Array
    edges: Array
    """The edges of all cycles, one cycle after another."""
    ends: Array
    """Where each cycle ends in `edges`."""

    def data(self) -> dict[str, Any]:
        """Return the proof as plain data: lists of pairs and of cycles."""
        return {
            "kind": "matching",
            "move": self.move,
            "pairs": list(zip(self.pairs[::2].tolist(), self.pairs[1::2].tolist(), strict=True)),
            "barrier": self.barrier.tolist(),
            "blossoms": self.blossoms(),
        }

    def blossoms(self) -> list[list[int]]:
        flat, bounds = self.edges.tolist(), [0, *self.ends.tolist()]
        return [flat[start:end] for start, end in pairwise(bounds)]


class Forest:
    """A maximum matching with its alternating forest, kept up to date when numbers are removed."""

    def __init__(self, size: int, unused: int, *, progress: Progress | None = None) -> None:
        """Start with the numbers of a bit set; report to `progress` the share of work done."""
        np = import_module("numpy")
        _compile_prefetch()
        length = size + 1
        # One block, because numpy asks for huge pages from 4 MB on.
        factor, link = _zeros(2 * length).reshape(2, length)
        _KERNELS.compiled(find_factors)(factor)
        link[:] = np.where(_flags(unused, length), np.int32(EXPOSED), np.int32(GONE))
        self._search: Any = Search(
            factor=factor,
            pair=_zeros(2 * length),
            link=link,
            blossom=_zeros(3 * length),
            queue=_zeros(2 * length),
            divisors=_zeros(MOST_DIVISORS),
            latest=_zeros(1),
        )
        prime, done = size, 0
        while prime:
            prime = _KERNELS.compiled(saturate)(self._search, prime, size // PARTS + 1)
            done = min(done + 1, PARTS)
            if progress:
                progress(done / PARTS if prime else 1)

    @property
    def mate(self) -> list[int]:
        """The matching: mate[v] is v's partner, or 0."""
        mate: list[int] = self._search.pair[::2].tolist()
        return mate

    @property
    def pairs(self) -> int:
        """The number of pairs in the matching."""
        return int((self._search.pair[::2] > 0).sum()) // 2

    @property
    def outer(self) -> int:
        """The bit set D: the numbers that some maximum matching misses."""
        return _bits(self._link > 0)

    @property
    def inner(self) -> int:
        """The bit set A."""
        return _bits(self._link == INNER)

    @property
    def _link(self) -> Array:
        return self._search.link

    def remove(self, u: int) -> None:
        """Remove u from the graph, and update matching and decomposition."""
        if self._link[u] == GONE:
            raise ValueError(f"number {u} is not in the graph")
        length = len(self._link)
        _KERNELS.compiled(remove_number)(self._search, u, _zeros(length), _zeros(length))

    def without(self, *gone: int) -> Forest:
        """Return the forest of the graph without some numbers; this one does not change."""
        other = copy(self)
        kept = ("pair", "link", "blossom", "latest")
        arrays = {name: getattr(self._search, name).copy() for name in kept}
        room = {name: _zeros(len(getattr(self._search, name))) for name in ("queue", "divisors")}
        other._search = self._search._replace(**arrays, **room)
        for u in gone:
            other.remove(u)
        return other

    def prove(self, u: int | None) -> PackedProof:
        """Return the proof of a verdict; its pairs leave out the winning move u, if any."""
        np = import_module("numpy")
        barrier = np.flatnonzero(self._link == INNER).astype(np.int32)
        return PackedProof(u, self._pairs_missing(u or 0), barrier, *self._cycles())

    def _pairs_missing(self, u: int) -> Array:
        """Return the pairs of a maximum matching that misses the outer number u, or any if u is 0.

        The lower number of each pair comes first, then its partner.
        """
        np = import_module("numpy")
        mate = self._partners_missing(u) if u else self._search.pair[::2]
        lower = np.flatnonzero(mate > np.arange(len(mate), dtype=np.int32)).astype(np.int32)
        return np.stack([lower, mate[lower]], axis=1).reshape(-1)

    def _partners_missing(self, u: int) -> Array:
        if self._link[u] <= 0:
            raise ValueError(f"every maximum matching covers number {u}")
        room = _zeros(len(self._search.queue))
        search = self._search._replace(pair=self._search.pair.copy(), queue=room)
        _KERNELS.compiled(rematch)(search, u, 0, 0)
        return search.pair[::2]

    def matching_missing(self, u: int) -> list[int]:
        """Return a maximum matching, like `mate`, that misses the outer number u."""
        mate: list[int] = self._partners_missing(u).tolist()
        return mate

    def _cycles(self) -> tuple[Array, Array]:
        """Return the edges of the odd cycle of each blossom, and where each cycle ends.

        A blossom comes after those inside it.
        """
        np = import_module("numpy")
        pair, blossom = self._search.pair, self._search.blossom
        turned = np.flatnonzero((self._link > 0) & (pair[1::2] > 0)).astype(np.int32)
        # Sorting one array of both is several times faster than argsort.
        order = blossom[::3][turned].astype(np.int64) << 32 | turned
        order.sort()
        turned, serial = order.astype(np.int32), order >> 32
        first = np.flatnonzero(np.diff(serial, prepend=0))
        del order, serial
        # The closing edge of each cycle, then two edges for each number that became outer.
        at = 4 * first + 2 * np.arange(len(first))
        edges = np.empty(4 * len(turned) + 2 * len(first), np.int32)
        closing = np.zeros(len(edges), bool)
        closing[at] = closing[at + 1] = True
        edges[at], edges[at + 1] = blossom[1::3][turned[first]], blossom[2::3][turned[first]]
        quads = np.stack([turned, pair[::2][turned], turned, pair[1::2][turned]], axis=1)
        edges[~closing] = quads.reshape(-1)
        return edges, np.append(at[1:], len(edges))[: len(first)].astype(np.int32)

    def blossoms(self) -> list[list[int]]:
        """Return the odd cycle of each blossom as a list of ends of edges."""
        return self.prove(None).blossoms()


def _zeros(size: int) -> Array:
    return import_module("numpy").zeros(size, "i")


def _flags(bits: int, length: int) -> Array:
    np = import_module("numpy")
    data = np.frombuffer(bits.to_bytes(length // 8 + 1, "little"), np.uint8)
    return np.unpackbits(data, bitorder="little", count=length)


def _bits(flags: Array) -> int:
    packed = import_module("numpy").packbits(flags, bitorder="little")
    return int.from_bytes(packed.tobytes(), "little")
