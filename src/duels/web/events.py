"""Server-sent events: whoever has a stream open on a match is told its newest state.

A state is complete, so a stream that is slow or was away needs only the newest one. All of this
runs on the event loop.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

from duels.hosting.problems import Problem

HEARTBEAT_SECONDS = 15.0
RETRY = b"retry: 1000\n\n"
HEARTBEAT = b": still here\n\n"
BYE = b"event: bye\ndata: {}\n\n"


class Stream:
    """One open event stream; `seen` is the version that the client has already."""

    def __init__(self, match_id: str, client: str, seen: int) -> None:
        self.match_id = match_id
        self.client = client
        self.seen = seen
        self._news: tuple[int, bytes] | None = None
        self._wake = asyncio.Event()
        self._ending = False

    def tell(self, version: int, state: bytes) -> None:
        """Send this state next, unless a newer one is known."""
        if version >= (self._news[0] if self._news else self.seen):
            self._news = (version, state)
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
            if self._news:
                (version, state), self._news = self._news, None
                self.seen = version
                yield b"id: %d\nevent: state\ndata: %b\n\n" % (version, state)
        yield BYE


class Hub:
    """All open streams of this process."""

    def __init__(self, most_a_client: int) -> None:
        self.most_a_client = most_a_client
        self.is_closing = False
        self.changed: set[str] = set()
        """Matches whose number of streams has changed since somebody last cleared this."""
        self._streams: dict[str, set[Stream]] = {}
        self._clients: Counter[str] = Counter()
        self._sent: dict[str, int] = {}

    def open(self, match_id: str, client: str, seen: int, elsewhere: int = 0) -> Stream:
        """A new stream; a Problem if the client has too many, or the server is stopping."""
        if self.is_closing:
            raise Problem(503, "The server is stopping. Try again in a moment.")
        if self._clients[client] + elsewhere >= self.most_a_client:
            raise Problem(
                429,
                f"At most {self.most_a_client} event streams can be open from one address.",
                headers={"Retry-After": "10"},
            )
        stream = Stream(match_id, client, seen)
        self._clients[client] += 1
        self._streams.setdefault(match_id, set()).add(stream)
        self.changed.add(match_id)
        return stream

    def close(self, stream: Stream) -> None:
        streams = self._streams.get(stream.match_id, set())
        if stream not in streams:
            return
        streams.discard(stream)
        if not streams:
            del self._streams[stream.match_id]
            self._sent.pop(stream.match_id, None)
        self._clients[stream.client] -= 1
        if not self._clients[stream.client]:
            del self._clients[stream.client]
        self.changed.add(stream.match_id)

    def publish(self, match_id: str, version: int, state: bytes) -> None:
        """Tell every stream of a match."""
        streams = self._streams.get(match_id)
        if not streams:
            return
        self._sent[match_id] = max(version, self._sent.get(match_id, 0))
        for stream in streams:
            stream.tell(version, state)

    def watched(self) -> dict[str, int]:
        """The matches with open streams, and the newest version that was sent to them."""
        return {match_id: self._sent.get(match_id, 0) for match_id in self._streams}

    def listeners(self, match_id: str) -> dict[str, int]:
        """How many streams each client has open on a match."""
        return Counter(stream.client for stream in self._streams.get(match_id, ()))

    def say_bye(self) -> None:
        """End every stream, so that clients come back to another server or to the next one."""
        self.is_closing = True
        for streams in self._streams.values():
            for stream in streams:
                stream.end()
