"""What earlier versions have written is read for ever: saved games, records, results folders."""

from __future__ import annotations

import csv
import json
import os
import shutil
import sys
from pathlib import Path

import pytest

OLD = Path(__file__).parent / "old" / "0.1.0"
PINNED = json.loads((OLD / "pinned.json").read_text(encoding="utf-8"))
SAVED = PINNED["matches"]
FINISHED = [what for what, match in SAVED.items() if match["result"] != "*"]
SAME = ("id", "game", "options", "date", "time_limit", "seed", "seconds", "result", "termination")

RUNS = {
    "arena": [
        *("arena", "--players", "perfect", "random"),
        "engine=ugi:python -m duels engine --level novice",
        *("--games", "number-line-duel:numbers=6", "divisor-duel:divisor=7", "--rounds", "1"),
    ],
    "eval": [
        *("eval", "--model", "fake", "--base-url", "http://127.0.0.1:8123/v1", "--rounds", "1"),
        *("--games", "number-line-duel:numbers=4", "--price-in", "2", "--price-out", "10"),
    ],
    "atlas/sequence-duel": ["atlas", "sequence-duel", "--max", "12"],
    "atlas/number-line-duel": ["atlas", "number-line-duel", "--max", "12"],
}
"""The commands that made the results folders."""


def told(record):
    """What a record says, as it is pinned: the only place that knows today's names of fields."""
    moves = [
        "-".join(map(str, move)) if isinstance(move, list) else str(move)
        for move in record["moves"]
    ]
    players = [record["player1"], record["player2"]]
    return {name: record[name] for name in SAME} | {"players": players, "moves": moves}


BETTER = ("rating", "low", "high")
"""What is worked out from the lines in a better way than it was."""


def includes(new, old):
    """Whether all that was there is there; more may have come."""
    if isinstance(old, dict):
        return all(
            name in new and (name in BETTER or includes(new[name], value))
            for name, value in old.items()
        )
    if isinstance(old, list):
        return len(new) == len(old) and all(map(includes, new, old))
    return new == old


@pytest.fixture
def ask(call, environment, tmp_path, monkeypatch):
    """The output of a command, somewhere else, with the program of the engines at hand."""
    monkeypatch.chdir(tmp_path)
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])

    def run_there(*args, typed=""):
        done = call(*args, typed=typed)
        assert done.returncode == 0, done.stderr
        run_there.stderr = done.stderr
        return done.stdout

    return run_there


@pytest.fixture
def saved(ask, tmp_path):
    """A state folder with the saved games; a match of it as it is now."""
    shutil.copytree(OLD / "matches", tmp_path / "state" / "duels" / "matches")
    return lambda match_id: told(json.loads(ask("resume", match_id, "--json")))


def read(path):
    return path.read_text(encoding="utf-8")


def table(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_unfinished_games_are_listed(ask, saved):
    listed = [told(match) for match in json.loads(ask("resume", "--json"))]
    unfinished = [match for what, match in SAVED.items() if what not in FINISHED]
    assert {match["id"]: match for match in listed} == {match["id"]: match for match in unfinished}
    assert ask.stderr == ""


@pytest.mark.parametrize(
    ("what", "move"), [("two people", "2"), ("pairs and a record", "2-3"), ("a time limit", "12")]
)
def test_a_game_between_people_goes_on(ask, saved, what, move):
    before = SAVED[what]
    ask("resume", before["id"], "--record", "game.txt", typed=f"{move}\nquit\n")
    assert saved(before["id"])["moves"] == [*before["moves"], move]


@pytest.mark.parametrize(
    ("what", "move"),
    [
        ("against casual", "2"),
        ("against perfect, who began", "4"),
        ("against Expert in capitals", "6"),
        ("against an engine", "5"),
    ],
)
def test_a_computer_that_was_known_by_its_name_answers(ask, saved, what, move):
    before = SAVED[what]
    engine = "ugi:python -m duels engine --level novice"
    ask("resume", before["id"], "--vs", engine, typed=f"{move}\nquit\n")
    *moves, _ = saved(before["id"])["moves"]
    assert moves == [*before["moves"], move]


def test_a_computer_goes_on_against_itself(ask, saved):
    before = SAVED["casual against itself, killed"]
    ask("resume", before["id"])
    after = saved(before["id"])
    assert after["termination"] == "no-moves"
    assert after["moves"][: len(before["moves"])] == before["moves"]


def test_a_record_that_was_begun_goes_on(ask, saved, tmp_path):
    shutil.copy(OLD / "records" / "game.txt", tmp_path)
    before = SAVED["pairs and a record"]
    ask("resume", before["id"], "--record", "game.txt", typed="2-3\nquit\n")
    record = told(json.loads(ask("replay", "game.txt", "--json")))
    assert record == saved(before["id"])
    assert record["moves"] == [*before["moves"], "2-3"]


@pytest.mark.parametrize("what", FINISHED)
def test_a_finished_game_is_replayed_and_reviewed(ask, saved, what):
    match = SAVED[what]
    assert told(json.loads(ask("replay", match["id"], "--json"))) == match
    shown = ask("replay", match["id"])
    assert all(name in shown for name in match["players"])
    assert len(json.loads(ask("review", match["id"], "--json"))["moves"]) == len(match["moves"])


@pytest.mark.parametrize("name", PINNED["records"])
def test_a_record_file_says_what_it_said(ask, name):
    records = ask("replay", str(OLD / name), "--json").splitlines()
    assert [told(json.loads(record)) for record in records] == PINNED["records"][name]
    assert ask.stderr == ""
    assert len(ask("review", str(OLD / name), "--json").splitlines()) == len(records)


@pytest.mark.slow
@pytest.mark.parametrize("folder", RUNS)
def test_a_results_folder_is_complete(ask, tmp_path, folder):
    out = tmp_path / folder
    shutil.copytree(OLD / folder, out)
    ask(*RUNS[folder], "--out", str(out), "--jobs", "1")
    for old in (OLD / folder).iterdir():
        if old.suffix == ".jsonl":
            assert read(out / old.name) == read(old), "nothing was played again"
        elif old.suffix == ".csv":
            assert includes(table(out / old.name), table(old))
        else:
            assert includes(json.loads(read(out / old.name)), json.loads(read(old)))
