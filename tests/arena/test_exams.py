"""Exams: the labels are exact, the splits share nothing, and every question is asked once."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from random import Random
from xml.etree import ElementTree

import pytest
from fake_server import FakeServer, completion, first_legal, slow

import duels
from duels.lab.exam.dataset import read_exam
from duels.lab.exam.items import ExamError, check_labels, hash_of, read_item
from duels.lab.exam.report import chart
from duels.lab.exam.sampling import other_options
from duels.match.players.prompt import digest
from duels.theory import winning_moves
from duels.theory.distance import Distance
from program import DUELS
from rings import only_long

pytestmark = pytest.mark.slow

BOARDS = ["number-line-duel:numbers=9", "divisor-duel:divisor=12", "number-duel:numbers=12"]
ENGINE = f"ugi:{sys.executable} -m duels engine --level perfect"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """An exam that was made by the command, and what it said."""
    from click.testing import CliRunner

    from duels.cli import main

    def make(name, *args):
        out = tmp_path_factory.mktemp("exams") / name
        args = ["exam", "make", "--games", *BOARDS, *args, "--jobs", "1", "--out", str(out)]
        done = CliRunner().invoke(main, args)
        assert done.exit_code == 0, done.output
        return out

    return make


@pytest.fixture(scope="module")
def exam(made):
    return made("one", "--positions", "90", "--seed", "1", "--proofs", "--search", "20000")


def rows_of(exam):
    return {
        path.stem: [json.loads(line) for line in path.read_text().splitlines()]
        for path in (exam / "data").glob("*.jsonl")
    }


def all_rows(exam):
    return [row for rows in rows_of(exam).values() for row in rows]


@pytest.fixture
def take_exam(call, exam, tmp_path):
    """The summary of an exam; `answer` is what the model says."""

    def run_exam(*args, answer=None, out="out", code=0):
        with FakeServer(answer or (lambda asked, _: first_legal(asked))) as server:
            models = ["--model", "fake", "--base-url", server.url] if answer else []
            where = ["--exam", str(exam), "--out", str(tmp_path / out), "--jobs", "1"]
            done = call("eval", *where, *models, *args, "--json")
        assert done.returncode == code, done.stderr
        run_exam.requests, run_exam.stderr = server.requests, done.stderr
        summary = json.loads(done.stdout) if done.stdout else {"players": []}
        return {row["player"]: row for row in summary["players"]} | {"summary": summary}

    return run_exam


def test_every_label_is_true_and_every_choice_matters(exam):
    rows = all_rows(exam)
    assert len(rows) == 90
    for row in rows:
        game = duels.game(row["game"], **row["options"])
        here = game.position(*row["moves"])
        right = [*map(game.format, winning_moves(here))]
        assert row["winning_moves"] == right
        assert 0 < len(right) < len(row["legal_moves"]) == here.legal_count
        assert row["winning_share"] == pytest.approx(len(right) / here.legal_count, abs=1e-6)
        assert (row["value"], row["size"]) == (1, game.size)
        assert row["id"] == hash_of(here)


def test_the_end_is_as_far_as_the_slow_way_says(exam):
    def far(here):
        if here.outcome:
            return 0
        wins = winning_moves(here)
        ends = [1 + far(here.play(move)) for move in wins or here.legal_moves]
        return min(ends) if wins else max(ends)

    short = [row for row in all_rows(exam) if len(row["legal_moves"]) <= 6]
    for row in Random(1).sample(short, 15):
        here = duels.game(row["game"], **row["options"]).position(*row["moves"])
        assert row["plies"] == far(here)


def test_a_search_that_is_too_long_says_nothing():
    here = duels.game("number-line-duel", numbers=40).start()
    assert Distance(500).plies(here) is None


def test_splits_share_no_position_and_held_out_boards_are_new(exam):
    rows = rows_of(exam)
    ids = [row["id"] for split in rows.values() for row in split]
    assert len({*ids}) == len(ids)
    boards = {s: {(r["game"], json.dumps(r["options"])) for r in part} for s, part in rows.items()}
    assert boards["test"] <= boards["train"]
    sizes = {(row["game"], row["size"]) for row in rows["train"]}
    assert not sizes & {(row["game"], row["size"]) for row in rows["test_sizes"]}
    criteria = {row["options"].get("criteria") for row in rows["train"]}
    assert not criteria & {row["options"]["criteria"] for row in rows["test_options"]}


def test_held_out_options_are_those_that_a_game_declares():
    known = {duels.game("sequence-duel", numbers=9), duels.game("sequence-duel", opening="even")}
    held = {other for playing in known for other in other_options(playing, known)}
    assert held == {
        duels.game("sequence-duel", numbers=9, opening="even"),
        duels.game("sequence-duel", opening="any"),
    }
    one = duels.game("number-duel", criteria="factor")
    assert next(other_options(one, {one})).options["criteria"].startswith("factor,")
    only_size = duels.game("number-line-duel")
    assert not [*other_options(only_size, {only_size})]


def test_without_pyarrow_there_is_no_parquet_and_a_sentence(call, monkeypatch, tmp_path):
    find = importlib.util.find_spec
    without = lambda name, *args: None if name == "pyarrow" else find(name, *args)  # noqa: E731
    monkeypatch.setattr(importlib.util, "find_spec", without)
    monkeypatch.setattr("duels.lab.exam.dataset.find_spec", without)
    args = ["--games", "number-line-duel:numbers=6", "--positions", "10", "--jobs", "1"]
    done = call("exam", "make", *args, "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    assert "Without pyarrow there is no Parquet." in done.stderr
    assert {path.suffix for path in (tmp_path / "out" / "data").iterdir()} == {".jsonl"}
    assert "data/test.jsonl" in (tmp_path / "out" / "README.md").read_text()


def test_an_exam_is_balanced_and_so_is_its_beginning(exam):
    train = rows_of(exam)["train"]
    for part in (train, train[:30]):
        games = Counter(row["game"] for row in part)
        assert max(games.values()) - min(games.values()) <= 1
        assert {row["phase"] for row in part} == {"opening", "middle", "end"}
        assert {row["difficulty"] for row in part} == {"easy", "medium", "hard"}


@pytest.mark.long
def test_the_same_seed_makes_the_same_exam(exam, made):
    args = ("--positions", "40", "--search", "100")
    one, two, other = (
        made(name, *args, "--seed", seed) for name, seed in zip("abc", "112", strict=True)
    )
    hashes = [json.loads((path / "exam.json").read_text())["hash"] for path in (one, two, other)]
    assert hashes[0] == hashes[1] != hashes[2]


def test_equal_positions_have_equal_hashes():
    line = duels.game("number-line-duel")
    assert hash_of(line.position("1", "5")) == hash_of(line.position("5", "1"))
    assert hash_of(line.position("1")) != hash_of(line.position("2"))
    chain = duels.game("number-chain-duel")
    assert hash_of(chain.position("4", "2")) != hash_of(chain.position("2", "4"))


def test_hubs_can_read_it(exam):
    import pyarrow.parquet as parquet

    card = (exam / "README.md").read_text()
    for split, path in re.findall(r"- split: (\w+)\n    path: (\S+)", card):
        table = parquet.read_table(exam / path)
        rows = rows_of(exam)[split]
        assert table["id"].to_pylist() == [row["id"] for row in rows]
        assert table["prompt"].to_pylist() == [row["prompt"] for row in rows]
        assert str(table.schema.field("plies").type) == "int64"
        assert str(table.schema.field("moves").type).startswith("list<")


def test_every_label_has_its_proof(exam, call):
    proofs = [*(exam / "proofs").iterdir()]
    assert {path.stem for path in proofs} == {row["id"] for row in all_rows(exam)}
    for path in Random(1).sample(proofs, 5):
        assert call("check", str(path)).returncode == 0


def test_players_sit_beside_the_levels_and_exact_chance(take_exam):
    summary = take_exam("--player", "random", ENGINE, "--positions", "20")
    assert summary["perfect"]["share"] == summary[ENGINE]["share"] == 1.0
    assert summary["summary"]["random"] == summary["random"]["random"] < 1
    assert summary["novice"]["share"] < 1
    assert summary["perfect"]["corrected"] == 1.0


def test_python_code_sits_an_exam(take_exam, tmp_path):
    agent = tmp_path / "agent.py"
    agent.write_text("def last(position):\n    return position.legal_moves[-1]\n")
    spec = f"py:{agent}:last"
    summary = take_exam("--player", spec, "--positions", "8")
    assert summary[spec]["positions"] == 8
    assert summary[spec]["legal"]["share"] == 1.0


def test_a_model_is_asked_each_question_once(take_exam, exam, tmp_path):
    summary = take_exam(answer=lambda asked, _: first_legal(asked), out="a")
    questions = rows_of(exam)["test"]
    assert len(take_exam.requests) == len(questions) == summary["fake"]["positions"]
    first = sum(row["legal_moves"][0] in row["winning_moves"] for row in questions)
    assert summary["fake"]["right"] == first
    assert summary["fake"]["legal"]["share"] == 1.0
    assert summary["fake"]["tokens_in"] == 100 * len(questions)
    low, high = summary["fake"]["interval"]
    assert low < summary["fake"]["share"] < high
    take_exam(answer=lambda *_: "MOVE: 1", out="a", code=1)  # another address: another run
    assert "different: base_url" in take_exam.stderr
    assert sum(part["positions"] for part in summary["fake"]["by"]["game"].values()) == len(
        questions
    )


def test_what_was_asked_is_the_prompt_of_the_exam(take_exam, exam):
    take_exam(answer=lambda asked, _: first_legal(asked))
    asked = {json.dumps(request["messages"]) for request in take_exam.requests}
    assert asked == {json.dumps(row["prompt"]) for row in rows_of(exam)["test"]}


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("I do not know.", "unreadable"),
        ("MOVE: 999", "illegal"),
        (completion(None, refusal="No."), "refused"),
    ],
)
def test_a_bad_answer_is_wrong_and_not_asked_for_again(take_exam, reply, kind):
    summary = take_exam("--positions", "6", answer=lambda *_: reply)
    assert len(take_exam.requests) == 6
    assert (summary["fake"]["positions"], summary["fake"]["right"]) == (6, 0)
    assert summary["fake"]["answers"][kind]["count"] == 6


def test_running_out_of_time_is_wrong(take_exam):
    summary = take_exam("--positions", "3", "--time-limit", "0.3", answer=lambda *_: slow(2))
    assert summary["fake"]["answers"]["time"]["count"] == 3
    assert (summary["fake"]["positions"], summary["fake"]["failed"]) == (3, 0)


def test_what_the_server_spoils_is_asked_again_and_nothing_else(call, exam, tmp_path):
    healthy = []

    def answer(asked, number):
        return first_legal(asked) if healthy or number % 2 else (500, {}, "{}")

    with FakeServer(answer) as server:
        args = ["--exam", str(exam), "--model", "fake", "--base-url", server.url, "--json"]
        args += ["--out", str(tmp_path / "out"), "--positions", "10", "--server-retries", "0"]
        first = json.loads(call("eval", *args, "--jobs", "1").stdout)["players"][0]
        assert first["positions"] + first["failed"] == 10
        assert first["failed"] > 0
        healthy.append(True)
        asked = len(server.requests)
        second = json.loads(call("eval", *args, "--jobs", "1").stdout)["players"][0]
        assert (second["positions"], second["failed"]) == (10, 0)
        assert len(server.requests) - asked == first["failed"]
        more = call("eval", *args[:-4], "--positions", "15", "--server-retries", "0", "--jobs", "1")
        assert more.returncode == 0, more.stderr
        assert len(server.requests) - asked == first["failed"] + 5
    said = (tmp_path / "out" / "transcripts.jsonl").read_text().splitlines()
    assert len(said) == len(server.requests)
    assert {"served", "fingerprint", "finish", "tokens_reasoning"} <= json.loads(said[0]).keys()


def test_requests_are_under_way_at_the_same_time(take_exam):
    import threading

    together = threading.Barrier(6, timeout=20)  # every answer waits for five others

    def answer(asked, _):
        together.wait()
        return first_legal(asked)

    summary = take_exam("--positions", "12", "--at-once", "6", answer=answer)
    assert summary["fake"]["positions"] == 12


def test_a_budget_is_kept(take_exam):
    summary = take_exam(
        "--positions", "30", "--budget", "1000tokens", answer=lambda a, _: first_legal(a)
    )
    assert len(take_exam.requests) == 9  # 110 tokens each
    assert "The budget is spent" in take_exam.stderr
    assert summary["fake"]["positions"] == 9


def test_several_models_sit_together(take_exam, tmp_path):
    summary = take_exam("--model", "other", "--positions", "5", answer=lambda a, _: first_legal(a))
    assert summary["fake"]["positions"] == summary["other"]["positions"] == 5
    page = (tmp_path / "out" / "report.html").read_text()
    assert page.count("<svg") >= 3
    assert not re.search(r"<(link|script|img)|src=|@import|(url\(|href=\")(?!#)", page)
    assert "| fake |" in (tmp_path / "out" / "report.md").read_text()


def test_many_boards_are_drawn_one_below_another_for_those_who_are_measured():
    found = {"share": 0.5, "interval": [0.25, 0.75], "random": 0.4}
    boards = [f"Number Duel <{size}>" for size in range(20)]
    players = [
        {
            "player": name,
            "is_baseline": name == "novice",
            "by": {"board": dict.fromkeys(boards, found)},
        }
        for name in ("a model", "novice")
    ]
    drawn = chart({"players": players}, "board")
    assert all(f">Number Duel &lt;{size}&gt;<" in drawn for size in range(20))
    assert "a model" in drawn
    assert "novice" not in drawn
    ElementTree.fromstring(drawn)


def spoil(exam, tmp_path, change):
    """A copy of an exam in which somebody has changed the first question, hashes and all."""
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(exam, copy)
    path = copy / "data" / "test.jsonl"
    first, *rest = path.read_text().splitlines()
    path.write_text("\n".join([json.dumps(json.loads(first) | change), *rest]) + "\n")
    manifest = json.loads((copy / "exam.json").read_text())
    manifest["splits"]["test"]["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    manifest["hash"] = digest(manifest["splits"])
    (copy / "exam.json").write_text(json.dumps(manifest))
    return copy


@pytest.mark.parametrize(
    "change",
    [
        {"winning_moves": []},
        {"moves": ["999"]},
        {"id": "0" * 32},
        *only_long(
            {"winning_moves": ["x"]},
            {"moves": None},
            {"options": {"numbers": -1}},
            {"options": 5},
            {"game": "chess"},
            {"phase": "lunch"},
            {"plies": -1},
            {"rules": 99},
        ),
    ],
)
def test_a_damaged_question_or_a_wrong_label_is_a_sentence(exam, call, tmp_path, change):
    copy = spoil(exam, tmp_path, change)
    done = call("eval", "--exam", str(copy), "--player", "random", "--out", str(tmp_path / "out"))
    assert done.returncode == 1
    assert "exam" in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_damaged_file_or_manifest_is_a_sentence(exam, tmp_path):
    copy = spoil(exam, tmp_path, {})
    (copy / "data" / "test.jsonl").write_text("{}\n")
    with pytest.raises(ExamError, match="is damaged"):
        read_exam(copy).items(["test"], None)
    with pytest.raises(ExamError, match="has no split"):
        read_exam(copy).items(["odd"], None)
    endless = '{"splits": {"test": {"positions": 1e999, "sha256": "x"}}, "hash": "", "games": []}'
    odd = ("", "[]", "{}", '{"splits": {}}', "[" * 100_000, '{"splits": 5, "hash": 1}', endless)
    for text in odd:
        (copy / "exam.json").write_text(text)
        with pytest.raises(ExamError, match="not the manifest of an exam"):
            read_exam(copy)
    with pytest.raises(ExamError, match="cannot be read"):
        read_exam(tmp_path / "nowhere")


def test_a_label_is_never_believed(exam):
    row = rows_of(exam)["test"][0]
    wrong = next(move for move in row["legal_moves"] if move not in row["winning_moves"])
    with pytest.raises(ExamError, match="wrong label"):
        check_labels(read_item(row | {"winning_moves": [wrong]}))


@pytest.mark.parametrize(
    ("args", "code", "sentence"),
    [
        (("--player", "nobody"), 2, "There is no player"),
        (("--model", "m"), 2, "--base-url"),
        (("--split", "odd", "--player", "random"), 1, "has no split"),
        (("--player", "random", "--cluster", "tcp://127.0.0.1:9"), 2, "cluster"),
    ],
)
def test_what_is_wrong_is_a_sentence(exam, call, tmp_path, args, code, sentence):
    done = call("eval", "--exam", str(exam), *args, "--out", str(tmp_path / "out"))
    assert done.returncode == code
    assert sentence in done.stderr


def test_a_folder_of_something_else_is_not_overwritten(call, tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    done = call("exam", "make", "--out", str(tmp_path), "--positions", "10")
    assert done.returncode == 1
    assert "holds something else" in done.stderr


def test_boards_with_few_choices_are_a_sentence(call, tmp_path):
    args = ["--games", "number-line-duel:numbers=1", "--out", str(tmp_path / "out"), "--jobs", "1"]
    done = call("exam", "make", *args, "--positions", "10")
    assert "These boards have only 1 such positions" in done.stderr


@pytest.mark.long
def test_an_interrupted_run_is_resumed_and_asks_nothing_twice(exam, environment, run, tmp_path):
    def answer(asked, _):
        time.sleep(0.1)
        return first_legal(asked)

    with FakeServer(answer) as server:
        args = ["eval", "--exam", str(exam), "--model", "fake", "--base-url", server.url]
        args += ["--out", str(tmp_path / "out"), "--jobs", "1", "--at-once", "2"]
        process = subprocess.Popen(
            [*DUELS, *args], env=environment, stderr=subprocess.PIPE, text=True
        )
        while len(server.requests) < 8:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
        assert process.returncode == 130
        assert "To continue" in said
        done = run(*args, "--json")
    assert done.returncode == 0, done.stderr
    asked = [json.dumps(request["messages"]) for request in server.requests]
    assert len(asked) - len({*asked}) <= 2, "only what was under way"


def test_a_model_may_have_the_name_of_a_level(call, exam, tmp_path):
    with FakeServer(lambda asked, _: first_legal(asked)) as server:
        args = ["--exam", str(exam), "--model", "perfect", "--base-url", server.url, "--json"]
        done = call(
            "eval", *args, "--out", str(tmp_path / "out"), "--positions", "4", "--jobs", "1"
        )
    rows = {row["player"]: row for row in json.loads(done.stdout)["players"]}
    assert len(server.requests) == rows["llm:perfect"]["positions"] == 4
    assert rows["perfect"]["share"] == 1.0
