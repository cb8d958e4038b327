"""The games in words: our own environment, and TextArena with its base class and wrappers."""

import copy
import random

import pytest
from walks import OUR_GAMES, label

import duels
from duels.core.errors import MatchError
from duels.lab.envs.text import TextEnv
from duels.match.players.prompt import rules_for_models
from duels.theory import winning_moves
from own_games import LastStoneLoses

GAMES = [*(kind.small() for kind in OUR_GAMES.values()), LastStoneLoses.usual()]
every_game = pytest.mark.parametrize("game", GAMES, ids=label)


@pytest.fixture(autouse=True)
def added(monkeypatch):
    monkeypatch.setitem(duels.GAMES, LastStoneLoses.id, LastStoneLoses)


@every_game
@pytest.mark.parametrize("reward", ["keeping", "outcome"])
@pytest.mark.parametrize("opponent", [None, "novice"])
def test_every_move_is_paid_exactly(game, reward, opponent):
    env, chance = (
        TextEnv(game, opponent=opponent, reward=reward, plays="alternating"),
        random.Random(1),
    )
    for episode in range(6):
        text, info = env.reset(seed=5 if not episode else None)
        done = False
        while not done:
            here, mover = env.position, env.player
            if here.outcome:  # the opponent's first move has ended it
                _, paid, done, _, info = env.step("?")
                continue
            assert info["player"] == mover == here.to_move
            assert f"You are Player {mover}" in text
            assert ", ".join(map(game.format, here.legal_moves)) in text
            move, winning = chance.choice(here.legal_moves), winning_moves(here)
            text, paid, done, cut, info = env.step(f"I think so.\nMOVE: {game.format(move)}")
            assert (info["kind"], info["move"], cut) == ("move", move, False)
            choice = 0 < len(winning) < here.legal_count
            if reward == "keeping":
                assert paid == (choice and (1 if move in winning else -1))
            elif not done:
                assert paid == 0
        assert reward == "keeping" or paid == (1 if info["won"] else -1)
        assert info["won"] == (env.position.outcome.winner == info["player"])


def test_an_answer_without_a_move_gets_a_reason_and_then_loses():
    env = TextEnv("number-chain-duel", retries=1, verdict=True)
    text, info = env.reset(seed=1)
    assert (info["value"], info["winning_moves"]) == (1, (5, 7))
    text, paid, done, _, info = env.step("I do not know.")
    assert (paid, done, info["kind"]) == (0, False, "unreadable")
    assert "Try again." in text
    text, paid, done, _, info = env.step("MOVE: 77")
    assert (paid, done, info["kind"], info["won"]) == (-1, True, "illegal", False)
    assert "77 is not on the board" in text
    assert env.position.moves == ()
    with pytest.raises(MatchError, match=r"call reset\(\) first"):
        env.step("MOVE: 5")


@every_game
@pytest.mark.parametrize("opponent", [None, "novice"])
def test_the_rules_come_once_in_every_game(game, opponent):
    env, rules = TextEnv(game, opponent=opponent, retries=1), rules_for_models(game)
    for _ in range(2):
        text, info = env.reset(seed=1)
        assert text.count(rules) == 1
        assert [message["role"] for message in info["messages"]] == ["system", "user"]
        refused, _, _, _, info = env.step("I do not know.")
        assert rules not in refused
        assert len(info["messages"]) == 1
        done = False
        while not done:
            move = env.position.legal_moves[0]
            text, _, done, _, info = env.step(f"MOVE: {game.format(move)}")
            assert rules not in text
            if not done:
                assert text == info["messages"][0]["content"]
                assert f"You are Player {env.player}, and it is your turn." in text
                assert env.messages()[0]["content"].count(rules) == 1
        assert info["messages"] == []


def test_the_same_seed_is_the_same_opponent():
    def play(env, seed):
        env.reset(seed=seed)
        done = False
        while not done:
            _, _, done, _, _ = env.step(str(env.position.legal_moves[0]))
        return env.position.moves

    env = TextEnv("number-duel", opponent="random", plays="coin", numbers=30)
    assert play(env, 3) == play(copy.deepcopy(env), 3)
    assert len({play(env, seed) for seed in range(8)}) > 4


def test_legal_moves_can_be_hidden():
    text, info = TextEnv("number-duel", show_legal=False).reset()
    assert "Legal moves" not in text
    assert [message["role"] for message in info["messages"]] == ["system", "user"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"opponent": "genius"}, "opponent must be"),
        ({"plays": "third"}, "plays must be"),
        ({"reward": "gold"}, "reward must be outcome or keeping"),
        ({"retries": -1}, "retries must be"),
        ({"numbers": 0}, "numbers must be"),
        ({"size": 3}, 'no option "size"'),
    ],
)
def test_a_bad_option_is_a_sentence(options, sentence):
    with pytest.raises(duels.OptionError, match=sentence):
        TextEnv("number-duel", **options)


@pytest.fixture
def arena():
    textarena = pytest.importorskip("textarena", reason="the extra textarena is not installed")
    from duels.lab.envs.base import environment_ids
    from duels.lab.envs.textarena import register

    register()
    register()  # does no harm

    def make(game, version="", **kwargs):
        name = environment_ids()[game.id] + version
        return textarena.make(name, **game.options, **kwargs)

    return make


def answer(game, position, chance):
    move = game.format(chance.choice(position.legal_moves))
    return chance.choice([f"[{move}]", move, f"I am sure.\nMOVE: {move}"])


@pytest.mark.long
@every_game
def test_two_agents_play_in_textarena(arena, game):
    import textarena

    chance = random.Random(2)
    for _ in range(4):
        env = arena(game)
        assert isinstance(env, textarena.Wrapper)
        env.reset(num_players=2, seed=1)
        done, position = False, game.start()
        while not done:
            player, seen = env.get_observation()
            assert player == position.to_move - 1
            assert f"You are Player {player + 1}." in seen
            assert ", ".join(map(game.format, position.legal_moves)) in seen
            said, winning = answer(game, position, chance), winning_moves(position)
            done, info = env.step(action=said)
            position = env.text.position
            paid = 1 if position.moves[-1] in winning else -1
            choice = 0 < len(winning) < position.game.position(*position.moves[:-1]).legal_count
            assert (info["reward"], info["player_id"]) == (choice * paid, player)
        rewards, infos = env.close()
        winner = position.outcome.winner - 1
        assert rewards == {winner: 1, 1 - winner: -1}
        assert infos[0]["turn_count"] + infos[1]["turn_count"] == len(position.moves)
        assert infos[0]["reason"].startswith(f"Player {winner + 1} has won")


@pytest.mark.long
@every_game
@pytest.mark.parametrize("plays", ["first", "second"])
def test_an_agent_plays_a_level_in_textarena(arena, game, plays):
    env, chance = arena(game, opponent="casual", plays=plays), random.Random(3)
    env.reset(num_players=1, seed=1)
    done = False
    while not done:
        env.get_observation()
        here = env.text.position
        done, _ = env.step(action=answer(game, here, chance) if here.legal_moves else "?")
    rewards, infos = env.close()
    won = env.text.position.outcome.winner == env.text.player
    assert rewards == {0: 1 if won else -1}
    assert not infos[0]["invalid_move"]


@pytest.mark.long
def test_textarena_allows_one_error_and_no_more(arena):
    game = duels.game("number-chain-duel")
    env = arena(game, "-raw", error_allowance=1)
    before = random.getstate()
    env.reset(num_players=2, seed=1)
    assert random.getstate() == before  # a seed of ours seeds nothing else
    env.get_observation()
    assert env.step("[77]")[0] is False
    player, messages = env.get_observation()
    assert player == 0
    assert any("77 is not on the board" in message for _, message, _ in messages)
    done, info = env.step("what?")
    assert (done, info) == (True, {"reward": -1.0, "player_id": 0})
    rewards, infos = env.close()
    assert rewards == {0: -1, 1: 1}
    assert infos[0]["invalid_move"]
    with pytest.raises(duels.OptionError, match="num_players is 2"):
        env.reset(num_players=1)
