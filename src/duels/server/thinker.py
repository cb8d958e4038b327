"""A process that works things out beside the server.

A thread would not do: it takes turns with those that write moves and choose the computer's, and
each of the many small steps of these would wait for it.
"""

from __future__ import annotations

import asyncio
import os
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, NamedTuple

from duels.core.errors import DuelsError
from duels.games import all_games
from duels.lab.jobs import begin_worker, end_workers
from duels.service.problems import Problem, problem_of

LONGEST = 20.0
"""Seconds after which whatever takes so long is given up; a page waits for ten."""
NICE = 5


class WorkedOut(NamedTuple):
    """What came back, and the seconds of computing that it took."""

    seconds: float
    result: Any = None
    refused: tuple[int, str] | None = None
    """The status and the sentence, where it cannot be worked out."""
    fault: str = ""


class Thinker:
    """The process; begun when it is needed, and again when it has died."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    async def run(self, function: Callable[..., Any], args: tuple[Any, ...]) -> WorkedOut:
        """Call a module's function with plain data; both travel to the process."""
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, get_context("spawn"), initializer=_begin)
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(LONGEST):
                return await loop.run_in_executor(self._pool, _work_out, function, args)
        except TimeoutError:
            self.stop()
            return WorkedOut(LONGEST, refused=(503, "This takes too long to work out."))
        except BrokenProcessPool:
            self.stop()
            sentence = "This could not be worked out just now. Try again in a moment."
            return WorkedOut(0.0, refused=(503, sentence))

    def stop(self) -> None:
        """End the process at once."""
        pool, self._pool = self._pool, None
        if pool:
            end_workers(pool)


def _begin() -> None:
    begin_worker()
    all_games()  # a position of an added game can only be read where the game is known
    if hasattr(os, "nice"):
        os.nice(NICE)  # moves come first, also where there are few processors


def _work_out(function: Callable[..., Any], args: tuple[Any, ...]) -> WorkedOut:
    """Nothing is raised: not every exception survives the way back."""
    began = time.thread_time()
    try:
        result = function(*args)
        return WorkedOut(time.thread_time() - began, result)
    except (Problem, DuelsError) as error:
        problem = problem_of(error)
        refused = problem.status, problem.detail
    except Exception:
        return WorkedOut(time.thread_time() - began, fault=traceback.format_exc())
    return WorkedOut(time.thread_time() - began, refused=refused)
