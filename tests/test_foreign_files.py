"""Files planted by others: they run nothing, write nothing, block nothing and hide nothing."""

from __future__ import annotations

import json
import os

import pexpect
import pytest

import duels
from duels.core.files import lock_file
from duels.match.match import Seat, new_match
from duels.match.records import write_json, write_text
from duels.match.saved_games import SavedGames

pytestmark = pytest.mark.slow

NOISE = "\x1b[31m\x9b2J\x07\u202e"
"""What would do something to a screen."""
CONTROLS = {char for char in NOISE if not char.isprintable()}


def game(*moves, seats=("Ann", "Bob"), **more):
    match = new_match(duels.game("number-line-duel", numbers=6), seats, **more)
    for move in moves:
        match = match.play(move)
    return match


@pytest.fixture
def kept(folder):
    """Keep a game, with some of its fields changed; its id."""

    def keep(match=None, **changes):
        match = match or game(1)
        SavedGames(folder).save(match)
        path = folder / f"{match.id}.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))
        return match.id

    return keep


# What would be started or written


def test_off_a_terminal_no_stored_program_runs_unless_it_is_named(call, kept, tmp_path):
    sign = tmp_path / "sign"
    program = f"ugi:touch {sign}"
    match_id = kept(game(1, seats=("Ann", Seat("Eve", program))))
    for given in ((), ("--vs", "ugi:true"), ("--vs", "casual"), ("--record", program)):
        said = call("resume", match_id, *given)
        assert said.returncode == 1
        assert f"This game runs a program: {program}. " in said.stderr
        assert f"duels resume {match_id} --vs '{program}'" in said.stderr
        assert not sign.exists()
    assert call("resume", match_id, "--vs", program).returncode == 0
    assert sign.exists()


def test_a_stored_model_does_not_get_your_key(call, kept):
    match_id = kept(game(1, seats=("Ann", Seat("Eve", "llm:m@http://127.0.0.1:9/v1"))))
    said = call("resume", match_id)
    assert said.returncode == 1
    assert "asks a language model, with your API key: llm:m@http://127.0.0.1:9/v1" in said.stderr


def test_on_a_terminal_a_stored_program_needs_consent(spawn, kept, tmp_path):
    sign = tmp_path / "sign"
    match_id = kept(game(1, seats=("Ann", Seat("Eve", f"ugi:touch {sign}"))))
    for typed in ("", "n", "no", "yess"):
        child = spawn("resume", match_id, size=(24, 200))
        child.expect_exact(f"This game runs a program: ugi:touch {sign}.")
        child.expect_exact("Is that all right? [y/N] ")
        child.sendline(typed)
        child.expect("Nothing was started")
        child.wait()
        assert child.exitstatus == 1
        assert not sign.exists()
    child = spawn("resume", match_id)
    child.expect_exact("[y/N] ")
    child.sendline("y")
    child.expect_exact("What next?")  # the program is none, so it forfeits
    assert sign.exists()


def test_a_program_of_a_saved_game_is_not_restarted_without_consent(call, kept, tmp_path):
    sign = tmp_path / "sign"
    match = game(1, 2, seats=("Ann", Seat("Eve", f"ugi:touch {sign}"))).resign()
    said = call("review", kept(match), "--again", "2")
    assert (said.returncode, sign.exists()) == (1, False)
    assert "runs a program" in said.stderr


def test_a_stored_record_file_is_written_only_with_consent(call, kept, tmp_path):
    target = tmp_path / "profile"
    match_id = kept(record_file=str(target))
    said = call("resume", match_id, typed="6\nquit\n")
    assert said.returncode == 1
    assert f"This game writes its record to a file: {target}." in said.stderr
    assert call("resume", match_id, "--record", "other", typed="6\n").returncode == 1
    assert not target.exists()
    assert call("resume", match_id, "--record", str(target), typed="6\nquit\n").returncode == 0
    assert target.exists()


def test_without_its_record_a_game_continues(spawn, kept, tmp_path):
    target = tmp_path / "profile"
    child = spawn("resume", kept(record_file=str(target)))
    child.expect_exact("[y/N] ")
    child.sendline("")
    child.expect("without a record")
    child.expect("Bob")
    child.sendline("6")
    child.expect("Ann")
    child.sendline("quit")
    child.expect("Game saved.")
    assert not target.exists()


# One bad file hides no other

SPOILT = {
    "record_file": [5, [], {}, True, 1.5],
    "player1": [5, None, "", "Bob", ["Ann"]],
    "computer1": [5, True, "nobody", "ugi:", f"ugi:a{NOISE}b", "ugi:" + "x" * 500],
    "options": [[], None, {"numbers": 6.0}, {"numbers": True}, {"numbers": [6]}, {"x": 1}],
    "moves": [None, {}, [1.0], [True], ["1"], [[1, 2, 3]], [99], [1] * 1000],
    "seconds": [None, ["0"], [True], [-1], [1e999], [0.0, 0.0]],
    "time_limit": [True, "9", -1, 1e999],
    "seed": ["7", None, 1.5, True],
    "rules": ["1", 2, None],
    "version": ["1", None, 1.0],
    "given": [-1, 2, "0", None],
    "id": ["other", 5, None, "../../x"],
    "game": [5, None],
    "first": ["Eve", 5],
    "date": [5, None],
    "duel": [5, "9 of 1, 0-0"],
    "result": ["1-0", "x", 5],
    "termination": ["divisible", NOISE, 5],
    "unknown": [1, None],
    NOISE: [1],
}


@pytest.mark.parametrize("name", SPOILT, ids=ascii)
def test_a_field_of_the_wrong_form_makes_one_game_unreadable_and_no_other(call, kept, name):
    good = kept()
    bad = {kept(**{name: value}) for value in SPOILT[name]}
    said = call("resume")
    assert said.returncode == 0
    assert [line.split()[0] for line in said.stdout.splitlines()] == [good]
    assert all(
        f"Skipped: The saved game {match_id} is damaged: " in said.stderr for match_id in bad
    )
    assert not CONTROLS & {*said.stderr}
    assert said.stderr.count("\n") == len(bad)
    for match_id in bad:
        for command in (["resume", match_id], ["replay", match_id], ["review", match_id]):
            done = call(*command)
            assert done.returncode == 1
            assert "is damaged" in done.stderr
    assert call("resume", bad.pop(), "--forget").returncode == 0


@pytest.mark.parametrize("name", ["game", "options", "player2", "id", "moves", "record_file"])
def test_a_field_that_is_missing_is_named(call, kept, folder, name):
    match_id = kept()
    path = folder / f"{match_id}.json"
    data = json.loads(path.read_text())
    del data[name]
    path.write_text(json.dumps(data))
    said = f'The saved game {match_id} is damaged: the field "{name}" is missing.'
    assert said in call("resume").stderr


def test_a_saved_game_of_another_version_is_refused_in_a_sentence(call, kept):
    match_id = kept(version=2)
    why = f"The saved game {match_id} cannot be read: it has version 2, and this program reads"
    for command in (["resume"], ["resume", match_id], ["replay", match_id]):
        assert why in call(*command).stderr


def strange_files(folder):
    """Files that no program should open without care, by the id that each claims."""
    folder.mkdir(parents=True, exist_ok=True)
    os.mkfifo(folder / "pipe.json")
    (folder / "folder.json").mkdir()
    (folder / "endless.json").symlink_to("/dev/zero")
    (folder / "loop.json").symlink_to("loop.json")
    with (folder / "huge.json").open("wb") as file:
        file.truncate(2 * 2**30)
    (folder / "deep.json").write_text("[" * 200_000)
    (folder / "bytes.json").write_bytes(b"\xff\xfe\x00")
    (folder / "long.json").write_text("9" * 5000)
    return ["pipe", "folder", "endless", "loop", "huge", "deep", "bytes", "long"]


def test_pipes_devices_and_huge_files_are_a_sentence(call, kept, folder):
    good = kept()
    strange = strange_files(folder)
    for command in (["resume"], ["resume", "--json"], ["replay"], ["review"]):
        done = call(*command)
        assert (good in done.stdout) == (command[0] == "resume")
    said = call("resume").stderr
    assert all(f"The saved game {name} " in said for name in strange)
    assert "The saved game pipe cannot be read: it is not a regular file." in said
    assert "The saved game endless cannot be read: it is not a regular file." in said
    assert "The saved game huge cannot be read: it is larger than 32 MB." in said


def test_the_app_opens_whatever_lies_in_the_folder(spawn, kept, folder):
    kept()
    strange_files(folder)
    child = spawn(TERM="xterm-256color", LC_ALL="C.UTF-8")
    child.expect_exact("resume (1)")
    child.send("r")
    child.expect_exact("Ann against Bob")
    child.send("\x03")
    child.expect(pexpect.EOF)


def test_a_notebook_that_is_not_a_file_starts_over(call, folder):
    folder.mkdir(parents=True)
    os.mkfifo(folder.parent / "strength.json")
    args = ("play", "number-line-duel", "--numbers", "4", "--vs", "auto")
    assert call(*args, typed="quit\n").returncode == 0
    assert (folder.parent / "strength.json").is_file()


def test_a_notebook_of_another_version_is_refused_and_left_alone(call, folder):
    folder.mkdir(parents=True)
    file = folder.parent / "strength.json"
    file.write_text('{"version": 2}')
    said = call("play", "number-line-duel", "--numbers", "4", "--vs", "auto", typed="quit\n")
    assert said.returncode == 1
    assert f"{file} cannot be read: it has version 2, and this program reads" in said.stderr
    assert file.read_text() == '{"version": 2}'


@pytest.mark.parametrize("command", ["replay", "review", "check"])
def test_what_the_command_line_names_is_read_with_care(call, tmp_path, command):
    pipe, huge = tmp_path / "pipe", tmp_path / "huge"
    os.mkfifo(pipe)
    with huge.open("wb") as file:
        file.truncate(2 * 2**30)
    for path, why in (
        (pipe, "not a regular file"),
        (tmp_path, "not a regular file"),
        ("/dev/zero", "not a regular file"),
        (huge, "it is larger than 64 MB"),
    ):
        done = call(command, str(path))
        assert done.returncode == 1
        assert why in done.stderr


def test_a_lock_that_is_a_pipe_or_a_link_does_not_stop_anybody(call, folder, tmp_path):
    folder.mkdir(parents=True)
    os.mkfifo(folder / ".lock")
    args = ("play", "number-line-duel", "--numbers", "4")
    assert call(*args, typed="1\nquit\n").returncode == 0
    (folder / ".lock").unlink()
    (folder / ".lock").symlink_to(tmp_path / "made")
    assert call(*args, typed="1\nquit\n").returncode == 0
    assert not (tmp_path / "made").exists()
    with pytest.raises(OSError, match="symbolic links"):
        lock_file(folder / ".lock")


# Nothing of a file does something to the screen


def test_no_control_character_of_a_record_reaches_the_screen(call, tmp_path):
    match = game(1, (3, 4), seats=("Ann", Seat("Eve", "casual")))
    data = json.loads(write_json(match))
    lines = [json.dumps(data | {name: NOISE + str(data[name])}) for name in data]
    lines += [json.dumps(data | {name: [NOISE]}) for name in data]
    lines += [json.dumps(data | {"options": {NOISE: 1}}), json.dumps(data | {NOISE: NOISE}), NOISE]
    path = tmp_path / f"games{NOISE[:1]}.jsonl"
    path.write_text("\n".join(lines))
    words = write_text(match)
    other = tmp_path / "games.txt"
    other.write_text(words.replace("Ann", "Ann\\u001b[2J\\u009b") + NOISE + words + f"[{NOISE}]")
    for command in ("replay", "review"):
        for file in (path, other):
            for more in ((), ("--json",)):
                done = call(command, str(file), *more)
                assert not CONTROLS & {*done.stdout, *done.stderr}, (command, file, more)


def test_no_control_character_of_a_proof_reaches_the_screen(call, tmp_path):
    path = tmp_path / "proof.json"
    call("solve", "number-line-duel", "--numbers", "4", "--proof", str(path))
    data = json.loads(path.read_text())
    for change in (
        {"game": NOISE},
        {"options": {"numbers": NOISE}},
        {"options": {NOISE: 1}},
        {"moves": [NOISE]},
        {"proof": {"kind": NOISE}},
        {"proof": data["proof"] | {"runs": [[NOISE, 1, 1]]}},
        {"winning_moves": [NOISE]},
    ):
        path.write_text(json.dumps(data | change))
        done = call("check", str(path))
        assert done.returncode == 1
        assert not CONTROLS & {*done.stderr}
