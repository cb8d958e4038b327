"""How much memory is free, so that work that needs more is refused before it starts."""

from __future__ import annotations

from pathlib import Path

from duels.core.errors import DuelsError

MEMINFO = Path("/proc/meminfo")
CGROUP = Path("/sys/fs/cgroup")
"""The limits of a container, which may have less memory than the machine."""


def free_memory() -> int | None:
    """Return how many bytes a program can still get, or None if the system does not say."""
    found = [limit for limit in (_free_on_machine(), _free_in_container()) if limit is not None]
    return min(found, default=None)


def require_memory(needed: int, what: str) -> None:
    """Raise DuelsError if fewer bytes than this are known to be free."""
    free = free_memory()
    if free is not None and free < needed:
        has = f"needs {needed / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free."
        raise DuelsError(f"{what} {has}")


def _free_on_machine() -> int | None:
    try:
        for line in MEMINFO.read_text("ascii").splitlines():
            name, _, value = line.partition(":")
            if name == "MemAvailable":
                return int(value.split()[0]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return None


def _free_in_container() -> int | None:
    try:
        limit, used = (
            int((CGROUP / name).read_text("ascii")) for name in ("memory.max", "memory.current")
        )
        return limit - used
    except (OSError, ValueError):  # not a container, or one without a limit ("max")
        return None
