"""Servers whose wall clocks are wrong or jump, or that were away, and how long turns are then."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, NamedTuple

from attacks import compared, name_of, start
from crowd import Crowd, Figures
from servers import Seat, friends, wrong_clock

OLD_MATCHES = 5
REMOVAL_SECONDS = 2.5
"""Nothing shall be removed in this time, which was once enough to remove everything."""


def jumps(folder: Path, database: str, offsets: tuple[str, ...], limit: float) -> Figures:
    """The wall clock jumps in the middle of a turn, and is still wrong after a restart."""
    clock = folder / "clock"
    environment = wrong_clock(clock)
    server = start(folder, database, **environment)
    old = [_one_move(server.http) for _ in range(OLD_MATCHES)]
    name = name_of(f"clock jumps {', '.join(offsets)}", database)
    with Crowd(name, server.url, players=2) as crowd:
        for offset in offsets:
            turn = Turn(server.http, limit)
            time.sleep(limit / 3)
            clock.write_text(offset)
            crowd.figures.faults += 1
            turn.watch(server.http, crowd.figures, f"{offset}, ")
        server.kill()
        clock.write_text(offsets[0])
        server = start(folder, database, port=server.port, **environment)
        Turn(server.http, limit).watch(server.http, crowd.figures, f"started at {offsets[0]}, ")
        time.sleep(REMOVAL_SECONDS)
        crowd.play(20)
        if gone := sum("moves" not in seat.on(server.http).state() for seat in old):
            crowd.figures.wrong["matches removed"] = gone
    return compared(crowd, server)


def two_clocks(folder: Path, url: str, offset: str, limit: float) -> Figures:
    """Two servers on one PostgreSQL, one of them with another idea of the time."""
    right = start(folder, url)
    wrong = start(folder, url, **wrong_clock(folder / "clock", offset))
    name = name_of(f"two servers, one {offset}", url)
    with Crowd(name, right.url, wrong.url, players=4) as crowd:
        crowd.play(20)
        for here, there, what in ((right, wrong, "right"), (wrong, right, "wrong")):
            Turn(here.http, limit).watch(there.http, crowd.figures, f"from the {what} one, ")
        crowd.figures.faults = 1
        crowd.play(20)
    wrong.stop()
    return compared(crowd, right)


def downtime(folder: Path, database: str, limit: float, away: float) -> Figures:
    """A server that is away for longer than a turn takes: the player has the rest of it."""
    server = start(folder, database)
    with Crowd(name_of("downtime", database), server.url, players=2) as crowd:
        crowd.play(20)
        turn = Turn(server.http, limit)
        time.sleep(limit / 3)
        server.kill()
        killed = time.monotonic()
        time.sleep(away)
        server = start(folder, database, port=server.port)
        left = limit - (killed - turn.began)
        state = turn.seat.on(server.http).state()
        if state["outcome"]:
            crowd.figures.wrong["lost by downtime"] = 1
        else:
            has = (state["clock"]["deadline"] - state["clock"]["now"]) / 1000
            crowd.figures.notes["time that downtime and starting took"] = left - has
        crowd.figures.faults = 1
        crowd.play(20)
    return compared(crowd, server)


class Turn:
    """A turn on the clock of a server, watched from its beginning to its end."""

    def __init__(self, http: Any, limit: float) -> None:
        self.seat = _one_move(http, time_limit=limit)
        self.limit = limit
        self.began = time.monotonic()
        self._first = self._look()

    def watch(self, http: Any, figures: Figures, when: str = "") -> None:
        """Note how much too long the turn was, and how wrong the server's clock was meanwhile."""
        self.seat, off = self.seat.on(http), 0.0
        while look := self._look():
            passed = look.now - self._first.now
            shortest, longest = look.asked - self._first.told, look.told - self._first.asked
            off = max(off, shortest - passed, passed - longest)
            time.sleep(0.05)
            assert time.monotonic() < self.began + 60, "the turn does not end"
        figures.notes[f"{when}turn too long by"] = time.monotonic() - self.began - self.limit
        figures.notes[f"{when}clock wrong by"] = off

    def _look(self) -> Look | None:
        """What the server's clock says; None when the turn is over."""
        asked = time.monotonic()
        state = self.seat.state()
        told = time.monotonic()
        return None if state["outcome"] else Look(asked, told, state["clock"]["now"] / 1000)


class Look(NamedTuple):
    """When a client requested the time, when it got the response, and the time in it."""

    asked: float
    told: float
    now: float


def _one_move(http: Any, **more: Any) -> Seat:
    """Ann's seat in a match in which it is Bob's turn."""
    ann, _ = friends(http, "number-line-duel", **more)
    assert ann.move(0, 5).status_code == 200
    return ann
