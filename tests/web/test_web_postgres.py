"""Two server processes on one PostgreSQL: players on different ones, and a restart in mid-game."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from servers import Listener, Seat, ServerProcess, create, friends, wait_for, wrong_clock

from duels.server import database as tables
from duels.server.background import clean_up, take_due
from duels.server.clock import Clock
from duels.server.config import DAY, Config
from duels.server.database import Database, SchemaError
from duels.server.storage import Storage, insert, versions
from duels.service.match_handlers import create_match
from duels.service.matches import Matches
from duels.service.requests import NewMatch

LIMITS = {"DUELS_MAX_MATCHES": "10000"}
LATEST = 1_794_838_899_132
"""Milliseconds that need 64 bits."""


@pytest.fixture(scope="module")
def two(postgres, tmp_path_factory):
    """Two servers that start on an empty database; one of them creates its tables."""
    folder, url = tmp_path_factory.mktemp("two"), postgres.get_uri()
    with ThreadPoolExecutor(2) as both:
        servers = list(both.map(lambda _: ServerProcess(folder, url, **LIMITS), range(2)))
    yield servers
    for server in servers:
        server.stop()


def test_players_on_different_servers_see_each_other(two):
    here, there = two
    ann, bob = friends(here.http)
    bob = bob.on(there.http)
    listeners = [Listener(server.url, ann.id) for server in two]
    for ply, move in enumerate([6, 3, 9, 1]):
        assert (ann, bob)[ply % 2].move(ply, move).status_code == 200
        for listener in listeners:
            listener.wait(lambda s, ply=ply: s["ply"] == ply + 1)
    wait_for(lambda: bob.state()["watching"] == 2, 5)
    assert ann.post("resign").status_code == 200
    assert listeners[1].wait(lambda s: s["outcome"])["outcome"]["winner"] == 2
    bob.post("rematch")
    assert listeners[0].wait(lambda s: s["rematch_offer"])["rematch_offer"] == 2
    new_id = ann.post("rematch/answer", agree=True).json()["rematch"]
    assert listeners[1].wait(lambda s: s["rematch"])["rematch"] == new_id


def test_two_servers_cannot_make_two_moves_of_one(two):
    made = create(two[0].http, "number-line-duel", "here", options={"numbers": 40})
    answers: list[int] = []
    together = threading.Barrier(6)

    def race(number: int) -> None:
        with httpx.Client(base_url=two[number % 2].url, timeout=20) as http:
            seat = Seat(http, made["id"], made["token"])
            for ply in range(5):
                together.wait()
                answers.append(seat.move(ply, 6 * ply + number + 1).status_code)

    racers = [threading.Thread(target=race, args=(number,)) for number in range(6)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    assert sorted(answers) == [200] * 5 + [409] * 25


def test_computers_and_clocks_do_their_work_once(two):
    made = create(two[0].http, "number-duel", "computer", level="perfect", first=2)
    ann = Seat(two[1].http, made["id"], made["token"])
    assert wait_for(lambda: (s := ann.state())["ply"] and s, 10)["ply"] == 1
    ann, bob = friends(two[0].http, time_limit=0.5)
    over = wait_for(lambda: (s := bob.on(two[1].http).state())["outcome"] and s, 10)
    assert over["outcome"] == {"winner": 2, "reason": "time"}
    time.sleep(0.5)  # nothing shall happen, though both servers look at what is due
    assert ann.state()["version"] == over["version"]


def test_matches_are_due_and_removed_at_times_beyond_32_bits(postgres):
    postgres.psql("CREATE DATABASE late;")
    config = Config(database=postgres.get_uri("late"))
    database = Database(config.url)
    try:
        database.prepare()
        database.prepare()  # once more does no harm
        database.write(lambda at: at.execute(tables.clock.update().values(served=LATEST)))
        clock = Clock(database)
        now = clock.now()
        assert LATEST <= now <= LATEST + 2000
        made, _ = create_match(NewMatch(game="sequence-duel", mode="here", time_limit=5), LATEST)
        database.write(lambda at: insert(at, made, config))
        match_id, matches = made.match.id, Matches(Storage(database, config), clock)
        assert asyncio.run(matches.get(match_id)).hosted.deadline == LATEST + 5000
        clean_up(database, now, config)
        assert take_due(database, now) == []
        assert take_due(database, LATEST + 5001) == [match_id]
        assert take_due(database, LATEST + 5001) == []  # it is put off
        assert take_due(database, LATEST + 7001) == [match_id]
        clean_up(database, now + 7 * DAY, config)
        assert versions(database, [match_id])
        clean_up(database, now + 8 * DAY, config)
        assert not versions(database, [match_id])
        clock.stop()
        newer = tables.schema_version.update().values(version=99)
        database.write(lambda at: at.execute(newer))
        with pytest.raises(SchemaError, match="The database has version 99 of the schema"):
            database.prepare()
    finally:
        database.close()


@pytest.mark.long
def test_servers_whose_clocks_disagree_end_a_turn_when_it_is_over(two, postgres, tmp_path):
    ahead = ServerProcess(tmp_path, postgres.get_uri(), **wrong_clock(tmp_path / "clock", "+20s"))
    try:
        for here, there in ((two[0], ahead), (ahead, two[0])):
            ann, _ = friends(here.http, time_limit=4)
            listener = Listener(there.url, ann.id)
            began = time.monotonic()
            ann.move(0, 6)
            listener.wait(lambda s: s["outcome"], 20)
            assert 3.5 < time.monotonic() - began < 10
    finally:
        ahead.stop()


def test_a_database_restart_in_mid_game_loses_nothing(two, postgres):
    here, there = two
    ann, bob = friends(here.http, "number-line-duel", options={"numbers": 60})
    bob = bob.on(there.http)
    listener = Listener(there.url, ann.id)
    acknowledged = 0

    def play(number: int) -> None:
        """A client that tries again, as the pages do."""
        nonlocal acknowledged

        def is_made() -> bool:
            done = (ann, bob)[acknowledged % 2].move(acknowledged, number)
            assert done.status_code in (200, 503), done.text
            return done.status_code == 200

        wait_for(is_made, 20)
        acknowledged += 1

    for number in range(1, 11):
        play(number)
    postgres.stop()
    refused = ann.move(acknowledged, 11)
    assert refused.status_code == 503
    assert refused.headers["retry-after"]
    assert here.http.get("/readyz").status_code == 503
    assert here.http.get("/healthz").status_code == 200
    postgres.start()
    for number in range(11, 21):
        play(number)
    assert ann.state()["moves"] == [str(number) for number in range(1, 21)]
    listener.wait(lambda s: s["ply"] == 20)
    began = time.monotonic()  # the servers hear each other again, and not by polling
    play(21)
    listener.wait(lambda s: s["ply"] == 21)
    assert time.monotonic() - began < 1.5
