"""The Gymnasium environments, judged by Gymnasium's own checker and by our positions."""

import copy
import pickle
import random

import pytest

import duels

pytest.importorskip("gymnasium", reason="the extra envs is not installed")

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env
from walks import OUR_GAMES, label, varieties

import duels.lab.envs
from duels.lab.envs.base import UnknownRenderMode, environment_ids
from duels.lab.envs.gymnasium import DuelEnv, register
from duels.lab.envs.spaces import mask, space_of

IDS = {game_id: name for game_id, name in environment_ids().items() if game_id in OUR_GAMES}
every_game = pytest.mark.parametrize("game", [*varieties()], ids=label)


def make(game, **kwargs):
    if isinstance(game, str):
        return gymnasium.make(IDS[game], **kwargs)
    return gymnasium.make(IDS[game.id], **game.options, **kwargs)


def play(env, chance, seed=None):
    """One episode of random legal actions; everything that was returned."""
    seen, info = env.reset(seed=seed)
    returned = [(seen.tobytes(), 0.0, False, info["action_mask"].tobytes())]
    while not returned[-1][2]:
        legal = np.flatnonzero(info["action_mask"]).tolist()
        seen, reward, ended, cut, info = env.step(chance.choice(legal) if legal else 0)
        assert not cut
        assert not info["illegal"]
        returned.append((seen.tobytes(), reward, ended, info["action_mask"].tobytes()))
    return returned


def test_importing_the_package_registers_the_five_ids_and_again_does_no_harm():
    register()
    assert [*IDS.values()] == [
        "duels/NumberDuel-v0",
        "duels/DivisorDuel-v0",
        "duels/NumberLineDuel-v0",
        "duels/SequenceDuel-v0",
        "duels/NumberChainDuel-v0",
    ]
    assert set(IDS.values()) <= gymnasium.registry.keys()
    assert gymnasium.make("duels.lab.envs:duels/NumberDuel-v0").unwrapped.game == duels.game(
        "number-duel"
    )


@every_game
@pytest.mark.parametrize("plays", ["first", "second", "alternating", "coin"])
@pytest.mark.parametrize("opponent", ["random", "expert"])
def test_gymnasium_finds_nothing_to_complain_about(game, plays, opponent):
    check_env(make(game, plays=plays, opponent=opponent).unwrapped)


@pytest.mark.parametrize("game_id", IDS)
def test_default_options_are_those_of_the_rule_book(game_id):
    env = make(game_id).unwrapped
    assert env.game == duels.GAMES[game_id].usual()
    check_env(env)


def test_without_a_name_it_is_the_first_game():
    assert DuelEnv().game.id == next(iter(duels.GAMES))


@every_game
def test_an_episode_is_a_game_by_the_rules(game):
    env = make(game, opponent="novice", plays="alternating").unwrapped
    chance = random.Random(3)
    for episode in range(8):
        env.reset(seed=5 if episode == 0 else None)
        side, ended = 1 + episode % 2, False
        while not ended:
            before = env.position
            if not before.outcome:
                assert before.to_move == side
            assert env.action_masks().tolist() == mask(before).tolist()
            legal = space_of(before.game).legal_actions(before)
            action = chance.choice(legal) if legal else 0
            _, reward, ended, _, info = env.step(action)
        assert reward in (1.0, -1.0)
        assert info["player"] == side
        assert info["outcome"] in env.game.endings
        assert not info["action_mask"].any()


@every_game
def test_the_winner_is_rewarded(game):
    env = make(game, opponent="random").unwrapped
    for seed in range(5):
        _, info = env.reset(seed=seed)
        position, ended = env.position, False
        while not ended:
            winning = duels.solve(position).winning_moves
            if not winning:
                break
            _, reward, ended, _, info = env.step(space_of(env.game).action_of(winning[0]))
            position = position if ended else env.position
        if winning:
            assert reward == 1.0
            assert info["outcome"] != "illegal"


def test_perfect_play_beats_the_agent_in_a_lost_game():
    env = make("number-duel", numbers=100, opponent="perfect")  # the second player wins
    chance = random.Random(1)
    assert [play(env, chance)[-1][1] for _ in range(2)] == [-1.0, -1.0]


@every_game
def test_the_same_seed_is_the_same_episode_and_another_is_another(game):
    env = make(game, opponent="random", plays="coin")
    episodes = [play(env, random.Random(1), seed=seed) for seed in (7, 7, *range(8, 20))]
    assert episodes[0] == episodes[1]
    assert any(episode != episodes[0] for episode in episodes)


def test_an_illegal_action_loses_the_game():
    env = make("number-chain-duel", opponent="random", plays="first")
    env.reset(seed=1)
    _, reward, ended, _, info = env.step(6)
    assert (reward, ended, info["illegal"]) == (0.0, False, False)
    _, reward, ended, cut, info = env.step(6)
    assert (reward, ended, cut, info["illegal"], info["outcome"]) == (
        -1,
        True,
        False,
        True,
        "illegal",
    )
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.unwrapped.step(0)


def test_an_action_outside_of_the_space_is_an_error_and_not_a_loss():
    env = make("number-chain-duel").unwrapped
    env.reset(seed=1)
    with pytest.raises(duels.UnreadableMove, match="from 0 to 8"):
        env.step(9)


def test_a_game_that_the_opponent_wins_at_once_is_over_at_the_next_step():
    env = make("divisor-duel", divisor=2, opponent="perfect", plays="second")
    _, info = env.reset(seed=1)
    assert not info["action_mask"].any()
    _, reward, ended, _, info = env.step(0)
    assert (reward, ended, info["illegal"], info["outcome"]) == (-1.0, True, False, "divisible")


def test_one_episode_may_be_played_from_the_other_side():
    env = make("number-duel", opponent="random").unwrapped
    assert env.reset(seed=1)[1]["player"] == 1
    assert env.reset(options={"plays": "second"})[1]["player"] == 2
    assert len(env.position.moves) == 1
    assert env.reset()[1]["player"] == 1


def test_the_opponent_may_be_any_player():
    class Lowest:
        def choose(self, position):
            return position.legal_moves[0]

    env = make("number-chain-duel", opponent=Lowest()).unwrapped
    env.reset(seed=1)
    env.step(3)
    assert env.position.moves == (4, 1)


def test_the_board_as_text():
    env = make("number-chain-duel", render_mode="ansi", plays="second", opponent="perfect")
    env.reset(seed=1)
    assert env.render().splitlines()[0] == "Number Chain Duel (numbers=9)"
    assert env.render().splitlines()[-1] == "Player 2 ▲ is to move."


@every_game
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_plays_on_like_the_original(game, copied):
    env = make(game, opponent="casual").unwrapped
    _, info = env.reset(seed=4)
    _, _, ended, _, info = env.step(int(np.flatnonzero(info["action_mask"])[-1]))
    twin = copied(env)
    while not ended:
        action = int(np.flatnonzero(info["action_mask"])[0])
        seen, reward, ended, _, info = env.step(action)
        seen_too, reward_too, ended_too, _, info_too = twin.step(action)
        assert (seen.tobytes(), reward, ended) == (seen_too.tobytes(), reward_too, ended_too)
        assert info_too["action_mask"].tolist() == info["action_mask"].tolist()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"opponent": "genius"}, 'opponent must be novice, .* or random, not "genius"'),
        ({"opponent": 3}, 'opponent must be .* not "3"'),
        ({"plays": "third"}, "plays must be first, second, alternating or coin"),
        ({"numbers": 0}, "numbers must be a whole number from 1"),
        ({"divisor": 7}, 'number-duel has no option "divisor"'),
    ],
)
def test_a_bad_option_is_a_sentence(options, sentence):
    with pytest.raises(duels.OptionError, match=sentence):
        gymnasium.make("duels/NumberDuel-v0", **options)


def test_a_bad_option_of_reset_is_a_sentence():
    with pytest.raises(duels.OptionError, match=r'no option "side"; it has plays\.'):
        make("number-duel").unwrapped.reset(options={"side": 2})


def test_a_missing_picture_is_a_type_error_for_stable_baselines():
    """Its make_vec_env tries rgb_array, and continues without it after a TypeError."""
    with pytest.raises(TypeError, match='render_mode must be ansi, not "rgb_array"'):
        DuelEnv(render_mode="rgb_array")
    assert issubclass(UnknownRenderMode, duels.OptionError)
