"""The executor: all cores, or a Dask cluster of real processes; deaths lose nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

from dask_cluster import Cluster, wait_until
from duels.games import find_game
from duels.lab import jobs as running
from duels.lab.jobs import JobProgress, JobsError, run_jobs
from program import DUELS, workers
from rings import by_ring

pytestmark = pytest.mark.slow

ROUNDS = by_ring(7, long=12)
MATCHES = ["--players", "perfect", "expert", "--games", "number-duel", "--rounds", str(ROUNDS)]
"""Matches enough for something to happen between the second and the last."""


def square(number: int) -> int:
    return number * number


def die_once(path: str) -> str:
    """A task that kills its worker the first time it is run."""
    try:
        os.mkdir(path)
    except FileExistsError:
        return "done"
    os.kill(os.getpid(), signal.SIGKILL)
    return "never"


def die_always(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def fail(number: int) -> int:
    raise JobsError(f"{number} is too much.")


@pytest.mark.parametrize("jobs", [1, 2, None])
def test_every_task_comes_back_with_its_result(jobs):
    assert dict(run_jobs(square, range(20), jobs=jobs)) == {n: n * n for n in range(20)}


def test_the_time_left_is_only_estimated_once_it_means_something(monkeypatch):
    now = 0.0
    monkeypatch.setattr(running, "monotonic", lambda: now)
    progress = JobProgress("matches", 400, done=100)
    now = 1.0
    progress.step(100)
    assert progress.text == "200 of 400 matches (50%)"
    now = 10.0
    assert progress.text == "200 of 400 matches (50%), 20 s left"
    few = JobProgress("matches", 400)
    now = 60.0
    few.step()
    assert few.text == "1 of 400 matches (0%)"


def test_the_command_that_was_used_is_the_one_to_continue_with(monkeypatch, capsys):
    monkeypatch.setenv("DUELS_COMMAND", "scripts/play")
    monkeypatch.setattr("sys.argv", ["duels", "arena", "--out", "my results"])
    with pytest.raises(KeyboardInterrupt), JobProgress("matches", 4, done=1):
        raise KeyboardInterrupt
    said = capsys.readouterr().err
    assert "1 of 4 matches is saved. " in said
    assert said.endswith("To continue:\nscripts/play arena --out 'my results'\n")


def test_a_run_that_saves_nothing_does_not_promise_to_continue(monkeypatch, capsys):
    def interrupted(function, tasks, *, jobs):
        yield tasks[0], function(tasks[0])
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "run_jobs", interrupted)
    with pytest.raises(KeyboardInterrupt):
        running.run_all(square, [1, 2], "boards", jobs=1)
    assert capsys.readouterr().err == "\nStopped. Nothing was written.\n"


def test_no_tasks_are_no_work():
    assert list(run_jobs(square, [], jobs=2)) == []


def test_a_worker_that_dies_loses_nothing(tmp_path):
    tasks = [str(tmp_path / name) for name in "ab"]
    assert dict(run_jobs(die_once, tasks, jobs=2)) == dict.fromkeys(tasks, "done")


def test_tasks_that_kill_every_worker_end_in_a_sentence():
    with pytest.raises(JobsError, match="died 3 times; 2 tasks are not done"):
        list(run_jobs(die_always, [1, 2], jobs=2))


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_sentence_of_a_task_comes_through(jobs):
    with pytest.raises(JobsError, match="is too much"):
        list(run_jobs(fail, [1, 2, 3], jobs=jobs))


def test_leaving_in_the_middle_ends_the_workers():
    before = workers(os.getpid())
    results = run_jobs(time.sleep, [0.01, *[30.0] * 3], jobs=2)
    next(results)
    assert len(workers(os.getpid())) == len(before) + 2
    results.close()
    wait_until(lambda: workers(os.getpid()) == before)


def test_workers_end_when_their_parent_is_killed(environment, tmp_path):
    process = start_arena(environment, tmp_path / "out", "--jobs", "2")
    wait_until(lambda: lines_of(tmp_path / "out"))
    orphans = workers(process.pid)
    process.kill()
    process.communicate()
    assert orphans
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in orphans))


def test_tasks_may_be_run_from_any_thread():
    found = []
    thread = threading.Thread(target=lambda: found.extend(run_jobs(square, [1, 2], jobs=2)))
    thread.start()
    thread.join()
    assert sorted(found) == [(1, 1), (2, 4)]


def test_no_scheduler_at_the_address_is_a_sentence_at_once(monkeypatch):
    monkeypatch.setattr("duels.lab.jobs.CLUSTER_TIMEOUT", 0.5)
    with pytest.raises(JobsError, match="does not answer"):
        list(run_jobs(square, [1], cluster="tcp://127.0.0.1:9"))


def test_a_missing_extra_is_a_kind_sentence(run, environment, tmp_path):
    (tmp_path / "distributed.py").write_text("raise ImportError")
    args = [*MATCHES, "--cluster", "tcp://127.0.0.1:9", "--out", str(tmp_path / "out")]
    done = run("arena", *args, env=environment | {"PYTHONPATH": str(tmp_path)})
    assert done.returncode == 1
    assert "pip install '.[cluster]'" in done.stderr


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    pytest.importorskip("distributed")
    started = Cluster(tmp_path_factory.mktemp("dask"), workers=2)
    yield started
    started.end()


@pytest.mark.cluster
def test_workers_that_all_leave_are_a_sentence(tmp_path, monkeypatch):
    pytest.importorskip("distributed")
    started = Cluster(tmp_path, workers=1)
    try:
        monkeypatch.setattr("duels.lab.jobs.POLL_INTERVAL", 0.3)
        results = run_jobs(time.sleep, [0.01, *[30.0] * 3], cluster=started.address)
        next(results)
        started.workers[0].kill()
        with pytest.raises(JobsError, match="no workers left: 3 tasks"):
            next(results)
    finally:
        started.end()


def lines_of(folder):
    path = folder / "results.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    timed = ("date", "seconds", "origin")
    return [{k: v for k, v in line.items() if k not in timed} for line in lines]


def start_arena(environment, out, *args):
    command = [*DUELS, "arena", *MATCHES, *args, "--out", str(out)]
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_a_worker_that_does_not_know_a_game_is_a_sentence(cluster):
    for where in ({"jobs": 2}, {"cluster": cluster.address}):
        with pytest.raises(JobsError, match='A worker does not know the game "lost-duel"'):
            list(run_jobs(find_game, ["lost-duel"] * 2, **where))


@pytest.mark.long
def test_a_cluster_gives_the_same_results_though_a_worker_is_killed(cluster, environment, tmp_path):
    on_cluster = start_arena(environment, tmp_path / "cluster", "--cluster", cluster.address)
    wait_until(lambda: len(lines_of(tmp_path / "cluster")) >= 2)
    cluster.workers[0].kill()
    assert len(lines_of(tmp_path / "cluster")) < 2 * ROUNDS
    _, said = on_cluster.communicate(timeout=300)
    assert on_cluster.returncode == 0, said
    assert "Traceback" not in said
    for jobs in by_ring(("2",), long=("1", "2")):
        here = start_arena(environment, tmp_path / jobs, "--jobs", jobs)
        here.communicate(timeout=300)
        assert lines_of(tmp_path / jobs) == lines_of(tmp_path / "cluster")


def test_a_lost_cluster_is_a_sentence_and_results_stay_saved(cluster, environment, run, tmp_path):
    process = start_arena(environment, tmp_path / "out", "--cluster", cluster.address)
    wait_until(lambda: len(lines_of(tmp_path / "out")) >= 2)
    cluster.scheduler.kill()
    _, said = process.communicate(timeout=300)
    assert process.returncode == 1
    assert f"The cluster at {cluster.address} went away" in said
    assert "Traceback" not in said
    assert "To continue:\nduels arena" in said
    kept = len(lines_of(tmp_path / "out"))
    done = run("arena", *MATCHES, "--out", str(tmp_path / "out"))
    assert f"{kept} of {2 * ROUNDS} matches are already saved." in done.stderr
    assert len(lines_of(tmp_path / "out")) == 2 * ROUNDS
