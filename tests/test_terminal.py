"""Playing through pipes and on a pseudo-terminal: what people type, and how they leave."""

from __future__ import annotations

import re
import subprocess

import pytest

import duels
from duels.match.dialogue import dialogue_of
from duels.match.match import new_match
from program import DUELS

LINE = ("play", "number-line-duel", "--players", "Alice", "Bob")
GARBAGE = [
    "",
    "   ",
    "abc",
    "5.0",
    "1e3",
    "1 2 3",
    "５",
    "٥",
    "🎲",
    "\x07\x1b[31m",
    "--",
    "5;6",
    "x" * 100_000,
    "9" * 100_000,
]


@pytest.mark.parametrize("typed", GARBAGE, ids=lambda text: ascii(text[:12]))
@pytest.mark.parametrize("kind", duels.GAMES.values(), ids=lambda kind: kind.id)
def test_what_cannot_be_read_gets_a_sentence_and_the_prompt_again(call, kind, typed):
    game = kind.usual()
    options = [f"--{name}={value}" for name, value in game.options.items()]
    done = call("play", kind.id, *options, typed=f"{typed}\n5\n")
    prompt = dialogue_of(game).prompt(new_match(game))
    first_turn = done.stdout.partition("Player 2")[0]
    assert done.returncode == 0
    assert done.stdout.count(prompt) >= 2
    assert "help" in first_turn
    assert "Player 2" in done.stdout, "the move after the garbage was played"


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("0", "0 is not on the line: it goes from 1 to 10."),
        ("-5", "-5 is not on the line"),
        ("11", "11 is not on the line"),
        ("5 7", "5 and 7 are not neighbours on the line."),
        ("5 5", "5 and 5 are not neighbours on the line."),
        ("9 10", None),
    ],
)
def test_a_wrong_move_names_the_rule(call, typed, sentence):
    said = call(*LINE, typed=f"{typed}\n").stdout
    assert (sentence in said) if sentence else ("crossed out: 9 10" in said)


@pytest.mark.parametrize("typed", ["5 6", "6 5", "5,6", "5-6", "5, 6", " 6 - 5 "])
def test_a_pair_is_typed_in_any_of_these_ways(call, typed):
    assert "Alice crossed out: 5 6\n" in call(*LINE, typed=f"{typed}\n").stdout


def test_bytes_that_are_no_text_are_refused_kindly(run):
    said = run(*LINE, typed=b"\xff\xfe\x80\n3\n").stdout
    assert "is not one number or two neighbours" in said
    assert "Alice crossed out: 3" in said


def test_help_moves_board_and_rules_cost_no_turn(call):
    said = call("play", "number-chain-duel", typed="4\nhelp\n?\nmoves\nboard\nrules\n2\n").stdout
    assert said.count("take the last move back, if the other player agrees") == 2
    assert "Legal moves: 1, 2, 8" in said
    assert "(●4)" in said
    assert "R7 If you cannot add a number, you lose" in said
    assert "Number chain: 4,2\n" in said


def test_help_against_a_computer_needs_no_consent(call):
    said = call("play", "number-chain-duel", "--vs", "casual", typed="help\n").stdout
    assert "take your last move back, and the reply to it" in said
    assert "agrees" not in said


def test_the_signs_of_a_board_are_explained_and_not_one_of_its_numbers(call):
    said = call("play", "number-chain-duel", typed="4\nboard\n").stdout
    assert "Numbers in [ ] can be played. (●4) was the last move." in said
    said = call(*LINE, typed="3\n4-5\nboard\n").stdout
    assert "(▲4) (▲5) was the last move." in said


def test_undo_asks_the_other_player_and_says_which_move(call):
    said = call(*LINE, typed="5\nundo\nmaybe\nn\nundo\ny\n6\n").stdout
    assert said.count("Bob, may Alice take back 5? (y/n)") == 3
    assert "Please answer y or n." in said
    assert "Bob does not agree, so the game continues." in said
    assert "Taken back: 5." in said
    assert "Alice crossed out: 6" in said


def test_undo_2_takes_back_both_moves(call):
    said = call(*LINE, typed="5\n7\nundo 2\ny\n5\n").stdout
    assert "Bob, may Alice take back 5 and 7?" in said
    assert said.count("Alice crossed out: 5") == 2


def test_a_pair_that_is_taken_back_differs_from_two_moves(call):
    said = call(*LINE, typed="5-6\nundo\ny\n5-6\n3\nundo 2\ny\n").stdout
    assert "Bob, may Alice take back 5 and 6 together?" in said
    assert "Taken back: 5 and 6 together, and 3." in said


@pytest.mark.parametrize("typed", ["undo", "undo 0", "undo 9", "undo x"])
def test_undo_of_nothing_is_a_sentence(call, typed):
    said = call(*LINE, typed=f"{typed}\n5\n").stdout
    assert "take back" in said
    assert "Alice crossed out: 5" in said


def test_resigning_is_confirmed_and_ends_the_game(call):
    done = call(*LINE, typed="5\nresign\nn\nresign\ny\n")
    assert done.stdout.endswith("Bob resigned.\nAlice wins the game!\n")
    assert done.returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("redirection", ["<&-", ">&-", ">/dev/full", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", ["play number-line-duel", "legal number-duel", "games"])
def test_closed_and_full_streams_end_without_a_traceback(environment, command, redirection):
    shell = f"yes 5 | head -3 | {' '.join(DUELS)} {command} {redirection}"
    done = subprocess.run(["bash", "-c", shell], env=environment, capture_output=True, timeout=30)
    assert b"Traceback" not in done.stderr


def test_lines_of_the_rule_book_are_wrapped_in_a_narrow_window(spawn):
    child = spawn("play", "number-duel", size=(24, 40))
    child.sendline("28")
    child.expect_exact("Select a number that is a\r\nmultiple/factor of 28")


def test_sentences_are_wrapped_to_the_window(spawn):
    child = spawn(*LINE, size=(30, 40))
    child.expect("5 6.\\): ")
    child.sendline("help")
    child.expect("resumed")
    assert all(len(line) <= 40 for line in child.before.splitlines()[1:])


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("pass", "You cannot pass: make a move, or resign."),
        ("skip", "You cannot pass: make a move, or resign."),
        ("back", "Type undo"),
        ("undo 0", "undo 2"),
        ("hnit", "Did you mean hint?"),
    ],
)
def test_words_that_people_try_are_answered(call, typed, sentence):
    assert sentence in call(*LINE, typed=f"5\n{typed}\n").stdout


def test_undo_before_ones_first_move_does_not_go_in_circles(call):
    vs = ("play", "number-line-duel", "--vs", "novice", "--first", "novice", "--seed", "1")
    for typed in ("undo", "undo 1", "undo 2"):
        assert "You have not moved yet" in call(*vs, typed=f"{typed}\n").stdout


def test_the_clock_runs_while_a_player_thinks_about_resigning(spawn):
    child = spawn(*LINE, "--time-limit", "1.5")
    child.expect_exact("'5 6'): ")
    child.sendline("resign")
    child.expect_exact("(y/n) ")
    child.expect("Alice ran out of time")


def test_marks_differ_where_the_terminal_knows_only_ascii(run, environment):
    plain = environment | {"PYTHONIOENCODING": "ascii"}
    said = run("play", "sequence-duel", typed="6\n3\nboard\n", env=plain).stdout
    assert "(^3)" in said
    assert "o6" in said


def test_hidden_moves_are_not_marked_on_the_board(call):
    game = ("play", "sequence-duel", "--numbers", "10")
    assert "[3]" in call(*game, typed="6\nboard\n").stdout
    assert "[3]" not in call(*game, "--hide-moves", typed="6\nboard\n").stdout


def test_the_clock_runs_while_the_player_to_move_thinks_about_an_undo(spawn):
    child = spawn(*LINE, "--time-limit", "1")
    child.expect_exact("'5 6'): ")
    child.sendline("5")
    child.expect("Bob's turn")
    child.sendline("undo")
    child.expect_exact("may Alice take back 5? (y/n) ")
    child.expect("Bob ran out of time")


def test_echoed_input_cannot_move_the_cursor(call):
    assert "\x1b" not in call(*LINE, typed="\x1b]0;title\x07\n").stdout


def test_the_help_is_a_list_in_narrow_windows_too(spawn):
    child = spawn(*LINE, size=(40, 40))
    child.expect("5 6.\\): ")
    child.sendline("help")
    child.expect(r"  undo    take the last move back, if\r\n          the other player")


def test_out_of_time_loses_in_the_middle_of_a_line(spawn):
    child = spawn(*LINE, "--time-limit", "0.5")
    child.expect_exact("Time limit: 0.5 seconds per turn.")
    child.send("half a li")
    child.expect("Alice ran out of time.\r\nBob wins the game!")


@pytest.mark.parametrize(
    ("limit", "words"),
    [("1", "1 second"), ("30", "30 seconds"), ("60", "1 minute"), ("90", "90 seconds")],
)
def test_the_time_limit_is_announced_before_the_first_turn(call, limit, words):
    said = call(*LINE, "--time-limit", limit).stdout
    assert f"Time limit: {words} per turn.\n" in said


@pytest.mark.parametrize("limit", ["0", "-1", "abc", "nan", "inf"])
def test_a_time_limit_that_makes_no_sense_is_refused(call, limit):
    done = call(*LINE, "--time-limit", limit)
    assert done.returncode == 2
    assert "time limit" in done.stderr


def test_the_coin_is_flipped_and_announced(call):
    said = call(*LINE, "--first", "coin").stderr
    assert "The coin shows" in said
    assert "moves first" in said


def test_first_names_the_player_who_begins(call):
    assert "Bob's turn" in call(*LINE, "--first", "bob").stdout
    done = call(*LINE, "--first", "Carol")
    assert done.returncode == 2
    assert "choose Alice, Bob or coin" in done.stderr


@pytest.mark.parametrize(
    "names",
    [
        ("Al", "al"),
        ("", "Bob"),
        ("\x00", "Bob"),
        ("\u3164", "Bob"),
        ("Al", "Al\u3164"),
        ("Coin", "Bob"),
    ],
)
def test_names_must_differ_and_be_readable(call, names):
    done = call("play", "number-duel", "--players", *names)
    assert done.returncode == 2
    assert "name" in done.stderr


def test_a_closed_pipe_ends_quietly(environment):
    shell = " ".join(DUELS) + " play number-duel | head -c 1 >/dev/null; echo ${PIPESTATUS[0]}"
    done = subprocess.run(
        ["bash", "-c", f"yes 5 | {shell}"], env=environment, capture_output=True, timeout=30
    )
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr


@pytest.mark.parametrize("plain", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_without_colour_the_board_stays(spawn, plain):
    said = []
    for more in ({}, plain):
        child = spawn("play", "number-chain-duel", **({"TERM": "xterm-256color"} | more))
        child.expect("selects: ")
        child.sendline("4")
        child.expect("Valid choices")
        said.append(child.before)
    assert "\x1b[1;4;38;5;33m(●4)" in said[0]
    assert "(●4)" in said[1]
    assert not re.search(r"\x1b\[[\d;]*m", said[1])


@pytest.mark.parametrize(("columns", "across"), [(120, 10), (80, 10), (40, 10), (20, 5), (16, 2)])
def test_the_board_fits_the_window(spawn, columns, across):
    child = spawn("play", "number-duel", size=(60, columns))
    child.expect(r"\(1-100\)")
    child.sendline("board")
    child.expect("\r\n +1 +2.*?\r\n")
    assert len(child.after.split()) == across
    child.expect("99 +100")


def test_a_board_that_does_not_fit_says_how_to_see_more_of_it(spawn):
    child = spawn("play", "number-duel", size=(18, 30))
    child.expect(r"\(1-100\)")
    child.sendline("board")
    child.expect(r"\(rows 1 to \d+ of 20\)\s")
    child.expect(r"In a taller window you see\s+more rows\.")


def test_the_divisor_is_asked_for_until_it_is_valid(spawn):
    child = spawn("play", "divisor-duel")
    for refused in ("1", "0", "-3", "2.5", "abc"):
        child.expect_exact("divide by [13]: ")
        child.sendline(refused)
        child.expect("divisor must be a whole number")
    child.sendline("")
    child.expect("Target Divisor: 13")
