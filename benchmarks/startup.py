"""From process start to exit, in multiples of `python -c pass`; and to the app's first screen."""

from __future__ import annotations

import os
import subprocess
import sys
import termios
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from aims import judge

ROUNDS = 25
DUELS = str(Path(sys.executable).parent / "duels")
PASS = "python -c pass"
TEXTUAL = "python -c 'import textual.app'"
LEGAL = "duels legal number-duel 28 --json"
COMMANDS = {
    PASS: [sys.executable, "-c", "pass"],
    "python -c 'import click'": [sys.executable, "-c", "import click"],
    TEXTUAL: [sys.executable, "-c", "import textual.app"],
    LEGAL: [DUELS, "legal", "number-duel", "28", "--json"],
    "duels --help": [DUELS, "--help"],
    "duels play number-duel": [DUELS, "play", "number-duel"],
}
APP = "duels, until its first screen"
LAST_WORDS = b"light/dark"
"""The end of the home screen."""
SIZE = (24, 80)
AIMS = {LEGAL: (PASS, 4.0), APP: (TEXTUAL, 1.7)}
"""In multiples of what. The app needs Textual; 1.7 is 3.5 times the menu that it replaced."""


def main() -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program has its bytecode
    times: dict[str, list[float]] = {name: [] for name in (*COMMANDS, APP)}
    for _ in range(ROUNDS):  # in turns, so that a busy moment of the machine hits all alike
        for name, command in COMMANDS.items():
            start = perf_counter()
            subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True)
            times[name].append(perf_counter() - start)
        times[APP].append(first_screen())
    typical = {name: median(seconds) for name, seconds in times.items()}
    print(f"Start-up, median of {ROUNDS}")
    for name, seconds in typical.items():
        ratio = seconds / typical[PASS]
        print(f"  {name:36} {seconds * 1000:6.1f} ms   {ratio:4.1f} x{_aim(name, typical)}")


def _aim(name: str, typical: dict[str, float]) -> str:
    if name not in AIMS:
        return ""
    base, at_most = AIMS[name]
    ratio = typical[name] / typical[base]
    than = "" if base == PASS else f"{ratio:.1f} x {base}, "
    return f"   {than}{judge(ratio, at_most=at_most)}"


def first_screen() -> float:
    """Return the seconds until a newcomer sees the home screen, in a terminal of its own."""
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, SIZE)
    with TemporaryDirectory() as home:
        folders = {"HOME": home, "XDG_DATA_HOME": home, "XDG_CONFIG_HOME": home}
        env = {**os.environ, **folders, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}
        start = perf_counter()
        app = subprocess.Popen([DUELS], stdin=theirs, stdout=theirs, stderr=theirs, env=env)
        os.close(theirs)
        written = b""
        while LAST_WORDS not in written:
            written += os.read(ours, 1 << 16)  # OSError if the program ends before that
        seconds = perf_counter() - start
        app.kill()
        app.wait()
        os.close(ours)
    return seconds


if __name__ == "__main__":
    main()
