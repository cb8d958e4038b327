"""The PettingZoo environments, judged by PettingZoo's own tests and by our positions."""

import copy
import pickle
import random
import sys
import time
from types import SimpleNamespace

import pytest

import duels

pytest.importorskip("pettingzoo", reason="the extra envs is not installed")

import numpy as np
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test
from walks import label, varieties

from duels.lab.envs.pettingzoo import env, raw_env
from duels.lab.envs.spaces import mask, observation, space_of
from duels.theory import winning_moves

every_game = pytest.mark.parametrize("game", [*varieties()], ids=label)


# What api_test says of every environment with a mask that is not in PettingZoo's own list of names.
@pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",
)
@every_game
def test_api(game):
    api_test(env(game.id, **game.options), num_cycles=200)


@every_game
def test_seeds(game):
    seed_test(lambda: env(game.id, **game.options), num_cycles=50)


@every_game
def test_rendering(game):
    render_test(lambda render_mode: env(game.id, render_mode=render_mode, **game.options))


def test_performance(capsys, monkeypatch):
    """Upstream's benchmark steps for five seconds of a clock, which is ten times too fast here."""
    clock = SimpleNamespace(time=lambda: 10 * time.time())
    monkeypatch.setattr(sys.modules[performance_benchmark.__module__], "time", clock)
    performance_benchmark(env("number-duel", numbers=30))
    assert float(capsys.readouterr().out.split("\n")[1].split()[0]) > 0


@every_game
def test_a_game_between_agents_is_a_game_by_the_rules(game):
    table, chance = env(game.id, **game.options), random.Random(1)
    for _ in range(10):
        table.reset(seed=1)
        position = game.start()
        returns = dict.fromkeys(table.possible_agents, 0)
        for agent in table.agent_iter():
            seen, reward, ended, _, _ = table.last()
            returns[agent] += reward
            if ended:
                table.step(None)
                continue
            assert agent == f"player_{position.to_move}"
            assert seen["action_mask"].tolist() == mask(position).tolist()
            assert seen["observation"].tolist() == observation(position).tolist()
            action = chance.choice(space_of(position.game).legal_actions(position))
            table.step(action)
            position = position.play(space_of(position.game).move_of(action))
        winner = position.outcome.winner
        assert returns == {f"player_{winner}": 1, f"player_{3 - winner}": -1}


def test_without_a_name_it_is_the_first_game():
    assert env().unwrapped.game == next(iter(duels.GAMES.values())).usual()


def test_every_environment_has_the_name_of_its_game():
    assert env("sequence-duel").metadata["name"] == "sequence_duel_v0"
    assert str(env("number-duel").unwrapped) == "number_duel_v0"


@every_game
@pytest.mark.parametrize("reward", ["outcome", "keeping"])
def test_the_truth_and_the_reward_for_keeping_the_win(game, reward):
    table, chance = env(game, verdict=True, reward=reward), random.Random(2)
    for _ in range(5):
        table.reset()
        position, expected = game.start(), dict.fromkeys(table.possible_agents, 0)
        got = dict.fromkeys(table.possible_agents, 0)
        for agent in table.agent_iter():
            _, paid, ended, _, info = table.last()
            got[agent] += paid
            winning = winning_moves(position)
            if ended:
                won = f"player_{position.outcome.winner}" == agent
                assert info["value"] == (1 if won else -1)
                table.step(None)
                continue
            assert info["value"] == (1 if winning else -1)
            waiting = table.infos[f"player_{3 - position.to_move}"]
            assert (waiting["value"], waiting["winning_mask"].any()) == (-info["value"], False)
            mask_of = {
                space_of(game).move_of(action) for action in np.flatnonzero(info["winning_mask"])
            }
            assert mask_of == set(winning)
            action = chance.choice(space_of(position.game).legal_actions(position))
            if 0 < len(winning) < position.legal_count:
                expected[agent] += 1 if space_of(game).move_of(action) in winning else -1
            table.step(action)
            position = position.play(space_of(game).move_of(action))
        winner = f"player_{position.outcome.winner}"
        by_end = {one: 1 if one == winner else -1 for one in got}
        assert got == (expected if reward == "keeping" else by_end)


def test_the_agent_that_waits_has_no_legal_action():
    table = env("number-chain-duel")
    table.reset()
    assert table.observe("player_1")["action_mask"].all()
    assert not table.observe("player_2")["action_mask"].any()


@pytest.mark.parametrize(("before", "loser"), [((), 1), ((5,), 2), ((5, 2), 1)])
@pytest.mark.parametrize(("reward", "paid"), [("outcome", 1), ("keeping", 0)])
def test_an_illegal_action_loses_the_game_and_the_other_agent_wins_it(before, loser, reward, paid):
    """A reward for keeping the win is for moves, so the end of the game pays the winner nothing."""
    table = env("sequence-duel", opening="even", reward=reward)
    table.reset()
    for action in before:
        table.step(action)
    earlier = dict(table._cumulative_rewards)
    illegal = int(np.flatnonzero(table.last()[0]["action_mask"] == 0)[0])
    table.step(illegal)
    assert table.terminations == {"player_1": True, "player_2": True}
    assert table.rewards == {f"player_{loser}": -1, f"player_{3 - loser}": paid}
    got = {}
    for agent in table.agent_iter():
        _, got[agent], ended, _, _ = table.last()
        assert ended
        table.step(None)
    assert got[f"player_{loser}"] == -1
    assert got[f"player_{3 - loser}"] == (paid or earlier[f"player_{3 - loser}"])
    assert not table.agents


def test_without_wrappers_an_illegal_action_is_an_illegal_move():
    table = raw_env("number-chain-duel")
    table.reset()
    table.step(6)
    with pytest.raises(duels.IllegalMove, match="7 has been used already"):
        table.step(6)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_plays_on_by_itself(copied):
    table = raw_env("number-duel", numbers=30)
    table.reset()
    table.step(27)
    twin = copied(table)
    twin.step(13)
    assert twin.position.moves == (28, 14)
    assert table.position.moves == (28,)
    assert np.array_equal(table.last()[0]["action_mask"], mask(table.position))


def test_a_bad_option_is_a_sentence():
    with pytest.raises(duels.OptionError, match="numbers must be a whole number from 1"):
        env("number-duel", numbers=0)
    with pytest.raises(duels.OptionError, match='There is no game "chess"'):
        env("chess")
    with pytest.raises(duels.OptionError, match="render_mode must be human or ansi"):
        env(render_mode="rgb_array")
