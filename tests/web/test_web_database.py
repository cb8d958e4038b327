"""The threads that write survive whatever their callers and jobs do."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import CancelledError

import pytest
from sqlalchemy import create_engine, event, text

from duels.server.database import Stopped, Writers


@pytest.fixture(params=[(1, 100), (4, 1)], ids=["one together", "many alone"])
def writers(tmp_path, request):
    """As for SQLite, and as for PostgreSQL."""
    engine = create_engine(f"sqlite:///{tmp_path / 'w.sqlite3'}")
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE notes (note TEXT)"))
    event.listen(engine, "connect", lambda made, _: made.execute("PRAGMA busy_timeout = 5000"))
    started = Writers(engine, *request.param)
    yield started
    started.stop(5)
    engine.dispose()


def note(words: str):
    return lambda connection: connection.execute(text(f"INSERT INTO notes VALUES ('{words}')"))


def notes(writers: Writers) -> list[str]:
    query = text("SELECT note FROM notes ORDER BY rowid")
    return writers.submit(lambda at: list(at.execute(query).scalars())).result(5)


def held(writers: Writers) -> threading.Event:
    """Keep all threads busy until the event is set."""
    go, began = threading.Event(), threading.Semaphore(0)
    threads = len(writers._threads)

    def hold(connection):
        began.release()
        go.wait(10)

    for _ in range(threads):
        writers.submit(hold)
    for _ in range(threads):
        assert began.acquire(timeout=5)
    return go


def test_a_write_whose_caller_has_gone_is_not_begun(writers):
    go = held(writers)
    left, right = writers.submit(note("gone")), writers.submit(note("here"))
    assert left.cancel()
    go.set()
    right.result(5)
    with pytest.raises(CancelledError):
        left.result(0)
    assert notes(writers) == ["here"]


def test_a_write_that_has_begun_is_done_though_its_caller_has_gone(writers):
    begun, go = threading.Event(), threading.Event()

    def slow(connection):
        begun.set()
        go.wait(10)
        note("begun")(connection)

    writing = writers.submit(slow)

    async def leave() -> None:
        task = asyncio.ensure_future(asyncio.wrap_future(writing))
        await asyncio.to_thread(begun.wait, 5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(leave())
    go.set()
    writing.result(5)
    assert notes(writers) == ["begun"]


@pytest.mark.parametrize(
    "error", [SystemExit, KeyboardInterrupt, GeneratorExit, StopIteration, asyncio.CancelledError]
)
def test_nothing_that_a_job_raises_ends_a_thread_or_the_event_loop(writers, error):
    def fail(connection):
        note("never")(connection)
        raise error

    go = held(writers)
    futures = [writers.submit(job) for job in (note("before"), fail, note("after"))]
    go.set()

    async def ask() -> None:
        with pytest.raises(RuntimeError, match=error.__name__):
            await asyncio.wrap_future(futures[1])

    asyncio.run(ask())
    futures[0].result(5)
    futures[2].result(5)
    for _ in range(8):  # more than there are threads
        with pytest.raises(RuntimeError):
            writers.submit(fail).result(5)
    assert sorted(notes(writers)) == ["after", "before"]


def test_what_waits_is_written_before_the_end(writers):
    go = held(writers)
    waiting = [writers.submit(note(str(number))) for number in range(20)]
    go.set()
    assert writers.stop(10)
    assert all(future.done() and not future.exception() for future in waiting)


def test_the_end_does_not_wait_for_a_job_that_hangs(writers):
    go = held(writers)
    began = time.monotonic()
    assert not writers.stop(0.2)
    assert time.monotonic() - began < 5
    with pytest.raises(Stopped):
        writers.submit(note("late"))
    go.set()


def test_a_thread_keeps_its_connection_until_a_write_fails(tmp_path):
    engine = create_engine(f"sqlite:///{tmp_path / 'w.sqlite3'}")
    opened, closed = [], []
    event.listen(engine, "checkout", lambda *_: opened.append(1))
    event.listen(engine, "checkin", lambda *_: closed.append(1))
    writers = Writers(engine, 1, 100)
    for _ in range(3):
        writers.submit(lambda connection: None).result(5)
    assert (len(opened), len(closed)) == (1, 0)
    with pytest.raises(ZeroDivisionError):
        writers.submit(lambda connection: 1 / 0).result(5)
    assert (len(opened), len(closed)) == (1, 1)
    writers.submit(lambda connection: None).result(5)
    assert writers.stop(5)
    assert (len(opened), len(closed)) == (2, 2)
    engine.dispose()
