"""An added game at the terminal: it has everything that the games of this package have."""

from __future__ import annotations

import inspect
import json
import re
from math import isqrt
from random import Random

import pytest

import duels
from duels.coach.hints import hints
from duels.coach.puzzles import HIGHEST, find_puzzle
from duels.core.errors import DuelsError, TooLarge
from duels.core.options import whole
from duels.core.states import StateGame
from duels.match.dialogue import dialogue_of
from duels.match.match import new_match
from duels.match.players.specs import BUILT_IN
from duels.terminal.drawing import draw
from duels.terminal.talk import Style
from duels.theory import search

COLOUR = {"TERM": "xterm-256color"}


class SquareDuel(StateGame[int]):
    """A pile of stones. Take a square number of them; take the last one and you win."""

    id, title, summary = "square-duel", "Square Duel", "Take a square number of stones."
    stones: int = whole("the stones at the start", default=30, highest=100_000, is_size=True)

    def first(self):
        return self.stones

    def allowed(self, state):
        return tuple(root * root for root in range(1, isqrt(state) + 1))

    def after(self, state, move):
        return state - move


class HeapDuel(SquareDuel):
    """The same with two options without a default: how many stones, and how many are safe."""

    id, title, summary = "heap-duel", "Heap Duel", "Take a square number of stones from a heap."
    stones: int = whole("the stones of the heap", example=20, highest=70, is_size=True)
    safe: int = whole("the stones that stay", example=2, lowest=0)

    def allowed(self, state):
        return tuple(root * root for root in range(1, isqrt(max(state - self.safe, 0)) + 1))


@pytest.fixture
def with_file(tmp_path):
    """What comes before a command that knows the two games."""
    path = tmp_path / "my games" / "square.py"
    path.parent.mkdir()
    imports = (
        "from math import isqrt",
        "from duels.core.options import whole",
        "from duels.core.states import StateGame",
    )
    classes = map(inspect.getsource, (SquareDuel, HeapDuel))
    path.write_text("\n".join([*imports, "", "", *classes]))
    return "--with", str(path)


@pytest.fixture
def registered(monkeypatch):
    for kind in (SquareDuel, HeapDuel):
        monkeypatch.setitem(duels.GAMES, kind.id, kind)


TALK = """\
Welcome to Square Duel!

7
Ann's turn.
Take 1 or 4: 1

6
Bob's turn.
Take 1 or 4: 4

2
Ann's turn.
Take 1: 1

1
Bob's turn.
Take 1: 1

0
No moves were left.
Bob wins the game!
"""
PLAY = ("play", "square-duel", "--stones", "7", "--players", "Ann", "Bob")


def test_a_game_on_a_pipe_and_again_in_its_replay_and_review(run, with_file):
    assert run(*with_file, *PLAY, typed="1\n4\n1\n1\n").stdout == TALK
    again = run(*with_file, "replay").stdout
    assert again.endswith(TALK)
    assert again.startswith("Square Duel (7 stones), Ann against Bob, ")
    assert "Bob won (no moves were left)" in again
    assert "  1. ● 1  already lost\n" in run(*with_file, "review").stdout


def test_every_command_of_a_game_on_a_pipe(run, with_file):
    typed = "hint\nhint\nhint\nhint\nboard\nmoves\nrules\n5\nx\n9\nundo\ny\n25\nboard\nquit\n"
    done = run(*with_file, "play", "square-duel", typed=typed)
    for sentence in (
        "You can win from here.",
        "After which move do they have no good answer?",
        "Only one of five moves wins: 25.",
        "Take 25. They can only take 1 or 4. If they take 1, take 4: that ends the game.",
        "  30\n  [1] [4] [9] [16] [25]\n",
        "Legal moves: 1, 4, 9, 16, 25",
        "A pile of stones. Take a square number of them",
        "5 is not allowed here: take 1, 4, 9, 16 or 25.",
        '"x" is not a whole number. Type help',
        "Player 2, may Player 1 take back 9? (y/n) y\nTaken back: 9.",
        "  5\n  [1] [4]\n●25\n",
    ):
        assert sentence in done.stdout
    assert "my games" in done.stderr, "whoever comes back needs the file"
    match_id = done.stderr.split()[-1]
    resumed = run(*with_file, "resume", match_id, typed="4\n1\n").stdout
    assert "Moves so far: 25\n" in resumed
    assert resumed.endswith("Player 1 wins the game!\n")


def test_a_game_in_colour_to_its_end(spawn, with_file):
    child, said = spawn(*with_file, *PLAY, **COLOUR), ""
    for prompt, typed in (
        ("Take 1 or 4: ", "hint"),
        ("Take 1 or 4: ", "board"),
        ("Take 1 or 4: ", "1"),
        ("Take 1 or 4: ", "undo"),
        ("(y/n) ", "y"),
        ("Take 1 or 4: ", "4"),
        ("Take 1: ", "rules"),
        ("Take 1: ", "moves"),
        ("Take 1: ", "1"),
        ("Take 1: ", "1"),
        ("Take 1: ", "1"),
    ):
        child.expect_exact(prompt)
        said += child.before
        child.sendline(typed)
    assert "  \x1b[1m[1] [4]\x1b[0m\r\n" in said
    assert said.count("  7\r\n") == 1, "the board was asked for once"
    assert "\n\r\n7\r\nAnn's turn.\r\n" in said, "these words need no board"
    assert "Traceback" not in said
    child.expect("Bob wins the game!")
    child.expect("Who was winning after each move: ▲▲▲▲")
    child.expect_exact("What next? ")
    child.sendline("quit")
    child.expect(r"To see it again: duels --with\s+'.*square.py'\s+replay")
    child.wait()
    assert child.exitstatus == 0
    child = spawn(*with_file, "replay", size=(40, 80), **COLOUR)
    child.expect_exact("Ann's turn.\r\nTake 1 or 4: 4\r\n")
    child.expect("Bob wins the game!")
    child.wait()
    assert child.exitstatus == 0


@pytest.mark.slow
@pytest.mark.parametrize("player", BUILT_IN)
def test_every_computer_plays_it_and_is_played_against(run, with_file, player):
    both = run(*with_file, "play", "square-duel", "--vs", player, "--vs", "casual", "--seed", "1")
    assert "wins the game!" in both.stdout
    alone = run(*with_file, "play", "square-duel", "--vs", player, typed="1\n" * 30)
    assert "wins the game!" in alone.stdout


def test_bare_duels_offers_it(spawn, with_file):
    child = spawn(*with_file)
    for prompt, typed in (
        ("6  Square Duel: Take a square number of stones.", None),
        ("1 to 7 [3]: ", "square"),
        ("1 to 7 [1]: ", "novice"),
        ("1 to 3 [1]: ", ""),
        ("Take ", "resign"),
        ("(y/n) ", "y"),
        ("What next? ", "review"),
        ("What next? ", "quit"),
    ):
        child.expect_exact(prompt)
        if typed is not None:
            child.sendline(typed)
    child.wait()
    assert child.exitstatus == 0


def test_bare_duels_asks_for_options_without_a_default(spawn, with_file):
    child = spawn(*with_file)
    for prompt, typed in (
        ("1 to 7 [3]: ", "heap"),
        ("The stones of the heap [20]: ", "0"),
        ("must be a whole number", None),
        ("The stones of the heap [20]: ", "5"),
        ("The stones that stay [2]: ", "1"),
        ("1 to 7 [1]: ", "friend"),
        ("1 to 3 [1]: ", ""),
        ("Take 1 or 4: ", "quit"),
    ):
        child.expect_exact(prompt)
        if typed is not None:
            child.sendline(typed)


def test_every_option_without_a_default_gets_a_question(spawn, run, with_file):
    child = spawn(*with_file, "play", "heap-duel")
    for prompt, typed in (
        ("The stones of the heap [20]: ", "0"),
        ("must be a whole number", None),
        ("The stones of the heap [20]: ", "5"),
        ("The stones that stay [2]: ", "1"),
        ("Take 1 or 4: ", "quit"),
    ):
        child.expect_exact(prompt)
        if typed is not None:
            child.sendline(typed)
    refused = run(*with_file, "play", "heap-duel", "--stones", "5")
    assert refused.returncode == 2
    assert "needs the stones that stay, for example: --safe 2" in refused.stderr


def test_a_saved_game_whose_game_is_missing_is_named_and_stays(spawn, run, with_file, tmp_path):
    saved = run(*with_file, *PLAY, typed="1\nquit\n").stderr.split()[-1]
    run("play", "number-line-duel", typed="5\nquit\n")
    listed = run("resume")
    assert len(listed.stdout.splitlines()) == 1
    assert (
        f'The saved game {saved} is safe, but its game, "square-duel", is not installed here. '
        "To continue it, add the game: "
        f"duels --with FILE.py resume {saved}\n"
    ) == listed.stderr
    refused = run("resume", saved)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "is not installed here" in refused.stderr
    child = spawn("resume")
    child.expect(f"--with FILE.py\\s+resume\\s+{saved}")
    child.expect_exact("Press Enter [1]: ")
    assert (tmp_path / "state" / "duels" / "matches" / f"{saved}.json").exists()
    assert run(*with_file, "resume", saved, typed="4\n1\n1\n").stdout.endswith(TALK[-19:])
    assert run("resume").stderr == "", "a finished game is not offered"
    assert f"duels --with FILE.py replay {saved}" in run("replay").stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", ["r.txt", "r.jsonl"])
def test_records_of_a_game_that_is_not_here_are_named(run, with_file, tmp_path, name):
    records = tmp_path / name
    run(*with_file, *PLAY, "--record", str(records), typed="1\n4\n")
    ours = tmp_path / f"ours-{name}"
    run("play", "number-line-duel", "--record", str(ours), typed="5\n")
    records.write_text(records.read_text() + ours.read_text())
    done = run("replay", str(records))
    assert 'line 1: its game, "square-duel", is not installed here.' in done.stderr
    assert "Player 1 crossed out: 5" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("difficulty", HIGHEST)
def test_a_puzzle_of_it(run, with_file, difficulty):
    words = ("puzzle", "square-duel", "--stones", "60", "--difficulty", difficulty, "--seed", "2")
    args = (*with_file, *words)
    (answer,) = json.loads(run(*args, "--json").stdout)["winning_moves"]
    assert "Right! " in run(*args, typed=f"rules\nboard\nx\n{answer}\n").stdout


def test_a_puzzle_draws_missing_options_within_their_bounds(registered):
    for seed in range(20):
        found = find_puzzle([HeapDuel], {}, "easy", Random(seed)).position.game.options
        assert 2 <= found["stones"] <= 60
        assert 1 <= found["safe"] <= 6
    with pytest.raises(DuelsError, match="No game has the options safe and moon together"):
        find_puzzle([SquareDuel, HeapDuel], {"safe": "1", "moon": "2"}, "easy", Random(1))


def test_a_game_too_large_to_search_gets_a_sentence(registered, monkeypatch, call):
    monkeypatch.setattr(search, "MOST_POSITIONS", 10)
    with pytest.raises(DuelsError, match=r"no puzzle for Square Duel\. There are more than 10"):
        find_puzzle([SquareDuel], {"stones": "500"}, "medium", Random(1))
    with pytest.raises(TooLarge):
        hints(SquareDuel(stones=500).start())
    said = call("play", "square-duel", "--stones", "500", "--vs", "expert", typed="hint\n4\n")
    assert "There are more than 10 positions from here" in said.stdout
    assert "Computer's turn." in said.stdout


def test_a_plain_board_fits_every_window_and_can_hide_the_moves():
    position = SquareDuel(stones=3000).position(4, 9, 16)
    for columns, rows in ((80, 24), (40, 12), (20, 5)):
        lines = draw(position, Style(colour=False), columns, rows).lines
        assert all(len(line) < columns for line in lines)
        assert len(lines) <= rows + 1
        assert lines[0] == "  2971"
        assert lines[-1] == "●4 ▲9 ●16"
        painted = "\n".join(draw(position, Style(colour=True), columns, rows).lines)
        assert re.sub(r"\x1b\[[\d;]*m", "", painted).split("\n") == lines
    assert "  … 54 moves in all" in draw(position, Style(colour=False), 20, 5).lines
    hidden = draw(position, Style(colour=False), show_moves=False).lines
    assert hidden == ["  2971", "●4 ▲9 ●16"]


def test_the_plain_words_for_a_page():
    match = new_match(SquareDuel(stones=5), ("Ann", "Bob"))
    words = dialogue_of(match.game)
    seen = [words.status(match, you) for you in (0, 1, 2)]
    assert seen == ["Ann's turn: take 1 or 4.", "Your turn: take 1 or 4.", "Ann is thinking."]
    assert words.why(match, 1) == ""
    many = new_match(SquareDuel(stones=500))
    assert words.status(many, 1) == "Your turn: take a whole number."
    over = match.play(4).play(1)
    assert [words.status(over, you) for you in (0, 1, 2)] == ["Bob wins.", "You lose.", "You win."]
    assert words.why(over, 1) == "Bob took 1, and no moves were left."
    assert words.why(over, 2) == "You took 1, and no moves were left."
    assert [words.why(match.resign(), you) for you in (1, 2)] == ["You resigned.", "Ann resigned."]
