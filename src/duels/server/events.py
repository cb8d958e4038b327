"""Server-sent events: the open streams of this process, and news of changes on other servers.

A state is complete, so a stream that is slow or was disconnected needs only the newest one. Of a
class only the version is sent: each page then requests what it may see. Everything here runs on
the event loop.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any

from sqlalchemy import make_url

from duels.service.classes import is_code
from duels.service.problems import Problem
from duels.service.requests import limit_scope

if TYPE_CHECKING:
    from psycopg import AsyncConnection

EVENTS = "text/event-stream"
HEARTBEAT_SECONDS = 15.0
RETRY = b"retry: 1000\n\n"
HEARTBEAT = b": still here\n\n"
BYE = b"event: bye\ndata: {}\n\n"
CHANNEL = "duels"
MAX_NOTIFIED = 200
"""The most ids in one notification of PostgreSQL, which may have 8,000 bytes."""
MIN_PAUSE, MAX_PAUSE = 0.1, 2.0


class Stream:
    """One open event stream on some topics: a match, or a class and its boards.

    `seen` maps each topic to the version that the client already has. A page of a player is not
    counted among those who watch.
    """

    def __init__(self, client: str, seen: dict[str, int], is_player: bool) -> None:
        self.client = client
        self.seen = seen
        self.is_player = is_player
        self._pending: dict[str, tuple[int, bytes]] = {}
        self._wake = asyncio.Event()
        self._ending = False

    def send(self, topic: str, version: int, data: bytes) -> None:
        """Send an event next, unless a newer version is known."""
        if version >= (self._pending[topic][0] if topic in self._pending else self.seen[topic]):
            self._pending[topic] = (version, data)
            self._wake.set()

    def end(self) -> None:
        """Send a last event and end the stream."""
        self._ending = True
        self._wake.set()

    async def frames(self) -> AsyncIterator[bytes]:
        """Yield the stream as it goes over the wire."""
        yield RETRY
        while not self._ending:
            try:
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    await self._wake.wait()
            except TimeoutError:
                yield HEARTBEAT
                continue
            self._wake.clear()
            pending, self._pending = self._pending, {}
            for topic, (version, data) in pending.items():
                self.seen[topic] = version
                kind = b"class" if is_code(topic) else b"state"
                yield b"id: %d\nevent: %b\ndata: %b\n\n" % (version, kind, data)
        yield BYE


class Hub:
    """All open streams of this process, by topic."""

    def __init__(self, max_per_client: int) -> None:
        self.max_per_client = max_per_client
        self.is_closing = False
        self.changed: set[str] = set()
        """Topics whose number of streams has changed since this was last cleared."""
        self._streams: dict[str, set[Stream]] = {}
        self._clients: Counter[str] = Counter()
        self._sent: dict[str, int] = {}

    def open(
        self, seen: dict[str, int], client: str, elsewhere: int = 0, *, is_player: bool = False
    ) -> Stream:
        """Open a stream; a Problem if the client has too many, or if the server is stopping."""
        if self.is_closing:
            raise Problem(503, "The server is stopping. Try again in a moment.")
        if self._clients[client] + elsewhere >= self.max_per_client:
            raise Problem(
                429,
                f"At most {self.max_per_client} event streams can be open {limit_scope(client)}.",
                headers={"Retry-After": "10"},
            )
        stream = Stream(client, seen, is_player)
        self._clients[client] += 1
        for topic in seen:
            self._streams.setdefault(topic, set()).add(stream)
        self.changed.update(seen)
        return stream

    def close(self, stream: Stream) -> None:
        """Remove a stream; closing it twice changes nothing."""
        for topic in stream.seen:
            streams = self._streams.get(topic, set())
            if stream not in streams:
                return
            streams.discard(stream)
            if not streams:
                del self._streams[topic]
                self._sent.pop(topic, None)
        self._clients[stream.client] -= 1
        if not self._clients[stream.client]:
            del self._clients[stream.client]
        self.changed.update(stream.seen)

    def publish(self, topic: str, version: int, data: bytes) -> None:
        streams = self._streams.get(topic)
        if not streams:
            return
        self._sent[topic] = max(version, self._sent.get(topic, 0))
        for stream in streams:
            stream.send(topic, version, data)

    def watched(self) -> dict[str, int]:
        """Return the topics with open streams, and the newest version sent to them."""
        return {topic: self._sent.get(topic, 0) for topic in self._streams}

    def listeners(self, topic: str) -> Counter[tuple[str, bool]]:
        """Count the streams on a topic by client, those of players (True) apart."""
        return Counter((one.client, one.is_player) for one in self._streams.get(topic, ()))

    def end_all(self) -> None:
        """End every stream, so that clients reconnect to another server or to the next one."""
        self.is_closing = True
        for streams in self._streams.values():
            for stream in streams:
                stream.end()


class Notifier:
    """Tells other servers which matches have changed, through PostgreSQL's LISTEN and NOTIFY.

    Both connections are reopened after a failure. A lost notification does no harm: every server
    also polls for new versions.
    """

    def __init__(self, url: str, process: str, on_change: Callable[[list[str]], None]) -> None:
        plain = make_url(url).set(drivername="postgresql")
        self._conninfo = plain.render_as_string(hide_password=False)
        self._process = process
        self._on_change = on_change
        self._changed: set[str] = set()
        self._wake = asyncio.Event()

    def notify(self, match_id: str) -> None:
        """Notify the other servers soon, together with other changes of the same moment."""
        self._changed.add(match_id)
        self._wake.set()

    def tasks(self) -> list[Coroutine[Any, Any, None]]:
        """Return the tasks to run until they are cancelled: listening and sending."""
        return [self._connected(self._listen), self._connected(self._send)]

    async def _connected(self, use: Callable[[AsyncConnection], Awaitable[None]]) -> None:
        """Use a connection, and reconnect whenever it breaks."""
        import psycopg

        pause = MIN_PAUSE
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(
                    self._conninfo, autocommit=True, connect_timeout=5
                ) as connection:
                    pause = MIN_PAUSE
                    await use(connection)
            except psycopg.Error:
                await asyncio.sleep(pause)
                pause = min(2 * pause, MAX_PAUSE)

    async def _listen(self, connection: AsyncConnection) -> None:
        await connection.execute(f"LISTEN {CHANNEL}")
        self._on_change([])  # some changes may have been missed
        async for notice in connection.notifies():
            sender, _, ids = notice.payload.partition(" ")
            if sender != self._process:
                self._on_change(ids.split())

    async def _send(self, connection: AsyncConnection) -> None:
        await connection.execute("SET synchronous_commit = off")
        while True:
            await self._wake.wait()
            some = list(self._changed)[:MAX_NOTIFIED]
            payload = " ".join([self._process, *some])
            self._changed.difference_update(some)  # a later change counts as another one
            try:
                await connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, payload))
            except BaseException:
                self._changed.update(some)
                raise
            if not self._changed:
                self._wake.clear()
