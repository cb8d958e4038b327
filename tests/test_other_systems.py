"""What Windows lacks is missed by nothing of ours; the rest of Windows cannot be tried here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("here it is the real thing", allow_module_level=True)

LESS = [sys.executable, str(Path(__file__).parent / "as_on_windows.py")]


@pytest.fixture
def call(environment):
    def call_duels(*args, typed=""):
        done = subprocess.run(
            [*LESS, *args], input=typed, capture_output=True, text=True, env=environment, timeout=60
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done

    return call_duels


@pytest.mark.slow
def test_every_module_is_imported(call):
    done = call("--import-all")
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > 150


def test_a_game_is_played_left_and_ended(call):
    names = ("--players", "Ann", "Bob", "--time-limit", "60")
    left = call("play", "sequence-duel", *names, typed="6\nabc\n3\nquit\n")
    assert "whole number" in left.stdout
    number = call("resume").stdout.split()[0]
    assert "Congratulations, Bob!" in call("resume", number, typed="1\n19\n").stdout


@pytest.mark.slow
def test_a_match_that_is_being_played_is_locked(call, environment):
    command = [*LESS, "play", "sequence-duel", "--players", "Ann", "Bob"]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, env=environment, text=True, **pipes) as playing:
        playing.stdin.write("6\n3\n")
        playing.stdin.flush()
        while not (found := call("resume").stdout):
            pass
        refused = call("resume", found.split()[0], typed="1\n")
        playing.communicate("quit\n")
    assert refused.returncode != 0
    assert "another" in refused.stderr


@pytest.mark.slow
def test_many_tasks_are_done_by_processes(call, tmp_path):
    games = ("--games", "number-line-duel", "--jobs", "2", "--rounds", "1")
    done = call("arena", "--players", "novice", "random", *games, "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
