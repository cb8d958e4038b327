"""Ctrl-Z and `fg`: the terminal is as it was before, and what was asked stands there again."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def drawn_again_after_stop(draw: Callable[[], None]) -> Iterator[None]:
    """Whoever stops the program while it waits for keys finds, later, what `draw` draws."""
    if not hasattr(signal, "SIGTSTP"):
        yield
        return

    def stop(*_: object) -> None:
        clock = {signal.SIGALRM}  # it would write over the shell's lines
        signal.pthread_sigmask(signal.SIG_BLOCK, clock)
        stop_here()
        draw()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, clock)

    before = signal.signal(signal.SIGTSTP, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTSTP, before)


def stop_here() -> None:
    """Give the terminal back to the shell, and go on in the same mode: a shell does not keep it."""
    import termios

    mode = termios.tcgetattr(sys.stdin)
    os.kill(os.getpid(), signal.SIGSTOP)
    termios.tcsetattr(sys.stdin, termios.TCSADRAIN, mode)
