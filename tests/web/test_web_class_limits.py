"""What a class may do, and who pays for it: guesses, joins, streams, work; how long it lasts."""

from __future__ import annotations

import asyncio
import secrets
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from servers import serving
from sqlalchemy import text
from taught import PLAN, Class, bearer, killed_in_mid_round, seen_at

from duels.server.background import remove_classes
from duels.server.config import DAY, Config
from duels.server.database import Database
from duels.server.rate_limits import RateLimiter
from duels.server.solver_pool import SolverPool
from duels.service.requests import Request


@pytest.fixture
def start(tmp_path):
    """A class on a server with limits of its own."""
    opened = []

    def begin(**limits):
        server = serving(Config(database=str(tmp_path / "web.sqlite3"), **limits))
        opened.append(server)
        return Class(server.__enter__())

    yield begin
    for server in opened:
        server.__exit__(None, None, None)


def guess(http, path="", codes=104):
    return [http.get(f"/api/classes/{code:05d}{path}").status_code for code in range(codes)]


def test_codes_cannot_be_guessed_for_long_and_members_do_not_pay_for_it(start):
    lesson = start()
    http, mia = lesson.http, lesson.join("Mia")
    asking = secrets.token_urlsafe(24)
    lesson.post("join", name="Mia", token=asking)
    statuses = guess(http)
    assert set(statuses[:100]) == {404}
    assert set(statuses[101:]) == {429}
    for path in ("", "/events", "/results"):  # for a stranger
        assert http.get(f"/api/classes/{lesson.code}{path}").status_code == 429
        assert http.get(f"/api/classes/aaaaa{path}").status_code == 429
    for code in (lesson.code, "aaaaa"):
        path = f"/api/classes/{code}/pause"
        assert http.post(path, json={"paused": True}, headers=bearer("guess")).status_code == 429
    for secret in (None, mia, asking):
        view = lesson.get(secret)
        assert view.status_code == 200
        path = f"/api/classes/{lesson.code}/events?key={view.json()['stream_key']}"
        with http.stream("GET", path) as opened:
            assert opened.status_code == 200
    assert lesson.post("join", name="Mia", token=mia).status_code == 200


@pytest.mark.parametrize("path", ["/events", "/results"])
def test_no_way_to_guess_a_code_is_free(start, path):
    statuses = guess(start().http, path)
    assert set(statuses[:100]) == {404}
    assert set(statuses[101:]) == {429}


def test_a_removed_pupil_has_no_key_any_more(start):
    lesson = start()
    mia = lesson.join("Mia")
    key = lesson.get(mia).json()["stream_key"]
    lesson.post("pupils", pupil=lesson.get().json()["pupils"][0]["id"], remove=True)
    refused = lesson.http.get(f"/api/classes/{lesson.code}/events?key={key}")
    assert (refused.status_code, refused.json()["detail"]) == (
        403,
        "This key does not belong to this class.",
    )
    assert lesson.get(mia).json()["stream_key"] is None


def test_the_streams_of_a_class_are_its_own(start):
    """A school is one address; what one class has open does not keep another one out."""
    one = start(max_streams=3)
    two = Class(one.http)
    mia = one.join("Mia")
    match = one.begin()["boards"][0]["match"]
    key = one.get(mia).json()["stream_key"]
    streams = [f"/api/classes/{one.code}/events?key={key}", f"/api/matches/{match}/events"]
    with (
        one.http.stream("GET", streams[0]),
        one.http.stream("GET", streams[0]),
        one.http.stream("GET", streams[1]),
    ):
        for path in streams:
            full = one.http.get(path)
            assert (full.status_code, full.json()["detail"]) == (
                429,
                "At most 3 event streams can be open in one class.",
            )
        others = f"/api/classes/{two.code}/events?key={two.get().json()['stream_key']}"
        for path in (others, f"/api/classes/{one.code}/events"):  # also at the door
            with one.http.stream("GET", path) as opened:
                assert opened.status_code == 200


def test_the_work_and_the_games_of_a_class_are_its_own(start):
    lesson = start(max_solver_seconds=0.001, max_matches=2)
    mia = lesson.join("Mia")
    match = lesson.begin()["boards"][0]["match"]
    lesson.http.post(f"/api/matches/{match}/resign", headers=bearer(mia))
    line = {"game": "number-duel", "options": {"numbers": 100}, "moves": []}
    for _ in range(3):  # until the class has asked for too much
        said = lesson.post("solve", **line)
    assert said.status_code == 429
    assert said.json()["detail"].startswith("Too many requests in one class")
    for path in (f"/api/matches/{match}/review", f"/api/classes/{lesson.code}/results"):
        assert lesson.http.get(path, headers=bearer(lesson.teacher)).status_code == 429
    assert lesson.http.post("/api/solve", json=line).status_code == 200  # the address has not
    assert lesson.post("solve", mia, **line).status_code == 403
    lesson.begin(2)
    full = lesson.post("rounds", round=3)
    assert (full.status_code, full.json()["detail"]) == (
        429,
        "At most 2 matches an hour can be created in one class.",
    )
    assert lesson.get().json()["round"] == 2
    created = {"game": "sequence-duel", "mode": "here"}
    assert lesson.http.post("/api/matches", json=created).status_code == 201


@pytest.mark.slow
def test_a_new_class_is_not_served_before_others():
    """An address without requests is served before one that has made new classes."""

    async def wait_in_turn():
        pool, order = SolverPool(RateLimiter(1)), []
        busy = Request(client="busy").charged_to("abcde")
        await pool.run(busy, sum, range(3_000_000))

        async def ask(name, asked, seconds=0.0):
            await pool.run(asked, time.sleep, seconds)
            order.append(name)

        waiting = [asyncio.create_task(ask("now", busy, 0.3))]
        await asyncio.sleep(0)  # it has its turn
        for name, asked in (
            ("new class", busy.charged_to("fghij")),
            ("other", Request(client="other")),
        ):
            waiting.append(asyncio.create_task(ask(name, asked)))
        await asyncio.gather(*waiting)
        pool.stop()
        return order

    assert asyncio.run(wait_in_turn()) == ["now", "other", "new class"]


def test_many_more_join_than_a_class_has_room_for(start):
    """All at once: the class fills up, each pupil joins once, and the others get an error."""
    lesson = start()
    tokens = [secrets.token_urlsafe(24) for _ in range(90)]
    with ThreadPoolExecutor(8) as crowd:
        answers = list(crowd.map(lambda token: lesson.post("join", token=token), tokens))
    refused = [one for one in answers if one.status_code != 200]
    assert {(one.status_code, one.json()["detail"]) for one in refused} == {
        (409, "This class is full: it has 60 pupils.")
    }
    names = [pupil["name"] for pupil in lesson.get().json()["pupils"]]
    assert len(set(names)) == len(names) == 60 == len(answers) - len(refused)
    inside = next(token for token, one in zip(tokens, answers, strict=True) if one.is_success)
    device = {"name": lesson.get(inside).json()["name"], "token": secrets.token_urlsafe(24)}
    assert lesson.post("join", **device).json()["role"] == "waiting"  # a pupil's other device


def test_two_with_one_name_at_once_are_one_pupil_and_one_who_asks(start):
    lesson = start()
    tokens = [secrets.token_urlsafe(24) for _ in range(2)]
    with ThreadPoolExecutor(2) as both:
        roles = list(
            both.map(lambda one: lesson.post("join", name="Ann", token=one).json()["role"], tokens)
        )
    assert sorted(roles) == ["pupil", "waiting"]


def test_a_class_lasts_a_day_from_whatever_was_last_done_in_it(start, tmp_path):
    lesson = start()
    mia = lesson.join("Mia")
    match = lesson.begin()["boards"][0]["match"]
    database = Database(f"sqlite:///{tmp_path / 'web.sqlite3'}")
    older = text("UPDATE classes SET updated = updated - :day, expires = expires - :day")
    try:
        database.write(lambda at: at.execute(older, {"day": 2 * DAY}))
        now = database.read(
            lambda at: at.execute(text("SELECT max(updated) FROM matches")).scalar()
        )
        remove_classes(database, now + DAY - 1)  # the class was made long ago, and is played
        assert seen_at(lesson, match, mia)["you"]
        remove_classes(database, now + DAY)
    finally:
        database.close()
    assert lesson.get().status_code == 404
    assert lesson.http.get(f"/api/matches/{match}").status_code == 404


def test_a_class_of_thirty_survives_a_kill_in_mid_round(start_server):
    killed_in_mid_round(start_server)


def test_a_class_continues_without_the_game_that_it_has_played(start_server, pytestconfig):
    """An added game is removed from the server: its boards say so, the rest continues."""
    own = pytestconfig.rootpath / "docs" / "examples" / "square_duel.py"
    server = start_server(game=own)
    lesson = Class(server.http)
    mia, noah = lesson.join("Mia"), lesson.join("Noah")
    (board,) = lesson.begin(plan={"game": "square-duel"})["boards"]
    server.stop()
    lesson.http = start_server().http
    why = "This match is saved, but its game, square-duel, is not here."
    view = lesson.get().json()
    assert view["plan"] is None
    assert view["why"] == "The game square-duel is no longer on this server: choose another one."
    names = view["unreadable"][0]["names"]
    assert view["unreadable"] == [{"match": board["match"], "names": names, "why": why}]
    assert (sorted(names), view["boards"]) == (["Mia", "Noah"], [])
    seen = lesson.get(mia).json()
    assert (seen["match"], seen["why"]) == (None, why)
    late = [lesson.join("Ida"), lesson.join("Ole")]  # they wait: there is nothing to play
    assert lesson.get(late[0]).json()["match"] is None
    refused = lesson.post("rounds", round=2)
    assert (refused.status_code, refused.json()["detail"]) == (409, view["why"])
    ruled = lesson.post("rulings", match=board["match"], winner=1)
    assert (ruled.status_code, ruled.json()["detail"]) == (409, why)
    for what, body in (("pause", {"paused": True}), ("pause", {"paused": False}), ("plan", PLAN)):
        assert lesson.post(what, **body).status_code == 200
    rename = {"pupil": view["pupils"][0]["id"], "name": "Maya"}
    assert lesson.post("pupils", **rename).status_code == 200
    state = lesson.begin(2)
    assert (len(state["boards"]), state["unreadable"]) == (2, [])
    assert all(lesson.get(token).json()["match"] for token in (mia, noah, *late))
    assert lesson.get(rest="/results").status_code == 200
    assert lesson.post("end").status_code == 200
