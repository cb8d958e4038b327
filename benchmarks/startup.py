"""From process start to exit, in multiples of `python -c pass`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

ROUNDS = 25
DUELS = str(Path(sys.executable).parent / "duels")
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "python -c 'import click'": [sys.executable, "-c", "import click"],
    "duels legal number-duel 28 --json": [DUELS, "legal", "number-duel", "28", "--json"],
    "duels --help": [DUELS, "--help"],
    "duels play number-duel": [DUELS, "play", "number-duel"],
}


def main() -> None:
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(ROUNDS):  # in turns, so that a busy moment of the machine hits all alike
        for name, command in COMMANDS.items():
            start = perf_counter()
            subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True)
            times[name].append(perf_counter() - start)
    base = median(times["python -c pass"])
    print(f"Start-up, median of {ROUNDS}")
    for name, seconds in times.items():
        print(f"  {name:36} {median(seconds) * 1000:6.1f} ms   {median(seconds) / base:4.1f} x")


if __name__ == "__main__":
    main()
