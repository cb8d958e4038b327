"""The time of a database, with clocks that can be set: jumps, restarts, and several processes."""

from __future__ import annotations

import sqlite3

import pytest

from duels.server.clock import MAX_COUNTED, Clock
from duels.server.config import DAY
from duels.server.database import Database

pytestmark = pytest.mark.slow

HOUR = DAY // 24
LOG_PAGES = 1000
"""Pages at which SQLite moves its write-ahead log into the file, unless it is told otherwise."""


@pytest.fixture
def database(tmp_path):
    opened = Database(f"sqlite:///{tmp_path / 'web.sqlite3'}")
    opened.prepare()
    yield opened
    opened.close()


class Machine:
    """A machine whose clock can be set, and processes on it."""

    def __init__(self, database: Database, seconds: float = 1000.0) -> None:
        self.database, self.monotonic, self.wall = database, seconds, 1_700_000_000_000
        self.clocks: list[Clock] = []

    def start(self, *, by_wall_clock: bool = False) -> Clock:
        """A new process; `by_wall_clock` as with PostgreSQL, whose clock can be set."""
        raw = (lambda _: self.wall) if by_wall_clock else None
        self.clocks.append(Clock(self.database, raw, lambda: self.monotonic))
        return self.clocks[-1]

    def stop(self, *ended: Clock) -> None:
        """These processes end, or all of them."""
        for clock in ended or tuple(self.clocks):
            clock.stop()
            self.clocks.remove(clock)

    def kill(self) -> None:
        """All processes end without a word."""
        for clock in self.clocks:
            clock._unsynced.dispose()
        self.clocks.clear()

    def sleep(self, seconds: float) -> None:
        self.monotonic += seconds
        self.wall += round(seconds * 1000)

    def run(self, seconds: float) -> None:
        """Time passes, and every process keeps its clock going."""
        for _ in range(round(seconds / 0.25)):
            self.sleep(0.25)
            for clock in self.clocks:
                clock.beat()


@pytest.fixture
def machine(database):
    made = Machine(database)
    yield made
    made.stop()


def about(milliseconds: float):
    return pytest.approx(milliseconds, abs=MAX_COUNTED)


def test_time_passes_as_it_does(machine):
    clock = machine.start()
    began = clock.now()
    machine.run(60)
    assert clock.now() - began == pytest.approx(60_000, abs=5)
    machine.sleep(0.1)
    assert clock.now() - began == pytest.approx(60_100, abs=5)


@pytest.mark.parametrize("jump", [8 * DAY, HOUR, 20_000, -20_000, -HOUR, -8 * DAY])
def test_where_the_clock_of_the_database_is_set_nothing_happens(machine, jump):
    clock = machine.start(by_wall_clock=True)
    began = clock.now()
    machine.run(10)
    machine.wall += jump
    machine.run(10)
    assert clock.now() - began == about(20_000)


def test_time_in_which_no_server_runs_is_not_counted(machine):
    before = machine.start()
    machine.run(5)
    last = before.now()
    machine.stop()
    machine.sleep(6)
    after = machine.start()
    assert 0 <= after.now() - last <= MAX_COUNTED
    machine.run(3)
    assert after.now() - last == about(3000)


@pytest.mark.parametrize("by_wall_clock", [False, True])
def test_stops_neither_take_nor_give_time_however_many(machine, by_wall_clock):
    began = machine.start(by_wall_clock=by_wall_clock).now()
    for _ in range(20):
        machine.run(1)
        machine.sleep(0.2)
        machine.stop()
        machine.sleep(0.5)
        clock = machine.start(by_wall_clock=by_wall_clock)
    assert clock.now() - began == pytest.approx(20 * 1200, abs=20)


@pytest.mark.parametrize("away", [0.1, 0.5, 30.0])
def test_kills_take_no_time_however_many(machine, away):
    """Since the last beat a killed process can count nothing: that much is given, and no more."""
    began = machine.start().now()
    for _ in range(20):
        machine.run(1)
        machine.sleep(0.2)
        machine.kill()
        machine.sleep(away)
        clock = machine.start()
    assert 20 * 1000 - 20 <= clock.now() - began <= 20 * 1200


def test_a_second_process_agrees_on_the_time_after_a_beat(machine):
    one = machine.start()
    began = one.now()
    for _ in range(20):
        machine.run(1)
        machine.sleep(0.1)
        two = machine.start()
        machine.sleep(0.15)
        one.beat()
        two.beat()
        assert two.now() == one.now()
        machine.stop(two)
    assert one.now() - began == pytest.approx(20 * 1250, abs=20)


@pytest.mark.parametrize("uptime", [20.0, 5_000_000.0])
def test_the_clock_continues_after_the_machine_restarts(machine, uptime):
    before = machine.start()
    machine.run(5)
    last = before.now()
    machine.stop()
    machine.monotonic = uptime
    after = machine.start()
    assert 0 <= after.now() - last <= MAX_COUNTED
    machine.run(10)
    assert after.now() - last == about(10_000)


def test_processes_agree_and_count_no_time_twice(machine):
    one, two = machine.start(), machine.start()
    began = one.now()
    machine.run(30)
    machine.sleep(0.1)
    assert one.now() == two.now() == pytest.approx(began + 30_100, abs=5)
    machine.stop(one)  # the other goes on alone
    machine.run(30)
    assert two.now() - began == pytest.approx(60_100, abs=5)


def test_a_process_that_did_not_run_for_a_while_does_not_count_it(machine):
    clock = machine.start()
    began = clock.now()
    machine.sleep(100)  # a laptop that was closed, a container that was frozen
    assert clock.now() - began == MAX_COUNTED
    clock.beat()
    assert clock.now() - began == MAX_COUNTED


def test_clocks_stand_still_while_the_database_cannot_be_written(machine, database, tmp_path):
    database.submit(lambda at: at.exec_driver_sql("PRAGMA busy_timeout = 100").all()).result()
    clock = machine.start()
    began = clock.now()
    other = sqlite3.connect(tmp_path / "web.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    for _ in range(20):
        machine.sleep(0.5)
        with pytest.raises(Exception, match=r"locked|^$"):
            clock.beat()
    assert clock.has_stopped
    assert clock.now() - began == MAX_COUNTED
    other.execute("COMMIT")
    other.close()
    clock.beat()
    assert not clock.has_stopped
    assert clock.now() - began == MAX_COUNTED


def test_time_never_goes_back(machine):
    clock = machine.start(by_wall_clock=True)
    seen = []
    for jump in (0, -500, 700, -HOUR, HOUR, -100):
        machine.wall += jump
        machine.run(1)
        machine.sleep(0.1)
        seen.append(clock.now())
    assert seen == sorted(seen)


def test_a_real_clock_runs(database):
    clock = Clock(database)
    clock.start()
    began = clock.now()
    try:
        assert not clock._stopping.wait(1.3)
        assert 1200 < clock.now() - began < 3000
        assert not clock.has_stopped
    finally:
        clock.stop()


def test_the_log_of_sqlite_stays_small_although_only_the_clock_writes(database, tmp_path):
    machine = Machine(database)
    machine.start()
    machine.run(2 * LOG_PAGES / 4)
    pages = (tmp_path / "web.sqlite3-wal").stat().st_size / 4096
    machine.stop()
    assert LOG_PAGES / 2 < pages < 1.5 * LOG_PAGES
