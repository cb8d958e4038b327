"""Batches as Gymnasium's vector environments: game by game they do what one environment does."""

import copy
import pickle

import pytest

import duels

pytest.importorskip("gymnasium", reason="the extra envs is not installed")

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics
from strangers import HeapsDuel, LastStoneLoses, SquareDuel
from walks import OUR_GAMES, label

from duels.lab.envs.base import environment_ids
from duels.lab.envs.batch import BatchEnv
from duels.lab.envs.gymnasium import DuelEnv
from duels.lab.envs.spaces import mask, observation, space_of
from duels.theory import winning_moves

GAMES = [
    *(kind.small() for kind in OUR_GAMES.values()),
    duels.game("number-duel", numbers=70, criteria="factor"),  # more than one word of bits
    duels.game("sequence-duel", numbers=12),  # with openings that win at once
    duels.game("number-chain-duel", numbers=1),  # over after the first move
    duels.game("divisor-duel", divisor=4),
    *(kind.usual() for kind in (SquareDuel, HeapsDuel, LastStoneLoses)),
]
every_game = pytest.mark.parametrize("game", GAMES, ids=label)
PLAYS = ("first", "second", "alternating")


class Highest:
    """An opponent that leaves nothing to chance."""

    def choose(self, position):
        return position.legal_moves[-1]


def actions_with_mistakes(envs, chance):
    """Legal actions, but for one in ten."""
    actions = envs.random_actions()
    legal = envs.masks()
    for row in np.flatnonzero(chance.random(envs.num_envs) < 0.1):
        wrong = np.flatnonzero(~legal[row])
        if wrong.size:
            actions[row] = wrong[0]
    return actions


@pytest.mark.slow
@every_game
@pytest.mark.parametrize("plays", PLAYS)
@pytest.mark.parametrize("reward", ["outcome", "keeping"])
def test_against_an_opponent_each_game_is_an_environment_of_its_own(game, plays, reward):
    kwargs = {"opponent": Highest(), "plays": plays, "reward": reward, "verdict": True}
    count, chance = 7, np.random.default_rng(1)
    envs, alone = BatchEnv(game, count, **kwargs), [DuelEnv(game, **kwargs) for _ in range(count)]
    seen, infos = envs.reset(seed=1)
    singles = [env.reset(seed=1) for env in alone]
    check_row(seen, infos, singles)
    for _ in range(25):
        actions = actions_with_mistakes(envs, chance)
        seen, rewards, done, cut, infos = envs.step(actions)
        assert seen in envs.observation_space
        assert not cut.any()
        assert (infos["rewards"].sum(axis=1) == 0).all() or reward == "keeping"
        singles = []
        for row, env in enumerate(alone):
            one, paid, ended, _, info = env.step(int(actions[row]))
            assert (rewards[row], done[row]) == (paid, ended)
            assert infos["illegal"][row] == info["illegal"]
            assert infos["rewards"][row, info["player"] - 1] == paid
            if ended:
                assert infos["_final_obs"][row]
                assert infos["final_obs"][row].tolist() == one.tolist()
                one, info = env.reset()
            singles.append((one, info))
        check_row(seen, infos, singles)


def check_row(seen, infos, singles):
    assert seen.tolist() == [one.tolist() for one, _ in singles]
    for name in ("action_mask", "winning_mask"):
        assert infos[name].dtype == np.int8
        assert infos[name].tolist() == [info[name].tolist() for _, info in singles]
    for name in ("value", "player"):
        assert infos[name].tolist() == [info[name] for _, info in singles]


@every_game
@pytest.mark.parametrize("reward", ["outcome", "keeping"])
def test_in_self_play_a_step_is_one_move(game, reward):
    count, chance = 9, np.random.default_rng(2)
    envs = BatchEnv(game, count, verdict=True, reward=reward)
    positions = [game.start()] * count
    seen, infos = envs.reset(seed=2)
    for _ in range(25):
        assert seen.tolist() == [observation(here).tolist() for here in positions]
        assert infos["action_mask"].tolist() == [mask(here).tolist() for here in positions]
        assert infos["player"].tolist() == [here.to_move for here in positions]
        winning = [winning_moves(here) for here in positions]
        assert infos["value"].tolist() == [1 if moves else -1 for moves in winning]
        assert [set(np.flatnonzero(row)) for row in infos["winning_mask"]] == [
            {a for a in range(envs.games.actions) if space_of(game).move_of(a) in moves}
            for moves in winning
        ]
        actions = actions_with_mistakes(envs, chance)
        seen, rewards, done, _, infos = envs.step(actions)
        for row, here in enumerate(positions):
            move, mover = space_of(game).move_of(actions[row]), here.to_move
            if infos["illegal"][row]:
                assert move not in here.legal_moves
                expected, after = -1, None
            else:
                after = here.play(move)
                choice = 0 < len(winning[row]) < here.legal_count
                kept = choice * (1 if move in winning[row] else -1)
                won = after.outcome and (1 if after.outcome.winner == mover else -1)
                expected = kept if reward == "keeping" else won or 0
            assert rewards[row] == expected == infos["rewards"][row, mover - 1]
            others = infos["rewards"][row, 2 - mover]
            assert others == (0 if reward == "keeping" else -expected)
            assert done[row] == (after is None or after.outcome is not None)
            if done[row]:
                last = here if after is None else after
                assert infos["final_obs"][row].tolist() == observation(last).tolist()
            positions[row] = game.start() if done[row] else after


@pytest.mark.parametrize("opponent", [None, "random", "skilled", Highest()])
def test_the_same_seed_is_the_same_play_and_a_copy_plays_on(opponent):
    def play(envs, steps=20):
        return [
            [part.tolist() for part in envs.step(envs.random_actions())[:3]] for _ in range(steps)
        ]

    envs = BatchEnv("number-duel", 12, opponent=opponent, plays="coin", numbers=9)
    envs.reset(seed=4)
    first = play(envs)
    twins = [copy.deepcopy(envs), pickle.loads(pickle.dumps(envs))]
    following = play(envs)
    assert all(play(twin) == following for twin in twins)
    envs.reset(seed=4)
    assert play(envs) == first
    envs.reset(seed=5)
    assert play(envs) != first


@pytest.mark.parametrize("game_id", OUR_GAMES)
def test_gymnasium_makes_a_batch_of_every_id(game_id):
    envs = gymnasium.make_vec(
        environment_ids()[game_id], 5, vectorization_mode="vector_entry_point", opponent=None
    )
    assert isinstance(envs.unwrapped, BatchEnv)
    assert isinstance(envs, VectorEnv)
    assert envs.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    seen, infos = envs.reset(seed=1)
    assert seen in envs.observation_space
    actions = envs.action_space.sample(mask=tuple(infos["action_mask"]))
    assert not envs.step(actions)[4]["illegal"].any()


@pytest.mark.parametrize("mode", ["sync", "vector_entry_point", None])
def test_whatever_makes_the_vector_the_agent_plays_against_an_expert(mode):
    envs = gymnasium.make_vec("duels/NumberChainDuel-v0", 2, vectorization_mode=mode, numbers=7)
    envs.reset(seed=1)
    seen, *_ = envs.step(np.array([3, 4]))
    assert (7 - seen[:, :7].sum(axis=1)).tolist() == [2, 2]  # a move, and the answer


def test_gymnasiums_own_wrappers_work():
    envs = RecordEpisodeStatistics(BatchEnv("number-chain-duel", 6))
    listed = DictInfoToList(envs)
    _, infos = listed.reset(seed=1)
    ended = 0
    while ended < 20:
        *_, infos = listed.step(envs.env.random_actions())
        for info in infos:
            assert ("final_obs" in info) == ("episode" in info)
            ended += "episode" in info
            assert "episode" not in info or info["episode"]["l"] > 1


@pytest.mark.parametrize(
    ("kwargs", "sentence"),
    [
        ({"num_envs": 0}, "num_envs must be a whole number of 1 or more"),
        ({"opponent": "genius"}, "opponent must be novice"),
        ({"plays": "third"}, "plays must be first"),
        ({"reward": "money"}, "reward must be outcome or keeping"),
        ({"render_mode": "human"}, "render_mode"),
        ({"divisor": 7}, 'no option "divisor"'),
    ],
)
def test_a_bad_option_is_a_sentence(kwargs, sentence):
    with pytest.raises(duels.OptionError, match=sentence):
        BatchEnv("number-duel", **{"num_envs": 3, **kwargs})


def test_a_bad_option_of_reset_is_a_sentence():
    with pytest.raises(duels.OptionError, match=r'no option "side"; it has plays\.'):
        BatchEnv("number-duel", 3).reset(options={"side": 2})


def test_an_opponent_that_breaks_the_rules_is_named():
    class Cheat:
        def choose(self, position):
            return 1000

    envs = BatchEnv("number-chain-duel", 3, opponent=Cheat())
    envs.reset(seed=1)
    with pytest.raises(duels.IllegalMove, match="1000 is not on the board"):
        envs.step(np.array([4, 4, 4]))
