"""The kernels of the compiled search, on the graph of factors and multiples, which is not stored.

Numbers are 1..n; 0 means "none". The kernels step through the multiples of a number, and derive its
divisors from a table of largest prime factors. The search is that of `sparse`, but values that are
read together lie next to each other in memory. The kernels allocate nothing: see `core.fast`.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import NamedTuple

GONE, MATCHED, EXPOSED, INNER = 0, -1, -2, -3
"""The values of `link` for a number that is not outer; one that is MATCHED or EXPOSED is in no
tree."""
MOST_DIVISORS = 768
"""No number up to 100,000,000 has more."""
MOST_TRIED = 12
"""How far to look for a number's least factor before a search."""
AHEAD = 4
"""How many numbers ahead in the queue memory is prefetched: nearly every number is elsewhere."""
FAR_AHEAD = 8
"""How many multiples of a prime ahead."""

Ints = MutableSequence[int]


class Search(NamedTuple):
    """A matching and its alternating forest."""

    factor: Ints  # by number: the largest prime factor
    pair: Ints  # two for each number: its mate, and the outer number that reached it as inner
    # For a number that was outer from the start: minus the last blossom searched for.
    link: Ints  # by number: if it is outer, the next step to the base of its blossom (union-find)
    blossom: Ints  # three for each number: the blossom that made it outer, and its closing edge
    queue: Ints  # room for two entries for each number
    divisors: Ints  # room for the divisors of one number
    latest: Ints  # the serial number of the latest blossom


def prefetch(_array: Ints, _index: int) -> None:
    """Have a compiled kernel fetch an entry that it needs soon into the cache."""


def find_factors(factor: Ints) -> None:
    """Fill in the largest prime factors; that of 1 is 1."""
    factor[1] = 1
    for prime in range(2, len(factor)):
        if not factor[prime]:
            for multiple in range(prime, len(factor), prime):
                factor[multiple] = prime


def _find_divisors(search: Search, number: int, base: int) -> int:
    """Write the divisors of a number, including itself, into `divisors`; return how many.

    `base` is that of the number's blossom, or the number itself. Leave out the divisors of every
    largest proper divisor (the number / a prime) in that blossom: they are neighbours of both.
    """
    factor, link, divisors = search.factor, search.link, search.divisors
    divisors[0] = count = 1
    rest = number
    while rest > 1:
        prime, power, old = factor[rest], 1, count
        if base != number and link[number // prime] == base:
            while factor[rest] == prime:
                rest //= prime
                power *= prime
            for at in range(old):
                divisors[at] *= power
        else:
            while factor[rest] == prime:
                rest //= prime
                power *= prime
                for at in range(old):
                    divisors[count] = divisors[at] * power
                    count += 1
    return count


def _base(link: Ints, v: int) -> int:
    while link[v] != v:
        link[v] = link[link[v]]
        v = link[v]
    return v


def _plant(search: Search, v: int) -> None:
    """Make v outer, as a number that no blossom made outer."""
    search.link[v] = v
    search.pair[2 * v + 1] = 0


def rematch(search: Search, v: int, w: int, room: int) -> None:
    """Match the outer number v to w and flip the even alternating path from v to its root.

    The queue is used from `room` on.
    """
    pair, blossom, pending = search.pair, search.blossom, search.queue
    last = room
    while True:
        old = pair[2 * v]
        pair[2 * v] = w
        if pair[2 * old] != v:  # v was the root, or the path has met a part flipped before
            if last == room:
                return
            last -= 2
            v, w = pending[last], pending[last + 1]
        elif pair[2 * v + 1] > 0:  # a blossom made it outer: flip from both ends of its edge
            v, w = blossom[3 * v + 1], blossom[3 * v + 2]
            pending[last], pending[last + 1] = w, v
            last += 2
        else:
            v, w = pair[2 * old + 1], old
            pair[2 * old] = v


def _attach(search: Search, x: int, y: int, tail: int) -> int:
    """Hang the matched number y on the outer number x and queue y's mate as outer."""
    outer = search.pair[2 * y]
    search.link[y] = INNER
    search.pair[2 * y + 1] = x
    _plant(search, outer)
    search.queue[tail] = outer
    return tail + 1


def _turn(search: Search, x: int, y: int, v: int, top: int, tail: int) -> int:
    """Add the path from v, the base of x, up to `top` to the blossom that x-y has closed."""
    pair, link, blossom = search.pair, search.link, search.blossom
    while v != top:
        inner = pair[2 * v]
        link[v] = link[inner] = top
        blossom[3 * inner] = search.latest[0]
        blossom[3 * inner + 1], blossom[3 * inner + 2] = x, y
        search.queue[tail] = inner
        tail += 1
        v = _base(link, pair[2 * inner + 1])
    return tail


def _shrink(search: Search, x: int, y: int, base: int, other: int, tail: int) -> int:
    """Contract the blossom closed by the edge x-y; queue its inner numbers, now outer.

    `base` and `other` are the bases of x and y.
    """
    pair, link = search.pair, search.link
    search.latest[0] += 1
    mark = -search.latest[0]
    one, two = base, other
    # Climb from both ends in turn, so that the work is bounded by the size of the blossom.
    while pair[2 * one + 1] != mark:
        pair[2 * one + 1] = mark
        above = pair[2 * one]
        one = _base(link, pair[2 * above + 1]) if above else 0
        if two:
            one, two = two, one
    tail = _turn(search, x, y, base, one, tail)
    return _turn(search, y, x, other, one, tail)


def _meet(search: Search, x: int, y: int, tail: int) -> int:
    """Follow the edge from the outer x to y; return the end of the queue, or 0 if it augmented."""
    pair, link, queue = search.pair, search.link, search.queue
    if link[y] > 0:
        base, other = _base(link, x), _base(link, y)
        return tail if base == other else _shrink(search, x, y, base, other, tail)
    if link[y] == MATCHED:
        return _attach(search, x, y, tail)
    pair[2 * y] = x
    link[y] = MATCHED
    rematch(search, x, y, tail)
    for at in range(tail):
        link[queue[at]] = link[pair[2 * queue[at]]] = MATCHED
    return 0


def _look_down(search: Search, x: int, base: int) -> tuple[int, int, bool]:
    """Leave in `divisors` those of x to follow; return how many, and the largest exposed one or 0.

    The largest has the fewest neighbours: matching it first halves the work of later searches. Say
    also whether a proper divisor is outer: it has all multiples of x as neighbours.
    """
    link, divisors = search.link, search.divisors
    found = _find_divisors(search, x, base)
    exposed = count = 0
    outer = -1 if divisors[0] == 1 else 0  # x itself is outer
    for at in range(found):
        y = divisors[at]
        there = link[y]
        if there == EXPOSED and y > exposed:
            exposed = y
        divisors[count] = y
        # Added up without a branch, which the processor could not predict.
        count += (there != INNER) & (there != base) & (there != GONE) & (y != x)
        outer += there > 0
    return count, exposed, outer > 0


def _grow(search: Search, tail: int) -> None:
    """Grow from the outer numbers queue[:tail]; an augmenting path is flipped, its tree freed."""
    factor, pair, link = search.factor, search.pair, search.link
    queue, divisors = search.queue, search.divisors
    head = 0
    while head < tail:
        x = queue[head]
        if head + AHEAD < tail:
            soon = queue[head + AHEAD]
            prefetch(factor, soon)
            prefetch(link, soon)
            prefetch(pair, 2 * soon)
        head += 1
        base = _base(link, x)
        count, exposed, is_covered = _look_down(search, x, base)
        if exposed:
            _meet(search, x, exposed, tail)
            return
        for at in range(count):
            there = link[divisors[at]]
            if there != INNER and there != base:
                tail = _meet(search, x, divisors[at], tail)
                base = link[x]
        if is_covered:
            continue
        for y in range(2 * x, len(link), x):
            there = link[y]
            if there != INNER and there != base and there != GONE:
                tail = _meet(search, x, y, tail)
                if not tail:
                    return
                base = link[x]


def _search_from(search: Search, v: int) -> None:
    """Search from v if it is exposed and in no tree; keep the tree if the search fails."""
    if search.link[v] != EXPOSED:
        return
    _plant(search, v)
    search.queue[0] = v
    # Most searches end at the largest divisor, found here before all the others.
    least = 2
    while v % least and least < MOST_TRIED:
        least += 1
    if v % least == 0 and search.link[v // least] == EXPOSED:
        _meet(search, v, v // least, 1)
    else:
        _grow(search, 1)


def saturate(search: Search, prime: int, most: int) -> int:
    """Search from the numbers with this largest prime factor, then from those with lower ones.

    Stop after about `most` numbers; return the next prime to continue with, or 0. Of the orders
    that were tried this is the fastest: by largest prime factor, then by number, both descending.
    """
    factor = search.factor
    while prime and most > 0:
        if factor[prime] == prime:
            for times in range((len(factor) - 1) // prime, 0, -1):
                if times > FAR_AHEAD:
                    soon = prime * (times - FAR_AHEAD)
                    prefetch(search.link, soon)
                    prefetch(search.pair, 2 * soon)
                if factor[times] <= prime:
                    _search_from(search, prime * times)
                    most -= 1
        prime -= 1
    return prime


def _uproot(search: Search, u: int, child: Ints, sibling: Ints) -> int:
    """Expose the outer number u and free its tree; write its inner numbers to `child`; count them.

    `child` and `sibling` have room for all numbers, filled with 0.
    """
    pair, link, queue = search.pair, search.link, search.queue
    root = _base(link, u)
    while pair[2 * root]:
        root = _base(link, pair[2 * pair[2 * root] + 1])
    for v in range(1, len(link)):
        above = pair[2 * v + 1]
        if above > 0 and (link[v] > 0 or link[v] == INNER):
            sibling[v] = child[above]
            child[above] = v
    queue[0] = root
    head, tail = 0, 1
    while head < tail:
        v = child[queue[head]]
        head += 1
        while v:
            queue[tail], queue[tail + 1] = v, pair[2 * v]
            tail += 2
            v = sibling[v]
    rematch(search, u, 0, tail)
    count = 0
    for at in range(tail):
        v = queue[at]
        if link[v] == INNER:
            child[count] = v
            count += 1
        link[v] = MATCHED
    return count


def _adopt(search: Search, y: int, tail: int) -> int:
    """Hang the matched number y on an outer neighbour, if it has one."""
    link, divisors = search.link, search.divisors
    for at in range(_find_divisors(search, y, y)):
        if link[divisors[at]] > 0:
            return _attach(search, divisors[at], y, tail)
    for x in range(2 * y, len(link), y):
        if link[x] > 0:
            return _attach(search, x, y, tail)
    return tail


def remove_number(search: Search, u: int, child: Ints, sibling: Ints) -> None:
    """Remove u from the graph; repair matching and forest where they change."""
    pair, link = search.pair, search.link
    if link[u] > 0:
        count = _uproot(search, u, child, sibling)
        link[u] = GONE
        tail = 0
        # Only these numbers connected the tree to other trees, which may now grow into it.
        for at in range(count):
            tail = _adopt(search, child[at], tail)
        _grow(search, tail)
    else:
        widow = pair[2 * u]
        pair[2 * u] = pair[2 * widow] = 0
        link[u] = GONE
        # If u's former partner is outer, it is the root of its subtree; if it is free, it gets a
        # new tree.
        if link[widow] == MATCHED:
            link[widow] = EXPOSED
            _search_from(search, widow)


HELPERS = (
    *(_find_divisors, _base, _plant, rematch, _attach, _turn, _shrink, _meet, _look_down, _grow),
    *(_search_from, _uproot, _adopt),
)
"""The functions that other kernels call, compiled with them."""
