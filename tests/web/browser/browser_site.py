"""The server process of the browser tests, and matches made through its interface."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import duels

DUELS = [sys.executable, "-m", "duels"]

SQUARE = Path(__file__).parents[3] / "docs" / "examples" / "square_duel.py"
"""A game from elsewhere, which the site has too."""
CHOMP, CRAM = SQUARE.with_name("chomp.py"), SQUARE.with_name("cram.py")
"""Two with boards in two dimensions; in Cram a move takes two squares."""
SIZE = 9
OURS = {
    game_id: {size: SIZE} if (size := kind.size_option()) else {}
    for game_id, kind in duels.GAMES.items()
}
GAMES = OURS | {"square-duel": {"stones": SIZE}}
"""Every game in a size that is soon over."""

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""Debian's packages; the first starts a window in a third of the time."""


def system_chromium() -> str | None:
    """The Chromium of this machine, if it has one."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Site:
    """A server that can be killed and started again at the same address."""

    def __init__(self, folder: Path, game: Path | None = None, root_path: str = "") -> None:
        self.folder = folder
        games = [game, CHOMP, CRAM] if game else []
        self.duels = [*DUELS, *(part for one in games for part in ("--with", str(one)))]
        self.port = free_port()
        self.root_path = root_path
        self.address = f"http://127.0.0.1:{self.port}{root_path}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        database = str(self.folder / "matches.sqlite3")
        where = ("--port", str(self.port), "--root-path", self.root_path)
        limits = {"DUELS_MAX_STREAMS": "1000", "DUELS_MAX_MATCHES": "1000"}
        with (self.folder / "log.txt").open("ab") as log:
            self.process = subprocess.Popen(
                [*self.duels, "serve", *where, "--database", database],
                stdout=log,
                stderr=log,
                env=os.environ | limits,
            )
        for _ in range(600):
            try:
                urlopen(f"{self.address}/readyz", timeout=5).close()
                return
            except (URLError, OSError):
                assert self.process.poll() is None, (self.folder / "log.txt").read_text()
                time.sleep(0.05)
        raise AssertionError("The server did not start in thirty seconds.")

    def kill(self) -> None:
        """As a power cut would."""
        assert self.process
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        assert self.process
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()

    def call(self, method: str, path: str, body: object = None, token: str = "") -> Any:
        """One request to the interface."""
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(self.address + path, data, headers, method=method)) as answer:
            return json.load(answer)

    def requests(self) -> list[str]:
        """The paths of all requests, from the log of the server."""
        lines = (self.folder / "log.txt").read_text().splitlines()
        logged = [json.loads(line) for line in lines if line.startswith("{")]
        return [line["path"] for line in logged if line["event"] == "request"]

    def match(self, game: str = "sequence-duel", mode: str = "here", **more: Any) -> Any:
        """A new match of a small size; the answer has its id and the secrets."""
        options = more.pop("options", GAMES.get(game, {}))
        return self.call(
            "POST", "/api/matches", {"game": game, "options": options, "mode": mode, **more}
        )

    def friends(self, game: str = "sequence-duel", **more: Any) -> tuple[str, str, str]:
        """A match of Ann and Bob, both there: the paths of their seats, and the public one."""
        made = self.match(game, "friend", names=["Ann", "Bob"], **more)
        path = f"/m/{made['id']}"
        return f"{path}#seat={made['token']}", f"{path}#seat={self.join(made, 'Bob')}", path

    def join(self, made: Any, name: str) -> str:
        """Use the invitation to a match on another device: its secret."""
        own = secrets.token_urlsafe(24)
        path = f"/api/matches/{made['id']}/join"
        self.call("POST", path, {"name": name, "token": own}, made["invite"]["token"])
        return own

    def played(self, game: str, *moves: str, mode: str = "here", **more: Any) -> Any:
        """A match on one screen with some moves made."""
        made = self.match(game, mode, **more)
        for ply, move in enumerate(moves):
            self.call(
                "POST",
                f"/api/matches/{made['id']}/moves",
                {"ply": ply, "move": move},
                made["token"],
            )
        return made


def number(text: str) -> int:
    """The first number in a text."""
    found = re.search(r"\d+", text)
    assert found, text
    return int(found[0])
