"""The action and observation space of the chain games, and the length of their longest chain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from duels.core.fast import members, up_to
from duels.games.chain.rules import ChainGame, ChainPosition, Neighbours
from duels.lab.envs.board_space import BoardSpace, Rules

Edge = tuple[int, int]
Term = tuple[int, float]
"""A term of a linear constraint: the column of a variable, and its coefficient."""
CUTS = 4
"""Constraints added for each subtour; one would be enough, a few are faster."""


def longest_path(edges: Sequence[Edge], starts: Iterable[int]) -> int:
    """Return the number of vertices on a longest path from one of `starts`.

    Vertices are numbered from 1. Adding vertex 0 closes the path to a tour, which an integer
    program finds; subtours are forbidden when they appear.
    """
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp

    beginnings = set(starts)
    if not edges or not beginnings:
        return min(1, len(beginnings))
    vertices = sorted({end for edge in edges for end in edge})
    used = [*edges, *((0, vertex) for vertex in vertices)]
    column = {vertex: len(used) + at for at, vertex in enumerate([0, *vertices])}
    width = len(used) + len(column)
    degrees: dict[int, list[Term]] = {vertex: [(column[vertex], -2)] for vertex in column}
    for at, edge in enumerate(used):
        for end in edge:
            degrees[end].append((at, 1))
    begin = [(at, -1.0) for at, (one, two) in enumerate(used) if not one and two in beginnings]
    cuts: list[list[Term]] = []
    gain = np.array([0] * len(used) + [-1] * len(column))
    least = np.zeros(width)
    least[column[0]] = 1
    while True:
        found = milp(
            gain,
            integrality=np.ones(width),
            bounds=Bounds(least, 1),
            constraints=[
                LinearConstraint(_matrix(degrees.values(), width), 0, 0),
                LinearConstraint(_matrix([begin], width), -np.inf, -1),
                *([LinearConstraint(_matrix(cuts, width), -np.inf, 0)] if cuts else []),
            ],
        )
        if found.x is None:  # none of the starts has a neighbour
            return 1
        parts = _parts([edge for edge, here in zip(used, found.x, strict=False) if here > 0.5])
        apart = [part for part in parts if 0 not in part]
        if not apart:
            length: int = round(-found.fun) - 1
            return length
        for part in apart:
            inside = [(at, 1.0) for at, (a, b) in enumerate(used) if a in part and b in part]
            on_tour = [(column[vertex], -1.0) for vertex in part]
            cuts += [
                [*inside, *(term for term in on_tour if term != one)] for one in on_tour[:CUTS]
            ]


def _matrix(rows: Iterable[Sequence[Term]], width: int) -> Any:
    from scipy.sparse import csr_array

    terms = list(rows)
    starts = [0]
    for row in terms:
        starts.append(starts[-1] + len(row))
    columns = [at for row in terms for at, _ in row]
    factors = [float(factor) for row in terms for _, factor in row]
    return csr_array((factors, columns, starts), shape=(len(terms), width))


def _parts(edges: Sequence[Edge]) -> list[set[int]]:
    """Return the connected components of a graph."""
    parts: list[set[int]] = []
    for edge in edges:
        joined = set(edge).union(*(part for part in parts if not part.isdisjoint(edge)))
        parts = [part for part in parts if part.isdisjoint(edge)] + [joined]
    return parts


EXACT_BOARD = 128
"""Up to this many numbers, finding the longest chain takes a second or two. On larger boards there
is no such limit: for factors and multiples of 1..200 it can take a minute."""
LARGEST_BOARD = 10_000
"""On larger boards, the upper bound is simply the number of numbers."""

MOST_REMOVED = 64


class ChainSpace(BoardSpace[ChainPosition]):
    """The actions are the numbers; a number must meet a criterion against the last one."""

    game: ChainGame

    def free(self, position: ChainPosition) -> int:
        return position.unused

    def longest_game(self) -> int:
        """Return the length of the longest game up to `EXACT_BOARD`, beyond it an upper bound.

        Finding the longest path is a hard problem. With the usual criteria the upper bound is exact
        on the largest boards.
        """
        game = self.game
        if game.size > LARGEST_BOARD:
            return game.size
        bound = _chain_bound(game)
        if game.size > EXACT_BOARD or _can_be_played(game, bound):
            return bound
        return _longest_chain(game)

    def rules(self) -> Rules:
        game = self.game
        rules = super().rules()
        follow = [game.neighbours[number] >> 1 for number in game.all_moves()]
        return rules._replace(opening=game.openings >> 1, follow=follow)


def _chain_bound(game: ChainGame) -> int:
    """Return an upper bound: removing k numbers splits a chain into at most k + 1 pieces."""
    rows, left, bound = game.neighbours, up_to(game.size), game.size
    by_neighbours = sorted(range(1, game.size + 1), key=lambda n: -rows[n].bit_count())
    for taken, number in enumerate(by_neighbours[:MOST_REMOVED]):
        sizes = sorted(_components(rows, left), reverse=True)
        bound = min(bound, taken + sum(sizes[: taken + 1]))
        left ^= 1 << number
    return bound


def _components(rows: Neighbours, left: int) -> list[int]:
    """Return the sizes of the connected components of the remaining numbers."""
    sizes = []
    while left:
        border, size = left & -left, 0
        left ^= border
        while border:
            number = border.bit_length() - 1
            reached = rows[number] & left
            left ^= reached
            border = border ^ 1 << number | reached
            size += 1
        sizes.append(size)
    return sizes


def _can_be_played(game: ChainGame, length: int) -> bool:
    """Say whether a greedy chain is this long; it takes the number with the fewest exits."""
    rows = game.neighbours
    for number in members(game.openings):
        unused, played = up_to(game.size) ^ 1 << number, 1
        while ways := members(rows[number] & unused):
            number = min(ways, key=lambda way: (rows[way] & unused).bit_count())
            unused ^= 1 << number
            played += 1
        if played == length:
            return True
    return False


@lru_cache(maxsize=64)
def _longest_chain(game: ChainGame) -> int:
    rows = game.neighbours
    edges = [(one, two) for one in game.all_moves() for two in members(rows[one]) if one < two]
    return longest_path(edges, members(game.openings))
