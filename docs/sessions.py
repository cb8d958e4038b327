"""The real program on a pseudo-terminal, and the sessions with it that pages show.

A page shows what was typed in a comment above the block; the first line is the command:

    <!-- typed: 8 | 6 7 | Enter -->
    ```text
    $ duels play number-line-duel --seed 3
"""

from __future__ import annotations

import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pexpect

SESSION = re.compile(r"(<!-- typed: (.*?) -->\n```text\n\$ duels (.*?)\n)(.*?)(?=```)", re.DOTALL)
PROMPT = r"\n[^\n]*[:?)] $"
CODES = re.compile(r"\x1b\[[\d;?]*[a-zA-Z]")
UNWANTED = ("NO_COLOR", "COLUMNS", "LINES")


def play(
    command: Sequence[str], typed: Sequence[str], state: str, *, colour: bool = False
) -> Iterator[str]:
    """What is said before each typed line, and at the end; it begins with the line's echo."""
    kept = {name: value for name, value in os.environ.items() if name not in UNWANTED}
    look = {"TERM": "xterm-256color"} if colour else {"TERM": "dumb", "NO_COLOR": "1"}
    child = pexpect.spawn(
        sys.executable,
        ["-m", "duels", *command],
        env=kept | look | {"XDG_STATE_HOME": state},
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
    """The page, its sessions played again one after the other in one state folder."""
    with tempfile.TemporaryDirectory() as state:

        def again(shown: re.Match[str]) -> str:
            head, typed, command, _ = shown.groups()
            lines = ["" if line == "Enter" else line for line in typed.split(" | ") if line]
            said = "".join(play(shlex.split(command), lines, state))
            plain = CODES.sub("", said).replace("\r", "")
            return head + "\n".join(line.rstrip() for line in plain.rstrip().split("\n")) + "\n"

        return SESSION.sub(again, page)


def pages_with_sessions(docs: Path) -> list[Path]:
    """Those that `scripts/docs` plays again."""
    return [page for page in sorted(docs.rglob("*.md")) if "<!-- typed:" in page.read_text("utf-8")]
