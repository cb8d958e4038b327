"""The seconds for an answer: counted down while somebody types, and over when they are over."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil
from time import monotonic


class TimeUp(Exception):
    """Nobody answered within the seconds allowed."""


@contextmanager
def countdown(seconds: float | None, tick: Callable[[int], None]) -> Iterator[None]:
    """Call `tick` with each whole second that is left; raise TimeUp in the middle of a read."""
    if seconds is None or not hasattr(signal, "setitimer"):
        yield
        return
    seconds = max(seconds, 0.001)
    end = monotonic() + seconds

    def ring(*_: object) -> None:
        if (left := round(end - monotonic())) > 0:
            tick(left)
        else:
            raise TimeUp

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds - (ceil(seconds) - 1), 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
