"""What the program remembers about the person here: one small JSON object a subject."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from duels.core.files import private_folder, read_small, remove_stale_drafts, replace_file
from duels.match.records.store import state_folder

LARGEST = 2**20
"""Bytes of a notebook."""


class Notebook:
    """A file in the state folder that holds one object. What is damaged in it begins anew."""

    def __init__(self, subject: str, folder: Path | None = None) -> None:
        self.path = (folder or state_folder()) / f"{subject}.json"

    def read(self) -> dict[str, Any]:
        """What is kept; nothing if there is no such file, or no sense in it."""
        try:
            data = json.loads(read_small(self.path, LARGEST).decode())
        except (OSError, ValueError, RecursionError):
            return {}
        return data if isinstance(data, dict) else {}

    def note(self, **entries: Any) -> None:
        """Keep these entries beside the others; OSError if that cannot be written."""
        private_folder(self.path.parent)
        remove_stale_drafts(self.path.parent)
        content = json.dumps(self.read() | entries, indent=1) + "\n"
        replace_file(self.path, content, private=True)
