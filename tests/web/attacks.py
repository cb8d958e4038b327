"""Attacks on real servers with real databases, all on this machine, bounded, and with figures.

The tests run a few seconds of each; `scripts/bench faults` runs them longer.
"""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from crowd import Crowd, Figures
from servers import Listener, Missing, ServerProcess, friends, wait_for

from program import children

LIMITS = {"DUELS_MAX_MATCHES": "1000000", "DUELS_MAX_STREAMS": "100000"}


def start(folder: Path, database: str, workers: int = 1, port: int = 0, **env: str) -> Any:
    """A server that allows a crowd behind one address."""
    args = ("--workers", str(workers))
    return ServerProcess(folder, database, *args, port=port, **(LIMITS | env))


def name_of(what: str, database: str, workers: int = 1) -> str:
    kind = "PostgreSQL" if "://" in database else "SQLite"
    return f"{what}, {workers} worker{'s' if workers > 1 else ''}, {kind}"


def kill_server(folder: Path, database: str, workers: int, kills: int, moves: int) -> Figures:
    """`kill -9` of all processes of a server under load, again and again."""
    chance = random.Random(kills)
    server = start(folder, database, workers)
    with Crowd(name_of("kill -9 of the server", database, workers), server.url) as crowd:
        for _ in range(kills):
            crowd.play(moves)
            time.sleep(chance.random() * 0.2)
            server.kill()
            server = start(folder, database, workers, server.port)
        crowd.figures.faults = kills
        crowd.play(moves)
    return compared(crowd, server)


def kill_worker(folder: Path, database: str, workers: int, kills: int, moves: int) -> Figures:
    """`kill -9` of the worker that has most connections; its parent starts another."""
    server = start(folder, database, workers)
    with Crowd(name_of("kill -9 of a worker", database, workers), server.url) as crowd:
        for _ in range(kills):
            crowd.play(moves)
            oldest, *_ = wait_for(lambda: len(w := server.workers()) == workers and w, 20)
            os.kill(oldest, signal.SIGKILL)
            wait_for(lambda oldest=oldest: oldest not in server.workers(), 20)
        crowd.figures.faults = kills
        crowd.play(moves)
        wait_for(lambda: len(server.workers()) == workers, 20)
    return compared(crowd, server)


def kill_parent(folder: Path, database: str, workers: int, moves: int) -> Figures:
    """`kill -9` of the parent alone: its workers must not keep the port."""
    server = start(folder, database, workers)
    with Crowd(name_of("kill -9 of the parent", database, workers), server.url) as crowd:
        crowd.play(moves)
        orphans = server.workers()
        server.process.send_signal(signal.SIGKILL)
        began = time.monotonic()
        wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in orphans), 20)
        crowd.figures.faults = 1
        crowd.figures.notes["until its workers ended"] = time.monotonic() - began
        server.kill()
        server = start(folder, database, workers, server.port)
        crowd.play(moves)
    return compared(crowd, server)


def stop_server(folder: Path, database: str, workers: int, stops: int, moves: int) -> Figures:
    """SIGTERM under load, with event streams open."""
    server = start(folder, database, workers)
    slowest = 0.0
    with Crowd(name_of("SIGTERM", database, workers), server.url) as crowd:
        for _ in range(stops):
            ann, _ = friends(server.http)
            listeners = [Listener(server.url, ann.id) for _ in range(5)]
            crowd.play(moves)
            began = time.monotonic()
            code = server.stop()
            slowest = max(slowest, time.monotonic() - began)
            if code:
                crowd.figures.wrong[f"exit code {code}"] = 1
            for listener in listeners:
                listener.join(5)
                if listener.kinds()[-1:] != ["bye"]:
                    crowd.figures.wrong["no bye"] = 1
            server = start(folder, database, workers, server.port)
        crowd.figures.faults = stops
        crowd.figures.notes["slowest stop"] = slowest
        crowd.play(moves)
    return compared(crowd, server)


def kill_postgres(folder: Path, postgres: Any, workers: int, kills: int, moves: int) -> Figures:
    """`kill -9` of the database server and all its processes under load, and its restart."""
    url = postgres.get_uri()
    server = start(folder, url, workers)
    slowest = 0.0
    with Crowd(name_of("kill -9 of PostgreSQL", url, workers), server.url) as crowd:
        for _ in range(kills):
            crowd.play(moves)
            main = postgres.get_pid()
            for pid in [main, *children(main)]:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            for left in (
                "postmaster.pid",
                ".s.PGSQL.5432.lock",
            ):  # their numbers may still be taken
                (postgres.pgdata / left).unlink(missing_ok=True)
            wait_for(lambda: server.http.get("/readyz").status_code == 503, 10)
            began = time.monotonic()
            postgres.start()
            wait_for(lambda: server.http.get("/readyz").status_code == 200, 20)
            slowest = max(slowest, time.monotonic() - began)
        crowd.figures.faults = kills
        crowd.figures.notes["until ready again"] = slowest
        crowd.play(moves)
    return compared(crowd, server)


def fill_disk(folder: Path, moves: int, seconds: float) -> Figures:
    """A disk that is full for a while."""
    with small_disk(folder / "disk", 48) as disk:
        server = start(folder, str(disk / "web.sqlite3"))
        with Crowd("disk full, SQLite", server.url) as crowd:
            crowd.play(moves)
            fill(disk)
            _refuses_for(crowd, server, seconds)
            (disk / "ballast").unlink()
            _comes_back(crowd, server, moves)
        return compared(crowd, server)


def lock_database(folder: Path, database: str, moves: int, seconds: float) -> Figures:
    """Another process that holds the lock of the database for a while."""
    server = start(folder, database)
    with Crowd(name_of("database locked", database), server.url) as crowd:
        crowd.play(moves)
        with locked(database):
            _refuses_for(crowd, server, seconds)
        _comes_back(crowd, server, moves)
    return compared(crowd, server)


def stop_locked(folder: Path, database: str, signals: int, workers: int = 1) -> tuple[int, float]:
    """SIGTERM while writes wait for a lock: exit code, and seconds since the last signal.

    Streams that open meanwhile have to be counted in the database, too: on its own threads.
    """
    server = start(folder, database, workers)
    seats = [friends(server.http, "number-line-duel") for _ in range(6)]
    with locked(database), ExitStack() as stack:
        listeners = [Listener(server.url, ann.id) for ann, _ in seats]
        for ann, _ in seats:
            waiting = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            body = b'{"ply": 0, "move": 5}'
            head = f"POST /api/matches/{ann.id}/moves HTTP/1.1\r\nHost: localhost\r\n"
            head += f"Authorization: Bearer {ann.token}\r\nContent-Type: application/json\r\n"
            waiting.sendall(head.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body)
            time.sleep(0.1)  # one by one, so that some wait behind the one that is being written
        for _ in range(signals):
            time.sleep(0.5)
            began = time.monotonic()
            server.process.send_signal(signal.SIGTERM)
        try:
            return server.process.wait(20), time.monotonic() - began
        finally:
            server.kill()
            for listener in listeners:
                listener.join(5)


SLOW = {
    "nothing sent": b"",
    "half a request line": b"POST /api/mat",
    "half a header": b"POST /api/matches HTTP/1.1\r\nHost: localhost\r\nX-Slow: aaaa",
    "no end of headers": b"POST /api/matches HTTP/1.1\r\nHost: localhost\r\n",
    "half a body": b"POST /api/matches HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{",
    "half a chunk": b"POST /api/matches HTTP/1.1\r\nHost: localhost\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n40\r\n{",
    "answers not read": b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n" * 500,
}
"""Clients that stop in every phase of a request."""


def slow_clients(folder: Path, database: str, workers: int, clients: int, moves: int) -> Figures:
    """Slow clients of every kind at once: others play on, and SIGTERM does not wait for them."""
    server = start(folder, database, workers)
    name = name_of(f"{clients * (len(SLOW) + 1)} slow clients", database, workers)
    with Crowd(name, server.url, players=2) as crowd, ExitStack() as stack:
        crowd.play(moves)
        idle = crowd.median()
        ann, _ = friends(server.http)
        stream = f"GET /api/matches/{ann.id}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        for sent in [*SLOW.values(), stream] * clients:
            slow = stack.enter_context(socket.socket())
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            slow.connect(("127.0.0.1", server.port))
            slow.settimeout(0.05)
            with suppress(OSError):
                slow.sendall(sent)
            crowd.figures.faults += 1
        crowd.median()
        crowd.play(moves)
        crowd.figures.notes["a move, as many times as slow as before"] = crowd.median() / idle
        began = time.monotonic()
        if code := server.stop():
            crowd.figures.wrong[f"exit code {code}"] = 1
        crowd.figures.notes["stop"] = time.monotonic() - began
        server = start(folder, database, workers, server.port)
        crowd.play(moves)
    return compared(crowd, server)


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """A file system of its own in memory."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        raise Missing("only the administrator can mount a small disk") from None
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk: Path) -> None:
    """Take all the room that is left."""
    with (disk / "ballast").open("wb", buffering=0) as ballast, suppress(OSError):
        while ballast.write(bytes(4096)):
            pass


_HOLD = """
import sqlite3, sys
held = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
held.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.read()
"""
_HOLD_POSTGRES = """
import psycopg, sys
held = psycopg.connect(sys.argv[1])
held.execute("LOCK TABLE matches, moves IN ACCESS EXCLUSIVE MODE")
print("locked", flush=True)
sys.stdin.read()
"""


@contextmanager
def locked(database: str) -> Iterator[None]:
    """Another process holds the database until the end of the block."""
    code = _HOLD_POSTGRES if "://" in database else _HOLD
    holder = subprocess.Popen(
        [sys.executable, "-c", code, database],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert holder.stdout
    assert holder.stdin
    try:
        holder.stdout.readline()
        yield
    finally:
        holder.stdin.close()
        holder.wait(10)
        holder.stdout.close()


def _refuses_for(crowd: Crowd, server: Any, seconds: float) -> None:
    """While nothing can be written, clients soon get an error that says so, and nothing else."""
    began, before = time.monotonic(), crowd.acknowledged
    wait_for(lambda: server.http.get("/readyz").status_code == 503, 15)
    crowd.figures.notes["until not ready"] = time.monotonic() - began
    wait_for(lambda: crowd.count("refused"), 15)
    crowd.figures.notes["until refused"] = time.monotonic() - began
    time.sleep(max(0.0, began + seconds - time.monotonic()))
    crowd.figures.notes["moves meanwhile"] = crowd.acknowledged - before
    crowd.figures.faults += 1


def _comes_back(crowd: Crowd, server: Any, moves: int) -> None:
    began = time.monotonic()
    wait_for(lambda: server.http.get("/readyz").status_code == 200, 15)
    crowd.figures.notes["until ready again"] = time.monotonic() - began
    crowd.play(moves)


def compared(crowd: Crowd, server: Any) -> Figures:
    """The figures, when the server has stopped."""
    wrong = crowd.figures.wrong
    figures = crowd.compare(server.http)
    figures.wrong |= wrong
    if code := server.stop():
        figures.wrong[f"exit code {code}"] = 1
    return figures
