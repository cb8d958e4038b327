"""Stopping a server process: soon at the first signal, at once at the second, always in time.

From the first signal the process has `stop_seconds`: requests get half of them to finish, waiting
writes get some more, and then the process ends whatever still hangs in it. Nothing acknowledged
is lost by that, because it is already on disk.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable
from multiprocessing import parent_process
from multiprocessing.connection import wait
from threading import Thread, current_thread, main_thread
from types import FrameType
from typing import NoReturn

from duels.service import logs

SIGNALS = (signal.SIGTERM, signal.SIGINT)
REQUESTS_SHARE = 0.5
"""The share of the time after which unfinished requests are cancelled."""
WRITES_SHARE = 0.8
"""The share of the time after which no write is waited for."""
LOG_SECONDS = 0.5
"""How long a last log line may take: if no process reads the log, it would block forever."""
SAME_SIGNAL = 0.1
"""Seconds in which a second signal is the first, sent to the process and to its group."""


def exit_now(code: int, *warnings: str) -> NoReturn:
    """End the process now, whatever its threads are doing."""
    logging = Thread(target=_log, args=warnings, daemon=True)
    logging.start()
    logging.join(LOG_SECONDS)
    os._exit(code)


def _log(*warnings: str) -> None:
    for warning in warnings:
        logs.warning(warning)
    sys.stdout.flush()
    sys.stderr.flush()


class Deadline:
    """Ends the process so many seconds after the first signal, or at the second."""

    def __init__(self, seconds: float, end: Callable[..., None] = exit_now) -> None:
        self.seconds = seconds
        self._end = end
        self._began: float | None = None

    def is_first(self, number: int) -> bool:
        """Note a signal and return whether it is the first; in a worker, later ones are ignored."""
        now = time.monotonic()
        if self._began is None:
            self._began = now
            Thread(target=self._wait, name="deadline", daemon=True).start()
            return True
        if now - self._began > SAME_SIGNAL and not parent_process():
            self._end(128 + number)
        return False

    def left(self, share: float) -> float:
        """Return the seconds until this share of the time is over; all if there was no signal."""
        elapsed = 0.0 if self._began is None else time.monotonic() - self._began
        return max(0.0, share * self.seconds - elapsed)

    def _wait(self) -> None:
        time.sleep(self.seconds)
        self._end(1, f"stopped after {self.seconds:g} seconds, before everything had ended")


def on_stop_signal(act: Callable[[], None], deadline: Deadline) -> Callable[[], None]:
    """Call `act` on the event loop at the first stop signal, then the handler that was there.

    Returns a function that restores the handlers.
    """
    if current_thread() is not main_thread():
        return lambda: None
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in SIGNALS}

    def handle(number: int, frame: FrameType | None) -> None:
        if not deadline.is_first(number):
            return
        loop.call_soon_threadsafe(act)
        earlier = before[signal.Signals(number)]
        if callable(earlier):
            earlier(number, frame)

    for number in SIGNALS:
        signal.signal(number, handle)
    if parent := parent_process():
        Thread(target=_follow, args=(parent.sentinel,), name="parent", daemon=True).start()

    def restore() -> None:
        for number, earlier in before.items():
            signal.signal(number, earlier)

    return restore


def _follow(parent: int) -> None:
    """Stop a worker whose parent has died: it would keep the port and have no supervisor."""
    wait([parent])
    os.kill(os.getpid(), signal.SIGTERM)
