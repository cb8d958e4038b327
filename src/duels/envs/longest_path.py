"""The longest path of a graph, exactly, as a linear programme in whole numbers.

A node 0 next to all others makes a path a tour through 0. Each edge is used or not, each number is
on the tour or not, and a number on the tour has two used edges. What this allows besides a tour,
rounds that do not meet 0, is forbidden as it appears. SciPy solves it, which OpenSpiel needs too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

Edge = tuple[int, int]
Term = tuple[int, float]
"""A variable by its column, and its factor."""
FEW = 4
"""How often a round is forbidden, each time in the name of another of its numbers: one would do."""


def longest_path(edges: Sequence[Edge], starts: Iterable[int]) -> int:
    """How many vertices, numbered from 1, the longest path has that begins at one of `starts`."""
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
    rounds: list[list[Term]] = []
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
                *([LinearConstraint(_matrix(rounds, width), -np.inf, 0)] if rounds else []),
            ],
        )
        if found.x is None:  # no start has a way on
            return 1
        parts = _parts([edge for edge, here in zip(used, found.x, strict=False) if here > 0.5])
        apart = [part for part in parts if 0 not in part]
        if not apart:
            length: int = round(-found.fun) - 1
            return length
        for part in apart:
            inside = [(at, 1.0) for at, (a, b) in enumerate(used) if a in part and b in part]
            on_tour = [(column[vertex], -1.0) for vertex in part]
            rounds += [
                [*inside, *(term for term in on_tour if term != one)] for one in on_tour[:FEW]
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
    """The connected parts of a graph."""
    parts: list[set[int]] = []
    for edge in edges:
        joined = set(edge).union(*(part for part in parts if not part.isdisjoint(edge)))
        parts = [part for part in parts if part.isdisjoint(edge)] + [joined]
    return parts
