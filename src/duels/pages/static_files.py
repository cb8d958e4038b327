"""The files that pages load, each at an address that contains a hash of its content.

All are read and compressed once, so a process always serves files that belong together. Browsers
may cache such an address for ever: a page seen before loads only what has changed.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from duels.core.errors import GameFileError
from duels.games import all_games
from duels.service import logs

STATIC = Path(__file__).parent / "static"
FOR_ALL_PAGES = ("look", "layout", "controls", "site")
SHEETS = {
    "lobby": ("board", "preview", "lobby"),
    "match": ("board", "table", "match", "review"),
    "analysis": ("board", "lobby", "table", "review", "study"),
    "learn": ("board", "preview", "lobby", "table", "review", "study", "practice"),
    "play": ("board", "preview", "lobby"),
    "puzzle": ("board", "table", "practice"),
    "me": ("lobby", "review", "practice"),
    "class": ("board", "preview", "lobby", "table", "class", "wall"),
    "print": ("sheets",),
    "late": ("sheets",),
    "missing": (),
}
"""The style sheets of each kind of page, which are sent as one file: `lobby.css`."""
TYPES = {".js": "text/javascript", ".svg": "image/svg+xml"}
HASHED = re.compile(r"(.+)\.([0-9a-f]{12})(\.\w+)")
IMPORTED = re.compile(r'\bfrom "\./([\w-]+\.js)"')
IMPORTED_LATER = re.compile(r'\bimport\("\./([\w-]+\.js)"\)')


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


def find_file(address: str) -> tuple[File | None, bool]:
    """Return the file at an address below `static`, and whether the hash in the address is its own.

    An address with another hash comes from an older or a newer page, and gets the current file.
    """
    hashed = HASHED.fullmatch(address)
    file = all_files().get(hashed[1] + hashed[3] if hashed else address)
    return file, bool(file and hashed and hashed[2] == file.digest)


def address(name: str) -> str:
    """Return the address of a file below the root: `static/js/api.0123456789ab.js`."""
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
        new = [name for name in (f"js/{module}" for module in found) if name not in seen]
        seen.update(new)
        waiting += dict.fromkeys(new)
