"""Sets of small numbers as Python integers: bit n stands for the number n."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress, count

_ONE = ord("1")
_ONES = bytes(code == _ONE for code in range(256))


def members(bits: int) -> tuple[int, ...]:
    """The numbers of a bit set in increasing order."""
    # Binary text, least bit first, turned into selector bytes: no step of this is Python code,
    # which makes it several times faster than picking bits off one by one.
    return tuple(compress(count(), bin(bits)[:1:-1].encode().translate(_ONES)))


def few_members(bits: int) -> tuple[int, ...]:
    """The same, quick also for a few numbers among thousands."""
    if bits.bit_count() * 64 > bits.bit_length():
        return members(bits)
    few = []
    while bits:
        few.append(bits.bit_length() - 1)  # unlike bits & -bits, this takes constant time
        bits ^= 1 << few[-1]
    return tuple(reversed(few))


def bit_set(numbers: Iterable[int]) -> int:
    """The bit set of some numbers."""
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
    """The bit set of 1..highest."""
    return (1 << highest + 1) - 2
