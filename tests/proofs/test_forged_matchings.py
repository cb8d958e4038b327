"""Chain games: no forged matching, barrier or odd cycle gets past the checker."""

from __future__ import annotations

import random
from copy import deepcopy
from itertools import combinations, product

import pytest
from forging import CHAIN_BOARDS, assert_rejected, edited, mutated, proves, some, verdicts

import duels
from duels.games.chain import checker as matching
from duels.games.chain.criteria import CRITERIA
from rings import by_ring


def drops_a_pair(verdict):
    pairs = verdict.proof["pairs"]
    for at in range(len(pairs)):
        yield edited(verdict, pairs=pairs[:at] + pairs[at + 1 :])


def repeats_a_pair(verdict):
    for pair in verdict.proof["pairs"]:
        yield edited(verdict, pairs=[*verdict.proof["pairs"], pair])


def adds_a_pair(verdict):
    """Of numbers that have a partner, are used, do not fit, are equal, or are too high."""
    position, pairs = verdict.position, verdict.proof["pairs"]
    numbers = range(1, position.game.numbers + 2)
    for one in numbers:
        for two in range(one, numbers.stop):
            if [one, two] not in pairs and (one + two) % 7 == 0:
                yield edited(verdict, pairs=[*pairs, [one, two]])


def swaps_partners_that_do_not_fit(verdict):
    neighbours, pairs = verdict.position.game.neighbours, verdict.proof["pairs"]
    for (a, b), (c, d) in combinations(pairs[:8], 2):
        if not (neighbours[a] >> c & 1 and neighbours[b] >> d & 1):
            rest = [pair for pair in pairs if pair not in ([a, b], [c, d])]
            yield edited(verdict, pairs=[*rest, sorted([a, c]), sorted([b, d])])


def drops_a_barrier_number(verdict):
    barrier = verdict.proof["barrier"]
    for number in barrier:
        yield edited(verdict, barrier=[other for other in barrier if other != number])


def adds_a_barrier_number(verdict):
    for number in range(-1, verdict.position.game.numbers + 2):
        yield edited(verdict, barrier=[*verdict.proof["barrier"], number])


def drops_a_blossom(verdict):
    blossoms = verdict.proof["blossoms"]
    for at in range(len(blossoms)):
        yield edited(verdict, blossoms=blossoms[:at] + blossoms[at + 1 :])


def repeats_a_blossom(verdict):
    for blossom in verdict.proof["blossoms"]:
        yield edited(verdict, blossoms=[*verdict.proof["blossoms"], blossom])


def drops_an_edge_of_a_blossom(verdict):
    for number, blossom in enumerate(verdict.proof["blossoms"]):
        for at in range(0, len(blossom), 2):
            for ends in (1, 2):  # one end of it only, or the whole edge
                blossoms = deepcopy(verdict.proof["blossoms"])
                del blossoms[number][at : at + ends]
                yield edited(verdict, blossoms=blossoms)


def bends_an_edge_of_a_blossom(verdict):
    for number, blossom in enumerate(verdict.proof["blossoms"]):
        for at in range(1, len(blossom), 2):
            for end in (blossom[at - 1], 0, -1, verdict.position.game.numbers + 1):
                blossoms = deepcopy(verdict.proof["blossoms"])
                blossoms[number][at] = end
                yield edited(verdict, blossoms=blossoms)


def adds_a_round_trip_to_a_blossom(verdict):
    """As many edges as numbers, an odd number of them, each number met twice: and no cycle."""
    proof = verdict.proof
    met = {number for blossom in proof["blossoms"] for number in blossom}
    for pair in proof["pairs"]:
        if met and not met.union(proof["barrier"]).intersection(pair):
            first, *rest = proof["blossoms"]
            yield edited(verdict, blossoms=[[*first, *pair, *pair], *rest])
            yield edited(verdict, blossoms=[[*pair, *pair, *first], *rest])


def hangs_a_path_on_a_blossom(verdict):
    proof, neighbours = verdict.proof, verdict.position.game.neighbours
    free = [pair for pair in proof["pairs"] if not {*pair} & {*proof["barrier"]}]
    for at, blossom in enumerate(proof["blossoms"]):
        for number, (one, two) in product(blossom[::2], free):
            if neighbours[number] >> one & 1:
                blossoms = [*proof["blossoms"]]
                blossoms[at] = [*blossom, number, one, one, two]
                yield edited(verdict, blossoms=blossoms)


def begins_with_another_move(verdict):
    covered = {number for pair in verdict.proof["pairs"] for number in pair}
    for move in {0, -1, 10**40, *verdict.position.legal_moves}:
        if move in covered or move not in verdict.winning_moves:
            yield edited(verdict, move=move)


def begins_with_no_move_in_a_won_position(verdict):
    if verdict.wins:
        yield edited(verdict, move=None)


MATCHING_FORGERIES = [
    drops_a_pair,
    repeats_a_pair,
    adds_a_pair,
    swaps_partners_that_do_not_fit,
    drops_a_barrier_number,
    adds_a_barrier_number,
    drops_a_blossom,
    repeats_a_blossom,
    drops_an_edge_of_a_blossom,
    bends_an_edge_of_a_blossom,
    adds_a_round_trip_to_a_blossom,
    hangs_a_path_on_a_blossom,
    begins_with_another_move,
    begins_with_no_move_in_a_won_position,
]


@pytest.mark.parametrize("forge", MATCHING_FORGERIES)
def test_a_forged_matching_is_rejected(forge):
    assert_rejected(forge, CHAIN_BOARDS)


def by_factors(board):
    return duels.game(board[0], **board[1]).rules == (CRITERIA["factor"],)


FACTORS = [board for board in CHAIN_BOARDS if by_factors(board)]


@pytest.mark.long
@pytest.mark.parametrize("forge", MATCHING_FORGERIES)
def test_the_compiled_checker_rejects_the_same(forge, monkeypatch):
    pytest.importorskip("numba")
    monkeypatch.setattr(matching, "COMPILED_FROM", 0)
    assert_rejected(forge, FACTORS)


@pytest.mark.slow
def test_the_compiled_checker_is_the_plain_one(monkeypatch):
    """Over spoilt proofs, of which some are still right."""
    pytest.importorskip("numba")
    chance = random.Random(17)
    for board in FACTORS:
        for verdict in some(verdicts(board), by_ring(9, long=60)):
            for proof in [verdict.proof, *(mutated(verdict.proof, chance) for _ in range(20))]:
                monkeypatch.setattr(matching, "COMPILED_FROM", 10**9)
                plain = proves(verdict.position, proof)
                monkeypatch.setattr(matching, "COMPILED_FROM", 0)
                assert proves(verdict.position, proof) == plain, proof
