"""The shell around every page: its head with style sheet and scripts, the navigation, the foot."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from typing import NamedTuple

from duels.pages.static_files import File, address, all_files, compress, import_map, modules
from duels.pages.templates import Host, Page, render

SECTIONS = {
    "": "Play",
    "learn": "Learn",
    "puzzle": "Puzzles",
    "analysis": "Analysis",
    "me": "You",
}
"""The links at the top of every page, by path."""
CARD = "card.png"
"""The link preview of a page that has none of its own; 1200 x 630, as previews want it."""


class Html(NamedTuple):
    """A page ready to send, and the hash of its inline script for the content policy."""

    file: File
    script_hash: str


@lru_cache(maxsize=256)
def page_html(page: Page, host: Host) -> Html:
    """Render a whole page."""
    # A page of the static site starts a worker, so it needs every module at once.
    needed = modules(page.kind, later=not host.has_server)
    text = render(
        "shell.html",
        page=page,
        host=host,
        sections=SECTIONS,
        card=address(_card(page)),
        icon=address("favicon.svg"),
        style=address(f"{page.kind}.css"),
        modules=[address(name) for name in needed],
        import_map=import_map(page.kind, host.root) if needed else "",
    )
    return Html(compress(text.encode(), "text/html"), script_hash(page, host.root))


def script_hash(page: Page, root: str) -> str:
    """Return the source expression that lets a page's import map run, or "" if it has none."""
    if not modules(page.kind):
        return ""
    digest = hashlib.sha256(import_map(page.kind, root).encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _card(page: Page) -> str:
    return own if (own := f"cards/{page.game}.png") in all_files() else CARD
