"""Games that are saved, resumed and forgotten at a terminal, whatever happens to the program."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
from pathlib import Path

import pytest

from program import DUELS

LINE = ("play", "number-line-duel", "--players", "Alice", "Bob")


def test_a_piped_game_whose_input_ends_is_saved(call):
    done = call(*LINE, typed="5\n")
    assert done.returncode == 0
    match_id = call("resume").stdout.split()[0]
    assert done.stderr == f"\nGame saved. To continue: duels resume {match_id}\n"


def test_the_command_that_was_used_is_the_one_to_continue_with(run, environment):
    done = run(*LINE, typed="5\n", env=environment | {"DUELS_COMMAND": "scripts/play"})
    match_id = run("resume").stdout.split()[0]
    assert done.stderr.endswith(f"To continue: scripts/play resume {match_id}\n")
    assert 'export DUELS_COMMAND="$0"' in Path("scripts/play").read_text()


def test_the_end_of_input_saves_a_resumed_game_too(call):
    match_id = call(*LINE, typed="5\nquit\n").stderr.split()[-1]
    assert f"To continue: duels resume {match_id}" in call("resume", match_id, typed="7\n").stderr
    assert "Moves so far: 5, 7" in call("resume", match_id).stdout


def test_the_end_of_input_on_a_terminal_saves_the_game(spawn, run):
    child = spawn(*LINE)
    child.expect("cross out")
    child.sendline("5")
    child.expect("cross out:")
    child.sendeof()
    child.expect("To continue: duels resume")
    child.wait()
    assert len(run("resume").stdout.splitlines()) == 1


def test_a_game_without_moves_is_not_saved(call):
    assert "nothing to save" in call(*LINE, typed="quit\n").stderr
    assert call("resume").stdout == ""


def test_quit_leaves_cleanly_and_resume_continues(call):
    left = call(*LINE, typed="5 6\nquit\n")
    match_id = left.stderr.split()[-1]
    again = call("resume", match_id, typed="8\n9 10\n1 2\n3\n4\n7\n")
    assert "Moves so far: 5-6" in again.stdout
    assert again.stdout.endswith("Alice wins the game.\n")
    assert call("resume", match_id).returncode == 1
    assert "over" in call("resume", match_id).stderr


def test_resume_lists_unfinished_games(call):
    assert "no unfinished game" in call("resume").stderr
    call(*LINE, typed="5\nquit\n")
    call(*LINE, typed="5\nresign\ny\n")
    assert len(call("resume").stdout.splitlines()) == 1
    match_id, rest = call("resume").stdout.split(maxsplit=1)
    assert rest == "Alice against Bob, Number Line Duel (1 to 10), move 2, just now\n"
    assert match_id in call("resume", "--json").stdout
    assert call("resume", match_id, "--forget").returncode == 0
    assert call("resume").stdout == ""
    for bad in ("nothing", "../x", "é"):
        assert call("resume", bad).returncode == 1


def test_several_games_are_forgotten_at_once(call):
    for move in range(1, 6):
        call(*LINE, typed=f"{move}\nquit\n")
    one, two, *_ = ids = [line.split()[0] for line in call("resume").stdout.splitlines()]
    done = call("resume", "--forget", one, "nothing", two)
    assert done.returncode == 1
    assert "There is no saved game" in done.stderr
    assert [line.split()[0] for line in call("resume").stdout.splitlines()] == ids[2:]
    assert "duels resume --forget ID" in call("resume", "--forget").stderr
    assert call("resume", *ids[2:4]).returncode == 2
    assert call("resume", "--forget", "all").returncode == 0
    assert "no unfinished game" in call("resume").stderr
    assert call("resume", "--forget", "all").returncode == 0


def test_a_record_is_found_again_from_another_folder(run, tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    run(*LINE, "--record", "g.txt", typed="5\n", cwd=tmp_path / "one")
    match_id = run("resume").stdout.split()[0]
    record = str(tmp_path / "one" / "g.txt")
    run("resume", match_id, "--record", record, typed="6\n", cwd=tmp_path / "two")
    assert "1. 5 " in (tmp_path / "one" / "g.txt").read_text()
    assert " 6 {" in (tmp_path / "one" / "g.txt").read_text()
    assert not list((tmp_path / "two").iterdir())


def test_after_the_first_move_is_taken_back_nothing_is_saved(call, tmp_path):
    record = tmp_path / "g.txt"
    done = call(*LINE, "--record", str(record), typed="5\nundo\ny\nquit\n")
    assert "nothing to save" in done.stderr
    assert "no unfinished game" in call("resume").stderr
    assert not record.exists()
    call(*LINE, "--record", str(record), typed="5\nundo\ny\n7\nquit\n")
    assert "1. 7 " in record.read_text()


def test_a_saved_game_of_brackets_stops_nothing(call, tmp_path):
    call(*LINE, typed="5\nquit\n")
    (tmp_path / "state" / "duels" / "matches" / "abc123.json").write_text("[" * 200_000)
    done = call("resume")
    assert "abc123 is damaged" in done.stderr
    assert len(done.stdout.splitlines()) == 1


def test_ctrl_c_saves_the_game_and_exits_with_130(spawn, run):
    child = spawn(*LINE)
    child.expect("cross out")
    child.sendline("5")
    child.expect("Bob's turn")
    child.expect("cross out: ")  # a key pressed while the prompt is being set up may be lost
    child.sendintr()
    child.expect("To continue: duels resume (\\w+)")
    match_id = child.match[1]
    child.wait()
    assert child.exitstatus == 130
    assert "Moves so far: 5" in run("resume", match_id).stdout


def test_kill_9_costs_at_most_the_half_typed_line(environment, run):
    child = subprocess.Popen(
        [*DUELS, *LINE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    )
    child.stdin.write(b"5 6\n8\n9 ")
    child.stdin.flush()
    said = b""
    while b"Bob crossed out: 8" not in said or not said.endswith(b"cross out: "):
        said += os.read(child.stdout.fileno(), 1000)
    os.kill(child.pid, signal.SIGKILL)
    child.communicate()
    match_id = run("resume").stdout.split()[0]
    assert "Moves so far: 5-6, 8\n" in run("resume", match_id).stdout


def test_a_second_program_learns_that_the_game_is_being_played(spawn, run):
    run(*LINE, typed="5\nquit\n")
    match_id = run("resume").stdout.split()[0]
    child = spawn("resume", match_id)
    child.expect("Bob's turn")
    second = run("resume", match_id, typed="6\n")
    assert second.returncode == 1
    assert "being played in another window" in second.stderr
    child.sendline("6")
    child.expect("Bob crossed out: 6")


def test_a_game_that_is_being_played_is_not_forgotten(spawn, run):
    run(*LINE, typed="5\nquit\n")
    match_id = run("resume").stdout.split()[0]
    spawn("resume", match_id).expect("Bob's turn")
    done = run("resume", match_id, "--forget")
    assert done.returncode == 1
    assert "being played in another window" in done.stderr
    assert match_id in run("resume").stdout


def test_a_damaged_saved_game_can_be_forgotten(call, tmp_path):
    call(*LINE, typed="5\nquit\n")
    (saved,) = (tmp_path / "state" / "duels" / "matches").glob("*.json")
    saved.write_text('{"game": ')
    assert "delete it with: duels resume ID --forget" in call("resume").stderr
    assert call("resume", saved.stem, "--forget").returncode == 0
    assert not saved.exists()


def test_two_games_do_not_share_a_record(spawn, tmp_path):
    record = tmp_path / "two.txt"
    children = [spawn("play", "number-line-duel", "--record", str(record)) for _ in range(2)]
    for child in children:
        child.expect("cross out")
    for child, move in zip(children, "57", strict=True):
        child.sendline(move)
        child.expect("Player 2's turn")
    assert "contains something else now" in children[1].before
    assert "1. 5 " in record.read_text()


def test_a_record_needs_a_folder(call, tmp_path):
    done = call(*LINE, "--record", str(tmp_path / "none" / "g.txt"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "There is no folder" in done.stderr


def test_a_state_folder_that_cannot_be_written_is_a_warning(run, environment, tmp_path):
    (tmp_path / "file").write_text("")
    done = run(*LINE, typed="5\n6\n", env=environment | {"XDG_STATE_HOME": str(tmp_path / "file")})
    assert "Bob crossed out: 6" in done.stdout
    assert done.stderr.count("This game is not being saved") == 1
    assert "cannot be resumed" in done.stderr


@pytest.mark.slow
def test_a_full_disk_is_a_warning_and_leaves_the_old_file(run, environment):
    run(*LINE, typed="5\nquit\n")
    match_id = run("resume").stdout.split()[0]
    no_room = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))}
    done = run("resume", match_id, typed="6\n7\n", **no_room)
    assert "Alice crossed out: 7" in done.stdout
    assert "This game is not being saved" in done.stderr
    assert "Moves so far: 5\n" in run("resume", match_id).stdout


def test_a_damaged_saved_game_is_named_and_the_rest_are_listed(call, environment, tmp_path):
    call(*LINE, typed="5\nquit\n")
    folder = tmp_path / "state" / "duels" / "matches"
    (folder / "beef.json").write_text('{"game": ')
    (folder / "cafe.json").write_text('{"game": "chess", "moves": []}')
    done = call("resume")
    assert len(done.stdout.splitlines()) == 1
    assert "beef" in done.stderr
    assert "cafe" in done.stderr


def test_a_move_is_on_disk_before_the_next_prompt(spawn, tmp_path):
    child = spawn(*LINE)
    child.expect("cross out")
    for move in ("5", "6", "7"):
        child.sendline(move)
        child.expect("cross out: ")
        (saved,) = tmp_path.glob("state/duels/matches/*.json")
        assert f"{move}]" in saved.read_text()
