"""What a person sees on a terminal of a given size, while playing and afterwards."""

from __future__ import annotations

import re
import signal
import time
from pathlib import Path

import pytest

import duels
from duels.games.chain.criteria import CRITERIA
from duels.match.dialogue import dialogue_of
from duels.match.match import Seat, new_match
from duels.terminal.drawing import draw
from duels.terminal.talk import Style
from own_games import SQUARE_FILE, square_duel
from rings import all_if_long
from screen import Screen

SIZES = [(24, 80), (40, 120), (20, 40)]
COLOUR = {"TERM": "xterm-256color"}
GAMES = [*(kind.id for kind in duels.GAMES.values()), "square-duel"]
PLAYED = [(game, size) for game in GAMES for size in SIZES]
USUAL = [(game, SIZES[0]) for game in GAMES] + [("number-duel", SIZES[2])]
TILES = re.compile(r"[ \d●▲›]+")


def on_screen(child, rows, columns):
    """The screen of a child, kept up to date while something is expected of it."""
    child.logfile_read = Screen(rows, columns)
    return child.logfile_read


@pytest.mark.parametrize("played", all_if_long(PLAYED, *USUAL), ids=str)
def test_a_whole_game_against_the_computer(spawn, played):
    game_id, size = played
    kind = square_duel() if game_id == "square-duel" else duels.GAMES[game_id]
    match = new_match(kind.usual(), (Seat("Ann"), Seat("skilled", "skilled")))
    options = [f"--{name}={value}" for name, value in match.game.options.items()]
    play = ["play", game_id, *options, "--players", "Ann", "skilled", "--vs", "skilled"]
    child = spawn("--with", str(SQUARE_FILE), *play, "--seed", "7", size=size, **COLOUR)
    screen, words = on_screen(child, *size), dialogue_of(match.game)
    while not match.outcome:
        prompt = words.prompt(match)
        child.expect(re.escape(prompt.split()[-1]) + " $")
        assert "\n\n\n" not in str(screen).strip()
        for row in screen.lines:
            assert len(row) < size[1] or TILES.fullmatch(row), "the terminal broke this line"
        if match.moves and size == (24, 80):
            mine, theirs = match.moves[-2:]
            seen = str(screen)
            assert f": {words.move(match, mine)}\n" in seen
            assert f"\n▲ The computer {kind.verb.did} {words.move(match, theirs)}." in seen
        assert_the_board_is_there_once(screen, match)
        move = match.position.legal_moves[-1]
        match = match.play(move)
        child.sendline(words.move(match, move))
        if match.outcome:
            break
        child.expect(rf"The computer {kind.verb.did} ([\d ]+)\.")
        match = match.play(match.game.parse(child.match[1]))
    child.expect("(chances? to win|no chance|could not force a win)")
    child.expect_exact("What next? ")
    assert "Who was winning after each move" in child.before or len(match.moves) > 60


def assert_the_board_is_there_once(screen, match):
    """Drawn above the turn, or said by the rule book's own lines."""
    words = dialogue_of(match.game)
    if words.shows_board(match, just_said=not match.moves):
        return
    board = draw(match.position, Style(colour=False), screen.columns).lines
    if len(board) < screen.rows // 2:  # else it may be cut
        assert str(screen).count("\n".join(line.rstrip() for line in board)) == 1


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_board_of_100_is_whole_at_every_size(spawn, size):
    child = spawn("play", "number-duel", "--vs", "skilled", "--seed", "3", size=size, **COLOUR)
    screen = on_screen(child, *size)
    child.expect(r"\(1-100\): $")
    child.sendline("28")
    child.expect("Enter your number: $")
    rows = re.findall(r"^[ \d●▲›()[\]]+$", str(screen), re.MULTILINE)[-10:]
    assert [int(n) for n in re.findall(r"\d+", "".join(rows))] == list(range(1, 101))


def test_free_numbers_stand_out_and_used_ones_are_faint(spawn):
    child = spawn("play", "sequence-duel", "--numbers", "20", **COLOUR)
    child.expect_exact("\x1b[1m20\x1b[0m")
    child.expect("remove: ")
    child.sendline("6")
    child.expect("remove: ")
    child.sendline("18")
    child.expect_exact("\x1b[38;5;33m●\x1b[0m\x1b[9;38;5;245m6\x1b[0m")
    child.expect_exact(" 8 ")  # free, but not now
    child.expect_exact("\x1b[1m[9]\x1b[0m")
    child.expect_exact("\x1b[1;4;38;5;208m(▲18)")


@pytest.mark.parametrize(("numbers", "columns"), [(10, 40), (20, 80), (25, 80), (30, 120)])
def test_the_number_line_is_on_one_row_if_it_fits(numbers, columns):
    position = duels.game("number-line-duel", numbers=numbers).position((4, 5), numbers)
    (row,) = draw(position, Style(colour=False), columns).lines
    assert len(row) <= columns
    assert [int(n) for n in re.findall(r"\d+", row)] == list(range(1, numbers + 1))
    assert row.count("●") == 2
    assert row.count("▲") == 1


def test_words_are_not_broken_at_exactly_80_columns(spawn):
    criteria = ",".join(CRITERIA)
    child = spawn("play", "number-duel", "--criteria", criteria, "--numbers", "20")
    screen = on_screen(child, 24, 80)
    child.expect(r"\(1-20\): $")
    child.sendline("12")
    child.expect("Enter your number: $")
    asked = str(screen).partition("Select a number")[2].partition("\nEnter")[0]
    assert "\n" in asked
    assert all(len(row) < 80 for row in screen.lines)


def test_a_resumed_chain_is_not_empty(call):
    left = call("play", "number-chain-duel", typed="4\n2\nquit\n")
    again = call("resume", left.stderr.split()[-1], typed="8\n").stdout
    assert again.startswith("[Game Start]\n\nMoves so far: 4, 2\n")
    assert "Number chain: 4,2,8\n" in again
    assert "empty" not in again


def test_seconds_are_counted_down_and_the_last_ones_announced(spawn):
    child = spawn("play", "number-line-duel", "--time-limit", "11.5", **COLOUR)
    screen = on_screen(child, 24, 80)
    child.expect("'5 6'\\): ")
    assert "12 seconds left" in str(screen)
    child.send("ab")
    child.expect_exact("11 seconds left")
    child.expect("\a.*Only 10 seconds left")
    child.send("\x7f\x7f5")  # the line can still be edited
    child.expect_exact("Only 9 seconds left")
    child.expect("\x1b8")
    assert screen.lines[screen.row].endswith("'5 6'): 5")
    child.sendline("")
    child.expect("Player 1 crossed out: 5\r\n")
    child.expect("12 seconds left")
    child.expect("cross out: $")
    assert str(screen).count("left") == 1, "the clock of a turn that is over is gone"
    assert screen.lines[4:6] == [
        "Player 1's turn.",
        "Enter numbers to cross out (e.g., '5' or '5 6'): 5",
    ]


def test_a_dumb_terminal_shows_the_last_seconds_on_lines_of_their_own(spawn):
    child = spawn("play", "number-line-duel", "--time-limit", "6")
    child.expect("'5 6'\\): ")
    child.send("7")
    child.expect(r"\r\nOnly 5 seconds left\r\n[^\r\n]*'5 6'\): 7")
    child.sendline("")
    child.expect("Player 1 crossed out: 7\r\n")


def test_a_pipe_hears_nothing_of_the_seconds(call):
    said = call("play", "number-line-duel", "--time-limit", "3", typed="5\n").stdout
    assert "left" not in said


def stop(child):
    """Press Ctrl-Z, and wait until the program has stopped."""
    child.send("\x1a")
    deadline = time.monotonic() + 10
    while Path(f"/proc/{child.pid}/stat").read_text().rpartition(")")[2].split()[0] != "T":
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_after_ctrl_z_the_prompt_is_drawn_again(spawn):
    child = spawn("play", "number-line-duel")
    child.expect("'5 6'\\): ")
    child.send("4 ")
    child.expect("4 ")
    stop(child)
    child.kill(signal.SIGCONT)
    child.expect("Enter numbers to cross out .*'5 6'\\): 4 ")
    child.sendline("5")
    child.expect("Player 1 crossed out: 4 5\r\n")


def test_after_a_resize_the_prompt_is_drawn_again(spawn):
    child = spawn("play", "number-line-duel", **COLOUR)
    child.expect("'5 6'\\): ")
    child.send("4 ")
    child.expect("4 ")
    child.setwinsize(20, 60)
    child.expect("Enter numbers to cross out .*'5 6'\\): 4 ")


@pytest.mark.parametrize("pager", [None, "sed s/^/paged:/"])
def test_long_rules_go_through_the_pager(spawn, pager):
    more = {"PAGER": pager} if pager else {}
    child = spawn("rules", "number-duel", size=(10, 80), **COLOUR, **more)
    if pager:
        child.expect("paged:R")
    else:
        child.expect(":")
        child.send("q")
    child.wait()
    assert child.exitstatus == 0


def test_short_or_piped_text_is_not_paged(spawn, run, environment):
    child = spawn("rules", "number-duel", size=(100, 80), PAGER="sed s/^/paged:/", **COLOUR)
    child.expect("R1")
    assert "paged" not in child.before
    piped = run("rules", "number-duel", env=environment | COLOUR | {"PAGER": "false"})
    assert "R1" in piped.stdout


@pytest.fixture
def finished(call):
    """A match that turned on its third move: Ann took 4, and 5 would have won."""
    play = ("play", "number-chain-duel", "--players", "Ann", "Ben")
    return call(*play, typed="7\n1\n4\n8\n2\n6\n3\n9\n")


def test_a_review_plays_on_from_before_the_mistake(spawn, finished):
    child = spawn("review", "--again", **COLOUR)
    child.expect("Moves so far: 7, 1\r\n")
    child.expect("Ann selects: ")
    child.sendline("5")
    child.expect("Ben loses.")


def test_a_review_plays_on_from_any_move(spawn, finished):
    child = spawn("review", "--again", "5", **COLOUR)
    child.expect("Moves so far: 7, 1, 4, 8\r\n")
    child.expect("Ann selects: ")


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("command", ["replay", "review"])
def test_a_match_is_paged_in_lines_that_fit(spawn, finished, command, size):
    child = spawn(command, size=size, PAGER="cat", **COLOUR)
    screen = on_screen(child, 100, size[1])
    child.expect_exact(child.delimiter)
    child.wait()
    assert child.exitstatus == 0
    assert "7" in str(screen)
    assert all(len(row) < size[1] for row in screen.lines)


def test_long_reviews_go_through_the_pager(spawn, call, tmp_path):
    record = tmp_path / "g.txt"
    seed = ("--seed", "7")
    call("play", "number-duel", "--vs", "novice", "--vs", "random", "--record", str(record), *seed)
    record.write_text(record.read_text() * 2)
    child = spawn("review", str(record), size=(9, 80), PAGER="sed s/^/paged:/", **COLOUR)
    child.expect("paged:Number Duel")
    child.expect("paged:Turning point")


def test_the_end_of_a_game_stays_in_view_above_its_review(spawn):
    """Ann and the computer give this one away four times and more."""
    child = spawn("play", "number-line-duel", "--numbers", "14", size=(20, 40))
    screen = on_screen(child, 20, 40)
    for move in ("3", "8", "1", "11", "14", "5", "12 13", "6 7", "9", "2", "10", "4"):
        child.expect("cross out[^:]*: $")
        child.sendline(move)
    child.expect_exact("What next? ")
    assert "wins the game." in str(screen)
    assert re.search(r"The last of \d turning points:\s+move\s+\d+\.", str(screen))


def test_a_game_of_a_file_starts_no_program(spawn, call, tmp_path):
    record = tmp_path / "g.jsonl"
    line = ("play", "number-line-duel", "--players", "Ann", "Bot")
    call(*line, "--vs", "novice", "--record", str(record), typed="5\n")
    theirs = record.read_text()
    assert '"novice"' in theirs
    record.write_text(theirs + theirs.replace('"novice"', '"ugi:touch here"'))
    assert "choose one with --number" in call("review", str(record), "--again", "1").stderr
    child = spawn("review", str(record), "--number", "2", "--again", "1", **COLOUR)
    child.expect_exact("This game runs a program: ugi:touch here.")
    child.expect_exact("Is that all right? [y/N] ")
    child.sendline("")
    child.expect_exact("Nothing was started.")


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_an_error_is_broken_between_words(spawn, size):
    child = spawn("play", "number-line-duel", "--vs", "skiled", size=size, **COLOUR)
    screen = on_screen(child, *size)
    child.expect_exact(child.delimiter)
    child.wait()
    assert child.exitstatus == 2
    words = " ".join(str(screen).split())
    assert "py:MODULE:NAME and llm:MODEL. Did you mean skilled?" in words
    assert all(len(row) < size[1] for row in screen.lines)
