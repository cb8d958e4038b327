"""A real server process: raced for, flooded, started wrongly. What kills it: test_web_faults.py."""

from __future__ import annotations

import json
import random
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pytest
from servers import DUELS, Listener, Seat, create, friends, redeem, wait_for

pytestmark = pytest.mark.slow

BOT = Path(__file__).parents[2] / "docs" / "examples" / "bot.py"


def test_time_runs_out_with_nobody_connected_and_a_late_move_is_refused(server):
    ann, bob = friends(server.http, time_limit=0.5)
    assert ann.move(0, 6).json()["seconds"][0] <= 0.5
    listener = Listener(server.url, ann.id)
    assert listener.wait(lambda s: s["outcome"])["outcome"]["reason"] == "time"
    assert bob.move(1, 3).status_code == 409


def test_the_clock_waits_for_the_friend(server):
    made = create(server.http, time_limit=0.3)
    ann = Seat(server.http, made["id"], made["token"])
    time.sleep(0.8)  # nothing shall happen in a time that would be enough for it
    assert ann.state()["outcome"] is None
    assert ann.state()["clock"]["deadline"] is None
    assert redeem(server.http, made).state()["clock"]["deadline"]
    wait_for(lambda: ann.state()["outcome"] == {"winner": 2, "reason": "time"}, 5)


def test_a_computer_whose_server_died_moves_after_the_restart(start_server, tmp_path):
    server = start_server()
    made = create(server.http, "number-duel", "computer")
    server.stop()
    with sqlite3.connect(tmp_path / "web.sqlite3") as database:  # killed while thinking
        database.execute("INSERT INTO moves VALUES (?, 0, '28', 1.0)", [made["id"]])
        database.execute(
            "UPDATE matches SET version = 2, due = 0, "
            "document = json_set(document, '$.ply', 1, '$.version', 2)"
        )
    database.close()
    again = start_server()
    ann = Seat(again.http, made["id"], made["token"])
    assert len(wait_for(lambda: (s := ann.state())["ply"] == 2 and s, 10)["moves"]) == 2


def test_many_at_once_for_the_same_ply_make_one_move(server):
    made = create(server.http, "number-line-duel", "here", options={"numbers": 40})
    answers: list[int] = []
    together = threading.Barrier(8)

    def race(number: int) -> None:
        with httpx.Client(base_url=server.url) as http:
            seat = Seat(http, made["id"], made["token"])
            for ply in range(5):
                together.wait()
                answers.append(seat.move(ply, 8 * ply + number + 1).status_code)

    racers = [threading.Thread(target=race, args=(number,)) for number in range(8)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    assert sorted(answers) == [200] * 5 + [409] * 35
    assert Seat(server.http, made["id"], None).state()["ply"] == 5


def test_a_client_that_reconnects_gets_the_moves_it_missed(server):
    ann, bob = friends(server.http)
    first = Listener(server.url, ann.id)
    seen = first.wait(lambda s: s["ply"] == 0)["version"]
    ann.move(0, 6)
    first.wait(lambda s: s["ply"] == 1)
    assert [number for kind, number, _ in first.events if kind == "state"][-1] > seen
    bob.move(1, 3)
    back = Listener(server.url, ann.id, last=seen)
    assert back.wait(lambda s: True)["moves"] == ["6", "3"]
    newest = back.events[-1][1]
    nothing_new = Listener(server.url, ann.id, last=newest)
    ann.move(2, 1)
    assert nothing_new.wait(lambda s: s["version"] > newest)["moves"] == ["6", "3", "1"]
    wait_for(lambda: ann.state()["watching"] == 3, 5)
    assert nothing_new.wait(lambda s: s["watching"] == 3)


def test_the_pages_of_the_players_are_not_counted_as_watching(server):
    ann, bob = friends(server.http)
    own = [Listener(server.url, one.id, query="?role=player") for one in (ann, ann, bob)]
    assert [listener.status for listener in own] == [200] * 3
    Listener(server.url, ann.id)
    assert own[0].wait(lambda s: s["watching"])["watching"] == 1
    wait_for(lambda: Seat(server.http, ann.id, None).state()["watching"] == 1, 5)


def test_too_many_streams_from_one_client_are_refused(start_server):
    server = start_server(DUELS_MAX_STREAMS="5")
    ann, _ = friends(server.http)
    listeners = [Listener(server.url, ann.id) for _ in range(7)]
    assert sorted(listener.status for listener in listeners) == [200] * 5 + [429] * 2
    assert ann.move(0, 6).status_code == 200


def test_secrets_are_neither_logged_nor_stored(start_server, tmp_path):
    server = start_server()
    ann, bob = friends(server.http)
    ann.move(0, 6)
    server.http.get(f"/api/matches/{ann.id}", params={"seat": bob.token})
    server.stop()
    stored = b"".join(file.read_bytes() for file in tmp_path.glob("web.sqlite3*"))
    assert ann.id.encode() in stored
    for seat in (ann, bob):
        assert seat.token.encode() not in stored
        assert seat.token not in server.log
    lines = [json.loads(line) for line in server.log_file.read_text().splitlines()]
    assert {"time", "level", "event", "method", "path", "status", "ms"} <= lines[0].keys()
    assert not any("?" in line.get("path", "") for line in lines)


def test_several_workers_share_one_file(start_server):
    server = start_server(None, "--workers", "2")
    ann, bob = friends(server.http)
    listeners = [Listener(server.url, ann.id) for _ in range(6)]
    seats = (ann, bob)
    for ply, move in enumerate([6, 3, 9, 1]):
        with httpx.Client(base_url=server.url) as http:  # a new connection, perhaps another worker
            assert seats[ply % 2].on(http).move(ply, move).status_code == 200
        for listener in listeners:
            listener.wait(lambda s, ply=ply: s["ply"] == ply + 1)
    began = time.monotonic()
    assert server.stop() == 0
    assert time.monotonic() - began < 8
    assert all(wait_for(lambda one=one: one.kinds()[-1] == "bye", 5) for one in listeners)


@pytest.mark.parametrize("game", ["sequence-duel", "divisor-duel"])
def test_the_bot_of_the_docs_plays_a_friend_to_the_end(server, game):
    made = create(server.http, game)
    link = f"{server.url}/m/{made['id']}#seat={made['invite']['token']}"
    bot = subprocess.Popen([sys.executable, str(BOT), link])
    ann, state = Seat(server.http, made["id"], made["token"]), made["state"]
    while not state["outcome"]:
        if state["to_move"] == 1:
            state = ann.move(state["ply"], random.choice(state["legal"])).json()
        else:
            state = wait_for(lambda: (s := ann.state())["to_move"] != 2 and s, 20)
    assert bot.wait(10) == 0


def test_a_port_in_use_gets_a_sentence(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        database = str(tmp_path / "web.sqlite3")
        done = _run("serve", "--port", port, "--database", database)
    assert done.returncode == 1
    assert f"port {port} cannot be used" in done.stderr


NOWHERE = ["mysql://x/y", "nonsense://", "/nowhere/at/all.db", "postgresql://x@127.0.0.1:1/y"]


@pytest.mark.parametrize("url", NOWHERE)
def test_a_database_that_cannot_be_opened_gets_a_sentence(url):
    done = _run("serve", "--port", "0", "--database", url)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: The database ")
    if NOWHERE.index(url) > 1:  # it could not be opened: named as it was typed
        assert done.stderr.startswith(f"Error: The database {url} cannot be opened: ")


def test_a_database_with_another_schema_version_is_refused(start_server, tmp_path):
    database = tmp_path / "web.sqlite3"
    start_server().stop()
    start_server().stop()  # once more does no harm
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE schema_version SET version = 99")
    connection.close()
    before = database.read_bytes()
    done = _run("serve", "--port", "0", "--database", str(database))
    assert done.returncode == 1
    assert "The database has version 99 of the schema, and this version of duels" in done.stderr
    assert database.read_bytes() == before


def test_a_missing_extra_gets_a_kind_message(tmp_path):
    code = "import sys; sys.modules['starlette'] = None; from duels.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "serve"], capture_output=True, text=True, timeout=30
    )
    assert done.returncode == 1
    assert "pip install '.[web]'" in done.stderr


def _run(*args: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([*DUELS, *args], capture_output=True, text=True, timeout=30)
    assert "Traceback" not in done.stderr, done.stderr
    return done
