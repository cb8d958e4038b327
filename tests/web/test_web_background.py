"""The background work of a server: a failure in one match never blocks another."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import suppress
from dataclasses import replace
from types import SimpleNamespace

import msgspec
import pytest

from duels.server.background import MARKED_FOR, MAX_DELAY, MIN_DELAY, clean_up, take_due
from duels.server.config import DAY, Config
from duels.server.database import Database
from duels.server.storage import Storage, insert, listed_matches, save_watchers
from duels.service.hosted import choose_move, end_if_out_of_time
from duels.service.match_handlers import create_match
from duels.service.matches import Matches
from duels.service.requests import NewMatch


async def choose_at_once(match):
    return choose_move(match)


class Server:
    """The matches of a server and its chores, at a time that the test says."""

    def __init__(self, file, **config) -> None:
        self.file, self.config = file, Config(**config)
        self.database = Database(f"sqlite:///{file}")
        self.database.prepare()
        self.now = 1000
        clock = SimpleNamespace(now=lambda: self.now)
        self.matches = Matches(Storage(self.database, self.config), clock)

    def add(self, mode="here", config=None, **more) -> str:
        made = create_match(NewMatch(game="sequence-duel", mode=mode, **more), self.now)[0]
        self.database.write(lambda at: insert(at, made, config or self.config))
        return made.match.id

    def act(self) -> list[str]:
        """One look at what is due; the matches that were taken."""
        taken = take_due(self.database, self.now)
        for match_id in taken:
            with suppress(msgspec.DecodeError):  # of a row that a test has broken
                asyncio.run(self.matches.act(match_id, choose_at_once))
        return taken

    def clean(self) -> None:
        clean_up(self.database, self.now, self.config)

    def row(self, match_id: str) -> dict:
        with sqlite3.connect(self.file) as connection:
            connection.row_factory = sqlite3.Row
            found = connection.execute("SELECT * FROM matches WHERE id = ?", [match_id]).fetchone()
        connection.close()
        return dict(found) if found else {}

    def document(self, match_id: str) -> dict:
        return json.loads(self.row(match_id)["document"])

    def break_row(self, match_id: str, change: str) -> None:
        with sqlite3.connect(self.file) as connection:
            connection.execute(f"UPDATE matches SET {change} WHERE id = ?", [match_id])
        connection.close()


@pytest.fixture
def server(tmp_path):
    running = Server(tmp_path / "web.sqlite3")
    yield running
    running.database.close()


def test_matches_made_under_other_settings_stop_no_clock(server):
    hasty = Config(abandoned_days=1 / DAY)
    old = [server.add(config=hasty) for _ in range(60)]
    timed = server.add(time_limit=5)
    computers = server.add("computer", first=2)
    server.now += 6000
    server.clean()
    assert set(server.act()) == {timed, computers}
    assert server.document(timed)["ended"][1] == "time"
    assert server.document(computers)["ply"] == 1
    assert server.act() == []
    server.clean()
    assert {server.row(match_id)["expires"] for match_id in old} == {1000 + 7 * DAY}


def test_a_move_leaves_the_time_of_a_check_and_the_end_of_a_match_sets_it(server):
    match_id = server.add(time_limit=5)
    server.now += 2000
    asyncio.run(server.matches.change(match_id, lambda it, now: replace(it, turn_started=now)))
    assert (server.row(match_id)["expires"], server.row(match_id)["updated"]) == (
        1000 + 7 * DAY,
        3000,
    )
    server.now = 1000 + 7 * DAY
    server.clean()  # too early: it has changed since
    row = server.row(match_id)
    assert (row["expires"], row["marked"]) == (3000 + 7 * DAY, None)
    asyncio.run(server.matches.change(match_id, end_if_out_of_time))
    assert server.row(match_id)["expires"] == server.now + 365 * DAY


def test_a_row_that_cannot_be_read_is_put_aside_for_longer_each_time(server):
    bad, good = server.add(time_limit=5), server.add(time_limit=5)
    whole = server.row(bad)["document"]
    server.break_row(bad, "document = '{'")
    server.now += 6000
    assert set(server.act()) == {bad, good}
    taken = []
    for _ in range(40 * 5):  # forty seconds
        server.now += 200
        taken += [server.now - 7000 for _ in server.act()]
    waits = [later - earlier for earlier, later in zip([0, *taken], taken, strict=False)]
    assert waits == [MIN_DELAY, 2 * MIN_DELAY, 4 * MIN_DELAY, 8 * MIN_DELAY]
    assert server.document(good)["ended"][1] == "time"

    server.break_row(bad, f"document = '{whole}'")  # and when it is mended
    server.now += 20 * MIN_DELAY
    assert server.act() == [bad]
    assert (server.document(bad)["ended"][1], server.row(bad)["failures"]) == ("time", 0)


def test_the_delay_ends_at_a_day(server):
    bad = server.add(time_limit=5)
    server.break_row(bad, "document = '{', failures = 1000")
    server.now += 6000
    assert server.act() == [bad]
    assert server.row(bad)["due"] == server.now + MAX_DELAY


def test_many_that_fail_or_take_long_leave_the_others_their_turn(server):
    bad = [server.add(time_limit=1) for _ in range(120)]
    for match_id in bad:
        server.break_row(match_id, "document = '{'")
    good = server.add(time_limit=1.5)
    server.now += 2000
    looks = next(look for look in range(1, 10) if good in server.act())
    assert looks == 3  # fifty at a time
    assert server.document(good)["ended"][1] == "time"


def test_what_was_looked_at_in_vain_is_due_when_something_is_to_be_done(server):
    timed, untimed = server.add(time_limit=60), server.add()
    for match_id in (timed, untimed):
        server.break_row(match_id, "due = 0, failures = 3")
    assert set(server.act()) == {timed, untimed}
    assert (server.row(timed)["due"], server.row(timed)["failures"]) == (61_000, 0)
    assert (server.row(untimed)["due"], server.row(untimed)["failures"]) == (None, 0)


def test_a_match_is_marked_at_the_end_of_its_days_and_removed_a_day_later(server):
    match_id = server.add()
    server.now += 7 * DAY - 1
    server.clean()
    assert server.row(match_id)["marked"] is None
    server.now += 1
    server.clean()
    assert server.row(match_id)["marked"] == server.now
    server.now += MARKED_FOR - 1
    server.clean()
    assert server.row(match_id)
    server.now += 1
    server.clean()
    assert not server.row(match_id)


def test_opening_the_page_of_an_expiring_match_keeps_it(server):
    match_id = server.add()
    server.now += 7 * DAY
    server.clean()
    save_watchers(server.database, "here", {match_id: {("somebody", False): 1}}, server.now, 60_000)
    assert server.row(match_id)["marked"] is None
    server.now += MARKED_FOR
    server.clean()  # nobody came back since; from now on there is one more day
    assert server.row(match_id)["marked"] == server.now


def test_a_match_with_a_spectator_is_not_removed(server):
    match_id = server.add()
    streams = {match_id: {("somebody", False): 1}}
    save_watchers(server.database, "here", streams, server.now, 20 * DAY)
    for _ in range(4):
        server.now += 4 * DAY
        server.clean()
    assert server.row(match_id)["marked"]
    server.now += 5 * DAY
    server.clean()
    assert not server.row(match_id)


def test_a_match_whose_game_is_not_here_is_neither_acted_on_nor_removed(server):
    match_id = server.add(time_limit=5)
    server.break_row(match_id, "game = 'unheard-of'")
    for _ in range(5):
        server.now += 400 * DAY
        assert server.act() == []
        server.clean()
    assert server.row(match_id)["marked"] is None
    server.break_row(match_id, "game = 'sequence-duel'")
    assert server.act() == [match_id]


@pytest.mark.parametrize(
    "change",
    [
        "document = '{'",
        "document = x'ff'",
        "document = CAST(x'ff' AS TEXT)",
        "document = json_set(document, '$.ply', 'x')",
        "document = json_set(document, '$.seats', 5)",
        "document = json_remove(document, '$.seats')",
    ],
)
def test_one_row_that_cannot_be_read_leaves_the_public_list_to_the_others(server, change):
    good, bad, last = (server.add(public=True) for _ in range(3))
    server.break_row(bad, change)
    assert {one.id for one in server.database.read(listed_matches)} == {good, last}
