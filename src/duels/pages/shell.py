"""Whole pages, and the files that they load, each at an address that contains a hash of it.

All files are read and compressed once, so a process always serves files that belong together.
Browsers may cache such an address forever: a page seen before loads only what has changed.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import mimetypes
import posixpath
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from duels.core.errors import GameFileError
from duels.games import all_games
from duels.pages.templates import Host, Page, embedded, render
from duels.service import logs

CLASSROOM = "class"
SECTIONS = {
    "": "Play",
    "learn": "Learn",
    "puzzle": "Puzzles",
    "analysis": "Analysis",
    CLASSROOM: "Classroom",
    "me": "You",
}
"""The links at the top of every page, by path. A class needs a server."""
CARD = "card.png"
"""The link preview of a page that has none of its own; 1200 x 630, as previews want it."""
ICONS = (("icon-192.png", 192, False), ("icon-512.png", 512, False), ("icon-whole.png", 512, True))
"""The icons of the installed site: file, side, and whether the system may crop it."""
GROUND = "#fcfbf8"
"""The background colour of the pages in the light scheme."""
UPDATES = "js/offline/updates.js"
"""The module of every page that registers the service worker."""
STATIC = Path(__file__).parent / "static"
FOR_ALL_PAGES = ("look", "controls", "site")
SHEETS = {
    "lobby": ("tiles", "board", "drawings", "lobby"),
    "match": ("tiles", "board", "drawings", "table", "match", "review"),
    "analysis": ("tiles", "board", "lobby", "table", "review", "learn"),
    "learn": ("tiles", "board", "drawings", "lobby", "table", "review", "learn"),
    "play": ("tiles", "board", "drawings", "lobby"),
    "puzzle": ("tiles", "board", "drawings", "table", "learn"),
    "me": ("lobby", "review", "learn"),
    "class": ("tiles", "board", "drawings", "lobby", "table", "class"),
    "print": ("sheets",),
    "missing": (),
}
"""The style sheets of each kind of page, which are sent as one file: `lobby.css`."""
TYPES = {".js": "text/javascript", ".svg": "image/svg+xml"}
HASHED = re.compile(r"(.+)\.([0-9a-f]{12})(\.\w+)")
IMPORTED = re.compile(r'\bfrom "(\.[\w./-]+\.js)"')
IMPORTED_LATER = re.compile(r'\bimport\("(\.[\w./-]+\.js)"\)')


class File(NamedTuple):
    """A file ready to send."""

    content: bytes
    compressed: bytes
    digest: str
    media_type: str


def compress(content: bytes, media_type: str) -> File:
    """Return the content as a file, with its gzip form and its hash."""
    digest = hashlib.sha256(content).hexdigest()[:12]
    return File(content, gzip.compress(content, 9, mtime=0), digest, media_type)


class Html(NamedTuple):
    """A page ready to send, and the hash of its inline script for the content policy."""

    file: File
    script_hash: str


@lru_cache(maxsize=256)
def page_html(page: Page, host: Host) -> Html:
    # A page of the static site starts a worker, so it needs every module at once.
    needed = modules(page.kind, later=not host.has_server)
    text = render(
        "shell.html",
        page=page,
        host=host,
        sections={
            path: title for path, title in SECTIONS.items() if host.has_server or path != CLASSROOM
        },
        classroom=CLASSROOM,
        card=address(_card(page)),
        ground=GROUND,
        icon=address("favicon.svg"),
        app_icon=address(f"icons/{ICONS[0][0]}"),
        updates=address(UPDATES),
        first_view=address(first) if (first := first_view(page.kind)) else "",
        style=address(f"{page.kind}.css"),
        modules=[address(name) for name in needed],
        import_map=import_map(page.kind, host.root) if needed else "",
        **page.values,
    )
    return Html(compress(text.encode(), "text/html"), script_hash(page, host.root))


def add_response(file: File, path: str, response: bytes) -> File:
    """Return a server's page with one more response of its API embedded, which only it needs."""
    data = render("responses.html", responses=[embedded(path, response)]).encode()
    before, footer, after = file.content.partition(b'<footer class="site">')
    return compress(b"".join((before, data, b"\n", footer, after)), file.media_type)


def manifest() -> bytes:
    """Return the web app manifest; its addresses are relative, so it works below any path."""
    icons = [
        {
            "src": address(f"icons/{name}"),
            "sizes": f"{side}x{side}",
            "type": "image/png",
            "purpose": "maskable" if maskable else "any",
        }
        for name, side, maskable in ICONS
    ]
    data = {
        "name": "Number Duels",
        "short_name": "Duels",
        "description": "Number games for two, with a coach who says why.",
        "id": "./",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": GROUND,
        "icons": icons,
    }
    return json.dumps(data, indent=1).encode()


def script_hash(page: Page, root: str) -> str:
    """Return the source expression that lets a page's import map run, or "" if it has none."""
    if not modules(page.kind):
        return ""
    digest = hashlib.sha256(import_map(page.kind, root).encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _card(page: Page) -> str:
    return own if (own := f"cards/{page.game}.png") in all_files() else CARD


def find_file(address: str) -> tuple[File | None, bool]:
    """Return the file at an address below `static`, and whether the hash in the address is its own.

    An address with another hash comes from an older or a newer page, and gets the current file.
    """
    hashed = HASHED.fullmatch(address)
    file = all_files().get(hashed[1] + hashed[3] if hashed else address)
    return file, bool(file and hashed and hashed[2] == file.digest)


def address(name: str) -> str:
    """Return the address of a file below the root: `static/js/lib/api.0123456789ab.js`."""
    path = Path(name)
    return f"static/{path.with_suffix('')}.{all_files()[name].digest}{path.suffix}"


@cache
def all_files() -> dict[str, File]:
    """Return every file that pages can load, by name."""
    found = {f"{kind}.css": compress(_sheet(kind), "text/css") for kind in SHEETS}
    for path in sorted(STATIC.rglob("*")):
        name = path.relative_to(STATIC).as_posix()
        if path.is_file() and path.suffix not in {".css", ".html"}:
            media_type = TYPES.get(path.suffix) or mimetypes.guess_type(name)[0]
            found[name] = compress(path.read_bytes(), media_type or "application/octet-stream")
    for game_id, kind in all_games().items():
        try:
            card = kind.card()
        except GameFileError as error:
            logs.error("a game's card cannot be read", error, game=game_id)
            continue
        if card:
            found[f"cards/{game_id}.png"] = compress(card, "image/png")
    return found


def _sheet(kind: str) -> bytes:
    parts = [_css(name) for name in (*FOR_ALL_PAGES, *SHEETS[kind])]
    return "\n".join([*parts, "@media print {", _css("paper"), "}\n"]).encode()


def _css(name: str) -> str:
    return (STATIC / "css" / f"{name}.css").read_text(encoding="utf-8")


def modules(kind: str, *, later: bool = False) -> list[str]:
    """Return the modules that a kind of page imports, its own first.

    With `later` they include those that it imports only when they are needed.
    """
    first = f"js/{kind}-page.js"
    return [*_reached(first, later=later)] if first in all_files() else []


def first_view(kind: str) -> str:
    """Return the module that a kind of page runs before it is painted, or "" if it has none."""
    name = f"js/{kind}-first-view.js"
    return name if name in all_files() else ""


def imported(name: str, path: str) -> str:
    """Return the name of the module that a module imports by a relative path."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def import_map(kind: str, root: str) -> str:
    """Return the import map of a page: its modules name each other without a hash."""
    names = _reached(f"js/{kind}-page.js", later=True)
    imports = {f"{root}static/{name}": f"{root}{address(name)}" for name in sorted(names)}
    return json.dumps({"imports": imports}, separators=(",", ":"))


def _reached(first: str, *, later: bool) -> Iterator[str]:
    seen, waiting = {first}, [first]
    while waiting:
        name = waiting.pop(0)
        yield name
        source = all_files()[name].content.decode()
        found = IMPORTED.findall(source) + (IMPORTED_LATER.findall(source) if later else [])
        new = [module for module in (imported(name, path) for path in found) if module not in seen]
        seen.update(new)
        waiting += dict.fromkeys(new)
