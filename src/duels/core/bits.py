"""Sets of small numbers as Python integers: bit n stands for the number n."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress, count

_ONE = ord("1")
_ONES = bytes(code == _ONE for code in range(256))


def members(bits: int) -> tuple[int, ...]:
    """The numbers of a bit set in increasing order."""
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
