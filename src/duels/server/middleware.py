"""ASGI middleware: root path, host, headers, size of bodies, cancelled requests and logs."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable
from urllib.parse import urlsplit

from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from duels.server.config import DEFAULT_PORTS
from duels.service import logs
from duels.service.problems import MEDIA_TYPE, Problem

MAX_BODY = 64 * 1024
MAX_RECORDS = 1024 * 1024
RECORDS_PATH = "/api/records"
MAX_BUFFERED = 64 * MAX_RECORDS
"""The most bytes of request bodies in memory at once, counting those still being received."""
CLIENT_GONE = 499
"""The logged status of a request whose client has disconnected."""
ANY_HOST = {"/healthz", "/readyz"}
"""Paths allowed with any host, because a health check knows the machine, not its public name."""
MAX_DEPTH = 8
"""The deepest path of the site; it also keeps a "not found" page small."""


def page_policy(scripts: str = "") -> str:
    """Return what a page may load; `scripts` are the hashes of its inline scripts."""
    own = f"'self' {scripts}".rstrip()
    return (
        f"default-src 'self'; style-src 'self'; script-src {own}; img-src 'self' data:; "
        "object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
    )


PAGE_POLICY = page_policy()
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
"""A picture has inline styles and loads nothing."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
SENT_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
"""The same headers as bytes: every response has them, and converting them each time is slow."""


class Middleware:
    """ASGI middleware whose `handle` is called for requests."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        handle = self.handle if scope["type"] == "http" else self.app
        return handle(scope, receive, send)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, with or without calling `self.app`."""
        raise NotImplementedError


class SecurityHeaders(Middleware):
    """Adds security headers to every response; a page may set a policy of its own."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = _with_security(message["headers"])
            await send(message)

        await self.app(scope, receive, send_with_headers)


def _with_security(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    given = dict(headers)
    added = [*headers, *SENT_HEADERS]
    if b"content-security-policy" not in given:
        is_picture = given.get(b"content-type", b"").startswith(b"image/svg")
        policy = PICTURE_POLICY if is_picture else PAGE_POLICY
        added.append((b"content-security-policy", policy.encode()))
    if b"cache-control" not in given:
        added.append((b"cache-control", b"no-store"))
    return added


class PublicHost(Middleware):
    """Refuses requests for a host other than that of the public URL."""

    def __init__(self, app: ASGIApp, public_url: str) -> None:
        super().__init__(app)
        self.public_url = public_url
        parts = urlsplit(public_url)
        port = DEFAULT_PORTS[parts.scheme]
        self._hosts = {parts.netloc.encode(), f"{parts.netloc}:{port}".encode()}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        hosts = [value.lower() for name, value in scope["headers"] if name == b"host"]
        if scope["path"] in ANY_HOST or (len(hosts) == 1 and hosts[0] in self._hosts):
            await self.app(scope, receive, send)
        else:
            refused = problem_response(Problem(421, f"This server is at {self.public_url}."))
            await refused(scope, receive, send)


class RootPath(Middleware):
    """Removes the root path from the path of a request, unless a proxy has already done it."""

    def __init__(self, app: ASGIApp, root_path: str) -> None:
        super().__init__(app)
        self.root_path = root_path

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        if path == self.root_path:
            await RedirectResponse(f"{self.root_path}/", 308)(scope, receive, send)
            return
        if path.startswith(f"{self.root_path}/"):
            parts = scope["raw_path"].split(b"/")[self.root_path.count("/") :]
            rest = path[len(self.root_path) :]
            scope = {**scope, "path": rest, "raw_path": b"/".join([b"", *parts[1:]])}
        await self.app(scope, receive, send)


def relative_root(scope: Scope) -> str:
    """Return the root relative to the requested address, which works behind any proxy."""
    depth = scope["raw_path"].count(b"/") - 1
    return "../" * min(depth, MAX_DEPTH) or "./"


class BodyLimit(Middleware):
    """Reads the whole body before a handler runs, and refuses one that is too large."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app)
        self._buffered = 0

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] in {"GET", "HEAD", "OPTIONS"}:
            await self.app(scope, receive, send)
            return
        limit = MAX_RECORDS if scope["path"] == RECORDS_PATH else MAX_BODY
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if announced.isdigit() and int(announced) > limit:
            await _too_large(limit)(scope, receive, send)
            return
        body = bytearray()
        try:
            more = True
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return
                part, more = message.get("body", b""), message.get("more_body", False)
                body += part
                self._buffered += len(part)
                if len(body) > limit:
                    await _too_large(limit)(scope, receive, send)
                    return
                if self._buffered > MAX_BUFFERED:
                    busy = _closing(
                        503, "Too many requests are being received. Try again in a moment."
                    )
                    await busy(scope, receive, send)
                    return
            await self.app(scope, _replay(bytes(body), receive), send)
        finally:
            self._buffered -= len(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that yields the body as one message, then whatever follows it."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return waiting.pop() if waiting else await receive()

    return receive_again


class CancelledRequests(Middleware):
    """Responds with 503 to a request that is cancelled because the server is stopping."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_begun = False

        async def send_and_note(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self.app(scope, receive, send_and_note)
        except asyncio.CancelledError:
            if has_begun:
                raise
            detail = "The server is stopping. Nothing is lost; try again in a moment."
            stopping = problem_response(Problem(503, detail, headers={"Retry-After": "1"}))
            await stopping(scope, receive, send)


class RequestLog(Middleware):
    """Logs every request when its response has been sent."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not logs.logger.isEnabledFor(logging.INFO):
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), CLIENT_GONE

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, send_and_note)
        except Exception:
            status = 500
            raise
        finally:
            milliseconds = round((time.perf_counter() - began) * 1000, 1)
            path = scope["path"][:200]
            logs.info("request", method=scope["method"], path=path, status=status, ms=milliseconds)


def _too_large(limit: int) -> Response:
    return _closing(413, f"The body is too large: at most {limit // 1024:,} kB are read.")


def _closing(status: int, detail: str) -> Response:
    later = {"Retry-After": "5"} if status == 503 else {}
    return problem_response(Problem(status, detail, headers={"Connection": "close"} | later))


def problem_response(problem: Problem) -> Response:
    return Response(problem.content, problem.status, problem.headers, MEDIA_TYPE)
