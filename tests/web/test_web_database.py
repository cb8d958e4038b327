"""The threads that write survive whatever their callers and jobs do."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import CancelledError
from threading import current_thread

import pytest
from sqlalchemy import create_engine, event, text
from sqlalchemy.exc import DBAPIError, IntegrityError, PendingRollbackError

from duels.server.config import Config
from duels.server.database import Database, Stopped, Writers, execute
from duels.server.storage import Storage


@pytest.fixture(params=[(1, 100), (4, 1)], ids=["one together", "many alone"])
def writers(tmp_path, request):
    """As for SQLite, and as for PostgreSQL."""
    engine = create_engine(f"sqlite:///{tmp_path / 'w.sqlite3'}")
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE notes (note TEXT)"))
    event.listen(engine, "connect", lambda made, _: made.execute("PRAGMA busy_timeout = 5000"))
    started = Writers(engine, *request.param, "BEGIN")
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


def test_a_result_is_known_before_it_is_durable_unless_the_job_fails(writers):
    seen = []

    def look(result):
        with writers._engine.connect() as another:
            durable = another.execute(text("SELECT count(*) FROM notes")).scalar()
        seen.append((result, durable))

    def noted(connection):
        note("one")(connection)
        return "one is noted"

    def fail(connection):
        raise ValueError

    go = held(writers)
    futures = [writers.submit(job, look) for job in (noted, fail)]
    go.set()
    futures[0].result(5)
    assert isinstance(futures[1].exception(5), ValueError)
    assert seen == [("one is noted", 0)]
    assert notes(writers) == ["one"]


def test_a_response_is_prepared_on_the_event_loop(tmp_path):
    database, seen = Database(f"sqlite:///{tmp_path / 'w.sqlite3'}"), []
    storage = Storage(database, Config())

    async def write() -> str:
        return await storage.write(
            lambda transaction: "saved", lambda result: seen.append((result, current_thread()))
        )

    assert asyncio.run(write()) == "saved"
    assert seen == [("saved", current_thread())]
    database.close()


def test_a_commit_that_fails_saves_nothing_and_ends_no_thread(writers):
    """SQLite checks a deferred constraint only in the commit."""
    event.listen(
        writers._engine, "connect", lambda made, _: made.execute("PRAGMA foreign_keys = 1")
    )
    with writers._engine.begin() as connection:
        connection.execute(text("CREATE TABLE friends (name TEXT PRIMARY KEY)"))
        checked = "REFERENCES friends DEFERRABLE INITIALLY DEFERRED"
        connection.execute(text(f"CREATE TABLE replies (friend TEXT {checked})"))
    writers._engine.dispose()

    def reply(connection):
        note("reply")(connection)
        execute(connection, "INSERT INTO replies VALUES ('Ann')")

    for _ in range(8):  # more than there are threads
        with pytest.raises(IntegrityError):
            writers.submit(reply).result(5)
    writers.submit(note("after")).result(5)
    assert notes(writers) == ["after"]


def test_a_job_runs_again_on_a_new_connection_if_its_own_was_lost(writers):
    runs = []

    def lose_the_first(connection):
        runs.append(1)
        if len(runs) == 1:
            connection.connection.driver_connection.close()
        execute(connection, "INSERT INTO notes VALUES (?)", ("again",))

    writers.submit(lose_the_first).result(5)
    assert len(runs) == 2
    assert notes(writers) == ["again"]


def test_a_job_cannot_continue_after_its_connection_was_lost(writers):
    def go_on(connection):
        execute(connection, "INSERT INTO notes VALUES ('begun')")
        connection.connection.driver_connection.close()
        with pytest.raises(DBAPIError):
            execute(connection, "INSERT INTO notes VALUES ('lost')")
        note("rest")(connection)

    with pytest.raises(PendingRollbackError):
        writers.submit(go_on).result(5)
    assert notes(writers) == []


def test_a_statement_is_executed_for_each_row_and_its_errors_are_those_of_sqlalchemy():
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        assert execute(connection, "CREATE TABLE numbers (n INTEGER PRIMARY KEY)") == []
        assert execute(connection, "INSERT INTO numbers VALUES (?)", (1,), (2,)) == []
        assert execute(connection, "SELECT n FROM numbers ORDER BY n") == [(1,), (2,)]
        with pytest.raises(IntegrityError) as caught:
            execute(connection, "INSERT INTO numbers VALUES (?)", (2,))
        assert not caught.value.connection_invalidated
        assert execute(connection, "SELECT n FROM numbers WHERE n > ?", (1,)) == [(2,)]
    engine.dispose()


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
    writers = Writers(engine, 1, 100, "BEGIN")
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


def test_the_log_of_sqlite_stays_small(tmp_path):
    database = Database(f"sqlite:///{tmp_path / 'web.sqlite3'}")
    database.write(lambda at: at.execute(text("CREATE TABLE notes (note BLOB)")))
    for _ in range(30):
        database.write(lambda at: at.execute(text("INSERT INTO notes VALUES (zeroblob(400000))")))
    size = (tmp_path / "web.sqlite3-wal").stat().st_size
    database.close()
    assert size < 6_000_000
