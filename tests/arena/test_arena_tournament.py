"""Tournaments: the same plan gives the same results, and nothing that was played is lost."""

from __future__ import annotations

import json
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pexpect
import pytest

from duels.core.errors import DuelsError
from duels.lab.arena.matches import read_result
from duels.match.records import read_records
from program import DUELS
from rings import by_ring

pytestmark = pytest.mark.slow

SMALL = ["--games", "number-line-duel:numbers=8", "divisor-duel:divisor=7", "--rounds", "2"]
MEDIUM = by_ring("number-duel:numbers=24", long="number-duel")
SCHEMAS = Path(__file__).parents[2] / "docs" / "reference" / "schemas"
THREE = ["--players", "perfect", "casual", "random"]


def lines_of(folder):
    return [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]


def timeless(lines):
    """The lines without what a clock says."""
    return [
        {k: v for k, v in line.items() if k not in ("date", "seconds", "origin")} for line in lines
    ]


@pytest.fixture
def arena(run, call, tmp_path):
    """Run a tournament into a folder: here if nothing is said about processes."""

    def run_arena(*args, out="out", code=0, **more):
        where = ["--out", str(tmp_path / out)]
        if more or "--jobs" in args:
            done = run("arena", *args, *where, **more)
        else:
            done = call("arena", *args, *where, "--jobs", "1")
        assert done.returncode == code, done.stderr
        return done

    return run_arena


def test_everybody_meets_everybody_with_each_side_first(arena, tmp_path):
    done = arena(*THREE, *SMALL, "--json")
    summary = json.loads(done.stdout)
    lines = lines_of(tmp_path / "out")
    assert summary["matches"] == len(lines) == 3 * 2 * 2 * 2
    firsts = [(line["player1"], line["player2"], line["label"], line["round"]) for line in lines]
    assert len(set(firsts)) == len(firsts)
    assert {(two, one, *rest) for one, two, *rest in firsts} == set(firsts)
    perfect = summary["players"][0]
    assert perfect["player"] == "perfect"
    assert perfect["choices"]["share"] == perfect["from_won"]["share"] == 1
    assert sum(perfect["blunders"].values()) == 0
    assert perfect["low"] <= perfect["rating"] <= perfect["high"]


def test_results_are_the_same_whatever_runs_them(arena, tmp_path):
    arena(*THREE, *SMALL, "--seed", "5", out="one")
    arena(*THREE, *SMALL, "--seed", "5", "--jobs", "2", out="two")
    arena(*THREE, *SMALL, "--seed", "6", out="other")
    one, two, other = (timeless(lines_of(tmp_path / name)) for name in ("one", "two", "other"))
    assert one == two
    assert [line["moves"] for line in one] != [line["moves"] for line in other]
    summaries = [
        json.loads((tmp_path / name / "summary.json").read_text()) for name in ("one", "two")
    ]
    for summary in summaries:
        del summary["origin"], summary["plan"]["origin"]
    assert summaries[0] == summaries[1]


def test_results_are_records_that_the_coach_grades_alike(arena, call, tmp_path):
    arena("--players", "novice", "expert", "--games", "number-chain-duel", "--rounds", "1")
    results = tmp_path / "out" / "results.jsonl"
    matches = list(read_records(results))
    assert not any(isinstance(match, DuelsError) for match in matches)
    done = call("review", str(results), "--json")
    for line, told in zip(lines_of(tmp_path / "out"), done.stdout.splitlines(), strict=True):
        for grade, step in zip(line["grading"], json.loads(told)["moves"], strict=True):
            assert grade["kept"] == (step["kind"] != "gave-away")


def test_the_summary_is_for_people_too_and_progress_is_not_on_stdout(arena):
    done = arena(*THREE, *SMALL)
    assert done.stdout.startswith("all games\nplayer   rating ")
    assert "24 matches: 2 rounds of number-line-duel:numbers=8, divisor-duel" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "divisor-duel:divisor=7" in done.stdout
    assert "report.html" in done.stderr


def test_the_report_opens_from_disk_with_nothing_from_elsewhere(charts, arena, tmp_path):
    arena("--players", "perfect", "<b>=random", *SMALL)
    page = (tmp_path / "out" / "report.html").read_text()
    assert page.count("<svg") == 9
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    outside = set(re.findall(r"https?://[^\"' ]+", page))
    assert outside == {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert not re.search(r"<(link|script|img)|src=|@import|(url\(|href=\")(?!#)", page)


def test_without_matplotlib_the_report_has_its_tables_and_says_what_to_install(
    arena, monkeypatch, tmp_path
):
    monkeypatch.setattr("duels.lab.reports.has_charts", lambda: False)
    arena(*THREE, *SMALL)
    page = (tmp_path / "out" / "report.html").read_text()
    assert "<svg" not in page
    assert page.count("<table>") >= 3
    assert "pip install &#x27;.[arena]&#x27;" in page


FIXED = """
def first(position):
    return position.legal_moves[0]

def last(position):
    return position.legal_moves[-1]
"""


@pytest.fixture
def fixed(tmp_path):
    """Two players that always play the same move in the same position."""
    file = tmp_path / "fixed.py"
    file.write_text(FIXED)
    return [f"{name}=py:{file}:{name}" for name in ("first", "last")]


def test_two_programs_begin_after_openings_each_with_both_sides(arena, fixed, tmp_path):
    games = ["--games", "number-line-duel", "number-chain-duel:numbers=20", "--rounds", "6"]
    arena("--players", *fixed, "random", *games)
    lines = lines_of(tmp_path / "out")
    drawn = [line for line in lines if "random" not in (line["player1"], line["player2"])]
    openings = Counter((line["label"], str(line["moves"][: line["given"]])) for line in drawn)
    assert {*openings.values()} == {2}
    assert [line["given"] > 0 for line in drawn] == [line["round"] > 1 for line in drawn]
    assert all(line["given"] == 0 for line in lines if line not in drawn)
    assert all(len(line["grading"]) == len(line["moves"]) - line["given"] for line in lines)
    assert len({str(line["moves"]) for line in drawn}) > 12
    assert not any(
        isinstance(one, DuelsError) for one in read_records(tmp_path / "out/results.jsonl")
    )


def test_more_rounds_resume_with_the_same_openings(arena, fixed, tmp_path):
    players = ["--players", *fixed, "--games", "number-line-duel"]
    arena(*players, "--rounds", "3")
    done = arena(*players, "--rounds", "5")
    assert "6 of 10 matches are already saved." in done.stderr
    steps = timeless(lines_of(tmp_path / "out"))
    arena(*players, "--rounds", "5", out="once")
    assert steps == timeless(lines_of(tmp_path / "once"))


def test_repeated_games_are_counted_and_reported(arena, fixed, tmp_path):
    players = ["--players", *fixed, "--games", "number-line-duel:numbers=2", "--rounds", "30"]
    done = arena(*players)
    assert "2 distinct of 60" in done.stdout
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert (summary["matches"], summary["distinct"]) == (60, 2)
    (repeated,) = summary["repeated"]
    assert repeated | {"players": 2} == {
        "game": "number-line-duel:numbers=2",
        "players": 2,
        "matches": 60,
        "distinct": 2,
    }
    for row in summary["players"]:
        low, high = row["won"]["interval"]
        assert low < 0.2
        assert high > 0.8
    assert "2 distinct of 60" in (tmp_path / "out" / "report.html").read_text()


def test_a_player_who_never_loses_is_shown_with_a_bound(arena, tmp_path):
    players = ["--players", "perfect", "random", "two=random"]
    done = arena(*players, "--games", "number-line-duel", "--rounds", "3")
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    best = summary["players"][0]
    assert (best["player"], best["won"]["share"], best["rating"], best["high"]) == (
        "perfect",
        1,
        None,
        None,
    )
    shown = f"≥ {best['low']}"
    assert f"perfect  {shown}" in done.stdout
    for name in ("report.html", "report.md"):
        assert shown in (tmp_path / "out" / name).read_text()


def test_a_report_says_what_it_is_of_and_who_made_it(arena, tmp_path):
    arena(*THREE, *SMALL, "--seed", "3")
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary["origin"]["seed"] == 3
    for name in ("report.html", "report.md"):
        text = (tmp_path / "out" / name).read_text()
        for part in ("Arena", summary["origin"]["package"], summary["origin"]["date"][:10]):
            assert part in text
        assert summary["hash"] in text
        assert "Conditions" in text


def test_every_file_fits_its_published_schema(arena, call, tmp_path):
    jsonschema = pytest.importorskip("jsonschema")
    arena(*THREE, "bad=py:math:sqrt", *SMALL)
    done = call(
        "atlas", "number-line-duel", "--max", "3", "--jobs", "1", "--out", f"{tmp_path}/atlas"
    )
    assert done.returncode == 0
    files = {
        "arena-plan": [json.loads((tmp_path / "out" / "plan.json").read_text())],
        "arena-result": lines_of(tmp_path / "out"),
        "arena-summary": [json.loads((tmp_path / "out" / "summary.json").read_text())],
        "atlas-plan": [json.loads((tmp_path / "atlas" / "plan.json").read_text())],
        "atlas-result": lines_of(tmp_path / "atlas"),
    }
    for name, values in files.items():
        schema = json.loads((SCHEMAS / f"{name}.json").read_text())
        for value in values:
            jsonschema.validate(value, schema)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({}, schema)


def test_the_same_command_resumes_the_run(arena, tmp_path):
    arena(*THREE, *SMALL)
    results = tmp_path / "out" / "results.jsonl"
    whole = results.read_text().splitlines(keepends=True)
    results.write_text("".join(whole[:10]) + whole[10][:50])
    before = timeless(map(json.loads, whole))
    done = arena(*THREE, *SMALL)
    assert "10 of 24 matches are already saved; 1 damaged" in done.stderr
    assert timeless(lines_of(tmp_path / "out")) == before


LOST = {"player": 1, "reason": "late", "detail": ""}
DAMAGES = [
    {"key": 5},
    {"label": "another"},
    {"player1": "somebody"},
    {"player2": ["perfect"]},
    {"round": "1"},
    {"round": float("inf")},
    {"result": "*"},
    {"result": "1:0"},
    {"result": []},
    {"moves": None},
    {"moves": []},
    {"grading": None},
    {"grading": [{"legal": 1}]},
    {"moves": [1], "grading": [{"legal": 1, "winning": "0", "kept": True}]},
    {"forfeit": "late"},
    {"forfeit": LOST | {"player": 3}},
    {"forfeit": LOST | {"reason": "bored"}},
    {"forfeit": LOST | {"detail": None}},
]


def test_damaged_and_foreign_lines_are_counted_and_played_again(arena, tmp_path):
    arena(*THREE, *SMALL)
    results = tmp_path / "out" / "results.jsonl"
    whole = lines_of(tmp_path / "out")
    damaged = [line | damage for line, damage in zip(whole, DAMAGES, strict=False)]
    others = [{}, [], None, {"key": whole[23]["key"]}]
    texts = [json.dumps(line) for line in [*damaged, *whole[len(DAMAGES) :], *others]]
    results.write_text("\n".join(texts))
    done = arena(*THREE, *SMALL)
    count = f"{24 - len(DAMAGES)} of 24 matches are already saved; {len(DAMAGES) + 4} damaged"
    assert count in done.stderr
    assert timeless(lines_of(tmp_path / "out")) == timeless(whole)


def test_a_line_is_written_as_it_was_read(arena, tmp_path):
    arena(*THREE, *SMALL)
    for line in lines_of(tmp_path / "out"):
        del line["origin"], line["key"]
        assert json.dumps(read_result(line).data()) == json.dumps(line)


def test_a_player_called_expert_may_be_another_one(arena, tmp_path):
    arena("--players", "perfect", "expert=random", *SMALL)
    lines = lines_of(tmp_path / "out")
    assert {line["computer1"] for line in lines if line["player1"] == "expert"} == {"random"}
    match = next(read_records(tmp_path / "out" / "results.jsonl"))
    assert [*match.seats] == [("perfect", "perfect"), ("expert", "random")]


def test_ctrl_c_saves_the_matches_played_and_says_how_to_continue(spawn, run, tmp_path):
    args = ["--players", "perfect", "expert", "--games", MEDIUM, "--rounds", "200"]
    args += ["--out", str(tmp_path / "out")]
    child = spawn("arena", *args)
    child.expect(r"[1-9]\d* of 400 matches \(\d+%\)")
    second = run("arena", *args)
    assert second.returncode == 1
    assert f"Another run is writing into {tmp_path / 'out'}." in second.stderr
    child.sendintr()
    saved = r"(\d+) of 400 matches (?:is|are) saved"
    child.expect(rf"Stopped. {saved}. To continue:\s+(duels arena [^\r]*)")
    kept, command = int(child.match[1]), child.match[2]
    assert shlex.split(command)[1:] == ["arena", *args]
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 130
    assert len(lines_of(tmp_path / "out")) == kept > 0


def test_ctrl_c_leaves_no_warning_of_pythons_own(environment, tmp_path):
    args = ["--players", "perfect", "expert", "--games", MEDIUM, "--rounds", "200", "--jobs", "2"]
    process = subprocess.Popen(
        [*DUELS, "arena", *args, "--out", str(tmp_path / "out")],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_until(lambda: (tmp_path / "out/results.jsonl").exists())
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers too
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "saved. To continue:" in said
    assert "Warning" not in said


WAITING = """
import os, pathlib, time
folder = pathlib.Path(__file__).parent
results, go = folder / "out" / "results.jsonl", folder / "go"
matches = 0

def waits(position):
    global matches
    matches += len(position.moves) < 2
    if matches == 2 and not go.exists():
        wait_for(lambda: results.exists() and results.stat().st_size)
        (folder / "moving").write_text(str(os.getpid()))
        wait_for(go.exists)
    return position.legal_moves[0]

def wait_for(condition):
    while not condition():
        time.sleep(0.02)
"""
"""A player that waits in the second match of its process, when a result has been saved."""


def test_a_worker_that_is_killed_loses_nothing(environment, tmp_path):
    """It is killed in the middle of a match, and another one plays that match."""
    player = tmp_path / "waiting.py"
    player.write_text(WAITING)
    args = ["--players", f"waits=py:{player}:waits", "random", "--games", "number-line-duel"]
    rounds = by_ring(5, long=8)
    args += ["--rounds", str(rounds)]
    command = [*DUELS, "arena", *args, "--jobs", "2", "--out", str(tmp_path / "out")]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    moving = tmp_path / "moving"
    wait_until(lambda: moving.exists() and moving.read_text())
    os.kill(int(moving.read_text()), signal.SIGKILL)
    (tmp_path / "go").touch()
    assert process.wait(timeout=300) == 0
    lines = lines_of(tmp_path / "out")
    assert len(lines) == 2 * rounds
    assert not any(line["forfeit"] for line in lines)


def wait_until(question, seconds=30):
    deadline = time.monotonic() + seconds
    while not question():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_folder_of_another_tournament_is_refused(arena, tmp_path):
    arena(*THREE, *SMALL)
    before = (tmp_path / "out" / "results.jsonl").read_bytes()
    done = arena(*THREE, *SMALL, "--seed", "9", code=1)
    assert "has the results of another run (different: seed)" in done.stderr
    assert (tmp_path / "out" / "results.jsonl").read_bytes() == before


def test_a_folder_of_another_kind_of_run_is_refused_in_one_word(arena, call, tmp_path):
    call("atlas", "number-line-duel", "--max", "3", "--out", str(tmp_path / "out"))
    done = arena(*THREE, *SMALL, code=1)
    assert "has the results of another run (different: kind of run)." in done.stderr


def test_a_folder_of_another_version_is_refused(arena, tmp_path):
    arena(*THREE, *SMALL)
    plan = tmp_path / "out" / "plan.json"
    plan.write_text(plan.read_text().replace('"version": 1', '"version": 2'))
    done = arena(*THREE, *SMALL, code=1)
    assert f"{plan} cannot be read: it has version 2, and this program reads" in done.stderr


def test_a_full_disk_is_a_sentence_and_results_so_far_stay_saved(arena, tmp_path):
    def almost_full():
        resource.setrlimit(resource.RLIMIT_FSIZE, (4_000, 4_000))

    done = arena(*THREE, *SMALL, "--jobs", "1", code=1, preexec_fn=almost_full)
    assert "results.jsonl cannot be written: File too large" in done.stderr
    assert "To continue:\nduels arena" in done.stderr
    kept = len(lines_of(tmp_path / "out"))
    assert 0 < kept < 24
    assert f"{kept} of 24 matches are already saved." in arena(*THREE, *SMALL).stderr


def test_bad_engines_forfeit_and_the_reasons_are_counted(arena, tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text(
        "import sys\nfor line in sys.stdin:\n  print('ugiok\\nreadyok', flush=True)\n"
        "  if line.startswith('go'): print('bestmove 99', flush=True)\n"
    )
    dead = tmp_path / "dead.py"
    dead.write_text("raise SystemExit(3)")
    players = [f"bad=ugi:{sys.executable} {bad}", f"dead=ugi:{sys.executable} {dead}"]
    done = arena(
        "--players", "random", *players, "--games", "number-line-duel", "--rounds", "1", "--json"
    )
    rows = {row["player"]: row for row in json.loads(done.stdout)["players"]}
    assert rows["bad"]["forfeits"]["illegal"] >= 2
    assert rows["dead"]["forfeits"]["crash"] >= 3
    assert rows["random"]["won"]["count"] == 4
    lost = [line["forfeit"]["detail"] for line in lines_of(tmp_path / "out")]
    assert any("99 is not on the line" in detail for detail in lost)
    assert any("exit code 3" in detail for detail in lost)
    assert "Forfeits" in (tmp_path / "out" / "report.html").read_text()


@pytest.mark.parametrize(
    ("args", "code", "sentence"),
    [
        (("--players", "perfect", "grandmaster"), 2, 'no player "grandmaster"'),
        (("--players", "perfect"), 2, "at least two players"),
        (("--players", "perfect", "perfect"), 2, "plays already"),
        (("--players", "perfect", "perfect=random"), 2, "plays already"),
        (("--players", "perfect", "ugi:no-such-program"), 2, "not a program"),
        (("--players", "perfect", "llm:somebody"), 2, 'Inspect cannot use the model "somebody"'),
        (("--players", "perfect", " =random"), 2, "empty name"),
        (("--players", "perfect", "random", "--games", "chess"), 2, 'no game "chess"'),
        (("--players", "perfect", "random", "--games", "divisor-duel"), 2, "divisor-duel needs"),
        (("--players", "perfect", "random", "--games", "number-duel:numbers=0"), 2, "from 1"),
        (("--players", "perfect", "random", "--rounds", "0"), 2, "--rounds"),
        (("--players", "perfect", "random", "--cluster", "nonsense"), 1, "given like tcp://"),
    ],
)
def test_an_error_is_a_sentence_with_its_exit_code(arena, tmp_path, args, code, sentence):
    done = arena(*args, code=code)
    assert sentence in done.stderr
    assert done.stdout == ""
    assert not (tmp_path / "out").exists()


def test_a_missing_extra_is_a_kind_sentence(arena, environment, tmp_path):
    (tmp_path / "numpy.py").write_text("raise ImportError")
    done = arena(*THREE, env=environment | {"PYTHONPATH": str(tmp_path)}, code=1)
    assert "pip install '.[arena]'" in done.stderr
