"""The files that earlier versions have written, and what they must say."""

from __future__ import annotations

import json
from pathlib import Path

OLD = Path(__file__).parent / "old"
PINNED = {
    folder.name: json.loads((folder / "pinned.json").read_text(encoding="utf-8"))
    for folder in sorted(OLD.iterdir())
}
"""The facts, by version."""
BETTER = ("rating", "low", "high")
"""What is worked out from the lines in a better way than it was."""


def includes(new, old):
    """Whether all that was there is there; more may have come."""
    if isinstance(old, dict):
        return all(
            name in new and (name in BETTER or includes(new[name], value))
            for name, value in old.items()
        )
    if isinstance(old, list):
        return len(new) == len(old) and all(map(includes, new, old))
    return new == old
