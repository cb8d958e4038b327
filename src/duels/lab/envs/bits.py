"""Bits in arrays: 64 to a word, by word and then by game, so that a step works on whole rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from duels.lab.envs.extras import needed

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


def unpacked(words: Words, length: int) -> NDArray[np.int8]:
    """The first `length` bits of every column as zeros and ones: one row for each of them."""
    return spread(np.stack(list(words), axis=1), length)  # three times as fast as words.T


def spread(rows: Words, length: int) -> NDArray[np.int8]:
    """The first `length` bits of every row of words as zeros and ones."""
    octets = rows.astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(octets, axis=1, count=length, bitorder="little").view(np.int8)


NTH_OF_BYTE = np.array(
    [
        ([place for place in range(8) if byte >> place & 1] + [0] * 8)[nth]
        for nth in range(8)
        for byte in range(256)
    ]
)
"""At 256 * n + byte: the place of the byte's bit number n, counted from 0."""


IN_EACH_BYTE, TOPS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)


def nth_bit(words: Words, nth: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place of bit number `nth` of those that are set in each word, counted from 0."""
    wanted: Words = nth.view(np.uint64)
    # Byte i of this: how many bits are set in the bytes 0 to i.
    counts: Words = np.bitwise_count(words.view(np.uint8)).view(np.uint64) * IN_EACH_BYTE
    # The top of a byte stays where that is too few; so many bytes are before the one in question.
    few = (wanted * IN_EACH_BYTE | TOPS) - counts & TOPS
    place: Words = np.bitwise_count(few).astype(np.uint64) << np.uint64(3)
    before = (counts << np.uint64(8)) >> place & np.uint64(255)
    index = wanted - before << np.uint64(8) | words >> place & np.uint64(255)
    found: NDArray[np.int64] = NTH_OF_BYTE.take(index.view(np.int64))
    found += place.view(np.int64)
    return found
