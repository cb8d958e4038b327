"""The criteria of Number Duel: when a number may follow another.

Each criterion is one entry of the table below. All are symmetric (a test checks that), which the
exact theory of the chain games relies on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isqrt
from typing import NamedTuple

from duels.core.fast import bit_set, up_to


class Criterion(NamedTuple):
    """A criterion: its meaning in a few words, its sentences with {} for a number, its relation.

    Given the highest number, `neighbours` returns a function from a number to the bit set of the
    numbers that meet the criterion against it. `fits` tests two numbers, on any board.
    """

    means: str
    met: str
    unmet: str
    neighbours: Callable[[int], Callable[[int], int]]
    fits: Callable[[int, int], bool] | None = None


def factors_and_multiples(highest: int) -> Callable[[int], int]:
    """Return the bit set of the factors and multiples of a number in 1..highest, with itself."""
    everything = up_to(highest)

    def neighbours(number: int) -> int:
        bits, width = 1 << number, number
        while width < highest:  # 1 multiple, then 2, 4, 8...: each shift doubles their number
            bits |= bits << width
            width *= 2
        bits &= everything
        for factor in range(1, isqrt(number) + 1):
            if number % factor == 0:
                bits |= 1 << factor | 1 << number // factor
        return bits

    return neighbours


def divides(one: int, two: int) -> bool:
    """Say whether one of two numbers is a factor of the other."""
    return max(one, two) % min(one, two) == 0


def digits(number: int) -> set[str]:
    """Return the decimal digits of a number: 100 has 1 and 0."""
    return set(str(number))


def digit_sum(number: int) -> tuple[int]:
    """Return the sum of the decimal digits, as a set of one element."""
    return (sum(map(int, str(number))),)


def prime_factors(number: int) -> list[int]:
    """Return the primes that divide a number; none for 1."""
    primes, rest, prime = [], number, 2
    while prime * prime <= rest:
        if rest % prime == 0:
            primes.append(prime)
            while rest % prime == 0:
                rest //= prime
        prime += 1
    return [*primes, rest] if rest > 1 else primes


def next_to(highest: int) -> Callable[[int], int]:
    """Return the bit set of the numbers just below and just above."""
    return lambda number: (1 << number - 1 | 1 << number + 1) & up_to(highest)


def square_partners(highest: int) -> Callable[[int], int]:
    """Return the bit set of the numbers whose sum with this one is a square."""

    def neighbours(number: int) -> int:
        roots = range(isqrt(number) + 1, isqrt(number + highest) + 1)
        return bit_set(root * root - number for root in roots)

    return neighbours


def _sharing(traits: Callable[[int], Iterable[object]]) -> Callable[[int], Callable[[int], int]]:
    """Return neighbours by a shared trait, a relation that is always symmetric."""

    def neighbours_up_to(highest: int) -> Callable[[int], int]:
        numbers: dict[object, list[int]] = {}
        for number in range(1, highest + 1):
            for trait in traits(number):
                numbers.setdefault(trait, []).append(number)
        holders = {trait: bit_set(who) for trait, who in numbers.items()}

        def neighbours(number: int) -> int:
            bits = 0
            for trait in traits(number):
                bits |= holders[trait]
            return bits

        return neighbours

    return neighbours_up_to


def _share(traits: Callable[[int], Iterable[object]]) -> Callable[[int, int], bool]:
    return lambda one, two: not {*traits(one)}.isdisjoint(traits(two))


CRITERIA = {
    "factor": Criterion(
        "factor or multiple",
        "is a multiple/factor of {}",
        "is neither a factor nor a multiple of {}",
        factors_and_multiples,
        divides,
    ),
    "digit": Criterion(
        "a digit in common",
        "shares a digit with {}",
        "shares no digit with {}",
        _sharing(digits),
        _share(digits),
    ),
    "digit-sum": Criterion(
        "the same digit sum",
        "has the same digit sum as {}",
        "has a different digit sum from {}",
        _sharing(digit_sum),
        _share(digit_sum),
    ),
    "prime-factor": Criterion(
        "a prime factor in common",
        "shares a prime factor with {}",
        "shares no prime factor with {}",
        _sharing(prime_factors),
        _share(prime_factors),
    ),
    "neighbour": Criterion(
        "next to it",
        "is next to {}",
        "is not next to {}",
        next_to,
        lambda one, two: abs(one - two) == 1,
    ),
    "square-sum": Criterion(
        "a square as their sum",
        "adds up to a square with {}",
        "does not add up to a square with {}",
        square_partners,
        lambda one, two: isqrt(one + two) ** 2 == one + two,
    ),
}
"""The one table of criteria; combined with "or", in this order."""
SYMMETRIC = frozenset(criterion.neighbours for criterion in CRITERIA.values())
"""The relations of this table, which are known to be symmetric."""
