"""How the program was started decides what it tells people to type, and whether it uses colour."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from duels.core.console import program, shell_command, use_colour, wants_colour
from duels.core.options import read_seconds
from own_games import SQUARE_FILE
from program import DUELS


@pytest.fixture
def started(monkeypatch):
    """Pretend that the program was started by these words."""

    def start(path, *, interpreter="python", script=None):
        monkeypatch.setattr(sys, "argv", [path])
        monkeypatch.setattr(sys, "orig_argv", [interpreter, path])
        monkeypatch.setenv("PATH", os.pathsep.join(["/usr/bin", "/opt/bin"]))
        monkeypatch.delenv("DUELS_COMMAND", raising=False)
        if script:
            monkeypatch.setenv("DUELS_COMMAND", script)

    return start


@pytest.mark.parametrize(
    ("path", "typed"),
    [
        ("/opt/bin/duels", "duels"),
        (".venv/bin/duels", ".venv/bin/duels"),
        ("/somewhere/duels/__main__.py", "python -m duels"),
        ("/somewhere/pytest/__main__.py", "duels"),
        ("", "duels"),
    ],
)
def test_commands_are_printed_as_the_program_was_started(started, path, typed):
    started(path)
    assert shell_command("resume", "c6d311") == f"{typed} resume c6d311"


def test_a_python_outside_of_the_path_is_named_in_full(started):
    started("/somewhere/duels/__main__.py", interpreter="/a folder/python")
    assert shell_command("play") == "'/a folder/python' -m duels play"


def test_a_script_that_starts_the_program_names_itself(started):
    started("/opt/bin/duels", script="scripts/play")
    assert program() == ("scripts/play",)
    assert shell_command("resume", "c6d311") == "scripts/play resume c6d311"


@pytest.mark.slow
def test_a_game_is_resumed_by_the_script_that_started_it(run, environment):
    env = environment | {"DUELS_COMMAND": "scripts/play"}
    said = run("play", "number-line-duel", typed="5\nquit\n", env=env).stderr
    assert "scripts/play resume " in said
    said = run("--with", str(SQUARE_FILE), "play", "square-duel", typed="4\nquit\n", env=env).stderr
    assert f"scripts/play --with {SQUARE_FILE} resume " in said
    assert "Usage: scripts/play play " in run("play", "--help", env=env).stdout


@pytest.mark.slow
def test_python_m_duels_is_resumed_so(environment):
    env = {name: value for name, value in environment.items() if name != "DUELS_COMMAND"}
    command = [*DUELS, "play", "number-line-duel"]
    done = subprocess.run(command, input=b"5\nquit\n", capture_output=True, env=env, check=True)
    assert "-m duels resume " in done.stderr.decode()


@pytest.mark.parametrize(
    ("settings", "on_terminal", "elsewhere"),
    [
        ({"TERM": "xterm"}, True, False),
        ({"TERM": "dumb"}, False, False),
        ({}, False, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True, True),
        ({"TERM": "xterm", "FORCE_COLOR": "0"}, True, False),
        ({"TERM": "xterm", "FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
    ],
)
def test_colour_follows_the_environment(monkeypatch, settings, on_terminal, elsewhere):
    for name in ("TERM", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert wants_colour(is_terminal=True) is on_terminal
    assert wants_colour(is_terminal=False) is elsewhere


def test_the_option_for_colour_overrides_the_environment(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    use_colour("auto")
    assert not wants_colour(is_terminal=True)
    use_colour("always")
    assert wants_colour(is_terminal=False)
    use_colour("never")
    assert not wants_colour(is_terminal=True)


@pytest.mark.parametrize(
    ("typed", "seconds"),
    [
        ("90", 90),
        ("90s", 90),
        ("1m", 60),
        ("1m30s", 90),
        ("1m30", 90),
        ("1.5m", 90),
        ("1 min 30 sec", 90),
        ("2 minutes", 120),
        ("1h", 3600),
        ("0.5", 0.5),
        (" 2M ", 120),
    ],
)
def test_durations(typed, seconds):
    assert read_seconds(typed) == seconds


@pytest.mark.parametrize("typed", ["", " ", "m", "1x", "abc", "nan", "inf", "-1", "30s1m", "1e3"])
def test_text_that_is_not_a_duration(typed):
    assert read_seconds(typed) is None
