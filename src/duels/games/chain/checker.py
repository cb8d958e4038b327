"""Chain games: a matching, a barrier A, and odd cycles.

Contracting the odd cycles makes classes that are connected, odd and factor-critical. If every
neighbour of a class is in A, the classes are odd components of G - A, and the Tutte-Berge bound
says that no matching misses fewer than (classes - |A|) numbers. A matching that misses just so
many is maximum, and the numbers that a maximum matching can miss are those of the classes that
alternating paths reach from the missed ones. Taking one of these wins, taking any other loses.

Assumes the rules of the chain games: numbers that are used once, neighbours from criteria that are
symmetric, and that the last mover wins. The criteria may be any; those that are not in our table
are tried on every pair of numbers.

The kernels, from `_require_factors` on, run as they are and, on large boards, compiled.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, MutableSequence, Sequence
from importlib import import_module
from itertools import accumulate, chain
from typing import Any, cast

from duels.core.fast import Kernel, Kernels, bit_set, is_numba_installed, members
from duels.core.game import Move
from duels.games.chain.criteria import CRITERIA, SYMMETRIC, factors_and_multiples
from duels.games.chain.rules import ChainGame, ChainPosition
from duels.theory.check import of_kind, require, require_rules
from duels.theory.verdict import Proof

GONE, REST, BARRIER, ODD, REACHED = range(5)
"""What a number is; one of the barrier that alternating paths have reached is REACHED."""
COMPILED_FROM = 20_000
"""Boards from this size on are worth a compiler, if there is one."""

MOST_DENSE = 10_000
"""Numbers on a board whose neighbourhoods are looked at as bit sets."""
MOST_TRIED = 1_000
"""Numbers on a board whose criteria are tried for symmetry."""

Ints = MutableSequence[int]


def check_matching(position: ChainPosition, proof: Proof) -> list[Move]:
    """Return the winning moves that the proof shows; ProofError if it does not show them."""
    of_kind("matching", proof)
    game = position.game
    require_rules(position, ChainPosition, ChainGame, besides=("rules", "openings"))
    _require_symmetric(game)
    by_factors = [criterion.neighbours for criterion in game.rules] == [factors_and_multiples]
    compiled = by_factors and game.size >= COMPILED_FROM and is_numba_installed()
    pairs, cycles = proof["pairs"], proof["blossoms"]
    require({*map(len, pairs)} <= {2}, "a pair is not two numbers")
    require(all(len(cycle) % 4 == 2 for cycle in cycles), "a cycle is not odd")

    label = bytearray(game.size + 1)
    for number in members(position.unused):
        label[number] = REST
    labels = _ints(label, compiled)
    mate = _ints([0] * len(label), compiled)
    base, ring = (_ints(range(len(label)), compiled) for _ in range(2))
    flat_pairs, flat_cycles, barrier = (
        _ints(_whole(numbers), compiled)
        for numbers in (chain.from_iterable(pairs), chain.from_iterable(cycles), proof["barrier"])
    )
    ends = _ints([*accumulate(map(len, cycles))], compiled)
    for edges in (flat_pairs, flat_cycles):
        if by_factors:
            _kernel(_require_factors, compiled)(len(label), edges)
        else:
            _require_fits(game, edges)
    _kernel(_pair_up, compiled)(labels, mate, flat_pairs)
    _kernel(_put_in_barrier, compiled)(labels, barrier)
    _kernel(_contract, compiled)(labels, base, ring, flat_cycles, ends)
    _kernel(_find_odd, compiled)(labels, mate, base, ring, barrier)
    if by_factors:
        reached = _kernel(_reach_by_factors, compiled)(labels, mate, base)
    else:
        reached = _reach_by_bits(game, labels, mate, base)
    require(reached == len(barrier), "the barrier is not reached from the missed numbers")

    kinds = bytes(labels)
    winning: list[Move] = [n for n in members(position.legal) if kinds[n] == ODD]
    move = proof["move"]
    require(not winning if move is None else move in winning, f"{move} is not a winning move")
    require(move is None or not mate[move], f"the pairs do not leave {move} out")
    return winning


def _require_symmetric(game: ChainGame) -> None:
    """Every criterion is one of the table, which tests try, or is tried on this board."""
    if all(criterion.neighbours in SYMMETRIC for criterion in game.rules):
        return
    require(game.size <= MOST_TRIED, f"no more than {MOST_TRIED:,} numbers are tried for symmetry")
    for one in range(1, game.size + 1):
        for two in members(game.neighbours[one]):
            fits = 0 < two <= game.size and game.neighbours[two] >> one & 1
            require(bool(fits), f"{two} may follow {one}, but {one} may not follow {two}")


def _whole(numbers: Iterable[Any]) -> list[int]:
    """The numbers as a list, once sure that they are whole numbers."""
    found = list(numbers)
    require({*map(type, found)} <= {int}, "it has something else instead of a number")
    return found


def _ints(numbers: Collection[int], compiled: bool) -> Ints:
    """A list for plain Python, an array for compiled kernels; OverflowError if one is too large."""
    if not compiled:
        return list(numbers)
    numpy = import_module("numpy")
    kind = numpy.uint8 if isinstance(numbers, bytearray) else numpy.int32
    return cast("Ints", numpy.fromiter(numbers, kind, len(numbers)))


def _require_fits(game: ChainGame, edges: Sequence[int]) -> None:
    """Edges are their ends, two by two; each is one of the game's."""
    known = [criterion.fits for criterion in game.rules if criterion in CRITERIA.values()]
    of_table = len(known) == len(game.rules)
    for one, two in zip(edges[::2], edges[1::2], strict=True):
        require(min(one, two) > 0 and max(one, two) <= game.size, "an edge leaves the board")
        if of_table:  # without bit sets: on a board that only a theorem answers they are too long
            fit = one != two and any(fits and fits(one, two) for fits in known)
        else:
            fit = bool(game.neighbours[one] >> two & 1)
        require(fit, f"{one} and {two} do not fit")


def _require_factors(size: int, edges: Ints) -> None:
    for at in range(0, len(edges), 2):
        one, two = min(edges[at], edges[at + 1]), max(edges[at], edges[at + 1])
        require(0 < one < two < size, "an edge leaves the board")
        require(two % one == 0, "two numbers do not fit")


def _pair_up(label: Ints, mate: Ints, pairs: Ints) -> None:
    for at in range(0, len(pairs), 2):
        one, two = pairs[at], pairs[at + 1]
        require(one < two, "a pair is not in order")
        require(label[one] == label[two] == REST, "a number of a pair has been used")
        require(mate[one] == mate[two] == 0, "a number is in two pairs")
        mate[one], mate[two] = two, one


def _put_in_barrier(label: Ints, barrier: Ints) -> None:
    for number in barrier:
        require(0 < number < len(label) and label[number] == REST, "no number for the barrier")
        label[number] = BARRIER


def _contract(label: Ints, base: Ints, ring: Ints, cycles: Ints, ends: Ints) -> None:
    """Contract the cycles one after another; each must be a simple odd cycle of classes by then.

    A cycle is its edges, up to where it ends; there is an odd number of them. base[n] names the
    class of n, and ring[n] is the next number of that class, round and round.
    """
    inside = [1] * len(base)  # by class: how many numbers
    first, second = [0] * len(base), [0] * len(base)  # by class: those next to it on the cycle
    start = 0
    for end in ends:
        for at in range(start, end, 2):
            require(label[cycles[at]] == label[cycles[at + 1]] == REST, "no number for a cycle")
            one, two = base[cycles[at]], base[cycles[at + 1]]
            for here, there in ((one, two), (two, one)):
                require(second[here] == 0, "a cycle is not simple")
                if first[here]:
                    second[here] = there
                else:
                    first[here] = there
        # Walk round. No class has a third neighbour, so the walk ends where it began, or nowhere.
        largest = here = base[cycles[start]]
        before, seen = 0, [here]
        while True:
            following = second[here] if first[here] == before else first[here]
            before, here = here, following
            if here == seen[0] or not here:
                break
            seen.append(here)
            if inside[here] > inside[largest]:
                largest = here
        require(here != 0 and 2 * len(seen) == end - start, "a cycle is not closed")
        for one in seen:
            first[one] = second[one] = 0
            if one != largest:
                number = ring[one]
                while base[number] != largest:
                    base[number] = largest
                    number = ring[number]
                ring[one], ring[largest] = ring[largest], ring[one]
                inside[largest] += inside[one]
        start = end


def _find_odd(label: Ints, mate: Ints, base: Ints, ring: Ints, barrier: Ints) -> None:
    """The odd classes have a missed number or one whose partner is in the barrier, and no others.

    As many as the barrier has numbers and the matching misses: that shows that it is maximum.
    """
    missed = [number for number in range(len(label)) if label[number] and not mate[number]]
    odd = 0
    for number in missed + [mate[number] for number in barrier]:
        own = base[number]
        if label[own] == ODD:
            continue
        odd += 1
        leaving, inside = 0, own
        while True:
            require(label[inside] == REST, "a class has a number that is not free")
            label[inside] = ODD
            leaving += base[mate[inside]] != own
            inside = ring[inside]
            if inside == own:
                break
        require(leaving == 1, "a class is not matched within itself but for one")
    require(odd == len(barrier) + len(missed), "the matching is not shown to be maximum")


def _reach_by_factors(label: Ints, mate: Ints, base: Ints) -> int:
    """How much of the barrier is reached, once sure that nothing else is next to an odd class."""
    latest, touching, earlier = [0] * len(label), [0], [0]
    for one in range(1, len(label)):
        own = label[one]
        for two in range(2 * one, len(label), one) if own else range(0):
            other = label[two]
            if own == ODD == other:
                require(base[one] == base[two], "two odd classes touch")
            elif (own == ODD and other) or other == ODD:
                require(own != REST and other != REST, "an odd class goes on")
                inside, outside = (one, two) if own == ODD else (two, one)
                touching.append(outside)
                earlier.append(latest[base[inside]])
                latest[base[inside]] = len(touching) - 1
    return _reach(label, mate, base, latest, touching, earlier)


def _reach_by_bits(game: ChainGame, label: Ints, mate: Ints, base: Ints) -> int:
    """The same with neighbourhoods as bit sets: no edge is looked at one by one."""
    of_label = [bit_set(n for n, kind in enumerate(label) if kind == want) for want in range(4)]
    classes: dict[int, list[int]] = {}
    for number in members(of_label[ODD]):
        classes.setdefault(base[number], []).append(number)
    if len(classes) <= 1 and not of_label[REST] | of_label[BARRIER]:
        return 0  # a class of all numbers touches nothing
    require(not classes or game.size <= MOST_DENSE, "its classes touch too many numbers")
    latest, touching, earlier = [0] * len(label), [0], [0]
    for own, inside in classes.items():
        around = 0
        for number in inside:
            around |= game.neighbours[number]
        require(not around & of_label[REST], f"the class of {own} goes on")
        require(not around & of_label[ODD] & ~bit_set(inside), f"{own} touches another class")
        for outside in members(around & of_label[BARRIER]):
            touching.append(outside)
            earlier.append(latest[own])
            latest[own] = len(touching) - 1
    return _reach(label, mate, base, latest, touching, earlier)


def _reach(label: Ints, mate: Ints, base: Ints, latest: Ints, touching: Ints, earlier: Ints) -> int:
    """Follow alternating paths from the missed numbers: from class to barrier to class.

    A class touches touching[latest[class]], then what is `earlier` than that, until 0.
    """
    reached = 0
    queue = [base[number] for number in range(len(label)) if label[number] and not mate[number]]
    while queue:
        at = latest[queue.pop()]
        while at:
            number = touching[at]
            if label[number] == BARRIER:
                label[number] = REACHED
                reached += 1
                queue.append(base[mate[number]])
            at = earlier[at]
    return reached


_KERNELS = Kernels(require, _reach)


def _kernel(function: Kernel, compiled: bool) -> Kernel:
    return _KERNELS.compiled(function) if compiled else function
