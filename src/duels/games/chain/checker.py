"""Chain games: a matching, a barrier A, and odd cycles.

Contracting the odd cycles makes classes that are connected, odd and factor-critical. If every
neighbour of a class is in A, the classes are odd components of G - A, and the Tutte-Berge bound
says that no matching misses fewer than (classes - |A|) numbers. A matching that misses exactly that
many is maximum, and the numbers that a maximum matching can miss are those of the classes that
alternating paths reach from the missed ones. Taking one of these wins, taking any other loses.

This assumes the rules of the chain games: each number is used once, criteria are symmetric, and the
last mover wins. Any criteria are allowed; those that are not in our table are tested on every pair
of numbers.

The kernels, from `_require_factors` on, run as plain Python and, on large boards, compiled. They
return 0, or the index in FAULTS of what is wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, MutableSequence, Sequence
from importlib import import_module
from itertools import accumulate, chain
from typing import Any, NamedTuple, cast

from duels.core.errors import ProofError
from duels.core.fast import Kernel, Kernels, bit_set, is_numba_installed, members, require_memory
from duels.core.game import Move
from duels.games.chain.criteria import CRITERIA, SYMMETRIC, factors_and_multiples
from duels.games.chain.rules import ChainGame, ChainPosition
from duels.theory.check import of_kind, require, require_rules
from duels.theory.verdict import Proof

GONE, REST, BARRIER, ODD, REACHED = range(5)
"""The labels of numbers; a number of the barrier that alternating paths have reached is REACHED."""
DIGITS = bytes(b"01"[label == ODD] for label in range(256))
"""A translation from labels to the digits of the bit set of odd numbers."""
COMPILED_FROM = 20_000
"""Boards of at least this size are checked by compiled code, if there is a compiler."""

MOST_DENSE = 15_000
"""The most numbers on a board whose neighbourhoods are compared as bit sets."""
CHECKER_BYTES = 40
"""The memory needed for each number of a board whose proof consists of arrays."""
MOST_TRIED = 1_000
"""The most numbers on a board whose criteria are tested for symmetry."""

Ints = MutableSequence[int]
Array = Any
"""A numpy array of 32-bit integers; for the kernels in plain Python, a list."""

FAULTS = (
    "",
    "an edge leaves the board",
    "two numbers do not fit",
    "a pair is not in order",
    "a number of a pair has been used",
    "a number is in two pairs",
    "a number of the barrier is not free",
    "a number of a cycle is not free",
    "a cycle is not simple",
    "a cycle is not closed",
    "a class has a number that is not free",
    "a class is not matched within itself except for one number",
    "the matching is not shown to be maximum",
    "an odd class has a neighbour outside the barrier",
)
# fmt: off
(_, LEAVES_BOARD, DOES_NOT_FIT, NOT_IN_ORDER, USED, IN_TWO_PAIRS, NO_BARRIER, NO_CYCLE, NOT_SIMPLE,
 NOT_CLOSED, NOT_FREE, NOT_MATCHED, NOT_MAXIMUM, GOES_ON) = range(len(FAULTS))
# fmt: on


class Flat(NamedTuple):
    """A proof in flat form, as large boards have it; an edge is two entries, its ends."""

    move: Any
    pairs: Array
    barrier: Array
    edges: Array
    """The edges of all cycles, one cycle after another."""
    ends: Array
    """Where each cycle ends in `edges`."""

    def require_whole(self) -> None:
        """Raise ProofError unless the arrays have the form of a proof."""
        for array in self[1:]:
            if str(array.dtype) != "int32" or array.ndim != 1:
                raise ProofError("The proof is damaged: it does not have the form of a proof.")
        lengths = self.ends[1:] - self.ends[:-1]
        first, last = (self.ends[:1], self.ends[-1:].tolist() or [0])
        odd = (first % 4 == 2).all() and (lengths % 4 == 2).all()
        rising = (first > 0).all() and (lengths > 0).all()
        if not (odd and rising) or last != [len(self.edges)] or len(self.pairs) % 2:
            raise ProofError("The proof fails: a cycle is not odd, or a pair is not two numbers.")


def check_matching(position: ChainPosition, proof: Proof | tuple[Any, ...]) -> list[Move]:
    """Return the winning moves that the proof shows; ProofError if it does not show them."""
    return [*members(proved(position, proof))]


def check_packed(position: ChainPosition, move: Any, arrays: Sequence[Any]) -> int:
    """Return the bit set of the winning moves that arrays show; ProofError if they do not."""
    size = position.game.size
    require_memory(size * CHECKER_BYTES, f"The proof for {size:,} numbers")
    return proved(position, (move, *arrays))


def proved(position: ChainPosition, proof: Proof | tuple[Any, ...]) -> int:
    """Return the bit set of the winning moves that the proof shows; ProofError if it does not.

    A proof is plain data, or a tuple of a move and arrays.
    """
    game = position.game
    require_rules(position, ChainPosition, ChainGame, besides=("rules", "openings"))
    _require_symmetric(game)
    by_factors = [criterion.neighbours for criterion in game.rules] == [factors_and_multiples]
    if isinstance(proof, tuple):
        require(by_factors and is_numba_installed(), "arrays are for factors and multiples only")
        flat, compiled = Flat(*proof), True
        flat.require_whole()
    else:
        of_kind("matching", proof)
        compiled = by_factors and game.size >= COMPILED_FROM and is_numba_installed()
        flat = _flat(proof, compiled)
    length = game.size + 1
    label, mate = _labels(position, compiled), _zeros(length, compiled)
    base, ring = _counted(length, compiled), _counted(length, compiled)
    for edges in (flat.pairs, flat.edges):
        if by_factors:
            _run(compiled, _require_factors, length, edges)
        else:
            _require_fits(game, edges)
    _run(compiled, _pair_up, label, mate, flat.pairs)
    _run(compiled, _put_in_barrier, label, flat.barrier)
    room = [_zeros(length, compiled) for _ in range(3)]
    _run(compiled, _contract, label, base, ring, *room, flat.edges, flat.ends)
    del room
    _run(compiled, _find_odd, label, mate, base, ring, flat.barrier)
    if by_factors:
        _run(compiled, _require_apart, label, base)
        hit = _zeros(length, compiled)
        reached = _kernel(_reach, compiled)(label, mate, base, hit, flat.barrier)
    else:
        reached = _reach_by_bits(game, label, mate, base)
    require(reached == len(flat.barrier), "the barrier is not reached from the missed numbers")

    winning = int(bytes(label).translate(DIGITS)[::-1], 2) & position.legal
    move = flat.move
    if move is None:
        require(not winning, "it names no winning move, but some move wins")
    else:
        require(type(move) is int and 0 < move < length, "its move is not on the board")
        require(bool(winning >> move & 1), f"{move} is not a winning move")
        require(not mate[move], f"the pairs do not leave {move} out")
    return winning


def _flat(proof: Proof, compiled: bool) -> Flat:
    """Return a proof of nested lists in its flat form, after checking it."""
    pairs, cycles = proof["pairs"], proof["blossoms"]
    require({*map(len, pairs)} <= {2}, "a pair is not two numbers")
    require(all(len(cycle) % 4 == 2 for cycle in cycles), "a cycle is not odd")
    return Flat(
        proof["move"],
        *(
            _ints(_whole(numbers), compiled)
            for numbers in (
                chain.from_iterable(pairs),
                proof["barrier"],
                chain.from_iterable(cycles),
                accumulate(map(len, cycles)),
            )
        ),
    )


def _require_symmetric(game: ChainGame) -> None:
    """Raise ProofError unless every criterion is in our table or proves symmetric on this board."""
    if all(criterion.neighbours in SYMMETRIC for criterion in game.rules):
        return
    require(game.size <= MOST_TRIED, f"symmetry is tested only up to {MOST_TRIED:,} numbers")
    for one in range(1, game.size + 1):
        for two in members(game.neighbours[one]):
            fits = 0 < two <= game.size and game.neighbours[two] >> one & 1
            require(bool(fits), f"{two} may follow {one}, but {one} may not follow {two}")


def _whole(numbers: Iterable[Any]) -> list[int]:
    """Return the numbers as a list, after checking that they are integers."""
    found = list(numbers)
    require({*map(type, found)} <= {int}, "it has something else instead of a number")
    return found


def _ints(numbers: Collection[int], compiled: bool) -> Ints:
    """Return a list for plain Python, an array for compiled kernels; OverflowError if too large."""
    if not compiled:
        return list(numbers)
    numpy = import_module("numpy")
    return cast("Ints", numpy.fromiter(numbers, numpy.int32, len(numbers)))


def _zeros(length: int, compiled: bool) -> Ints:
    return import_module("numpy").zeros(length, "i") if compiled else [0] * length


def _counted(length: int, compiled: bool) -> Ints:
    return import_module("numpy").arange(length, dtype="i") if compiled else list(range(length))


def _labels(position: ChainPosition, compiled: bool) -> Ints:
    """Return a label for each number: REST if it is unused, otherwise GONE."""
    length = position.game.size + 1
    if compiled:
        numpy = import_module("numpy")
        data = numpy.frombuffer(position.unused.to_bytes(length // 8 + 1, "little"), numpy.uint8)
        return cast("Ints", numpy.unpackbits(data, bitorder="little", count=length) * REST)
    label = [GONE] * length
    for number in members(position.unused):
        label[number] = REST
    return label


def _require_fits(game: ChainGame, edges: Sequence[int]) -> None:
    """Raise ProofError unless every edge, given by its two ends, joins numbers that fit."""
    known = [criterion.fits for criterion in game.rules if criterion in CRITERIA.values()]
    of_table = len(known) == len(game.rules)
    for one, two in zip(edges[::2], edges[1::2], strict=True):
        require(min(one, two) > 0 and max(one, two) <= game.size, "an edge leaves the board")
        if of_table:  # no bit sets: they are too long on boards that only a theorem solves
            fit = one != two and any(fits and fits(one, two) for fits in known)
        else:
            fit = bool(game.neighbours[one] >> two & 1)
        require(fit, f"{one} and {two} do not fit")


def _require_factors(size: int, edges: Ints) -> int:
    for at in range(0, len(edges), 2):
        one, two = min(edges[at], edges[at + 1]), max(edges[at], edges[at + 1])
        if not 0 < one < two < size:
            return LEAVES_BOARD
        if two % one:
            return DOES_NOT_FIT
    return 0


def _pair_up(label: Ints, mate: Ints, pairs: Ints) -> int:
    for at in range(0, len(pairs), 2):
        one, two = pairs[at], pairs[at + 1]
        if one >= two:
            return NOT_IN_ORDER
        if label[one] != REST or label[two] != REST:
            return USED
        if mate[one] or mate[two]:
            return IN_TWO_PAIRS
        mate[one], mate[two] = two, one
    return 0


def _put_in_barrier(label: Ints, barrier: Ints) -> int:
    for number in barrier:
        if not 0 < number < len(label) or label[number] != REST:
            return NO_BARRIER
        label[number] = BARRIER
    return 0


def _contract(
    label: Ints,
    base: Ints,
    ring: Ints,
    more: Ints,
    first: Ints,
    second: Ints,
    cycles: Ints,
    ends: Ints,
) -> int:
    """Contract the cycles one after another; each must be a simple odd cycle of current classes.

    A cycle is an odd number of edges, up to where it ends. base[n] names the class of n, and
    ring[n] is the next number of that class, in a circle. For each class there is room for its size
    (without its base) and for its two neighbours on the cycle.
    """
    start = 0
    for end in ends:
        for at in range(start, end, 2):
            if label[cycles[at]] != REST or label[cycles[at + 1]] != REST:
                return NO_CYCLE
            one, two = base[cycles[at]], base[cycles[at + 1]]
            for _ in range(2):
                if second[one]:
                    return NOT_SIMPLE
                if first[one]:
                    second[one] = two
                else:
                    first[one] = two
                one, two = two, one
        # Walk round. No class has a third neighbour, so the walk returns to its start or breaks
        # off.
        top = base[cycles[start]]
        largest, here, before, steps = top, top, 0, 0
        while True:
            following = second[here] if first[here] == before else first[here]
            before, here = here, following
            steps += 1
            if here == top or not here:
                break
            if more[here] > more[largest]:
                largest = here
        if not here or 2 * steps != end - start:
            return NOT_CLOSED
        # Walk round again, to give all numbers to the largest class.
        here, before = top, 0
        for _ in range(steps):
            following = second[here] if first[here] == before else first[here]
            first[here] = second[here] = 0
            if here != largest:
                number = ring[here]
                while base[number] != largest:
                    base[number] = largest
                    number = ring[number]
                ring[here], ring[largest] = ring[largest], ring[here]
                more[largest] += more[here] + 1
            before, here = here, following
        start = end
    return 0


def _find_odd(label: Ints, mate: Ints, base: Ints, ring: Ints, barrier: Ints) -> int:
    """Label the odd classes: those with a missed number, or with a number matched into the barrier.

    There must be as many of them as the barrier has numbers plus the matching misses; that shows
    that the matching is maximum. Each is matched within itself except for one number.
    """
    odd = missed = 0
    for at in range(len(label) + len(barrier)):
        number = at
        if at >= len(label):
            number = mate[barrier[at - len(label)]]
        elif not label[at] or mate[at]:
            continue
        else:
            missed += 1
        own = base[number]
        if label[own] == ODD:
            continue
        odd += 1
        leaving, inside = 0, own
        while True:
            if label[inside] != REST:
                return NOT_FREE
            label[inside] = ODD
            leaving += base[mate[inside]] != own
            inside = ring[inside]
            if inside == own:
                break
        if leaving != 1:
            return NOT_MATCHED
    return 0 if odd == len(barrier) + missed else NOT_MAXIMUM


def _require_apart(label: Ints, base: Ints) -> int:
    """Check that only numbers of the barrier are next to an odd class.

    From here on `base` is 0 for a number that is free and in no odd class, and -1 for one that may
    be next to anything. Two neighbours must then have the same base, so no edge needs a branch.
    """
    for number in range(len(label)):
        if label[number] != ODD:
            base[number] = 0 if label[number] == REST else -1
    for one in range(1, (len(label) + 1) // 2):
        own, differ = base[one], 0
        if own >= 0:
            for two in range(2 * one, len(label), one):
                differ |= (base[two] != own) & (base[two] >= 0)
            if differ:
                return GOES_ON
    return 0


def _reach(label: Ints, mate: Ints, base: Ints, hit: Ints, barrier: Ints) -> int:
    """Return how much of the barrier alternating paths reach, from class to barrier to class.

    They begin at the missed numbers. `hit` has room to mark the classes that are reached.
    """
    for number in range(len(label)):
        if label[number] and not mate[number]:
            hit[base[number]] = 1
    reached, before = 0, -1
    while before < reached:
        before = reached
        for number in barrier:  # in increasing order, which finds nearly all of them
            end = len(label) if label[number] == BARRIER else 0
            for multiple in range(2 * number, end, number):
                if base[multiple] > 0 and hit[base[multiple]]:
                    label[number] = REACHED
                    hit[base[mate[number]]] = 1
                    reached += 1
                    break
        if before == reached < len(barrier):
            for number in range(1, (len(label) + 1) // 2):
                if base[number] > 0 and hit[base[number]]:
                    for multiple in range(2 * number, len(label), number):
                        if label[multiple] == BARRIER:
                            label[multiple] = REACHED
                            hit[base[mate[multiple]]] = 1
                            reached += 1
    return reached


def _reach_by_bits(game: ChainGame, label: Ints, mate: Ints, base: Ints) -> int:
    """Like `_require_apart` and `_reach` for any criteria, with neighbourhoods as bit sets."""
    of_label = [bit_set(n for n, kind in enumerate(label) if kind == want) for want in range(4)]
    classes: dict[int, list[int]] = {}
    for number in members(of_label[ODD]):
        classes.setdefault(base[number], []).append(number)
    if len(classes) <= 1 and not of_label[REST] | of_label[BARRIER]:
        return 0  # a class of all numbers has no neighbours
    require(not classes or game.size <= MOST_DENSE, "the board is too large for these criteria")
    touched: dict[int, int] = {}
    for own, inside in classes.items():
        around = 0
        for number in inside:
            around |= game.neighbours[number]
        others = of_label[REST] | of_label[ODD] & ~bit_set(inside)
        require(not around & others, f"the class of {own} has a neighbour outside the barrier")
        touched[own] = around & of_label[BARRIER]
    left = of_label[BARRIER]
    queue = [base[number] for number in range(len(label)) if label[number] and not mate[number]]
    while queue:
        found = touched[queue.pop()] & left
        left ^= found
        queue += [base[mate[number]] for number in members(found)]
    return (of_label[BARRIER] ^ left).bit_count()


_KERNELS = Kernels()


def _kernel(function: Kernel, compiled: bool) -> Kernel:
    return _KERNELS.compiled(function) if compiled else function


def _run(compiled: bool, kernel: Kernel, *more: Any) -> None:
    """Run a kernel; ProofError with what it finds wrong."""
    require(not (fault := _kernel(kernel, compiled)(*more)), FAULTS[fault])
