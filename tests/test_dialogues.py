"""The rule books' sample games, typed into the real program, said back line for line.

Each file in `dialogues/` is a command, the lines typed, and the whole talk as it must appear.
"""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

import duels
from duels.match.dialogue import dialogue_of
from duels.match.match import new_match
from duels.terminal.drawing import draw
from duels.terminal.talk import Style
from rings import only_long

FILES = sorted(Path(__file__).parent.joinpath("dialogues").glob("*.txt"))
every_dialogue = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
ESCAPES = re.compile(r"\x1b\[\?2004l\r|\x1b\[[?\d;]*[A-Za-z]")
"""Colours, and the control sequences before and after a typed line."""
COACH = re.compile(
    r"\r\n(?:Turning point|The last of|The game turned|Neither player|.* could not force)"
)
"""How the review after a game begins."""


def test_every_game_has_a_golden_dialogue():
    assert duels.GAMES.keys() <= {path.stem for path in FILES}


@every_dialogue
def test_the_talk_on_a_pipe_is_the_rule_books(path, run):
    command, typed, expected = read_dialogue(path)
    piped = run(*command, typed="\n".join(typed) + "\n").stdout
    assert [line.rstrip() for line in piped.rstrip().splitlines()] == expected


@pytest.mark.parametrize(
    "talk",
    [
        *product(FILES, ["xterm-256color"]),
        (FILES[0], "dumb"),
        *only_long(*product(FILES[1:], ["dumb"])),
    ],
    ids=lambda talk: f"{talk[1]}-{talk[0].stem}",
)
def test_a_terminal_adds_boards_and_changes_no_word(spawn, talk):
    path, terminal = talk
    command, typed, expected = read_dialogue(path)
    wide = (24, 250)  # no line is wrapped
    said = on_a_terminal(spawn(*command, TERM=terminal, size=wide), typed)
    assert ("\x1b[1m" in "".join(said)) == (terminal != "dumb")
    lines = [line.rstrip() for line in ESCAPES.sub("", "\n".join(said)).split("\n")]
    kind = duels.GAMES[command[1]]
    flags = [name for name in kind.fields if f"--{name}" in command]
    options = {name: command[command.index(f"--{name}") + 1] for name in flags}
    match = new_match(duels.game(kind.id, **options))
    if caution := match.game.caution():
        take_out([caution], lines)
    for move in typed:
        # A line of the rule book that is the board needs no second one.
        if not dialogue_of(match.game).shows_board(match, just_said=True):
            board = draw(match.position, Style(colour=False)).lines
            take_out(["", *(line.rstrip() for line in board)], lines)
        match = match.play(match.game.parse(move))
    assert lines == expected


@pytest.mark.parametrize(
    ("game", "options", "moves", "first", "then", "why"),
    [
        (
            "number-duel",
            {"numbers": 9, "criteria": "factor"},
            "4 8 1 5",
            "any number from 1 to 9",
            "a factor or a multiple of 4",
            "{loser} had no number left that fits 5.",
        ),
        (
            "sequence-duel",
            {"numbers": 10, "opening": "even"},
            "10 1 7",
            "any even number",
            "a factor or a multiple of 10",
            "{loser} had no number left that fits 7.",
        ),
        (
            "number-chain-duel",
            {"numbers": 9},
            "7 1 5",
            "any number from 1 to 9",
            "a factor or a multiple of 7",
            "{loser} had no number left that fits 5.",
        ),
        (
            "number-line-duel",
            {"numbers": 3},
            "2 1 3",
            "one number, or two neighbours",
            "one number, or two neighbours",
            "{winner} crossed out the last number.",
        ),
        (
            "divisor-duel",
            {"divisor": 7},
            "5 6",
            "choose the first digit",
            "add one of the remaining digits",
            "{winner} made 56, which is divisible by 7.",
        ),
        (
            "divisor-duel",
            {"divisor": 10},
            "1 2 3 4 5 6 7 8 9",
            "choose the first digit",
            "add one of the remaining digits",
            "{loser} used the last digit, and 123456789 is not divisible by 10.",
        ),
    ],
)
def test_a_page_says_whose_turn_it_is_what_fits_and_why_it_is_over(
    game, options, moves, first, then, why
):
    match = new_match(duels.game(game, **options), ("Ann", "Bob"))
    words = dialogue_of(match.game)
    assert words.status(match, 1) == f"Your turn: {first}."
    one, *rest = moves.split()
    match = match.play(match.game.parse(one))
    assert words.status(match) == f"Bob's turn: {then}."
    assert (words.status(match, 1), words.status(match, 2)) == (
        "Bob is thinking.",
        f"Your turn: {then}.",
    )
    for move in rest:
        match = match.play(match.game.parse(move))
    winner = match.outcome.winner
    for you in (0, 1, 2):
        names = ["You" if you == player else name for player, name in ((1, "Ann"), (2, "Bob"))]
        who = {"winner": names[winner - 1], "loser": names[2 - winner]}
        assert words.why(match, you) == why.format(**who)
        expected = "You win." if you == winner else "You lose."
        assert words.status(match, you) == (expected if you else f"{who['winner']} wins.")


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
    command, typed, _, *expected = path.read_text("utf-8").splitlines()
    words = command.removeprefix("$ duels ").split()
    return words, typed.removeprefix("> ").split(", "), expected
