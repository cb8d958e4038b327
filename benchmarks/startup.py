"""From process start to exit, in multiples of `python -c pass`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

from aims import judge

ROUNDS = 25
DUELS = str(Path(sys.executable).parent / "duels")
LEGAL = "duels legal number-duel 28 --json"
AT_MOST = {LEGAL: 4.0}
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "python -c 'import click'": [sys.executable, "-c", "import click"],
    LEGAL: [DUELS, "legal", "number-duel", "28", "--json"],
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
        ratio = median(seconds) / base
        aim = f"   {judge(ratio, at_most=AT_MOST[name])}" if name in AT_MOST else ""
        print(f"  {name:36} {median(seconds) * 1000:6.1f} ms   {ratio:4.1f} x{aim}")


if __name__ == "__main__":
    main()
