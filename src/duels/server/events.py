"""Server-sent events: whoever has a stream open on a match or a class is told what is new.

A state is complete, so a stream that is slow or was away needs only the newest one. Of a class only
the version is told: each page asks for what it may see. All of this runs on the event loop.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

from duels.service.classes import is_code
from duels.service.problems import Problem
from duels.service.requests import limit_scope

HEARTBEAT_SECONDS = 15.0
RETRY = b"retry: 1000\n\n"
HEARTBEAT = b": still here\n\n"
BYE = b"event: bye\ndata: {}\n\n"


class Stream:
    """One open event stream on some topics: a match, or a class and its boards.

    `seen` are the versions that the client has already.
    """

    def __init__(self, client: str, seen: dict[str, int]) -> None:
        self.client = client
        self.seen = seen
        self._news: dict[str, tuple[int, bytes]] = {}
        self._wake = asyncio.Event()
        self._ending = False

    def tell(self, topic: str, version: int, data: bytes) -> None:
        """Send this next, unless something newer is known."""
        if version >= (self._news[topic][0] if topic in self._news else self.seen[topic]):
            self._news[topic] = (version, data)
            self._wake.set()

    def end(self) -> None:
        self._ending = True
        self._wake.set()

    async def frames(self) -> AsyncIterator[bytes]:
        """The stream as it goes over the wire."""
        yield RETRY
        while not self._ending:
            try:
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    await self._wake.wait()
            except TimeoutError:
                yield HEARTBEAT
                continue
            self._wake.clear()
            news, self._news = self._news, {}
            for topic, (version, data) in news.items():
                self.seen[topic] = version
                kind = b"class" if is_code(topic) else b"state"
                yield b"id: %d\nevent: %b\ndata: %b\n\n" % (version, kind, data)
        yield BYE


class Hub:
    """All open streams of this process, by topic."""

    def __init__(self, most_a_client: int) -> None:
        self.most_a_client = most_a_client
        self.is_closing = False
        self.changed: set[str] = set()
        """Topics whose number of streams has changed since somebody last cleared this."""
        self._streams: dict[str, set[Stream]] = {}
        self._clients: Counter[str] = Counter()
        self._sent: dict[str, int] = {}

    def open(self, seen: dict[str, int], client: str, elsewhere: int = 0) -> Stream:
        """A new stream; a Problem if the client has too many, or the server is stopping."""
        if self.is_closing:
            raise Problem(503, "The server is stopping. Try again in a moment.")
        if self._clients[client] + elsewhere >= self.most_a_client:
            raise Problem(
                429,
                f"At most {self.most_a_client} event streams can be open {limit_scope(client)}.",
                headers={"Retry-After": "10"},
            )
        stream = Stream(client, seen)
        self._clients[client] += 1
        for topic in seen:
            self._streams.setdefault(topic, set()).add(stream)
        self.changed.update(seen)
        return stream

    def close(self, stream: Stream) -> None:
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
        """Tell every stream of a topic."""
        streams = self._streams.get(topic)
        if not streams:
            return
        self._sent[topic] = max(version, self._sent.get(topic, 0))
        for stream in streams:
            stream.tell(topic, version, data)

    def watched(self) -> dict[str, int]:
        """The topics with open streams, and the newest version that was sent to them."""
        return {topic: self._sent.get(topic, 0) for topic in self._streams}

    def listeners(self, topic: str) -> dict[str, int]:
        """How many streams each client has open on a topic."""
        return Counter(stream.client for stream in self._streams.get(topic, ()))

    def say_bye(self) -> None:
        """End every stream, so that clients come back to another server or to the next one."""
        self.is_closing = True
        for streams in self._streams.values():
            for stream in streams:
                stream.end()
