"""Language models over real HTTP: every answer is counted as what it is, and none is replaced."""

from __future__ import annotations

import hashlib
import json
import signal
import subprocess
import sys
import threading
import time
from collections import Counter

import pytest
from fake_server import FakeServer, completion, first_legal, slow

import duels
from duels.lab.arena.evaluation import random_scores
from duels.match.players.answers import FORMS, read_answer
from duels.match.players.chat import ServerFailed, read_reply
from duels.match.players.prompt import HOW_TO_ANSWER, PRESETS, PROMPT_VERSION, Conditions, prompt
from program import DUELS

GAME = ["--games", "number-line-duel:numbers=4", "--rounds", "1"]
BUSY = (429, {"Retry-After": "0.05", "Content-Type": "application/json"}, '{"error": {}}')
BROKEN = (200, {"Content-Type": "application/json"}, '{"choices": [')
ENGINE = f"ugi:{sys.executable} -m duels engine --level novice"
ODD = (200, {"Content-Type": "application/json"}, '{"hello": "world"}')
PAGE = (200, {"Content-Type": "text/html"}, "<html>It works!</html>")


def lines_of(folder, name="results.jsonl"):
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


@pytest.fixture
def evaluate(call, tmp_path):
    """The score score of a model that answers as it is told."""

    def run_eval(answer, *args, code=0, out="out", models=("fake",)):
        with FakeServer(answer) as server:
            options = ["--model", *models, "--base-url", server.url, *GAME, "--jobs", "1"]
            done = call("eval", *options, *args, "--out", str(tmp_path / out), "--json")
        assert done.returncode == code, done.stderr
        run_eval.requests, run_eval.stderr = server.requests, done.stderr
        return json.loads(done.stdout) if done.stdout else None

    return run_eval


def test_a_model_that_plays_is_scored(evaluate, tmp_path):
    prices = ["--price-in", "2", "--price-out", "10"]
    score = evaluate(lambda asked, _: first_legal(asked), "--opponent", "random", *prices)
    assert score["matches"] == 2
    assert score["unrated"] == 0
    asked = len(evaluate.requests)
    nothing = {"unreadable": 0, "illegal": 0, "refused": 0, "time": 0, "failed": 0}
    assert score["answers"] == {"move": asked, **nothing}
    assert (score["tokens_in"], score["tokens_out"]) == (100 * asked, 10 * asked)
    assert score["cost"] == pytest.approx(asked * (100 * 2 + 10 * 10) / 1e6)
    assert score["cost_per_game"] == pytest.approx(score["cost"] / 2)
    assert score["won_games"]["had"] >= 1
    assert sum(found["choices"] for found in score["by_position"].values()) == score["choices"]
    said = lines_of(tmp_path / "out", "transcripts.jsonl")
    assert len(said) == asked
    assert said[0]["asked"][0]["content"].startswith("You are playing")
    assert "fake" in (tmp_path / "out" / "score.html").read_text()


def test_beside_matches_won_is_what_a_random_player_wins(evaluate):
    label = "number-line-duel:numbers=4"
    games = {label: duels.game("number-line-duel", numbers=4)}
    found = random_scores(games, "random", 1, jobs=1)[label].won
    assert abs(found.share - 0.5) < 0.25, "against its like it wins half of them"
    assert random_scores(games, "perfect", 1, jobs=1)[label].won.share < found.share
    assert random_scores(games, ENGINE, 1, jobs=1) == {}
    score = evaluate(lambda asked, _: first_legal(asked), "--opponent", "random", "--seed", "1")
    assert (score["random"]["score"], score["random_matches"]) == (found.share, found.whole)
    assert score["corrected"]["score"] == round(
        (score["score"] - found.share) / (1 - found.share), 4
    )
    score = evaluate(lambda asked, _: first_legal(asked), "--opponent", ENGINE, out="other", code=0)
    assert (score["random"]["score"], score["random_matches"]) == (None, 0)


def test_a_model_may_have_the_name_of_its_opponent(evaluate, tmp_path):
    score = evaluate(lambda asked, _: first_legal(asked), models=["Perfect"])
    lines = lines_of(tmp_path / "out")
    assert [line["computer1"] for line in lines] == ["llm:Perfect", "perfect"]
    assert [line["player1"] for line in lines] == ["Perfect", "perfect (2)"]
    assert score["answers"]["move"] == len(evaluate.requests) > 0


def test_legal_moves_are_shown_or_hidden_and_the_switch_is_recorded(evaluate, tmp_path):
    evaluate(lambda asked, _: first_legal(asked), out="shown")
    assert all("Legal moves" in asked["messages"][1]["content"] for asked in evaluate.requests)
    hidden = evaluate(lambda asked, _: "MOVE: 6", "--hide-legal", out="hidden")
    assert not any("Legal moves" in asked["messages"][1]["content"] for asked in evaluate.requests)
    assert hidden["plan"]["show_legal"] is False


def test_wrong_answers_are_told_why_and_counted_apart(evaluate, tmp_path):
    def answer(asked, _):
        tries = len(asked["messages"]) // 2
        return ["I would rather talk.", "MOVE: 77", first_legal(asked)][tries - 1]

    score = evaluate(answer)
    counts = score["answers"]
    assert counts["unreadable"] == counts["illegal"] == counts["move"] > 0
    assert score["forfeits"] == {}
    asked = [request["messages"][-1]["content"] for request in evaluate.requests]
    assert any("no line of the form MOVE" in words for words in asked)
    assert any("77 is not on the line" in words for words in asked)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("Hello!", "unreadable"),
        ("MOVE: 77", "illegal"),
        (completion(None, refusal="I do not play games."), "refused"),
        (completion("", finish_reason="content_filter"), "refused"),
        (completion("First I", finish_reason="length"), "unreadable"),
    ],
)
def test_after_the_retries_the_game_is_forfeited_with_its_reason(
    evaluate, tmp_path, answer, reason
):
    score = evaluate(lambda *_: answer, "--retries", "1")
    assert score["forfeits"] == {reason: 2}
    assert score["answers"][reason] == 4
    assert score["answers"]["move"] == score["wins"] == 0
    assert (score["won_games"]["had"], score["won_games"]["kept"]) == (1, 0)
    lines = lines_of(tmp_path / "out")
    assert [line["forfeit"]["reason"] for line in lines] == [reason, reason]
    assert len(lines[0]["moves"]) == 0  # no move was put in its place


def test_a_server_that_recovers_costs_only_time(evaluate):
    troubles = [BROKEN, ODD, PAGE]
    answers = [BUSY, None, BUSY, None, *(both for trouble in troubles for both in (trouble, None))]
    score = evaluate(lambda asked, n: answers[n % len(answers) - 1] or first_legal(asked))
    assert score["answers"]["failed"] == score["answers"]["move"] >= len(troubles)
    assert (score["unrated"], score["forfeits"]) == (0, {})


@pytest.mark.slow
def test_matches_that_a_server_error_ended_count_nowhere_and_are_played_again(call, tmp_path):
    healthy = []

    def answer(asked, _):
        return first_legal(asked) if healthy else (500, {}, "oh no")

    with FakeServer(answer) as server:
        args = ["--model", "fake", "--base-url", server.url, *GAME, "--server-retries", "0"]
        args += ["--opponent", "random", "--out", str(tmp_path / "out"), "--json", "--jobs", "1"]
        first = call("eval", *args)
        assert first.returncode == 1
        assert "failed in every match" in first.stderr
        first_score = json.loads(first.stdout)
        assert (first_score["unrated"], first_score["wins"], first_score["forfeits"]) == (2, 0, {})
        assert first_score["answers"]["failed"] == 2
        healthy.append(True)
        second = call("eval", *args)
    assert second.returncode == 0, second.stderr
    score = json.loads(second.stdout)
    assert score["unrated"] == 0
    said = lines_of(tmp_path / "out", "transcripts.jsonl")
    assert score["answers"]["failed"] == 2
    assert sum(score["answers"].values()) == len(said)
    assert score["tokens_in"] == sum(line["tokens_in"] or 0 for line in said) > 0


def test_running_out_of_time_is_the_models_and_a_forfeit(evaluate):
    score = evaluate(lambda *_: slow(3), "--time-limit", "0.3")
    assert (score["unrated"], score["matches"]) == (0, 2)
    assert score["forfeits"] == {"time": 2}
    assert score["answers"]["time"] == 2, "nobody is asked again"
    assert score["answers"]["move"] == 0


@pytest.mark.slow
def test_the_time_limit_is_for_the_whole_of_an_answer(evaluate):
    status, headers, body = completion("MOVE: 1")
    drops = [b" "] * 50 + [body.encode()]  # each of them comes within the limit
    score = evaluate(lambda *_: (status, headers, drops), "--time-limit", "0.5")
    assert score["forfeits"] == {"time": 2}


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (
            completion("I could take MOVE: 1\nMOVE: 1\nbut then", finish_reason="length"),
            "unreadable",
        ),
        (completion("I could take 4, but\nMOVE: 1", finish_reason="length"), "move"),
        (completion("<think>MOVE: 1"), "unreadable"),
        (completion("<think>MOVE: 4</think>\nMOVE: 1"), "move"),
        (completion(None, reasoning_content="MOVE: 1", reasoning="MOVE: 1"), "unreadable"),
        (completion(None, tool_calls=[{"function": {"arguments": '{"move": 1}'}}]), "move"),
        (
            completion("MOVE: 2", tool_calls=[{"function": {"arguments": '{"move": 1}'}}]),
            "unreadable",
        ),
        (completion(None, tool_calls=[{"function": {"arguments": "{"}}]), "unreadable"),
        (completion([{"type": "reasoning", "text": "MOVE: 1"}]), "unreadable"),
    ],
)
def test_only_what_is_said_at_the_end_counts(evaluate, tmp_path, reply, kind):
    evaluate(lambda *_: reply, "--retries", "0", "--opponent", "novice")
    first = lines_of(tmp_path / "out", "transcripts.jsonl")[0]
    assert first["kind"] == kind
    assert first["served"] == "fake"


def test_a_request_is_what_was_wished_for(evaluate):
    extra = '{"max_tokens": null, "max_completion_tokens": 99, "reasoning_effort": "low"}'
    wishes = ["--max-tokens", "5", "--temperature", "0.5", "--extra", extra]
    score = evaluate(lambda asked, _: first_legal(asked), *wishes)
    sent = evaluate.requests[0]
    assert sent.keys() == {
        *("model", "messages", "temperature", "max_completion_tokens", "reasoning_effort")
    }
    assert score["plan"]["extra"]["reasoning_effort"] == "low"


def test_retry_after_is_honoured_in_full(evaluate):
    times = []

    def answer(asked, number):
        times.append(time.monotonic())
        return (429, {"Retry-After": "0.7"}, "{}") if number == 1 else first_legal(asked)

    evaluate(answer)
    assert times[1] - times[0] >= 0.7


def test_a_server_that_wants_more_than_a_day_ends_the_run_and_is_not_asked_before(evaluate):
    busy = (429, {"Retry-After": "Fri, 31 Dec 2100 23:59:59 GMT"}, "{}")
    evaluate(lambda *_: busy, code=1)
    assert len(evaluate.requests) == 1
    assert "wants to be asked again in" in evaluate.stderr


@pytest.mark.slow
def test_a_paid_answer_is_not_asked_for_again_after_a_server_error(call, tmp_path):
    healthy = []

    def answer(asked, _):
        moves = asked["messages"][1]["content"].partition("so far, in turn: ")[2]
        is_late = "," in moves.partition("You are")[0]
        return first_legal(asked) if healthy or not is_late else (500, {}, "{}")

    with FakeServer(answer) as server:
        args = ["--model", "fake", "--base-url", server.url, "--games", "number-line-duel"]
        args += ["--rounds", "1", "--jobs", "1", "--out", str(tmp_path / "out"), "--json"]
        first = json.loads(call("eval", *args, "--server-retries", "0").stdout)
        assert (first["unrated"], first["unrated_share"]) == (2, 1.0)
        assert first["unrated_tokens"] == 2 * 110
        healthy.append(True)
        done = call("eval", *args, "--server-retries", "0")
    assert done.returncode == 0, done.stderr
    asked = [json.dumps(request["messages"]) for request in server.requests]
    twice = [words for words in {*asked} if asked.count(words) > 1]
    assert len(twice) == 2, "only what the server had not answered"
    score = json.loads(done.stdout)
    assert score["answers"]["move"] == len({*asked})


def test_rounds_can_be_added_to_a_finished_folder(evaluate, tmp_path):
    with FakeServer(lambda asked, _: first_legal(asked)) as server:
        there = ["--base-url", server.url]
        evaluate(lambda *_: None, *there)
        asked = len(server.requests)
        score = evaluate(lambda *_: None, *there, "--rounds", "2")
        assert score["matches"] == 4
        assert 1.5 * asked <= len(server.requests) < 3 * asked
        evaluate(lambda *_: None, *there, "--rounds", "1", code=1)
    assert "different: rounds" in evaluate.stderr


def test_several_models_play_each_in_a_folder_of_its_own(evaluate, tmp_path):
    scores = evaluate(lambda asked, _: first_legal(asked), models=["fake", "org/other"])
    assert [score["plan"]["model"] for score in scores] == ["fake", "org/other"]
    assert lines_of(tmp_path / "out" / "fake")
    assert lines_of(tmp_path / "out" / "org_other")


def test_a_budget_is_for_all_models_together(evaluate):
    both = {"models": ["fake", "other"]}
    with FakeServer(lambda asked, _: first_legal(asked)) as server:
        more = ["--base-url", server.url, "--rounds", "2"]
        whole = evaluate(lambda *_: None, *more, out="whole", **both)
        used = [score["tokens_in"] + score["tokens_out"] for score in whole]
        budget = used[0] + used[1] // 2
        cut = evaluate(lambda *_: None, *more, "--budget", f"{budget}tokens", out="cut", **both)
        assert "The budget is spent" in evaluate.stderr
        assert [score["matches"] for score in cut] == [4, cut[1]["matches"]]
        assert 0 < cut[1]["matches"] < 4
        assert sum(score["tokens_in"] + score["tokens_out"] for score in cut) <= budget
        again = evaluate(lambda *_: None, *more, out="cut", **both)
        assert [score["matches"] for score in again] == [4, 4]
        spent = [*more, "--rounds", "3", "--budget", f"{sum(used)}tokens"]
        longer = evaluate(lambda *_: None, *spent, out="cut", **both)
    assert [score["matches"] for score in longer] == [4, 4]


def test_two_models_do_not_share_a_folder(evaluate):
    evaluate(lambda *_: None, models=["a/b", "a_b"], code=2)
    assert "the same folder" in evaluate.stderr


@pytest.mark.slow
@pytest.mark.parametrize("command", ["eval", "arena"])
def test_what_was_answered_in_an_interrupted_match_is_not_asked_again(
    command, run, environment, tmp_path
):
    """Wrong answers were paid for as well; only the question under way is asked once more."""
    is_free, out = threading.Event(), tmp_path / "out"

    def answer(asked, number):
        if number == 5:
            is_free.wait(60)
        return "MOVE: 99" if number in (2, 4) else first_legal(asked)

    with FakeServer(answer) as server:
        who = {
            "eval": ["--model", "fake", "--base-url", server.url, "--opponent", "novice"],
            "arena": ["--players", "novice", f"model=llm:fake@{server.url}"],
        }
        args = [command, *who[command], "--games", "number-line-duel", "--rounds", "1"]
        args += ["--jobs", "1", "--out", str(out)]
        process = subprocess.Popen(
            [*DUELS, *args], env=environment, stderr=subprocess.PIPE, text=True
        )
        while len(server.requests) < 5:
            assert process.poll() is None, process.communicate()[1]
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        is_free.set()
        assert [*(out / "under_way").iterdir()]
        done = run(*args, "--json")
    assert done.returncode == 0, done.stderr
    asked = [json.dumps(request["messages"]) for request in server.requests]
    assert {words for words in asked if asked.count(words) > 1} == {asked[4]}
    assert asked.count(asked[4]) == 2
    kinds = Counter(line["kind"] for line in lines_of(out, "transcripts.jsonl"))
    assert kinds == {"move": len(asked) - 3, "illegal": 2}
    counted = Counter()
    for line in lines_of(out):
        for usages in (line.get("model", {}), line.get("before", {})):
            for used in usages.values():
                counted.update(used["answers"])
    assert counted == kinds
    assert not (out / "under_way").exists()


def test_a_budget_stops_a_run_which_goes_on_with_a_larger_one(evaluate):
    with FakeServer(lambda asked, _: first_legal(asked)) as server:
        more = ["--base-url", server.url, "--rounds", "6"]
        first = evaluate(lambda *_: None, *more, "--budget", "1000tokens", "--at-once", "4")
        assert 0 < first["matches"] < 12
        assert first["tokens_in"] + first["tokens_out"] <= 1500
        asked = len(server.requests)
        assert "The budget is spent" in evaluate.stderr
        again = evaluate(lambda *_: None, *more, "--at-once", "4")
    assert again["matches"] == 12
    assert again["answers"]["move"] == len(server.requests)
    assert again["answers"]["move"] > asked


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--extra", "[1]"), "not a JSON object"),
        (("--extra", "{"), "not a JSON object"),
        (("--extra", '{"messages": []}'), "cannot be replaced"),
        (("--budget", "much"), "no amount"),
        (("--budget", "-1"), "no amount"),
        (("--budget", "nan"), "no amount"),
        (("--budget", "2"), "needs --price-in"),
        (("--preset", "odd"), "'odd'"),
    ],
)
def test_wrong_wishes_are_a_sentence(evaluate, args, sentence):
    evaluate(lambda *_: "5", *args, code=2)
    assert sentence in evaluate.stderr
    assert not evaluate.requests


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_question_that_the_server_cannot_answer_is_not_repeated(evaluate, status):
    score = evaluate(lambda *_: (status, {}, '{"error": {"message": "too long"}}'), code=1)
    assert score["unrated"] == len(evaluate.requests) == 2
    assert f"The server answered {status}" in evaluate.stderr
    assert "too long" in evaluate.stderr


@pytest.mark.slow
def test_a_server_that_is_not_there_is_a_sentence(run, tmp_path):
    args = [
        "--model",
        "fake",
        "--base-url",
        "http://127.0.0.1:9/v1",
        *GAME,
        "--server-retries",
        "0",
    ]
    done = run("eval", *args, "--out", str(tmp_path / "out"))
    assert done.returncode == 1
    assert "failed in every match" in done.stderr


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_model_that_the_server_does_not_serve_ends_the_run(evaluate, status):
    evaluate(lambda *_: (status, {}, '{"error": {"message": "no"}}'), code=1)
    assert "does not serve fake" in evaluate.stderr
    assert "are saved" not in evaluate.stderr


def test_the_key_is_never_written(evaluate, environment, tmp_path):
    secret = environment["OPENAI_API_KEY"] = "sk-something-secret"
    evaluate(lambda asked, _: first_legal(asked))
    echo = (500, {}, f"Bearer {secret} is no good")
    evaluate(lambda *_: echo, "--server-retries", "0", out="failed", code=1)
    assert secret not in evaluate.stderr
    evaluate(lambda *_: f"Your key is {secret}.", "--retries", "0", out="said")
    for path in tmp_path.glob("*/*"):
        assert path.is_dir() or secret not in path.read_text()


@pytest.mark.parametrize("key", ["1", "token", "content"])
def test_a_made_up_key_does_not_spoil_the_answers(evaluate, environment, key):
    environment["OPENAI_API_KEY"] = key
    score = evaluate(lambda asked, _: first_legal(asked))
    assert (score["unrated"], score["answers_without_token_counts"]) == (0, 0)
    assert score["answers"]["move"] == len(evaluate.requests)


@pytest.mark.slow
def test_a_model_plays_in_the_arena_too(run, tmp_path):
    with FakeServer(lambda asked, _: first_legal(asked)) as server:
        players = ["random", f"model=llm:fake@{server.url}"]
        args = ["--players", *players, *GAME, "--out", str(tmp_path / "out"), "--json"]
        wishes = ["--extra", '{"top_p": 0.5}', "--at-once", "2", "--preset", "strict"]
        done = run("arena", *args, *wishes, "--show-legal")
        assert {request["top_p"] for request in server.requests} == {0.5}
    assert done.returncode == 0, done.stderr
    assert {row["player"] for row in json.loads(done.stdout)["players"]} == {"random", "model"}
    assert lines_of(tmp_path / "out", "transcripts.jsonl")


@pytest.mark.slow
def test_matches_that_a_server_error_ended_count_nowhere_in_the_arena(call, tmp_path):
    def answer(asked, n):
        return first_legal(asked) if n < 3 else (400, {}, "no")

    with FakeServer(answer) as server:
        players = ["random", f"model=llm:fake@{server.url}"]
        args = ["--players", *players, *GAME, "--out", str(tmp_path / "out"), "--jobs", "1"]
        done = call("arena", *args, "--rounds", "3", "--json")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    counted = summary["matches"] - summary["unrated"]
    assert 0 < counted < summary["matches"]
    assert [row["matches"] for row in summary["players"]] == [counted, counted]
    assert sum(row["wins"] for row in summary["players"]) == counted
    assert summary["plan"]["models"]["show_legal"] is True


@pytest.mark.slow
def test_a_folder_in_which_nothing_was_done_is_free(call, tmp_path):
    args = ["--model", "fake", *GAME, "--jobs", "1", "--out", str(tmp_path / "out")]
    with FakeServer(lambda *_: (404, {}, "{}")) as server:
        assert call("eval", *args, "--base-url", server.url).returncode == 1
    with FakeServer(lambda asked, _: first_legal(asked)) as server:
        done = call("eval", *args, "--base-url", server.url)
    assert done.returncode == 0, done.stderr


def test_a_forfeited_win_is_a_choice_that_was_not_kept(evaluate):
    score = evaluate(lambda *_: "MOVE: 77", "--retries", "0")
    assert score["won_games"]["had"] == 1
    assert (score["choices"], score["choices_kept"]) == (1, 0)
    assert (
        score["by_position"]["some moves win"]["choices"]
        + score["by_position"]["most moves win"]["choices"]
        + score["by_position"]["few moves win"]["choices"]
        == 1
    )


@pytest.mark.slow
def test_a_server_that_spoils_every_match_of_the_arena_is_named(call, tmp_path):
    with FakeServer(lambda *_: (400, {}, '{"error": {"message": "no such thing"}}')) as server:
        players = ["random", "perfect", f"model=llm:fake@{server.url}"]
        args = ["--players", *players, *GAME, "--out", str(tmp_path / "out"), "--jobs", "1"]
        done = call("arena", *args)
    assert done.returncode == 1
    assert "The server of model failed in every match" in done.stderr
    assert "no such thing" in done.stderr
    assert (tmp_path / "out" / "report.html").exists()


@pytest.mark.parametrize(
    ("args", "code", "sentence"),
    [
        (("--base-url", "ftp://x"), 2, "http://"),
        (("--base-url", "http://127.0.0.1:9", "--time-limit", "nan"), 2, "not a number"),
        (("--base-url", "http://127.0.0.1:9", "--price-in", "inf"), 2, "not a number"),
        (("--base-url", "http://me:secret@127.0.0.1:9"), 2, "no password"),
        (("--base-url", "http://127.0.0.1:9", "--model", "\udcff"), 2, "cannot be sent"),
        (("--base-url", "http://127.0.0.1:9", "--opponent", "llm:x"), 2, "opponent"),
        (("--base-url", "http://127.0.0.1:9", "--opponent", "nobody"), 2, "no player"),
        ((), 2, "--base-url"),
    ],
)
def test_what_is_wrong_is_a_sentence(call, tmp_path, args, code, sentence):
    done = call("eval", "--model", "fake", *args, "--out", str(tmp_path / "out"))
    assert done.returncode == code
    assert sentence in done.stderr


def test_a_missing_extra_is_a_kind_sentence(run, environment, tmp_path):
    (tmp_path / "openai.py").write_text("raise ImportError")
    args = ["--model", "m", "--base-url", "http://127.0.0.1:9", "--out", str(tmp_path / "out")]
    done = run("eval", *args, env=environment | {"PYTHONPATH": str(tmp_path)})
    assert done.returncode == 1
    assert "pip install 'number-duels[llm]'" in done.stderr


def answer_of(**changes):
    """The JSON of an answer whose message or counts are written otherwise."""
    data = json.loads(completion("MOVE: 5")[2])
    data["choices"][0]["message"] |= changes.pop("message", {})
    return json.dumps(data | changes)


def test_answers_of_other_shapes_are_read():
    parts = [{"type": "text", "text": "MOVE: "}, {"type": "text", "text": "5"}]
    assert read_reply(answer_of(message={"content": parts})).words == "MOVE: 5"
    assert read_reply(answer_of(message={"content": None})).words == ""
    reply = read_reply(answer_of(usage={"prompt_tokens": "12", "completion_tokens": "x"}))
    assert (reply.tokens_in, reply.tokens_out) == (12, None)
    assert read_reply(answer_of(usage=None)).tokens_in is None
    assert read_reply(answer_of(usage={"prompt_tokens": 10**400})).tokens_in is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<html>It works!</html>",
        "[]",
        "null",
        '{"choices": []}',
        '{"choices": [{"message": "hello"}]}',
        '{"choices": {}}',
        '{"error": {"message": "model is loading"}}',
        "[" * 100_000,
        answer_of(message={"content": 5}),
        answer_of(message={"content": [5]}),
    ],
)
def test_everything_else_is_a_failure_of_the_server_in_a_sentence(text):
    with pytest.raises(ServerFailed, match=r"The server.* answer"):
        read_reply(text)


@pytest.mark.parametrize(
    ("answer", "move"),
    [
        ("MOVE: 5", 5),
        ("**Move: 5**", 5),
        ("**MOVE:** 5", 5),
        ("> MOVE: `5`", 5),
        ("I thought of MOVE: 3\nbut no.\nMOVE: 4.", 4),
        ("MOVE: 5\n\nThat leaves two equal runs.", 5),
        ("move = 5-6", (5, 6)),
        ("MOVE: 5, 6", (5, 6)),
        ("MOVE: (5, 6)", (5, 6)),
        ("MOVE: 5 and 6", (5, 6)),
        ("`MOVE: 5-6`", (5, 6)),
        *((f"MOVE: 5{dash}6", (5, 6)) for dash in "-‐‑‒–—−"),
        ("5", 5),
        ("5-6", (5, 6)),
        ("5–6", (5, 6)),
        ("**5**", 5),
        ("I think so.\n**5**", 5),
        (r"\boxed{5}", 5),
        (r"So it is $\boxed{5-6}$.", (5, 6)),
        (r"\[\boxed{\text{MOVE: 5}}\]", 5),
        ("Final answer: MOVE: 5", 5),
        ("**Final answer:** MOVE: 5", 5),
        ("My final answer is MOVE: 5.", 5),
        ("Final answer: 5", 5),
        ('```json\n{\n  "move": [5, 6]\n}\n```', (5, 6)),
        ("<answer>5</answer>", 5),
        ("<think>MOVE: 3</think>MOVE: 5", 5),
        ("and so MOVE: 3</think>\nMOVE: 5", 5),
        ("<think>MOVE: 3\nMOVE: 5", None),
        ("MOVE: 5\nMOVE: 6", None),
        ("MOVE: 5\nor\nMOVE: 6\nWho knows?", None),
        ("MOVE: 5\nMOVE: 5", 5),
        ("MOVE: 5 or 6", None),
        ("I will not play MOVE: 5", None),
        ("**5** or **6**", None),
        ("There are three left:\n5", None),
        ("The best move is 5", None),
        ("", None),
        ("MOVE: five", None),
        ("MOVE: 5 because 6 loses", None),
        ("MOVE: 5 6 7", None),
        ("*" * 100_000 + "5", None),
        ("<think>" * 50_000, None),
    ],
)
def test_an_answer_is_read_and_never_guessed(answer, move):
    kind, _, read = read_answer(duels.game("number-line-duel").start(), answer)
    assert read == move
    assert kind == ("unreadable" if move is None else "move")


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.example)
def test_every_form_of_the_table_is_read(form):
    here = duels.game("number-line-duel").start()
    assert read_answer(here, form.example)[2] == 5
    assert read_answer(here, f"It wins.\n{form.example.replace('5', '5-6')}")[2] == (5, 6)
    assert read_answer(here, f"{form.example}\nbut", cut_off=True)[2] is None


@pytest.mark.parametrize("game_id", list(duels.GAMES))
def test_the_prompt_has_the_rules_and_the_position(game_id):
    position = duels.GAMES[game_id].usual().start().play(4)
    system, user = prompt(position, Conditions())
    assert "**R1**" in system["content"]
    assert "Moves so far, in turn: 4." in user["content"]
    assert "You are Player 2" in user["content"]
    assert "Legal moves: 1" in user["content"]


@pytest.mark.parametrize("game_id", list(duels.GAMES))
@pytest.mark.parametrize("form", HOW_TO_ANSWER)
def test_the_prompt_says_what_is_scored_and_its_examples_are_readable(game_id, form):
    start = duels.GAMES[game_id].usual().start()
    for retries in (0, 1, 2):
        system, user = prompt(start, Conditions(retries=retries, form=form))
        assert "costs nothing" not in system["content"] + user["content"]
        assert "loses the game" in user["content"] or "the game is lost" in user["content"]
    examples = [line for line in user["content"].splitlines() if line.startswith(("MOVE:", "\\"))]
    assert len(examples) == 1 + bool(start.game.pair_words)
    for example in examples:
        assert read_answer(start, example)[0] == "move"
    assert "counts as right" in prompt(start, Conditions(), in_exam=True)[1]["content"]


PROMPTS = {
    "number-duel": "5f5ee26504d02c37",
    "divisor-duel": "eaf7ff0e37a39a09",
    "number-line-duel": "0a84ed9d0cf7dc4d",
    "sequence-duel": "6e856f6677b72be2",
    "number-chain-duel": "f96fd7ec248a2850",
}
"""The words of version 3 of the prompt, shortened."""


@pytest.mark.parametrize("game_id", list(duels.GAMES))
def test_another_prompt_needs_another_version(game_id):
    start = duels.GAMES[game_id].usual().start()
    words = [
        prompt(position, conditions, in_exam=in_exam)
        for position in (start, start.play(4))
        for conditions in PRESETS.values()
        for in_exam in (False, True)
    ]
    digest = hashlib.sha256(json.dumps(words).encode()).hexdigest()
    assert (PROMPT_VERSION, digest[:16]) == (3, PROMPTS[game_id])
