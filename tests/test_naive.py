"""The real games and the naive ones agree at every step of many random games."""

import random
from itertools import combinations

import pytest

import duels
import naive
from duels.games.chain.criteria import CRITERIA

BOARDS = [
    *[("number-duel", {"numbers": numbers}) for numbers in (1, 2, 9, 10, 11, 37, 100, 123)],
    *[("number-duel", {"numbers": 60, "criteria": name}) for name in CRITERIA],
    *[
        ("number-duel", {"numbers": 30, "criteria": f"{one},{two}"})
        for one, two in combinations(CRITERIA, 2)
    ],
    ("number-duel", {"numbers": 40, "criteria": ",".join(CRITERIA)}),
    *[("divisor-duel", {"divisor": divisor}) for divisor in (*range(2, 31), 101, 9876, 10**30)],
    *[("number-line-duel", {"numbers": numbers}) for numbers in (1, 2, 3, 4, 10, 31, 60)],
    *[
        ("sequence-duel", {"numbers": numbers, "opening": opening})
        for numbers in (2, 3, 7, 20, 64, 200)
        for opening in ("any", "even")
    ],
    *[
        ("sequence-duel", {"numbers": numbers, "opening": "even-below-half"})
        for numbers in (5, 8, 9, 21, 100)
    ],
    *[("number-chain-duel", {"numbers": numbers}) for numbers in (1, 2, 9, 12, 50)],
]


@pytest.mark.parametrize(("game", "options"), BOARDS, ids=str)
def test_every_step_of_random_games_agrees(game, options):
    chance = random.Random(f"{game} {options}")
    for _ in range(8):
        position, moves = duels.game(game, **options).start(), []
        while legal := naive.legal_moves(game, options, moves):
            assert list(position.legal_moves) == legal
            assert position.outcome is None
            assert position.to_move == naive.to_move(moves)
            moves.append(chance.choice(legal))
            position = position.play(moves[-1])
        assert position.legal_moves == ()
        assert position.outcome == naive.outcome(game, options, moves)
        assert position.to_move == naive.to_move(moves)


def test_both_implementations_have_the_same_games_and_criteria():
    assert naive.DEFAULTS.keys() == duels.GAMES.keys()
    assert naive.CRITERIA.keys() == CRITERIA.keys()


@pytest.mark.parametrize("name", CRITERIA)
def test_a_criterion_matches_its_name(name):
    neighbours = CRITERIA[name].neighbours(120)
    for number in range(1, 121):
        follows = {other for other in range(1, 121) if neighbours(number) >> other & 1}
        fits = {other for other in range(1, 121) if naive.CRITERIA[name](number, other)}
        assert follows - {number} == fits - {number}


@pytest.mark.slow
@pytest.mark.parametrize("highest", [1, 2, 9, 10, 100, 143, 1000])
@pytest.mark.parametrize("name", CRITERIA)
def test_a_criterion_is_symmetric(name, highest):
    rows = list(map(CRITERIA[name].neighbours(highest), range(1, highest + 1)))
    columns = [0] * highest
    for number, row in enumerate(rows, start=1):
        for other in range(1, highest + 1):
            columns[other - 1] |= (row >> other & 1) << number
    assert rows == columns


@pytest.mark.parametrize("highest", [1, 2, 9, 10, 100, 143])
@pytest.mark.parametrize("name", CRITERIA)
def test_a_criterion_stays_on_the_board(name, highest):
    board = sum(1 << number for number in range(1, highest + 1))
    for number in range(1, highest + 1):
        assert CRITERIA[name].neighbours(highest)(number) & ~board == 0
