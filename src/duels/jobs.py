"""Running many independent tasks: on all cores of this machine, or on a Dask cluster.

A task is plain data and the function is a module's own, so that both can travel to another process
or machine. What a task gives depends on the task alone: the results are the same whatever runs it.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from duels.core.errors import DuelsError

Task = TypeVar("Task")
Result = TypeVar("Result")

DEATHS = 3
"""How often the workers may die under the unfinished tasks before we give up."""


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
    if cluster:
        yield from _on_cluster(function, tasks, cluster)
    elif jobs == 1 or len(tasks) <= 1:
        for task in tasks:
            yield task, function(task)
    else:
        yield from _on_cores(function, tasks, jobs or os.cpu_count() or 1)


def _on_cores(
    function: Callable[[Task], Result], tasks: Sequence[Task], jobs: int
) -> Iterator[tuple[Task, Result]]:
    """A pool whose workers may die: the tasks that are not done go to a new one."""
    left = dict(enumerate(tasks))
    for _ in range(DEATHS):
        pool = ProcessPoolExecutor(jobs, initializer=_ignore_interrupts)
        futures = {pool.submit(function, task): number for number, task in left.items()}
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


def _on_cluster(
    function: Callable[[Task], Result], tasks: Sequence[Task], address: str
) -> Iterator[tuple[Task, Result]]:
    """Dask sends the tasks of a worker that dies to another one by itself."""
    try:
        from distributed import Client
        from distributed import as_completed as as_they_come
    except ImportError:
        raise JobsError(
            "A cluster needs Dask. Install it with: pip install 'number-duels[cluster]'"
        ) from None
    try:
        client: Any = Client(address, timeout="10s")
    except (OSError, TimeoutError, ValueError) as error:
        raise JobsError(f"The cluster at {address} does not answer: {error}.") from None
    with client:
        futures: dict[Future[Result], Task] = dict(
            zip(client.map(function, tasks, pure=False, retries=DEATHS), tasks, strict=True)
        )
        done = 0
        try:
            for future in as_they_come(futures):
                result = future.result()
                done += 1
                yield futures[future], result
        except DuelsError:
            raise
        except Exception as error:
            raise JobsError(
                f"The cluster at {address} went away ({type(error).__name__}): "
                f"{len(tasks) - done} tasks are not done."
            ) from None


def _ignore_interrupts() -> None:
    """Ctrl-C is for the process that was started by a person; it ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
