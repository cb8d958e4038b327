"""Chain games: a matching, a barrier A, and odd cycles.

Contracting the odd cycles makes classes that are connected, odd and factor-critical. If every
neighbour of a class is in A, the classes are odd components of G - A, and the Tutte-Berge bound
says that no matching misses fewer than (classes - |A|) numbers. A matching that misses just so
many is maximum, and the numbers that a maximum matching can miss are those of the classes that
alternating paths reach from the missed ones. Taking one of these wins, taking any other loses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from duels.core.bits import bit_set, members
from duels.core.game import Move
from duels.games.chain import ChainGame, ChainPosition
from duels.games.criteria import CRITERIA
from duels.theory.check.step import of_kind, require
from duels.theory.verdict import Proof

GONE, REST, BARRIER, ODD = range(4)


def check_matching(position: ChainPosition, proof: Proof) -> list[Move]:
    of_kind("matching", proof)
    game, numbers = position.game, members(position.unused)
    label = bytearray(game.size + 1)
    for number in numbers:
        label[number] = REST
    mate = _matching(game, label, proof["pairs"])
    barrier = proof["barrier"]
    for number in barrier:
        require(number > 0 and label[number] == REST, f"{number} cannot be in the barrier")
        label[number] = BARRIER
    classes = _classes(game, label, proof["blossoms"])
    missed = [number for number in numbers if not mate[number]]
    odd = {classes.base(number) for number in (*missed, *(mate[number] for number in barrier))}
    for base in odd:
        inside = classes.inside(base)
        for number in inside:
            require(label[number] == REST, f"{number} is in the barrier and in a class")
            label[number] = ODD
        leaving = sum(classes.base(mate[number]) != base for number in inside)
        require(leaving == 1, f"the class of {base} is not matched within itself but for one")
    require(len(odd) - len(barrier) == len(missed), "the matching is not shown to be maximum")
    _check_reach(_neighbours_in_barrier(game, label, classes), missed, mate, classes, barrier)
    winning: list[Move] = [n for n in members(position.legal) if label[n] == ODD]
    move = proof["move"]
    require(not winning if move is None else move in winning, f"{move} is not a winning move")
    require(move is None or not mate[move], f"the pairs do not leave {move} out")
    return winning


def _matching(game: ChainGame, label: bytearray, pairs: Sequence[Any]) -> list[int]:
    mate = [0] * (game.size + 1)
    for one, two in pairs:
        require(0 < one < two <= game.size, f"{one} and {two} are not a pair of numbers")
        require(label[one] == label[two] == REST, f"{one} or {two} has been used")
        require(not mate[one] and not mate[two], f"{one} or {two} is in two pairs")
        require(_may_follow(game, one, two), f"{one} and {two} do not fit")
        mate[one], mate[two] = two, one
    return mate


class _Classes:
    """Numbers united by odd cycles; a number in no cycle is a class of its own."""

    def __init__(self) -> None:
        self._members: dict[int, list[int]] = {}
        self._base: dict[int, int] = {}

    def base(self, number: int) -> int:
        return self._base.get(number, number)

    def inside(self, base: int) -> list[int]:
        return self._members.get(base, [base])

    def unite(self, bases: set[int]) -> None:
        largest = max(bases, key=lambda base: len(self.inside(base)))
        united = self._members.setdefault(largest, [largest])
        for base in bases - {largest}:
            for number in self._members.pop(base, [base]):
                self._base[number] = largest
                united.append(number)


def _classes(game: ChainGame, label: bytearray, blossoms: Sequence[Any]) -> _Classes:
    """Contract the cycles one after another; each must be a simple odd cycle by then.

    A cycle is the ends of its edges, two by two.
    """
    classes = _Classes()
    for cycle in blossoms:
        ends: dict[int, list[int]] = {}
        for one, two in zip(cycle[::2], cycle[1::2], strict=True):
            require(min(one, two) > 0 and max(one, two) <= game.size, "a cycle leaves the board")
            require(label[one] == label[two] == REST, f"{one} or {two} cannot be in a cycle")
            require(_may_follow(game, one, two), f"{one} and {two} do not fit")
            bases = classes.base(one), classes.base(two)
            ends.setdefault(bases[0], []).append(bases[1])
            ends.setdefault(bases[1], []).append(bases[0])
        require(len(cycle) == 2 * len(ends) and len(ends) % 2 == 1, "a cycle is not odd")
        require(all(len(met) == 2 for met in ends.values()), "a cycle is not simple")
        base = previous = next(iter(ends))
        seen = {base}
        while (following := _other_end(ends[base], previous)) not in seen:
            base, previous = following, base
            seen.add(base)
        require(len(seen) == len(ends), "a cycle is not connected")
        classes.unite(seen)
    return classes


def _other_end(met: list[int], previous: int) -> int:
    return met[1] if met[0] == previous else met[0]


Touching = dict[int, list[int]]
"""For each odd class, by its base: its neighbours in the barrier, with repetitions."""


def _neighbours_in_barrier(game: ChainGame, label: bytearray, classes: _Classes) -> Touching:
    """The barrier around every odd class, once sure that nothing else is next to one."""
    look = _look_at_multiples if _by_factors(game) else _look_at_bits
    touching: Touching = {}
    for base in {classes.base(number) for number, kind in enumerate(label) if kind == ODD}:
        touching[base] = []
    look(game, label, classes, touching)
    return touching


def _look_at_bits(game: ChainGame, label: bytearray, classes: _Classes, touching: Touching) -> None:
    """Neighbourhoods as bit sets: no edge is looked at one by one."""
    of_label = [bit_set(n for n, kind in enumerate(label) if kind == want) for want in range(4)]
    for base, barrier in touching.items():
        inside = classes.inside(base)
        around = 0
        for number in inside:
            around |= game.neighbours[number]
        require(not around & of_label[REST], f"the class of {base} goes on")
        require(not around & of_label[ODD] & ~bit_set(inside), f"{base} touches another class")
        barrier += members(around & of_label[BARRIER])


def _look_at_multiples(
    game: ChainGame, label: bytearray, classes: _Classes, touching: Touching
) -> None:
    """The labels of all multiples of a number are one slice: near-linear, up to a million."""
    for number in range(1, game.size + 1):
        own, labels = label[number], label[2 * number :: number]
        if own == REST:
            require(ODD not in labels, f"{number} is next to an odd class and in none")
        elif own == BARRIER:
            at = labels.find(ODD)
            while at >= 0:
                touching[classes.base((at + 2) * number)].append(number)
                at = labels.find(ODD, at + 1)
        elif own == ODD:
            require(REST not in labels, f"the class of {number} goes on")
            base = classes.base(number)
            for at, kind in enumerate(labels, start=2):
                if kind == BARRIER:
                    touching[base].append(at * number)
                elif kind == ODD:
                    require(classes.base(at * number) == base, f"{number} touches another class")


def _check_reach(
    touching: Touching,
    missed: list[int],
    mate: list[int],
    classes: _Classes,
    barrier: Sequence[int],
) -> None:
    """Alternating paths from the missed numbers reach all of the barrier, and so every class."""
    queue = [classes.base(number) for number in missed]
    reached: set[int] = set()
    while queue:
        for number in touching[queue.pop()]:
            if number not in reached:
                reached.add(number)
                queue.append(classes.base(mate[number]))
    require(reached == set(barrier), "the barrier is not reached from the missed numbers")


def _may_follow(game: ChainGame, one: int, two: int) -> bool:
    if _by_factors(game):
        return one != two and (one % two == 0 or two % one == 0)
    return bool(game.neighbours[one] >> two & 1)


def _by_factors(game: ChainGame) -> bool:
    return game.rules == (CRITERIA["factor"],)
