"""The address under which people reach the server, and requests that were meant for another."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from duels.server.config import PORTS
from duels.server.problems import problem_response

FOR_ANY_HOST = {"/healthz", "/readyz"}
"""What asks for these knows the machine, and not its public name."""


class OwnHost:
    """Refuses requests for another host than that of the public address."""

    def __init__(self, app: ASGIApp, public_url: str) -> None:
        self.app = app
        self.public_url = public_url
        parts = urlsplit(public_url)
        self._hosts = {parts.netloc.encode(), f"{parts.netloc}:{PORTS[parts.scheme]}".encode()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] not in FOR_ANY_HOST:
            hosts = [value.lower() for name, value in scope["headers"] if name == b"host"]
            if len(hosts) != 1 or hosts[0] not in self._hosts:
                refusal = problem_response(421, f"This server is at {self.public_url}.")
                await refusal(scope, receive, send)
                return
        await self.app(scope, receive, send)
