"""How much one client may ask for: the size of a body, new matches in an hour."""

from __future__ import annotations

import time
from collections import deque

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from duels.web.problems import MEDIA_TYPE, Problem, problem_body

LARGEST_BODY = 64 * 1024
LARGEST_RECORDS = 1024 * 1024
RECORDS_PATH = "/api/records"
HOUR = 3600.0
MOST_CLIENTS = 10_000


class BodyLimit:
    """Reads a body before anybody works on it, and refuses one that is too large."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in {"GET", "HEAD", "OPTIONS"}:
            await self.app(scope, receive, send)
            return
        most = LARGEST_RECORDS if scope["path"] == RECORDS_PATH else LARGEST_BODY
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        body, more = b"", not (announced.isdigit() and int(announced) > most)
        is_too_large = not more
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > most:
                is_too_large, more = True, False
        if is_too_large:
            await _refuse(send, most)
            return
        waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Message:
            return waiting.pop() if waiting else await receive()

        await self.app(scope, replay, send)


async def _refuse(send: Send, most: int) -> None:
    body = problem_body(413, f"The body is too large: at most {most // 1024:,} kB are read.")
    headers = [
        (b"content-type", MEDIA_TYPE.encode()),
        (b"content-length", b"%d" % len(body)),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class HourlyLimit:
    """At most so many in an hour from one client; kept in memory only."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._times: dict[str, deque[float]] = {}

    def take(self, client: str) -> None:
        """Count one more; a Problem if that is too many."""
        now = time.monotonic()
        if len(self._times) > MOST_CLIENTS:
            self._times = {who: t for who, t in self._times.items() if now - t[-1] < HOUR}
        times = self._times.setdefault(client, deque(maxlen=self.most))
        if len(times) == self.most and now - times[0] < HOUR:
            wait = int(HOUR - (now - times[0])) + 1
            raise Problem(
                429,
                f"At most {self.most} matches an hour can be created from one address.",
                headers={"Retry-After": str(wait)},
            )
        times.append(now)
