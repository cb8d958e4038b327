"""Plays a few moves in the real program on a pseudo-terminal and draws the screen as SVG."""

from __future__ import annotations

import os
import re
import sys
import tempfile

import pexpect
from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

COMMAND = ["play", "number-duel", "--seed", "4", "--players", "Ann", "casual"]
COMMAND += ["--vs", "casual", "--first", "casual"]
TYPED = ["53", "36", "hint", "hint"]
ROWS = 25


def terminal_svg() -> str:
    """The last rows of the screen after the typed lines."""
    lines = _screen().replace("\r\n", "\n").rstrip("\n").split("\n")
    console = Console(record=True, width=82, file=open(os.devnull, "w"), color_system="256")  # noqa: SIM115
    for line in lines[-ROWS:]:
        console.print(Text.from_ansi(line.split("\r")[-1]))
    svg = console.export_svg(title="duels play number-duel", theme=MONOKAI, unique_id="duels")
    # The exporter links a font on the web; a system font does as well, and asks nobody.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return svg.replace("Fira Code", "ui-monospace")


def _screen() -> str:
    with tempfile.TemporaryDirectory() as folder:
        settings = {"TERM": "xterm-256color", "XDG_STATE_HOME": folder, "NO_COLOR": ""}
        child = pexpect.spawn(
            sys.executable,
            ["-m", "duels", *COMMAND],
            env=os.environ | settings,
            dimensions=(40, 80),
            encoding="utf-8",
        )
        said = ""
        for line in TYPED:
            child.expect(r"Enter your number[^:]*: $")
            said += child.before + child.after + line + "\n"
            child.sendline(line)
            child.expect("\r\n")
        child.expect(r"Enter your number: $")
        said += child.before + child.after
        child.close(force=True)
    return said


if __name__ == "__main__":
    sys.stdout.write(terminal_svg())
