"""Seconds of every attack on a real server: nothing acknowledged is lost or doubled.

`scripts/test --long` and `scripts/bench faults` have more of them.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest
from attacks import (
    fill,
    fill_disk,
    kill_parent,
    kill_postgres,
    kill_server,
    kill_worker,
    lock_database,
    locked,
    slow_clients,
    small_disk,
    stop_locked,
    stop_server,
)
from servers import create, wait_for
from wrong_clocks import downtime, jumps, two_clocks

from rings import by_ring, only_long

pytestmark = pytest.mark.slow

MOVES = by_ring(40, long=500)
TIMES = by_ring(1, long=8)
STOP_SECONDS = 10
"""What a server promises; a machine may take a moment longer to notice."""


@pytest.fixture
def sqlite(tmp_path):
    return str(tmp_path / "web.sqlite3")


@pytest.fixture(scope="module")
def url(postgres):
    return postgres.get_uri()


def check(figures):
    """All the figures, if one of them is not good."""
    assert figures.is_good, figures
    return figures


@pytest.mark.parametrize("workers", [1, *only_long(4)])
def test_a_killed_server_loses_nothing(tmp_path, sqlite, workers):
    check(kill_server(tmp_path, sqlite, workers, TIMES, MOVES))


@pytest.mark.parametrize("workers", [1, *only_long(4)])
def test_a_killed_server_loses_nothing_in_postgresql(tmp_path, url, workers):
    check(kill_server(tmp_path, url, workers, TIMES, MOVES))


def test_a_killed_database_server_loses_nothing(tmp_path, url, postgres):
    assert check(kill_postgres(tmp_path, postgres, 1, TIMES, MOVES)).refused


def test_a_killed_worker_is_replaced(tmp_path, sqlite):
    check(kill_worker(tmp_path, sqlite, by_ring(2, long=4), TIMES, MOVES))


@pytest.mark.long
def test_a_worker_that_cannot_start_ends_no_other_worker(start_server, sqlite):
    server = start_server(sqlite, "--workers", "2")
    serving = wait_for(lambda: len(found := server.serving()) == 2 and found, 60)
    with locked(sqlite):
        os.kill(serving[0], signal.SIGKILL)
        wait_for(lambda: '"exit_code": 3' in server.log, 60)
        assert server.http.get("/healthz").status_code == 200
    wait_for(lambda: server.http.get("/readyz").status_code == 200, 20)
    assert server.stop() == 0


@pytest.mark.long
def test_workers_end_with_their_parent(tmp_path, sqlite):
    check(kill_parent(tmp_path, sqlite, by_ring(2, long=4), MOVES))


@pytest.mark.parametrize("workers", [1, *only_long(2, 4)])
def test_a_stop_under_load_is_clean(tmp_path, sqlite, workers):
    figures = check(stop_server(tmp_path, sqlite, workers, TIMES, MOVES))
    assert figures.notes["slowest stop"] < STOP_SECONDS


def test_a_stop_does_not_wait_for_a_lock_for_ever(tmp_path, sqlite):
    code, seconds = stop_locked(tmp_path, sqlite, signals=1)
    assert code == 0
    assert seconds < STOP_SECONDS


@pytest.mark.parametrize("workers", [1, *only_long(4)])
def test_a_second_signal_ends_at_once(tmp_path, sqlite, workers):
    code, seconds = stop_locked(tmp_path, sqlite, signals=2, workers=workers)
    assert code == 128 + signal.SIGTERM
    assert seconds < STOP_SECONDS / 3


def test_ctrl_c_at_a_terminal_stops_all_workers_quietly(start_server):
    server = start_server(None, "--workers", "2")  # one of them may still be starting
    os.killpg(server.process.pid, signal.SIGINT)
    assert server.process.wait(STOP_SECONDS + 5) == 0
    assert "Traceback" not in server.log


def test_a_stop_is_bounded_though_a_thread_hangs_and_the_log_is_not_read(tmp_path):
    code = """
import os, signal, sys, threading, time
from duels.server.app import Deadline
deadline = Deadline(1.0)
signal.signal(signal.SIGTERM, lambda number, frame: deadline.is_first(number))
threading.Thread(target=time.sleep, args=(60,)).start()
print("ready", flush=True)
while True:
    print("x" * 100_000)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"ready\n"
    time.sleep(0.3)  # the pipe fills
    process.terminate()
    assert process.wait(STOP_SECONDS) == 1
    process.stdout.close()


def test_a_full_disk_is_reported_and_survived(tmp_path):
    assert check(fill_disk(tmp_path, MOVES, 1.5)).refused


def test_a_server_is_not_ready_as_long_as_its_disk_is_full(tmp_path, start_server):
    """Also when SQLite begins its journal anew, in which there is room."""
    with small_disk(tmp_path / "disk", 16) as disk:
        server = start_server(str(disk / "web.sqlite3"))
        for _ in range(5):
            create(server.http, mode="here")
        with closing(sqlite3.connect(disk / "web.sqlite3")) as database:
            database.execute("PRAGMA wal_checkpoint")
        fill(disk)
        end = time.monotonic() + 2
        while time.monotonic() < end:
            assert server.http.get("/readyz").status_code == 503
            time.sleep(0.05)
        (disk / "ballast").unlink()
        wait_for(lambda: server.http.get("/readyz").status_code == 200, 20)
        assert server.stop() == 0


@pytest.mark.parametrize("database", ["sqlite", *only_long("url")])
def test_a_locked_database_is_reported_and_survived(tmp_path, request, database):
    file = request.getfixturevalue(database)
    assert check(lock_database(tmp_path, file, MOVES, 5.5)).refused


def test_a_server_without_a_column_is_not_ready(start_server, tmp_path):
    server = start_server()
    with sqlite3.connect(tmp_path / "web.sqlite3") as database:
        database.execute("ALTER TABLE matches DROP COLUMN failures")
    database.close()
    answer = wait_for(lambda: (a := server.http.get("/readyz")).status_code == 503 and a, 5)
    assert "column" in answer.json()["detail"]


@pytest.mark.long
def test_a_wall_clock_that_jumps_under_load_changes_nothing(tmp_path, sqlite):
    _clocks_are_right(check(jumps(tmp_path, sqlite, ("+8d", "-1h"), 3.0)))


@pytest.mark.long
def test_servers_with_different_clocks_agree_under_load(tmp_path, url):
    _clocks_are_right(check(two_clocks(tmp_path, url, "+20s", 3.0)))


@pytest.mark.long
def test_downtime_under_load_costs_no_player_a_game(tmp_path, sqlite):
    check(downtime(tmp_path, sqlite, 6.0, 6.5))


def test_slow_clients_do_not_block_others(tmp_path, sqlite):
    figures = check(slow_clients(tmp_path, sqlite, 1, by_ring(3, long=50), MOVES))
    assert figures.notes["stop"] < STOP_SECONDS


def _clocks_are_right(figures):
    """The bench says how right; here a turn may end late, because the machine may be busy."""
    assert all(-1 < off < 30 for off in figures.notes.values()), figures
