"""Verdicts against brute force on small boards, and against what others have published."""

import random
from itertools import combinations

import pytest

import duels
from duels import theory
from duels.core.fast import bit_set
from duels.games.chain import matching
from duels.games.chain.checker import check_matching
from duels.games.chain.criteria import CRITERIA
from duels.games.line.theory import run_worth
from rings import by_ring, only_long

COMBINATIONS = [
    pytest.param(",".join(names), marks=[pytest.mark.long] * (2 < size < 6))
    for size in range(1, 7)
    for names in combinations(CRITERIA, size)
]


def winning_moves(position, known):
    """By trying everything. Positions that play on alike are looked at once."""
    state = state_of(position)
    if state not in known:
        known[state] = tuple(
            move
            for move, after in ((move, position.play(move)) for move in position.legal_moves)
            if (after.outcome and after.outcome.winner == position.to_move)
            or (not after.outcome and not winning_moves(after, known))
        )
    return known[state]


def state_of(position):
    """Everything that decides how play can continue."""
    if position.game.id == "divisor-duel":
        return frozenset(position.moves), position.state % position.game.divisor
    return getattr(position, "state", position)


def every_position(start):
    """Every position that can be reached, one of each state."""
    found, todo = {state_of(start)}, [start]
    while todo:
        here = todo.pop()
        yield here
        for move in here.legal_moves:
            after = here.play(move)
            if state_of(after) not in found:
                found.add(state_of(after))
                todo.append(after)


def random_positions(game, games, chance):
    """All positions of some random games."""
    for _ in range(games):
        here = game.start()
        yield here
        while here.legal_moves:
            here = here.play(chance.choice(here.legal_moves))
            yield here


def assert_exact(position, known):
    """The verdict is right; it is returned, for its proof to be checked."""
    verdict = duels.solve(position)
    if position.outcome:
        assert (verdict.wins, verdict.winning_moves) == (None, ())
    else:
        assert verdict.winning_moves == winning_moves(position, known)
        assert verdict.wins is bool(verdict.winning_moves)
    return verdict


def assert_all_exact(start):
    known = {}
    for position in every_position(start):
        duels.check(assert_exact(position, known))


@pytest.mark.parametrize("numbers", [*range(1, 10), *only_long(10, 12)])
def test_every_position_of_number_chain_duel(numbers):
    assert_all_exact(duels.game("number-chain-duel", numbers=numbers).start())


@pytest.mark.parametrize("opening", ["any", "even"])
@pytest.mark.parametrize("numbers", [*range(2, 10), *only_long(10, 12)])
def test_every_position_of_sequence_duel(numbers, opening):
    assert_all_exact(duels.game("sequence-duel", numbers=numbers, opening=opening).start())


@pytest.mark.parametrize("numbers", [5, 8, 9, *only_long(12)])
def test_every_position_of_sequence_duel_as_nrich_plays_it(numbers):
    game = duels.game("sequence-duel", numbers=numbers, opening="even-below-half")
    assert_all_exact(game.start())


@pytest.mark.parametrize("numbers", [*range(1, 11), *only_long(11, 12)])
def test_every_position_of_number_duel(numbers):
    assert_all_exact(duels.game("number-duel", numbers=numbers).start())


@pytest.mark.slow
@pytest.mark.parametrize("criteria", COMBINATIONS)
def test_every_position_of_number_duel_by_criteria(criteria):
    assert_all_exact(duels.game("number-duel", numbers=8, criteria=criteria).start())


@pytest.mark.slow
@pytest.mark.parametrize("criteria", COMBINATIONS)
def test_every_position_of_a_few_larger_numbers_by_criteria(criteria):
    # On a board of 1..8 hardly any two numbers share a digit.
    start = duels.game("number-duel", numbers=30, criteria=criteria).start()
    left = bit_set(random.Random(criteria).sample(range(1, 31), 8))
    known = {}
    for position in every_position(start._replace(unused=left, legal=left)):
        verdict = assert_exact(position, known)
        if verdict.proof:  # `check` wants a position that play leads to, so its checker is called
            assert tuple(check_matching(position, verdict.proof)) == verdict.winning_moves


@pytest.mark.parametrize("numbers", [*range(1, 10), *only_long(10)])
def test_every_position_of_number_line_duel(numbers):
    assert_all_exact(duels.game("number-line-duel", numbers=numbers).start())


@pytest.mark.slow
@pytest.mark.parametrize("divisor", [2, 3, 12, *only_long(7, 13, 17)])
def test_every_state_of_divisor_duel(divisor):
    assert_all_exact(duels.game("divisor-duel", divisor=divisor).start())


@pytest.mark.slow
@pytest.mark.parametrize("divisor", [97, 1001, 10**9 + 7])
def test_random_positions_of_divisor_duel(divisor):
    known = {}
    game = duels.game("divisor-duel", divisor=divisor)
    for position in random_positions(game, by_ring(15, long=120), random.Random(divisor)):
        if len(position.moves) > 2:  # before that there is too much to try
            duels.check(assert_exact(position, known))


PUBLISHED = """
    0 1 2 3 1 4 3 2 1 4 2 6 4 1 2 7 1 4 3 2 1 4 6 7 4 1 2 8 5 4 7 2 1 8 6 7 4 1 2 3 1 4 7 2 1 8 2 7
    4 1 2 8 1 4 7 2 1 4 2 7 4 1 2 8 1 4 7 2 1 8 6 7 4 1 2 8 1 4 7 2 1 8 2 7 4 1 2 8 1 4 7 2 1 8 2 7
"""
"""Kayles, the beginning of OEIS A002186."""


def kayles(highest):
    """The least value that no move leaves, for 0..highest skittles in a row."""
    values = []
    for size in range(highest + 1):
        left = {values[one] ^ values[size - 1 - one] for one in range(size)}
        left |= {values[one] ^ values[size - 2 - one] for one in range(size - 1)}
        values.append(min(set(range(len(left) + 1)) - left))
    return values


def test_the_values_of_runs_agree_with_oeis_for_kayles():
    published = [int(value) for value in PUBLISHED.split()]
    assert [run_worth(length) for length in range(len(published))] == published


def test_three_hundred_runs_count_what_kayles_does():
    assert [run_worth(length) for length in range(300)] == kayles(299)


def test_a_line_is_won_if_its_runs_do_not_cancel_out():
    values, chance = kayles(300), random.Random(300)
    game = duels.game("number-line-duel", numbers=300)
    for position in random_positions(game, 6, chance):
        free = f"{position.state:b}".split("0")
        balance = 0
        for run in free:
            balance ^= values[len(run)]
        assert (duels.solve(position).wins or False) == (balance != 0)


@pytest.mark.parametrize(
    ("numbers", "missable", "pairs"), [(100, 73, 44), (1_000, 220, 438), (10_000, 6_207, 4_382)]
)
@pytest.mark.parametrize("game", ["sequence-duel", "number-chain-duel"])
def test_the_divisor_graph_has_its_gallai_edmonds_sizes(game, numbers, missable, pairs):
    verdict = duels.solve(duels.game(game, numbers=numbers).start())
    assert len(verdict.winning_moves) == missable
    assert len(verdict.proof["pairs"]) == pairs
    duels.check(verdict)


@pytest.mark.slow
def test_the_first_player_wins_divisor_duel_for_nine_divisors_only():
    starts = {
        divisor: duels.game("divisor-duel", divisor=divisor).start() for divisor in range(2, 201)
    }
    won = [divisor for divisor, start in starts.items() if theory.winning_moves(start)]
    assert won == [*range(2, 10), 12]
    for divisor in (*won, *range(10, 201, 19)):
        verdict = duels.solve(starts[divisor])
        duels.check(verdict)
        assert verdict.wins == (divisor in won)


def test_the_first_player_loses_number_duel_to_a_hundred():
    verdict = duels.solve(duels.game("number-duel").start())
    assert verdict.wins is False
    assert len(verdict.proof["pairs"]) == 50
    duels.check(verdict)


def test_a_finished_position_has_no_verdict_and_needs_no_proof():
    over = duels.game("sequence-duel", numbers=3).start().play(2).play(1).play(3)
    verdict = duels.solve(over)
    assert (verdict.wins, verdict.winning_moves, verdict.proof) == (None, (), None)
    duels.check(verdict)


LARGE = [
    ("number-duel", {"numbers": 200}),
    ("number-duel", {"numbers": 150, "criteria": "digit-sum,square-sum"}),
    ("number-duel", {"numbers": 120, "criteria": "neighbour,prime-factor"}),
    ("number-duel", {"numbers": 600}),
    ("number-chain-duel", {"numbers": 300}),
    ("sequence-duel", {"numbers": 400, "opening": "even"}),
    ("sequence-duel", {"numbers": 3_000}),
]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, *only_long(*range(2, 11))])
@pytest.mark.parametrize(("game", "options"), LARGE, ids=str)
def test_a_verdict_repaired_move_by_move_equals_a_fresh_one(game, options, seed):
    positions = list(random_positions(duels.game(game, **options), 1, random.Random(seed)))[:-1]
    sample, step = [], len(positions) // 20 + 1
    for ply, position in enumerate(positions):
        verdict = duels.solve(position)
        if ply % step == 0:
            assert verdict.proof  # written now, from the repaired forest
            sample.append(verdict)
    for verdict in sample:
        again = duels.game(game, **options).position(*verdict.position.moves)
        fresh = duels.solve(again)
        assert verdict.winning_moves == fresh.winning_moves
        assert len(verdict.proof["pairs"]) == len(fresh.proof["pairs"])
        duels.check(verdict)
        duels.check(fresh)


def test_one_forest_serves_a_whole_game(monkeypatch):
    built, new_forest = [], matching._new_forest
    monkeypatch.setattr(matching, "_new_forest", lambda *args: built.append(1) or new_forest(*args))
    position = duels.game("sequence-duel", numbers=200).start()
    while position.legal_moves:
        duels.solve(position)
        position = position.play(position.legal_moves[-1])
    assert len(built) == 1


def test_a_proof_passed_as_a_verdict_is_refused_with_advice():
    verdict = duels.solve(duels.game("number-line-duel").start())
    with pytest.raises(TypeError, match=r"takes the verdict that duels\.solve returned"):
        duels.check(verdict.proof)


def test_a_game_passed_as_a_position_is_refused_with_advice():
    with pytest.raises(TypeError, match=r"takes a position, not a game: pass game\.start\(\)"):
        duels.solve(duels.game("number-line-duel"))
