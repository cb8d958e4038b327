"""Fast code for large boards: bit sets, caches, kernels that numba compiles, and free memory.

A bit set is a Python integer in which bit n stands for the number n. A kernel is a function that
uses only what plain Python and numba's nopython mode have in common: integers, and lists or arrays
of them. It runs as plain Python; with the extra `fast` it can be compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from itertools import compress, count
from typing import Any, TypeVar, cast

from duels.core.errors import DuelsError

Kernel = TypeVar("Kernel", bound=Callable[..., Any])
K = TypeVar("K")
V = TypeVar("V")

MEMINFO = "/proc/meminfo"
CGROUP = "/sys/fs/cgroup"
"""The limits of a container, which may have less memory than the machine."""

_ONE = ord("1")
_ONES = bytes(code == _ONE for code in range(256))


def members(bits: int) -> tuple[int, ...]:
    """Return the numbers of a bit set in increasing order."""
    if bits.bit_count() * 9 > bits.bit_length():
        # Binary text, least bit first, turned into selector bytes: no step of this is Python
        # code, which makes it several times faster than picking bits off one by one.
        return tuple(compress(count(), bin(bits)[:1:-1].encode().translate(_ONES)))
    few = []
    while bits:
        highest = bits.bit_length() - 1  # unlike bits & -bits, this takes constant time
        few.append(highest)
        bits ^= 1 << highest
    few.reverse()
    return tuple(few)


def bit_set(numbers: Iterable[int]) -> int:
    """Return the bit set of some numbers."""
    items = list(numbers)
    if len(items) < 32:
        bits = 0
        for number in items:
            bits |= 1 << number
        return bits
    flags = bytearray(b"0" * (max(items) + 1))
    for number in items:
        flags[number] = _ONE
    return int(flags[::-1], 2)


def up_to(highest: int) -> int:
    """Return the bit set of 1 to `highest`."""
    return (1 << highest + 1) - 2


class Bounded(dict[K, V]):
    """A cache with a maximum number of items; when it is full, it is emptied."""

    def __init__(self, most: int) -> None:
        self._most = most

    def __setitem__(self, key: K, value: V) -> None:
        if len(self) >= self._most:
            self.clear()
        super().__setitem__(key, value)


class Computed(Bounded[K, V]):
    """A bounded cache that computes the values it does not have yet."""

    def __init__(self, most: int, compute: Callable[[K], V]) -> None:
        super().__init__(most)
        self._compute = compute

    def __missing__(self, key: K) -> V:
        value = self[key] = self._compute(key)
        return value


def is_numba_installed() -> bool:
    """Say whether kernels can be compiled, without importing the compiler."""
    from importlib.util import find_spec

    return find_spec("numba") is not None


class Kernels:
    """The kernels of one module, with the helper functions that they call.

    They allocate nothing, so arrays need no reference counting at each call: twice as fast.
    """

    def __init__(self, *helpers: Callable[..., Any]) -> None:
        self._helpers = helpers

    @cache  # noqa: B019  there is one of these per module, and it stays
    def compiled(self, function: Kernel) -> Kernel:
        """Return the compiled function; it is cached on disk for later processes."""
        return cast("Kernel", self._njit()(function))

    @cache  # noqa: B019
    def _njit(self) -> Callable[[Callable[..., Any]], Any]:
        # Inlined by LLVM, or each call would copy every field of every array. Numba's own inlining
        # takes minutes to compile.
        register = import_module("numba.extending").register_jitable(forceinline=True, _nrt=False)
        for helper in self._helpers:
            register(helper)
        return cast("Callable[..., Any]", import_module("numba").njit(cache=True, _nrt=False))


def free_memory() -> int | None:
    """Return how many bytes a program can still get, or None if the system does not say."""
    found = [limit for limit in (_free_on_machine(), _free_in_container()) if limit is not None]
    return min(found, default=None)


def require_memory(needed: int, what: str) -> None:
    """Raise DuelsError if fewer bytes than this are known to be free."""
    free = free_memory()
    if free is not None and free < needed:
        has = f"needs {needed / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free."
        raise DuelsError(f"{what} {has}")


def _free_on_machine() -> int | None:
    try:
        with open(MEMINFO, encoding="ascii") as lines:
            found = [line.split()[1] for line in lines if line.startswith("MemAvailable:")]
        return int(found[0]) * 1024
    except (OSError, ValueError, IndexError):
        return None


def _free_in_container() -> int | None:
    try:
        with open(f"{CGROUP}/memory.max") as limit, open(f"{CGROUP}/memory.current") as used:
            return int(limit.read()) - int(used.read())
    except (OSError, ValueError):  # not a container, or one without a limit ("max")
        return None
