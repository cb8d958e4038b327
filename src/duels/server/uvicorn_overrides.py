"""What this server overrides in uvicorn: limits on connections, and supervision of workers.

The methods overridden here are not part of uvicorn's public API, so `tests/web/test_web_uvicorn.py`
has a test for each. uvicorn and its parser still read HTTP; a `LimitedConnection` counts bytes and
seconds around them and refuses with a sentence. All connections are checked every half second,
because a timer for each request would slow down every move.
"""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from socket import socket
from threading import Thread
from types import FrameType
from typing import Any

from uvicorn import Config as ServerConfig
from uvicorn.config import STARTUP_FAILURE
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.supervisors.multiprocess import Multiprocess, Process

from duels.lab.jobs import without_ctrl_c
from duels.server.app import SIGNALS, Deadline, exit_now
from duels.server.config import Networks, is_among
from duels.server.middleware import HEADERS
from duels.server.rate_limits import client_id
from duels.service import logs
from duels.service.problems import MEDIA_TYPE, Problem

MAX_ADDRESS = 8 * 1024
MAX_HEADERS = 16 * 1024
MAX_PIPELINED = 16
"""The most requests sent before the response to the first of them; browsers send none."""
CHECK_SECONDS = 0.5
LINGER_SECONDS = 2.0
"""How long a refused connection stays open, so that the client can read why."""
LINGER_BYTES = 1024 * 1024
"""How many more bytes from a refused client are read and discarded."""
ADDRESS_TOO_LONG = 414, f"The address is too long: at most {MAX_ADDRESS // 1024} kB are read."
HEADERS_TOO_LARGE = 431, f"The headers are too large: at most {MAX_HEADERS // 1024} kB are read."
WRONG_HOST = 400, "A request has exactly one Host header."


@dataclass
class ConnectionLimits:
    """The limits on all connections of one process, and the connections that are open."""

    most: int
    most_per_client: int
    proxies: Networks = ()
    head_seconds: float = 10.0
    body_seconds: float = 30.0
    reading_seconds: float = 60.0
    """The longest time a client may leave a response unread."""
    connections: set[LimitedConnection] = field(default_factory=set)
    clients: Counter[str] = field(default_factory=Counter)

    def add(self, connection: LimitedConnection) -> str:
        """Count a connection; return why it is refused, or ""."""
        if not self.connections:
            connection.loop.call_later(CHECK_SECONDS, self._check_all, connection.loop)
        self.connections.add(connection)
        client = connection.counted_client
        self.clients[client] += 1
        if len(self.connections) > self.most:
            return "The server has too many connections. Try again in a moment."
        if client and self.clients[client] > self.most_per_client:
            return f"At most {self.most_per_client} connections can be open from one address."
        return ""

    def remove(self, connection: LimitedConnection) -> None:
        self.connections.discard(connection)
        client = connection.counted_client
        self.clients[client] -= 1
        if not self.clients[client]:
            del self.clients[client]

    def _check_all(self, loop: asyncio.AbstractEventLoop) -> None:
        """Check all connections twice a second while there are any; end slow ones."""
        now = loop.time()
        for connection in list(self.connections):
            connection.check(now)
        if self.connections:
            loop.call_later(CHECK_SECONDS, self._check_all, loop)


class JoinedWrites:
    """A transport that sends two writes as one, so that the head of a response goes with its body.

    A write that no other follows is sent when the event loop has finished its turn.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._first = b""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if self._first:
            first, self._first = self._first, b""
            self._transport.write(first + data)
        elif data:
            self._first = data
            self._loop.call_soon(self._flush)

    def write_eof(self) -> None:
        self._flush()
        self._transport.write_eof()

    def close(self) -> None:
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._first and not self._transport.is_closing():
            self.write(b"")


class LimitedConnection(HttpToolsProtocol):
    """A connection that is refused when it sends too much or takes too long."""

    def __init__(self, *args: Any, limits: ConnectionLimits, **more: Any) -> None:
        super().__init__(*args, **more)
        self.limits = limits
        self.counted_client = ""
        """The client, or "" for a trusted proxy, whose connections belong to many clients."""
        self._since: float | None = None
        """When the request that is being received began; None between requests."""
        self._in_head = True
        self._heads = 0
        self._head_bytes = 0
        self._reason: tuple[int, str] | None = None
        """Why a request or the connection is refused, until the response has been sent."""
        self._refused: float | None = None
        self._discarded = 0
        self._stuck: float | None = None
        """Since when the client has read none of the response."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(JoinedWrites(transport, self.loop))  # type: ignore[arg-type]
        host = self.client[0] if self.client else ""
        if not is_among(host, self.limits.proxies):
            self.counted_client = client_id(host)
        self._since = self.loop.time()
        if full := self.limits.add(self):
            self._reason, self._refused = (503, full), self._since

    def connection_lost(self, exc: Exception | None) -> None:
        self.limits.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused is not None:
            if self._reason:
                self._refuse(*self._reason)
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
            if self._head_bytes > MAX_ADDRESS + MAX_HEADERS:
                is_address = not self.headers and len(getattr(self, "url", b"")) > MAX_ADDRESS
                self._refuse(*(ADDRESS_TOO_LONG if is_address else HEADERS_TOO_LARGE))

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._heads += 1
        self._head_bytes = 0
        if self._since is None:  # the last part of another request arrived before it
            self._since = self.loop.time()

    def on_headers_complete(self) -> None:
        if len(self.url) > MAX_ADDRESS:
            self._reason = ADDRESS_TOO_LONG
        elif sum(map(len, chain.from_iterable(self.headers))) > MAX_HEADERS:
            self._reason = HEADERS_TOO_LARGE
        elif len(self.pipeline) >= MAX_PIPELINED:
            self._reason = 429, f"At most {MAX_PIPELINED} requests can wait on one connection."
        elif not self._has_one_host:
            self._reason = WRONG_HOST
        if self._reason:
            raise ValueError  # the parser stops, and `send_400_response` says why
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._heads += 1  # the bytes just received were a body, not part of the next head
        self._in_head, self._since = True, None

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._since is not None:  # it was not read during our response
            self._since = self.loop.time()

    def send_400_response(self, msg: str) -> None:
        self._refuse(*(self._reason or (400, "The request cannot be understood.")))

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stuck = self.loop.time()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stuck = None

    def check(self, now: float) -> None:
        """End the connection if it takes too long."""
        if self._refused is not None:
            if now - self._refused > LINGER_SECONDS:
                self.transport.abort()
        elif self._stuck is not None:
            if now - self._stuck > self.limits.reading_seconds:
                self.transport.abort()
        elif self.transport.is_closing():
            self._stuck = now
        elif self._since is not None and not self._is_responding:
            limit = self.limits.head_seconds if self._in_head else self.limits.body_seconds
            if now - self._since <= limit:
                return
            if self._heads or self._head_bytes:
                part = "headers" if self._in_head else "body"
                self._refuse(408, f"The {part} did not arrive within {limit:g} seconds.")
            else:
                self.transport.close()  # browsers open some in advance and expect no response

    @property
    def _is_responding(self) -> bool:
        """Say whether a request is complete and its response is not."""
        cycle = self.cycle
        return bool(self.pipeline) or (
            cycle is not None and not cycle.response_complete and not cycle.more_body
        )

    @property
    def _has_one_host(self) -> bool:
        """Say whether there is exactly one Host header; HTTP/1.0 may have none."""
        hosts = sum(name == b"host" for name, _ in self.headers)
        return hosts == 1 or (hosts == 0 and self.parser.get_http_version() == "1.0")

    def _refuse(self, status: int, detail: str) -> None:
        """Send the reason and stop reading; a client that is still sending gets time to read it."""
        self._reason, self._refused = None, self.loop.time()
        self._unset_keepalive_if_required()
        if (cycle := self.cycle) is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
            if cycle.response_started or self.pipeline:
                self.transport.abort()  # another response has begun
                return
        body = Problem(status, detail).content
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


class Workers(Multiprocess):
    """uvicorn's worker processes, replaced when they die and stopped in bounded time."""

    def __init__(self, config: ServerConfig, sockets: Sequence[socket], seconds: float) -> None:
        super().__init__(config, list(sockets))
        self._deadline = Deadline(seconds, self._end)
        for number in SIGNALS:
            signal.signal(number, self._stop)

    def init_processes(self) -> None:
        self.processes = [self._start() for _ in range(self.processes_num)]

    def keep_subprocess_alive(self) -> None:
        """Replace workers that have died; give up if no worker can start.

        uvicorn would also kill a worker that is slow to start, and end all of them if one cannot
        start, as when the database is down for a moment.
        """
        codes = [worker.process.exitcode for worker in self.processes]
        if all(code == STARTUP_FAILURE for code in codes):
            exit_now(1, "no worker could start")
        for place, code in enumerate(codes):
            if code is not None and not self.should_exit.is_set():
                logs.warning("a worker died", exit_code=code)
                self.processes[place] = self._start()

    def run(self) -> None:
        """Serve until a signal stops it; exit with 0 if every worker ended by itself."""
        super().run()
        by_itself = {0, -signal.SIGTERM, STARTUP_FAILURE}
        exit_now(0 if all(one.process.exitcode in by_itself for one in self.processes) else 1)

    def _start(self) -> Process:
        """Start a worker that ignores Ctrl-C until it serves: the parent handles it."""
        with without_ctrl_c():
            worker = Process(self.config, self.sockets)
            worker.start()
            return worker

    def _stop(self, number: int, _frame: FrameType | None) -> None:
        if self._deadline.is_first(number):
            # The main thread may hold the lock of this event.
            Thread(target=self.should_exit.set, daemon=True).start()

    def _end(self, code: int, *warnings: str) -> None:
        for worker in self.processes:
            worker.process.kill()
        exit_now(code, *warnings)
