"""The games in OpenSpiel: its simulations, its searches against our verdicts, playthroughs."""

import copy
import pickle
import random
from pathlib import Path

import pytest

import duels

pytest.importorskip("pyspiel", reason="the extra envs is not installed")

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts, minimax

from duels.envs.actions import action_of, mask, observation
from duels.envs.length import longest_game
from duels.envs.openspiel import register

register()

NAMES = [
    "python_number_duel",
    "python_number_duel(numbers=30,criteria=factor+digit-sum)",
    "python_divisor_duel",
    "python_divisor_duel(divisor=2)",
    "python_number_line_duel(numbers=12)",
    "python_sequence_duel",
    "python_sequence_duel(numbers=11,opening=even)",
    "python_number_chain_duel",
]
every_name = pytest.mark.parametrize("name", NAMES)
PLAYTHROUGHS = Path(__file__).parent / "playthroughs"


def test_registering_again_does_no_harm():
    register()
    assert {f"python_{game_id.replace('-', '_')}" for game_id in duels.GAMES} <= set(
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
    assert game.max_game_length() == longest_game(game.game)
    for _ in range(3):
        state, position = game.new_initial_state(), game.game.start()
        while not state.is_terminal():
            assert state.current_player() == position.to_move - 1
            assert state.legal_actions_mask() == mask(position).tolist()
            assert state.observation_tensor() == observation(position).tolist()
            move = chance.choice(position.legal_moves)
            action = action_of(position.game, move)
            assert state.action_to_string(action) == position.game.format(move)
            state.apply_action(action)
            position = position.play(move)
        assert np.argmax(state.returns()) == position.outcome.winner - 1
        assert sorted(state.returns()) == [-1, 1]
        assert len(position.moves) <= game.max_game_length()


SMALL = [
    *(f"python_number_duel(numbers={numbers})" for numbers in (5, 8, 10)),
    *(f"python_divisor_duel(divisor={divisor})" for divisor in (2, 4, 12)),
    *(f"python_number_line_duel(numbers={numbers})" for numbers in range(1, 7)),
    *(f"python_sequence_duel(numbers={numbers},opening=even)" for numbers in (6, 9, 10)),
    *(f"python_number_chain_duel(numbers={numbers})" for numbers in (1, 2, 5, 9, 10)),
]


@pytest.mark.parametrize("name", SMALL)
def test_openspiels_minimax_agrees_with_our_verdicts(name):
    game = pyspiel.load_game(name)
    value, action = minimax.alpha_beta_search(game)
    winning = duels.solve(game.game.start()).winning_moves
    assert value == (1 if winning else -1)
    assert not winning or action in {action_of(game.game, move) for move in winning}


@pytest.mark.parametrize(
    ("name", "actions"),
    [
        ("python_number_duel(numbers=10)", [5, 2]),
        ("python_divisor_duel(divisor=13)", [1, 3, 5, 8]),
        ("python_number_line_duel(numbers=5)", []),
        ("python_sequence_duel(numbers=12)", [11, 5]),
        ("python_number_chain_duel", [8]),
    ],
)
def test_openspiels_monte_carlo_search_proves_our_verdicts(name, actions):
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    chance = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, chance)
    bot = mcts.MCTSBot(game, 2, 3000, evaluator, solve=True, random_state=chance)
    root = bot.mcts_search(state)
    winning = duels.solve(state.position).winning_moves
    mover = state.current_player()
    assert root.outcome is not None, "the search did not come to an end"
    assert root.outcome[mover] == (1 if winning else -1)
    if winning:
        assert root.best_child().action in {action_of(game.game, move) for move in winning}


@every_name
def test_a_copy_plays_on_by_itself(name):
    state = pyspiel.load_game(name).new_initial_state()
    state.apply_action(2 if "divisor=2" in name else 1)
    for twin in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert str(twin) == str(state)
        if not twin.is_terminal():
            twin.apply_action(twin.legal_actions()[0])
            assert len(twin.position.moves) == 2
        assert len(state.position.moves) == 1


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("python_number_duel(numbers=0)", "numbers must be a whole number from 1"),
        ("python_number_duel(criteria=luck)", 'there is no "luck"'),
        ("python_sequence_duel(opening=odd)", "opening must be any or even"),
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
def test_a_playthrough_goes_as_it_went(path):
    heading, _, expected = path.read_text(encoding="utf-8").partition("\n\n")
    name, actions = heading.split("\n")
    assert states(name, [int(action) for action in actions.split()]) == expected


def test_every_game_has_a_playthrough():
    assert {path.stem for path in PLAYTHROUGHS.glob("*.txt")} == set(duels.GAMES)


def states(name, actions):
    """What OpenSpiel tells of the states of a game; what it tells of the game changes with it."""
    from open_spiel.python.algorithms.generate_playthrough import playthrough

    told = playthrough(name, actions)
    return told[told.index("# State 0") :].rstrip() + "\n"


def write_playthroughs():
    """python tests/envs/test_envs_openspiel.py: write them anew, after a change that is meant."""
    for name, actions in (
        ("python_number_duel(numbers=12)", [11, 1, 5, 2, 8, 0, 9, 4, 10]),
        ("python_divisor_duel(divisor=13)", [1, 3, 5, 8, 0, 2]),
        ("python_number_line_duel(numbers=6)", [8, 4, 0, 5, 1]),
        ("python_sequence_duel(numbers=10,opening=even)", [5, 2, 8, 0, 6]),
        ("python_number_chain_duel", [5, 2, 8, 0, 7, 1, 3]),
    ):
        state = pyspiel.load_game(name).new_initial_state()
        played = []
        while not state.is_terminal():
            wanted = actions[len(played) :][:1] or state.legal_actions()[:1]
            played += wanted
            state.apply_action(wanted[0])
        path = PLAYTHROUGHS / f"{state.position.game.id}.txt"
        heading = f"{name}\n{' '.join(map(str, played))}\n\n"
        path.write_text(heading + states(name, played), encoding="utf-8")


if __name__ == "__main__":
    write_playthroughs()
