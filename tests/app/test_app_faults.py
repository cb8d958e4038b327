"""The app on a real terminal: kills, signals, Ctrl-Z, a terminal that is too plain, a full disk."""

from __future__ import annotations

import os
import signal

import pexpect
import pytest
from driver import Driver, drive
from kills import kill_app

from duels.match.saved_games import SavedGames
from rings import all_if_long

CAPABLE = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
LEAVES_SCREEN = "\x1b[?1049l"


@pytest.mark.parametrize("seed", all_if_long(range(20), 1, 2))
def test_a_move_that_was_shown_is_saved_when_the_app_is_killed(tmp_path, seed):
    _, lost = kill_app(tmp_path, seed)
    assert lost == 0


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="signals of Unix")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)], ids=["term", "int"]
)
def test_a_signal_leaves_the_terminal_clean(spawn, number, code):
    child = spawn(**CAPABLE)
    child.expect_exact("quit")
    child.send("\r")
    child.expect_exact("Your turn")
    child.send("8\r")
    child.expect_exact("crossed out: 8")
    os.kill(child.pid, number)
    child.expect(pexpect.EOF)
    assert LEAVES_SCREEN in child.before
    assert "To continue: " in child.before
    child.wait()
    assert child.exitstatus == code


def test_ctrl_c_leaves_with_130(spawn):
    child = spawn(**CAPABLE)
    child.expect_exact("quit")
    child.send("\x03")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 130


@pytest.mark.parametrize(
    ("words", "plain"),
    [
        ([], {"TERM": "dumb"}),
        ([], CAPABLE | {"DUELS_PLAIN": "1"}),
        ([], CAPABLE | {"PYTHONIOENCODING": "latin-1"}),
        (["--plain"], CAPABLE),
    ],
    ids=["dumb", "DUELS_PLAIN", "latin-1", "--plain"],
)
def test_a_plain_terminal_gets_three_questions(spawn, words, plain):
    child = spawn(*words, **plain)
    for question, answer in (
        ("Which game?", "line"),
        ("Which opponent?", "novice"),
        ("Who moves first?", ""),
    ):
        child.expect_exact(question)
        child.expect(r"\]: $")
        child.sendline(answer)
    child.expect_exact("Welcome to Number Line Duel!")
    child.expect_exact("Number Line:")
    child.sendline("5 6")
    child.expect_exact("crossed out: 5 6")


def test_without_a_writable_folder_there_is_a_message_and_play_continues(tmp_path):
    folder = tmp_path / "closed"
    folder.mkdir()
    (folder / "matches").write_text("a file in place of the folder")

    async def play(app: Driver) -> None:
        await app.press("enter")
        await app.type("8")
        await app.until(lambda: "not being saved" in app.text())
        await app.your_turn()
        assert len(app.match.moves) == 2
        await app.press("q")
        await app.until(lambda: "could not be saved" in app.text())
        assert "Game saved" not in app.text()

    drive(folder, play)


def test_damaged_state_files_are_as_if_nothing_were_known(tmp_path):
    for name in ("player", "app", "strength", "lessons", "daily"):
        (tmp_path / f"{name}.json").write_text('{"version": 1, "theme": 7, "name": [], "game": {}}')
    matches = tmp_path / "matches"
    matches.mkdir()
    (matches / "abcdef.json").write_bytes(b"\xff\xfe")

    async def play(app: Driver) -> None:
        await app.press("r")
        await app.press("escape", "l", "escape", "enter", "enter")
        await app.until(lambda: app.match.moves)

    drive(tmp_path, play)
    assert [*SavedGames(matches).all()]
