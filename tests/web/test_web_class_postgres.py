"""A class on PostgreSQL: rows are locked, all of it is removed, a kill loses nothing."""

from __future__ import annotations

import secrets
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from servers import ServerProcess
from sqlalchemy import text
from taught import PLAN, Class, bearer, killed_in_mid_round

from duels.server.background import remove_classes
from duels.server.config import DAY, Config
from duels.server.database import Database

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def url(postgres):
    return postgres.get_uri()


@pytest.fixture(scope="module")
def two(url, tmp_path_factory):
    """Two servers on one database."""
    folder = tmp_path_factory.mktemp("two")
    servers = [ServerProcess(folder, url, DUELS_MAX_MATCHES="10000") for _ in range(2)]
    yield servers
    for server in servers:
        server.stop()


@pytest.fixture
def database(url):
    opened = Database(Config(database=url).url)
    yield opened
    opened.close()


def everywhere(two, calls):
    """The answers to calls that are made at once, at one server and the other in turn."""

    def call(numbered):
        number, (path, body, secret) = numbered
        with httpx.Client(base_url=two[number % 2].url, timeout=30) as http:
            return http.post(path, json=body, headers=bearer(secret))

    with ThreadPoolExecutor(8) as many:
        return list(many.map(call, enumerate(calls)))


def test_two_servers_fill_one_class_and_begin_its_round_once(two):
    lesson = Class(two[0].http)
    path = f"/api/classes/{lesson.code}"
    tokens = [secrets.token_urlsafe(24) for _ in range(40)]
    names = [f"Pupil {number // 2}" for number in range(40)]  # each is typed twice
    joins = [
        (f"{path}/join", {"name": name, "token": token}, token)
        for name, token in zip(names, tokens, strict=True)
    ]
    roles = [answer.json()["role"] for answer in everywhere(two, joins)]
    assert (roles.count("pupil"), roles.count("waiting")) == (20, 20)
    pupils = lesson.get().json()["pupils"]
    assert sorted(pupil["name"] for pupil in pupils) == sorted(set(names))
    assert [len(pupil["waiting_devices"]) for pupil in pupils] == [1] * 20
    lesson.post("plan", **PLAN)
    begun = everywhere(two, [(f"{path}/rounds", {"round": 1}, lesson.teacher)] * 8)
    assert {answer.status_code for answer in begun} == {200}
    boards = [{board["match"] for board in answer.json()["boards"]} for answer in begun]
    assert len(boards[0]) == 10
    assert all(one == boards[0] for one in boards)


def test_a_class_is_removed_a_day_after_the_last_move(two, database):
    lesson, other = Class(two[0].http), Class(two[1].http)
    lesson.join("Mia")
    match = lesson.begin()["boards"][0]["match"]
    this = {"code": lesson.code, "two": 2 * DAY}
    older = text(
        "UPDATE classes SET updated = updated - :two, expires = expires - :two WHERE code = :code"
    )
    database.write(lambda at: at.execute(older, this))
    last = text("SELECT updated FROM matches WHERE id = :id")
    now = database.read(lambda at: at.execute(last, {"id": match}).scalar_one())
    remove_classes(database, now)
    assert lesson.get().status_code == 200
    ages = text("UPDATE matches SET updated = updated - :two WHERE class_code = :code")
    database.write(lambda at: at.execute(ages, this))
    database.write(lambda at: at.execute(older, this))
    remove_classes(database, now)
    assert lesson.get().status_code == 404
    left = text("SELECT count(*) FROM matches WHERE class_code = :code")
    assert database.read(lambda at: at.execute(left, {"code": lesson.code}).scalar()) == 0
    assert other.get().status_code == 200
    assert other.post("end").status_code == 200
    assert other.get().status_code == 404


def test_a_class_of_thirty_survives_a_kill_in_mid_round(start_server, url):
    killed_in_mid_round(lambda: start_server(url))
