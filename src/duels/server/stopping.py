"""How a server process ends: asked once, soon; asked twice, at once; never later than it was told.

A process has so many seconds from the first signal: requests get half of them to finish, what is
waiting to be written gets some more, and then the process ends whatever still hangs in it. Nothing
acknowledged can be lost by that, for it is on disk.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from multiprocessing import parent_process
from multiprocessing.connection import wait
from socket import socket
from threading import Thread, current_thread, main_thread
from types import FrameType
from typing import NoReturn

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn import Config as ServerConfig
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors.multiprocess import Multiprocess, Process

from duels.lab.jobs import without_ctrl_c
from duels.server.problems import problem_response
from duels.service import logs

SIGNALS = (signal.SIGTERM, signal.SIGINT)
FOR_REQUESTS = 0.5
"""The share of the time in which requests may finish; then they are cancelled."""
FOR_WRITING = 0.8
"""The share of the time after which nobody waits for a write any more."""
WORDS_SECONDS = 0.5
"""How long a last log line may take: if nobody reads the log, it waits for ever."""
SAME_SIGNAL = 0.1
"""Seconds in which a second signal is the first, sent to the process and to its group."""


def leave(code: int, *last_words: str) -> NoReturn:
    """End the process now, whatever its threads are doing."""
    saying = Thread(target=_say, args=last_words, daemon=True)
    saying.start()
    saying.join(WORDS_SECONDS)
    os._exit(code)


def _say(*last_words: str) -> None:
    for words in last_words:
        logs.warning(words)
    sys.stdout.flush()
    sys.stderr.flush()


class Deadline:
    """Ends the process so many seconds after the first signal, or at the second."""

    def __init__(self, seconds: float, end: Callable[..., None] = leave) -> None:
        self.seconds = seconds
        self._end = end
        self._began: float | None = None

    def asked(self, number: int) -> bool:
        """Note a signal, and whether it is the first. In a worker there is only a first one."""
        now = time.monotonic()
        if self._began is None:
            self._began = now
            Thread(target=self._wait, name="deadline", daemon=True).start()
            return True
        if now - self._began > SAME_SIGNAL and not parent_process():
            self._end(128 + number)
        return False

    def left(self, share: float) -> float:
        """Seconds until this share of the time is over; all of them if there was no signal."""
        gone = 0.0 if self._began is None else time.monotonic() - self._began
        return max(0.0, share * self.seconds - gone)

    def _wait(self) -> None:
        time.sleep(self.seconds)
        self._end(1, f"stopped after {self.seconds:g} seconds, before everything had ended")


def on_stop_signal(act: Callable[[], None], deadline: Deadline) -> Callable[[], None]:
    """Act on the event loop as soon as the process is told to stop; whoever handled it still does.

    Returns how to go back to that.
    """
    if current_thread() is not main_thread():
        return lambda: None
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in SIGNALS}

    def handle(number: int, frame: FrameType | None) -> None:
        if not deadline.asked(number):
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
    """Stop a worker whose parent has died: it would keep the port, and nobody would watch it."""
    wait([parent])
    os.kill(os.getpid(), signal.SIGTERM)


class Cancelled:
    """Answers a request that is cancelled because there is no more time for it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_begun = False

        async def noting(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self.app(scope, receive, noting)
        except asyncio.CancelledError:
            if has_begun or scope["type"] != "http":
                raise
            detail = "The server is stopping. Nothing is lost; try again in a moment."
            answer = problem_response(503, detail, {"Retry-After": "1"})
            await answer(scope, receive, send)


class Workers(Multiprocess):
    """uvicorn's worker processes, which a parent watches and ends."""

    def __init__(self, config: ServerConfig, sockets: Sequence[socket], seconds: float) -> None:
        super().__init__(config, list(sockets))
        self._deadline = Deadline(seconds, self._end)
        for number in SIGNALS:
            signal.signal(number, self._stop)

    def init_processes(self) -> None:
        self.processes = [self._started() for _ in range(self.processes_num)]

    def keep_subprocess_alive(self) -> None:
        """Replace workers that have died; give up if no worker can start.

        uvicorn would also kill one that is slow to start, and end all if one cannot start, as when
        the database is away for a moment.
        """
        codes = [worker.process.exitcode for worker in self.processes]
        if all(code == STARTUP_FAILURE for code in codes):
            leave(1, "no worker could start")
        for place, code in enumerate(codes):
            if code is not None and not self.should_exit.is_set():
                logs.warning("a worker died", exit_code=code)
                self.processes[place] = self._started()

    def run(self) -> None:
        """Serve until told to stop, and leave: with 0 if every worker ended by itself."""
        super().run()
        by_itself = {0, -signal.SIGTERM, STARTUP_FAILURE}
        leave(0 if all(worker.process.exitcode in by_itself for worker in self.processes) else 1)

    def _started(self) -> Process:
        """A worker that is deaf to Ctrl-C until it serves: its parent hears it, and stops it."""
        with without_ctrl_c():
            worker = Process(self.config, self.sockets)
            worker.start()
            return worker

    def _stop(self, number: int, _frame: FrameType | None) -> None:
        if self._deadline.asked(number):
            # The main thread may hold the lock of this event just now.
            Thread(target=self.should_exit.set, daemon=True).start()

    def _end(self, code: int, *last_words: str) -> None:
        for worker in self.processes:
            worker.process.kill()
        leave(code, *last_words)
