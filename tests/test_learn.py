"""`duels learn` through pipes and on a pseudo-terminal."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pexpect
import pytest

import duels
from duels.coach.lessons import lesson_of, winner
from duels.match.match import DEFAULT_NAMES
from duels.match.saved_games import SavedGames
from duels.theory import winning_moves

IDS = list(duels.GAMES)
LINE = "number-line-duel"


def answers(game_id):
    """The right answer of every step before the game."""
    return [step.accepted[0] for step in lesson_of(duels.GAMES[game_id]).steps[:-1]]


@pytest.mark.parametrize("game_id", IDS)
def test_a_lesson_through_a_pipe(call, game_id):
    given = answers(game_id)
    done = call("learn", game_id, typed="".join(f"{text}\n" for text in given))
    assert done.returncode == 0
    assert done.stdout.count("Right. ") == len(given)
    assert f"Step {len(given) + 1} of {len(given) + 1}: A game" in done.stdout
    assert "\x1b" not in done.stdout
    assert "Traceback" not in done.stderr


def take(child, game_id):
    """Answer every question on a terminal."""
    for text in answers(game_id):
        child.expect("Your answer: ")
        child.sendline(text)
        child.expect("Right[.]")
        child.expect("Press Enter for the next step")
        child.sendline("")
    child.expect("Press Enter to begin the game")


def played(tmp_path):
    """The moves of the game that is kept."""
    (folder,) = (tmp_path / "state").glob("*/matches")
    matches = [*SavedGames(folder).all()]
    return matches[0].position if matches else None


@pytest.mark.parametrize("game_id", IDS)
def test_a_lesson_on_a_terminal_ends_with_a_game_that_is_won(spawn, tmp_path, game_id):
    child, last = spawn("learn", game_id), lesson_of(duels.GAMES[game_id]).steps[-1]
    take(child, game_id)
    child.sendline("")
    position, you = last.position, winner(last.position)
    while child.expect(["Your move: ", re.escape(last.right[:30])]) == 0:
        position = played(tmp_path) or position
        assert position.to_move == you
        assert DEFAULT_NAMES[you - 1] not in child.before
        child.sendline(position.game.format(winning_moves(position)[0]))
    assert "You win." in child.before
    child.expect_exact(f"That was the lesson. To play: duels play {game_id}")
    child.expect(pexpect.EOF)


@pytest.mark.parametrize("game_id", IDS)
def test_a_lesson_in_a_small_window(spawn, game_id):
    child = spawn("learn", game_id, size=(20, 40))
    take(child, game_id)
    said = child.before.replace("\x1b", "")
    assert max(map(len, said.splitlines())) <= 60


def notebook(tmp_path):
    (path,) = (tmp_path / "state").glob("*/lessons.json")
    return path


def test_a_lesson_continues_where_it_was_left(call, tmp_path):
    call("learn", LINE, typed="5-6\n2\nquit\n")
    assert json.loads(notebook(tmp_path).read_text()) == {"version": 1, LINE: 2}
    done = call("learn", "line", typed="4-5\n")
    assert "You continue with step 3." in done.stdout
    assert "Step 4 of 8" in done.stdout
    assert "Step 1 of 8" in call("learn", LINE, "--again").stdout
    assert "Step 7 of 8" in call("learn", LINE, "--step", "7").stdout


@pytest.mark.parametrize(
    "damaged", ["", "[]", '{"number-line-duel": 99}', '{"number-line-duel": "x"}']
)
def test_what_makes_no_sense_in_the_notebook_begins_anew(call, tmp_path, damaged):
    call("learn", LINE, typed="5-6\nquit\n")
    notebook(tmp_path).write_text(damaged)
    assert "Step 1 of 8" in call("learn", LINE).stdout


def test_where_nothing_can_be_saved_the_lesson_continues(call, tmp_path):
    call("learn", LINE, typed="5-6\nquit\n")
    notebook(tmp_path).unlink()
    notebook_folder = tmp_path / "state"
    for folder in notebook_folder.iterdir():
        (folder / "lessons.json").mkdir()
    done = call("learn", LINE, typed="5-6\n2\n")
    assert "Step 3 of 8" in done.stdout
    assert "cannot be written" in done.stderr


@pytest.mark.parametrize("typed", ["help", "h", "?"])
def test_help_in_a_lesson_lists_what_can_be_typed(call, typed):
    done = call("learn", "number-line-duel", typed=f"{typed}\nquit\n")
    assert "Type your answer, or one of these:" in done.stdout


def test_wrong_answers_then_the_hint_then_the_answer(call):
    done = call("learn", LINE, "--step", "2", typed="1\nxyz\n3\n5\n")
    first, second, third = done.stdout.split("Your answer: ")[1:4]
    assert "They cross out" in first
    assert "not one number or two neighbours" in second
    assert "Hint: " in third
    assert "The answer is 2. " in done.stdout
    assert "Step 3 of 8" in done.stdout


def test_a_player_who_gives_up_sees_the_answer_and_the_next_step(call):
    done = call("learn", LINE, "--step", "2", typed="give up\n")
    assert "The answer is 2. Both sides look the same again." in done.stdout
    assert "Step 3 of 8" in done.stdout


def test_the_words_that_lead_away(call):
    done = call("learn", LINE, typed="back\nhint\nhelp\nboard\nrules\n\n5-6\nback\nquit\n")
    assert done.returncode == 0
    assert "This is the first step." in done.stdout
    assert "two neighbours at once" in done.stdout
    assert "leave; the lesson continues here next time" in done.stdout
    assert done.stdout.count("Step 1 of 8") == 4
    assert "If you cannot move, you lose" in done.stdout


def test_the_board_does_not_give_the_answer_away(call):
    said = call("learn", "sequence-duel").stdout
    assert "12" in said
    assert "[3]" not in said
    assert "[2]" in call("learn", "sequence-duel", "--step", "3").stdout


def test_a_lost_game_can_be_played_again(call):
    done = call("learn", LINE, "--step", "8", typed="resign\ny\nn\n")
    assert "Count the 1s and 2s before every move." in done.stdout
    assert "Play it again?" in done.stdout
    assert done.returncode == 0
    assert "That was the lesson" not in done.stdout


def test_a_lost_game_says_where_it_turned_and_speaks_to_you(spawn):
    child = spawn("learn", "divisor-duel", "--step", "7", size=(40, 120))
    child.expect("begin the game")
    child.sendline("")
    child.expect("The computer added 8[.]")
    child.expect("Your move: ")
    child.sendline("1")
    child.expect("The computer made 819, which is divisible by 13[.]\\s+You lose[.]")
    child.expect("Turning point: move 2. You played 1; 6 would have won.")
    child.expect("Play it again?")
    assert "skilled" not in child.before


def test_moves_that_the_lesson_gave_belong_to_no_player(call):
    done = call("learn", LINE, "--step", "8", typed="undo\n9\nresign\ny\nn\n")
    assert "There is no move to take back." in done.stdout
    said = json.loads(call("review", "--json").stdout)
    assert [move["label"] for move in said["moves"][:2]] == ["given", "given"]
    assert said["chances"]["2"] == {"wins": 0, "kept": 0}


def test_the_game_at_the_end_is_saved_like_every_game(call):
    done = call("learn", LINE, "--step", "8", typed="9\nquit\n")
    assert "To continue: duels resume" in done.stderr
    match_id = done.stderr.rpartition("resume ")[2].strip()
    again = call("resume", match_id, typed="quit\n")
    assert "Moves so far: 7, 5, 9" in again.stdout


@pytest.mark.parametrize("name", ["line", "Number Line Duel", "number-line", "LINE"])
def test_a_part_of_the_name_is_enough(call, name):
    assert "Number Line Duel: a lesson in 8 steps." in call("learn", name).stdout


@pytest.mark.parametrize("name", ["number", "chess", "", "duel"])
def test_a_name_of_no_game_or_of_several_gets_a_sentence(call, name):
    done = call("learn", name)
    assert done.returncode == 2
    assert "number-line-duel" in done.stderr


def test_a_name_that_is_nearly_right_is_shown(call):
    assert call("learn", "lne").stderr.endswith("Did you mean number-line-duel?\n")


def test_on_a_terminal_there_is_a_question_for_the_game(spawn):
    child = spawn("learn")
    child.expect("Which game do you want to learn?")
    child.expect("Number Line Duel +8 steps")
    child.expect_exact("1 to 5 [1]: ")
    child.sendline("chess")
    child.expect_exact("Type a number from 1 to 5.")
    child.sendline("chain")
    child.expect("Number Chain Duel: a lesson in 8 steps.")
    child.expect("Your answer: ")
    child.sendline("quit")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_the_whole_lesson_as_json(call):
    data = json.loads(call("learn", "chain", "--json").stdout)
    assert data["game"] == "number-chain-duel"
    assert data["steps"][3]["accepted"] == ["8"]
    assert data["steps"][3]["wrong"]["1"] == "Then they take 5 or 7, and nothing fits."
    assert data["steps"][-1]["kind"] == "game"
    assert data["steps"][-1]["you"] == 2


def test_steps_that_are_not_there(call):
    assert "has 8 steps" in call("learn", LINE, "--step", "9").stderr
    assert call("learn", LINE, "--step", "0").returncode == 2
    assert call("learn", LINE, "--step", "2", "--again").returncode == 2


def test_the_example_game_brings_its_lesson(run):
    done = run("--with", "docs/examples/square_duel.py", "learn", "square", typed="4\n")
    assert "Square Duel: a lesson" in done.stdout
    assert "Right. " in done.stdout


@pytest.mark.slow
def test_a_game_without_a_lesson_says_so(run, tmp_path):
    source = Path("docs/examples/square_duel.py").read_text()
    (tmp_path / "plain.py").write_text(source)
    done = run("--with", str(tmp_path / "plain.py"), "learn", "square-duel")
    assert done.returncode == 1
    assert "There is no lesson for Square Duel." in done.stderr
    (tmp_path / "plain.toml").write_text("[[step]]\ntitle = 'x'\n")
    done = run("--with", str(tmp_path / "plain.py"), "learn", "square-duel")
    assert "The lesson of Square Duel, step 1: answer is missing." in done.stderr


UNREADABLE = {
    "nested": (b"x = " + b"[" * 5000, "The lesson of Square Duel cannot be read: "),
    "long": (b"x = " + b"9" * 5000, "The lesson of Square Duel cannot be read: "),
    "bytes": (b"\xff\xfe\x00", "The file own.toml of Square Duel cannot be read: it is not UTF-8"),
}


@pytest.fixture
def own(tmp_path):
    """An added game; its rules and its lesson are files next to it."""
    path = tmp_path / "own.py"
    path.write_text(Path("docs/examples/square_duel.py").read_text())
    return path


@pytest.mark.slow
@pytest.mark.parametrize("what", UNREADABLE)
def test_a_lesson_that_cannot_be_read_is_one_line_and_hides_no_other(run, own, what):
    content, sentence = UNREADABLE[what]
    own.with_suffix(".toml").write_bytes(content)
    done = run("--with", str(own), "learn", "square-duel")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith(f"Error: {sentence}")
    done = run("--with", str(own), "learn")
    assert "Which game? " in done.stderr
    assert done.stderr.count(f"Skipped: {sentence}") == 1


@pytest.mark.slow
def test_rules_that_cannot_be_read_are_one_line_and_do_not_end_a_game(run, own):
    sentence = "The file own.md of Square Duel cannot be read: it is not UTF-8 text."
    own.with_suffix(".md").write_bytes(b"\xff\xfe\x00")
    for more in ((), ("--json",)):
        done = run("--with", str(own), "rules", "square-duel", *more)
        assert (done.returncode, done.stderr) == (1, f"Error: {sentence}\n")
    done = run("--with", str(own), "play", "square-duel", typed="rules\nquit\n")
    assert done.returncode == 0
    assert sentence in done.stdout


@pytest.mark.slow
def test_an_oversized_file_of_a_game_gets_one_line(run, own):
    with own.with_suffix(".md").open("wb") as file:
        file.truncate(2**30)
    done = run("--with", str(own), "rules", "square-duel")
    assert done.returncode == 1
    assert done.stderr.endswith("cannot be read: it is larger than 4 MB.\n")
