"""What one client may ask for, whoever that is, and what it does to everybody else."""

from __future__ import annotations

import asyncio
import signal
import socket
import threading
import time
from collections.abc import Awaitable, Callable
from functools import partial

import httpx
import pytest
from servers import Listener, Seat, create, friends, serving, wait_for
from starlette.types import Receive
from test_web_api import assert_problem

import duels
import duels.server.thinker as thinker_module
from duels.server.budgets import Budget
from duels.server.clients import client_id
from duels.server.config import Config, from_environment
from duels.server.lanes import HungUp, Lane
from duels.server.thinker import Thinker
from duels.service.problems import Problem

pytestmark = pytest.mark.slow

LINE = {"game": "sequence-duel", "options": {"numbers": 50}, "moves": ["6"]}


Act = Callable[[], Awaitable[object]]


async def nothing() -> None:
    pass


async def stays() -> dict[str, str]:
    """Somebody who waits for an answer."""
    await asyncio.sleep(60)
    return {}


async def hangs_up() -> dict[str, str]:
    return {"type": "http.disconnect"}


async def in_turn(lane: Lane, receive: Receive, rank: float, act: Act = nothing) -> None:
    async with lane.turn(receive, lambda: rank):
        await act()


async def waiting(lane: Lane, number: int) -> None:
    while len(lane._waiting) < number:
        await asyncio.sleep(0.001)


def test_a_full_lane_refuses_and_the_modest_go_first():
    async def try_it() -> None:
        lane, go, order = Lane(1, 3), asyncio.Event(), []

        async def note(rank: int) -> None:
            order.append(rank)

        jobs = [asyncio.create_task(in_turn(lane, stays, 0, go.wait))]
        await asyncio.sleep(0)
        jobs += [
            asyncio.create_task(in_turn(lane, stays, rank, partial(note, rank)))
            for rank in (5, 1, 3)
        ]
        await waiting(lane, 3)
        with pytest.raises(Problem, match="Too many are asking") as refused:
            await in_turn(lane, stays, 0)
        assert refused.value.status == 503
        assert refused.value.headers
        assert int(refused.value.headers["Retry-After"]) > 0
        go.set()
        await asyncio.gather(*jobs)
        assert order == [1, 3, 5]

    asyncio.run(try_it())


def test_whoever_hangs_up_gives_the_place_free():
    async def try_it() -> None:
        lane, go = Lane(1, 1), asyncio.Event()
        running = asyncio.create_task(in_turn(lane, stays, 0, go.wait))
        await asyncio.sleep(0)
        for _ in range(5):
            with pytest.raises(HungUp):
                await in_turn(lane, hangs_up, 0)
        cancelled = asyncio.create_task(in_turn(lane, stays, 0))
        await waiting(lane, 1)
        cancelled.cancel()
        await asyncio.wait([cancelled])
        patient = asyncio.create_task(in_turn(lane, stays, 0))
        await waiting(lane, 1)
        go.set()
        await asyncio.gather(running, patient)
        await in_turn(lane, stays, 0)

    asyncio.run(try_it())


def test_whatever_happens_beside_the_server_is_a_sentence(monkeypatch):
    async def try_it() -> None:
        thinker = Thinker()
        try:
            assert (await thinker.run(abs, (-7,))).result == 7
            refused = await thinker.run(duels.game, ("number-duel", "what"))
            assert "TypeError" in refused.fault
            refused = await thinker.run(duels.game, ("no-such-game",))
            assert refused.refused
            assert refused.refused[0] == 422
            died = await thinker.run(signal.raise_signal, (signal.SIGTERM,))
            assert died.refused
            assert died.refused[0] == 503
            monkeypatch.setattr(thinker_module, "LONGEST", 0.2)
            endless = await thinker.run(time.sleep, (60,))
            assert endless.refused == (503, "This takes too long to work out.")
            monkeypatch.undo()
            assert (await thinker.run(abs, (-8,))).result == 8  # and a new one is there
        finally:
            thinker.stop()

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
        wait_for(lambda: http.post("/api/solve", json=LINE).status_code == 429, 20)
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
        assert ann.post("rematch").json()["rematch"] is None
        again = bob.post("rematch").json()
        assert ann.post("rematch").json() == again  # the same one, and counted once
        next_one = Seat(http, again["rematch"], ann.token)
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
        wait_for(lambda: one.post("/api/solve", json=LINE).status_code == 429, 20)
        # The second server learns of it with the first thing that it works out.
        wait_for(lambda: two.post("/api/solve", json=LINE).status_code == 429, 20)


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
    from duels.server.budgets import HOUR, count_new, forget
    from duels.server.database import Database
    from duels.server.tables import spending

    database = Database(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    database.migrate()
    try:
        database.write(lambda at: count_new(at, "matches", 5, "somebody", HOUR))
        database.write(lambda at: forget(at, HOUR + 1))
        assert database.read(lambda at: at.execute(spending.select()).all())
        database.write(lambda at: forget(at, 2 * HOUR))
        assert not database.read(lambda at: at.execute(spending.select()).all())
    finally:
        database.close()
