"""Changes told from server to server through PostgreSQL's LISTEN and NOTIFY.

A server notifies when a change is durable and names the matches; the others read their new states.
Both connections come back by themselves when the database does. A notification that is lost in
between does no harm: every server also looks for new versions now and then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import psycopg
from sqlalchemy import make_url

CHANNEL = "duels"
MOST_IN_ONE = 200
"""Ids in a notification, which may have 8,000 bytes."""
SHORTEST_PAUSE, LONGEST_PAUSE = 0.1, 2.0


class Notifier:
    """Tells other servers which matches have changed here, and hears which have there."""

    def __init__(self, url: str, process: str, heard: Callable[[list[str]], None]) -> None:
        plain = make_url(url).set(drivername="postgresql")
        self._conninfo = plain.render_as_string(hide_password=False)
        self._process = process
        self._heard = heard
        self._changed: set[str] = set()
        self._wake = asyncio.Event()

    def tell(self, match_id: str) -> None:
        """Let the others know, soon and together with what changes at the same moment."""
        self._changed.add(match_id)
        self._wake.set()

    def jobs(self) -> list[Coroutine[Any, Any, None]]:
        """What has to run: hearing the others and telling them, until cancelled."""
        return [self._connected(self._hear), self._connected(self._send)]

    async def _connected(self, use: Callable[[psycopg.AsyncConnection], Awaitable[None]]) -> None:
        """Use a connection, and another one whenever it breaks."""
        pause = SHORTEST_PAUSE
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(
                    self._conninfo, autocommit=True, connect_timeout=5
                ) as connection:
                    pause = SHORTEST_PAUSE
                    await use(connection)
            except psycopg.Error:
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    async def _hear(self, connection: psycopg.AsyncConnection) -> None:
        await connection.execute(f"LISTEN {CHANNEL}")
        self._heard([])  # something may have been missed
        async for notice in connection.notifies():
            sender, _, ids = notice.payload.partition(" ")
            if sender != self._process:
                self._heard(ids.split())

    async def _send(self, connection: psycopg.AsyncConnection) -> None:
        await connection.execute("SET synchronous_commit = off")
        while True:
            await self._wake.wait()
            await self._send_some(connection)

    async def _send_some(self, connection: psycopg.AsyncConnection) -> None:
        some = list(self._changed)[:MOST_IN_ONE]
        payload = " ".join([self._process, *some])
        self._changed.difference_update(some)
        try:
            await connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, payload))
        except psycopg.Error:
            self._changed.update(some)
            raise
        if not self._changed:
            self._wake.clear()
