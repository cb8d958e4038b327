"""Single keys of a terminal, by name, and a screen for whoever reads them."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from select import select

try:
    import termios
    import tty
except ImportError:  # not on every system
    HAS_KEYS = False
else:
    HAS_KEYS = True

KEYS = re.compile(r"\x1b\[[\d;]*[A-Za-z~]|\x1bO[A-Z]|.", re.DOTALL)
"""One key in what a terminal sends; who holds a key down sends many at once."""
NAMES = {
    "D": "left",
    "C": "right",
    "H": "home",
    "F": "end",
    "1~": "home",
    "4~": "end",
    "5~": "page up",
    "6~": "page down",
}
"""What follows the escape and a bracket, or an O."""
OPEN, CLOSE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
"""A screen of its own without a cursor, and back to the one that was there."""


@contextmanager
def screen() -> Iterator[None]:
    """Keys come one by one, and the whole window is free; afterwards everything is as before."""
    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    print(OPEN, end="", flush=True)
    try:
        yield
    finally:
        print(CLOSE, end="", flush=True)
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def read_keys(seconds: float) -> list[str]:
    """The keys that are pressed next, none if it takes longer; EOFError where there is no more."""
    if not select([sys.stdin], [], [], seconds)[0]:
        return []
    typed = os.read(sys.stdin.fileno(), 1000)
    if not typed:
        raise EOFError
    return [_name(key) for key in KEYS.findall(typed.decode(errors="replace"))]


def forget_typed() -> None:
    """What was sent and not read yet is gone: the rest of a paste."""
    if HAS_KEYS and sys.stdin.isatty():
        while select([sys.stdin], [], [], 0.05)[0]:
            termios.tcflush(sys.stdin, termios.TCIFLUSH)


def _name(key: str) -> str:
    return NAMES.get(key[2:], "") if key.startswith("\x1b") else key
