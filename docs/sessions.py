"""What pages show of the real program, played and run again.

A comment above a block says what is done: lines typed at a terminal, commands run in a shell, or a
file of the reader's. All blocks of a page share one folder, which is also their state folder.

    <!-- typed: 8 | 6 7 | Enter -->        <!-- run -->               <!-- file: careful.py -->
    ```text                                ```text                    ```python
    $ duels play line --seed 3             $ duels legal line         def choose(position):
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from pathlib import Path

import pexpect

BLOCK = re.compile(
    r"(<!-- (typed|run|file):? ?(.*?) ?-->\n```[a-z]+\n)(.*?)(?=^```)", re.DOTALL | re.MULTILINE
)
CHANCE = re.compile(r"\b(replay|resume) [0-9a-f]{6}\b")
"""The id of a match, which no seed decides; pages have ID there."""
PROMPT = r"\n[^\n]*[:?)] $"
PROGRESS = re.compile(r"\r[^\r\n\x1b]*\x1b\[K")
"""A progress line, which only a slow or busy machine shows."""
CODES = re.compile(r"\x1b\[[\d;?]*[a-zA-Z]")
UNWANTED = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES")


def play(
    command: Sequence[str], typed: Sequence[str], state: str, *, colour: bool = False
) -> Iterator[str]:
    """What is said before each typed line, and at the end; it begins with the line's echo."""
    kept = {name: value for name, value in os.environ.items() if name not in UNWANTED}
    look = {"TERM": "xterm-256color"} if colour else {"TERM": "dumb", "NO_COLOR": "1"}
    child = pexpect.spawn(
        sys.executable,
        ["-m", "duels", *command],
        env=kept | look | {"XDG_STATE_HOME": state, "DUELS_COMMAND": "duels"},
        dimensions=(40, 80),
        encoding="utf-8",
        timeout=60,
    )
    try:
        for line in typed:
            child.expect(PROMPT)
            yield child.before + child.after
            child.sendline(line)
        child.expect(pexpect.EOF)
        yield child.before
    finally:
        child.close(force=True)


def replayed(page: str) -> str:
    """The page, with what happens when all its blocks are done once more, from the first on."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def again(block: re.Match[str]) -> str:
            head, kind, argument, body = block.groups()
            if kind == "file":
                (folder / argument).write_text(body, encoding="utf-8")
                return block[0]
            commands = [line for line in body.splitlines() if line.startswith("$ ")]
            if kind == "typed":
                return head + _typed(commands[0], argument, folder)
            return head + _run(commands, folder)

        return BLOCK.sub(again, page)


def _typed(command: str, lines: str, folder: Path) -> str:
    words = ["" if line == "Enter" else line for line in lines.split(" | ")]
    said = "".join(play(shlex.split(command)[2:], words, str(folder)))
    plain = CHANCE.sub(r"\1 ID", CODES.sub("", PROGRESS.sub("", said)).replace("\r", ""))
    return "\n".join([command, *(line.rstrip() for line in plain.rstrip().split("\n")), ""])


def _run(commands: list[str], folder: Path) -> str:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    settings = os.environ | {"PATH": path, "XDG_STATE_HOME": str(folder)}
    shown = ""
    for command in commands:
        words = ["bash", "-c", f"set -o pipefail; {command[2:]}"]
        done = subprocess.run(words, cwd=folder, env=settings, stdout=subprocess.PIPE, check=True)
        shown += f"{command}\n{done.stdout.decode()}"
    return shown


def pages_with_blocks(docs: Path) -> list[Path]:
    """Those that `scripts/docs` writes anew."""
    pages = sorted(docs.rglob("*.md"))
    return [page for page in pages if BLOCK.search(page.read_text("utf-8"))]


if __name__ == "__main__":  # which of these pages show something else than what happens
    for page in map(Path, sys.argv[1:]):
        shown = page.read_text("utf-8")
        lines = unified_diff(shown.splitlines(), replayed(shown).splitlines(), str(page), "now")
        if difference := "\n".join(lines):
            sys.exit(f"{difference}\nRun scripts/docs.")
