"""What makes the static site installable: its manifest, and the service worker that caches it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from string import Template

ICONS = (("icon-192.png", 192, False), ("icon-512.png", 512, False), ("icon-whole.png", 512, True))
"""Name, side, and whether the system may cut its own shape out of it."""
GROUND = "#fcfbf8"
"""The background colour of the pages in the light scheme."""
NOT_CACHED = ("static/cards/", "static/card.")
"""Link previews: only other sites load them."""


def manifest() -> bytes:
    """Return the web app manifest; its addresses are relative, so it works below any path."""
    icons = [
        {
            "src": name,
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


def service_worker(files: Mapping[str, bytes], worker: str, policy: str) -> bytes:
    """Return the service worker; it contains the hash of every file, so any change renews it."""
    digests = {
        path.removesuffix("index.html"): hashlib.sha256(content).hexdigest()
        for path, content in sorted(files.items())
        if not path.startswith(NOT_CACHED)
    }
    source = Path(__file__).with_name("sw.js").read_text(encoding="utf-8")
    files_json = json.dumps(digests, indent=0)
    filled = Template(source).substitute(files=files_json, worker=worker, policy=policy)
    return filled.encode()
