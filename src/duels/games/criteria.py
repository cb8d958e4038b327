"""The criteria of Number Duel: when a number may follow another.

A criterion is one line of the table below. Every one is symmetric (a test says so), which is what
makes the exact theory of the chain games possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from math import isqrt
from typing import NamedTuple

from duels.core.bits import bit_set, up_to


class Criterion(NamedTuple):
    """Words with {} for the previous number, and the numbers in 1..highest that meet it."""

    met: str
    unmet: str
    neighbours: Callable[[int, int], int]


def factors_and_multiples(number: int, highest: int) -> int:
    """The bit set of the factors and multiples of `number` in 1..highest, itself among them."""
    bits, width = 1 << number, number
    while width < highest:  # 1 multiple, then 2, 4, 8...: each shift doubles them
        bits |= bits << width
        width *= 2
    bits &= up_to(highest)
    for factor in range(1, isqrt(number) + 1):
        if number % factor == 0:
            bits |= 1 << factor | 1 << number // factor
    return bits


def digits(number: int) -> set[str]:
    """The decimal digits of a number: 100 has 1 and 0."""
    return set(str(number))


def digit_sum(number: int) -> tuple[int]:
    """The sum of the decimal digits, as the one thing that numbers can share."""
    return (sum(map(int, str(number))),)


def prime_factors(number: int) -> list[int]:
    """The primes that divide a number; none for 1."""
    primes, rest, prime = [], number, 2
    while prime * prime <= rest:
        if rest % prime == 0:
            primes.append(prime)
            while rest % prime == 0:
                rest //= prime
        prime += 1
    return [*primes, rest] if rest > 1 else primes


def next_to(number: int, highest: int) -> int:
    """The bit set of the numbers just below and just above."""
    return (1 << number - 1 | 1 << number + 1) & up_to(highest)


def square_partners(number: int, highest: int) -> int:
    """The bit set of the numbers that make a square when added to `number`."""
    roots = range(isqrt(number) + 1, isqrt(number + highest) + 1)
    return bit_set(root * root - number for root in roots)


def _sharing(traits: Callable[[int], Iterable[object]]) -> Callable[[int, int], int]:
    """Neighbours by a common trait: a relation that cannot help being symmetric."""

    @lru_cache(maxsize=4)
    def holders(highest: int) -> dict[object, int]:
        numbers: dict[object, list[int]] = {}
        for number in range(1, highest + 1):
            for trait in traits(number):
                numbers.setdefault(trait, []).append(number)
        return {trait: bit_set(who) for trait, who in numbers.items()}

    def neighbours(number: int, highest: int) -> int:
        bits = 0
        for trait in traits(number):
            bits |= holders(highest)[trait]
        return bits

    return neighbours


CRITERIA = {
    "factor": Criterion(
        "is a multiple/factor of {}", "is not a multiple/factor of {}", factors_and_multiples
    ),
    "digit": Criterion("shares a digit with {}", "shares no digit with {}", _sharing(digits)),
    "digit-sum": Criterion(
        "has the same digit sum as {}", "has another digit sum than {}", _sharing(digit_sum)
    ),
    "prime-factor": Criterion(
        "shares a prime factor with {}", "shares no prime factor with {}", _sharing(prime_factors)
    ),
    "neighbour": Criterion("is next to {}", "is not next to {}", next_to),
    "square-sum": Criterion(
        "adds up to a square with {}", "does not add up to a square with {}", square_partners
    ),
}
"""The one table of criteria; combined with "or", in this order."""
