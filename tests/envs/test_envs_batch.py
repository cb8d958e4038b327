"""The batch environment does in every game what the positions of the rule books do."""

import copy
import pickle

import pytest

import duels

pytest.importorskip("gymnasium", reason="the extra envs is not installed")

import numpy as np
from following import check_batch_in, check_batch_in_random_play
from strangers import STRANGERS
from walks import OUR_GAMES, all_boards, label, plays

from duels.lab.envs.batch import GameBatch
from duels.lab.envs.spaces import mask, nth_bit, space_of
from duels.testing import small_boards

BOARDS = [*all_boards(), *(kind.usual() for kind in STRANGERS)]
every_game = pytest.mark.parametrize("game", BOARDS, ids=label)


@pytest.mark.slow
@every_game
def test_a_batch_follows_the_rules(game):
    check_batch_in_random_play(game)


@pytest.mark.slow
@pytest.mark.parametrize("game", small_boards(*OUR_GAMES.values()), ids=label)
def test_compiled_games_agree_with_positions_on_every_small_board(game):
    check_batch_in(game, plays(game.start()))


@every_game
def test_an_illegal_action_loses_and_the_other_games_continue(game):
    env = GameBatch(game, 40, seed=1)
    env.step(env.random_actions())
    actions, legal = env.random_actions(), env.masks()
    wrong = [row for row in range(0, 40, 3) if not legal[row].all()]
    for row in wrong:
        actions[row] = np.flatnonzero(~legal[row])[0]
    twin = copy.deepcopy(env)
    rewards, done = env.step(actions)
    assert np.flatnonzero(env.illegal).tolist() == wrong
    assert (rewards[wrong] == -1).all()
    assert done[wrong].all()
    assert np.array_equal(env.masks()[wrong], np.tile(mask(game.start()) == 1, (len(wrong), 1)))
    rest = np.setdiff1d(np.arange(40), wrong)
    actions[wrong] = twin.random_actions()[wrong]
    rewards_too, done_too = twin.step(actions)
    assert np.array_equal(rewards[rest], rewards_too[rest])
    assert np.array_equal(done[rest], done_too[rest])
    assert np.array_equal(env.masks()[rest], twin.masks()[rest])


def test_every_legal_action_is_as_likely_as_another():
    env = GameBatch("number-duel", 20_000, seed=1)
    opening = np.bincount(env.random_actions(), minlength=100)
    assert abs(opening - 200).max() < 80
    env.step(np.full(20_000, 96))  # after 97: 1, and whatever shares a 9 or a 7
    legal = env.masks()[0]
    answers = np.bincount(env.random_actions(), minlength=100)
    assert answers[~legal].sum() == 0
    expected = 20_000 / legal.sum()
    assert abs(answers[legal] - expected).max() < expected / 4


def test_bits_are_found_by_their_number():
    chance = np.random.default_rng(1)
    words = chance.integers(1, 2**64, 500, np.uint64, endpoint=False)
    words[:3] = 1, 1 << 63, 2**64 - 1
    for word in words:
        places = [place for place in range(64) if int(word) >> place & 1]
        found = nth_bit(np.full(len(places), word), np.arange(len(places)))
        assert found.tolist() == places


def play(env, steps=30):
    played = []
    for _ in range(steps):
        actions = env.random_actions()
        played.append((actions.tolist(), [found.tolist() for found in env.step(actions)]))
    return played


@every_game
def test_the_same_seed_is_the_same_play_and_another_is_another(game):
    env = GameBatch(game, 30, seed=1)
    first, second, other = play(env), play(GameBatch(game, 30, seed=1)), play(GameBatch(game, 30))
    assert first == second
    assert first != other or len(space_of(game).moves) == 1
    env.reset(seed=1)
    assert play(env) == first


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_plays_on_like_the_original(copied):
    env = GameBatch("number-duel", 30, seed=1)
    play(env)
    twin = copied(env)
    assert play(twin) == play(env)


def test_what_a_step_returns_is_not_overwritten_by_the_next():
    env = GameBatch("number-chain-duel", 50, seed=1)
    rewards, done = env.step(env.random_actions())
    kept = rewards.copy(), done.copy()
    play(env)
    assert np.array_equal(rewards, kept[0])
    assert np.array_equal(done, kept[1])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("number-duel", 0), "count must be a whole number of 1 or more"),
        (("number-duel", "many"), "count must be a whole number"),
        (("chess", 5), 'There is no game "chess"'),
        (("sequence-duel:20", 5), "There is no game"),
        ((duels.game("sequence-duel", numbers=20_000), 5), "room for 10,000 actions"),
    ],
)
def test_a_bad_option_is_a_sentence(arguments, sentence):
    with pytest.raises(duels.OptionError, match=sentence):
        GameBatch(*arguments)


@pytest.mark.parametrize("seed", [-1, 1.5, None])
def test_a_bad_seed_is_a_sentence(seed):
    with pytest.raises(duels.OptionError, match="seed must be a whole number"):
        GameBatch("number-duel", 5, seed=seed)


@pytest.mark.parametrize("actions", [[1, 2], [[1], [2], [3]], [0.5, 1, 2], "abc", [True] * 3])
def test_actions_of_another_shape_are_refused(actions):
    env = GameBatch("number-duel", 3)
    with pytest.raises(duels.OptionError, match="step needs 3 whole numbers"):
        env.step(actions)


@pytest.mark.parametrize("action", [-1, 100])
def test_actions_outside_of_the_game_are_refused_and_nothing_is_played(action):
    env = GameBatch("number-duel", 3)
    with pytest.raises(duels.OptionError, match="Actions go from 0 to 99"):
        env.step([1, 2, action])
    assert env.plies.tolist() == [0, 0, 0]
    env.step([1, 2, 3])
    assert env.plies.tolist() == [1, 1, 1]
