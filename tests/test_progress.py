"""What takes longer than a second says so: on standard error, on a terminal, and only there."""

from __future__ import annotations

import os
import pty
import time
from contextlib import contextmanager, redirect_stderr, suppress

import pytest

from duels.core import console
from duels.core.console import Progress
from own_games import SQUARE_FILE


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    """Nobody waits a second here."""
    monkeypatch.setattr(console, "FIRST", 0.05)
    monkeypatch.setattr(console, "BETWEEN", 0.01)


@contextmanager
def a_terminal():
    """A terminal as standard error, and a function that reads what was written to it since."""
    reader, writer = pty.openpty()
    os.set_blocking(reader, False)

    def read():
        read = b""
        with suppress(BlockingIOError):
            while True:  # a terminal gives a few thousand bytes at a time
                read += os.read(reader, 100_000)
        return read.decode()

    with open(writer, "w") as terminal, redirect_stderr(terminal):
        yield read
    os.close(reader)


def wait_for(shown, words):
    said, end = "", time.monotonic() + 10
    while words not in said:
        assert time.monotonic() < end, said
        said += shown()
        time.sleep(0.01)
    return said


def test_short_work_shows_no_progress(monkeypatch):
    monkeypatch.setattr(console, "FIRST", 60)
    with a_terminal() as shown:
        with Progress("Solving"):
            pass
        assert shown() == ""


def test_what_takes_long_says_what_and_how_far_and_leaves_the_line_empty():
    with a_terminal() as shown:
        with Progress("Solving") as working:
            assert "\rSolving: 1 s (Ctrl-C stops)\x1b[K" in wait_for(shown, "stops)\x1b[K")
            working.share(0.25)
            wait_for(shown, "Solving: 25%, 1 s")
        assert shown().endswith("\r\x1b[K")


def test_the_progress_line_is_removed_after_an_error():
    with a_terminal() as shown:
        with suppress(ZeroDivisionError), Progress("Solving"):
            wait_for(shown, "Solving")
            raise ZeroDivisionError
        assert shown().endswith("\r\x1b[K")


def test_the_line_is_cut_to_the_window(monkeypatch):
    monkeypatch.setenv("COLUMNS", "12")
    with a_terminal() as shown, Progress("Looking for a puzzle"):
        assert "\rLooking for\x1b[K" in wait_for(shown, "\x1b[K")


def test_off_a_terminal_no_progress_is_shown(capsys, monkeypatch):
    monkeypatch.setattr(console, "FIRST", 0.0)
    with Progress("Solving"):
        time.sleep(0.05)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--with", str(SQUARE_FILE), "solve", "square-duel", "--stones", "100000"), "Solving: "),
        (("perft", "sequence-duel", "--numbers", "24"), "Counting: "),
    ],
)
def test_commands_that_take_long_say_so_on_a_terminal(spawn, args, words):
    child = spawn(*args)
    child.expect_exact(words)
    child.expect_exact("(Ctrl-C stops)")
    child.sendintr()
    child.wait()
    assert child.exitstatus == 130
