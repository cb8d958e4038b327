"""The computer's reply while a client floods the server with costly requests and hangs up.

Forty bodies of 68 kB at a time, whose sender does not wait for the answer, for a bounded time. The
reply is timed from the POST of a move to the event with the computer's answer, alone and then under
the flood; beside it, how a polite request for a verdict fares.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from web_load import PLY, Connection, percentile, start_server

BODIES = 40
LARGE_BODY = 68_000
GAME = {"game": "number-duel", "mode": "computer", "level": "perfect"}


@dataclass
class Flooded:
    """What was measured, in seconds."""

    idle: list[float] = field(default_factory=list)
    flooded: list[float] = field(default_factory=list)
    bodies: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    """How polite requests for a verdict were answered during the flood."""
    answered: list[float] = field(default_factory=list)
    """How soon."""

    @property
    def ratio(self) -> float:
        return percentile(self.flooded, 0.5) / percentile(self.idle, 0.5)


async def flood(url: str, idle_seconds: float = 5.0, seconds: float = 15.0) -> Flooded:
    """Play a computer alone, and then under the flood."""
    found = Flooded()
    await _play(url, time.perf_counter() + idle_seconds, found.idle)
    end = time.perf_counter() + seconds
    await asyncio.gather(
        _play(url, end, found.flooded), _hang_up(url, end, found), _ask(url, end, found)
    )
    return found


async def _play(url: str, end: float, replies: list[float]) -> None:
    """Matches against the computer, move by move; how long each reply takes."""
    chance, talking = random.Random(1), Connection(url)
    while time.perf_counter() < end:
        status, made = await talking.ask("POST", "/api/matches", GAME)
        assert status == 201, made
        listening, path = Connection(url), f"/api/matches/{made['id']}"
        events = await listening.listen(f"{path}/events")
        legal, ply = made["state"]["legal"], 0
        while legal and time.perf_counter() < end:
            began, move = time.perf_counter(), {"ply": ply, "move": chance.choice(legal)}
            status, state = await talking.ask("POST", f"{path}/moves", move, made["token"])
            assert status == 200, state
            while not state["outcome"] and state["ply"] < ply + 2:
                line = await events.readline()
                if line.startswith(b"data: ") and PLY.search(line):
                    state = json.loads(line.removeprefix(b"data: "))
            if state["ply"] == ply + 2:
                replies.append(time.perf_counter() - began)
            legal, ply = state["legal"], state["ply"]
            await asyncio.sleep(0.05)
        listening.close()
    talking.close()


async def _hang_up(url: str, end: float, found: Flooded) -> None:
    """Send costly bodies, forty at a time, and do not wait for the answers."""
    head = {"game": "number-duel", "options": {"numbers": 10_000, "criteria": "factor,digit"}}
    players = {"player1": "Ann", "player2": "Bob"}
    line = json.dumps({**head, **players, "moves": [5000], "result": "*"}) + "\n"
    body = (line * (LARGE_BODY // len(line) + 1)).encode()
    while time.perf_counter() < end:
        connections = [Connection(url) for _ in range(BODIES)]
        await asyncio.gather(*(_send(connection, body) for connection in connections))
        await asyncio.sleep(0.2)
        for connection in connections:
            connection.close()
        found.bodies += BODIES
        await asyncio.sleep(0.3)


async def _send(connection: Connection, body: bytes) -> None:
    try:
        await connection.send("POST", "/api/records", body)
    except OSError:
        return  # refused before all was sent


async def _ask(url: str, end: float, found: Flooded) -> None:
    """A visitor at the analysis board, who waits for each response."""
    line: dict[str, Any] = {"game": "sequence-duel", "options": {"numbers": 100}, "moves": ["6"]}
    while time.perf_counter() < end:
        connection, began = Connection(url), time.perf_counter()
        status, _ = await connection.ask("POST", "/api/solve", line)
        found.statuses[status] += 1
        found.answered.append(time.perf_counter() - began)
        connection.close()
        await asyncio.sleep(0.2)


def report(found: Flooded) -> list[str]:
    """What was measured, in lines."""
    lines = [f"Flood: {found.bodies:,} bodies of 68 kB whose sender hung up"]
    for name, values in (("alone", found.idle), ("flooded", found.flooded)):
        p50, p99 = (1000 * percentile(values, share) for share in (0.5, 0.99))
        lines.append(
            f"  computer's reply, {name:8} {len(values):4}, p50 {p50:7.1f} ms, p99 {p99:8.1f} ms"
        )
    slowest = 1000 * percentile(found.answered, 1.0)
    statuses = ", ".join(f"{count} x {status}" for status, count in sorted(found.statuses.items()))
    lines.append(f"  polite requests: {statuses}; the slowest answer after {slowest:.0f} ms")
    lines.append(f"  median under the flood: {found.ratio:.1f}x (goal: at most 5x)")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=15.0)
    seconds = parser.parse_args().seconds
    if seconds > 120:
        parser.error("at most 120 seconds")
    with tempfile.TemporaryDirectory() as folder:
        server, url = start_server(f"{folder}/web.sqlite3", Path(folder))
        try:
            found = asyncio.run(flood(url, seconds=seconds))
        finally:
            server.terminate()
            server.wait()
    print("\n".join(report(found)))


if __name__ == "__main__":
    main()
