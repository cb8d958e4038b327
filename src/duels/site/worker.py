"""The modules of the worker. No import map reaches them: each names the others by their hashes."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from duels.pages.files import IMPORTED, all_files

FIRST = "worker.js"
PARTS = "python-parts.js"
"""Where Python lies, for `python.js`; it is written here."""


def worker_modules(parts: dict[str, Any]) -> tuple[str, dict[str, bytes]]:
    """The address of the worker, and all of its modules by theirs."""
    written = f"export const parts = {json.dumps(parts, indent=2, sort_keys=True)};\n"
    done: dict[str, str] = {}
    modules: dict[str, bytes] = {}

    def address(name: str) -> str:
        """Of a module, whose own imports have theirs already."""
        if name not in done:
            source = written if name == PARTS else all_files()[f"js/{name}"].content.decode()
            source = IMPORTED.sub(lambda one: f'from "./{address(one[1])}"', source)
            digest = hashlib.sha256(source.encode()).hexdigest()[:12]
            done[name] = name.replace(".js", f".{digest}.js")
            modules[f"static/js/{done[name]}"] = source.encode()
        return done[name]

    return f"static/js/{address(FIRST)}", modules
