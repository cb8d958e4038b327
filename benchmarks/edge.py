"""Clients that send without end, or stop in the middle: what a server takes, and when it lets go.

Starts a server of its own with its usual limits of time, on loopback. Prints how much memory it
takes for 300 MB of headers and of an address, and when 3,000 slow clients in every phase of a
request are closed, and by which answer.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from web_load import percentile, start_server

MEGABYTE = b"a" * 2**20
HOST = b"Host: here\r\n"
HEADS = {"headers": b"GET / HTTP/1.1\r\n" + HOST + b"X-Long: ", "an address": b"GET /"}
PHASES = {
    "says nothing": b"",
    "half of its headers": b"GET / HTTP/1.1\r\n" + HOST + b"X-Long: a",
    "half of its body": b"POST /api/solve HTTP/1.1\r\n" + HOST + b"Content-Length: 60000\r\n\r\n{",
    "a byte a second": b"GET / HTTP/1.1\r\n" + HOST + b"X-Long: ",
    "idle after an answer": b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n",
}
MOST_SECONDS = 90


class LetGo(NamedTuple):
    """How a client was answered, and after how many seconds its connection was closed."""

    status: str
    seconds: float


async def endless(url: str, start: bytes, megabytes: int) -> str:
    """Send a head without end; the status that comes back."""
    reader, writer = await _connect(url)
    answer = asyncio.create_task(_answer(reader))
    try:
        writer.write(start)
        for _ in range(megabytes):
            writer.write(MEGABYTE)
            await writer.drain()
    except OSError:
        pass  # the server has had enough
    async with asyncio.timeout(MOST_SECONDS):
        return await answer


async def slow(url: str, phase: str) -> LetGo:
    """Stop in one phase of a request, and wait for the end."""
    reader, writer = await _connect(url)
    began = time.perf_counter()
    writer.write(PHASES[phase])
    answer = asyncio.create_task(_answer(reader))
    while not answer.done() and time.perf_counter() - began < MOST_SECONDS:
        await asyncio.wait([answer], timeout=1.0 if phase == "a byte a second" else MOST_SECONDS)
        if not answer.done():
            writer.write(b"a")
    writer.close()
    status = answer.result() if answer.done() else "still open"
    return LetGo(status, time.perf_counter() - began)


async def slow_clients(url: str, clients: int) -> dict[str, list[LetGo]]:
    """So many at once, in all phases."""
    phases = [list(PHASES)[number % len(PHASES)] for number in range(clients)]
    found = await asyncio.gather(*(slow(url, phase) for phase in phases))
    by_phase: dict[str, list[LetGo]] = defaultdict(list)
    for phase, end in zip(phases, found, strict=True):
        by_phase[phase].append(end)
    return by_phase


def megabytes_of(process: int) -> float:
    """The memory of a process, where the system tells."""
    status = Path(f"/proc/{process}/status")
    found = re.search(r"VmRSS:\s+(\d+)", status.read_text()) if status.exists() else None
    return int(found[1]) / 1024 if found else float("nan")


async def _connect(url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    parts = urlsplit(url)
    return await asyncio.open_connection(parts.hostname, parts.port)


async def _answer(reader: asyncio.StreamReader) -> str:
    """The status of what comes until the connection is closed."""
    try:
        got = await reader.read()
    except OSError:
        return "reset"
    return got[9:12].decode() or "no answer"


def report(url: str, process: int, megabytes: int, clients: int) -> list[str]:
    """What was measured, in lines."""
    lines = []
    for name, start in HEADS.items():
        before = megabytes_of(process)
        status = asyncio.run(endless(url, start, megabytes))
        grown = megabytes_of(process) - before
        lines.append(f"{megabytes} MB of {name}: {status}, the server grew by {grown:.1f} MB")
    before = megabytes_of(process)
    found = asyncio.run(slow_clients(url, clients))
    grown = megabytes_of(process) - before
    lines.append(f"{clients:,} slow clients at once, the server grew by {grown:.1f} MB:")
    for phase, ends in found.items():
        statuses = ", ".join(sorted({end.status for end in ends}))
        first, last = (percentile([end.seconds for end in ends], share) for share in (0, 1))
        lines.append(f"  {phase:21} {statuses:10} closed after {first:5.1f} to {last:5.1f} s")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=300)
    parser.add_argument("--clients", type=int, default=3000)
    wanted = parser.parse_args()
    if wanted.megabytes > 1000 or wanted.clients > 5000:
        parser.error("at most 1,000 megabytes and 5,000 clients")
    with tempfile.TemporaryDirectory() as folder:
        server, url = start_server(f"{folder}/web.sqlite3", Path(folder))
        try:
            print("\n".join(report(url, server.pid, wanted.megabytes, wanted.clients)))
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
