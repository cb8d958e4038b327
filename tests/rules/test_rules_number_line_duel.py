"""Number Line Duel, rule by rule: src/duels/games/line/texts/number-line-duel.md."""

import random

import pytest

import duels
from duels import IllegalMove, Outcome, UnreadableMove


def after(*moves, numbers=10):
    position = duels.game("number-line-duel", numbers=numbers).start()
    for move in moves:
        position = position.play(move)
    return position


def test_r1_the_line_holds_1_to_10():
    assert duels.game("number-line-duel").options == {"numbers": 10}
    singles = [move for move in after().legal_moves if isinstance(move, int)]
    assert singles == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]


@pytest.mark.parametrize("numbers", [1, 25, 1_000_000])
def test_r1_the_line_may_have_another_size(numbers):
    assert after(numbers, numbers=numbers).moves == (numbers,)


@pytest.mark.parametrize("numbers", [0, -3, 1_000_001])
def test_r1_a_size_outside_1_to_1000000_is_refused(numbers):
    with pytest.raises(ValueError, match=f"from 1 to 1,000,000, not {numbers}"):
        duels.game("number-line-duel", numbers=numbers)


@pytest.mark.parametrize("numbers", ["abc", "", 2.5, None, True])
def test_r1_a_size_that_is_not_a_whole_number_is_refused(numbers):
    with pytest.raises(ValueError, match="numbers must be a whole number, not"):
        duels.game("number-line-duel", numbers=numbers)


def test_r2_player_1_begins_and_the_turns_alternate():
    turns = [after(*moves).to_move for moves in ([], [5], [5, (1, 2)], [5, (1, 2), 8])]
    assert turns == [1, 2, 1, 2]


def test_r3_a_turn_crosses_out_one_number():
    assert after(2, numbers=3).legal_moves == (1, 3)


def test_r4_a_turn_crosses_out_two_neighbours():
    assert after((2, 3), numbers=5).legal_moves == (1, 4, (4, 5), 5)


def test_r4_the_first_move_may_be_any_number_or_pair():
    assert after(numbers=3).legal_moves == (1, (1, 2), 2, (2, 3), 3)


def test_r5_numbers_do_not_become_neighbours_when_one_between_them_goes():
    with pytest.raises(IllegalMove, match="4 and 6 are not neighbours on the line"):
        after(5).play((4, 6))


@pytest.mark.parametrize("move", [5, (4, 5), (5, 6)])
def test_r6_a_crossed_out_number_cannot_be_crossed_out_again(move):
    with pytest.raises(IllegalMove, match="5 is crossed out already"):
        after(5).play(move)


@pytest.mark.parametrize("move", [(3, 5), (1, 10), (5, 3)])
def test_r7_two_numbers_apart_cannot_be_crossed_out_together(move):
    with pytest.raises(IllegalMove, match="are not neighbours on the line"):
        after().play(move)


def test_r7_a_number_and_itself_are_not_a_pair():
    with pytest.raises(IllegalMove, match="5 and 5 are not neighbours"):
        after().play((5, 5))


def test_r7_three_numbers_are_no_move():
    with pytest.raises(UnreadableMove, match='"5 6 7" is not one number or two neighbours'):
        duels.game("number-line-duel").parse("5 6 7")
    with pytest.raises(UnreadableMove):
        after().play((5, 6, 7))


@pytest.mark.parametrize("text", ["5 6", "6 5", "5,6", "5-6", " 5 , 6 ", "6-5"])
def test_r8_a_pair_is_typed_in_many_ways(text):
    assert duels.game("number-line-duel").parse(text) == (5, 6)


@pytest.mark.parametrize("text", ["5", " 5 "])
def test_r8_a_single_number_is_typed_plainly(text):
    assert duels.game("number-line-duel").parse(text) == 5


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        (5, "5 is crossed out already."),
        (0, "0 is not on the line: it goes from 1 to 10."),
        (-1, "-1 is not on the line: it goes from 1 to 10."),
        (11, "11 is not on the line: it goes from 1 to 10."),
        ((10, 11), "11 is not on the line: it goes from 1 to 10."),
        ((0, 1), "0 is not on the line: it goes from 1 to 10."),
        ((1, 3), "1 and 3 are not neighbours on the line."),
    ],
)
def test_r9_a_wrong_move_costs_nothing(move, rule):
    position = after(5)
    with pytest.raises(IllegalMove) as refusal:
        position.play(move)
    assert str(refusal.value) == rule
    assert position == after(5)
    assert position.to_move == 2


@pytest.mark.parametrize("text", ["", "abc", "5;6", "2.5", "5 6 7"])
def test_r9_text_that_is_not_a_move_costs_nothing(text):
    with pytest.raises(UnreadableMove, match="is not one number or two neighbours"):
        duels.game("number-line-duel").parse(text)


def test_r10_there_is_no_passing():
    position = after(5)
    with pytest.raises(UnreadableMove):
        position.game.parse("pass")
    for nothing in (None, ()):
        with pytest.raises(UnreadableMove):
            position.play(nothing)
    assert position.to_move == 2


def test_r11_the_last_move_wins():
    assert after((1, 2), 3, numbers=3).outcome == Outcome(winner=2, reason="no-moves")
    assert after(1, 2, 3, numbers=3).outcome == Outcome(winner=1, reason="no-moves")


def test_r11_the_game_continues_while_a_number_is_left():
    assert after((1, 2), numbers=3).outcome is None


def test_r11_there_are_no_draws():
    chance = random.Random(11)
    for _ in range(50):
        position = after()
        while not position.outcome:
            position = position.play(chance.choice(position.legal_moves))
        assert position.outcome.winner == 2 - len(position.moves) % 2


def test_r12_player_1_wins_the_worked_example():
    position = after((5, 6), 8, (9, 10), (1, 2), 3, 4)
    assert position.legal_moves == (7,)
    assert position.play(7).outcome == Outcome(winner=1, reason="no-moves")


def test_text_passed_as_a_move_is_refused_with_advice():
    with pytest.raises(UnreadableMove, match='"5-6" is text, not a move'):
        after().play("5-6")
