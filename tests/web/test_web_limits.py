"""What one client may ask for, whoever that is, and what it does to everybody else."""

from __future__ import annotations

import asyncio
import socket
import threading
import time

import httpx
import pytest
from servers import Listener, Seat, create, friends, serving, wait_for
from test_web_api import assert_problem

import duels
from duels.web.budgets import Budget
from duels.web.clients import client_id
from duels.web.config import Config, from_environment
from duels.web.lanes import HungUp, Lane
from duels.web.problems import Problem

LINE = {"game": "sequence-duel", "options": {"numbers": 50}, "moves": ["6"]}


async def stays() -> dict[str, str]:
    """Somebody who waits for an answer."""
    await asyncio.sleep(60)
    return {}


async def hangs_up() -> dict[str, str]:
    return {"type": "http.disconnect"}


async def waiting(lane: Lane, number: int) -> None:
    while len(lane._waiting) < number:
        await asyncio.sleep(0.001)


def test_a_full_lane_refuses_and_the_modest_go_first():
    async def try_it() -> None:
        lane, go, order = Lane("test", 1, 3), threading.Event(), []
        running = asyncio.create_task(lane.run(go.wait, stays, lambda: 0))
        await asyncio.sleep(0)
        jobs = [
            asyncio.create_task(
                lane.run(lambda rank=rank: order.append(rank), stays, lambda r=rank: r)
            )
            for rank in (5, 1, 3)
        ]
        await waiting(lane, 3)
        with pytest.raises(Problem, match="Too many are asking") as refused:
            await lane.run(lambda: order.append(0), stays, lambda: 0)
        assert refused.value.status == 503
        assert refused.value.headers
        assert int(refused.value.headers["Retry-After"]) > 0
        go.set()
        await asyncio.gather(running, *jobs)
        assert order == [1, 3, 5]
        assert await lane.run(lambda: 7, stays, lambda: 0) == 7
        lane.stop()

    asyncio.run(try_it())


def test_whoever_hangs_up_gives_the_place_free():
    async def try_it() -> None:
        lane, go, done = Lane("test", 1, 1), threading.Event(), []
        running = asyncio.create_task(lane.run(go.wait, stays, lambda: 0))
        await asyncio.sleep(0)
        for _ in range(5):
            with pytest.raises(HungUp):
                await lane.run(lambda: done.append("gone"), hangs_up, lambda: 0)
        patient = asyncio.create_task(lane.run(lambda: done.append("here"), stays, lambda: 0))
        await waiting(lane, 1)
        cancelled = asyncio.create_task(lane.run(lambda: done.append("no"), stays, lambda: 0))
        cancelled.cancel()
        go.set()
        await asyncio.gather(running, patient, cancelled, return_exceptions=True)
        assert done == ["here"]
        assert lane._free == 1
        lane.stop()

    asyncio.run(try_it())


def test_a_budget_refills():
    budget = Budget("study", 60, 300_000)
    assert budget.still_spent(60, 0) == 60
    assert budget.still_spent(60, 150_000) == 30
    assert budget.still_spent(60, 10**9) == 0
    assert budget.still_spent(60, -(10**9)) == 60  # a clock that was set back forgives nothing
    assert budget.retry_after(6) == {"Retry-After": "30"}


def test_work_is_counted_and_not_requests(tmp_path):
    with serving(Config(database=str(tmp_path / "study.sqlite3"), max_study=0.0001)) as http:
        assert http.get("/api/games").status_code == 200
        wait_for(lambda: http.post("/api/solve", json=LINE).status_code == 429, 5)
        refused = http.get("/api/picture.svg?game=number-line-duel")
        assert_problem(refused, 429)
        assert int(refused.headers["retry-after"]) > 0
        made = create(http, "sequence-duel", "computer")
        ann = Seat(http, made["id"], made["token"])
        assert_problem(ann.get("hint"), 429)
        assert ann.move(0, 6).status_code == 200  # games go on
        wait_for(lambda: ann.state()["ply"] == 2, 5)


def test_a_class_may_ask_all_at_once(http):
    """Thirty pupils behind one address, each of whom wants to know the truth three times."""
    answers: list[int] = []

    def pupil() -> None:
        with httpx.Client(base_url=http.base_url, timeout=30, verify=False) as own:
            answers.extend(own.post("/api/solve", json=LINE).status_code for _ in range(3))

    pupils = [threading.Thread(target=pupil) for _ in range(30)]
    for thread in pupils:
        thread.start()
    for thread in pupils:
        thread.join()
    assert answers == [200] * 90


def test_a_computer_answers_while_others_ask_for_much(http):
    line = '{"game": "number-duel", "options": {"numbers": 10000}, "moves": [5000]}\n'
    body = (line * (68_000 // len(line))).encode()
    head = f"POST /api/records HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    made = create(http, "sequence-duel", "computer")
    ann = Seat(http, made["id"], made["token"])
    flood = [socket.create_connection((http.base_url.host, http.base_url.port)) for _ in range(40)]
    for connection in flood:
        connection.sendall(head + body)
    time.sleep(0.2)
    for connection in flood:
        connection.close()
    began = time.monotonic()
    assert ann.move(0, 6).status_code == 200
    wait_for(lambda: ann.state()["ply"] == 2, 5)  # forty of them took a minute
    assert http.post("/api/solve", json=LINE).status_code == 200
    assert time.monotonic() - began < 15


def test_rematches_count_as_new_matches(tmp_path):
    with serving(Config(database=str(tmp_path / "few.sqlite3"), max_matches=2)) as http:
        ann, bob = friends(http)
        ann.post("resign")
        again = ann.post("rematch")
        assert again.status_code == 200
        assert bob.post("rematch").json() == again.json()  # the same one, and counted once
        next_one = Seat(http, again.json()["id"], ann.token)
        next_one.post("resign")
        assert_problem(next_one.post("rematch"), 429)
        assert next_one.state()["rematch"] is None


def test_limits_are_shared_by_all_servers_of_a_database(tmp_path):
    config = Config(database=str(tmp_path / "shared.sqlite3"), max_matches=2, max_streams=2)
    with serving(config) as one, serving(config) as two:
        match_id = create(one)["id"]
        create(two)
        for http in (one, two):
            refused = http.post("/api/matches", json={"game": "number-duel", "mode": "here"})
            assert_problem(refused, 429)
        urls = [str(http.base_url).rstrip("/") for http in (one, two)]
        listeners = [Listener(urls[0], match_id) for _ in range(2)]
        assert [listener.status for listener in listeners] == [200, 200]
        wait_for(lambda: Seat(two, match_id, None).state()["watching"] == 2, 5)
        with httpx.stream("GET", f"{urls[1]}/api/matches/{match_id}/events") as refused_stream:
            assert refused_stream.status_code == 429


def test_work_is_shared_by_all_servers_of_a_database(tmp_path):
    config = Config(database=str(tmp_path / "shared.sqlite3"), max_study=0.03)
    with serving(config) as one, serving(config) as two:
        wait_for(lambda: one.post("/api/solve", json=LINE).status_code == 429, 10)
        # The second server learns of it with the first thing that it works out.
        wait_for(lambda: two.post("/api/solve", json=LINE).status_code == 429, 10)


def test_clients_are_addresses_and_homes():
    assert client_id("10.0.0.1") != client_id("10.0.0.2")
    assert client_id("::ffff:10.0.0.1") == client_id("10.0.0.1")
    assert client_id("2001:db8::1") == client_id("2001:db8:0:0:ffff::2")
    assert client_id("2001:db8::1") != client_id("2001:db8:0:1::1")
    assert "10.0.0.1" not in client_id("10.0.0.1")


def asked_for(http, forwarded: str) -> int:
    asked = {"game": "number-duel", "mode": "here"}
    headers = {"X-Forwarded-For": forwarded}
    return http.post("/api/matches", json=asked, headers=headers).status_code


def test_nobody_is_believed_who_speaks_for_another(start_server):
    http = start_server(DUELS_MAX_MATCHES="1").http
    assert asked_for(http, "10.0.0.1") == 201
    assert asked_for(http, "10.0.0.2") == 429


def test_a_trusted_proxy_is_believed_about_the_last_who_asked_it(tmp_path):
    trusted = {"trusted_proxies": "127.0.0.1, 10.9.0.0/16", "max_matches": 1}
    with serving(Config(database=str(tmp_path / "proxied.sqlite3"), **trusted)) as http:
        assert asked_for(http, "10.0.0.1") == 201
        assert asked_for(http, "10.0.0.2, 10.9.1.1") == 201
        assert asked_for(http, "10.0.0.3, 10.0.0.2") == 429  # the first is what the client says
        assert asked_for(http, "2001:db8::1") == 201
        assert asked_for(http, "2001:db8::2") == 429


@pytest.mark.parametrize("text", ["everybody", "10.0.0.0/99", "*"])
def test_a_proxy_that_is_no_address_is_refused(text):
    with pytest.raises(duels.OptionError, match="A trusted proxy is an address or a network"):
        from_environment({"DUELS_TRUSTED_PROXIES": text})


def test_a_foreign_host_is_refused(tmp_path):
    config = Config(database=str(tmp_path / "a.sqlite3"), public_url="https://Duels.Example/")
    with serving(config) as http:
        for host in ("duels.example", "DUELS.example:443"):
            page = http.get("/learn/sequence-duel", headers={"Host": host})
            assert page.status_code == 200
            assert '<meta name="public-url" content="https://duels.example">' in page.text
            canonical = '<https://duels.example/learn/sequence-duel>; rel="canonical"'
            assert page.headers["link"] == canonical
        for host in ("127.0.0.1", "duels.example:80", "evil.example", ""):
            refused = http.get("/", headers={"Host": host})
            assert_problem(refused, 421)
            assert refused.json()["detail"] == "This server is at https://duels.example."
        assert http.get("/healthz").status_code == 200
        assert http.get("/readyz").status_code == 200


@pytest.mark.parametrize(
    "text",
    [
        "duels.example",
        "ftp://a",
        "https://",
        "https://a/b",
        "https://u@a",
        "http://a:b",
        "http://[a",
    ],
)
def test_a_public_url_is_a_scheme_and_a_host(text):
    with pytest.raises(duels.OptionError, match="The public URL is a scheme and a host"):
        Config(public_url=text)


def test_many_wrong_options_are_refused_at_once(http):
    """Naming each of them took a tenth of a second, in which nobody else was served."""
    line = {"game": "number-duel", "options": {f"o{n}": [] for n in range(5000)}}
    refused = http.post("/api/solve", json=line)
    assert_problem(refused, 422)
    assert "at most 20 options" in refused.json()["detail"]


def test_what_clients_have_spent_is_forgotten(tmp_path):
    from duels.web.budgets import HOUR, count_match, forget
    from duels.web.database import Database
    from duels.web.tables import spending

    database = Database(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    database.migrate()
    try:
        database.write(lambda at: count_match(at, 5, "somebody", HOUR))
        database.write(lambda at: forget(at, HOUR + 1))
        assert database.read(lambda at: at.execute(spending.select()).all())
        database.write(lambda at: forget(at, 2 * HOUR))
        assert not database.read(lambda at: at.execute(spending.select()).all())
    finally:
        database.close()
