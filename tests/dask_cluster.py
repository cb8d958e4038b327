"""A Dask cluster of real processes on loopback."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path


class Cluster:
    """A Dask scheduler and its workers, each a process of its own."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.file, self.log = folder / "scheduler.json", folder / "log.txt"
        place = ["--scheduler-file", str(self.file)]
        loopback = ["--host", "127.0.0.1", "--no-dashboard"]
        self.scheduler = self._start("scheduler", *place, *loopback, "--port", "0")
        wait_until(self.file.exists)
        own = ["--nthreads", "1", "--no-nanny", "--local-directory", str(folder)]
        self.workers = [self._start("worker", *place, *loopback, *own) for _ in range(workers)]
        # On a busy machine that takes longer than a client waits for workers.
        wait_until(lambda: self.log.read_text().count("Register worker") >= workers)

    @property
    def address(self) -> str:
        return str(json.loads(self.file.read_text())["address"])

    def _start(self, *args: str) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            command = [sys.executable, "-m", "dask", *args]
            return subprocess.Popen(command, stdout=log, stderr=log)

    def end(self) -> None:
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()


def wait_until(question: Callable[[], object], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not question():
        assert time.monotonic() < deadline, f"nothing after {seconds} seconds"
        time.sleep(0.05)
