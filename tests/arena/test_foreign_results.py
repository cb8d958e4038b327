"""Results folders edited by others: damaged results are computed again, with a sentence."""

from __future__ import annotations

import json
import os
from typing import NamedTuple

import pytest

import duels
from duels.lab.arena.matches import read_result
from duels.lab.atlas import read_row
from duels.lab.results_folder import PLAN, RESULTS, FolderError, ResultsFolder
from rings import all_if_long

ODD = [None, 5, -1, 10**400, "x", [], {}, True, float("nan"), 1e999, "\x1b[2J", ["a"], [10**400]]
LINE = {"legal": 3, "winning": 1, "kept": True}
ORIGIN = '{"package": "x 1", "date": "2026-01-01T00:00:00Z", "seed": null, "licence": "MIT"}'
PLAN_TEXT = f'{{"version": 1, "kind": "test", "origin": {ORIGIN}}}'


class Said(dict):
    """A result that is as it was written, under one key."""

    key = "1"

    def data(self):
        return {**self}


@pytest.fixture
def played(call, tmp_path):
    """A small tournament: run it (again), and what it has left."""
    out = tmp_path / "out"
    args = ["--players", "perfect", "random", "--games", "number-line-duel:numbers=4"]

    def run_again(code=0):
        done = call("arena", *args, "--rounds", "1", "--jobs", "1", "--out", str(out))
        assert done.returncode == code, done.stderr
        return done

    run_again()
    return run_again, out


def told(out):
    lines = [json.loads(line) for line in (out / RESULTS).read_text().splitlines()]
    timed = ("date", "seconds", "origin")
    return [{k: v for k, v in line.items() if k not in timed} for line in lines]


@pytest.mark.slow
def test_edited_lines_of_a_tournament_are_played_again(played):
    run_again, out = played
    true = told(out)
    first, *rest = (out / RESULTS).read_text().splitlines()
    line = json.loads(first)
    renamed = line | {"player1": "Zed", "key": line["key"].replace("perfect", "Zed")}
    swapped = line | {"player1": line["player2"], "player2": line["player1"]}
    graded = [line | {"grading": [LINE | {name: odd}]} for name in LINE for odd in ODD]
    edited = [line | {name: odd} for name in line for odd in ODD if name not in ("date", "seconds")]
    for damaged in ([renamed], [swapped], graded, edited):
        damaged = [one for one in damaged if not is_as_we_write_it(one, read_result)]
        written = [*map(json.dumps, damaged), "[" * 50_000, "\x1b[2J", *rest]
        (out / RESULTS).write_text("\n".join(written) + "\n")
        assert "\x1b" not in run_again().stderr
        assert told(out) == true


def is_as_we_write_it(data, read):
    """Some fields may have other values: nothing is made of them, or they could be true."""
    data = {**data}
    if data.pop("origin", None) is None:
        return False
    try:
        key = data.pop("key")
        result = read(data)
        return (result.key, result.data()) == (key, data)
    except Exception:
        return False


@pytest.mark.parametrize(
    "change",
    [
        {"grading": [LINE | {"winning": 4}]},
        {"grading": [LINE | {"legal": 3.0}]},
        {"grading": [LINE | {"kept": 1}]},
        {"round": True},
    ],
)
def test_a_line_that_no_match_leaves_is_damaged(change):
    line = {
        "label": "g",
        "round": 1,
        "player1": "a",
        "player2": "b",
        "result": "1-0",
        "moves": [1],
        "grading": [LINE],
        "forfeit": None,
    }
    assert read_result(line).data() == line
    with pytest.raises((ValueError, KeyError)):
        read_result(line | change)


@pytest.mark.parametrize("odd", [-1, 1.0, True, 10**400, "1", None])
def test_a_row_of_an_atlas_that_counts_nothing_is_damaged(odd):
    row = {"size": 3, "winner": 1, "openings": 3, "winning": 1}
    row |= {"winning_openings": ["2"], "more": 7}
    assert read_row(row, ["more"]).data() == row
    for name in ("size", "winner", "openings", "more"):
        with pytest.raises((ValueError, TypeError)):
            read_row(row | {name: odd}, ["more"])


@pytest.mark.slow
def test_edited_rows_of_an_atlas_are_worked_out_again(call, tmp_path):
    args = ("atlas", "number-line-duel", "--max", "3", "--jobs", "1", "--out", str(tmp_path))
    assert call(*args).returncode == 0
    before = told(tmp_path)
    first, *rest = (tmp_path / RESULTS).read_text().splitlines()
    row = json.loads(first)
    edited = [row | {name: odd} for name in row for odd in ODD]
    damaged = [
        one for one in edited if not is_as_we_write_it(one, lambda row: read_row(row, ["grundy"]))
    ]
    assert len(damaged) > len(edited) / 2
    (tmp_path / RESULTS).write_text("\n".join([*map(json.dumps, damaged), *rest]) + "\n")
    assert call(*args).returncode == 0
    assert told(tmp_path) == before


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        ("[" * 200_000, "it is not JSON"),
        ("9" * 5000, "it is not JSON"),
        ("", "it is not JSON"),
        ("null", "is not a plan"),
        ('{"kind": "test"}', "it has no version"),
        ('{"kind": "test", "version": 2}', "it has version 2, and this program reads version 1"),
        ('{"version": 1, "kind": "test", "more": null}', r"another run \(different: origin and m"),
        ('{"version": 1, "kind": ["x"]}', "has the results of another run"),
    ],
)
def test_a_strange_plan_is_a_sentence(tmp_path, plan, sentence):
    (tmp_path / PLAN).write_text(plan)
    (tmp_path / RESULTS).write_text("{}\n")
    with pytest.raises(FolderError, match=sentence):
        ResultsFolder(tmp_path, {"kind": "test"}, read_result).open()


@pytest.mark.parametrize("name", [PLAN, RESULTS])
def test_a_pipe_in_a_results_folder_is_a_sentence(tmp_path, name):
    (tmp_path / RESULTS).write_text("{}\n")
    (tmp_path / PLAN).write_text(PLAN_TEXT)
    (tmp_path / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / name)
    folder = ResultsFolder(tmp_path, {"kind": "test"}, read_result)
    with pytest.raises(FolderError, match="not a regular file"):
        folder.open()
    if name == RESULTS:
        with pytest.raises(FolderError, match="cannot be written"):
            folder.add([Said()])


# Links


def point_elsewhere(path, victim):
    """Put a link in place of a file or a folder; it leads to what was there before."""
    path.rename(victim)
    path.symlink_to(victim)


def content_of(path):
    files = [path] if path.is_file() else sorted(path.iterdir())
    return [(file.name, file.read_bytes()) for file in files]


LINE_4 = "number-line-duel:numbers=4"
ARENA = ("arena", "--players", "perfect", "random", "--games", LINE_4, "--rounds", "1")
ATLAS = ("atlas", "number-line-duel", "--max", "3")
EXAM = ("exam", "make", "--games", "number-line-duel:numbers=6", "--positions", "10", "--proofs")


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    all_if_long([ARENA, ATLAS, EXAM, ("run",)], ARENA, ("run",)),
    ids=lambda words: words[0],
)
def test_nothing_in_a_results_folder_is_written_through_a_link(call, tmp_path, command):
    out, victim = tmp_path / "out", tmp_path / "victim"
    if command == ("run",):
        exam = str(tmp_path / "exam")
        assert call(*EXAM, "--jobs", "1", "--out", exam).returncode == 0
        command = ("exam", "run", exam)
    args = (*command, "--jobs", "1", "--out", str(out))
    assert call(*args).returncode == 0
    for name in sorted(path.name for path in out.iterdir()):
        point_elsewhere(out / name, victim)
        before = content_of(victim)
        done = call(*args)
        assert (done.returncode, done.stderr.count("cannot be written")) == (1, 1), name
        last = done.stderr.splitlines()[-1]
        assert last == f"Error: {out / name} cannot be written: it is a symbolic link."
        assert content_of(victim) == before
        (out / name).unlink()
        victim.rename(out / name)
    assert call(*args).returncode == 0


@pytest.mark.parametrize("name", [PLAN, RESULTS, ".lock"])
def test_a_link_is_refused_before_anything_is_played(tmp_path, name):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).symlink_to(tmp_path / "made")
    folder = ResultsFolder(tmp_path / "out", {"kind": "test"}, read_result)
    with pytest.raises(FolderError, match="it is a symbolic link"), folder:
        pass
    assert not (tmp_path / "made").exists()


def test_a_link_in_a_folder_below_is_refused(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "test.jsonl").symlink_to(tmp_path / "made")
    with pytest.raises(FolderError, match=r"test\.jsonl cannot be written: it is a symbolic link"):
        ResultsFolder(tmp_path, {}, read_result).write("data/test.jsonl", "x")
    assert not (tmp_path / "made").exists()


def test_the_results_folder_itself_may_be_a_link(tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "disk")
    with ResultsFolder(tmp_path / "out", {"kind": "test"}, read_result) as folder:
        folder.open()
    assert (tmp_path / "disk" / PLAN).is_file()


def test_half_a_character_is_written_as_json_writes_it(tmp_path):
    (tmp_path / PLAN).write_text(PLAN_TEXT)
    (tmp_path / RESULTS).write_text(f'{{"key": "1", "detail": "\\ud800", "origin": {ORIGIN}}}\n')
    with ResultsFolder(tmp_path, {"kind": "test"}, Said) as folder:
        lines = [*folder.open().values()]
        folder.add(lines)
        folder.write_in_order(lines)
        folder.write_data("summary.json", lines)
        assert folder.open() == {"1": {"detail": "\ud800"}}
    assert json.loads((tmp_path / "summary.json").read_text())[0]["detail"] == "\ud800"


def test_a_line_may_contain_characters_that_end_lines_elsewhere(tmp_path):
    with ResultsFolder(tmp_path, {"kind": "test"}, Said) as folder:
        folder.open()
        folder.add([Said(detail="a\u2028b\x85c")])
    again = ResultsFolder(tmp_path, {"kind": "test"}, Said)
    assert again.open() == {"1": {"detail": "a\u2028b\x85c"}}
    assert again.damaged == 0


def test_the_plan_and_every_line_name_their_origin(tmp_path):
    with ResultsFolder(tmp_path, {"kind": "test", "seed": 7}, Said) as folder:
        folder.open()
        folder.add([Said()])
    line = json.loads((tmp_path / RESULTS).read_text())
    plan = json.loads((tmp_path / PLAN).read_text())
    assert line["origin"] == plan["origin"]
    assert plan["origin"] | {"date": ""} == {
        "package": f"number-duels {duels.__version__}",
        "date": "",
        "seed": 7,
        "licence": "MIT",
    }


def test_a_resumed_run_keeps_the_origin_of_earlier_results(tmp_path):
    (tmp_path / PLAN).write_text(PLAN_TEXT)
    (tmp_path / RESULTS).write_text(f'{{"key": "1", "origin": {ORIGIN}}}\n')
    with ResultsFolder(tmp_path, {"kind": "test"}, lambda data: Named("1")) as folder:
        folder.open()
        folder.add([Named("2")])
        folder.write_in_order([Named("1"), Named("2")])
    lines = [json.loads(line) for line in (tmp_path / RESULTS).read_text().splitlines()]
    assert [line["origin"]["package"] for line in lines] == [
        "x 1",
        f"number-duels {duels.__version__}",
    ]
    assert folder.plan["origin"] == json.loads(ORIGIN)


class Named(NamedTuple):
    """A result that has only a key."""

    key: str

    def data(self):
        return {}
