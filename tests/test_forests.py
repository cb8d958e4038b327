"""The two matching forests: against brute force, and against what their certificates must show."""

import random
from hashlib import sha256
from itertools import accumulate, chain, combinations, pairwise

import pytest

from duels.core.fast import bit_set, members, up_to
from duels.games.chain import compiled, dense, sparse
from duels.games.chain.sparse import Graph
from rings import by_ring


def sparse_graph(neighbours):
    return Graph([0, *accumulate(map(len, neighbours))], [*chain.from_iterable(neighbours)])


def sparse_forest(neighbours, alive):
    gone = set(range(1, len(neighbours))) - alive
    return sparse.Forest(sparse_graph(neighbours), gone)


def dense_forest(neighbours, alive):
    return dense.Forest([bit_set(row) for row in neighbours], bit_set(alive))


both = pytest.mark.parametrize("build", [sparse_forest, dense_forest])


def graph(size, edges):
    """By vertex: the set of its neighbours. Vertices are 1..size."""
    neighbours = [set() for _ in range(size + 1)]
    for one, two in edges:
        if one != two:
            neighbours[one].add(two)
            neighbours[two].add(one)
    return neighbours


def scattered_edges(size, chance):
    """Every edge with the same probability."""
    share = chance.choice([0.08, 0.15, 0.3, 0.6, 1.0])
    return [edge for edge in combinations(range(1, size + 1), 2) if chance.random() < share]


def ears(size, chance):
    """Odd cycles that share vertices: blossoms in blossoms, and what hangs from them."""
    edges, used = [], 1
    while used < size:
        length = chance.choice([1, 2, 2, 2, 4])
        ear = range(used + 1, min(used + length, size) + 1)
        ends = chance.choices(range(1, used + 1), k=2)
        edges += pairwise([ends[0], *ear, ends[1]][: None if length > 1 else -1])
        used = ear[-1]
    return edges


def blocks(size, chance):
    """Small crowds that know each other through a few vertices only: barriers."""
    crowd = [chance.randrange(1 + size // 4) for _ in range(size + 1)]
    return [
        (one, two)
        for one, two in combinations(range(1, size + 1), 2)
        if chance.random() < (0.8 if crowd[one] == crowd[two] else 0.5 * (one <= size // 6))
    ]


def graphs(count, sizes):
    """Random graphs of all families."""
    chance = random.Random(count)
    for number in range(by_ring(count // 3, long=count)):
        family = (scattered_edges, ears, blocks)[number % 3]
        size = chance.choice(sizes)
        yield graph(size, family(size, chance))


def removals(build, neighbours):
    """The forest and its vertices, from all of them until none is left, in random order."""
    chance = random.Random(len(neighbours))
    alive = set(range(1, len(neighbours)))
    forest = build(neighbours, alive)
    yield forest, set(alive)
    for vertex in chance.sample(sorted(alive), len(alive)):
        forest.remove(vertex)
        alive.remove(vertex)
        yield forest, set(alive)


def outer_vertices(forest):
    return set(members(forest.outer))


def pairs_of(mate, neighbours, alive):
    """How many pairs there are, once sure that it is a matching."""
    matched = [vertex for vertex, partner in enumerate(mate) if partner]
    for vertex in matched:
        assert mate[mate[vertex]] == vertex
        assert mate[vertex] in neighbours[vertex]
        assert vertex in alive
    return len(matched) // 2


def most_pairs(neighbours):
    """By set of vertices, as bits: how many pairs a matching among them can have."""
    masks = [bit_set(row) >> 1 for row in neighbours[1:]]
    most = [0] * (1 << len(masks))
    for vertices in range(1, len(most)):
        first = vertices.bit_length() - 1
        rest = vertices ^ 1 << first
        partners = [one for one in range(first) if rest & masks[first] & 1 << one]
        most[vertices] = max(most[rest], *(1 + most[rest ^ 1 << one] for one in partners), 0)
    return most


def components(vertices, neighbours):
    left = set(vertices)
    while left:
        part = {left.pop()}
        ahead = list(part)
        while ahead:
            new = neighbours[ahead.pop()] & left
            left -= new
            part |= new
            ahead += new
        yield part


@pytest.mark.slow
@both
def test_outer_are_the_vertices_that_some_maximum_matching_misses(build):
    for neighbours in graphs(600, range(1, 11)):
        most = most_pairs(neighbours)
        for forest, alive in removals(build, neighbours):
            here = bit_set(alive) >> 1
            missable = {one for one in alive if most[here ^ 1 << one - 1] == most[here]}
            assert outer_vertices(forest) == missable


@pytest.mark.slow
@both
def test_the_matching_has_as_many_pairs_as_possible(build):
    for neighbours in graphs(600, range(1, 11)):
        most = most_pairs(neighbours)
        for forest, alive in removals(build, neighbours):
            assert pairs_of(forest.mate, neighbours, alive) == most[bit_set(alive) >> 1]


@both
def test_inner_vertices_are_those_next_to_outer_ones(build):
    for neighbours in graphs(90, range(10, 60)):
        for forest, alive in removals(build, neighbours):
            outer = outer_vertices(forest)
            next_to = {near for vertex in outer for near in neighbours[vertex] & alive}
            assert members(forest.inner) == tuple(sorted(next_to - outer))


@both
def test_the_inner_vertices_are_a_tutte_berge_barrier(build):
    for neighbours in graphs(90, range(10, 60)):
        for forest, alive in removals(build, neighbours):
            inner = set(members(forest.inner))
            odd = sum(len(part) % 2 for part in components(alive - inner, neighbours))
            matched = 2 * pairs_of(forest.mate, neighbours, alive)
            assert matched == len(alive) + len(inner) - odd


@both
def test_matching_missing_misses_the_vertex_and_is_as_large(build):
    for neighbours in graphs(90, range(5, 40)):
        for forest, alive in removals(build, neighbours):
            before = list(forest.mate)
            for vertex in outer_vertices(forest):
                mate = forest.matching_missing(vertex)
                assert not mate[vertex]
                assert pairs_of(mate, neighbours, alive) == pairs_of(before, neighbours, alive)
            assert list(forest.mate) == before


@both
def test_blossoms_contract_each_outer_component_to_a_point(build):
    for neighbours in graphs(90, range(5, 60)):
        for forest, alive in removals(build, neighbours):
            outer = outer_vertices(forest)
            point = contract(forest.blossoms(), neighbours, outer)
            for part in components(alive - set(members(forest.inner)), neighbours):
                assert part <= outer or not part & outer
                if part <= outer:
                    assert len({point(vertex) for vertex in part}) == 1


def edges_of(blossom):
    return list(zip(blossom[::2], blossom[1::2], strict=True))


def contract(blossoms, neighbours, outer):
    """To which point each vertex shrinks; a blossom is an odd cycle of points at its turn."""
    above = list(range(len(neighbours)))

    def point(vertex):
        while above[vertex] != vertex:
            vertex = above[vertex]
        return vertex

    for blossom in blossoms:
        cycle = edges_of(blossom)
        points = graph(len(above) - 1, [(point(one), point(two)) for one, two in cycle])
        on_cycle = {vertex for vertex, near in enumerate(points) if near}
        assert all(two in neighbours[one] and {one, two} <= outer for one, two in cycle)
        assert all(len(points[vertex]) == 2 for vertex in on_cycle)
        assert len(cycle) == len(on_cycle)
        assert len(cycle) % 2 == 1
        assert len(list(components(on_cycle, points))) == 1
        for vertex in on_cycle:
            above[vertex] = min(on_cycle)
    return point


@both
@pytest.mark.parametrize("length", [3, 5, 9])
def test_an_odd_cycle_is_one_blossom(build, length):
    cycle = [*pairwise(range(1, length + 1)), (length, 1)]
    forest = build(graph(length, cycle), set(range(1, length + 1)))
    [blossom] = forest.blossoms()
    assert {frozenset(edge) for edge in edges_of(blossom)} == {frozenset(edge) for edge in cycle}


@both
def test_a_path_has_no_blossom(build):
    assert build(graph(7, pairwise(range(1, 8))), set(range(1, 8))).blossoms() == []


@pytest.mark.slow
@both
def test_a_repaired_forest_divides_the_graph_like_a_fresh_one(build):
    for neighbours in graphs(90, range(20, 80)):
        for forest, alive in removals(build, neighbours):
            fresh = build(neighbours, alive)
            assert outer_vertices(forest) == outer_vertices(fresh)
            assert forest.inner == fresh.inner


@pytest.mark.slow
@both
def test_without_leaves_the_original_as_it_was(build):
    for neighbours in graphs(90, range(3, 30)):
        alive = set(range(1, len(neighbours)))
        forest = build(neighbours, alive)
        before = everything(forest, alive)
        for vertex in alive:
            other, rest = forest.without(vertex), alive - {vertex}
            while rest:
                other = other.without(rest.pop())
            assert everything(forest, alive) == before


def everything(forest, alive):
    outer = sorted(outer_vertices(forest))
    missing = [list(forest.matching_missing(vertex)) for vertex in outer]
    return list(forest.mate), outer, members(forest.inner), forest.blossoms(), missing


@pytest.mark.slow
@both
def test_without_does_what_remove_does(build):
    for neighbours in graphs(90, range(2, 30)):
        alive = set(range(1, len(neighbours)))
        for vertex in alive:
            removed = build(neighbours, alive)
            removed.remove(vertex)
            copied = build(neighbours, alive).without(vertex)
            rest = alive - {vertex}
            assert everything(copied, rest) == everything(removed, rest)


@both
def test_no_vertices_need_no_pairs(build):
    assert everything(build([set()], set()), set()) == ([0], [], (), [], [])


def test_a_vertex_is_removed_only_once():
    forest = sparse.Forest(sparse.divisor_graph(9), [5])
    with pytest.raises(ValueError, match="vertex 5 is not in the graph"):
        forest.remove(5)


def test_no_matching_misses_a_vertex_that_is_not_outer():
    forest = sparse.Forest(sparse.divisor_graph(9))
    with pytest.raises(ValueError, match="every maximum matching covers vertex 1"):
        forest.matching_missing(1)


def test_the_divisor_graph_joins_factors_and_multiples():
    for size in range(60):
        offsets, targets = sparse.divisor_graph(size)
        rows = [targets[offsets[one] : offsets[one + 1]] for one in range(size + 1)]
        pairs = combinations(range(1, size + 1), 2)
        expected = graph(size, [(one, two) for one, two in pairs if two % one == 0])
        assert [sorted(row) for row in rows] == [sorted(row) for row in expected]


def test_progress_rises_to_one():
    shares = []
    sparse.Forest(sparse.divisor_graph(500), progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1


def divisor_rows(size):
    """By number: the set of its factors and multiples."""
    pairs = combinations(range(1, size + 1), 2)
    return graph(size, [(one, two) for one, two in pairs if two % one == 0])


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 2, 9, 40, 100, 300])
@pytest.mark.parametrize("taken", [0, 3, 30])
def test_the_compiled_forest_divides_the_numbers_like_the_plain_one(size, taken):
    pytest.importorskip("numba")
    chance, neighbours = random.Random(size), divisor_rows(size)
    alive = set(range(1, size + 1)) - set(chance.sample(range(1, size + 1), min(taken, size - 1)))
    plain, forest = sparse_forest(neighbours, alive), compiled.Forest(size, bit_set(alive))
    for number in chance.sample(sorted(alive), min(len(alive), 50)):
        assert (forest.outer, forest.inner) == (plain.outer, plain.inner)
        pairs = pairs_of(plain.mate, neighbours, alive)
        assert pairs_of(forest.mate, neighbours, alive) == pairs == forest.pairs
        for missed in chance.sample(members(forest.outer), min(3, forest.outer.bit_count())):
            mate = forest.matching_missing(missed)
            assert not mate[missed]
            assert pairs_of(mate, neighbours, alive) == pairs
        point = contract(forest.blossoms(), neighbours, outer_vertices(forest))
        for part in components(alive - set(members(forest.inner)), neighbours):
            assert not part & outer_vertices(forest) or len({*map(point, part)}) == 1
        before = everything(forest, alive)
        other = forest.without(number)
        assert everything(forest, alive) == before
        forest = other
        plain.remove(number)
        alive.remove(number)


def test_the_compiled_and_the_plain_forest_refuse_the_same():
    pytest.importorskip("numba")
    forest = compiled.Forest(9, bit_set({1, 2, 3, 4, 6, 7, 8, 9}))
    with pytest.raises(ValueError, match="number 5 is not in the graph"):
        forest.without(5)
    with pytest.raises(ValueError, match="every maximum matching covers number 1"):
        forest.matching_missing(1)


def test_the_compiled_forest_tells_its_progress():
    pytest.importorskip("numba")
    shares = []
    compiled.Forest(5_000, up_to(5_000), progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1


KNOWN = {
    10: ("96a296d2", "96a296d2"),
    100: ("5b6f24d0", "8c0a6d32"),
    1_000: ("97ed156a", "059d9902"),
    10_000: ("774dc777", "1c712965"),
    100_000: ("39b2cf93", "fbc15956"),
    1_000_000: ("1cf10c4d", "53c60c40"),
}
"""By size: the beginnings of the hashes of D and A, as version 1.0.0 found them."""


def hashed(bits, size):
    return sha256(bits.to_bytes(size // 8 + 1, "little")).hexdigest()[:8]


@pytest.mark.slow
@pytest.mark.parametrize("size", KNOWN)
def test_the_compiled_forest_finds_the_sets_of_version_1(size):
    pytest.importorskip("numba")
    forest = compiled.Forest(size, up_to(size))
    assert (hashed(forest.outer, size), hashed(forest.inner, size)) == KNOWN[size]


@pytest.mark.parametrize("size", [size for size in KNOWN if size <= 10_000])
def test_the_plain_forest_finds_the_sets_of_version_1(size):
    forest = sparse.Forest(sparse.divisor_graph(size))
    assert (hashed(forest.outer, size), hashed(forest.inner, size)) == KNOWN[size]
