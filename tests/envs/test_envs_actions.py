"""Action ids, masks, observations and the length of games, for all five games."""

import copy
import pickle
import random

import pytest

import duels

pytest.importorskip("numpy", reason="the extra envs is not installed")

import numpy as np

from duels.envs.actions import (
    action_count,
    action_of,
    environment_game,
    legal_actions,
    mask,
    move_of,
    observation,
    observation_size,
)
from duels.envs.frozen import Frozen, as_text
from duels.envs.length import longest_game

GAMES = [
    duels.game("number-duel", numbers=70),
    duels.game("divisor-duel", divisor=13),
    duels.game("divisor-duel", divisor=10**40),
    duels.game("number-line-duel", numbers=40),
    duels.game("sequence-duel", numbers=66, opening="even"),
    duels.game("number-chain-duel"),
]
every_game = pytest.mark.parametrize("game", GAMES, ids=str)


def random_positions(game, games=5, seed=1):
    chance = random.Random(seed)
    for _ in range(games):
        position = game.start()
        yield position
        while not position.outcome:
            position = position.play(chance.choice(position.legal_moves))
            yield position


@every_game
def test_every_action_is_one_move_and_back(game):
    moves = [move_of(game, action) for action in range(action_count(game))]
    assert len(set(moves)) == len(moves)
    assert [action_of(game, move) for move in moves] == list(range(len(moves)))


def test_the_numbers_of_the_line_come_before_its_pairs():
    game = duels.game("number-line-duel", numbers=4)
    moves = [move_of(game, action) for action in range(action_count(game))]
    assert moves == [1, 2, 3, 4, (1, 2), (2, 3), (3, 4)]


@every_game
def test_the_mask_is_what_the_position_allows(game):
    for position in random_positions(game):
        found = mask(position)
        assert found.dtype == np.int8
        assert found.shape == (action_count(game),)
        actions = np.flatnonzero(found).tolist()
        assert actions == legal_actions(position)
        assert {move_of(game, action) for action in actions} == set(position.legal_moves)


@every_game
def test_what_can_be_seen_decides_what_can_be_played(game):
    seen = {}
    for position in random_positions(game, games=30):
        key = observation(position).tobytes()
        assert observation(position).shape == (observation_size(game),)
        ahead = position.legal_moves, position.outcome and position.outcome.reason
        assert seen.setdefault(key, ahead) == ahead


def test_an_observation_shows_free_numbers_then_the_last_move_then_the_remainder():
    line = duels.game("number-line-duel", numbers=4).start().play(4).play((1, 2))
    assert observation(line).tolist() == [0, 0, 1, 0, 1, 1, 0, 0]
    divisor = duels.game("divisor-duel", divisor=13).start().play(2).play(5)  # 25 leaves 12
    assert observation(divisor).tolist()[9:] == [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1]


@pytest.mark.parametrize("action", [-1, 9, 10**30, "1", None, 1.0, np.float64(2), np.arange(3)])
def test_an_unknown_action_is_named(action):
    with pytest.raises(duels.UnreadableMove, match=r"is not an action: they go from 0 to 8\."):
        move_of(duels.game("number-chain-duel"), action)


def test_actions_may_be_numpys_numbers():
    game = duels.game("number-chain-duel")
    moves = [move_of(game, action) for action in (np.int64(3), np.uint8(3), np.array(3))]
    assert moves == [4, 4, 4]
    assert all(type(move) is int for move in moves)


def test_an_environment_has_a_divisor_of_its_own():
    assert environment_game("divisor-duel").options == {"divisor": 13}
    assert environment_game("divisor-duel", divisor=7).options == {"divisor": 7}


def longest_by_trying(position, memo):
    if position not in memo:
        ahead = [longest_by_trying(position.play(move), memo) for move in position.legal_moves]
        memo[position] = 1 + max(ahead, default=-1)
    return memo[position]


@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        *(("number-chain-duel", {"numbers": numbers}) for numbers in range(1, 13)),
        *(("number-duel", {"numbers": numbers}) for numbers in (1, 2, 9, 10, 11, 12)),
        *(("number-line-duel", {"numbers": numbers}) for numbers in (1, 2, 7)),
        *(("divisor-duel", {"divisor": divisor}) for divisor in (2, 3)),
    ],
)
def test_the_longest_game_is_exactly_as_long(game_id, options):
    game = duels.game(game_id, **options)
    assert longest_game(game) == longest_by_trying(game.start(), {})


@pytest.mark.parametrize("numbers", [2, 5, 9, 12])
def test_with_an_even_opening_the_bound_is_at_most_one_more(numbers):
    game = duels.game("sequence-duel", numbers=numbers, opening="even")
    assert 0 <= longest_game(game) - longest_by_trying(game.start(), {}) <= 1


def longest_chain(game):
    """The longest chain, first by trying numbers with few ways on; the search ends at the bound."""
    rows, bound, best = game.neighbours, longest_game(game), 0

    def extend(last, unused, length):
        nonlocal best
        best = max(best, length)
        ways = sorted(
            (n for n in range(1, game.numbers + 1) if unused & rows[last] & 1 << n),
            key=lambda n: (rows[n] & unused).bit_count(),
        )
        return best == bound or any(extend(n, unused ^ 1 << n, length + 1) for n in ways)

    everything = game.start().unused
    for first in sorted(range(1, game.numbers + 1), key=lambda n: rows[n].bit_count()):
        if extend(first, everything ^ 1 << first, 1):
            break
    return best


@pytest.mark.parametrize("numbers", [13, 14, 16, 18, 20, 21, 24])
def test_the_longest_chain_of_a_larger_board_can_be_played(numbers):
    game = duels.game("sequence-duel", numbers=numbers)
    assert longest_chain(game) == longest_game(game)


@pytest.mark.parametrize("numbers", [20, 50, 100, 200])
def test_all_numbers_of_number_duel_can_be_played(numbers):
    game = duels.game("number-duel", numbers=numbers)
    assert longest_chain(game) == longest_game(game) == numbers


@every_game
def test_a_held_position_can_be_copied_and_pickled(game):
    *_, position = random_positions(game, games=1)
    held = Frozen(position)
    assert copy.deepcopy(held) is held
    again = pickle.loads(pickle.dumps(held)).position
    assert again == position
    assert again.moves == position.moves


def test_a_position_in_words():
    position = duels.game("divisor-duel", divisor=13).start().play(2).play(5)
    assert as_text(position).splitlines() == [
        "Divisor Duel (divisor=13)",
        "Moves: ●2 ▲5",
        "Free: 1 3 4 6-9",
        "Player 1 ● is to move. The remainder is 12.",
    ]
    won = duels.game("number-chain-duel", numbers=2).start().play(1).play(2)
    assert as_text(won).splitlines()[2:] == ["Free: none", "Player 2 ▲ has won (no-moves)."]
