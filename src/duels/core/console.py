"""The console: what to type to run this program again, colour, and progress on standard error."""

from __future__ import annotations

import os
import sys
from threading import Event, Thread
from time import monotonic
from typing import Self

COMMAND = "DUELS_COMMAND"
"""The environment variable with the name of the script that started this program."""
FIRST = 1.0
"""Seconds before progress is shown; shorter work shows none."""
BETWEEN = 0.2
"""Seconds between two updates of the progress line."""


def shell_command(*words: str) -> str:
    """Return the shell command that runs this program again with these arguments."""
    import shlex

    return shlex.join([*program(), *words])


def program() -> tuple[str, ...]:
    """Return the words that started this program: `duels`, `scripts/play`, `python -m duels`."""
    if script := os.environ.get(COMMAND):
        return (script,)
    started = sys.argv[0] if sys.argv else ""
    folder, name = os.path.split(started)
    if name == "__main__.py" and os.path.basename(folder) == "duels":
        return (_as_typed(sys.orig_argv[0]), "-m", "duels")
    return (_as_typed(started),) if os.path.splitext(name)[0] == "duels" else ("duels",)


def _as_typed(path: str) -> str:
    """Return a program's bare name if it is in a folder of PATH, so that a shell finds it."""
    folder, name = os.path.split(path)
    is_found = not folder or folder in os.environ.get("PATH", "").split(os.pathsep)
    return (name.removesuffix(".exe") if is_found else path) or "duels"


def use_colour(when: str) -> None:
    """Set colour for this process and those it starts: auto, always or never."""
    for name, value in (("FORCE_COLOR", "always"), ("NO_COLOR", "never")):
        if when == value:
            os.environ[name] = "1"
        elif when != "auto":
            os.environ.pop(name, None)


def wants_colour(*, is_terminal: bool) -> bool:
    """Say whether to write colours, by NO_COLOR, FORCE_COLOR and the kind of terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return is_terminal and os.environ.get("TERM", "dumb") != "dumb"


class Progress:
    """A line on standard error, on a terminal only, for work that takes longer than a second.

    It says what is going on and for how long, and is removed at the end. The work may report its
    progress through `share` or `how_far`.
    """

    def __init__(self, words: str) -> None:
        self.words = words
        self.how_far = ""
        self._began = monotonic()
        self._over = Event()
        self._shower = Thread(target=self._show, daemon=True) if on_terminal() else None

    def share(self, share: float) -> None:
        """Report the share of the work that is done."""
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
    """Say whether standard error is a terminal, where a line can be replaced."""
    return sys.stderr is not None and sys.stderr.isatty()


def show_line(text: str) -> None:
    """Replace the progress line."""
    from shutil import get_terminal_size  # imported late, because `legal` does not need it

    text = f"{text} (Ctrl-C stops)"[: max(get_terminal_size().columns - 1, 1)]
    print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)


def clear_line() -> None:
    """Remove the progress line."""
    print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def spoken(seconds: float) -> str:
    """Return a duration as rounded text: 45 s, 3 min, 1.5 h."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"
