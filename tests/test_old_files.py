"""What earlier versions have written is read for ever: saved games, records, results folders."""

from __future__ import annotations

import csv
import json
import os
import shutil
import sys
from datetime import date
from pathlib import Path

import pytest

from duels.coach.streak import Streak
from duels.terminal.person import remembered
from old_versions import OLD, PINNED, includes
from own_games import SQUARE_FILE

ENGINE = "ugi:python -m duels engine --level novice"
FAKE = ("--model", "fake", "--base-url", "http://127.0.0.1:8123/v1")
EVAL = [
    *("eval", *FAKE, "--rounds", "1", "--games", "number-line-duel:numbers=4"),
    *("--price-in", "2", "--price-out", "10"),
]
RUNS = {
    ("0.1.0", "arena"): [
        *("arena", "--players", "perfect", "random", f"engine={ENGINE}"),
        *("--games", "number-line-duel:numbers=6", "divisor-duel:divisor=7", "--rounds", "1"),
    ],
    ("0.1.0", "eval"): EVAL,
    ("0.1.0", "atlas/sequence-duel"): ["atlas", "sequence-duel", "--max", "12"],
    ("0.1.0", "atlas/number-line-duel"): ["atlas", "number-line-duel", "--max", "12"],
    ("1.0.0", "arena"): [
        *("arena", "--players", "perfect", "expert=random", f"engine={ENGINE}"),
        *("--games", "number-line-duel:numbers=6", "--rounds", "1"),
    ],
    ("1.0.0", "eval"): EVAL,
    ("1.0.0", "atlas/sequence-duel"): ["atlas", "sequence-duel", "--opening", "even", "--max", "8"],
}
"""The commands that made the results folders. Nobody listens there any more: nothing is asked."""


def told(record):
    """What a record says, as it is pinned: the only place that knows today's names of fields."""
    moves = [
        "-".join(map(str, move)) if isinstance(move, list) else str(move)
        for move in record["moves"]
    ]
    players = [record["player1"], record["player2"]]
    computers = [record["computer1"], record["computer2"]]
    return {"given": 0, **record, "moves": moves, "players": players, "computers": computers}


@pytest.fixture(params=PINNED)
def version(request):
    return request.param


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
def state(tmp_path, version):
    """The state folder that a version has left."""
    folder = tmp_path / "state" / "duels"
    shutil.copytree(OLD / version / "matches", folder / "matches")
    for notebook in (OLD / version).glob("notebooks/*"):
        shutil.copy(notebook, folder)
    return folder


@pytest.fixture
def saved(ask, state):
    """A match of the state folder as it is now."""
    return lambda match_id: told(json.loads(ask("resume", match_id, "--json")))


def read(path):
    return path.read_text(encoding="utf-8")


def table(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_unfinished_games_are_listed(ask, state, version):
    listed = {match["id"]: told(match) for match in json.loads(ask("resume", "--json"))}
    matches = PINNED[version]["matches"].values()
    unfinished = {match["id"]: match for match in matches if match["result"] == "*"}
    assert listed.keys() == unfinished.keys()
    assert includes(listed, unfinished)
    assert ask.stderr == ""


@pytest.mark.parametrize(
    ("what", "move"), [("two people", "2"), ("pairs and a record", "2-3"), ("a time limit", "12")]
)
def test_a_game_between_people_goes_on(ask, saved, version, what, move):
    before = PINNED[version]["matches"][what]
    ask("resume", before["id"], "--record", "game.txt", typed=f"{move}\nquit\n")
    assert saved(before["id"])["moves"] == [*before["moves"], move]


@pytest.mark.parametrize(
    ("version", "what", "move"),
    [
        ("0.1.0", "against casual", "2"),
        ("0.1.0", "against perfect, who began", "4"),
        ("0.1.0", "against Expert in capitals", "6"),
        ("0.1.0", "against an engine", "5"),
        ("1.0.0", "against casual", "2"),
        ("1.0.0", "against perfect, who began", "5"),
        ("1.0.0", "against an expert with a name", "6"),
        ("1.0.0", "against a strength", "5"),
        ("1.0.0", "against an engine", "5"),
    ],
)
def test_the_computer_of_a_saved_game_answers(ask, saved, version, what, move):
    before = PINNED[version]["matches"][what]
    ask("resume", before["id"], "--vs", ENGINE, typed=f"{move}\nquit\n")
    *moves, _ = saved(before["id"])["moves"]
    assert moves == [*before["moves"], move]


def test_a_computer_goes_on_against_itself(ask, saved, version):
    before = PINNED[version]["matches"]["casual against itself, killed"]
    ask("resume", before["id"])
    after = saved(before["id"])
    assert after["termination"] == "no-moves"
    assert after["moves"][: len(before["moves"])] == before["moves"]


def test_a_record_that_was_begun_goes_on(ask, saved, tmp_path, version):
    shutil.copy(OLD / version / "records" / "game.txt", tmp_path)
    before = PINNED[version]["matches"]["pairs and a record"]
    ask("resume", before["id"], "--record", "game.txt", typed="2-3\nquit\n")
    record = told(json.loads(ask("replay", "game.txt", "--json")))
    assert record == saved(before["id"])
    assert record["moves"] == [*before["moves"], "2-3"]


def test_finished_games_are_replayed_and_reviewed(ask, state, version):
    for what, match in PINNED[version]["matches"].items():
        if match["result"] != "*":
            assert includes(told(json.loads(ask("replay", match["id"], "--json"))), match), what
            shown, review = ask("replay", match["id"]), ask("review", match["id"], "--json")
            assert all(name in shown for name in match["players"])
            assert len(json.loads(review)["moves"]) == len(match["moves"])


def test_record_files_say_what_they_said(ask, version):
    for name, pinned in PINNED[version]["records"].items():
        file = str(OLD / version / name)
        records = ask("replay", file, "--json").splitlines()
        assert includes([told(json.loads(record)) for record in records], pinned), name
        assert ask.stderr == ""
        assert len(ask("review", file, "--json").splitlines()) == len(records)


@pytest.mark.slow
@pytest.mark.parametrize(("version", "folder"), RUNS)
def test_a_results_folder_is_complete(ask, tmp_path, version, folder):
    there, out = OLD / version / folder, tmp_path / folder
    shutil.copytree(there, out)
    ask(*RUNS[version, folder], "--out", str(out), "--jobs", "1")
    for old in there.iterdir():
        if old.suffix == ".jsonl":
            assert read(out / old.name) == read(old), "nothing was played again"
        elif old.suffix == ".csv":
            assert includes(table(out / old.name), table(old))
        else:
            assert includes(json.loads(read(out / old.name)), json.loads(read(old)))


# What came after 0.1.0


@pytest.mark.parametrize("version", ["1.0.0"])
def test_a_duel_goes_on_with_its_score(ask, state, version):
    before = PINNED[version]["matches"]["the second game of a duel"]
    said = ask("resume", before["id"], typed="resign\ny\n8\nquit\n")
    assert "Game 2 of 3. So far: Ann 1, Bob 0." in said
    assert "Ann 1, Bob 1. Game 3 of 3: Ann moves first." in said
    assert "3 of 3, 1-1" in [match["duel"] for match in json.loads(ask("resume", "--json"))]


@pytest.mark.parametrize("version", ["1.0.0"])
def test_the_notebooks_are_remembered(ask, state, version):
    pinned = PINNED[version]["notebooks"]
    lesson, streak = pinned["lesson"], pinned["streak"]
    on = f"You go on with step {lesson['next step']}."
    assert on in ask("learn", lesson["game"], typed="quit\n")
    for day, said in pinned["daily"].items():
        assert said in ask("puzzle", "--daily", "--date", day).splitlines()
    assert Streak(state).current(date.fromisoformat(streak["day"])) == streak["in a row"]
    assert json.loads(ask("puzzle", "--mine", "--json"))["source"] == pinned["next mistake"]
    assert [*remembered(state)] == pinned["person"]


@pytest.mark.parametrize("version", ["1.0.0"])
def test_the_strength_of_a_matched_opponent_is_known(ask, state, version):
    match = PINNED[version]["matches"]["against the matched computer"]
    said = ask("resume", match["id"], typed="resign\ny\n")
    strength = PINNED[version]["notebooks"]["strength"]
    assert f"Your opponent is matched to you: strength {strength} of 100." in said
    assert "Next time your opponent here has strength 0." in said


@pytest.mark.parametrize("prompt", [2, 1], ids=["as it was", "its words are gone"])
def test_an_exam_that_was_sat_is_complete(ask, tmp_path, prompt):
    old, out = OLD / "1.0.0" / "exam-results", tmp_path / "out"
    shutil.copytree(old, out)
    plan = json.loads(read(out / "plan.json")) | {"prompt": prompt}
    (out / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    sitters = ("--exam", str(OLD / "1.0.0" / "exam"), *FAKE, "--player", "casual")
    sheet = ask("eval", *sitters, "--split", "test", "--out", str(out), "--jobs", "1", "--json")
    for lines in old.glob("*.jsonl"):
        assert read(out / lines.name) == read(lines), "nothing was asked again"
    rows = {row["sitter"]: row for row in json.loads(sheet)["sitters"]}
    assert includes(rows, PINNED["1.0.0"]["exam"])


@pytest.mark.parametrize("name", PINNED["1.0.0"]["proofs"])
def test_a_proof_still_proves(ask, name):
    checked = json.loads(ask("check", str(OLD / "1.0.0" / name), "--json"))
    assert checked["valid"]
    assert includes(checked, PINNED["1.0.0"]["proofs"][name])


@pytest.mark.slow
def test_a_game_of_ones_own_is_read_with_its_file(run, tmp_path):
    def ask(*args, typed=""):
        return run("--with", str(SQUARE_FILE), *args, typed=typed, cwd=tmp_path).stdout

    pinned = PINNED["1.0.0"]["own game"]
    shutil.copytree(OLD / "1.0.0" / "own-game", tmp_path, dirs_exist_ok=True)
    shutil.move(tmp_path / "matches", tmp_path / "state" / "duels" / "matches")
    for name, match in pinned["replayed"].items():
        assert includes(told(json.loads(ask("replay", name, "--json"))), match)
    ask("resume", match["id"], "--record", "square.txt", typed="1\nquit\n")
    *moves, _ = told(json.loads(ask("replay", "square.txt", "--json")))["moves"]
    assert moves == [*match["moves"], "1"]
    assert includes(json.loads(ask("check", "proof.json", "--json")), pinned["proof"])
