"""How far something is that takes longer than a second: a line on standard error."""

from __future__ import annotations

import sys
from shutil import get_terminal_size
from threading import Event, Thread
from time import monotonic
from typing import Self

FIRST = 1.0
"""Seconds before anything is shown: what is done by then needs no words."""
BETWEEN = 0.2


class Progress:
    """Says on a terminal what takes long and for how long; afterwards the line is empty again.

    The job may report how far it is, in `share` or `how_far`. Off a terminal nothing is shown.
    """

    def __init__(self, words: str) -> None:
        self.words = words
        self.how_far = ""
        self._began = monotonic()
        self._over = Event()
        self._shower = Thread(target=self._show, daemon=True) if on_terminal() else None

    def share(self, share: float) -> None:
        """The share of the work that is done."""
        self.how_far = f"{share:.0%}, "

    def __enter__(self) -> Self:
        if self._shower:
            self._shower.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        if self._shower:
            self._shower.join()

    def _show(self) -> None:
        if self._over.wait(FIRST):
            return
        while True:
            show_line(f"{self.words}: {self.how_far}{spoken(monotonic() - self._began)}")
            if self._over.wait(BETWEEN):
                clear_line()
                return


def on_terminal() -> bool:
    """Whether a line that is replaced can be seen: on a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


def show_line(text: str) -> None:
    """Show a line instead of the one before."""
    text = f"{text} (Ctrl-C stops)"[: max(get_terminal_size().columns - 1, 1)]
    print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)


def clear_line() -> None:
    """Leave the line empty for what follows."""
    print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def spoken(seconds: float) -> str:
    """About how long that is."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"
