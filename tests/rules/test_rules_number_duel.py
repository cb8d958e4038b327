"""Number Duel, rule by rule: src/duels/games/chain/texts/number-duel.md."""

import random
from pathlib import Path

import pytest

import duels
from duels import IllegalMove, Outcome, UnreadableMove
from duels.games.chain.criteria import CRITERIA
from duels.match.match import new_match


def after(*moves, **options):
    position = duels.game("number-duel", **options).start()
    for move in moves:
        position = position.play(move)
    return position


def with_digits(digits, highest=100):
    return {n for n in range(1, highest + 1) if set(str(n)) & set(digits)}


def test_r1_the_board_holds_1_to_100():
    assert duels.game("number-duel").options["numbers"] == 100
    assert after().legal_moves == tuple(range(1, 101))


def test_r1_the_size_can_be_changed():
    assert after(numbers=7).legal_moves == (1, 2, 3, 4, 5, 6, 7)


@pytest.mark.parametrize("first", [1, 28, 97, 100])
def test_r2_the_first_number_is_free(first):
    assert after(first).moves == (first,)


def test_r3_a_number_must_be_a_factor_or_multiple_or_share_a_digit():
    factors_and_multiples = {1, 2, 4, 7, 14, 56, 84}
    assert set(after(28).legal_moves) == (factors_and_multiples | with_digits("28")) - {28}


def test_r3_only_the_number_just_named_counts():
    assert 56 in after(28).legal_moves
    assert 56 not in after(28, 12).legal_moves


def test_r4_a_factor_or_a_multiple_is_enough():
    assert after(15, criteria="factor").legal_moves == (1, 3, 5, 30, 45, 60, 75, 90)
    assert {1, 3, 5, 30, 45, 60, 75, 90} <= set(after(15).legal_moves)


def test_r4_56_is_a_multiple_of_14():
    assert 56 in after(28, 14).legal_moves


def test_r5_a_shared_digit_is_enough():
    assert {82, 20, 18} <= set(after(28).legal_moves)
    assert set(after(28, criteria="digit").legal_moves) == with_digits("28") - {28}


def test_r5_100_has_the_digits_1_and_0():
    assert set(after(100, criteria="digit").legal_moves) == with_digits("10") - {100}


def test_r6_each_number_is_used_once():
    with pytest.raises(IllegalMove, match="28 has been used already"):
        after(28, 14).play(28)


def test_r6_a_number_cannot_follow_itself():
    with pytest.raises(IllegalMove, match="28 has been used already"):
        after(28).play(28)


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        (28, "28 has been used already."),
        (0, "0 is not on the board: the numbers go from 1 to 100."),
        (-7, "-7 is not on the board: the numbers go from 1 to 100."),
        (101, "101 is not on the board: the numbers go from 1 to 100."),
        (33, "33 is neither a factor nor a multiple of 28 and shares no digit with it."),
    ],
)
def test_r7_a_wrong_number_costs_nothing(move, rule):
    position = after(28)
    with pytest.raises(IllegalMove) as refusal:
        position.play(move)
    assert str(refusal.value) == rule
    assert position == after(28)
    assert position.to_move == 2


@pytest.mark.parametrize("text", ["", "abc", "2.5", "28 14", "twelve"])
def test_r7_text_that_is_not_a_number_costs_nothing(text):
    with pytest.raises(UnreadableMove, match="is not a whole number"):
        duels.game("number-duel").parse(text)


def test_r8_there_is_no_passing():
    position = after(28)
    with pytest.raises(UnreadableMove):
        position.game.parse("pass")
    with pytest.raises(UnreadableMove):
        position.play(None)
    assert position.to_move == 2


def test_r9_a_player_without_a_valid_number_loses():
    position = after(2, 1, 7, numbers=9)
    assert position.legal_moves == ()
    assert position.outcome == Outcome(winner=1, reason="no-moves")


def test_r9_player_2_can_win_as_well():
    assert after(1, 7, numbers=9).outcome == Outcome(winner=2, reason="no-moves")


def test_r9_there_are_no_draws():
    chance = random.Random(9)
    for _ in range(50):
        position = after()
        while not position.outcome:
            position = position.play(chance.choice(position.legal_moves))
        assert position.outcome.winner == 2 - len(position.moves) % 2


def test_r10_the_worked_example_is_legal():
    position = after(28, 14, 41, 82, 2)
    assert position.outcome is None
    assert position.to_move == 2


@pytest.mark.parametrize("numbers", [1, 50, 101, 15_000])
def test_r11_the_board_may_be_shorter_or_longer(numbers):
    assert after(numbers=numbers).legal_moves[-1] == numbers


@pytest.mark.parametrize("numbers", [0, -3, 15_001, 10**40, "0"])
def test_r11_a_size_outside_1_to_10000_is_refused(numbers):
    with pytest.raises(ValueError, match="numbers must be a whole number from 1 to 15,000, not"):
        duels.game("number-duel", numbers=numbers)


@pytest.mark.parametrize("numbers", ["abc", "", 2.5, "2.5", None, True, [3]])
def test_r11_a_size_that_is_not_a_whole_number_is_refused(numbers):
    with pytest.raises(ValueError, match="numbers must be a whole number, not"):
        duels.game("number-duel", numbers=numbers)


@pytest.mark.parametrize(
    ("criterion", "fits"),
    [
        ("factor", {1, 2, 3, 4, 6, 24, 36, 48}),
        ("digit", {1, 2, 10, 11, *range(13, 30), 31, 32, 41, 42}),
        ("digit-sum", {3, 21, 30}),
        ("prime-factor", {n for n in range(1, 49) if n % 2 == 0 or n % 3 == 0} - {12}),
        ("neighbour", {11, 13}),
        ("square-sum", {4, 13, 24, 37}),
    ],
)
def test_r12_what_may_follow_12_by_each_criterion(criterion, fits):
    assert set(after(12, numbers=48, criteria=criterion).legal_moves) == fits


def test_r12_criteria_are_joined_with_or():
    assert after(12, numbers=48, criteria="digit-sum,neighbour").legal_moves == (3, 11, 13, 21, 30)


def test_r12_the_order_and_spelling_of_criteria_do_not_matter():
    assert duels.game("number-duel", criteria=" Digit, factor,digit") == duels.game("number-duel")
    assert duels.game("number-duel", criteria=["digit", "factor"]) == duels.game("number-duel")


def test_r12_the_document_names_every_criterion():
    document = Path(duels.__file__).parent / "games" / "chain" / "texts" / "number-duel.md"
    rule = document.read_text("utf-8").partition("**R12**")[2].partition("**R13**")[0]
    assert [criterion.means for criterion in CRITERIA.values() if criterion.means not in rule] == []


@pytest.mark.parametrize(
    ("criteria", "says"),
    [
        ("prime", 'there is no "prime"'),
        ("factor,colour", 'there is no "colour"'),
        ("", "criteria needs at least one of factor, digit"),
        (" , ", "criteria needs at least one of factor, digit"),
        ([], "criteria needs at least one of factor, digit"),
    ],
)
def test_r12_criteria_that_do_not_exist_are_refused(criteria, says):
    with pytest.raises(ValueError, match=says):
        duels.game("number-duel", criteria=criteria)


def test_r13_a_player_who_runs_out_of_time_loses():
    match = new_match(duels.game("number-duel"), ("Alice", "Bob"), time_limit=30)
    assert match.play(28, seconds=30).outcome is None
    assert match.play(28, seconds=30.5).outcome == Outcome(winner=2, reason="time")
    assert match.play(28).play(14, seconds=31).outcome == Outcome(winner=1, reason="time")


def test_r13_without_a_limit_there_is_time_to_think():
    assert new_match(duels.game("number-duel")).play(28, seconds=10**6).outcome is None


@pytest.mark.parametrize("limit", [0, -1, "soon", float("nan"), float("inf")])
def test_r13_a_time_limit_that_makes_no_sense_is_refused(limit):
    with pytest.raises(ValueError, match=r"The time limit must be from 0\.1 to 86,400 seconds"):
        new_match(duels.game("number-duel"), time_limit=limit)


def test_an_option_that_the_game_does_not_know_is_refused():
    with pytest.raises(ValueError, match='has no option "divisor"; it has numbers and criteria'):
        duels.game("number-duel", divisor=7)
