"""Options that leave the players no real choice are named when they are chosen, never refused."""

from itertools import combinations

import pytest

from duels.games import GAMES, game
from duels.games.chain.criteria import CRITERIA
from duels.terminal.choices import Choices


@pytest.mark.parametrize("kind", GAMES.values(), ids=GAMES)
def test_no_set_up_is_cautioned_against(kind):
    for setup in kind.all_setups():
        assert setup.game(kind).caution() is None


@pytest.mark.parametrize("count", [1, 2])
def test_number_duel_is_dead_if_an_opening_wins_at_once(count):
    for names in combinations(CRITERIA, count):
        for numbers in (2, 5, 9, 12, 18, 19, 30, 99, 100, 130):
            board = game("number-duel", numbers=numbers, criteria=",".join(names))
            ends = [move for move in board.all_moves() if board.start().play(move).outcome]
            caution = board.caution()
            assert bool(caution) == bool(ends), board
            assert caution is None or int(caution.split()[2].rstrip(",")) in ends


@pytest.mark.parametrize("divisor", range(2, 10))
def test_with_a_digit_as_divisor_the_first_player_wins_at_once(divisor):
    board = game("divisor-duel", divisor=divisor)
    assert f"by adding {divisor}" in board.caution()
    assert board.start().play(divisor).outcome.winner == 1


@pytest.mark.parametrize("divisor", [*range(10, 140), 10**40])
def test_a_divisor_is_dead_if_one_move_ahead_is_enough(divisor):
    """test_theorems.py has the nine that are not, against search."""
    caution = game("divisor-duel", divisor=divisor).caution()
    assert (caution is None) == (divisor in {12, 13, 14, 18, 21, 27, 36, 54, 63})


def test_a_dead_game_can_be_played_and_its_transcript_stays_the_rule_books(call):
    done = call("play", "divisor-duel", "--divisor", "97", typed="9\n7\n")
    assert done.stderr.startswith("With 97, Player 2 wins unless Player 1 can finish at once")
    assert done.stdout.startswith("Target Divisor: 97")
    assert "Player 2 wins" in done.stdout
    alive = call("play", "divisor-duel", "--divisor", "13", typed="1\n3\n")
    assert "look one move ahead" not in alive.stderr


def test_the_app_warns_in_the_form_for_options(tmp_path):
    choices = Choices.remembered(tmp_path)
    choices.of(GAMES["divisor-duel"])
    choices.use_option("divisor", 97)
    assert "look one move ahead" in choices.board_words
    choices.use_option("divisor", 13)
    assert "look one move ahead" not in choices.board_words
