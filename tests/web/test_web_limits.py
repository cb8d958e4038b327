"""The limits of one client, what counts as a client, and the effect on all others."""

from __future__ import annotations

import asyncio
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from servers import Listener, Seat, assert_problem, create, friends, serving, wait_for

import duels
from duels.server import rate_limits
from duels.server import solver_pool as solver_pool_module
from duels.server.config import Config, from_environment
from duels.server.rate_limits import RateLimiter, TokenBucket, client_id
from duels.server.solver_pool import ClientGone, SolverPool
from duels.service.problems import Problem
from duels.service.requests import Request

pytestmark = pytest.mark.slow

LINE = {"game": "sequence-duel", "options": {"numbers": 50}, "moves": ["6"]}

ANN, BOB = (Request(client=name) for name in ("ann", "bob"))


async def leave() -> None:
    """What `gone` is for a client that has disconnected."""


async def waiting(pool: SolverPool, number: int) -> None:
    while pool.jobs < number:
        await asyncio.sleep(0.001)


@contextmanager
def solver_pool(**more: int) -> Iterator[SolverPool]:
    pool = SolverPool(RateLimiter(60), **more)
    try:
        yield pool
    finally:
        pool.stop()


def test_a_full_queue_refuses_and_clients_take_turns():
    async def try_it() -> None:
        order = []

        async def ask(client: Request, name: str) -> None:
            await pool.run(client, abs, 0)
            order.append(name)

        with solver_pool(max_jobs=5) as pool:
            jobs = [asyncio.create_task(pool.run(ANN, time.sleep, 0.3))]
            await waiting(pool, 1)
            for client, name in ((ANN, "ann 1"), (ANN, "ann 2"), (ANN, "ann 3"), (BOB, "bob")):
                jobs.append(asyncio.create_task(ask(client, name)))
            await waiting(pool, 5)
            with pytest.raises(Problem, match="Too many requests are waiting") as refused:
                await pool.run(BOB, abs, 0)
            assert refused.value.status == 503
            assert refused.value.headers
            assert int(refused.value.headers["Retry-After"]) > 0
            await asyncio.gather(*jobs)
            assert order == ["bob", "ann 1", "ann 2", "ann 3"]

    asyncio.run(try_it())


def test_a_client_that_disconnects_leaves_the_queue():
    async def try_it() -> None:
        with solver_pool(max_jobs=2) as pool:
            running = asyncio.create_task(pool.run(ANN, time.sleep, 0.5))
            await waiting(pool, 1)
            for client in (ANN, BOB, ANN, BOB):
                with pytest.raises(ClientGone):
                    await pool.run(client._replace(disconnected=leave), abs, 0)
            cancelled = asyncio.create_task(pool.run(BOB, abs, 0))
            await waiting(pool, 2)
            cancelled.cancel()
            await asyncio.wait([cancelled])
            patient = asyncio.create_task(pool.run(BOB, abs, -3))
            await asyncio.gather(running, patient)
            assert patient.result() == 3
            assert await pool.run(ANN, abs, -4) == 4
            assert (pool.jobs, pool._client_turns) == (0, {})

    asyncio.run(try_it())


def test_a_job_that_has_begun_is_charged_though_its_client_has_gone():
    async def try_it() -> None:
        with solver_pool() as pool:
            await pool.run(ANN, abs, 0)  # the process is there
            used = pool.limiter.used("ann")
            gone = ANN._replace(disconnected=lambda: asyncio.sleep(0.05))
            await pool.run(gone, sum, range(10_000_000))
            assert pool.limiter.used("ann") > used

    asyncio.run(try_it())


def test_whatever_happens_to_a_job_is_a_sentence(monkeypatch):
    async def try_it() -> None:
        with solver_pool() as pool:
            assert await pool.run(ANN, abs, -7) == 7
            with pytest.raises(RuntimeError, match="TypeError"):
                await pool.run(ANN, duels.game, "number-duel", "what")
            with pytest.raises(Problem) as refused:
                await pool.run(ANN, duels.game, "no-such-game")
            assert refused.value.status == 422
            with pytest.raises(Problem, match="could not be worked out just now") as died:
                await pool.run(ANN, signal.raise_signal, signal.SIGTERM)
            assert died.value.status == 503
            monkeypatch.setattr(solver_pool_module, "MAX_SECONDS", 0.2)
            with pytest.raises(Problem, match="This takes too long to work out") as endless:
                await pool.run(ANN, time.sleep, 60)
            assert endless.value.status == 503
            monkeypatch.undo()
            assert await pool.run(ANN, abs, -8) == 8  # in a new process

    asyncio.run(try_it())


def test_a_bucket_refills():
    bucket = TokenBucket("solver", 60, 300_000)
    assert bucket.still_used(60, 0) == 60
    assert bucket.still_used(60, 150_000) == 30
    assert bucket.still_used(60, 10**9) == 0
    assert bucket.still_used(60, -(10**9)) == 60  # a clock that was set back forgives nothing
    bucket.check(60, "not yet")
    with pytest.raises(Problem, match="too much") as refused:
        bucket.check(66, "too much")
    assert refused.value.headers == {"Retry-After": "30"}


def test_a_limiter_remembers_a_bounded_number_of_clients(monkeypatch):
    monkeypatch.setattr(rate_limits, "MAX_CLIENTS", 10)
    monkeypatch.setattr(rate_limits, "SOLVER_REFILL", 1)
    limiter = RateLimiter(1000)
    limiter.charge("busy", 10**9)
    for number in range(100):
        limiter.charge(f"client {number}", 1e-6)
        time.sleep(0.0001)
    assert len(limiter._used) < 20
    assert limiter.used("busy") > 0


def test_work_is_counted_and_not_requests(tmp_path):
    with serving(Config(database=str(tmp_path / "a.sqlite3"), max_solver_seconds=0.0001)) as http:
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
    config = Config(database=str(tmp_path / "shared.sqlite3"), max_solver_seconds=0.03)
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


def test_a_client_cannot_claim_another_address(start_server):
    http = start_server(DUELS_MAX_MATCHES="1").http
    assert asked_for(http, "10.0.0.1") == 201
    assert asked_for(http, "10.0.0.2") == 429


def test_a_trusted_proxy_is_believed_about_its_last_client(tmp_path):
    trusted = {"trusted_proxies": "127.0.0.1, 10.9.0.0/16", "max_matches": 1}
    with serving(Config(database=str(tmp_path / "proxied.sqlite3"), **trusted)) as http:
        assert asked_for(http, "10.0.0.1") == 201
        assert asked_for(http, "10.0.0.2, 10.9.1.1") == 201
        assert asked_for(http, "10.0.0.3, 10.0.0.2") == 429  # the first is what the client says
        assert asked_for(http, "2001:db8::1") == 201
        assert asked_for(http, "2001:db8::2") == 429


@pytest.mark.parametrize("text", ["everybody", "10.0.0.0/99", "*"])
def test_a_proxy_that_is_not_an_address_is_refused(text):
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
    with pytest.raises(duels.OptionError, match="URL is a scheme and a host"):
        Config(public_url=text)


def test_many_wrong_options_are_refused_at_once(http):
    """Naming each of them took a tenth of a second, during which no other request was served."""
    line = {"game": "number-duel", "options": {f"o{n}": [] for n in range(5000)}}
    refused = http.post("/api/solve", json=line)
    assert_problem(refused, 422)
    assert "at most 20 options" in refused.json()["detail"]


def test_what_clients_have_spent_is_forgotten(tmp_path):
    from duels.server.database import Database, rate_limits
    from duels.server.rate_limits import HOUR, charge_new, delete_full

    database = Database(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    database.prepare()
    try:
        database.write(lambda at: charge_new(at, "matches", 5, "somebody", HOUR))
        database.write(lambda at: delete_full(at, HOUR + 1))
        assert database.read(lambda at: at.execute(rate_limits.select()).all())
        database.write(lambda at: delete_full(at, 2 * HOUR))
        assert not database.read(lambda at: at.execute(rate_limits.select()).all())
    finally:
        database.close()
