"""Sequence Duel, rule by rule: src/duels/games/chain/texts/sequence-duel.md."""

import random

import pytest

import duels
from duels import IllegalMove, Outcome, UnreadableMove


def after(*moves, **options):
    position = duels.game("sequence-duel", **options).start()
    for move in moves:
        position = position.play(move)
    return position


def test_r1_the_sequence_holds_1_to_20_by_default():
    assert after().legal_moves == tuple(range(1, 21))


@pytest.mark.parametrize("numbers", [1, 10, 1_000_000])
def test_r1_the_players_agree_on_a_length(numbers):
    assert after(numbers=numbers).legal_moves[-1] == numbers


@pytest.mark.parametrize("numbers", [0, -3, 1_000_001])
def test_r1_a_length_outside_1_to_1000000_is_refused(numbers):
    with pytest.raises(ValueError, match=f"from 1 to 1,000,000, not {numbers}"):
        duels.game("sequence-duel", numbers=numbers)


@pytest.mark.parametrize("numbers", ["abc", "", 2.5, None, True])
def test_r1_a_length_that_is_not_a_whole_number_is_refused(numbers):
    with pytest.raises(ValueError, match="numbers must be a whole number, not"):
        duels.game("sequence-duel", numbers=numbers)


@pytest.mark.parametrize("first", [1, 6, 19, 20])
def test_r2_the_first_number_is_free(first):
    assert after(first).moves == (first,)


def test_r3_a_number_must_be_a_factor_or_a_multiple_of_the_one_before():
    assert after(6).legal_moves == (1, 2, 3, 12, 18)


def test_r3_only_the_number_just_before_counts():
    assert after(6, 3).legal_moves == (1, 9, 12, 15, 18)


@pytest.mark.parametrize(("numbers", "follow"), [(10, (1, 2, 8)), (20, (1, 2, 8, 12, 16, 20))])
def test_r4_what_may_follow_4(numbers, follow):
    assert after(4, numbers=numbers).legal_moves == follow


def test_r5_a_removed_number_is_gone_for_both_players():
    position = after(6, 3, 12)
    for gone in (6, 3, 12):
        with pytest.raises(IllegalMove, match=f"{gone} has been used already"):
            position.play(gone)


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        (6, "6 has been used already."),
        (0, "0 is not on the board: the numbers go from 1 to 20."),
        (21, "21 is not on the board: the numbers go from 1 to 20."),
        (4, "4 is neither a factor nor a multiple of 6."),
    ],
)
def test_r6_a_wrong_number_costs_nothing(move, rule):
    position = after(6)
    with pytest.raises(IllegalMove) as refusal:
        position.play(move)
    assert str(refusal.value) == rule
    assert position == after(6)
    assert position.to_move == 2


@pytest.mark.parametrize("text", ["", "abc", "2.5", "6 3"])
def test_r6_text_that_is_not_a_number_costs_nothing(text):
    with pytest.raises(UnreadableMove, match="is not a whole number"):
        duels.game("sequence-duel").parse(text)


def test_r7_there_is_no_passing():
    position = after(6)
    with pytest.raises(UnreadableMove):
        position.game.parse("pass")
    with pytest.raises(UnreadableMove):
        position.play(None)
    assert position.to_move == 2


def test_r8_whoever_has_no_valid_number_loses_even_if_numbers_remain():
    position = after(1, 19)
    assert position.legal_moves == ()
    assert position.outcome == Outcome(winner=2, reason="no-moves")


def test_r8_there_are_no_draws():
    chance = random.Random(8)
    for _ in range(50):
        position = after()
        while not position.outcome:
            position = position.play(chance.choice(position.legal_moves))
        assert position.outcome.winner == 2 - len(position.moves) % 2


def test_r9_player_1_wins_the_worked_example_with_7_left():
    position = after(6, 3, 9, 1, 8, 4, 2, 10, 5, numbers=10)
    assert set(range(1, 11)) - set(position.moves) == {7}
    assert position.outcome == Outcome(winner=1, reason="no-moves")


def test_r10_with_the_even_opening_the_first_number_must_be_even():
    start = after(numbers=8, opening="even")
    assert start.legal_moves == (2, 4, 6, 8)
    with pytest.raises(IllegalMove, match="7 is odd, and the first number must be even"):
        start.play(7)


def test_r10_after_an_even_opening_odd_numbers_may_follow():
    assert after(6, opening="even").legal_moves == after(6).legal_moves


def test_r10_an_even_opening_needs_an_even_number():
    with pytest.raises(ValueError, match="An even opening needs a board of 2 numbers or more"):
        duels.game("sequence-duel", numbers=1, opening="even")


@pytest.mark.parametrize("opening", ["odd", "", None, 2])
def test_r10_an_opening_that_does_not_exist_is_refused(opening):
    with pytest.raises(ValueError, match="opening must be any, even or even-below-half, not"):
        duels.game("sequence-duel", opening=opening)


@pytest.mark.parametrize(
    ("numbers", "openings"),
    [
        (5, (2,)),
        (8, (2,)),
        (9, (2, 4)),
        (100, tuple(range(2, 50, 2))),
        (101, tuple(range(2, 51, 2))),
    ],
)
def test_r11_with_the_opening_below_half_the_first_number_is_even_and_below_half(numbers, openings):
    assert after(numbers=numbers, opening="even-below-half").legal_moves == openings


@pytest.mark.parametrize("number", [7, 50, 52])
def test_r11_an_odd_number_or_one_from_half_on_is_refused_with_the_limit(number):
    start = after(numbers=100, opening="even-below-half")
    with pytest.raises(IllegalMove, match=f"{number} cannot open: .* even and at most 48"):
        start.play(number)


def test_r11_later_any_factor_or_multiple_may_follow():
    assert after(6, opening="even-below-half").legal_moves == after(6).legal_moves


def test_r11_a_board_without_such_a_number_is_refused():
    with pytest.raises(ValueError, match="below half needs a board of 5 numbers or more"):
        duels.game("sequence-duel", numbers=4, opening="even-below-half")
