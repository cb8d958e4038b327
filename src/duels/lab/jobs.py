"""Running many independent tasks: on all cores of this machine, or on a Dask cluster.

A task is plain data and the function is a module's own, so that both can travel to another process
or machine. What a task gives depends on the task alone: the results are the same whatever runs it.
"""

from __future__ import annotations

import logging
import os
import re
import signal
import socket
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
from queue import SimpleQueue
from time import sleep
from typing import Any, TypeVar, cast

from duels.core.errors import PACKAGE, DuelsError, install
from duels.core.game import Game
from duels.core.words import quoted
from duels.games import UnknownGame
from duels.games.added import WITH, fault_of_a_game

Task = TypeVar("Task")
Result = TypeVar("Result")

DEATHS = 3
"""How often the workers may die under the unfinished tasks before we give up."""
_ADDRESS = re.compile(r"(?:tcp|tls|wss?)://([^/:\[\]]+|\[[0-9a-fA-F:]+\]):(\d{1,5})/?")
PATIENCE = 10
"""How many seconds a cluster may take to answer, and to have a worker."""
GLANCE = 5.0
"""Seconds between two looks at whether a cluster still has workers."""


class JobsError(DuelsError):
    """The tasks could not all be run; what has come back so far counts."""


def run_jobs(
    function: Callable[[Task], Result],
    tasks: Sequence[Task],
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    at_once: int | None = None,
    go_on: Callable[[int], bool] = lambda under_way: True,
) -> Iterator[tuple[Task, Result]]:
    """Each task with its result, in the order in which they are done.

    `jobs` is the number of processes here (1: this one); `cluster` the address of a Dask scheduler.
    With `at_once` that many tasks wait for servers at the same time, in this process. `go_on` is
    asked there before each task, with the number of those under way; what it forbids is not begun.
    """
    if not tasks:
        return
    run = partial(_run_task, function)
    if cluster:
        yield from _on_cluster(run, tasks, cluster)
    elif at_once:
        yield from _in_threads(run, tasks, at_once, go_on)
    elif jobs == 1 or len(tasks) == 1:
        for task in tasks:
            yield task, run(task)
    else:
        yield from _on_cores(run, tasks, min(jobs or os.cpu_count() or 1, len(tasks)))


def _run_task(function: Callable[[Task], Result], task: Task) -> Result:
    """The result; what goes wrong with a game is a sentence, which travels back."""
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
    """A pool whose workers may die: the tasks that are not done go to a new one."""
    left = dict(enumerate(tasks))
    for _ in range(DEATHS):
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
    raise JobsError(f"The worker processes died {DEATHS} times; {len(left)} tasks are not done.")


@contextmanager
def without_ctrl_c() -> Iterator[None]:
    """Workers that are begun in here hear no Ctrl-C, not even before `begin_worker`."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may say what a signal does
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _in_threads(
    function: Callable[[Task], Result],
    tasks: Sequence[Task],
    most: int,
    go_on: Callable[[int], bool],
) -> Iterator[tuple[Task, Result]]:
    """Threads that die with this process: after Ctrl-C nobody waits for an answer."""
    done: SimpleQueue[tuple[Task, Result | None, BaseException | None]] = SimpleQueue()

    def work(task: Task) -> None:
        try:
            done.put((task, function(task), None))
        except BaseException as error:
            done.put((task, None, error))

    left, under_way = [*reversed(tasks)], 0
    while True:
        while left and under_way < most and go_on(under_way):
            threading.Thread(target=work, args=(left.pop(),), daemon=True).start()
            under_way += 1
        if not under_way:
            return
        task, result, error = done.get()
        under_way -= 1
        if error:
            raise error
        yield task, cast("Result", result)


def end_workers(pool: ProcessPoolExecutor) -> None:
    """End the workers at once: after Ctrl-C nobody wants to wait for the tasks under way."""
    workers = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for worker in workers:
        worker.terminate()
    for worker in workers:
        if not wait([worker.sentinel], timeout=3):
            worker.kill()
        worker.join(timeout=1)


class _Ended(BaseException):
    """The worker is told to end: the task under way puts away what it has opened."""


def begin_worker() -> None:
    """Ctrl-C is for the process that was started by a person; it ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if parent := parent_process():  # it may be dead already: the system does not tell who it was
        threading.Thread(target=_watch, args=(parent.sentinel,), daemon=True).start()


def _run_in_worker(function: Callable[[Task], Result], task: Task) -> Result:
    try:
        signal.signal(signal.SIGTERM, _leave)
        return function(task)
    except _Ended:
        os._exit(143)
    finally:
        # Between tasks the system ends the worker by itself, whatever it waits for.
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _leave(*_: object) -> None:
    raise _Ended


def _watch(parent: int) -> None:
    """A worker whose parent was killed would wait for tasks for ever."""
    wait([parent])
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)
    sleep(5)  # for the task under way to put away what it has opened
    os._exit(143)


def check_cluster(address: str, games: Iterable[Game] = ()) -> None:
    """A sentence, before anything is begun, if no cluster answers or its workers lack a game."""
    files = {Path(name).resolve() for name in os.environ.get(WITH, "").split(os.pathsep) if name}
    for playing in games:
        module = sys.modules.get(type(playing).__module__)
        file = Path(getattr(module, "__file__", None) or "").resolve()
        if file in files:
            raise JobsError(
                f"{playing.id} comes from the file {file}, which the workers of a cluster do not "
                "have. Play it with --jobs, or make it a package and install that on every worker."
            )
    _distributed()
    _knock(address)


def _on_cluster(
    function: Callable[[Task], Result], tasks: Sequence[Task], address: str
) -> Iterator[tuple[Task, Result]]:
    """Dask sends the tasks of a worker that dies to another one by itself."""
    check_cluster(address)
    distributed = _distributed()
    done, left = 0, threading.Event()
    try:
        with distributed.Client(address, timeout=PATIENCE) as client:
            client.wait_for_workers(1, timeout=PATIENCE)
            futures = client.map(function, tasks, pure=False, retries=DEATHS)
            numbers = {future.key: number for number, future in enumerate(futures)}
            with _watched(client, futures, left):
                for future in distributed.as_completed(futures):
                    result = future.result()
                    yield tasks[numbers[future.key]], result
                    done += 1
    except (DuelsError, GeneratorExit, KeyboardInterrupt):
        raise
    except BaseException as error:  # Dask's cancellations are not Exceptions
        if left.is_set():
            raise JobsError(
                f"The cluster at {address} has no workers left: {len(tasks) - done} tasks "
                "are not done."
            ) from None
        raise JobsError(_trouble(address, error, len(tasks) - done)) from None


@contextmanager
def _watched(client: Any, futures: Sequence[Any], left: threading.Event) -> Iterator[None]:
    """Cancel the tasks when all workers have left for some time; Dask would wait for ever."""
    over = threading.Event()

    def watch() -> None:
        missed = 0
        while not over.wait(GLANCE):
            try:
                missed = 0 if client.scheduler_info()["workers"] else missed + 1
            except Exception:  # the scheduler itself is away, which the client says by itself
                return
            if missed == 2:
                left.set()
                client.cancel(futures)
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join(timeout=1)


def _distributed() -> Any:
    try:
        module = import_module("distributed")
    except ImportError:
        raise JobsError(f"A cluster needs Dask. {install('cluster')}") from None
    # What goes wrong is said once, in one sentence, and not by Dask's logs as well.
    for name in list(logging.root.manager.loggerDict):
        if name.startswith(("distributed", "tornado")):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return module


def _knock(address: str) -> None:
    """A sentence at once if nobody is there; Dask itself would try for long, and complain."""
    where = _ADDRESS.fullmatch(address)
    if not where:
        raise JobsError(f"A cluster is given like tcp://127.0.0.1:8786, not {quoted(address, 80)}.")
    try:
        socket.create_connection((where[1].strip("[]"), int(where[2])), timeout=PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise JobsError(f"The cluster at {address} does not answer: {error}.") from None


def _trouble(address: str, error: BaseException, left: int) -> str:
    """What has happened to a cluster, in a sentence."""
    kind = type(error).__name__
    if isinstance(error, ImportError):
        return f"The workers at {address} need {PACKAGE} of the same version: {error}."
    if "Cancelled" in kind or "Comm" in kind or "Killed" in kind:
        return f"The cluster at {address} went away ({kind}): {left} tasks are not done."
    if isinstance(error, OSError | TimeoutError):
        return f"The cluster at {address} does not answer, or has no workers: {error}."
    return f"A task failed on the cluster at {address}: {kind}: {error}"
