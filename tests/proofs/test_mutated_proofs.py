"""Whatever a spoilt proof or file proves is true."""

from __future__ import annotations

import pickle
import random
from contextlib import suppress
from dataclasses import replace
from itertools import combinations

import pytest
from forging import GARBAGE, every_board, mutated, proves, rejects, verdicts, with_proof

import duels
from duels.core.errors import DuelsError, ProofError
from duels.theory.verdict import read_verdict, verdict_data
from rings import by_ring, only_long

pytestmark = pytest.mark.slow


@every_board
def test_a_mutated_proof_proves_nothing_false(board):
    chance = random.Random(str(board))
    for _ in range(by_ring(60, long=3000)):
        truth = chance.choice(verdicts(board))
        proof = mutated(truth.proof, chance)
        assert proves(truth.position, proof) in (None, truth.winning_moves), proof
        rejects(with_proof(truth, proof))  # or not, but no other error


@every_board
def test_the_proof_of_another_position_proves_nothing_false(board):
    chance = random.Random(str(board))
    for _ in range(by_ring(60, long=3000)):
        truth, other = chance.choices(verdicts(board), k=2)
        assert proves(truth.position, other.proof) in (None, truth.winning_moves)
        if other.winning_moves != truth.winning_moves:
            assert rejects(replace(other, position=truth.position))


@pytest.mark.parametrize(
    "criteria", ["factor,neighbour", *only_long("factor", "factor,neighbour,square-sum")]
)
def test_no_small_proof_at_all_proves_anything_false(criteria):
    largest = by_ring(4, long=5)
    game = duels.game("number-duel", numbers=largest, criteria=criteria)
    numbers = range(1, largest + 1)
    edges = [list(pair) for pair in combinations(numbers, 2)]
    triangles = [[a, b, b, c, c, a] for a, b, c in combinations(numbers, 3)]
    for moves in by_ring([(), (2, 1)], long=[(), (1,), (5,), (2, 1)]):
        position = game.start()
        for move in moves:
            position = position.play(move)
        truth = duels.solve(position)
        for pairs in (some for size in range(3) for some in combinations(edges, size)):
            for barrier in (some for size in range(3) for some in combinations(numbers, size)):
                for blossoms in ([], *([triangle] for triangle in triangles)):
                    proof = {"pairs": pairs, "barrier": barrier, "blossoms": blossoms}
                    for move in (None, *truth.winning_moves, *position.legal_moves[:1]):
                        found = proves(position, proof | {"move": move})
                        assert found in (None, truth.winning_moves), proof


@every_board
def test_a_damaged_file_is_refused_or_still_a_true_verdict(board):
    chance = random.Random(str(board))
    for _ in range(by_ring(60, long=3000)):
        data = mutated(verdict_data(chance.choice(verdicts(board))), chance)
        with suppress(DuelsError):
            verdict = read_verdict(data)
            duels.check(verdict)
            truth = duels.solve(verdict.position)
            assert (verdict.wins, verdict.winning_moves) == (truth.wins, truth.winning_moves)


@pytest.mark.parametrize("data", [*GARBAGE, {"game": "number-duel"}, {"game": []}])
def test_other_data_is_not_a_verdict(data):
    with pytest.raises(ProofError, match="This is not a verdict"):
        read_verdict(data)


def test_a_verdict_can_be_pickled():
    start = duels.game("sequence-duel", numbers=1).start()
    for position in (start, start.play(1)):
        verdict = duels.solve(position)
        assert pickle.loads(pickle.dumps(verdict)).proof == verdict.proof
        read = read_verdict(verdict_data(verdict))
        assert pickle.loads(pickle.dumps(read)) == read
