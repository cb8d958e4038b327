"""Action ids, masks, observations and the length of games, for all games."""

import copy
import pickle

import pytest

import duels

pytest.importorskip("numpy", reason="the extra envs is not installed")

import numpy as np
from strangers import STRANGERS
from walks import OUR_GAMES, all_boards, label, longest_by_trying, random_positions

from duels.games.chain.criteria import CRITERIA
from duels.games.chain.environment import longest_path
from duels.lab.envs.base import PositionHolder, as_text, environment_game
from duels.lab.envs.spaces import mask, observation, space_of
from duels.testing import small_boards

every_game = pytest.mark.parametrize("game", all_boards(), ids=label)
strangers_too = pytest.mark.parametrize(
    "game", [*all_boards(), *small_boards(*STRANGERS)], ids=label
)


@strangers_too
def test_every_action_is_one_move_and_back(game):
    moves = [space_of(game).move_of(action) for action in range(len(space_of(game).moves))]
    assert moves == [*game.all_moves()]
    assert len(set(moves)) == len(moves)
    assert [space_of(game).action_of(move) for move in moves] == list(range(len(moves)))


def test_the_numbers_of_the_line_come_before_its_pairs():
    game = duels.game("number-line-duel", numbers=4)
    moves = [space_of(game).move_of(action) for action in range(len(space_of(game).moves))]
    assert moves == [1, 2, 3, 4, (1, 2), (2, 3), (3, 4)]


@strangers_too
def test_the_mask_has_the_legal_moves_of_the_position(game):
    for position in random_positions(game):
        found = mask(position)
        assert found.dtype == np.int8
        assert found.shape == (len(space_of(game).moves),)
        actions = np.flatnonzero(found).tolist()
        assert actions == space_of(position.game).legal_actions(position)
        assert {space_of(game).move_of(action) for action in actions} == set(position.legal_moves)


@pytest.mark.slow
@every_game
def test_what_can_be_seen_decides_what_can_be_played(game):
    seen = {}
    for position in random_positions(game, games=30):
        key = observation(position).tobytes()
        assert observation(position).shape == (space_of(game).observation_size,)
        ahead = position.legal_moves, position.outcome and position.outcome.reason
        assert seen.setdefault(key, ahead) == ahead


def test_an_observation_shows_free_numbers_then_the_last_move_then_the_remainder():
    line = duels.game("number-line-duel", numbers=4).start().play(4).play((1, 2))
    assert observation(line).tolist() == [0, 0, 1, 0, 1, 1, 0, 0]
    divisor = duels.game("divisor-duel", divisor=13).start().play(2).play(5)  # 25 leaves 12
    assert observation(divisor).tolist()[9:] == [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1]


@pytest.mark.parametrize("action", [-1, 9, 10**30, "1", None, 1.0, np.float64(2), np.arange(3)])
def test_an_unknown_action_is_named(action):
    with pytest.raises(duels.UnreadableMove, match=r"is not an action: choose from 0 to 8\."):
        space_of(duels.game("number-chain-duel")).move_of(action)


def test_actions_may_be_numpys_numbers():
    game = duels.game("number-chain-duel")
    moves = [space_of(game).move_of(action) for action in (np.int64(3), np.uint8(3), np.array(3))]
    assert moves == [4, 4, 4]
    assert all(type(move) is int for move in moves)


def test_an_environment_has_a_divisor_of_its_own():
    assert environment_game("divisor-duel").options == {"divisor": 13}
    assert environment_game("divisor-duel", divisor=7).options == {"divisor": 7}


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [
        *small_boards(*OUR_GAMES.values(), sizes=2),
        *(duels.game("number-chain-duel", numbers=numbers) for numbers in range(3, 13)),
        *(duels.game("number-duel", numbers=numbers) for numbers in range(9, 13)),
        duels.game("number-line-duel", numbers=7),
    ],
    ids=label,
)
def test_the_longest_game_is_exactly_as_long(game):
    assert space_of(game).longest_game() == longest_by_trying(game.start(), {})


@pytest.mark.parametrize("opening", ["any", "even"])
@pytest.mark.parametrize("criteria", [*CRITERIA, "factor,digit-sum", "digit-sum,prime-factor"])
def test_the_longest_chain_is_exactly_as_long_with_any_criteria(criteria, opening):
    for numbers in (1, 2, 3, 7, 11):
        graph = duels.game("number-duel", numbers=numbers, criteria=criteria).start()
        longest = {
            number: 1 + longest_by_trying(graph.play(number), {}) for number in graph.legal_moves
        }
        starts = [number for number in longest if opening == "any" or number % 2 == 0]
        edges = [(a, b) for a in longest for b in graph.play(a).legal_moves if a < b]
        expected = max((longest[number] for number in starts), default=0)
        assert longest_path(edges, starts) == expected
        if opening == "any":
            assert space_of(graph.game).longest_game() == expected


@pytest.mark.parametrize("opening", ["even", "even-below-half"])
@pytest.mark.parametrize("numbers", [5, 9, 12, 13])
def test_an_even_opening_can_cost_a_move(numbers, opening):
    game = duels.game("sequence-duel", numbers=numbers, opening=opening)
    assert space_of(game).longest_game() == longest_by_trying(game.start(), {})


A337125 = (
    "1 2 3 4 4 6 6 7 8 9 9 11 11 12 13 14 14 16 16 17 18 19 19 21 21 22 23 24 24 26 26 27 28 28 "
    "29 30 30 30 31 32 32 34 34 36 37 37 37 39 39 41 42 43 43 44 45 46 47 47 47 49 49 49 50 51 51 "
    "53 53 54"
)
"""OEIS: the longest simple path in the divisor graph of 1..n."""


@pytest.mark.slow
def test_the_longest_chains_of_factors_and_multiples_are_those_of_the_encyclopedia():
    known = dict(enumerate(map(int, A337125.split()), start=1))
    for numbers in (*range(1, 27), 35, 40, 44, 50, 59, 68):
        assert (
            space_of(duels.game("sequence-duel", numbers=numbers)).longest_game() == known[numbers]
        )


@pytest.mark.parametrize("numbers", [20, 50, 100])
def test_all_numbers_of_number_duel_can_be_played(numbers):
    assert space_of(duels.game("number-duel", numbers=numbers)).longest_game() == numbers


@pytest.mark.parametrize("numbers", [129, 300])
def test_on_larger_boards_no_game_is_longer_than_the_bound(numbers):
    position = duels.game("sequence-duel", numbers=numbers).start()
    while position.legal_moves:
        ways = map(position.play, position.legal_moves)
        position = min(ways, key=lambda after: len(after.legal_moves))
    assert len(position.moves) <= space_of(position.game).longest_game() < numbers


@every_game
def test_a_held_position_can_be_copied_and_pickled(game):
    *_, position = random_positions(game, games=1)
    held = PositionHolder(position)
    assert copy.deepcopy(held) is held
    again = pickle.loads(pickle.dumps(held)).position
    assert again == position
    assert again.moves == position.moves


@every_game
def test_a_text_has_the_words_of_the_game(game):
    position = game.position(game.start().legal_moves[-1])
    lines = as_text(position).splitlines()
    assert len(lines) == 4
    assert lines[2] == position.words


def test_a_position_in_words():
    position = duels.game("divisor-duel", divisor=13).start().play(2).play(5)
    assert as_text(position).splitlines() == [
        "Divisor Duel (divisor=13)",
        "Moves: ●2 ▲5",
        "Number: 25, remainder 12. Free: 1 3 4 6 7 8 9",
        "Player 1 ● is to move.",
    ]
    won = duels.game("number-chain-duel", numbers=2).start().play(1).play(2)
    assert as_text(won).splitlines()[2:] == ["Free: none", "Player 2 ▲ has won (no-moves)."]
