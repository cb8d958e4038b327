"""Connection limits: what is too large, too slow or too much is refused in a sentence."""

from __future__ import annotations

import json
import select
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import NamedTuple

import httpx
import pytest
import uvicorn
from servers import Listener, friends, wait_for

from duels.server.app import create_app
from duels.server.config import Config, parse_networks
from duels.server.uvicorn_overrides import ConnectionLimits, LimitedConnection
from program import DUELS

pytestmark = pytest.mark.slow

GET = b"GET /healthz HTTP/1.1\r\nHost: here\r\n"


class Here(NamedTuple):
    """A server in this process with an edge of its own."""

    port: int
    limits: ConnectionLimits
    http: httpx.Client

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=10)


@contextmanager
def limited(tmp_path, limits: ConnectionLimits) -> Iterator[Here]:
    app = create_app(Config(database=str(tmp_path / "edge.sqlite3")))
    listening = socket.create_server(("127.0.0.1", 0), backlog=2048)
    settings = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        http=partial(LimitedConnection, limits=limits),
        ws="none",
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(settings)
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    port = listening.getsockname()[1]
    try:
        wait_for(lambda: server.started, 10)
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=20) as http:
            yield Here(port, limits, http)
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture
def here(tmp_path) -> Iterator[Here]:
    limits = ConnectionLimits(200, 100, head_seconds=0.6, body_seconds=0.8, reading_seconds=0.8)
    with limited(tmp_path, limits) as found:
        yield found


def answer_of(connection: socket.socket) -> tuple[int, str]:
    """The status and the sentence of an answer; 0 where the server only closed."""
    got = b""
    while part := connection.recv(65_536):
        got += part
    if not got:
        return 0, ""
    head, _, body = got.partition(b"\r\n\r\n")
    assert b"application/problem+json" in head
    assert b"connection: close" in head
    told = json.loads(body)
    assert told["status"] == int(head.split()[1])
    return told["status"], told["detail"]


def read_answers(connection: socket.socket, number: int) -> None:
    """So many good answers on a connection that stays open."""
    got = b""
    while got.count(b'{"status":"alive"}') < number:
        part = connection.recv(65_536)
        assert part, got
        got += part
    assert got.count(b"200 OK") == number


def send_much(connection: socket.socket, start: bytes, megabytes: int) -> int:
    """Send until the server has had enough: how many megabytes that was."""
    sent = 0
    with suppress(OSError):
        connection.sendall(start)
        while sent < megabytes:
            connection.sendall(b"a" * 2**20)
            sent += 1
    return sent


@pytest.mark.parametrize(
    ("start", "status", "words"),
    [
        (GET + b"X-Long: ", 431, "The headers are too large: at most 16 kB are read."),
        (b"GET /", 414, "The address is too long: at most 8 kB are read."),
    ],
)
def test_an_endless_head_is_refused_and_not_stored(here, start, status, words):
    with here.connect() as connection:
        sending = threading.Thread(target=send_much, args=(connection, start, 8))
        sending.start()
        assert answer_of(connection) == (status, words)
        sending.join()
    assert here.http.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    ("request_head", "status"),
    [
        (GET + b"X-Long: " + b"a" * 17_000 + b"\r\n\r\n", 431),
        (GET + b"".join(b"X-%d: a\r\n" % n for n in range(3000)) + b"\r\n", 431),
        (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: here\r\n\r\n", 414),
        (b"GET / HTTP/9.7 what\r\n\r\n", 400),
    ],
)
def test_a_head_that_is_too_large_or_no_head_is_refused(here, request_head, status):
    with here.connect() as connection:
        connection.sendall(request_head)
        assert answer_of(connection)[0] == status


@pytest.mark.parametrize(
    ("request_head", "status"),
    [
        (b"GET /healthz HTTP/1.1\r\n", 400),
        (GET + b"Host: here\r\n", 400),
        (GET + b"host: elsewhere\r\n", 400),
        (b"GET /healthz HTTP/1.0\r\nHost: here\r\nHost: here\r\n", 400),
        (b"GET /healthz HTTP/1.0\r\nHost: here\r\n", 200),
        (b"GET /healthz HTTP/1.0\r\n", 200),  # which knows no Host
    ],
)
def test_a_request_has_exactly_one_host(here, request_head, status):
    with here.connect() as connection:
        connection.sendall(request_head + b"Connection: close\r\n\r\n")
        if status == 200:
            read_answers(connection, 1)
        else:
            assert answer_of(connection) == (400, "A request has exactly one Host header.")


def test_little_is_read_from_a_refused_client(here):
    with here.connect() as connection:
        connection.sendall(GET + b"X-Long: " + b"a" * 17_000 + b"\r\n\r\n")
        assert answer_of(connection)[0] == 431
        sent = send_much(connection, b"", 64)
        assert sent < 32  # the system holds some that the server has not read
    wait_for(lambda: not here.limits.connections, 5)


def test_heads_of_a_good_size_are_served(here):
    long = {"X-Long": "a" * 15_000}
    assert here.http.get("/healthz?" + "a" * 7000, headers=long).status_code == 200


@pytest.mark.parametrize("later", [0, 4])
def test_a_body_is_not_counted_as_the_next_head(here, later):
    head = b"POST /api/classes/aaaaa/join HTTP/1.1\r\nHost: here\r\nConnection: close\r\n"
    request = head + b"Content-Length: 30000\r\n\r\n" + b"[" * 30_000
    first = request.index(b"[") - later
    with here.connect() as connection:
        connection.sendall(request[:first])
        time.sleep(0.2)
        connection.sendall(request[first:])
        assert answer_of(connection)[0] == 400


def test_half_sent_requests_are_closed_with_a_sentence(here):
    started = [
        (GET, 408, "The headers did not arrive within 0.6 seconds."),
        (b"\r\n\r\n", 408, "The headers did not arrive within 0.6 seconds."),
        (
            b"POST /api/solve HTTP/1.1\r\nHost: here\r\nContent-Length: 50\r\n\r\n{",
            408,
            "The body did not arrive within 0.8 seconds.",
        ),
        (b"", 0, ""),
    ]
    connections = [here.connect() for _ in range(10 * len(started))]
    for number, connection in enumerate(connections):
        connection.sendall(started[number % 4][0])
    for number, connection in enumerate(connections):
        assert answer_of(connection) == started[number % 4][1:]
        connection.close()
    wait_for(lambda: not here.limits.connections, 5)
    assert not here.limits.clients


def test_a_byte_now_and_then_gains_no_time(here):
    with here.connect() as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nX-Long: ")
        for _ in range(100):
            connection.sendall(b"a")
            if select.select([connection], [], [], 0.05)[0]:
                break
        assert answer_of(connection)[0] == 408


def test_a_connection_is_used_again_and_again(here):
    """Each request has a time of its own, and an idle connection none."""
    with here.connect() as connection:
        for _ in range(3):
            connection.sendall(GET + b"\r\n")
            read_answers(connection, 1)
            time.sleep(0.7)
        connection.sendall(2 * (GET + b"\r\n"))
        read_answers(connection, 2)


def test_event_streams_outlive_every_timer(here):
    ann, _ = friends(here.http)
    listener = Listener(str(here.http.base_url).rstrip("/"), ann.id)
    time.sleep(2.0)  # more than any of the limits
    ann.move(0, 6)
    assert listener.wait(lambda state: state["ply"] == 1)
    assert "lost" not in listener.kinds()


def test_a_client_that_reads_no_response_is_disconnected(here):
    with here.connect() as connection:
        wait_for(lambda: here.limits.connections, 5)
        (served,) = here.limits.connections
        asked = 0
        while served in here.limits.connections and asked < 1000:
            if asked == served.server_state.total_requests:
                connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: here\r\n\r\n")
                asked += 1
            time.sleep(0.005)
        assert 1 < asked < 1000


def test_requests_that_pile_up_on_one_connection_end_it(here):
    with here.connect() as connection:
        connection.sendall(1000 * (GET + b"\r\n"))
        wait_for(lambda: not here.limits.connections, 5)
    assert here.http.get("/healthz").status_code == 200


def test_connections_of_one_client_and_of_all_are_limited(tmp_path):
    with limited(tmp_path, ConnectionLimits(most=1000, most_per_client=5)) as here:
        held = [here.connect() for _ in range(5)]
        wait_for(lambda: len(here.limits.connections) == 5, 5)
        refused = here.http.get("/healthz")
        assert refused.status_code == 503
        assert refused.json()["detail"] == "At most 5 connections can be open from one address."
        assert int(refused.headers["retry-after"]) > 0
        for connection in held:
            connection.close()
        wait_for(lambda: here.http.get("/healthz").status_code == 200, 5)
    with limited(
        tmp_path, ConnectionLimits(3, 1000, proxies=parse_networks("127.0.0.0/8"))
    ) as here:
        held = [here.connect() for _ in range(3)]
        wait_for(lambda: len(here.limits.connections) == 3, 5)
        refused = here.http.get("/healthz")
        assert refused.status_code == 503
        assert "too many connections" in refused.json()["detail"]
        for connection in held:
            connection.close()


def test_a_trusted_proxy_may_have_any_number_of_connections(tmp_path):
    with limited(
        tmp_path, ConnectionLimits(1000, 2, proxies=parse_networks("10.0.0.1 127.0.0.1"))
    ) as here:
        held = [here.connect() for _ in range(20)]
        wait_for(lambda: len(here.limits.connections) == 20, 5)
        assert here.http.get("/healthz").status_code == 200
        for connection in held:
            connection.close()


@pytest.mark.slow
def test_every_worker_has_connection_limits_and_prints_the_public_address(environment, tmp_path):
    command = [*DUELS, "serve", "--port", "0", "--workers", "2", "--database", str(tmp_path / "a")]
    flags = ["--public-url", "http://duels.example", "--trusted-proxies", "10.0.0.0/8"]
    with subprocess.Popen(
        [*command, *flags],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment,
        text=True,
    ) as process:
        try:
            assert process.stderr
            assert "is at http://duels.example (" in process.stderr.readline()
            port = int(process.stderr.readline().strip().rstrip(".").rsplit(":", 1)[1])
            for _ in range(4):
                with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
                    connection.sendall(GET + b"X-Long: " + b"a" * 20_000 + b"\r\n\r\n")
                    assert answer_of(connection)[0] == 431
                with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
                    connection.sendall(b"GET / HTTP/1.1\r\nHost: evil\r\nConnection: close\r\n\r\n")
                    assert answer_of(connection) == (421, "This server is at http://duels.example.")
        finally:
            process.terminate()
