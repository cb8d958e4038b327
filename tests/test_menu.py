"""The menu on a pseudo-terminal: two keystrokes to the first move, and the same end everywhere."""

from __future__ import annotations

import json
from datetime import date
from random import Random

import pexpect
import pytest

from duels.coach.daily import daily_puzzle
from duels.core.errors import RecordError
from duels.games import all_games
from duels.match.match import Seat, new_match
from duels.match.records import write_json, write_text
from duels.match.saved_games import SavedGames
from duels.match.strengths import AUTO, Strengths
from duels.terminal.menu import PROMPT
from duels.terminal.person import Person, remember, remembered
from duels.terminal.questions import Questions
from duels.terminal.records import ask_matches
from duels.terminal.saved import in_a_line
from duels.terminal.talk import Talk
from duels.terminal.ways import Way, find_way
from own_games import SQUARE_FILE
from rings import only_long

NEXT = "What next? "
LIST = "back leaves: "
SIZES = [(24, 80), (40, 120), (20, 40)]


def answer(child, *pairs):
    for question, typed in pairs:
        child.expect_exact(question)
        child.sendline(typed)


def plain(text):
    """The words on the screen, however they were wrapped."""
    return " ".join(text.split())


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[1]}x{size[0]}")
def test_enter_and_then_the_first_move(spawn, size):
    child = spawn(size=size)
    child.expect_exact(PROMPT)
    screen = child.before.splitlines()
    assert len(screen) < size[0], "the whole menu is in view"
    assert all(len(line) < size[1] for line in screen)
    assert "Number Line Duel, 1 to 15: about 12 moves" in plain(child.before)
    child.sendline("")
    child.expect_exact("strength 25 of 100")
    child.expect_exact("cross out")
    child.sendline("8")
    child.expect_exact("Player 1 crossed out: 8")


@pytest.mark.parametrize("write", [write_text, write_json], ids=["text", "json"])
def test_a_pasted_record_is_seen_and_reviewed(spawn, write):
    match = new_match(all_games()["number-chain-duel"](), (Seat("Ann"), Seat("Ben")))
    for move in (4, 8, 1, 7):
        match = match.play(move)
    child = spawn()
    answer(child, (PROMPT, "v"), ("paste a record", "nothing here"), (PROMPT, "v"))
    assert "cannot be read" in plain(child.before)
    child.expect_exact("latest game]: ")
    child.send(write(match))
    child.expect("Ann against Ben")
    answer(child, (NEXT, "r"))
    child.expect("Turning point: move 1. Ann played 4;")
    answer(child, (NEXT, "m"), (PROMPT, "q"))
    child.expect(pexpect.EOF)


def test_a_paste_that_is_nested_too_deeply_is_one_line(monkeypatch, capsys):
    lines = iter(['{"a":' * 5000, ""])
    monkeypatch.setattr(Talk, "ask", lambda *_: next(lines))
    with pytest.raises(RecordError, match="The paste has no readable record"):
        ask_matches(Talk(), SavedGames())
    assert "line 1: this record is damaged: it is not JSON." in capsys.readouterr().err


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[1]}x{size[0]}")
def test_every_list_of_the_menu_fits_the_window(spawn, size):
    child = spawn("--with", str(SQUARE_FILE), size=size)
    answer(child, (PROMPT, "1"), (PROMPT, "o"))
    seen = child.before
    for line in ("1", "3", "5"):
        child.expect("leaves: ")
        seen += child.before
        child.sendline(line)
        child.expect(r"\] ?:? $")
        seen += child.before
        child.sendline("back")
    child.expect("leaves: ")
    assert len(child.before.splitlines()) < size[0]
    child.sendline("back")
    answer(child, (PROMPT, "b"), ("(1-100): ", "resign"), ("(y/n) ", "y"))
    child.expect_exact(NEXT)
    assert all(len(line) < size[1] for line in (seen + child.before).splitlines())


def test_a_number_or_a_name_takes_another_game(spawn):
    child = spawn()
    answer(child, (PROMPT, "2"))
    child.expect_exact("Enter  Divisor Duel, divide by 12")
    answer(child, (PROMPT, "chain"))
    child.expect_exact("Enter  Number Chain Duel, 1 to 16")
    answer(child, (PROMPT, ""), ("Player 1 selects: ", "4"))
    child.expect_exact("▲ strength 25 took ")


def test_the_rule_books_own_game_is_one_key_away(spawn):
    child = spawn()
    answer(child, (PROMPT, "sequence"), (PROMPT, "b"))
    child.expect_exact("18, 19, 20]")
    answer(child, ("remove: ", "quit"), (PROMPT, "2"), (PROMPT, "rule"))
    answer(child, (PROMPT, "book"), ("The number to divide by [13]: ", "back"))
    answer(child, (PROMPT, "b"), ("The number to divide by [13]: ", "1"), ("[13]: ", ""))
    child.expect_exact("Target Divisor: 13")


def test_a_friend_is_one_key_away_and_both_names_are_remembered(spawn):
    child = spawn()
    answer(child, (PROMPT, "5"), (PROMPT, "f"), ("Player 1 selects: ", "1"))
    answer(child, ("Player 2 selects: ", "quit"), (PROMPT, "o"), (LIST, "name"))
    answer(child, (LIST, "your"), ("Your name [Player 1] ", "Ann"), (LIST, "opponent"))
    answer(child, ("Opponent [auto] ", "person"), (LIST, "their"), ("[Player 2] ", "ann"))
    child.expect_exact("two different names")
    answer(child, (LIST, "their"), ("Their name [Player 2] ", "Ben"), (LIST, ""))
    answer(child, ("Ann selects: ", "quit"), (PROMPT, "q"))
    child.wait()
    child = spawn()
    child.expect_exact("Enter  Number Chain Duel")
    child.expect_exact("Ann against the computer, matched to you")
    answer(child, (PROMPT, "friend"), ("Ann selects: ", "1"), ("Ben selects: ", "quit"))


def test_the_opponent_and_the_game_are_remembered(spawn):
    child = spawn()
    answer(child, (PROMPT, "4"), (PROMPT, "o"), (LIST, "opponent"), ("[auto] ", "101"))
    child.expect_exact("Type a number from 1 to 7, or a name.")
    answer(child, (LIST, "opponent"), ("[auto] ", "expret"))
    child.expect_exact("Did you mean expert?")
    answer(child, (LIST, "opponent"), ("[auto] ", "expert"), (LIST, ""), ("remove: ", "quit"))
    answer(child, (PROMPT, "quit"))
    child.wait()
    assert child.exitstatus == 0
    child = spawn()
    child.expect_exact("Enter  Sequence Duel, 1 to 40")
    child.expect_exact("Player 1 against the computer, expert: misses about one win in ten")
    answer(child, (PROMPT, ""), ("Player 1's turn", "22"), ("▲ expert took ", ""))


def test_options_say_what_they_mean_and_are_changed_line_by_line(spawn):
    child = spawn()
    answer(child, (PROMPT, "1"), (PROMPT, "options"))
    child.expect_exact("Set-up                   1 to 30, digit sums in place")
    child.expect_exact("Numbers up to            30  (the highest number on the board)")
    child.expect_exact("What makes a number fit  factor or multiple or the same digit sum")
    answer(child, (LIST, "3"))
    child.expect_exact("square-sum    together a square")
    answer(child, ("[factor,digit-sum]: ", "square-sun"))
    child.expect_exact("Did you mean square-sum?")
    answer(child, ("[factor,digit-sum]: ", "square-sum"))
    child.expect_exact("options of your own")
    child.expect_exact("together a square")
    answer(child, (LIST, "2"), ("[30]: ", "10001"), ("[30]: ", "40"), (LIST, "clock"))
    answer(child, ("[no limit] ", "soon"))
    child.expect_exact("time limit must be")
    answer(child, (LIST, "clock"), ("[no limit] ", "60"), (LIST, "games"), ("[1] ", "2"))
    answer(child, (LIST, "moves first"), ("coin? [Player 1] ", "C"))
    child.expect_exact("cannot move first")
    answer(child, (LIST, "6"), ("coin? [Player 1] ", "coin"))
    child.expect_exact("60 seconds a turn")
    answer(child, (LIST, "99"))
    child.expect_exact("Type a number from 1 to 8, Enter or back.")
    answer(child, (LIST, ""))
    child.expect("The coin shows (heads|tails)")
    child.expect_exact("A duel of 2 games.")
    child.expect_exact("Time limit: 60 seconds a turn")


def test_a_set_up_is_chosen_and_recognized(spawn):
    child = spawn()
    answer(child, (PROMPT, "chain"), (PROMPT, "o"), (LIST, "1"))
    child.expect_exact("3  rule-book  as the rule book has it: 1 to 9")
    answer(child, ("Set-up [1] ", "to-60"))
    child.expect(r"Did\s+you\s+mean\s+to-")
    answer(child, (LIST, "1"), ("Set-up [1] ", "3"), (LIST, "2"), ("[9]: ", "30"))
    child.expect_exact("1 to 30: about 11 moves, so look further ahead")


def test_back_leads_one_step_back_and_is_named(spawn):
    child = spawn()
    answer(child, (PROMPT, "back"))
    child.expect_exact("This is the menu; q quits.")
    answer(child, (PROMPT, "5"), (PROMPT, "o"), (LIST, "2"), ("[16]: ", "back"))
    child.expect_exact("Numbers up to  16")
    answer(child, (LIST, "back"), (PROMPT, "help"))
    child.expect(r"takes\s+another\s+game")
    answer(child, (PROMPT, "o"), (LIST, "?"))
    child.expect_exact("back goes one step back")
    answer(child, (LIST, "quit"))
    child.wait()
    assert child.exitstatus == 0


def test_what_is_not_understood_is_answered(spawn):
    child = spawn()
    answer(child, (PROMPT, "number"))
    child.expect_exact("Which one: Number Duel, Number Line Duel, Number Chain Duel?")
    answer(child, (PROMPT, "freind"))
    child.expect_exact("Did you mean friend?")
    answer(child, (PROMPT, "9"))
    child.expect_exact("a number from 1 to 5")
    child.expect_exact(PROMPT)
    child.sendeof()
    child.wait()
    assert child.exitstatus == 0


def tiny(spawn, *more):
    """A game between two people that is over after two moves."""
    return spawn("play", "number-chain-duel", "--numbers", "2", "--players", "Ann", "Ben", *more)


def test_a_game_from_the_command_line_ends_in_what_next(spawn):
    child = tiny(spawn)
    answer(child, ("Ann selects: ", "1"), ("Ben selects: ", "2"))
    child.expect_exact("Enter  again, Ben moves first")
    answer(child, (NEXT, ""), ("Ben selects: ", "1"), ("Ann selects: ", "2"))
    child.expect_exact("Enter  again, Ann moves first")
    answer(child, (NEXT, "same"), ("Ben selects: ", "1"), ("Ann selects: ", "2"))
    answer(child, (NEXT, "r"))
    child.expect_exact("2. ▲ 2  only move")
    answer(child, (NEXT, "revue"))
    child.expect_exact("Did you mean review?")
    answer(child, (NEXT, "o"), (LIST, "back"), (NEXT, "menu"), (PROMPT, "5"), (PROMPT, ""))
    answer(child, ("Player 1 selects: ", "quit"), (PROMPT, "q"))
    child.wait()
    assert child.exitstatus == 0


def test_leaving_a_game_of_the_command_line_leads_back_to_the_shell(spawn):
    child = tiny(spawn)
    answer(child, ("Ann selects: ", "1"), ("Ben selects: ", "quit"))
    child.expect_exact("duels resume")
    child.wait()
    assert child.exitstatus == 0


def test_quitting_after_a_game_says_how_to_see_it_again(spawn, call):
    for typed in ("q", "quit", "\x04"):
        child = tiny(spawn)
        answer(child, ("Ann selects: ", "1"), ("Ben selects: ", "2"))
        child.expect_exact(NEXT)
        child.send(typed) if typed == "\x04" else child.sendline(typed)
        child.expect("See it again with: duels replay ([0-9a-f]+)")
        child.wait()
        assert child.exitstatus == 0
        assert "Ann against Ben" in call("replay", child.match[1]).stdout


def test_what_was_played_is_changed_from_there(spawn):
    child = tiny(spawn, "--time-limit", "90")
    answer(child, ("Ann selects: ", "1"), ("Ben selects: ", "2"), (NEXT, "change"))
    child.expect_exact("Type one of Enter, s, r, o, m, q.")
    answer(child, (NEXT, "options"))
    for line in ("Numbers up to  2", "Your name      Ann", "Their name     Ben"):
        child.expect_exact(line)
    child.expect_exact("Clock          90 seconds a turn")
    answer(child, (LIST, "2"), ("[2]: ", "3"), (LIST, ""))
    child.expect_exact("Available numbers: 1,2,3")


def test_the_turning_point_is_tried_again(spawn):
    child = spawn("play", "number-chain-duel", "--numbers", "5")
    answer(child, ("Player 1 selects: ", "1"), ("Player 2 selects: ", "3"))
    child.expect_exact("Turning point: move 1. Player 1 played 1")
    child.expect_exact("t      try move 1 again")
    answer(child, (NEXT, "t"), ("Player 1 selects: ", "3"), ("Player 2 selects: ", "1"))
    answer(child, ("Player 1 selects: ", "5"), (NEXT, "quit"))


def test_a_resumed_game_and_one_of_a_record_end_in_what_next_too(spawn, call, tmp_path):
    record = tmp_path / "r.txt"
    args = ("play", "number-chain-duel", "--numbers", "5", "--record", str(record))
    call(*args, typed="1\nquit\n")
    child = spawn("resume")
    answer(child, ("Which one? [1] ", "1"), ("Is that all right? [y/N] ", "y"))
    answer(child, ("Player 2 selects: ", "3"), (NEXT, "q"))
    child.wait()
    child = spawn("review", str(record), "--again")
    answer(child, ("Player 1 selects: ", "5"), ("selects: ", "1"), ("selects: ", "3"), (NEXT, "q"))
    child.wait()
    assert child.exitstatus == 0


def test_two_computers_ask_nobody_what_next(spawn):
    child = spawn("play", "number-chain-duel", "--vs", "perfect", "--vs", "expert")
    child.expect("loses.")
    child.wait()
    assert child.exitstatus == 0


def test_an_unfinished_game_is_offered_in_one_line(spawn, call):
    call("play", "number-line-duel", typed="5\nquit\n")
    child = spawn()
    answer(child, (PROMPT, "r"))
    child.expect_exact("1  Player 1 against Player 2, Number Line Duel (1 to 10), move 2, just now")
    answer(child, ("Which one? [1] ", "7"))
    child.expect_exact("Type 1, or back.")
    answer(child, ("Which one? [1] ", "back"), (PROMPT, "resume"), ("Which one? [1] ", ""))
    child.expect_exact("Moves so far: 5")


def test_games_are_forgotten_from_the_list(spawn, call):
    for move in ("1", "2", "3"):
        call("play", "number-line-duel", typed=f"{move}\nquit\n")
    child = spawn("resume")
    answer(child, ("back) ", "forget 9"))
    child.expect_exact("Type a number from 1 to 3, or back.")
    answer(child, ("back) ", "forget 1 3"), ("these 2 games for good? (y/n) ", "y"))
    answer(child, ("back) ", "forget all"), ("this game for good? (y/n) ", "n"))
    answer(child, ("back) ", "1"))
    child.expect_exact("Moves so far: 2")
    answer(child, ("cross out:", "quit"))
    child.wait()
    child = spawn("resume")
    answer(child, ("back) ", "forget all"), ("(y/n) ", "y"))
    child.expect_exact("There is no unfinished game.")
    child.wait()
    assert child.exitstatus == 0


def test_the_menu_goes_on_with_what_another_window_has_played(spawn, run, tmp_path):
    record = tmp_path / "r.txt"
    run("play", "number-chain-duel", "--record", str(record), typed="4\nquit\n")
    match_id = run("resume").stdout.split()[0]
    child = spawn()
    child.expect_exact(PROMPT)
    done = run("resume", match_id, "--record", str(record), typed="2\n8\n")
    assert done.returncode == 0, done.stderr
    child.sendline("r")
    answer(child, ("Which one? [1] ", match_id), ("Is that all right? [y/N] ", "y"))
    child.expect_exact("Moves so far: 4, 2, 8")
    answer(child, ("selects: ", "1"), ("selects: ", "quit"))
    child.expect("The game is kept")
    assert "2. 8" in record.read_text()
    assert "} 1 {" in record.read_text()


def test_a_name_in_the_menu_is_a_persons(spawn, tmp_path):
    child = spawn()
    answer(child, (PROMPT, "5"), (PROMPT, "o"), (LIST, "your"), ("name [", "Ann (Computer)"))
    child.expect("would be taken for a computer")
    program = f"ugi:touch {tmp_path / 's'}"[:40]
    answer(child, (LIST, "your"), ("name [", program), (LIST, "your"), (f"[{program}] ", "Casual"))
    answer(child, (LIST, "opponent"), ("[auto] ", "casual"), (LIST, ""))
    answer(child, ("Casual selects: ", "4"))
    child.expect_exact("▲ casual (2) took ")
    answer(child, ("Casual selects: ", "quit"), (PROMPT, "quit"))
    assert not (tmp_path / "s").exists()


def test_a_computer_matched_to_the_person_follows_from_game_to_game(spawn):
    child = spawn()
    answer(child, (PROMPT, "5"), (PROMPT, ""))
    child.expect_exact("Your opponent is matched to you: strength 25 of 100.")
    answer(child, ("Player 1 selects: ", "resign"), ("(y/n) ", "y"))
    child.expect_exact("Next time your opponent here has strength 9.")
    child.expect_exact("Enter  again, strength 9 moves first")
    answer(child, (NEXT, "s"))
    child.expect_exact("strength 9 of 100.")
    answer(child, ("Player 1 selects: ", "quit"), (PROMPT, "quit"))


def test_a_duel_of_a_set_up_ends_in_what_next_once(spawn):
    child = spawn()
    answer(child, (PROMPT, "divisor"), (PROMPT, "f"))
    child.expect_exact("A duel of 2 games. Game 1: Player 1 moves first.")
    answer(child, ("digit: ", "resign"), ("(y/n) ", "y"))
    child.expect_exact("Game 2 of 2: Player 2 moves first.")
    answer(child, ("digit: ", "resign"), ("(y/n) ", "y"))
    child.expect_exact("The duel is a draw.")
    child.expect_exact("Enter  again, Player 1 moves first")
    answer(child, (NEXT, ""))
    child.expect_exact("A duel of 2 games. Game 1: Player 1 moves first.")


def test_todays_puzzle_is_one_key_away_and_others_follow(spawn):
    child = spawn()
    answer(child, (PROMPT, "p"), ("Your move: ", "give up"))
    child.expect_exact("Enter  another puzzle")
    answer(child, (NEXT, ""), ("Your move: ", "quit"), (PROMPT, "puzzle"))
    child.expect_exact("Here it is once more.")
    kind = type(daily_puzzle(date.today()).position.game)
    answer(child, ("Your move: ", "give up"))
    child.expect_exact(f"learn {kind.title}")  # what one has just met, not the menu's game
    answer(child, (NEXT, "menu"))
    child.expect_exact("Enter  Number Line Duel")
    answer(child, (PROMPT, "p"), ("Your move: ", "give up"), (NEXT, "learn"))
    child.expect_exact(f"{kind.title}: a lesson")


def test_a_lesson_is_one_key_away_and_goes_on_where_it_was_left(spawn):
    child = spawn()
    answer(child, (PROMPT, "l"), ("Your answer: ", "5-6"), ("next step) ", ""))
    child.expect_exact("Step 2 of 8")
    answer(child, ("Your answer: ", "quit"))
    child.expect_exact("Enter  play Number Line Duel")
    answer(child, (NEXT, "l"))
    child.expect_exact("You go on with step 2.")
    answer(child, ("Your answer: ", "quit"), (NEXT, "menu"), (PROMPT, "q"))
    child.wait()
    assert child.exitstatus == 0


def test_a_game_without_a_lesson_says_so(spawn, tmp_path):
    (tmp_path / "square.py").write_text(SQUARE_FILE.read_text())
    child = spawn("--with", str(tmp_path / "square.py"))
    answer(child, (PROMPT, "square"), (PROMPT, "learn"))
    child.expect_exact("There is no lesson for Square Duel.")
    child.expect_exact(PROMPT)


def test_off_a_terminal_there_is_help_and_no_menu(run):
    done = run(typed="\n5\n")
    assert done.returncode == 2
    assert "Usage" in done.stderr
    assert "The menu needs a terminal." in done.stderr


def test_nothing_breaks_words_or_fails_in_a_tiny_window(spawn):
    child = spawn(size=(24, 20))
    child.expect_exact("letter:")
    assert all(len(line) <= 20 for line in child.before.splitlines())
    child = spawn(size=(24, 1))
    child.expect_exact("q")
    child.sendline("quit")
    child.wait()
    assert child.exitstatus == 0


# What is remembered


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"name": 5, "friend": null, "opponent": ["auto"], "game": {}}',
        '{"name": "", "friend": "\\u0007", "opponent": "ugi:touch x", "game": "x"}',
        '{"name": "A", "friend": "a"}',
        '{"name": "coin"}',
    ],
)
def test_what_makes_no_sense_is_as_if_nothing_were_known(tmp_path, text):
    (tmp_path / "menu.json").write_text(text)
    assert remembered(tmp_path)._replace(game="") == Person()


def test_a_person_is_remembered(tmp_path):
    ann = Person("Ann", "Ben", "37", "square-duel")
    remember(ann, tmp_path)
    assert remembered(tmp_path) == ann
    assert json.loads((tmp_path / "menu.json").read_text())["opponent"] == "37"
    (tmp_path / "menu.json").unlink()
    (tmp_path / "menu.json").mkdir()
    remember(ann, tmp_path)  # cannot be written, which is no reason to stop


# Keys and lines


def test_a_way_is_found_by_its_key_its_word_or_a_beginning_that_is_its_own():
    ways = [Way(key, word, "", lambda: None) for key, word in (("", "same"), ("s", "set"))]
    assert find_way("", ways) is ways[0]
    assert find_way(" S ", ways) is ways[1]
    assert find_way("sa", ways) is ways[0]
    assert find_way("x", ways) is None


@pytest.mark.parametrize("kind", [*all_games().values()], ids=lambda kind: kind.id)
def test_every_game_is_suggested_in_words_and_begins_at_once(kind, tmp_path):
    questions = Questions(kind, Talk(), Random(1), Person(), Strengths(tmp_path))
    assert questions.in_words()
    match = questions.match()
    assert match.game == kind.all_setups()[0].game(kind)
    assert [seat.computer for seat in match.seats] == ["", "25"]
    assert questions.like(match).opponent == AUTO
    assert questions.game() == match.game


@pytest.mark.parametrize("room", [10, 16, 20, 35, 60, 75, 200, *only_long(*range(10, 120))])
def test_a_saved_game_is_one_line_that_fits(tmp_path, room):
    store = SavedGames(tmp_path)
    playing = all_games()["sequence-duel"](opening="even")
    match = new_match(playing, ("Somebody with a long name", "Another one")).play(2)
    store.save(match)
    line = in_a_line(match, store, room)
    assert len(line) <= room
    last = "move 2, just now"
    assert line.endswith(last if len(last) <= room else f"{last[: room - 1]}…")
