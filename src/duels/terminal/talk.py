"""Saying lines and asking for lines, on a terminal or through pipes."""

from __future__ import annotations

import codecs
import os
import re
import shutil
import signal
import sys
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from threading import Timer
from time import monotonic
from typing import Any

from duels.core.words import printable
from duels.look import IN_ASCII, TERMINAL_COLOURS

LONGEST_ECHO = 200
BOOK_COLUMNS = 80
ITEM = re.compile(r" +(\S+ )?\S+ {2,}")
"""The beginning of a line of a list, below whose text the rest of it goes."""


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    """What is printed where the terminal knows no better."""
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    return "".join(IN_ASCII.get(char, "?") for char in lacking), error.end


codecs.register_error("ascii-marks", _in_ascii)


class TimeUp(Exception):
    """Nobody answered within the seconds allowed."""


class Style:
    """Emphasis on a colour terminal, and nothing at all elsewhere."""

    def __init__(self, colour: bool) -> None:
        self.colour = colour

    def bold(self, text: str) -> str:
        return self._paint(text, "1")

    def faint(self, text: str) -> str:
        return self._paint(text, "2")

    def player(self, text: str, player: int) -> str:
        """In the colour of player 1 or 2."""
        return self._paint(text, f"38;5;{TERMINAL_COLOURS[player]}")

    def gone(self, text: str, player: int) -> str:
        """Struck through, in the colour of who took it."""
        return self._paint(text, f"2;9;38;5;{TERMINAL_COLOURS[player]}")

    def last(self, text: str, player: int) -> str:
        """The last move: underlined."""
        return self._paint(text, f"1;4;38;5;{TERMINAL_COLOURS[player]}")

    def _paint(self, text: str, codes: str) -> str:
        return f"\x1b[{codes}m{text}\x1b[0m" if self.colour and text else text


class Talk:
    """A conversation on standard input and output; housekeeping goes to standard error."""

    def __init__(self) -> None:
        for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
            if getattr(sys, name) is None:  # closed by whoever started us
                setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
        self.interactive = sys.stdin.isatty() and sys.stdout.isatty()
        self.style = Style(sys.stdout.isatty() and wants_colour())
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            reconfigure: Any = getattr(stream, "reconfigure", None)
            if reconfigure:  # bytes that are no text, or marks that the terminal lacks
                reconfigure(errors="replace" if stream is sys.stdin else "ascii-marks")
        if self.interactive:
            with suppress(ImportError):
                import readline  # noqa: F401  (arrow keys and history at the prompt)

    @property
    def size(self) -> os.terminal_size:
        """Columns and rows, 80 x 24 where there is no terminal."""
        return shutil.get_terminal_size()

    def say(self, *lines: str) -> None:
        """Say lines to the players."""
        for line in lines:
            print(line)
        sys.stdout.flush()

    def recite(self, *lines: str) -> None:
        """Say lines of the rule book as they are; in a narrower window, wrapped."""
        self.say(*(self._wrapped(lines) if self.size.columns < BOOK_COLUMNS else lines))

    def tell(self, *lines: str) -> None:
        """Say sentences that are not the rule book's, wrapped to the window."""
        self.say(*self._wrapped(lines))

    def _wrapped(self, lines: Iterable[str]) -> Iterator[str]:
        for line in lines:
            if not self.interactive or len(line) < self.size.columns:
                yield line
                continue
            room = max(self.size.columns - 1, 10)
            hang = ITEM.match(line)
            deep = len(hang[0]) if hang and len(hang[0]) < room // 2 else 0
            indent = " " * (deep or len(line) - len(line.lstrip()))
            yield from textwrap.wrap(line, room, subsequent_indent=indent, break_on_hyphens=False)

    def say_part(self, text: str) -> None:
        """Begin a line that the next `say` ends."""
        print(text, end="", flush=True)

    def note(self, *lines: str) -> None:
        """Say something about the program, and not the game.

        There may be words of a file in it, or a file's name: nothing of that moves the cursor.
        """
        sys.stdout.flush()
        for line in self._wrapped(map(printable, lines)):
            print(line, file=sys.stderr, flush=True)

    @contextmanager
    def waiting(self, words: str) -> Iterator[None]:
        """Say what we are waiting for, if it takes more than a second."""
        timer = Timer(1, self.note, [words])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def ask(self, prompt: str, seconds: float | None = None) -> str:
        """The next line; EOFError at the end of input, TimeUp when the seconds are over."""
        *before, last = [*self._wrapped([prompt])] or [prompt]
        self.say(*before)
        prompt = last + " " * (prompt.endswith(" ") and not last.endswith(" "))
        with _alarm(seconds):
            if self.interactive:
                try:
                    return input(prompt)
                except (EOFError, KeyboardInterrupt):
                    print()  # what follows begins a line of its own
                    raise
            self.say_part(prompt)
            line = sys.stdin.readline()
            if not line:
                raise EOFError
            # A pipe does not echo: say the answer, so that the talk reads as on a terminal.
            print(printable(line.rstrip("\r\n")[:LONGEST_ECHO], "�"), flush=True)
            return line

    def agree(self, question: str, seconds: float | None = None) -> bool:
        """Whether the answer to a question is yes; TimeUp when the seconds are over."""
        end = None if seconds is None else monotonic() + seconds
        while True:
            left = None if end is None else end - monotonic()
            answer = self.ask(f"{question} (y/n) ", left).strip().lower()
            if answer in {"y", "yes", "n", "no"}:
                return answer.startswith("y")
            self.tell("Please answer y or n.")


def columns() -> int:
    """The width of the window, 80 where there is none."""
    return shutil.get_terminal_size().columns


def wants_colour() -> bool:
    """What the environment says about colour (NO_COLOR, TERM=dumb)."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


@contextmanager
def _alarm(seconds: float | None) -> Iterator[None]:
    """Raise TimeUp in the middle of a read when the seconds are over."""
    if seconds is None or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_: object) -> None:
        raise TimeUp

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
