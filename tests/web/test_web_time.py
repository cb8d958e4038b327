"""Real servers whose clocks are wrong, or that were away: no player loses a second by it."""

from __future__ import annotations

import json
import sqlite3
import time
from datetime import UTC, datetime, timedelta

import pytest
from servers import Seat, create, friends, wait_for, wrong_clock

from rings import all_if_long, by_ring

pytestmark = pytest.mark.slow


def seconds_left(seat: Seat) -> float:
    clock = seat.state()["clock"]
    return (clock["deadline"] - clock["now"]) / 1000


def assert_wrong(server, by: timedelta) -> None:
    """The server's wall clock really is wrong: its log has times that far away."""

    def is_wrong() -> bool:
        server.http.get("/healthz")
        last = json.loads(server.log_file.read_text().splitlines()[-1])
        return abs(datetime.fromisoformat(last["time"]) - datetime.now(UTC)) > by

    wait_for(is_wrong, 5)


@pytest.mark.parametrize("stop", all_if_long(["kill", "stop"], "kill"))
def test_a_server_that_was_away_costs_a_second_at_most(start_server, stop):
    server = start_server()
    ann, bob = friends(server.http, time_limit=5)
    ann.move(0, 6)
    before, began = seconds_left(ann), time.monotonic()
    getattr(server, stop)()
    served = time.monotonic() - began
    time.sleep(by_ring(6, long=12))  # longer than the player has
    began = time.monotonic()
    again = start_server()
    left = seconds_left(ann.on(again.http))
    served += time.monotonic() - began
    assert before - left < served + 1.1
    assert bob.on(again.http).move(1, 3).status_code == 200


def test_a_clock_runs_out_after_a_restart_as_if_there_had_been_none(start_server):
    server = start_server()
    ann, _ = friends(server.http, time_limit=2)
    ann.move(0, 6)
    server.kill()
    again = start_server()
    state = wait_for(lambda: (s := ann.on(again.http).state())["outcome"] and s, 10)
    assert state["outcome"] == {"winner": 1, "reason": "time"}
    assert (state["status"], state["why"]) == ("Ann wins.", "Bob ran out of time.")


def test_a_clock_that_is_days_ahead_removes_nothing(start_server, tmp_path):
    server = start_server()
    matches = [create(server.http, "sequence-duel", "here")["id"] for _ in range(5)]
    server.stop()
    ahead = start_server(**wrong_clock(tmp_path / "clock", "+400d"))
    assert_wrong(ahead, by=timedelta(days=300))
    created = create(ahead.http, "sequence-duel", "here")["id"]
    time.sleep(by_ring(1, long=12))  # cleaning up is done at the start, and every five seconds
    for match_id in [*matches, created]:
        assert ahead.http.get(f"/api/matches/{match_id}").status_code == 200
    with sqlite3.connect(tmp_path / "web.sqlite3") as database:
        assert database.execute("SELECT COUNT(marked) FROM matches").fetchone() == (0,)
    database.close()


@pytest.mark.parametrize("jump", all_if_long(["+8d", "-8d", "+1h", "-1h", "+20s"], "-1h"))
def test_a_clock_that_is_set_in_mid_turn_changes_no_deadline(start_server, tmp_path, jump):
    file = tmp_path / "clock"
    server = start_server(**wrong_clock(file))
    ann, bob = friends(server.http, time_limit=4)
    began = time.monotonic()
    ann.move(0, 6)
    file.write_text(jump)
    assert_wrong(server, by=timedelta(seconds=10))
    left = seconds_left(ann)
    assert 4 - (time.monotonic() - began) - 0.5 < left <= 4
    over = wait_for(lambda: (s := ann.state())["outcome"] and s, 20)
    assert over["outcome"] == {"winner": 1, "reason": "time"}
    assert 3.5 < time.monotonic() - began < 10
    assert bob.move(1, 3).status_code == 409
