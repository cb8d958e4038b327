"""How tests start the program, and find the processes that it has started."""

import sys
from pathlib import Path

DUELS = [sys.executable, "-m", "duels"]


def children(pid: int) -> list[int]:
    """The processes that this one started; none if it is gone."""
    try:
        return [
            int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        ]
    except OSError:
        return []


def workers(pid: int) -> list[int]:
    """Those of them that work, and not Python's own, which watches what they share."""
    return [child for child in children(pid) if "spawn_main" in _command(child)]


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""
