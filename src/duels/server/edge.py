"""The edge of the server: what a connection may do before a request reaches the application.

uvicorn and its parser read HTTP; this counts bytes, connections and seconds around them, and
answers with a sentence when that is too much. All connections are looked at every half second;
with a timer for each request a move would cost more.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from duels.server.clients import Networks, client_id, is_among
from duels.server.headers import HEADERS
from duels.service.problems import MEDIA_TYPE, problem_body

LARGEST_ADDRESS = 8 * 1024
LARGEST_HEADERS = 16 * 1024
MOST_WAITING = 16
"""Requests that were sent before the one in front of them was answered; browsers send none so."""
LOOK_SECONDS = 0.5
LINGER_SECONDS = 2.0
"""How long a connection that was refused stays open, so that its sender sees the answer."""
LINGER_BYTES = 1024 * 1024
"""How much of what it still sends is read and thrown away; the rest stays with the sender."""
ADDRESS_TOO_LONG = 414, f"The address is too long: at most {LARGEST_ADDRESS // 1024} kB are read."
HEADERS_TOO_LARGE = (
    431,
    f"The headers are too large: at most {LARGEST_HEADERS // 1024} kB are read.",
)
WRONG_HOST = 400, "A request has exactly one Host header."


@dataclass
class Gate:
    """What the connections of one process have in common: their limits and their number."""

    most: int
    most_a_client: int
    proxies: Networks = ()
    head_seconds: float = 10.0
    body_seconds: float = 30.0
    reading_seconds: float = 60.0
    """How long a client may take nothing of an answer that waits for it."""
    connections: set[Edge] = field(default_factory=set)
    clients: Counter[str] = field(default_factory=Counter)

    def enter(self, connection: Edge) -> str:
        """Count a connection; why it is refused, or nothing."""
        if not self.connections:
            connection.loop.call_later(LOOK_SECONDS, self._look, connection.loop)
        self.connections.add(connection)
        self.clients[connection.counted_as] += 1
        if len(self.connections) > self.most:
            return "The server has too many connections. Try again in a moment."
        if connection.counted_as and self.clients[connection.counted_as] > self.most_a_client:
            return f"At most {self.most_a_client} connections can be open from one address."
        return ""

    def leave(self, connection: Edge) -> None:
        self.connections.discard(connection)
        self.clients[connection.counted_as] -= 1
        if not self.clients[connection.counted_as]:
            del self.clients[connection.counted_as]

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """End what takes too long, and look again as long as there are connections."""
        now = loop.time()
        for connection in list(self.connections):
            connection.look(now)
        if self.connections:
            loop.call_later(LOOK_SECONDS, self._look, loop)


class Edge(HttpToolsProtocol):
    """A connection that is counted, and ended when it sends too much or takes too long."""

    def __init__(self, *args: Any, gate: Gate, **more: Any) -> None:
        super().__init__(*args, **more)
        self.gate = gate
        self.counted_as = ""
        """The client; a proxy that speaks for many is not counted as one."""
        self._since: float | None = None
        """When the request that is being received began; None between requests."""
        self._in_head = True
        self._heads = 0
        self._head_bytes = 0
        self._why: tuple[int, str] | None = None
        """What is wrong with a head, or with the connection, and has not been said yet."""
        self._refused: float | None = None
        self._discarded = 0
        self._stuck: float | None = None
        """Since when nothing of what we write is taken."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        if not is_among(host, self.gate.proxies):
            self.counted_as = client_id(host)
        self._since = self.loop.time()
        if full := self.gate.enter(self):
            self._why, self._refused = (503, full), self._since

    def connection_lost(self, exc: Exception | None) -> None:
        self.gate.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused is not None:
            if self._why:
                self._refuse(*self._why)
            self._discarded += len(data)
            if self._discarded > LINGER_BYTES:
                self.flow.pause_reading()
            return
        if self._since is None:
            self._since = self.loop.time()
        heads = self._heads
        super().data_received(data)
        if self._in_head and self._heads == heads and self._refused is None:
            self._head_bytes += len(data)
            if self._head_bytes > LARGEST_ADDRESS + LARGEST_HEADERS:
                is_address = not self.headers and len(getattr(self, "url", b"")) > LARGEST_ADDRESS
                self._refuse(*(ADDRESS_TOO_LONG if is_address else HEADERS_TOO_LARGE))

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._heads += 1
        self._head_bytes = 0
        if self._since is None:  # the last part of another request came before it
            self._since = self.loop.time()

    def on_headers_complete(self) -> None:
        if len(self.url) > LARGEST_ADDRESS:
            self._why = ADDRESS_TOO_LONG
        elif sum(map(len, chain.from_iterable(self.headers))) > LARGEST_HEADERS:
            self._why = HEADERS_TOO_LARGE
        elif len(self.pipeline) >= MOST_WAITING:
            self._why = 429, f"At most {MOST_WAITING} requests can wait on one connection."
        elif not self._has_one_host:
            self._why = WRONG_HOST
        if self._why:
            raise ValueError  # the parser stops, and `send_400_response` says why
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._heads += 1  # what has just come was a body, not a part of the next head
        self._in_head, self._since = True, None

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._since is not None:  # it was not read as long as we were answering
            self._since = self.loop.time()

    def send_400_response(self, msg: str) -> None:
        self._refuse(*(self._why or (400, "The request cannot be understood.")))

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stuck = self.loop.time()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stuck = None

    def look(self, now: float) -> None:
        """End the connection if it takes too long."""
        if self._refused is not None:
            if now - self._refused > LINGER_SECONDS:
                self.transport.abort()
        elif self._stuck is not None:
            if now - self._stuck > self.gate.reading_seconds:
                self.transport.abort()
        elif self.transport.is_closing():
            self._stuck = now
        elif self._since is not None and not self._is_answering:
            limit = self.gate.head_seconds if self._in_head else self.gate.body_seconds
            if now - self._since <= limit:
                return
            if self._heads or self._head_bytes:
                part = "headers" if self._in_head else "body"
                self._refuse(408, f"The {part} did not come within {limit:g} seconds.")
            else:
                self.transport.close()  # a browser that opens one in advance shall not see it

    @property
    def _is_answering(self) -> bool:
        """Whether a request is complete and its answer is not."""
        cycle = self.cycle
        return bool(self.pipeline) or (
            cycle is not None and not cycle.response_complete and not cycle.more_body
        )

    @property
    def _has_one_host(self) -> bool:
        """HTTP/1.0 knows no Host, so there it may be missing; two are ambiguous in any version."""
        hosts = sum(name == b"host" for name, _ in self.headers)
        return hosts == 1 or (hosts == 0 and self.parser.get_http_version() == "1.0")

    def _refuse(self, status: int, detail: str) -> None:
        """Say why, and read no more; whoever is still sending is given the time to see it."""
        self._why, self._refused = None, self.loop.time()
        self._unset_keepalive_if_required()
        if (cycle := self.cycle) is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
            if cycle.response_started or self.pipeline:
                self.transport.abort()  # in the middle of another answer there is no room
                return
        body = problem_body(status, detail)
        headers = HEADERS | {
            "Content-Type": MEDIA_TYPE,
            "Content-Length": str(len(body)),
            "Cache-Control": "no-store",
            "Connection": "close",
            **({"Retry-After": "5"} if status == 503 else {}),
        }
        head = "".join(f"{name.lower()}: {value}\r\n" for name, value in headers.items())
        self.transport.write(STATUS_LINE[status] + head.encode() + b"\r\n" + body)
        self.flow.resume_reading()
        if self.transport.can_write_eof():
            self.transport.write_eof()
        else:
            self.transport.close()
