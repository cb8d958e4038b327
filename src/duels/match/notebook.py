"""Notebooks: small JSON files that remember things about the person at this terminal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from duels.core.errors import RecordError
from duels.core.files import (
    private_folder,
    read_small,
    remove_stale_drafts,
    replace_file,
    version_fault,
)
from duels.match.saved_games import state_folder

VERSION = 1
LARGEST = 2**20
"""The largest notebook that is read, in bytes."""


class Notebook:
    """A file in the state folder with one JSON object: entries by name."""

    def __init__(self, subject: str, folder: Path | None = None) -> None:
        self.path = (folder or state_folder()) / f"{subject}.json"

    def read(self) -> dict[str, Any]:
        """Return the entries: none if the file is missing or damaged.

        RecordError if another version of the program wrote it: then it must not be overwritten.
        """
        try:
            data = json.loads(read_small(self.path, LARGEST).decode())
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(data, dict) or type(data.get("version")) is not int:
            return {}
        if fault := version_fault(data, VERSION):
            raise RecordError(f"{self.path} cannot be read: {fault}.")
        return {name: entry for name, entry in data.items() if name != "version"}

    def note(self, **entries: Any) -> None:
        """Save these entries beside the others; OSError if that fails."""
        private_folder(self.path.parent)
        remove_stale_drafts(self.path.parent)
        content = {"version": VERSION, **self.read(), **entries}
        replace_file(self.path, json.dumps(content, indent=1) + "\n", private=True)
