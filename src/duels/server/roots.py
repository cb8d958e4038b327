"""Below which path the site is, and how a page leads back to its root."""

from __future__ import annotations

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

DEEPEST = 8
"""No address of the site lies as deep; a page that says "not found" stays small."""


class RootPath:
    """Takes the root path off an address; a proxy may have taken it off already."""

    def __init__(self, app: ASGIApp, root_path: str) -> None:
        self.app = app
        self.root_path = root_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            path = scope["path"]
            if path == self.root_path:
                await RedirectResponse(f"{self.root_path}/", 308)(scope, receive, send)
                return
            if path.startswith(f"{self.root_path}/"):
                parts = scope["raw_path"].split(b"/")[self.root_path.count("/") :]
                rest = path[len(self.root_path) :]
                scope = {**scope, "path": rest, "raw_path": b"/".join([b"", *parts[1:]])}
        await self.app(scope, receive, send)


def root_seen_from(scope: Scope) -> str:
    """The root, relative to the address that was asked for; a proxy cannot change it."""
    depth = scope["raw_path"].count(b"/") - 1
    return "../" * min(depth, DEEPEST) or "./"
