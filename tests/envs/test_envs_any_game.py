"""Games that this project does not know are environments too, by upstream's checkers."""

import copy
import pickle
import random

import pytest

import duels

pytest.importorskip("pyspiel", reason="the extra envs is not installed")
pytest.importorskip("pettingzoo", reason="the extra envs is not installed")

import gymnasium
import numpy as np
import pyspiel
from following import check_batch_in, check_batch_in_random_play
from gymnasium.utils.env_checker import check_env
from open_spiel.python.algorithms import minimax
from pettingzoo.test import api_test, seed_test
from strangers import STRANGERS, DebtDuel, EuclidDuel, HeapsDuel, RoundDuel, SquareDuel, WordsDuel
from walks import OUR_GAMES, label, longest_by_trying, plays

from duels.core.errors import TooLarge
from duels.core.states import rules_of
from duels.games import GAMES
from duels.lab.envs import openspiel
from duels.lab.envs import pettingzoo as tables
from duels.lab.envs.base import environment_ids
from duels.lab.envs.batch import BatchEnv, GameBatch
from duels.lab.envs.gymnasium import DuelEnv, register
from duels.lab.envs.spaces import observation, space_of
from duels.lab.envs.text import TextEnv
from duels.testing import small_boards

every_game = pytest.mark.parametrize("kind", STRANGERS, ids=lambda kind: kind.id)
every_board = pytest.mark.parametrize("game", small_boards(*STRANGERS), ids=label)


@pytest.fixture(autouse=True)
def strangers(monkeypatch):
    """They join the games for the time of a test."""
    for kind in STRANGERS:
        monkeypatch.setitem(GAMES, kind.id, kind)
    register()
    openspiel.register()


@every_game
@pytest.mark.parametrize("plays", ["second", "alternating"])
@pytest.mark.parametrize("opponent", ["random", "expert"])
def test_gymnasium_finds_nothing_to_complain_about(kind, plays, opponent):
    made = gymnasium.make(environment_ids()[kind.id], plays=plays, opponent=opponent)
    check_env(made.unwrapped)


@pytest.mark.parametrize("kind", [*STRANGERS, *OUR_GAMES.values()], ids=lambda kind: kind.id)
def test_options_left_out_are_the_same_in_every_environment(kind):
    spiel = pyspiel.load_game(openspiel.openspiel_name(kind.id))
    made = DuelEnv(kind.id), BatchEnv(kind.id, 2), tables.env(kind.id).unwrapped, TextEnv(kind.id)
    assert {env.game for env in (*made, spiel)} == {kind.usual()}
    assert spiel.get_type().parameter_specification == {
        name: value.replace(",", "+") if isinstance(value, str) else value
        for name, value in kind.usual().options.items()
    }


def test_the_name_of_an_environment_is_the_id_and_not_the_title():
    assert environment_ids()["euclid-duel"] == "duels/EuclidDuel-v0"
    made = gymnasium.make("duels.lab.envs:duels/EuclidDuel-v0", smaller=5).unwrapped
    assert made.game == EuclidDuel(smaller=5)


# Besides what api_test says of every environment with a mask: a pile of no stones is all zeros.
@pytest.mark.filterwarnings(
    "ignore:Observation numpy array is all zeros",
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",
)
@every_game
def test_pettingzoo_finds_nothing_to_complain_about(kind):
    api_test(tables.env(kind.id), num_cycles=100)
    seed_test(lambda: tables.env(kind.id), num_cycles=30)


@every_game
def test_openspiel_simulates_random_games(kind):
    game = pyspiel.load_game(openspiel.openspiel_name(kind.id))
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    assert game.game == kind.usual()
    assert pickle.loads(pickle.dumps(game)).game == game.game


@pytest.mark.parametrize("stones", range(1, 11))
def test_openspiels_minimax_agrees_with_our_verdicts(stones):
    game = pyspiel.load_game(f"python_square_duel(stones={stones})")
    value, action = minimax.alpha_beta_search(game)
    winning = duels.solve(game.game.start()).winning_moves
    assert value == (1 if winning else -1)
    assert not winning or action in {space_of(game.game).action_of(move) for move in winning}


@pytest.mark.slow
@every_board
def test_a_batch_follows_the_rules(game):
    check_batch_in(game, plays(game.start()))
    check_batch_in_random_play(game, steps=30)


@every_board
def test_no_two_states_look_alike(game):
    states = [*rules_of(game.start()).reachable()]
    start = game.start()
    seen = {observation(start._replace(state=state)).tobytes() for state in states}
    assert len(seen) == len(states)


def test_an_observation_is_the_numbers_of_the_state_in_binary_digits():
    assert observation(SquareDuel(stones=20).position(1)).tolist() == [1, 1, 0, 0, 1]  # 19
    pair = EuclidDuel(larger=7, smaller=2).position(3)  # (2, 1)
    assert observation(pair).tolist() == [0, 1, 0, 1, 0]


def test_a_negative_number_has_a_sign_bit_and_a_constant_has_no_bits():
    game = DebtDuel(coins=3)
    assert space_of(game).observation_size == 4
    assert observation(game.position(2)).tolist() == [1, 0, 0, 0]
    assert observation(game.position(2, 2, 2)).tolist() == [1, 1, 0, 1]  # -3


def test_a_tuple_that_grows_shorter_shows_its_length():
    game = HeapsDuel(heaps=2)
    assert observation(game.start()).tolist() == [0, 1, 1, 0, 0, 1]  # two heaps: 1 and 2
    assert observation(game.position((1, 1))).tolist() == [1, 0, 0, 1, 0, 0]  # one heap: 2


@every_board
def test_the_longest_game_is_exactly_as_long(game):
    assert space_of(game).longest_game() == longest_by_trying(game.start(), {})


def test_a_pile_of_two_thousand_lasts_as_many_moves():
    assert space_of(SquareDuel(stones=2000)).longest_game() == 2000


@every_game
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_plays_on_like_the_original(kind, copied):
    env, chance = GameBatch(kind.usual(), 10, seed=1), random.Random(1)
    env.step(env.random_actions())
    twin = copied(env)
    for _ in range(20):
        assert np.array_equal(env.step(env.random_actions()), twin.step(twin.random_actions()))
        assert np.array_equal(env.observations(), twin.observations())
    agent = DuelEnv(kind.id)
    agent.reset(seed=1)
    agent.step(chance.choice(np.flatnonzero(agent.action_masks())))
    assert copied(agent).position == agent.position


def test_a_game_that_may_never_end_has_a_batch_but_no_length():
    check_batch_in_random_play(RoundDuel.usual())
    with pytest.raises(duels.OptionError, match="Round Duel may never end"):
        space_of(RoundDuel.usual()).longest_game()


def test_states_that_are_not_numbers_are_refused():
    with pytest.raises(duels.OptionError, match='whole number or a tuple of them, and "aaa" is'):
        DuelEnv(WordsDuel.usual())


@pytest.mark.slow
@pytest.mark.parametrize("make", [DuelEnv, tables.env, lambda game: GameBatch(game, 5)])
def test_a_game_with_too_many_states_is_refused(make):
    with pytest.raises(
        TooLarge, match=r"Square Duel \(30,000 stones\) has more than 20,000 states"
    ):
        make(SquareDuel(stones=30_000))


def test_a_batch_with_too_large_a_table_is_refused(monkeypatch):
    monkeypatch.setattr("duels.lab.envs.spaces.MOST_ENTRIES", 100)
    GameBatch(SquareDuel(stones=19), 5)  # 20 states, each with 4 actions and 5 digits
    with pytest.raises(TooLarge, match="can hold tables of 100 entries, and Square Duel"):
        GameBatch(SquareDuel(stones=20), 5)


class NoMoves(SquareDuel):
    """The game is over before it begins."""

    def allowed(self, state):
        return ()


def test_a_board_without_moves_is_refused():
    with pytest.raises(duels.OptionError, match=r"Square Duel \(30 stones\) has no moves"):
        DuelEnv(NoMoves.usual())
