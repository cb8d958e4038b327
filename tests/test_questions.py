"""The questions of the transcript on a pseudo-terminal: before a game, after it, and lists."""

from __future__ import annotations

from itertools import product

import pytest

from duels.games import all_games
from duels.terminal.choices import opponents
from own_games import SQUARE_FILE
from rings import all_if_long

GAMES = all_games()
SIZES = [(24, 80), (40, 120), (20, 40)]
WORDS_TO_QUIT = ("quit\n", "q\n", "\x04")
PLAIN = {"TERM": "xterm", "DUELS_PLAIN": "1", "NO_COLOR": "1"}
GAME, OPPONENT, FIRST, NEXT = "1 to 5 [3]: ", "1 to 7 [1]: ", "1 to 3 [1]: ", "What next? "


def answer(child, *pairs):
    for question, typed in pairs:
        child.expect_exact(question)
        child.sendline(typed)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[1]}x{size[0]}")
@pytest.mark.parametrize("more", [{}, PLAIN], ids=["dumb", "plain"])
def test_three_times_enter_and_then_the_first_move(spawn, size, more):
    child = spawn(size=size, **more)
    said = ""
    for question in (GAME, OPPONENT, FIRST):
        child.expect_exact(question)
        assert len(child.before.splitlines()) < size[0], "the whole list is in view"
        said += child.before
        child.sendline("")
    assert all(len(line) < size[1] for line in said.splitlines())
    child.expect_exact("strength 25 of 100")
    child.expect_exact("1 2 3 4 5 6 7 8 9 10\r\n")
    child.expect_exact("cross out")
    child.sendline("8")
    child.expect_exact("Player 1 crossed out: 8")


def test_a_game_is_chosen_by_a_part_of_its_name_and_is_the_rule_books(spawn):
    child = spawn()
    answer(child, (GAME, "number"))
    child.expect_exact("Type a number from 1 to 5.")
    answer(child, (GAME, "sequence"), (OPPONENT, "friend"), (FIRST, "coin"))
    child.expect("The coin shows (heads|tails)")
    child.expect_exact("18, 19, 20]")


def test_an_option_without_a_default_is_the_first_question(spawn):
    child = spawn()
    answer(child, (GAME, "divisor-duel"), ("The number to divide by [13]: ", "1"))
    answer(child, ("[13]: ", ""), (OPPONENT, "2"), (FIRST, "2"))
    child.expect_exact("Target Divisor: 13")


def test_the_questions_remember_the_game_and_the_opponent(spawn):
    child = spawn()
    answer(child, (GAME, "chain"), (OPPONENT, "expert"), (FIRST, ""))
    answer(child, ("Player 1 selects: ", "quit"))
    child.wait()
    assert child.exitstatus == 0
    child = spawn()
    answer(child, ("1 to 5 [5]: ", ""), ("1 to 7 [5]: ", ""), (FIRST, ""))
    answer(child, ("Player 1 selects: ", "4"))
    child.expect_exact("▲ The computer took ")
    assert [*opponents()][4] == "expert"


@pytest.mark.parametrize(
    "leaving", all_if_long(product((0, 1, 2), WORDS_TO_QUIT), *enumerate(WORDS_TO_QUIT)), ids=ascii
)
def test_every_question_can_be_left(spawn, leaving):
    questions, typed = leaving
    child = spawn()
    answer(child, *[(GAME, ""), (OPPONENT, ""), (FIRST, "")][:questions])
    child.expect_exact((GAME, OPPONENT, FIRST)[questions])
    child.send(typed)
    child.expect_exact(child.delimiter)
    child.wait()
    assert child.exitstatus == 0


def test_off_a_terminal_there_are_no_questions(run):
    done = run(typed="\n5\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--help" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("columns", [20, 1])
def test_a_tiny_window_gets_the_questions_too(spawn, columns):
    child = spawn(size=(24, columns))
    child.expect_exact("[3]:")
    if columns == 20:
        assert all(len(line) <= columns for line in child.before.splitlines())
    child.sendline("quit")
    child.wait()
    assert child.exitstatus == 0


# What comes after a game


def tiny(spawn, *more):
    """A game between two people that is over after two moves."""
    return spawn("play", "number-chain-duel", "--numbers", "2", "--players", "Ann", "Ben", *more)


def test_a_game_ends_in_what_next(spawn):
    child = tiny(spawn)
    answer(child, ("Ann selects: ", "1"), ("Ben selects: ", "2"))
    child.expect_exact("Enter  play again; Ben moves first")
    answer(child, (NEXT, ""), ("Ben selects: ", "1"), ("Ann selects: ", "2"))
    child.expect_exact("Enter  play again; Ann moves first")
    answer(child, (NEXT, "same"), ("Ben selects: ", "1"), ("Ann selects: ", "2"))
    answer(child, (NEXT, "r"))
    child.expect_exact("2. ▲ 2")
    answer(child, (NEXT, "?"))
    child.expect_exact("Press Enter, or type s, r, l or q.")
    answer(child, (NEXT, "revue"))
    child.expect_exact("Did you mean review?")
    answer(child, (NEXT, "l"))
    child.expect_exact("Type: duels learn number-chain-duel")


@pytest.mark.parametrize("typed", ["q\n", "quit\n", "\x04"], ids=ascii)
def test_quitting_after_a_game_says_how_to_see_it_again(spawn, call, typed):
    child = tiny(spawn)
    answer(child, ("Ann selects: ", "1"), ("Ben selects: ", "2"))
    child.expect_exact(NEXT)
    child.send(typed)
    child.expect("To see it again: duels replay ([0-9a-f]+)")
    child.wait()
    assert child.exitstatus == 0
    assert "Ann against Ben" in call("replay", child.match[1]).stdout


def test_the_turning_point_is_tried_again(spawn):
    child = spawn("play", "number-chain-duel", "--numbers", "5")
    answer(child, ("Player 1 selects: ", "1"), ("Player 2 selects: ", "3"))
    child.expect_exact("t      try move 1 again")
    answer(child, (NEXT, "t"), ("Player 1 selects: ", "3"), ("Player 2 selects: ", "1"))
    answer(child, ("Player 1 selects: ", "5"), (NEXT, "quit"))


def test_a_resumed_game_and_one_of_a_record_end_in_what_next_too(spawn, call, tmp_path):
    record = tmp_path / "r.txt"
    args = ("play", "number-chain-duel", "--numbers", "5", "--record", str(record))
    call(*args, typed="1\nquit\n")
    child = spawn("resume")
    answer(child, ("Press Enter [1]: ", "1"), ("Is that all right? [y/N] ", "y"))
    answer(child, ("Player 2 selects: ", "3"), (NEXT, "q"))
    child.wait()
    child = spawn("review", str(record), "--again")
    answer(child, ("Player 1 selects: ", "5"), ("selects: ", "1"), ("selects: ", "3"), (NEXT, "q"))
    child.wait()
    assert child.exitstatus == 0


def test_two_computers_ask_nothing(spawn):
    child = spawn("play", "number-chain-duel", "--vs", "perfect", "--vs", "expert")
    child.expect("loses.")
    child.wait()
    assert child.exitstatus == 0


def test_a_computer_matched_to_the_player_follows_from_game_to_game(spawn):
    child = spawn("play", "number-chain-duel", "--vs", "auto")
    child.expect_exact("Your opponent is matched to you: strength 25 of 100.")
    answer(child, ("Player 1 selects: ", "resign"), ("(y/n) ", "y"))
    child.expect_exact("Your next opponent is matched to you: strength 6 instead of 25.")
    answer(child, (NEXT, "s"))
    child.expect_exact("strength 6 of 100.")
    answer(child, ("Player 1 selects: ", "quit"))


def test_a_duel_pauses_between_its_games_and_ends_in_what_next_once(spawn):
    child = spawn("play", "divisor-duel", "--setup", "by-12")
    child.expect_exact("A duel of 2 games. Game 1: Player 1 moves first.")
    answer(child, ("digit: ", "resign"), ("(y/n) ", "y"))
    child.expect_exact("Game 2 of 2: Player 2 moves first.")
    answer(child, ("(Press Enter for the next game.) ", ""))
    answer(child, ("digit: ", "resign"), ("(y/n) ", "y"))
    child.expect_exact("The duel is a draw.")
    child.expect_exact("Enter  play again; Player 1 moves first")
    answer(child, (NEXT, ""))
    child.expect_exact("A duel of 2 games. Game 1: Player 1 moves first.")


@pytest.mark.parametrize(("typed", "code"), [("quit\n", 0), ("\x04", 0), ("\x03", 130)], ids=ascii)
def test_a_duel_left_in_its_pause_is_saved(spawn, call, typed, code):
    child = tiny(spawn, "--matches", "3")
    answer(child, ("Ann selects: ", "1"), ("Ben selects: ", "2"))
    child.expect_exact("(Press Enter for the next game.) ")
    child.send(typed)
    child.expect("Duel saved. To continue: duels resume ([0-9a-f]+)\r\n")
    child.wait()
    assert child.exitstatus == code
    assert "Game 2 of 3." in call("resume", child.match[1]).stdout


def test_quit_leaves_at_a_yes_or_no_too(spawn):
    child = tiny(spawn)
    answer(child, ("Ann selects: ", "1"), ("Ben selects: ", "resign"), ("(y/n) ", "quit"))
    child.expect_exact("Game saved. To continue: duels resume")
    child = spawn("puzzle", "line", "--seed", "1")
    answer(child, ("Your move: ", "give up"), ("Another puzzle? (y/n) ", "quit"))
    child.wait()
    assert child.exitstatus == 0


# Lists


def test_a_game_is_resumed_from_a_list(spawn, call):
    call("play", "number-line-duel", typed="5\nquit\n")
    child = spawn("resume")
    child.expect_exact("1  Player 1 against Player 2, Number Line Duel (1 to 10), move 2, just now")
    answer(child, ("Press Enter [1]: ", "7"))
    child.expect_exact("There is only this one: press Enter, or type 1.")
    answer(child, ("Press Enter [1]: ", ""))
    child.expect_exact("Moves so far: 5")


def test_the_list_opens_what_another_window_has_played(spawn, run, tmp_path):
    record = tmp_path / "r.txt"
    run("play", "number-chain-duel", "--record", str(record), typed="4\nquit\n")
    match_id = run("resume").stdout.split()[0]
    child = spawn("resume")
    child.expect_exact("Press Enter [1]: ")
    done = run("resume", match_id, "--record", str(record), typed="2\n8\n")
    assert done.returncode == 0, done.stderr
    answer(child, ("", ""), ("Is that all right? [y/N] ", "y"))
    child.expect_exact("Moves so far: 4, 2, 8")
    answer(child, ("selects: ", "1"), ("selects: ", "quit"))
    child.expect("Game saved")
    assert "2. 8" in record.read_text()
    assert "} 1 {" in record.read_text()


@pytest.mark.parametrize(
    "size", all_if_long(SIZES, min(SIZES)), ids=lambda size: f"{size[1]}x{size[0]}"
)
def test_every_list_fits_the_window(spawn, run, size):
    with_file = ("--with", str(SQUARE_FILE))
    names = ("Somebody with a long name", "Another one with one")
    for game in ("sequence", "square"):
        run(*with_file, "play", game, "--players", *names, typed="4\nquit\n")
    for args in (("resume",), ("learn",)):
        child = spawn(*with_file, *args, size=size)
        child.expect(r"1 to \d \[1\]: ")
        assert all(len(line) < size[1] for line in child.before.splitlines())
        child.sendline("quit")
    child = spawn(*with_file, "play", "square", size=size)
    answer(child, ("Take ", "resign"), ("(y/n) ", "y"))
    child.expect_exact(NEXT)
    assert all(len(line) < size[1] for line in child.before.splitlines())
