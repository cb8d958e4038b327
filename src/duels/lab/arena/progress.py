"""How far a long run is, on standard error, and what to type to go on with it."""

from __future__ import annotations

import shlex
import sys
from time import monotonic
from typing import Self

from duels.core.console import clear_line, on_terminal, show_line, spoken
from duels.core.errors import DuelsError

QUIET = 10.0
"""Seconds between two lines where standard error is not a terminal."""


class Stopped(DuelsError):
    """The run has stopped before its end; the results so far are kept."""


class Progress:
    """Counts what is done; a line that is replaced on a terminal, now and then a line elsewhere.

    It is shown by steps and not by a thread: what is counted is done by processes that are forked.
    """

    def __init__(self, what: str, total: int, done: int = 0) -> None:
        self.what = what
        self.total = total
        self.done = done
        self._before = done
        self._began = self._last_shown = monotonic()
        self._terminal = on_terminal()
        if self._terminal and done < total:
            self._show()

    def step(self, count: int = 1) -> None:
        self.done += count
        now = monotonic()
        if now - self._last_shown >= (0.2 if self._terminal else QUIET):
            self._last_shown = now
            self._show()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """Leave the line of a terminal empty; what stopped half-way says how to go on with it."""
        if self._terminal:
            clear_line()
        kept = f"{self.done:,} of {self.total:,} {self.what} are kept"
        go_on = f"{kept}. Go on with:\n{shlex.join(['duels', *sys.argv[1:]])}"
        if isinstance(error, KeyboardInterrupt):
            print(f"\nStopped. {go_on}", file=sys.stderr)
        elif isinstance(error, DuelsError):
            raise Stopped(f"{error}\n{go_on}" if self.done else str(error)) from None

    @property
    def text(self) -> str:
        share = self.done / self.total if self.total else 1.0
        rate = (self.done - self._before) / max(monotonic() - self._began, 1e-9)
        to_do = self.total - self.done
        left = f", {spoken(to_do / rate)} left" if rate and to_do else ""
        return f"{self.done:,} of {self.total:,} {self.what} ({share:.0%}){left}"

    def _show(self) -> None:
        if self._terminal:
            show_line(self.text)
        else:
            print(self.text, file=sys.stderr, flush=True)
