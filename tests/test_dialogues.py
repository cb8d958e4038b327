"""The rule books' sample games, typed into the real program, said back line for line.

Each file in `dialogues/` is a command, the lines typed, and the whole talk as it must appear.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import duels

FILES = sorted(Path(__file__).parent.joinpath("dialogues").glob("*.txt"))


def test_every_game_has_a_golden_dialogue():
    assert duels.GAMES.keys() <= {path.stem for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_talk_is_the_rule_books(path, spawn, run):
    command, typed, expected = read_dialogue(path)
    assert on_a_terminal(spawn(*command), typed) == expected
    piped = run(*command, typed="\n".join(typed) + "\n").stdout
    assert [line.rstrip() for line in piped.rstrip().splitlines()] == expected


def on_a_terminal(child, typed):
    """Everything that appears on the pseudo-terminal until the game is over."""
    child.logfile_read = Log()
    for line in typed:
        child.expect(r"(selects|digit|number|remove|out)( \([^\r\n]*\))?: $")
        child.sendline(line)
    child.expect("Who was winning")  # the coach speaks when the game is over
    said = child.logfile_read.text.split("\r\nWho was winning")[0]
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
