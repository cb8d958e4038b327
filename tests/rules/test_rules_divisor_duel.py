"""Divisor Duel, rule by rule: src/duels/games/digits/texts/divisor-duel.md."""

import random

import pytest

import duels
from duels import IllegalMove, Outcome, UnreadableMove


def after(*digits, divisor):
    position = duels.game("divisor-duel", divisor=divisor).start()
    for digit in digits:
        position = position.play(digit)
    return position


@pytest.mark.parametrize("divisor", [2, 7, 11, 1000, 10**30, "7"])
def test_r1_any_whole_number_greater_than_1_divides(divisor):
    assert duels.game("divisor-duel", divisor=divisor).options == {"divisor": int(divisor)}


def test_r1_a_game_with_a_huge_divisor_can_be_played_to_its_end():
    assert after(*range(1, 10), divisor=10**30).outcome == Outcome(2, "digits-used")


@pytest.mark.parametrize("divisor", [1, 0, -3, "1", "-3"])
def test_r1_a_divisor_of_1_or_less_is_refused(divisor):
    with pytest.raises(ValueError, match=rf"divisor must be .* of 2 or more, not {divisor}\."):
        duels.game("divisor-duel", divisor=divisor)


@pytest.mark.parametrize("divisor", [2.5, "2.5", "abc", "", None, True])
def test_r1_a_divisor_that_is_not_a_whole_number_is_refused(divisor):
    with pytest.raises(ValueError, match=f'divisor must be a whole number, not "{divisor}"'):
        duels.game("divisor-duel", divisor=divisor)


def test_r1_a_game_without_a_divisor_is_refused():
    with pytest.raises(ValueError, match="divisor-duel needs the option divisor, for example 13"):
        duels.game("divisor-duel")


def test_r2_the_pool_holds_the_digits_1_to_9_and_the_number_is_empty():
    start = after(divisor=7)
    assert start.legal_moves == (1, 2, 3, 4, 5, 6, 7, 8, 9)
    assert start.moves == ()
    assert start.outcome is None


def test_r3_a_digit_leaves_the_pool_and_joins_the_right_end():
    position = after(5, 2, 1, divisor=7)
    assert position.legal_moves == (3, 4, 6, 7, 8, 9)
    assert position.state == 521


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        (0, "0 is not a digit from 1 to 9."),
        (-1, "-1 is not a digit from 1 to 9."),
        (12, "12 is not a digit from 1 to 9."),
        (5, "The digit 5 has been used already."),
    ],
)
def test_r4_a_digit_outside_the_pool_cannot_be_played(move, rule):
    position = after(5, divisor=7)
    with pytest.raises(IllegalMove) as refusal:
        position.play(move)
    assert str(refusal.value) == rule
    assert position == after(5, divisor=7)


@pytest.mark.parametrize("text", ["", "abc", "2.5", "1 2", "five"])
def test_r4_text_that_is_not_a_digit_is_not_a_move(text):
    with pytest.raises(UnreadableMove, match="is not a digit"):
        duels.game("divisor-duel", divisor=7).parse(text)


def test_r5_placed_digits_stay_where_they_are():
    position, numbers = after(divisor=10), []
    for digit in (5, 2, 1, 4):
        position = position.play(digit)
        numbers.append(position.state)
    assert numbers == [5, 52, 521, 5214]


def test_r6_there_is_no_passing():
    position = after(5, divisor=7)
    with pytest.raises(UnreadableMove):
        position.game.parse("pass")
    with pytest.raises(UnreadableMove):
        position.play(None)
    assert position.to_move == 2


def test_r7_the_first_digit_can_win_at_once():
    assert after(7, divisor=7).outcome == Outcome(winner=1, reason="divisible")


def test_r7_the_ninth_digit_can_win():
    position = after(*range(1, 9), divisor=3607)
    assert position.outcome is None
    assert position.play(9).outcome == Outcome(winner=1, reason="divisible")


def test_r7_the_game_is_over_at_once():
    won = after(1, 4, divisor=7)
    assert won.legal_moves == ()
    with pytest.raises(IllegalMove, match="The game is over"):
        won.play(2)


def test_r8_the_player_who_places_the_ninth_digit_in_vain_loses():
    position = after(*range(1, 9), divisor=10)
    assert (position.to_move, position.outcome) == (1, None)
    assert position.play(9).outcome == Outcome(winner=2, reason="digits-used")


def test_r8_the_last_digit_is_always_player_1s():
    chance = random.Random(8)
    for _ in range(50):
        order = chance.sample(range(1, 10), 9)
        assert after(*order, divisor=10).outcome == Outcome(winner=2, reason="digits-used")


@pytest.mark.parametrize("divisor", [3, 7, 11, 13, 999])
def test_r9_there_are_no_draws(divisor):
    chance = random.Random(divisor)
    for _ in range(50):
        position = after(divisor=divisor)
        while not position.outcome:
            position = position.play(chance.choice(position.legal_moves))
        assert position.outcome.winner in (1, 2)


def test_r10_after_1_the_digit_4_wins_with_divisor_7():
    assert after(1, 4, divisor=7).outcome == Outcome(winner=2, reason="divisible")


def test_r11_23195_wins_with_divisor_5():
    position = after(2, 3, 1, 9, divisor=5)
    assert position.state % 5 == 4
    assert position.play(5).outcome == Outcome(winner=1, reason="divisible")


def test_r12_the_printed_sample_ends_at_52147368():
    position = after(5, 2, 1, 4, 7, 3, 6, divisor=7)
    assert position.outcome is None
    assert position.play(8).outcome == Outcome(winner=2, reason="divisible")
