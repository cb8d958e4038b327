"""The rule books' sample games, typed into the real program, said back line for line.

Each file in `dialogues/` is a command, the lines typed, and the whole talk as it must appear.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import duels
from duels.terminal.board import draw
from duels.terminal.talk import Style

FILES = sorted(Path(__file__).parent.joinpath("dialogues").glob("*.txt"))
every_dialogue = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
ESCAPES = re.compile(r"\x1b\[\?2004l\r|\x1b\[[?\d;]*[A-Za-z]")
"""Colours, and what a terminal is told before and after a line is typed."""
COACH = re.compile(r"\r\n(?:It turned|Nobody gave|Who was winning|.* had a winning move)")
"""How the review after a game begins."""


def test_every_game_has_a_golden_dialogue():
    assert duels.GAMES.keys() <= {path.stem for path in FILES}


@every_dialogue
def test_the_talk_is_the_rule_books(path, spawn, run):
    command, typed, expected = read_dialogue(path)
    assert on_a_terminal(spawn(*command), typed) == expected
    piped = run(*command, typed="\n".join(typed) + "\n").stdout
    assert [line.rstrip() for line in piped.rstrip().splitlines()] == expected


@every_dialogue
def test_colour_adds_the_board_and_changes_no_word(path, spawn):
    command, typed, expected = read_dialogue(path)
    said = on_a_terminal(spawn(*command, TERM="xterm-256color"), typed)
    assert "\x1b[" in "".join(said)
    lines = [line.rstrip() for line in ESCAPES.sub("", "\n".join(said)).split("\n")]
    kind = duels.GAMES[command[1]]
    flags = [name for name in kind.fields if f"--{name}" in command]
    options = {name: command[command.index(f"--{name}") + 1] for name in flags}
    position = duels.game(kind.id, **options).start()
    for move in typed:
        board = ["", *(line.rstrip() for line in draw(position, Style(colour=False)))]
        take_out(board, lines)
        position = position.play(position.game.parse(move))
    assert lines == expected


def take_out(part, lines):
    """Remove the first place where the lines of `part` stand together."""
    at = next(n for n in range(len(lines)) if lines[n : n + len(part)] == part)
    del lines[at : at + len(part)]


def on_a_terminal(child, typed):
    """Everything that appears on the pseudo-terminal until the game is over."""
    child.logfile_read = Log()
    for line in typed:
        child.expect(r"(selects|digit|number|remove|out)( \([^\r\n]*\))?: $")
        child.sendline(line)
    child.expect("Who was winning")  # the coach speaks when the game is over
    said = COACH.split(child.logfile_read.text)[0]
    return [line.rstrip() for line in said.rstrip().split("\r\n")]


class Log:
    """What a child has written."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None:
        pass


def read_dialogue(path):
    command, typed, _, *expected = path.read_text().splitlines()
    words = command.removeprefix("$ duels ").split()
    return words, typed.removeprefix("> ").split(", "), expected
