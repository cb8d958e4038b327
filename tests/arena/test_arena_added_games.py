"""A game that is a file of its own, in the arena, the atlas and the engine."""

from __future__ import annotations

import csv
import json
import shlex
import subprocess
import sys
from math import isqrt

import pytest

import duels
from duels.core.errors import OptionError, TooLarge
from duels.lab.atlas import Block, block_rows, read_atlas
from own_games import SQUARE_FILE
from program import DUELS

pytestmark = pytest.mark.slow

WITH = ["--with", str(SQUARE_FILE)]
ENGINE = f"ugi:{shlex.join([*DUELS, *WITH, 'engine', 'square-duel'])}"
PLAYERS = ["--players", "perfect", "random"]


class Pile(duels.StateGame[int]):
    """The same in this process, on boards with an even number of stones."""

    id, title, summary = "pile-duel", "Pile Duel", "Take a square number of stones."
    stones: int = duels.whole("the stones at the start", default=30, lowest=0, is_size=True)

    def __init__(self, *values, **options):
        super().__init__(*values, **options)
        if self.stones % 2 or self.stones == 4:
            raise OptionError("The stones must be even, and not four.")

    def first(self):
        return self.stones

    def allowed(self, state):
        return tuple(root * root for root in range(1, isqrt(state) + 1))

    def after(self, state, move):
        return state - move


class Fixed(Pile):
    """The same with nothing to choose."""

    id = "fixed-duel"
    stones = 30


@pytest.fixture
def pile(monkeypatch):
    monkeypatch.setitem(duels.GAMES, Pile.id, Pile)


def lines_of(folder):
    return [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]


def test_it_is_played_by_processes_with_its_engine_as_a_player(run, tmp_path):
    args = [*PLAYERS, f"mine={ENGINE}", "--games", "square-duel:stones=12", "--rounds", "1"]
    done = run(*WITH, "arena", *args, "--jobs", "2", "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    lines = lines_of(tmp_path / "out")
    assert len(lines) == 6
    assert all(sum(line["moves"]) == 12 and line["forfeit"] is None for line in lines)
    kept = [
        grade["kept"]
        for line in lines
        for ply, grade in enumerate(line["grading"])
        if line[f"player{1 + ply % 2}"] == "mine"
    ]
    assert kept
    assert all(kept)


def test_it_is_played_if_no_games_are_named(run, tmp_path):
    args = ["--players", "random", "two=random", "--rounds", "1", "--jobs", "1"]
    done = run(*WITH, "arena", *args, "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    assert {line["game"] for line in lines_of(tmp_path / "out")} == {*duels.GAMES, "square-duel"}


def test_it_reaches_spawned_processes(environment, tmp_path):
    code = (
        "import sys, multiprocessing as m; from duels.cli import main\n"
        "if __name__ == '__main__': m.set_start_method('spawn'); main(sys.argv[1:])"
    )
    args = [*WITH, "arena", *PLAYERS, "--games", "square-duel", "--rounds", "1", "--jobs", "2"]
    command = [sys.executable, "-c", code, *args, "--out", str(tmp_path / "out")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(lines_of(tmp_path / "out")) == 2


@pytest.mark.parametrize(
    "command",
    [
        ("arena", *PLAYERS),
        ("atlas", "square-duel", "--max", "9"),
    ],
)
def test_a_cluster_does_not_have_the_file(run, tmp_path, command):
    where = ["--cluster", "tcp://127.0.0.1:9", "--out", str(tmp_path / "out")]
    done = run(*WITH, *command, *where)
    assert done.returncode == 1
    assert f"square-duel comes from the file {SQUARE_FILE}" in done.stderr
    assert not (tmp_path / "out").exists()


def test_other_games_may_go_to_a_cluster_all_the_same(environment, tmp_path):
    impatient = "import duels.lab.jobs as jobs; jobs.CLUSTER_TIMEOUT = 0.5"
    duels_command = [sys.executable, "-c", f"{impatient}; from duels.__main__ import run; run()"]
    where = ["--cluster", "tcp://127.0.0.1:9", "--out", str(tmp_path / "out")]
    command = [*duels_command, *WITH, "atlas", "sequence-duel", "--max", "9", *where]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert "The cluster at tcp://127.0.0.1:9 does not answer" in done.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_fault_of_the_game_is_a_sentence_and_results_stay_saved(run, tmp_path, jobs):
    path = tmp_path / "faulty.py"
    path.write_text(
        SQUARE_FILE.read_text().replace("state - move", "state - move // (state != 41)")
    )
    line = 1 + path.read_text().splitlines().index("        return state - move // (state != 41)")
    where = ["--jobs", jobs, "--out", str(tmp_path / "out")]
    args = [*PLAYERS, "--rounds", "1", "--games", "square-duel:stones=12", "square-duel:stones=41"]
    done = run("--with", str(path), "arena", *args, *where)
    assert done.returncode == 1
    assert f"The game has a fault. {path}, line {line}: ZeroDivisionError" in done.stderr
    assert "To continue:\nduels --with" in done.stderr


def test_its_engine_speaks_of_its_options(run):
    lines = ["ugi", "position startpos moves 9", "go", "setoption name stones value 5"]
    lines += ["position startpos moves 4", "go", "position startpos moves 9", "quit", ""]
    done = run(*WITH, "engine", "square-duel", typed="\n".join(lines))
    said = done.stdout.splitlines()
    assert "option name stones type string default 30" in said
    answers = [line for line in said if line.startswith(("bestmove", "info string"))]
    assert answers == ["bestmove 4", "bestmove 1", "info string There are only 5 stones."]


def test_its_engine_is_an_opponent(run):
    done = run(*WITH, "play", "square-duel", "--stones", "11", "--vs", ENGINE, typed="9\nquit\n")
    assert done.returncode == 0, done.stderr
    assert "Take 1: 1\n\n1 stone\nPlayer 1's turn." in done.stdout


def test_its_atlas_has_every_size(run, tmp_path):
    where = ["--jobs", "2", "--out", str(tmp_path / "out")]
    done = run(*WITH, "atlas", "square-duel", "--max", "60", *where)
    assert done.returncode == 0, done.stderr
    with (tmp_path / "out" / "square-duel.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    lost = {0}
    for row in rows:
        stones = int(row["size"])
        squares = [root * root for root in range(1, isqrt(stones) + 1)]
        winning = [str(taken) for taken in squares if stones - taken in lost]
        assert row["winning_openings"].split() == winning
        if not winning:
            lost.add(stones)
    assert len(rows) == 60
    assert (tmp_path / "out" / "square-duel-openings.svg").exists()


def test_sizes_that_the_game_does_not_have_are_left_out(pile):
    rows = block_rows(Block(Pile.id, {}, range(10)))
    assert [row.size for row in rows] == [0, 2, 6, 8]
    assert [row.winner for row in rows] == [2, 2, 1, 1]  # without a stone nobody can begin
    assert read_atlas(Pile.id, {}, 8).sizes == range(9)


def test_a_board_that_is_too_large_is_named(pile, monkeypatch):
    monkeypatch.setattr("duels.theory.search.MOST_POSITIONS", 20)
    with pytest.raises(TooLarge, match=r"^Pile Duel \(38 stones\): There are more than 20"):
        block_rows(Block(Pile.id, {}, range(38, 41)))


def test_a_game_without_a_size_has_no_atlas(monkeypatch):
    monkeypatch.setattr(Fixed, "fields", {})
    monkeypatch.setitem(duels.GAMES, Fixed.id, Fixed)
    with pytest.raises(OptionError, match="fixed-duel has no atlas: none of its options is"):
        read_atlas(Fixed.id, {}, 9)
