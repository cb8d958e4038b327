"""The games in OpenSpiel: its simulations, its searches against our verdicts, playthroughs."""

import copy
import pickle
import random
import subprocess
import sys
from pathlib import Path

import pytest

import duels

pytest.importorskip("pyspiel", reason="the extra envs is not installed")

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts, minimax
from walks import OUR_GAMES, label, plays, random_positions, varieties

from duels.lab.envs.openspiel import openspiel_name, register
from duels.lab.envs.spaces import mask, observation, space_of
from duels.testing import small_boards

register()


def named(game):
    """What OpenSpiel calls a game with its options."""
    options = [f"{name}={value}".replace(",", "+") for name, value in game.options.items()]
    return f"{openspiel_name(game.id)}({','.join(options)})"


NAMES = [*map(openspiel_name, OUR_GAMES), *map(named, varieties())]
every_name = pytest.mark.parametrize("name", NAMES)
PLAYTHROUGHS = Path(__file__).parent / "playthroughs"


def test_registering_again_does_no_harm():
    register()
    assert {f"python_{game_id.replace('-', '_')}" for game_id in OUR_GAMES} <= set(
        pyspiel.registered_names()
    )


@pytest.mark.slow
@every_name
def test_random_simulations(name):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=3, serialize=True, verbose=False)


def test_parameters_are_the_options():
    game = pyspiel.load_game("python_number_duel(numbers=30,criteria=factor+digit-sum)")
    assert game.game == duels.game("number-duel", numbers=30, criteria="factor,digit-sum")
    assert game.get_parameters() == {"numbers": 30, "criteria": "factor+digit-sum"}
    assert pyspiel.load_game(str(game)).game == game.game
    by_dictionary = pyspiel.load_game("python_number_duel", {"criteria": "factor,digit-sum"})
    assert pyspiel.load_game(str(by_dictionary)).game.options["criteria"] == "factor,digit-sum"


@every_name
def test_a_state_is_a_position(name):
    game, chance = pyspiel.load_game(name), random.Random(1)
    assert game.max_game_length() == space_of(game.game).longest_game()
    for _ in range(3):
        state, position = game.new_initial_state(), game.game.start()
        while not state.is_terminal():
            assert state.current_player() == position.to_move - 1
            assert state.legal_actions_mask() == mask(position).tolist()
            assert state.observation_tensor() == observation(position).tolist()
            move = chance.choice(position.legal_moves)
            action = space_of(position.game).action_of(move)
            assert state.action_to_string(action) == position.game.format(move)
            state.apply_action(action)
            position = position.play(move)
        assert np.argmax(state.returns()) == position.outcome.winner - 1
        assert sorted(state.returns()) == [-1, 1]
        assert len(position.moves) <= game.max_game_length()


SMALL = [
    *map(named, small_boards(*OUR_GAMES.values(), sizes=3)),
    *(f"python_number_duel(numbers={numbers})" for numbers in (5, 8, 10)),
    *(f"python_divisor_duel(divisor={divisor})" for divisor in (4, 12)),
    *(f"python_number_line_duel(numbers={numbers})" for numbers in range(4, 7)),
    *(f"python_sequence_duel(numbers={numbers},opening=even)" for numbers in (6, 9, 10)),
    *(f"python_number_chain_duel(numbers={numbers})" for numbers in (5, 9, 10)),
]


@pytest.mark.parametrize("name", SMALL)
def test_openspiels_minimax_agrees_with_our_verdicts(name):
    game = pyspiel.load_game(name)
    value, action = minimax.alpha_beta_search(game)
    winning = duels.solve(game.game.start()).winning_moves
    assert value == (1 if winning else -1)
    assert not winning or action in {space_of(game.game).action_of(move) for move in winning}


@pytest.mark.parametrize("kind", OUR_GAMES.values(), ids=lambda kind: kind.id)
def test_openspiels_monte_carlo_search_proves_our_verdicts(kind):
    small = kind.small()
    game = pyspiel.load_game(named(small))
    state = game.new_initial_state()
    choices = (here for here in random_positions(small) if here.legal_count > 1)
    for move in next(here for here in choices if len(plays(here)) < 200).moves:
        state.apply_action(space_of(small).action_of(move))
    chance = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, chance)
    bot = mcts.MCTSBot(game, 2, 3000, evaluator, solve=True, random_state=chance)
    root = bot.mcts_search(state)
    winning = duels.solve(state.position).winning_moves
    mover = state.current_player()
    assert root.outcome is not None, "the search did not come to an end"
    assert root.outcome[mover] == (1 if winning else -1)
    if winning:
        assert root.best_child().action in {space_of(game.game).action_of(move) for move in winning}


@every_name
def test_a_copy_plays_on_by_itself(name):
    state = pyspiel.load_game(name).new_initial_state()
    state.apply_action(state.legal_actions()[0])
    for twin in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert str(twin) == str(state)
        if not twin.is_terminal():
            twin.apply_action(twin.legal_actions()[0])
            assert len(twin.position.moves) == 2
        assert len(state.position.moves) == 1


@every_name
def test_a_game_can_be_pickled(name):
    game = pyspiel.load_game(name)
    again = pickle.loads(pickle.dumps(game))
    assert (again.game, str(again)) == (game.game, str(game))


def test_a_game_is_unpickled_in_a_process_without_registration():
    game = pyspiel.load_game("python_number_duel(numbers=30,criteria=factor+digit-sum)")
    code = (
        "import pickle, sys; game = pickle.load(sys.stdin.buffer)\n"
        "print(game, game.new_initial_state().legal_actions()[-1])"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], input=pickle.dumps(game), capture_output=True
    )
    assert (done.stdout.decode(), done.stderr.decode()) == (f"{game} 29\n", "")


@pytest.mark.parametrize("game", [*varieties()], ids=label)
def test_observation_strings_tell_apart_what_the_tensor_tells_apart(game):
    words, tensors = {}, {}
    for position in random_positions(game, games=40):
        state = pyspiel.load_game(named(game)).new_initial_state()
        for move in position.moves:
            state.apply_action(space_of(game).action_of(move))
        said, seen = state.observation_string(0), tuple(state.observation_tensor(0))
        assert words.setdefault(seen, said) == said
        assert tensors.setdefault(said, seen) == seen


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("python_number_duel(numbers=0)", "numbers must be a whole number from 1"),
        ("python_number_duel(criteria=luck)", 'there is no "luck"'),
        ("python_sequence_duel(opening=odd)", "opening must be any, even or even-below-half"),
        ("python_divisor_duel(divisor=1)", "divisor must be a whole number of 2 or more"),
    ],
)
def test_a_bad_option_is_a_sentence(name, sentence):
    with pytest.raises(duels.OptionError, match=sentence):
        pyspiel.load_game(name)


def test_an_unknown_parameter_is_refused():
    with pytest.raises(pyspiel.SpielError, match="nmbers"):
        pyspiel.load_game("python_number_duel(nmbers=5)")


@pytest.mark.parametrize("path", sorted(PLAYTHROUGHS.glob("*.txt")), ids=lambda path: path.stem)
def test_a_playthrough_is_repeated_exactly(path):
    heading, _, expected = path.read_text(encoding="utf-8").partition("\n\n")
    name, actions = heading.split("\n")
    assert states(name, [int(action) for action in actions.split()]) == expected


def test_every_game_has_a_playthrough():
    assert {path.stem for path in PLAYTHROUGHS.glob("*.txt")} == set(OUR_GAMES)


def states(name, actions):
    """What OpenSpiel says of the states of a game; what it says of the game changes with it."""
    from open_spiel.python.algorithms.generate_playthrough import playthrough

    text = playthrough(name, actions)
    return text[text.index("# State 0") :].rstrip() + "\n"


def write_playthroughs():
    """python tests/envs/test_envs_openspiel.py: write them anew, after a change that is meant.

    A file for a new game begins with the name in OpenSpiel and the actions, on two lines.
    """
    for path in PLAYTHROUGHS.glob("*.txt"):
        name, actions = path.read_text(encoding="utf-8").split("\n")[:2]
        played = states(name, [int(action) for action in actions.split()])
        path.write_text(f"{name}\n{actions}\n\n{played}", encoding="utf-8")


if __name__ == "__main__":
    write_playthroughs()
