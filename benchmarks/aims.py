"""What a ratio should be, printed beside it; run as a program, what it was measured on."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import duels


def judge(
    measured: float, *, at_most: float | None = None, at_least: float | None = None, unit: str = ""
) -> str:
    """Return the aim of a ratio or a figure in words, and whether it is met."""
    if at_most is not None:
        return f"aim: at most {at_most:g}{unit}{_not_met(measured <= at_most)}"
    assert at_least is not None
    return f"aim: at least {at_least:g}{unit}{_not_met(measured >= at_least)}"


def _not_met(is_met: bool) -> str:
    return "" if is_met else "   NOT MET"


def machine() -> str:
    """Return the date, the version and the machine, in a line."""
    git = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty"]
    commit = subprocess.run(git, capture_output=True, text=True).stdout.strip() or "no commit"
    parts = [
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        f"duels {duels.__version__} ({commit})",
        f"Python {platform.python_version()}",
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        f"load {os.getloadavg()[0]:.1f}",
    ]
    return " · ".join(parts)


if __name__ == "__main__":
    print(machine(), flush=True)
