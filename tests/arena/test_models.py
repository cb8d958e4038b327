"""Language models through Inspect and real HTTP: every answer is counted as what it is."""

from __future__ import annotations

import gc
import json
import os
import re
import signal
import subprocess
import threading
import time
from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

import inspect_ai
import pytest
from fake_server import FakeServer, completion, first_legal, slow
from inspect_ai.log import list_eval_logs, read_eval_log

import duels
from duels.core.errors import DuelsError
from duels.lab.exam import model_runs, tasks
from duels.lab.exam.dataset import write_exam
from duels.lab.exam.model_runs import Budget
from duels.lab.exam.sampling import HARD, sample_hard
from duels.lab.exam.tasks import conditions_data, player_name
from duels.match.players.models import position_in
from duels.match.players.prompt import Conditions, prompt
from duels.match.players.specs import open_player
from program import DUELS

# What Inspect and its libraries do is not ours to mend.
pytestmark = [
    pytest.mark.filterwarnings(f"ignore::{kind}")
    for kind in ("DeprecationWarning", "ResourceWarning", "pytest.PytestUnraisableExceptionWarning")
]
GAME = ["--games", "number-line-duel:numbers=4", "--rounds", "1"]
FAKE = "openai-api/fake/fake"
OTHER = "openai-api/other/fake"
ONCE = ["--generate", "max_retries=0"]
BROKEN = (200, {"Content-Type": "application/json"}, '{"choices": [')
ODD = (200, {"Content-Type": "application/json"}, '{"hello": "MOVE: 1"}')
PAGE = (200, {"Content-Type": "text/html"}, "<html>MOVE: 1</html>")
EMPTY = (200, {"Content-Type": "application/json"}, '{"choices": []}')


@pytest.fixture(autouse=True)
def collected():
    """What Inspect leaves open is found here, where it is ignored, and not in another test."""
    yield
    gc.collect()


@pytest.fixture(autouse=True)
def keys(environment, monkeypatch, tmp_path):
    """Keys of two services, and a home for what Inspect writes."""
    ours = {"FAKE_API_KEY": "none", "OTHER_API_KEY": "none", "HOME": str(tmp_path / "home")}
    environment |= ours
    for name, value in ours.items():
        monkeypatch.setenv(name, value)


@pytest.fixture(scope="module")
def exam(tmp_path_factory):
    """A small exam."""
    from click.testing import CliRunner

    from duels.cli import main

    out = tmp_path_factory.mktemp("exams") / "exam"
    boards = ["number-line-duel:numbers=20", "number-duel:numbers=12"]
    args = ["exam", "make", "--games", *boards, "--positions", "60"]
    done = CliRunner().invoke(main, [*args, "--jobs", "1", "--out", str(out)])
    assert done.exit_code == 0, done.output
    return out


@pytest.fixture
def evaluate(call, exam, tmp_path):
    """The summary of an exam, or of matches (`play`), with a model whose answers are given."""

    def run_model(answer, *args, models=(FAKE,), out="out", code=0, play=False):
        with FakeServer(answer) as server:
            what = ["play", *GAME] if play else ["run", str(exam)]
            where = ["--jobs", "1", "--out", str(tmp_path / out)]
            named = [f"{model}@{server.url}" for model in models]
            done = call("exam", *what, "--model", *named, *where, *args, "--json")
        assert done.returncode == code, done.stderr
        run_model.requests, run_model.stderr = server.requests, done.stderr
        summary = json.loads(done.stdout) if done.stdout else {"players": []}
        return {row["player"]: row for row in summary["players"]} | {"summary": summary}

    return run_model


def logs_of(folder):
    found = list_eval_logs(str(folder / "logs"), descending=False)
    return [read_eval_log(info) for info in found]


def counts(row):
    return {kind: found["count"] for kind, found in row["answers"].items() if found["count"]}


# An exam


def test_a_model_takes_an_exam_with_the_levels_and_chance(evaluate, exam, tmp_path):
    prices = ["--price", "2", "10"]
    summary = evaluate(lambda asked, _: first_legal(asked), *prices)
    questions = [json.loads(one) for one in (exam / "data/test.jsonl").read_text().splitlines()]
    asked = {json.dumps(request["messages"]) for request in evaluate.requests}
    assert asked == {json.dumps(row["prompt"]) for row in questions}
    assert len(evaluate.requests) == len(questions)
    row = summary[FAKE]
    right = sum(one["legal_moves"][0] in one["winning_moves"] for one in questions)
    assert (row["of"], row["count"]) == (len(questions), right)
    assert (row["tokens_in"], row["tokens_out"]) == (100 * len(questions), 10 * len(questions))
    assert row["cost"] == pytest.approx(len(questions) * (100 * 2 + 10 * 10) / 1e6)
    assert summary["perfect"]["share"] == 1.0
    assert summary["summary"]["random"] == row["random"]
    page = (tmp_path / "out" / "report.html").read_text()
    assert FAKE in page
    assert not re.search(r"<(link|script|img)|src=|@import|(url\(|href=\")(?!#)", page)
    [log] = logs_of(tmp_path / "out")
    assert log.results.metrics["accuracy"].value == pytest.approx(row["share"], abs=1e-4)


KINDS = [
    ("I do not know.", "unreadable"),
    ("<think>MOVE: 1", "unreadable"),
    (completion(None, reasoning_content="MOVE: 1"), "unreadable"),
    ("MOVE: 999", "illegal"),
    (completion(None, refusal="No."), "refused"),
    (completion("", finish_reason="content_filter"), "refused"),
    ("I'm sorry, but I can't help with that.", "refused"),
    (completion("MOVE: 1", finish_reason="length"), "cut off"),
    (completion("First I", finish_reason="length"), "cut off"),
]


def test_every_kind_of_bad_answer_is_wrong_and_counted_apart(evaluate):
    row = evaluate(lambda _, n: KINDS[n - 1][0], "--positions", str(len(KINDS)))[FAKE]
    assert len(evaluate.requests) == len(KINDS), "no question is asked twice"
    assert (row["of"], row["count"], row["failed"]) == (len(KINDS), 0, 0)
    assert counts(row) == Counter(kind for _, kind in KINDS)
    low, high = row["interval"]
    assert low == 0 < high < 1


def test_a_late_answer_is_wrong_and_its_question_is_not_repeated(evaluate):
    row = evaluate(lambda *_: slow(3), "--positions", "2", "--time-limit", "1")[FAKE]
    assert len(evaluate.requests) <= 2  # on a busy machine the second may pass before one is sent
    assert counts(row) == {"late": 2}
    assert (row["of"], row["failed"]) == (2, 0)


def test_a_server_error_is_never_an_answer(evaluate):
    errors = [(500, {}, "MOVE: 1"), (400, {}, "MOVE: 1"), BROKEN, ODD, PAGE, EMPTY]
    questions = {}

    def answer(asked, _):
        number = questions.setdefault(json.dumps(asked["messages"]), len(questions))
        return [*errors, "MOVE: 1"][number]

    row = evaluate(answer, "--positions", str(len(errors) + 1), *ONCE)[FAKE]
    assert (row["of"], row["failed"]) == (1, len(errors))
    evaluate(lambda *_: (401, {}, "MOVE: 1"), "--positions", "1", out="other", code=1)
    assert "failed at every question" in evaluate.stderr


def test_only_questions_with_a_server_error_are_asked_again(evaluate):
    def answer(asked, number):
        return first_legal(asked) if number % 2 else (400, {}, "{}")

    first = evaluate(answer, "--positions", "8")[FAKE]
    assert first["of"] + first["failed"] == 8
    assert first["failed"] > 0
    second = evaluate(lambda asked, _: first_legal(asked), "--positions", "8")[FAKE]
    assert (second["of"], second["failed"]) == (8, 0)
    assert len(evaluate.requests) == first["failed"]
    evaluate(lambda asked, _: first_legal(asked), "--positions", "12")
    assert len(evaluate.requests) == 4


def test_a_folder_takes_further_models_from_any_address_and_price(evaluate, tmp_path):
    few = ["--positions", "4"]
    evaluate(lambda asked, _: first_legal(asked), *few, "--price", "1", "0")
    summary = evaluate(lambda *_: "MOVE: 999", *few, "--price", "2", "0", models=[OTHER])
    assert len(evaluate.requests) == 4
    assert (summary[FAKE]["answers"]["move"]["count"], summary[OTHER]["count"]) == (4, 0)
    assert summary[OTHER]["cost"] == 2 * summary[FAKE]["cost"] > 0
    summary = evaluate(lambda *_: "MOVE: 999", *few, "--hide-legal")
    assert "Legal moves" not in evaluate.requests[0]["messages"][1]["content"]
    assert summary[f"{FAKE} (moves hidden)"]["answers"]["illegal"]["count"] == 4
    assert f"| {OTHER} |" in (tmp_path / "out" / "report.md").read_text()


@pytest.mark.slow
def test_the_hard_exam_hides_the_legal_moves_and_chance_types_at_random(call, tmp_path):
    items = sample_hard("number-line-duel:numbers=20")[:12]
    hard, out = tmp_path / "hard", tmp_path / "out"
    write_exam(hard, [replace(item, split="test") for item in items], HARD, proofs=False)
    words = ["exam", "run", str(hard), "--model", "duels/mock", "--jobs", "1"]
    done = call(*words, "--out", str(out), "--json")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    rows = {row["player"]: row for row in summary["players"]}
    model = rows["duels/mock (moves hidden)"]
    chance = sum(len(item.winning_moves) / 39 for item in items) / len(items)  # 20 and 19 pairs
    assert model["random"] == summary["random_hidden"] == pytest.approx(chance, abs=1e-4)
    assert rows["novice"]["random"] == summary["random"] > summary["random_hidden"]
    assert summary["plan"]["name"] == "hard 1"
    assert re.search(r"\| chance \(moves hidden\) \| \d+% \|", (out / "report.md").read_text())
    [log] = logs_of(out)
    assert log.results.metrics["chance"].value == pytest.approx(chance)
    assert not any("Legal moves" in sample.input[1].text for sample in log.samples)


def test_two_models_whose_long_names_end_alike_stay_apart():
    conditions = conditions_data(Conditions())
    ending = "/accounts/someone/models/a-model-with-a-long-name"
    one, two = (player_name(f"{start}{ending}", conditions) for start in ("together", "fireworks"))
    assert one != two
    assert {len(one), len(two)} == {40}
    assert one[5:] == two[5:] == ending[-35:]


def test_requests_are_under_way_at_the_same_time(evaluate):
    together = threading.Barrier(4, timeout=20)  # every answer waits for three others

    def answer(asked, _):
        together.wait()
        return first_legal(asked)

    four = ["--generate", "max_connections=4"]
    assert evaluate(answer, "--positions", "8", *four)[FAKE]["of"] == 8


def test_a_request_has_the_chosen_options(evaluate, tmp_path):
    wishes = ["--generate", "temperature=0.5", "max_tokens=99", "reasoning_effort=low"]
    evaluate(lambda asked, _: first_legal(asked), "--positions", "1", *wishes)
    sent = evaluate.requests[0]
    assert (sent["temperature"], sent["max_tokens"], sent["reasoning_effort"]) == (0.5, 99, "low")


def test_a_budget_stops_a_run_and_a_larger_one_resumes_it(evaluate):
    few = ["--positions", "12", "--generate", "max_connections=1"]
    first = evaluate(lambda asked, _: first_legal(asked), *few, "--budget", "700tokens")
    assert len(evaluate.requests) == first[FAKE]["of"] == 6  # 110 tokens each
    assert "The budget is spent: 660 of 700 tokens" in evaluate.stderr
    more = ["--budget", "0.002", "--price", "2", "10"]
    second = evaluate(lambda asked, _: first_legal(asked), *few, *more, models=[FAKE, OTHER])
    assert len(evaluate.requests) == 6, "0.0003 each; what was asked without prices cost nothing"
    assert (second[FAKE]["of"], OTHER in second) == (12, False)
    assert f"6 of 12 answers of {FAKE} are already saved." in evaluate.stderr
    third = evaluate(lambda asked, _: first_legal(asked), *few, models=[FAKE, OTHER])
    assert (third[OTHER]["of"], len(evaluate.requests)) == (12, 12)


def test_a_budget_counts_questions_under_way():
    budget = Budget("1000tokens")
    assert budget.allows(0)
    budget.count((250, 50), None)
    assert budget.allows(1)
    assert not budget.allows(2)
    assert not budget.allows(0), "once it is spent, it stays so"


def test_a_budget_needs_a_server_that_counts_tokens(evaluate):
    status, headers, body = completion("MOVE: 1")
    without = json.dumps({key: value for key, value in json.loads(body).items() if key != "usage"})
    evaluate(lambda *_: (status, headers, without), "--budget", "700tokens", code=1)
    assert "does not count tokens" in evaluate.stderr


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--budget", "much"), "not an amount"),
        (("--budget", "-1"), "not an amount"),
        (("--budget", "2"), "needs --price"),
        (("--generate", "colour=red"), 'no option "colour"'),
        (("--generate", "temperature=hot"), "cannot use these options"),
        (("--time-limit", "nan"), "not a number"),
        (("--price", "1", "inf"), "not a number"),
        (("--model", f"{OTHER}@ftp://x"), "OTHER_BASE_URL"),
        (("--model", f"{OTHER}@http://me:secret@127.0.0.1:9"), "remove the password"),
        (("--model", "openai-api/unknown/m"), "UNKNOWN_API_KEY"),
        (("--model", "gpt"), 'Inspect cannot use the model "gpt"'),
        (("--model", "nobody/gpt"), "not recognized"),
        (("--model", "duels/real"), "mock-LEVEL"),
    ],
)
def test_an_error_is_a_sentence_and_sends_no_question(evaluate, args, sentence):
    evaluate(lambda *_: "5", *args, code=2)
    assert sentence in evaluate.stderr
    assert not evaluate.requests


def test_the_key_is_never_written(evaluate, environment, monkeypatch, tmp_path):
    environment["FAKE_API_KEY"] = "sk-something-secret"
    monkeypatch.setenv("FAKE_API_KEY", "sk-something-secret")
    evaluate(lambda asked, _: first_legal(asked), "--positions", "3")
    assert "sk-something-secret" not in evaluate.stderr
    for log in logs_of(tmp_path / "out"):
        assert "sk-something-secret" not in log.model_dump_json()


def test_a_damaged_log_is_a_sentence(evaluate, tmp_path):
    evaluate(lambda asked, _: first_legal(asked), "--positions", "2")
    [path] = (tmp_path / "out" / "logs").iterdir()
    path.write_bytes(path.read_bytes()[:500])
    evaluate(lambda asked, _: first_legal(asked), "--positions", "2", code=1)
    assert "damaged" in evaluate.stderr


def test_logs_are_not_written_through_a_link(evaluate, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out" / "logs").symlink_to(tmp_path / "elsewhere")
    evaluate(lambda asked, _: first_legal(asked), "--positions", "2", code=1)
    assert "logs cannot be written: it is a symbolic link" in evaluate.stderr
    assert not [*(tmp_path / "elsewhere").iterdir()]


def test_a_missing_extra_is_a_kind_sentence(run, environment, exam, tmp_path):
    (tmp_path / "inspect_ai.py").write_text("raise ImportError")
    where = [str(tmp_path), environment.get("PYTHONPATH", "")]
    without = environment | {"PYTHONPATH": os.pathsep.join(filter(None, where))}
    for words in (["run", str(exam)], ["play"]):
        args = ["exam", *words, "--model", "duels/mock", "--out", str(tmp_path / "out")]
        done = run(*args, env=without)
        assert done.returncode == 1
        assert "pip install '.[llm]'" in done.stderr
    args = ["--players", "llm:duels/mock", "random", "--out", str(tmp_path / "out")]
    assert "'.[llm]'" in run("arena", *args, env=without).stderr
    done = run("exam", "run", str(exam), "--out", str(tmp_path / "out"), env=without)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_an_interrupted_run_is_resumed_and_repeats_no_question(exam, environment, call, tmp_path):
    def answer(asked, _):
        time.sleep(0.1)
        return first_legal(asked)

    with FakeServer(answer) as server:
        args = ["exam", "run", str(exam), "--model", f"{FAKE}@{server.url}"]
        args += ["--out", str(tmp_path / "out"), "--jobs", "1", "--generate", "max_connections=2"]
        process = subprocess.Popen(
            [*DUELS, *args], env=environment, stderr=subprocess.PIPE, text=True
        )
        while len(server.requests) < 8:
            assert process.poll() is None, process.communicate()[1]
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        assert process.returncode == 130, said
        assert "To continue" in said
        done = call(*args, "--json")
    assert done.returncode == 0, done.stderr
    asked = [json.dumps(request["messages"]) for request in server.requests]
    assert len(asked) - len({*asked}) <= 2, "only what was under way"


@pytest.mark.slow
def test_a_killed_run_loses_no_answer(exam, environment, call, tmp_path):
    answered, resumed = 7, threading.Event()

    def answer(request, number):
        if number > answered:
            resumed.wait(60)
        return first_legal(request)

    def saved():
        return sum(len(log.samples or ()) for log in logs_of(tmp_path / "out"))

    with FakeServer(answer) as server:
        args = ["exam", "run", str(exam), "--model", f"{FAKE}@{server.url}"]
        args += ["--out", str(tmp_path / "out"), "--jobs", "1", "--generate", "max_connections=1"]
        process = subprocess.Popen([*DUELS, *args], env=environment, stderr=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + 30
            while saved() < answered:
                assert process.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.05)
        finally:
            process.kill()
            process.wait()
            resumed.set()
        killed = {json.dumps(request["messages"]) for request in server.requests[:answered]}
        done = call(*args, "--json")
    assert done.returncode == 0, done.stderr
    again = {json.dumps(request["messages"]) for request in server.requests[answered:]}
    assert not killed & again, "an answer that was received is not requested again"


# Whole matches


def test_a_model_plays_matches_and_every_move_is_graded(evaluate, tmp_path):
    summary = evaluate(lambda asked, _: first_legal(asked), "--opponent", "random", play=True)
    row, [model] = summary[FAKE], summary["summary"]["models"]
    assert (row["matches"], row["forfeits"]) == (2, {})
    assert model["answers"]["move"] == len(evaluate.requests) > 0
    assert model["tokens_in"] == 100 * len(evaluate.requests)
    assert summary["random player"]["matches"] == 2
    assert summary["random"]["matches"] == 4
    assert FAKE in (tmp_path / "out" / "report.html").read_text()
    evaluate(lambda asked, _: first_legal(asked), "--opponent", "random", play=True)
    assert not evaluate.requests, "everything was there"


def test_chance_in_a_match_with_hidden_moves_is_over_all_that_can_be_typed(evaluate, tmp_path):
    seven = ("--games", "number-line-duel:numbers=7", "--opponent", "random", "--hide-legal")
    replies = ("MOVE: 2", "MOVE: 5", "MOVE: 7", "MOVE: 1", "MOVE: 3-4")
    tries = Counter()

    def answer(asked, _):
        key = asked["messages"][1]["content"]
        tries[key] += 1
        return replies[(tries[key] + len(key)) % len(replies)]

    row = evaluate(answer, *seven, play=True)[f"{FAKE} (moves hidden)"]
    [log] = logs_of(tmp_path / "out")
    turns = []
    for sample in log.samples:
        result = sample.scores["match_result"].metadata["result"]
        graded = result["grading"]
        mine = 0 if result["player1"] == f"{FAKE} (moves hidden)" else 1
        assert all(("chance" in turn) == (ply % 2 == mine) for ply, turn in enumerate(graded))
        turns += graded[mine::2]
    choices = [turn for turn in turns if 0 < turn["winning"] < turn["legal"]]
    expected = sum(turn["chance"] for turn in choices) / len(choices)
    assert row["choices"]["random"] == pytest.approx(expected, abs=1e-4)
    assert any(turn["chance"] < turn["winning"] / turn["legal"] for turn in choices)


def test_chance_counts_every_try_of_a_random_answer():
    here = duels.game("number-line-duel", numbers=5).position("2")
    typed, winning = here.game.all_moves(), duels.solve(here).winning_moves
    for retries in (0, 1, 2):
        answered = [
            next((move for move in answers if move in here.legal_moves), None)
            for answers in product(typed, repeat=retries + 1)
        ]
        share = sum(move in winning for move in answered) / len(answered)
        assert Conditions(False, retries).chance(here, len(winning)) == pytest.approx(share)
        shown = len(winning) / here.legal_count
        assert Conditions(True, retries).chance(here, len(winning)) == shown


def test_bad_answers_are_returned_with_the_reason(evaluate):
    def answer(asked, _):
        tries = len(asked["messages"]) // 2
        return ["I would rather talk.", "MOVE: 77", first_legal(asked)][tries - 1]

    summary = evaluate(answer, play=True)
    found = summary["summary"]["models"][0]["answers"]
    assert found["unreadable"] == found["illegal"] == found["move"] > 0
    assert summary[FAKE]["forfeits"] == {}
    asked = [request["messages"][-1]["content"] for request in evaluate.requests]
    assert any("no line of the form MOVE" in words for words in asked)
    assert any("77 is not on the line" in words for words in asked)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("MOVE: 77", "illegal"),
        (completion(None, refusal="I do not play games."), "refused"),
        (completion("MOVE: 1", finish_reason="length"), "cut off"),
    ],
)
def test_after_the_retries_the_match_is_forfeited_with_its_reason(
    evaluate, tmp_path, reply, reason
):
    summary = evaluate(lambda *_: reply, play=True)
    assert summary[FAKE]["forfeits"] == {reason: 2}
    assert summary[FAKE]["won"]["count"] == 0
    found = summary["summary"]["models"][0]["answers"]
    assert {kind: count for kind, count in found.items() if count} == {reason: 6}
    [log] = logs_of(tmp_path / "out")
    moves = [sample.scores["match_result"].metadata["result"]["moves"] for sample in log.samples]
    assert sorted(map(len, moves)) == [0, 1], "no move was put in its place"


def test_a_late_answer_forfeits_at_once(evaluate):
    summary = evaluate(lambda *_: slow(3), "--time-limit", "1", play=True)
    assert summary[FAKE]["forfeits"] == {"late": 2}
    assert len(evaluate.requests) <= 2


def test_matches_that_a_server_error_ended_count_nowhere_and_are_played_again(evaluate):
    evaluate(lambda *_: (400, {}, '{"error": {"message": "too long"}}'), play=True, code=1)
    assert "failed in every match" in evaluate.stderr
    assert "too long" in evaluate.stderr
    summary = evaluate(lambda asked, _: first_legal(asked), play=True)
    assert summary[FAKE]["matches"] == 2
    assert summary["summary"]["models"][0]["failed"] == 0


def test_one_match_that_a_server_error_ended_is_reported_in_the_singular(evaluate):
    failed = (400, {}, '{"error": {"message": "too long"}}')
    evaluate(lambda asked, n: failed if n == 1 else first_legal(asked), play=True)
    assert "1 match ended with a server error: run the same command again." in evaluate.stderr


# The arena


@pytest.mark.slow
def test_a_model_plays_in_the_arena(call, tmp_path):
    with FakeServer(lambda asked, _: first_legal(asked)) as server:
        players = ["random", f"model=llm:{FAKE}@{server.url}", "llm:duels/mock"]
        args = ["--players", *players, *GAME, "--out", str(tmp_path / "out"), "--json"]
        done = call("arena", *args, "--jobs", "1")
        assert server.requests
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["players"]
    assert {row["player"] for row in rows} == {"random", "model", "llm:duels/mock"}
    assert {row["matches"] for row in rows} == {4}


def test_matches_that_a_server_error_ended_count_nowhere_in_the_arena(call, tmp_path):
    is_down = threading.Event()

    def answer(asked, n):
        fails = n == 1 or is_down.is_set()
        return (400, {}, '{"error": {"message": "no such thing"}}') if fails else first_legal(asked)

    with FakeServer(answer) as server:
        players = ["random", f"model=llm:{FAKE}@{server.url}"]
        args = ["--players", *players, *GAME, "--jobs", "1", "--out", str(tmp_path / "out")]
        done = call("arena", *args, "--rounds", "3", "--json")
        assert done.returncode == 0, done.stderr
        summary = json.loads(done.stdout)
        counted = summary["matches"] - summary["unrated"]
        assert 0 < counted < summary["matches"]
        assert [row["matches"] for row in summary["players"]] == [counted, counted]
        report = (tmp_path / "out" / "report.md").read_text()
        assert "1 of them (17%) ended with a server error and is not rated." in report
        is_down.set()
        done = call("arena", *args[:-1], str(tmp_path / "other"))
    assert done.returncode == 1
    assert "The server of model failed in every match" in done.stderr
    assert "no such thing" in done.stderr


def test_a_model_is_a_player_like_any_other():
    with open_player("llm:duels/mock-perfect", 1) as player:
        here = duels.game("number-line-duel", numbers=9).start()
        assert player.choose(here) in here.legal_moves


# The mock, and Inspect's own commands


@pytest.mark.parametrize("game_id", list(duels.GAMES))
def test_the_prompt_has_all_that_a_player_needs(game_id):
    for game in (duels.GAMES[game_id].usual(), duels.GAMES[game_id].small()):
        here = game.start()
        here = here.play(here.legal_moves[0])
        texts = [one["content"] for one in prompt(here, Conditions(show_legal=False))]
        assert position_in(texts) == here


def test_the_mock_gives_every_kind_of_answer(call, exam, tmp_path):
    args = ["--split", "train", "test", "--out", str(tmp_path / "out"), "--jobs", "1", "--json"]
    models = ["duels/mock", "duels/mock-perfect", "duels/mock-novice"]
    done = call("exam", "run", str(exam), "--model", *models, *args)
    assert done.returncode == 0, done.stderr
    rows = {row["player"]: row for row in json.loads(done.stdout)["players"]}
    shares = [rows[f"duels/mock{level}"]["share"] for level in ("-perfect", "", "-novice")]
    assert shares == sorted(shares, reverse=True)
    kinds = {kind for model in models for kind in counts(rows[model])}
    assert kinds == {"move", "illegal", "unreadable", "refused", "cut off"}


@pytest.mark.slow
def test_inspect_finds_both_tasks_and_our_report_reads_its_logs(call, exam, environment, tmp_path):
    logs, inspect = tmp_path / "out" / "logs", [*DUELS[:2], "inspect_ai", "eval"]
    args = ["--model", "duels/mock", "--log-dir", str(logs), "--display", "none"]
    for words in (
        ["duels/exam", "-T", f"path={exam}", "-T", "positions=5"],
        ["duels/play", "-T", "games=number-line-duel:numbers=4", "-T", "rounds=1"],
    ):
        done = subprocess.run(
            [*inspect, *words, *args], env=environment, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stdout + done.stderr
    asked, played = logs_of(tmp_path / "out")
    assert {"accuracy", "stderr", "chance", "refused"} <= asked.results.metrics.keys()
    assert {"choices_kept", "chance"} <= played.results.metrics.keys()
    where = ["--out", str(tmp_path / "out"), "--positions", "5", "--json"]
    done = call("exam", "run", str(exam), *where)
    rows = {row["player"]: row for row in json.loads(done.stdout)["players"]}
    assert rows["duels/mock"]["of"] == 5
    [again] = inspect_ai.eval_retry(
        asked, log_dir=str(logs), display="none", ctl_server=False, log_level="error"
    )
    assert again.status == "success"
    assert Path(again.location).parent.name == "logs"


def test_a_wrong_argument_of_a_task_is_named(exam, tmp_path, monkeypatch):
    for wrong, words in {
        partial(tasks.exam, str(exam), form="shout"): "form must be think, direct or boxed, not",
        partial(tasks.play, form="shout"): "form must be think, direct or boxed, not",
        partial(tasks.play, opponent="csual"): 'not "csual". Did you mean casual?',
        partial(tasks.play, rounds="two"): "rounds must be a whole number",
        partial(tasks.play, retries=-1): "retries must be a whole number",
        partial(tasks.exam, str(exam), positions=0): "positions must be a whole number",
        partial(tasks.exam, str(exam), "tset"): f"{exam} has no split tset",
    }.items():
        with pytest.raises(tasks.TaskError, match=re.escape(words)):
            wrong()
    monkeypatch.chdir(tmp_path)
    sentence = f"There is no exam in {tmp_path / 'my-exam'}"
    with pytest.raises(tasks.TaskError, match=re.escape(sentence)):
        tasks.exam(path="my-exam")


def test_the_error_of_a_server_that_is_down_is_named(call, exam, tmp_path, monkeypatch):
    monkeypatch.setenv("DOWN_API_KEY", "none")
    down = ["--model", "openai-api/down/fake@http://127.0.0.1:9/v1", "--positions", "1", *ONCE]
    done = call("exam", "run", str(exam), *down, "--out", str(tmp_path / "out"))
    assert done.returncode == 1
    assert "failed at every question: Connection error." in done.stderr


def test_a_stopped_run_counts_the_answers_in_its_log(exam, tmp_path, monkeypatch):
    def fill_the_disk(*_, progress):
        progress.step(3)
        raise DuelsError("Inspect stopped.")

    monkeypatch.setattr(model_runs, "_ask", lambda *a: fill_the_disk(progress=a[-1]))
    settings = model_runs.ModelSettings([inspect_ai.model.get_model("duels/mock")])
    with pytest.raises(DuelsError) as stopped:
        model_runs.ask_models(tmp_path, settings, tasks.exam(str(exam), positions=4))
    assert str(stopped.value) == "Inspect stopped."


def test_inspect_prints_a_wrong_argument_without_a_traceback(environment):
    words = ["duels/play", "-T", "opponent=csual", "--model", "duels/mock", "--display", "plain"]
    inspect = [*DUELS[:2], "inspect_ai", "eval", *words]
    done = subprocess.run(inspect, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert "Did you mean casual?" in " ".join(done.stdout.split())
    assert "Traceback" not in done.stdout + done.stderr
