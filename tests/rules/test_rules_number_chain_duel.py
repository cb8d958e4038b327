"""Number Chain Duel, rule by rule: src/duels/games/chain/texts/number-chain-duel.md."""

import random

import pytest

import duels
from duels import IllegalMove, Outcome, UnreadableMove


def after(*moves, numbers=9):
    position = duels.game("number-chain-duel", numbers=numbers).start()
    for move in moves:
        position = position.play(move)
    return position


def test_r1_the_numbers_are_1_to_9_and_the_chain_is_empty():
    start = duels.game("number-chain-duel").start()
    assert start.legal_moves == (1, 2, 3, 4, 5, 6, 7, 8, 9)
    assert start.moves == ()


@pytest.mark.parametrize("numbers", [1, 12, 1_000_000])
def test_r1_there_may_be_more_or_fewer_numbers(numbers):
    assert after(numbers=numbers).legal_moves[-1] == numbers


@pytest.mark.parametrize("numbers", [0, -3, 1_000_001])
def test_r1_a_size_outside_1_to_1000000_is_refused(numbers):
    with pytest.raises(ValueError, match=f"from 1 to 1,000,000, not {numbers}"):
        duels.game("number-chain-duel", numbers=numbers)


@pytest.mark.parametrize("numbers", ["abc", "", 2.5, None, True])
def test_r1_a_size_that_is_not_a_whole_number_is_refused(numbers):
    with pytest.raises(ValueError, match="numbers must be a whole number, not"):
        duels.game("number-chain-duel", numbers=numbers)


@pytest.mark.parametrize("first", range(1, 10))
def test_r2_the_first_number_is_free(first):
    assert after(first).moves == (first,)


def test_r3_a_number_must_be_a_factor_or_a_multiple_of_the_last():
    assert after(6).legal_moves == (1, 2, 3)
    assert after(3).legal_moves == (1, 6, 9)


def test_r3_only_the_last_number_of_the_chain_counts():
    assert 8 in after(4).legal_moves
    assert 8 not in after(4, 2, 6).legal_moves


def test_r4_each_number_is_used_once_by_either_player():
    position = after(4, 2)
    for used in (4, 2):
        with pytest.raises(IllegalMove, match=f"{used} has been used already"):
            position.play(used)


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        (4, "4 has been used already."),
        (0, "0 is not on the board: the numbers go from 1 to 9."),
        (10, "10 is not on the board: the numbers go from 1 to 9."),
        (6, "6 is neither a factor nor a multiple of 4."),
    ],
)
def test_r5_a_wrong_number_costs_nothing(move, rule):
    position = after(4)
    with pytest.raises(IllegalMove) as refusal:
        position.play(move)
    assert str(refusal.value) == rule
    assert position == after(4)
    assert position.to_move == 2


@pytest.mark.parametrize("text", ["", "abc", "2.5", "4 2"])
def test_r5_text_that_is_not_a_number_costs_nothing(text):
    with pytest.raises(UnreadableMove, match="is not a whole number"):
        duels.game("number-chain-duel").parse(text)


def test_r6_there_is_no_passing():
    position = after(4)
    with pytest.raises(UnreadableMove):
        position.game.parse("pass")
    with pytest.raises(UnreadableMove):
        position.play(None)
    assert position.to_move == 2


def test_r7_a_player_who_cannot_add_a_number_loses_even_if_numbers_remain():
    position = after(1, 7)
    assert position.legal_moves == ()
    assert position.outcome == Outcome(winner=2, reason="no-moves")


def test_r7_there_are_no_draws():
    chance = random.Random(7)
    for _ in range(50):
        position = after()
        while not position.outcome:
            position = position.play(chance.choice(position.legal_moves))
        assert position.outcome.winner == 2 - len(position.moves) % 2


def test_r8_player_2_loses_the_worked_example_with_four_numbers_left():
    position = after(4, 2, 8, 1, 5)
    assert set(range(1, 10)) - set(position.moves) == {3, 6, 7, 9}
    assert position.outcome == Outcome(winner=1, reason="no-moves")


def test_r9_the_valid_choices_of_the_worked_example():
    chains = [(4,), (4, 2), (4, 2, 8), (4, 2, 8, 1)]
    choices = [after(*chain).legal_moves for chain in chains]
    assert choices == [(1, 2, 8), (1, 6, 8), (1,), (3, 5, 6, 7, 9)]
