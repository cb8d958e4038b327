"""Running many independent tasks: on all cores of this machine, or on a Dask cluster.

A task is plain data and the function is a module's own, so that both can travel to another process
or machine. What a task gives depends on the task alone: the results are the same whatever runs it.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from time import sleep
from typing import Any, TypeVar

from duels.core.errors import DuelsError

Task = TypeVar("Task")
Result = TypeVar("Result")

DEATHS = 3
"""How often the workers may die under the unfinished tasks before we give up."""
PATIENCE = "10s"
"""How long a cluster may take to answer, and to have a worker."""


class JobsError(DuelsError):
    """The tasks could not all be run; what has come back so far counts."""


def run_jobs(
    function: Callable[[Task], Result],
    tasks: Sequence[Task],
    *,
    jobs: int | None = None,
    cluster: str | None = None,
) -> Iterator[tuple[Task, Result]]:
    """Each task with its result, in the order in which they are done.

    `jobs` is the number of processes here (1: this one); `cluster` the address of a Dask scheduler.
    """
    if not tasks:
        return
    if cluster:
        yield from _on_cluster(function, tasks, cluster)
    elif jobs == 1 or len(tasks) == 1:
        for task in tasks:
            yield task, function(task)
    else:
        yield from _on_cores(function, tasks, min(jobs or os.cpu_count() or 1, len(tasks)))


def _on_cores(
    function: Callable[[Task], Result], tasks: Sequence[Task], jobs: int
) -> Iterator[tuple[Task, Result]]:
    """A pool whose workers may die: the tasks that are not done go to a new one."""
    left = dict(enumerate(tasks))
    for _ in range(DEATHS):
        pool = ProcessPoolExecutor(jobs, initializer=_begin_worker)
        futures = {pool.submit(_run, function, task): number for number, task in left.items()}
        try:
            for future in as_completed(futures):
                result = future.result()
                yield left.pop(futures[future]), result
            return
        except BrokenProcessPool:
            continue
        finally:
            _end(pool)
    raise JobsError(f"The worker processes died {DEATHS} times; {len(left)} tasks are not done.")


def _end(pool: ProcessPoolExecutor) -> None:
    """End the workers at once: after Ctrl-C nobody wants to wait for the tasks under way."""
    workers = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for worker in workers:
        worker.terminate()


class _Ended(BaseException):
    """The worker is told to end: the task under way puts away what it has opened."""


_at_work = False


def _begin_worker() -> None:
    """Ctrl-C is for the process that was started by a person; it ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()


def _run(function: Callable[[Task], Result], task: Task) -> Result:
    global _at_work
    _at_work = True
    try:
        return function(task)
    except _Ended:
        os._exit(143)
    finally:
        _at_work = False


def _leave(*_: object) -> None:
    if _at_work:
        raise _Ended
    os._exit(143)


def _watch(parent: int) -> None:
    """A worker whose parent was killed would wait for tasks for ever."""
    while os.getppid() == parent:
        sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)


def _on_cluster(
    function: Callable[[Task], Result], tasks: Sequence[Task], address: str
) -> Iterator[tuple[Task, Result]]:
    """Dask sends the tasks of a worker that dies to another one by itself."""
    distributed = _distributed()
    done = 0
    try:
        with distributed.Client(address, timeout=PATIENCE, set_as_default=False) as client:
            client.wait_for_workers(1, timeout=PATIENCE)
            futures = client.map(function, tasks, pure=False, retries=DEATHS)
            numbers = {future.key: number for number, future in enumerate(futures)}
            for future in distributed.as_completed(futures):
                result = future.result()
                yield tasks[numbers[future.key]], result
                done += 1
    except (DuelsError, GeneratorExit, KeyboardInterrupt):
        raise
    except BaseException as error:  # Dask's cancellations are not Exceptions
        raise JobsError(_trouble(address, error, len(tasks) - done)) from None


def _distributed() -> Any:
    try:
        module = import_module("distributed")
    except ImportError:
        raise JobsError(
            "A cluster needs Dask. Install it with: pip install 'number-duels[cluster]'"
        ) from None
    import logging

    # What goes wrong is said once, in one sentence, and not by Dask's logs as well.
    logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)
    return module


def _trouble(address: str, error: BaseException, left: int) -> str:
    """What has happened to a cluster, in a sentence."""
    kind = type(error).__name__
    if isinstance(error, ImportError):
        return f"The workers at {address} need number-duels of the same version: {error}."
    if "Cancelled" in kind or "Comm" in kind or "Killed" in kind:
        return f"The cluster at {address} went away ({kind}): {left} tasks are not done."
    if isinstance(error, OSError | TimeoutError | ValueError):
        return f"The cluster at {address} does not answer, or has no workers: {error}"
    return f"A task failed on the cluster at {address}: {kind}: {error}"
