"""Bits in arrays: 64 to a word, by word and then by game, so that a step works on whole rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from duels.envs.extras import needed

with needed("NumPy"):
    import numpy as np
    from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.uint64]


def packed(rows: Sequence[int], length: int) -> Words:
    """Bit sets of `length` bits as words: one column for each of them."""
    words = -(-length // 64)
    octets = b"".join(row.to_bytes(8 * words, "little") for row in rows)
    by_row = np.frombuffer(octets, "<u8").reshape(len(rows), words)
    return np.ascontiguousarray(by_row.T, dtype=np.uint64)


def unpacked(words: Words, length: int) -> NDArray[np.bool_]:
    """The first `length` bits of every column as booleans: one row for each of them."""
    octets = np.ascontiguousarray(words.T, dtype="<u8").view(np.uint8)
    return np.unpackbits(octets, axis=1, count=length, bitorder="little").view(np.bool_)


NTH_OF_BYTE = np.array(
    [
        ([place for place in range(8) if byte >> place & 1] + [0] * 8)[nth]
        for nth in range(8)
        for byte in range(256)
    ]
)
"""At 256 * n + byte: the place of the byte's bit number n, counted from 0."""


def nth_bit(words: Words, nth: Words) -> NDArray[np.int64]:
    """The place of bit number `nth` of those that are set in each word, counted from 0."""
    place = np.zeros_like(words)
    for width in (32, 16, 8):  # skip the lower half of what is left if the bit is not there
        below = np.bitwise_count(words & np.uint64((1 << width) - 1))
        skip = nth >= below
        shift = skip * np.uint64(width)
        nth = nth - below * skip
        words = words >> shift
        place += shift
    index = nth << np.uint64(8) | words & np.uint64(255)
    found: NDArray[np.int64] = place.astype(np.int64) + NTH_OF_BYTE[index.astype(np.int64)]
    return found
