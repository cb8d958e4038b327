"""Many independent tasks on all cores of this machine or on a Dask cluster, with their progress.

A task is plain data and the function is defined at the top of a module, so both can be sent to
another process or machine. A result depends on its task alone, wherever it runs.
"""

from __future__ import annotations

import logging
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic, sleep
from typing import Any, Self, TypeVar

from duels.core.console import clear_line, on_terminal, shell_command, show_line, spoken
from duels.core.errors import PACKAGE, DuelsError, install
from duels.core.game import Game
from duels.core.words import quoted
from duels.games import UnknownGame
from duels.games.added import WITH, fault_of_a_game

Task = TypeVar("Task")
Result = TypeVar("Result")

MOST_DEATHS = 3
"""How often the pool may die before its unfinished tasks are given up."""
_ADDRESS = re.compile(r"(?:tcp|tls|wss?)://([^/:\[\]]+|\[[0-9a-fA-F:]+\]):\d{1,5}/?")
CLUSTER_TIMEOUT = 10
"""Seconds for a cluster to answer, and to have a worker."""
POLL_INTERVAL = 5.0
"""Seconds between two checks that a cluster still has workers."""


class JobsError(DuelsError):
    """Some tasks could not be run; the results so far are valid."""


def run_jobs(
    function: Callable[[Task], Result],
    tasks: Sequence[Task],
    *,
    jobs: int | None = None,
    cluster: str | None = None,
) -> Iterator[tuple[Task, Result]]:
    """Yield each task with its result, in the order in which they finish.

    `jobs` is the number of processes (1: this one), `cluster` the address of a Dask scheduler.
    """
    if not tasks:
        return
    run = partial(_run_task, function)
    if cluster:
        yield from _on_cluster(run, tasks, cluster)
    elif jobs == 1 or len(tasks) == 1:
        for task in tasks:
            yield task, run(task)
    else:
        yield from _on_cores(run, tasks, min(jobs or os.cpu_count() or 1, len(tasks)))


def _run_task(function: Callable[[Task], Result], task: Task) -> Result:
    """Return the result of a task; a fault in a game becomes a JobsError, which can be pickled."""
    try:
        return function(task)
    except UnknownGame as error:
        raise JobsError(
            f"A worker does not know the game {quoted(error.game_id)}. "
            "Install the package that has it wherever the workers run."
        ) from None
    except DuelsError:
        raise
    except Exception as error:
        if sentence := fault_of_a_game(error):
            raise JobsError(sentence) from None
        raise


def _on_cores(
    function: Callable[[Task], Result], tasks: Sequence[Task], jobs: int
) -> Iterator[tuple[Task, Result]]:
    """Run the tasks in a process pool; if its workers die, a new pool takes the rest."""
    left = dict(enumerate(tasks))
    for _ in range(MOST_DEATHS):
        pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=begin_worker)
        try:
            with without_ctrl_c():
                futures = {
                    pool.submit(_run_in_worker, function, task): number
                    for number, task in left.items()
                }
            for future in as_completed(futures):
                result = future.result()
                yield left.pop(futures[future]), result
        except BrokenProcessPool:
            end_workers(pool)
        except BaseException:
            end_workers(pool)
            raise
        else:
            pool.shutdown()
            return
    raise JobsError(
        f"The worker processes died {MOST_DEATHS} times; {len(left)} tasks are not done."
    )


@contextmanager
def without_ctrl_c() -> Iterator[None]:
    """Ignore Ctrl-C in workers that are started in this block, even before `begin_worker`."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may set a signal handler
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def end_workers(pool: ProcessPoolExecutor) -> None:
    """End the workers at once, without waiting for their tasks."""
    workers = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for worker in workers:
        worker.terminate()
    for worker in workers:
        if not wait([worker.sentinel], timeout=3):
            worker.kill()
        worker.join(timeout=1)


class _Ended(BaseException):
    """Raised in a worker that must end, so that its task closes what it has opened."""


def begin_worker() -> None:
    """Ignore Ctrl-C, which the main process handles, and end when that process dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if parent := parent_process():  # None if it has died already
        threading.Thread(target=_watch, args=(parent.sentinel,), daemon=True).start()


def _run_in_worker(function: Callable[[Task], Result], task: Task) -> Result:
    try:
        signal.signal(signal.SIGTERM, _leave)
        return function(task)
    except _Ended:
        os._exit(143)
    finally:
        # Between tasks SIGTERM ends the worker directly, whatever it waits for.
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _leave(*_: object) -> None:
    raise _Ended


def _watch(parent: int) -> None:
    """End this worker when its parent dies; it would wait for tasks forever."""
    wait([parent])
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)
    sleep(5)  # time for the task to close what it has opened
    os._exit(143)


def run_all(
    function: Callable[[Task], Result], tasks: Sequence[Task], what: str, *, jobs: int | None
) -> list[Result]:
    """Return the results in the order of the tasks, and show the progress; save none of them."""
    found: dict[int, Result] = {}
    with JobProgress(what, len(tasks), saves=False) as progress:
        for task, result in run_jobs(function, tasks, jobs=jobs):
            found[id(task)] = result
            progress.step()
    return [found[id(task)] for task in tasks]


# Messages and progress


def note(words: str) -> None:
    """Print a message for the user on standard error."""
    print(words, file=sys.stderr, flush=True)


QUIET = 10.0
"""Seconds between two lines of progress if standard error is not a terminal."""
LEAST_TASKS, LEAST_SECONDS = 10, 5.0
"""How much must be done before the time left is estimated: the first tasks say little."""


class Stopped(DuelsError):
    """The run stopped early; the results so far are saved."""


def count(done: int, total: int, what: str) -> str:
    """Return the beginning of a sentence: "6 of 10 matches are"."""
    return f"{done:,} of {total:,} {what} {'is' if done == 1 else 'are'}"


class JobProgress:
    """Shows how many tasks are done: one changing line on a terminal, else a line now and then.

    It is updated by steps and not by a thread, because the workers are forked processes.
    """

    def __init__(self, what: str, total: int, done: int = 0, *, saves: bool = True) -> None:
        """`saves`: whether each result is saved, so that the same command continues the run."""
        self.saves = saves
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
        """Clear the line; if the run was stopped, say how to continue it."""
        if self._terminal:
            clear_line()
        saved = count(self.done, self.total, self.what)
        resume = f"{saved} saved. To continue:\n{shell_command(*sys.argv[1:])}"
        if isinstance(error, KeyboardInterrupt):
            note(f"\nStopped. {resume if self.saves else 'Nothing was written.'}")
        elif isinstance(error, DuelsError):
            raise Stopped(
                f"{error}\n{resume}" if self.done and self.saves else str(error)
            ) from None

    @property
    def text(self) -> str:
        """How many tasks are done, and how long the rest takes once that can be estimated."""
        share = self.done / self.total if self.total else 1.0
        done_now, seconds = self.done - self._before, monotonic() - self._began
        left = ""
        if self.done < self.total and done_now >= LEAST_TASKS and seconds >= LEAST_SECONDS:
            left = f", {spoken((self.total - self.done) * seconds / done_now)} left"
        return f"{self.done:,} of {self.total:,} {self.what} ({share:.0%}){left}"

    def _show(self) -> None:
        if self._terminal:
            show_line(self.text)
        else:
            note(self.text)


# Dask


def check_cluster(address: str, games: Iterable[Game] = ()) -> None:
    """Raise JobsError if that is no address, or if the workers cannot have one of the games."""
    files = {Path(name).resolve() for name in os.environ.get(WITH, "").split(os.pathsep) if name}
    for playing in games:
        module = sys.modules.get(type(playing).__module__)
        file = Path(getattr(module, "__file__", None) or "").resolve()
        if file in files:
            raise JobsError(
                f"{playing.id} comes from the file {file}, which the workers of a cluster do not "
                "have. Play it with --jobs, or make it a package and install that on every worker."
            )
    if not _ADDRESS.fullmatch(address):
        raise JobsError(f"A cluster is given like tcp://127.0.0.1:8786, not {quoted(address, 80)}.")
    _distributed()


def _on_cluster(
    function: Callable[[Task], Result], tasks: Sequence[Task], address: str
) -> Iterator[tuple[Task, Result]]:
    """Run the tasks on a Dask cluster, which reassigns the tasks of a dead worker."""
    check_cluster(address)
    finished: SimpleQueue[Any] = SimpleQueue()
    left, checks_without_workers = len(tasks), 0
    try:
        with _distributed().Client(address, timeout=CLUSTER_TIMEOUT) as client:
            client.wait_for_workers(1, timeout=CLUSTER_TIMEOUT)
            futures = client.map(function, tasks, pure=False, retries=MOST_DEATHS)
            task_of = {future.key: task for future, task in zip(futures, tasks, strict=True)}
            for future in futures:
                future.add_done_callback(finished.put)
            while left:
                try:
                    future = finished.get(timeout=POLL_INTERVAL)
                except Empty:  # without workers Dask would wait forever
                    has_workers = client.scheduler_info()["workers"]
                    checks_without_workers = 0 if has_workers else checks_without_workers + 1
                    if checks_without_workers == 2:
                        gone = f"The cluster at {address} has no workers left"
                        raise JobsError(f"{gone}: {left} tasks are not done.") from None
                    continue
                yield task_of[future.key], future.result()
                left -= 1
    except (DuelsError, GeneratorExit, KeyboardInterrupt):
        raise
    except BaseException as error:  # Dask's cancellations are not Exceptions
        raise JobsError(_cluster_error(address, error, left)) from None


def _distributed() -> Any:
    try:
        module = import_module("distributed")
    except ImportError:
        raise JobsError(f"A cluster needs Dask. {install('cluster')}") from None
    # Errors are reported once, by us; silence Dask's loggers.
    for name in list(logging.root.manager.loggerDict):
        if name.startswith(("distributed", "tornado")):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return module


def _cluster_error(address: str, error: BaseException, left: int) -> str:
    """Return a sentence about the error of a cluster."""
    kind = type(error).__name__
    if isinstance(error, ImportError):
        return f"The workers at {address} need {PACKAGE} of the same version: {error}."
    if "Cancelled" in kind or "Comm" in kind or "Killed" in kind:
        return f"The cluster at {address} went away ({kind}): {left} tasks are not done."
    if isinstance(error, OSError | TimeoutError):
        return f"The cluster at {address} does not answer, or has no workers: {error}."
    return f"A task failed on the cluster at {address}: {kind}: {error}"
