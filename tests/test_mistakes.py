"""Your own mistakes as puzzles."""

from __future__ import annotations

import json
import re

import pytest

import duels
from duels.coach.puzzles import (
    mistakes,
)
from duels.match.match import Seat, new_match
from duels.match.saved_games import SavedGames

pytestmark = pytest.mark.slow


def played(moves, *seats, game=None):
    match = new_match(game or duels.game("number-chain-duel"), seats or ("Ann", "Bob"), seed=1)
    for move in moves:
        match = match.play(move)
    return match


def test_a_mistake_is_the_position_before_the_move_that_gave_the_win_away():
    match = played([7, 1, 3, 9], "Ann", Seat("skilled", "skilled"))
    (one,) = mistakes([match])
    assert one.position.moves == (7, 1)
    assert one.winning_moves == (5,)
    assert one.id == f"{match.id}-3"
    assert one.source == (
        f"Move 3 of your game of {match.date[:10]}: you took 3 here, which gave the win away."
    )


def test_a_computers_mistakes_are_not_mine_and_of_two_people_both_are():
    moves = [7, 1, 3, 9]
    computer = Seat("skilled", "skilled")
    assert mistakes([played(moves, computer, "Bob")]) == []
    assert mistakes([played(moves, computer, Seat("expert", "expert"))]) == []
    both = mistakes([played([4, 2, 8, 1, 5])])
    assert {one.source.split(": ")[1].split()[0] for one in both} == {"Ann", "Bob"}


def test_mistakes_that_cost_the_game_come_first_then_easier_ones():
    lost, not_lost = played([4, 2, 8, 1, 5]), played([7, 1, 3])
    order = [one.id for one in mistakes([not_lost, lost])]
    assert order[0] == f"{lost.id}-2"  # Bob lost by it
    rest = mistakes([not_lost, lost])[1:]
    assert [one.number for one in rest] == sorted(one.number for one in rest)


@pytest.fixture
def store(environment, tmp_path):
    return SavedGames(tmp_path / "state" / "duels" / "matches")


def test_my_mistakes_are_puzzles(call, store):
    match = played([7, 1, 3, 9], "Ann", Seat("skilled", "skilled"))
    store.save(match)
    data = json.loads(call("puzzle", "--mine", "--json").stdout)
    assert (data["moves"], data["winning_moves"]) == ([7, 1], [5])
    said = call("puzzle", "--mine", typed="3\n5\n").stdout
    assert f"Move 3 of your game of {match.date[:10]}" in said
    assert "3 loses. They take 9" in said
    assert "Right! " in said


def test_what_was_solved_comes_last(call, store):
    computer = Seat("skilled", "skilled")
    one, two = played([7, 1, 3, 9], "Ann", computer), played([7, 1, 4, 8], "Ann", computer)
    store.save(one)
    store.save(two)
    first = json.loads(call("puzzle", "--mine", "--json").stdout)["source"]
    call("puzzle", "--mine", typed="5\n")
    assert json.loads(call("puzzle", "--mine", "--json").stdout)["source"] != first


def test_after_the_last_of_my_mistakes_it_says_so_and_ends(spawn, store):
    store.save(played([7, 1, 3, 9], "Ann", Seat("skilled", "skilled")))
    child = spawn("puzzle", "--mine")
    for prompt, typed in (("Your move: ", "give up"), ("Another puzzle? (y/n) ", "y")):
        child.expect_exact(prompt)
        child.sendline(typed)
    child.expect_exact("That was your last mistake. For other puzzles: ")
    child.wait()
    assert child.exitstatus == 0


def test_a_damaged_game_is_named_and_hides_nothing(call, store):
    store.save(played([7, 1, 3, 9], "Ann", Seat("skilled", "skilled")))
    (store.folder / "bad.json").write_text("{")
    done = call("puzzle", "--mine", "--json")
    assert "Skipped: The saved game bad is damaged" in done.stderr
    assert json.loads(done.stdout)["winning_moves"] == [5]


def test_without_mistakes_there_is_a_sentence(call, store):
    computer = Seat("skilled", "skilled")
    assert "There are no saved games of yours" in call("puzzle", "--mine").stderr
    store.save(played([7, 1, 5], "Ann", computer))
    done = call("puzzle", "--mine", "number-chain-duel", "--numbers", "9")
    assert "You made no losing mistake in your saved games." in done.stderr
    assert done.returncode == 1
    store.save(played([7, 1, 3, 9], "Ann", computer))
    assert call("puzzle", "--mine", "number-chain-duel", "--numbers", "9", typed="q").stdout
    assert "no saved games" in call("puzzle", "--mine", "--numbers", "10").stderr
    assert "no saved games" in call("puzzle", "--mine", "sequence-duel").stderr


def test_moves_of_two_people_at_one_board_are_not_mine(call):
    moves = "7\n1\n3\n9\n"  # 3 gives the win away
    call("play", "number-chain-duel", typed=moves)
    assert "There are no saved games of yours" in call("puzzle", "--mine").stderr


def test_several_moves_may_win_where_a_win_was_given_away(call, store):
    store.save(played([4, 2, 1, 5], "Ann", Seat("skilled", "skilled")))
    data = json.loads(call("puzzle", "--mine", "number-chain-duel", "--json").stdout)
    assert data["moves"] == [4, 2]
    assert data["winning_moves"] == [6, 8]
    for typed in ("6", "8"):
        said = call("puzzle", "--mine", typed=f"1\n{typed}\n").stdout
        assert "2 moves win. Find one." in said
        assert re.search(rf"Right, {typed} wins\. So does \d|Right! ", said)
        store.folder.parent.joinpath("mistakes.json").unlink()
    assert "6 or 8 would have won." in call("puzzle", "--mine", typed="give up\n").stdout
