"""What makes the site one to install: its manifest, and the service worker that keeps it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from string import Template

ICONS = (("icon-192.png", 192, False), ("icon-512.png", 512, False), ("icon-whole.png", 512, True))
"""Name, side, and whether a system may cut its own shape out of it."""
GROUND = "#fcfbf8"
"""The ground of the pages by day."""
NOT_KEPT = ("static/cards/", "static/card.")
"""Only others look at the pictures of links."""


def manifest() -> bytes:
    """Every address in it is relative to itself, so that it works below any path."""
    icons = [
        {
            "src": name,
            "sizes": f"{side}x{side}",
            "type": "image/png",
            "purpose": "maskable" if maskable else "any",
        }
        for name, side, maskable in ICONS
    ]
    told = {
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
    return json.dumps(told, indent=1).encode()


def service_worker(files: Mapping[str, bytes], worker: str, policy: str) -> bytes:
    """It names every file and what is in it: any change makes it another one."""
    digests = {
        path.removesuffix("index.html"): hashlib.sha256(content).hexdigest()
        for path, content in sorted(files.items())
        if not path.startswith(NOT_KEPT)
    }
    source = Path(__file__).with_name("sw.js").read_text(encoding="utf-8")
    written = json.dumps(digests, indent=0)
    return Template(source).substitute(files=written, worker=worker, policy=policy).encode()
