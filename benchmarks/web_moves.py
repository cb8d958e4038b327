"""Moves a second, beside the bare framework doing one durable insert of a row like that of a move.

Both run as servers with the same kind of database, event loop and HTTP parser and the same number
of clients, in turns. A move also updates its match, is logged, and is answered with the state of
the match; an insert is answered with a number.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from aims import judge
from web_load import Connection, start_server

AT_LEAST = {1: 0.7, 16: 0.85}
"""The ratio that is aimed at, by the number of clients."""
ROUNDS = 5
SECONDS = 2.0
BARE = """
import os, socket, sys
import uvicorn
from sqlalchemy import Column, Float, Integer, MetaData, Table, Text, create_engine, event
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse
from starlette.routing import Route

url = os.environ["BARE_DATABASE"]
engine = create_engine(url, pool_size=40)
if url.startswith("sqlite"):
    @event.listens_for(engine, "connect")
    def set_up(connection, record):
        for pragma in ("busy_timeout = 5000", "journal_mode = WAL", "synchronous = FULL"):
            connection.execute(f"PRAGMA {pragma}")
tables = MetaData()
moves = Table("bare_moves", tables, Column("match_id", Text, primary_key=True),
    Column("ply", Integer, primary_key=True), Column("move", Text), Column("seconds", Float))
tables.create_all(engine)

def write(match_id, wanted):
    with engine.begin() as connection:
        values = {"ply": wanted["ply"], "move": str(wanted["move"]), "seconds": 1.5}
        connection.execute(moves.insert(), {"match_id": match_id, **values})

async def insert(request):
    wanted = await request.json()
    await run_in_threadpool(write, request.path_params["match_id"], wanted)
    return JSONResponse({"ply": wanted["ply"] + 1})

app = Starlette(routes=[Route("/insert/{match_id}", insert, methods=["POST"])])

listening = socket.create_server(("127.0.0.1", 0), backlog=2048)
print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
settings = {"access_log": False, "ws": "none", "proxy_headers": False, "server_header": False}
uvicorn.Server(uvicorn.Config(app, log_level="warning", **settings)).run([listening])
"""


async def moves_a_second(url: str, clients: int) -> float:
    """Each client plays matches on its own, as fast as the answers come."""
    return await _rate(url, clients, _play)


async def inserts_a_second(url: str, clients: int) -> float:
    return await _rate(url, clients, _insert)


async def _rate(url: str, clients: int, client: Any) -> float:
    end = time.perf_counter() + SECONDS
    counts = await asyncio.gather(*(client(Connection(url), end) for _ in range(clients)))
    return sum(counts) / SECONDS


async def _play(connection: Connection, end: float) -> int:
    count = 0
    wanted = {"game": "number-line-duel", "mode": "here", "options": {"numbers": 100}}
    while time.perf_counter() < end:
        status, made = await connection.ask("POST", "/api/matches", wanted)
        assert status == 201, made
        path, ply = f"/api/matches/{made['id']}/moves", 0
        while ply < 100 and time.perf_counter() < end:
            move = {"ply": ply, "move": ply + 1}
            status, state = await connection.ask("POST", path, move, made["token"])
            assert status == 200, state
            ply, count = ply + 1, count + 1
    connection.close()
    return count


async def _insert(connection: Connection, end: float) -> int:
    path, ply = f"/insert/{os.urandom(5).hex()}", 0
    while time.perf_counter() < end:
        status, done = await connection.ask("POST", path, {"ply": ply, "move": ply + 1})
        assert status == 200, done
        ply += 1
    connection.close()
    return ply


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", help="a PostgreSQL URL; without it a SQLite file")
    given = parser.parse_args().database
    with tempfile.TemporaryDirectory() as folder:
        server, url = start_server(given or f"{folder}/moves.sqlite3", Path(folder))
        plain = (given or "").replace("postgresql://", "postgresql+psycopg://")
        environment = os.environ | {"BARE_DATABASE": plain or f"sqlite:///{folder}/bare.sqlite3"}
        bare = subprocess.Popen(
            [sys.executable, "-c", BARE], env=environment, stdout=subprocess.PIPE, text=True
        )
        assert bare.stdout
        bare_url = bare.stdout.readline().strip()
        try:
            for clients, aim in AT_LEAST.items():
                ours, theirs = [], []
                for _ in range(ROUNDS):
                    theirs.append(asyncio.run(inserts_a_second(bare_url, clients)))
                    ours.append(asyncio.run(moves_a_second(url, clients)))
                moves, inserts = median(ours), median(theirs)
                ratio = moves / inserts
                print(
                    f"{clients:2} clients: {moves:6.0f} moves a second, bare framework "
                    f"{inserts:6.0f} inserts a second, ratio {ratio:.2f}   "
                    f"{judge(ratio, at_least=aim)}"
                )
        finally:
            for process in (server, bare):
                process.terminate()
                process.wait()


if __name__ == "__main__":
    main()
