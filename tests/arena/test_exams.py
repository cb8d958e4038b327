"""Exams: the labels are exact, the splits share nothing, and every question is asked once."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import sys
from collections import Counter
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import msgspec
import pytest

import duels
from duels.lab.exam.dataset import ExamError, Item, check_labels, read_exam, read_item
from duels.lab.exam.results import chart
from duels.lab.exam.sampling import other_options
from duels.match.players.prompt import digest
from duels.theory import theory_of, winning_moves
from duels.theory.lookahead import Distance
from rings import only_long

pytestmark = pytest.mark.slow

BOARDS = ["number-line-duel:numbers=9", "divisor-duel:divisor=12", "number-duel:numbers=12"]
SCHEMAS = Path(__file__).parents[2] / "docs" / "reference" / "schemas"
ENGINE = f"ugi:{sys.executable} -m duels engine --level perfect"


def hash_of(position):
    return Item(position, (), "end").hash


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
    return made("one", "--positions", "90", "--seed", "1", "--proofs")


def rows_of(exam):
    return {
        path.stem: [json.loads(line) for line in path.read_text().splitlines()]
        for path in (exam / "data").glob("*.jsonl")
    }


def all_rows(exam):
    return [row for rows in rows_of(exam).values() for row in rows]


@pytest.fixture
def take_exam(call, exam, tmp_path):
    """The summary of an exam that players take."""

    def run_exam(*args):
        done = call(
            "exam", "run", str(exam), "--out", str(tmp_path / "out"), "--jobs", "1", *args, "--json"
        )
        assert done.returncode == 0, done.stderr
        summary = json.loads(done.stdout)
        return {row["player"]: row for row in summary["players"]} | {"summary": summary}

    return run_exam


def position_of(row):
    return duels.game(row["game"], **json.loads(row["options"])).position(*row["moves"])


def test_every_label_is_true_and_every_choice_matters(exam):
    rows = all_rows(exam)
    assert len(rows) == 90
    for row in rows:
        here = position_of(row)
        game = here.game
        right = [*map(game.format, winning_moves(here))]
        assert row["winning_moves"] == right
        assert 0 < len(right) < len(row["legal_moves"]) == here.legal_count
        assert row["winning_share"] == pytest.approx(len(right) / here.legal_count, abs=1e-6)
        assert row["chance"] == row["winning_share"]
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
        assert row["plies"] == far(position_of(row))


def test_a_search_that_is_too_long_says_nothing():
    here = duels.game("number-line-duel", numbers=40).start()
    assert Distance(theory_of(here), 500).plies(here) is None


def test_splits_share_no_position_and_held_out_boards_are_new(exam):
    rows = rows_of(exam)
    ids = [row["id"] for split in rows.values() for row in split]
    assert len({*ids}) == len(ids)
    boards = {s: {(row["game"], row["options"]) for row in part} for s, part in rows.items()}
    assert boards["test"] <= boards["train"]
    sizes = {(row["game"], row["size"]) for row in rows["train"]}
    assert not sizes & {(row["game"], row["size"]) for row in rows["test_sizes"]}
    criteria = {json.loads(row["options"]).get("criteria") for row in rows["train"]}
    held = {json.loads(row["options"])["criteria"] for row in rows["test_options"]}
    assert not criteria & held


def test_held_out_options_are_those_that_a_game_declares():
    known = {duels.game("sequence-duel", numbers=9), duels.game("sequence-duel", opening="even")}
    held = {other for playing in known for other in other_options(playing, known)}
    assert held == {
        duels.game("sequence-duel", numbers=9, opening="even-below-half"),
        duels.game("sequence-duel", opening="even-below-half"),
    }
    one = duels.game("number-duel", criteria="factor")
    assert next(other_options(one, {one})).options["criteria"].startswith("factor,")
    only_size = duels.game("number-line-duel")
    assert not [*other_options(only_size, {only_size})]


def test_without_pyarrow_there_is_no_parquet_and_a_sentence(call, monkeypatch, tmp_path):
    find = importlib.util.find_spec
    without = lambda name, *args: None if name == "pyarrow" else find(name, *args)  # noqa: E731
    monkeypatch.setattr(importlib.util, "find_spec", without)
    monkeypatch.setattr("duels.lab.results_folder.find_spec", without)
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


def test_the_card_has_the_counts_of_every_split(exam):
    rows, card = rows_of(exam), (exam / "README.md").read_text()
    [head] = re.findall(r"^\|  \| (.+) \|$", card, re.MULTILINE)
    assert {*head.split(" | ")} == rows.keys()
    for name in ("game", "phase", "difficulty"):
        counts = [Counter(row[name] for row in rows[split]) for split in head.split(" | ")]
        for kind in {row[name] for row in all_rows(exam)}:
            assert f"| {kind} | {' | '.join(str(count[kind]) for count in counts)} |" in card


def test_every_file_names_its_origin_and_the_hash_ignores_the_date(made, monkeypatch, tmp_path):
    import pyarrow.parquet as parquet

    from duels.lab import results_folder

    now, hashes = results_folder.origin_now, []
    for day in ("2026-01-01T00:00:00Z", "2027-02-02T00:00:00Z"):
        monkeypatch.setattr(
            results_folder,
            "origin_now",
            lambda seed=None, day=day: msgspec.structs.replace(now(seed), date=day),
        )
        out = made(day[:4], "--positions", "10", "--seed", "7")
        manifest = json.loads((out / "exam.json").read_text())
        hashes.append(manifest["hash"])
        origin = manifest["origin"]
        assert origin == {
            "package": f"number-duels {duels.__version__}",
            "date": day,
            "seed": 7,
            "licence": "MIT",
        }
        table = parquet.read_schema(out / "data" / "test.parquet")
        assert json.loads(table.metadata[b"origin"]) == origin
        card = (out / "README.md").read_text()
        assert f"license: {origin['licence'].lower()}\n" in card
        assert f"Made by {origin['package']} on {day} with seed 7" in card
    assert hashes[0] == hashes[1]


@pytest.mark.long
def test_the_same_seed_makes_the_same_exam(exam, made):
    args = ("--positions", "40")
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
        assert table["options"].to_pylist() == [row["options"] for row in rows]
        assert str(table.schema.field("plies").type) == "int64"
        assert str(table.schema.field("moves").type).startswith("list<")


def test_every_label_has_its_proof(exam, call):
    proofs = [*(exam / "proofs").iterdir()]
    assert {path.stem for path in proofs} == {row["id"] for row in all_rows(exam)}
    for path in Random(1).sample(proofs, 5):
        assert call("check", str(path)).returncode == 0


def test_players_are_listed_with_the_levels_and_exact_chance(take_exam):
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
    assert summary[spec]["of"] == 8
    assert summary[spec]["answers"]["move"]["share"] == 1.0


def test_a_folder_takes_further_players_and_positions(charts, take_exam, tmp_path):
    take_exam("--positions", "5")
    summary = take_exam("--player", "random", "--positions", "8")
    assert {summary[name]["of"] for name in ("random", "novice")} == {8}
    page = (tmp_path / "out" / "report.html").read_text()
    assert page.count("<svg") >= 3
    assert not re.search(r"<(link|script|img)|src=|@import|(url\(|href=\")(?!#)", page)
    assert "| random |" in (tmp_path / "out" / "report.md").read_text()


def test_a_chart_names_every_kind_and_every_player():
    found = {"share": 0.5, "interval": [0.25, 0.75], "random": 0.4}
    boards = [f"Number Duel <{size}>" for size in range(12)]
    names = ["a model", *(f"ugi:a-long-path-to-one-{n}-of-several-engines" for n in range(8))]
    players = [{"player": name, "by": {"board": dict.fromkeys(boards, found)}} for name in names]
    (draw,) = chart("board", boards, players).values()
    drawn = draw()
    assert all(f">Number Duel &lt;{size}&gt;<" in drawn for size in range(12))
    legend = re.findall(r">(a model|ugi:[^<]*)<", drawn)
    assert len({*legend}) == len(legend) == len(names)
    ElementTree.fromstring(drawn)
    assert chart("board", boards * 2, players) == {}


def test_wide_tables_come_in_parts_and_no_two_columns_have_one_name(take_exam, tmp_path):
    take_exam("--player", "random", "--positions", "12")
    text = (tmp_path / "out" / "report.md").read_text()
    heads = [line for line in text.splitlines() if line.startswith("|  |")]
    assert len(heads) > 3
    for head in heads:
        names = [cell.strip() for cell in head.split("|")[2:-1]]
        assert len({*names}) == len(names)
        assert len(head) < 130
    for level in ("random", "novice", "casual", "skilled", "expert", "perfect"):
        assert text.count(f"| {level} |") >= 3


def test_every_file_fits_its_published_schema(exam, take_exam, tmp_path):
    import jsonschema

    take_exam("--player", "random", "--positions", "3")
    out, found = tmp_path / "out", all_rows(exam)
    lines = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    plain = {name: json.loads((out / f"{name}.json").read_text()) for name in ("plan", "summary")}
    files = {
        "exam": [json.loads((exam / "exam.json").read_text())],
        "exam-item": found,
        "exam-plan": [plain["plan"]],
        "exam-result": lines,
        "exam-summary": [plain["summary"]],
        "origin": [plain["plan"]["origin"]],
    }
    for name, values in files.items():
        schema = json.loads((SCHEMAS / f"{name}.json").read_text())
        for value in values:
            jsonschema.validate(value, schema)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({}, schema)
    assert plain["plan"]["origin"]["seed"] == 1


def spoil(exam, tmp_path, change):
    """A copy of an exam with a forged first question, hashes and all."""
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
            {"options": '{"numbers": -1}'},
            {"options": "5"},
            {"options": {"numbers": 9}},
            {"game": "chess"},
            {"phase": "lunch"},
            {"plies": -1},
            {"rules": 99},
        ),
    ],
)
def test_a_damaged_question_or_a_wrong_label_is_a_sentence(exam, call, tmp_path, change):
    copy = spoil(exam, tmp_path, change)
    done = call("exam", "run", str(copy), "--player", "random", "--out", str(tmp_path / "out"))
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
    with pytest.raises(ExamError, match=r"There is no exam in .*nowhere"):
        read_exam(tmp_path / "nowhere")
    (copy / "exam.json").unlink()
    (copy / "exam.json").mkdir()
    with pytest.raises(ExamError, match="cannot be read"):
        read_exam(copy)


def test_a_label_is_never_believed(exam):
    row = rows_of(exam)["test"][0]
    wrong = next(move for move in row["legal_moves"] if move not in row["winning_moves"])
    with pytest.raises(ExamError, match="wrong label"):
        check_labels(read_item(row | {"winning_moves": [wrong]}))


@pytest.mark.parametrize(
    ("args", "code", "sentence"),
    [
        (("--player", "nobody"), 2, "There is no player"),
        (("--player", "llm:duels/mock"), 2, "named with --model"),
        (("--split", "odd", "--player", "random"), 1, "has no split"),
    ],
)
def test_an_error_is_a_sentence(exam, call, tmp_path, args, code, sentence):
    done = call("exam", "run", str(exam), *args, "--out", str(tmp_path / "out"))
    assert done.returncode == code
    assert sentence in done.stderr


def test_a_folder_of_something_else_is_not_overwritten(call, tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    done = call("exam", "make", "--out", str(tmp_path), "--positions", "10")
    assert done.returncode == 1
    assert "holds something else" in done.stderr


def test_a_folder_without_an_exam_is_a_sentence(call, tmp_path):
    done = call("exam", "run", str(tmp_path), "--out", str(tmp_path / "out"))
    assert done.returncode == 1
    assert f"There is no exam in {tmp_path}: the file exam.json is missing." in done.stderr


def test_an_unknown_command_of_exam_is_a_sentence_with_the_known_ones(call):
    done = call("exam", "report")
    assert done.returncode == 2
    assert 'There is no command "exam report"; there are make, play and run.' in done.stderr


def test_another_exam_is_not_overwritten_and_the_same_one_is_written_again(call, tmp_path):
    def make(seed):
        args = ["--games", "number-line-duel:numbers=9", "--positions", "10", "--seed", seed]
        return call("exam", "make", *args, "--jobs", "1", "--out", str(tmp_path / "out"))

    assert make("1").returncode == 0
    before = (tmp_path / "out" / "data" / "test.jsonl").read_bytes()
    refused = make("2")
    assert refused.returncode == 1
    assert "out has another exam, " in refused.stderr
    assert make("1").returncode == 0
    assert (tmp_path / "out" / "data" / "test.jsonl").read_bytes() == before


def test_a_part_of_a_name_is_enough_for_a_board(call, tmp_path):
    args = ["--games", "line:numbers=9", "--positions", "10", "--jobs", "1"]
    done = call("exam", "make", *args, "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    assert read_exam(tmp_path / "out").manifest.games == ["number-line-duel:numbers=9"]
    unclear = call("exam", "make", "--games", "number", "--out", str(tmp_path / "other"))
    assert unclear.returncode == 2
    assert 'There is no game "number"; there are number-duel, ' in unclear.stderr


def test_boards_with_few_choices_are_a_sentence(call, tmp_path):
    args = ["--games", "number-line-duel:numbers=1", "--out", str(tmp_path / "out"), "--jobs", "1"]
    done = call("exam", "make", *args, "--positions", "10")
    assert "These boards have only 1 such position." in done.stderr
