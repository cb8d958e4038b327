"""A database that an earlier version has written is served for ever."""

from __future__ import annotations

import json
import shutil
import sqlite3

import pytest
from servers import Seat, serving, wait_for
from taught import Class

from duels.server.config import Config
from old_versions import OLD, PINNED, includes

MATCHES = {version: pinned["web"] for version, pinned in PINNED.items()}
SEATS = {
    version: json.loads((OLD / version / "web-seats.json").read_text(encoding="utf-8"))
    for version in PINNED
}
RAN_ON = "a clock that ran on"
OWN = "a-secret-that-a-device-has-made"


def facts(state):
    """What a state says, as it is pinned: the only place that knows today's names of fields."""
    return state | {"limit": state["clock"] and state["clock"]["limit"]}


@pytest.fixture(params=PINNED)
def version(request):
    return request.param


@pytest.fixture
def http(call, tmp_path, version):
    """A client of today's application with a copy of the database, brought up to date."""
    database = tmp_path / "old.sqlite3"
    shutil.copy(OLD / version / "web.sqlite3", database)
    done = call("migrate", "--database", str(database))
    assert done.returncode == 0, done.stderr
    with serving(Config(database=str(database))) as client:
        yield client


@pytest.fixture
def sit(http, version):
    """Somebody with the secret of a seat."""

    def take_seat(what, player):
        match_id = MATCHES[version][what]["id"]
        return Seat(http, match_id, SEATS[version][match_id][str(player)])

    return take_seat


def test_every_match_is_what_it_was(http, version):
    for what, match in MATCHES[version].items():
        state = http.get(f"/api/matches/{match['id']}").json()
        assert what == RAN_ON or includes(facts(state), match), what
        if state["outcome"]:
            review = http.get(f"/api/matches/{match['id']}/review")
            assert len(review.json()["moves"]) == len(match["moves"])
    listed = http.get("/api/matches").json()["matches"]
    assert [match["id"] for match in listed] == [MATCHES[version]["public"]["id"]]


@pytest.mark.slow
def test_a_clock_runs_out(sit, version):
    (player,) = SEATS[version][MATCHES[version][RAN_ON]["id"]]
    seat = sit(RAN_ON, player)
    wait_for(lambda: seat.state()["outcome"], 10)
    assert includes(facts(seat.state()), MATCHES[version][RAN_ON])


def test_a_computer_that_gave_way_to_a_name_is_known_again(start_server, tmp_path):
    database, match_id = tmp_path / "old.sqlite3", MATCHES["0.1.0"]["against casual"]["id"]
    shutil.copy(OLD / "0.1.0" / "web.sqlite3", database)
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE matches SET player2 = 'casual (2)' WHERE id = ?", [match_id])
    connection.close()
    state = Seat(start_server(str(database)).http, match_id, None).state()
    assert state["players"][1] == {"name": "casual (2)", "kind": "computer", "computer": "casual"}


def test_people_play_on_with_their_secrets_and_computers_answer(sit, version):
    def play(what, player, answers):
        seat, before = sit(what, player), MATCHES[version][what]["moves"]
        move = seat.state()["legal"][0]
        assert seat.move(len(before), move).status_code == 200
        plies = len(before) + 1 + answers
        wait_for(lambda: len(facts(seat.state())["moves"]) == plies, 5)
        assert facts(seat.state())["moves"][: len(before) + 1] == [*before, move]

    play("against casual", 1, answers=1)
    play("against perfect, who began", 2, answers=1)
    play("the rematch", 2, answers=0)
    play("public", 2, answers=0)


def test_what_was_asked_between_players_is_answered(sit, version):
    bob = sit("a takeback is asked for", 2)
    assert facts(bob.post("takeback/answer", ply=3, agree=True).json())["moves"] == ["5-6", "1"]
    joined = facts(sit("nobody has joined", 2).post("join", name="Bob", token=OWN).json())
    assert [player["name"] for player in joined["players"]] == ["Ann", "Bob"]
    again = sit("resigned", 2).post("rematch").json()
    assert again["rematch"] == MATCHES[version]["the rematch"]["id"]


# What came after 0.1.0


@pytest.mark.parametrize("version", ["1.0.0"])
def test_offers_invitations_and_hints_are_known(http, sit):
    offered = sit("a rematch is offered", 2)
    following = offered.post("rematch/answer", agree=True).json()["rematch"]
    state = Seat(http, following, offered.token).state()
    assert (state["score"], state["you"]) == ([1, 0], [1])
    invited = sit("invited to another device", 2)
    assert invited.post("join", token=OWN).status_code == 200
    assert Seat(http, invited.id, OWN).state()["you"] == [2]
    assert sit("against a strength, with hints", 1).post("resign").json()["hints"] == [2, 0]


@pytest.mark.parametrize("version", ["1.0.0"])
def test_a_class_goes_on_with_its_teacher(http):
    pinned, known = PINNED["1.0.0"]["class"], SEATS["1.0.0"]["class"]
    lesson = Class(http, known["code"], known["teacher"])
    wall = lesson.get().json()
    assert includes(wall, pinned)
    lesson.post("pause", paused=False)
    zoe = Seat(http, pinned["boards"][0]["match"], known["pupils"]["Zoe"])
    assert lesson.get(zoe.token).json()["match"] == zoe.id
    assert zoe.move(1, "3").json()["moves"] == ["6", "3"]
    noah = wall["pupils"][1]
    lesson.post("pupils", pupil=noah["id"], let_in=noah["asking"][0]["device"])
    assert lesson.get(known["asking"]).json()["name"] == "Noah"
    lesson.finish(known["pupils"].values())
    again = lesson.post("rounds", round=3).json()
    assert (again["round"], len(again["boards"])) == (3, 2)
    assert [pupil["points"] for pupil in again["pupils"]] == [0, 1, 1]
