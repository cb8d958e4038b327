"""Many live games at once on a server: errors, lost and doubled moves, and how soon moves are seen.

Each game has two players and a spectator, all with an event stream, and a move every two seconds.
The time is from the POST of a move to the event at the other player. Starts a server of its own, or
asks one by --url; that one needs the limits of `start_server`.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import resource
import secrets
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

SERVE = [sys.executable, "-m", "duels", "serve", "--port", "0"]
HIGH = {
    "DUELS_MAX_STREAMS": "100000",
    "DUELS_MAX_MATCHES": "1000000",
    "DUELS_MAX_CLIENT_CONNECTIONS": "10000",
}
LOOPBACK = {"127.0.0.1", "localhost", "::1"}
PLY = re.compile(rb'"ply":(\d+)')


class Connection:
    """HTTP/1.1 over one connection that stays open; as little work as a client can do."""

    def __init__(self, url: str) -> None:
        self.host, self.port = urlsplit(url).hostname or "", urlsplit(url).port or 80
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(
        self, method: str, path: str, data: Any = None, secret: str = ""
    ) -> tuple[int, Any]:
        body = b"" if data is None else msgspec.json.encode(data)
        reader = await self.send(method, path, body, secret)
        status, length = await _read_head(reader)
        return status, msgspec.json.decode(await reader.readexactly(length))

    async def send(
        self, method: str, path: str, body: bytes, secret: str = ""
    ) -> asyncio.StreamReader:
        """A request; its answer can be read from what is returned, or not."""
        reader, writer = await self._open()
        writer.write(self._head(method, path, secret, len(body)) + body)
        return reader

    async def listen(self, path: str) -> asyncio.StreamReader:
        """An event stream; positioned at its first line."""
        reader, writer = await self._open()
        writer.write(self._head("GET", path, "", 0))
        status, _ = await _read_head(reader)
        if status != 200:
            raise ConnectionError(f"the stream was refused: {status}")
        return reader

    def close(self) -> None:
        if self._streams:
            self._streams[1].close()

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None:
            self._streams = await asyncio.open_connection(self.host, self.port, limit=2**20)
        return self._streams

    def _head(self, method: str, path: str, secret: str, length: int) -> bytes:
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host}:{self.port}"]
        if secret:
            lines.append(f"Authorization: Bearer {secret}")
        if method == "POST":
            lines += ["Content-Type: application/json", f"Content-Length: {length}"]
        return "\r\n".join([*lines, "", ""]).encode()


async def _read_head(reader: asyncio.StreamReader) -> tuple[int, int]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    length = re.search(r"content-length: (\d+)", head)
    return int(head.split()[1]), int(length[1]) if length else 0


@dataclass
class Game:
    """One live game: its seats, the moves that were acknowledged, and who has seen what."""

    id: str
    secrets: tuple[str, str]
    legal: list[Any]
    moves: list[Any] = field(default_factory=list)
    sent: float = 0.0
    seen: dict[int, asyncio.Event] = field(default_factory=dict)


class Load:
    """The whole exercise, and what was measured."""

    def __init__(self, url: str, games: int, seconds: float, every: float) -> None:
        self.url, self.games, self.seconds, self.every = url, games, seconds, every
        self.seconds_to_event: list[float] = []
        self.seconds_to_answer: list[float] = []
        self.errors: Counter[str] = Counter()
        self.events = 0
        self._open = asyncio.Semaphore(50)

    async def run(self) -> int:
        playing = await self.begin()
        listening = [
            asyncio.create_task(self._watch(game, who)) for game in playing for who in (1, 2, 3)
        ]
        await asyncio.sleep(2 + self.games / 250)
        end = time.perf_counter() + self.seconds
        await asyncio.gather(*(self._play(game, end) for game in playing))
        wrong = await self._compare(playing)
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)
        return wrong

    async def begin(self) -> list[Game]:
        """The games before their first moves."""
        return [await self._create() for _ in range(self.games)]

    async def _create(self) -> Game:
        connection = Connection(self.url)
        new_match = {"game": "number-duel", "mode": "friend", "names": ["Ann", "Bob"]}
        status, made = await connection.ask("POST", "/api/matches", new_match)
        if status != 201:
            raise SystemExit(f"The server refused a match: {made['detail']}")
        path, own = f"/api/matches/{made['id']}/join", secrets.token_urlsafe(24)
        body = {"name": "Bob", "token": own}
        await connection.ask("POST", path, body, made["invite"]["token"])
        connection.close()
        return Game(made["id"], (made["token"], own), made["state"]["legal"])

    async def _watch(self, game: Game, who: int) -> None:
        """Player 1, player 2, or the spectator (3)."""
        connection = Connection(self.url)
        try:
            async with self._open:
                reader = await connection.listen(f"/api/matches/{game.id}/events")
            while line := await reader.readline():
                if line.startswith(b"data: "):
                    self.events += 1
                    found = PLY.search(line)
                    ply = int(found[1]) if found else 0
                    if ply % 2 == who - 1 and (waiting := game.seen.pop(ply, None)):
                        self.seconds_to_event.append(time.perf_counter() - game.sent)
                        waiting.set()
        except asyncio.CancelledError:
            raise
        except Exception as error:
            self.errors[f"stream: {error}"] += 1
        finally:
            connection.close()

    async def _play(self, game: Game, end: float) -> None:
        connections = (Connection(self.url), Connection(self.url))
        chance = random.Random(game.id)
        await asyncio.sleep(chance.random() * self.every)
        while game.legal and time.perf_counter() < end:
            began = time.perf_counter()
            ply, move = len(game.moves), chance.choice(game.legal)
            seen = game.seen[ply + 1] = asyncio.Event()
            game.sent = began
            try:
                status, state = await connections[ply % 2].ask(
                    "POST",
                    f"/api/matches/{game.id}/moves",
                    {"ply": ply, "move": move},
                    game.secrets[ply % 2],
                )
                self.seconds_to_answer.append(time.perf_counter() - began)
                if status != 200:
                    self.errors[f"move: {status}"] += 1
                    return
                game.moves, game.legal = [*game.moves, move], state["legal"]
                await asyncio.wait_for(seen.wait(), 10)
            except Exception as error:
                self.errors[f"{type(error).__name__} {error}"] += 1
                return
            await asyncio.sleep(max(0.0, began + self.every - time.perf_counter()))
        for connection in connections:
            connection.close()

    async def _compare(self, playing: list[Game]) -> int:
        """How many games do not have exactly the moves that were acknowledged."""
        connection, wrong = Connection(self.url), 0
        for game in playing:
            _, state = await connection.ask("GET", f"/api/matches/{game.id}")
            wrong += state["moves"] != game.moves
        return wrong


def start_server(
    database: str, folder: Path, *args: str, limits: Mapping[str, str] = HIGH
) -> tuple[subprocess.Popen[bytes], str]:
    """A server with high limits for its one client, and its address."""
    talk = folder / "talk"
    environment = os.environ | limits
    with talk.open("w") as file, (folder / "log").open("w") as log:
        server = subprocess.Popen(
            [*SERVE, "--database", database, *args], stdout=log, stderr=file, env=environment
        )
    while server.poll() is None:
        address = [word for word in talk.read_text().split() if word.startswith("http")]
        if address:
            time.sleep(2)
            return server, address[0]
        time.sleep(0.05)
    raise SystemExit(talk.read_text())


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values) or [0.0]
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", help="a running server; without it one is started")
    parser.add_argument("--database", help="for the server that is started")
    parser.add_argument("--workers", default="1", help="for the server that is started")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--every", type=float, default=2.0, help="seconds between moves of a game")
    parser.add_argument("--elsewhere", action="store_true", help="allow a server that is not here")
    wanted = parser.parse_args()
    if wanted.games > 5000 or wanted.seconds > 600 or wanted.every < 0.1:
        parser.error("at most 5,000 games for 600 seconds, a move in 0.1 seconds")
    if wanted.url and urlsplit(wanted.url).hostname not in LOOPBACK and not wanted.elsewhere:
        parser.error("that server is on another machine; --elsewhere if you may load it")
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as folder:
        server, url = None, wanted.url
        if not url:
            database = wanted.database or f"{folder}/web.sqlite3"
            server, url = start_server(database, Path(folder), "--workers", wanted.workers)
        load = Load(url, wanted.games, wanted.seconds, wanted.every)
        try:
            wrong = asyncio.run(load.run())
        finally:
            if server:
                server.terminate()
                server.wait()
    seen = load.seconds_to_event
    print(f"{wanted.games} games, {3 * wanted.games} streams, {wanted.seconds:g} seconds")
    print(
        f"  moves {len(seen):,} ({len(seen) / wanted.seconds:.0f} a second), events {load.events:,}"
    )
    print(f"  errors {sum(load.errors.values())} {dict(load.errors) or ''}")
    print(f"  games with lost or doubled moves: {wrong}")
    for name, values in (("answer", load.seconds_to_answer), ("other player's event", seen)):
        p50, p99 = (1000 * percentile(values, share) for share in (0.5, 0.99))
        print(f"  from POST to {name:21} p50 {p50:6.1f} ms   p99 {p99:6.1f} ms")


if __name__ == "__main__":
    main()
