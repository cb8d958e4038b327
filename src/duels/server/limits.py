"""How large the body of a request may be, and all bodies together."""

from __future__ import annotations

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from duels.server.problems import problem_response

LARGEST_BODY = 64 * 1024
LARGEST_RECORDS = 1024 * 1024
RECORDS_PATH = "/api/records"
MOST_HELD = 64 * LARGEST_RECORDS
"""Bytes of bodies that are in memory at once, also of those that have not come yet in full."""


class BodyLimit:
    """Reads a body before anybody works on it, and refuses one that is too large."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in {"GET", "HEAD", "OPTIONS"}:
            await self.app(scope, receive, send)
            return
        most = LARGEST_RECORDS if scope["path"] == RECORDS_PATH else LARGEST_BODY
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if announced.isdigit() and int(announced) > most:
            await _refused(413, _too_large(most))(scope, receive, send)
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
                self._held += len(part)
                if len(body) > most:
                    await _refused(413, _too_large(most))(scope, receive, send)
                    return
                if self._held > MOST_HELD:
                    busy = _refused(503, "Too many are sending at the moment. Try again.")
                    await busy(scope, receive, send)
                    return
            await self.app(scope, _replay(bytes(body), receive), send)
        finally:
            self._held -= len(body)


def _too_large(most: int) -> str:
    return f"The body is too large: at most {most // 1024:,} kB are read."


def _replay(body: bytes, receive: Receive) -> Receive:
    """The body as one message, and then what comes after it."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return waiting.pop() if waiting else await receive()

    return receive_again


def _refused(status: int, detail: str) -> Response:
    later = {"Retry-After": "5"} if status == 503 else {}
    return problem_response(status, detail, {"Connection": "close"} | later)
