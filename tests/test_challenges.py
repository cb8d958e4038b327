"""After a match each player gets one next challenge."""

from __future__ import annotations

from dataclasses import replace

import pytest

import duels
from duels.coach.challenges import (
    LESSON,
    PUZZLES,
    REMATCH,
    RETRY,
    STRONGER,
    SWAP,
    WHOLE,
    next_challenge,
    turning_point_in_words,
)
from duels.coach.review import review
from duels.core.game import Outcome, other
from duels.match.match import Seat, new_match
from own_games import EuclidDuel

LINE = ("number-line-duel", {"numbers": 6})


def end(computer, moves, you=1, game=LINE, given=()):
    """A match of a person, on side `you`, against a computer."""
    board = duels.game(game[0], **game[1])
    seats = (Seat("Ann"), Seat(computer, computer))
    match = new_match(board, seats[:: 1 if you == 1 else -1], given=board.position(*given))
    for move in moves:
        match = match.play(move)
    return match


def challenge(match, you=1):
    return next_challenge(review(match), you)


WON = ((3, 4), 1, 6, 2, 5)
LOST_BY_A_MISTAKE = (5, (3, 4), (1, 2), 6)


@pytest.mark.parametrize(
    ("computer", "next_one"),
    [("random", "novice"), ("novice", "casual"), ("30", "skilled"), ("skilled", "expert")],
)
def test_after_a_win_the_same_board_is_one_level_harder(computer, next_one):
    found = challenge(end(computer, WON))
    assert (found.kind, found.label) == (STRONGER, f"Play the {next_one} computer")
    assert found.match.seats == (Seat("Ann"), Seat("Computer", next_one))
    assert found.match.game == duels.game(LINE[0], **LINE[1])
    assert not found.match.moves


def test_no_challenge_is_to_beat_perfect_from_the_losing_side():
    found = challenge(end("expert", ((1, 2), (4, 5), 3, 6), you=2), you=2)
    assert found.kind == STRONGER
    assert found.match.computer(2) == "perfect", "the first player wins on this board"
    assert "Go first: that side can win." in found.text


def test_after_the_strongest_computer_there_are_puzzles():
    assert challenge(end("perfect", WON)).kind == PUZZLES


def test_a_mistake_can_be_tried_again_against_the_same_computer():
    found = challenge(end("casual", LOST_BY_A_MISTAKE))
    assert (found.kind, found.label) == (RETRY, "Try move 3 again")
    assert found.text == "Can you win from move 3?"  # the line above it gives the winning move
    assert found.match.moves == LOST_BY_A_MISTAKE[:2]
    assert found.match.given == 2
    assert found.match.computer(2) == "casual"


def test_a_won_game_that_was_given_up_continues_where_it_ended():
    found = challenge(end("casual", ()).resign())
    assert (found.kind, found.label, found.match.moves) == (RETRY, "Play on", ())


def test_a_loss_without_a_chance_leads_to_the_other_side():
    match = end("casual", ((3, 4), 1, 6, 2, 5), you=2)
    found = challenge(match, you=2)
    assert (found.kind, found.label) == (SWAP, "Go first on this board")
    assert found.match.seats == (Seat("Ann"), Seat("Computer", "casual"))


def test_a_second_loss_leads_to_the_lesson_and_a_win_to_the_whole_game():
    again = end("casual", ((1, 2), 6), given=LOST_BY_A_MISTAKE[:2])
    assert challenge(again).kind == LESSON
    won = challenge(end("casual", (1, 6, 2), given=LOST_BY_A_MISTAKE[:2]))
    assert (won.kind, won.match.moves) == (WHOLE, ())
    assert won.text == "You won from move 3. Can you win the whole game?"


def test_a_default_name_follows_the_side():
    board = duels.game(LINE[0], **LINE[1])
    match = new_match(board, (Seat("casual", "casual"), Seat("Player 2")))
    for move in WON:
        match = match.play(move)
    assert challenge(match, you=2).match.names == ("Player 1", "Computer")


def test_people_play_a_rematch():
    match = new_match(duels.game(LINE[0], **LINE[1]), ("Ann", "Bob"))
    for move in WON:
        match = match.play(move)
    texts = [challenge(match, you).text for you in (0, 1, 2)]
    assert {challenge(match, you).kind for you in (0, 1, 2)} == {REMATCH}
    assert texts == [
        "In a rematch you swap sides.",
        "Can you win from the other side too?",
        "To win on this board, go first, as you will in a rematch.",
    ]


def test_the_turning_point_speaks_to_the_player():
    match = end("casual", LOST_BY_A_MISTAKE)
    found = review(match)
    said = "Turning point: move 3. You played 1 and 2 together; 1 would have won."
    assert turning_point_in_words(found, 1) == said
    assert turning_point_in_words(found) == said.replace("You", "Ann")
    friends = new_match(match.game, ("Ann", "Bob"))
    for move in LOST_BY_A_MISTAKE:
        friends = friends.play(move)
    assert turning_point_in_words(review(friends), 2) == said.replace("You", "Ann")


def test_there_is_no_challenge_before_the_end():
    assert challenge(end("casual", ())) is None


def test_without_a_lesson_a_lost_position_leads_to_a_rematch_and_a_won_one_is_played_on():
    given = EuclidDuel().position(1)  # 13 and 8 have become 8 and 5, and player 1 wins
    for you, kind in ((1, RETRY), (2, REMATCH)):
        seats = (Seat("Ann"), Seat("casual", "casual"))[:: 1 if you == 1 else -1]
        match = new_match(EuclidDuel(), seats, given=given)
        lost = replace(match, ended=Outcome(other(you), "resigned"))
        assert challenge(lost, you).kind == kind
