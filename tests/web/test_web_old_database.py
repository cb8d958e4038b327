"""A database that an earlier version has written is served for ever."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest
from servers import Seat, wait_for

OLD = Path(__file__).parents[1] / "old" / "0.1.0"
PINNED = json.loads((OLD / "pinned.json").read_text(encoding="utf-8"))
MATCHES = PINNED["web"]
SEATS = json.loads((OLD / "web-seats.json").read_text(encoding="utf-8"))
SAME = (
    *("id", "mode", "public", "game", "options", "joined", "seconds", "moves"),
    *("outcome", "takeback", "rematch", "show_moves"),
)


def facts(state):
    """What a state says, as it is pinned: the only place that knows today's names of fields."""
    limit = state["clock"] and state["clock"]["limit"]
    players = [{"name": one["name"], "kind": one["kind"]} for one in state["players"]]
    return {name: state[name] for name in SAME} | {"players": players, "limit": limit}


@pytest.fixture
def old_server(call, start_server, tmp_path):
    """A server of today with a copy of the database, brought up to date."""
    database = tmp_path / "old.sqlite3"
    shutil.copy(OLD / "web.sqlite3", database)
    done = call("migrate", "--database", str(database))
    assert done.returncode == 0, done.stderr
    return start_server(str(database))


@pytest.fixture
def sit(old_server):
    """Somebody with the secret of a seat."""

    def take_seat(what, player):
        match_id = MATCHES[what]["id"]
        return Seat(old_server.http, match_id, SEATS[match_id][str(player)])

    return take_seat


def test_every_match_is_what_it_was(old_server, sit):
    wait_for(lambda: facts(sit("a clock that ran on", 2).state())["outcome"], 10)
    for match in MATCHES.values():
        state = old_server.http.get(f"/api/matches/{match['id']}").json()
        assert facts(state) == match
        if match["outcome"]:
            review = old_server.http.get(f"/api/matches/{match['id']}/review")
            assert len(review.json()["moves"]) == len(match["moves"])
    listed = old_server.http.get("/api/matches").json()["matches"]
    assert [match["id"] for match in listed] == [MATCHES["public"]["id"]]


def test_a_computer_that_gave_way_to_a_name_is_known_again(start_server, tmp_path):
    database, match_id = tmp_path / "old.sqlite3", MATCHES["against casual"]["id"]
    shutil.copy(OLD / "web.sqlite3", database)
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE matches SET player2 = 'casual (2)' WHERE id = ?", [match_id])
    connection.close()
    state = Seat(start_server(str(database)).http, match_id, None).state()
    assert state["players"][1] == {"name": "casual (2)", "kind": "computer", "computer": "casual"}


def test_people_play_on_with_their_secrets_and_computers_answer(sit):
    def play(what, player, move, answers):
        seat, before = sit(what, player), MATCHES[what]["moves"]
        assert seat.move(len(before), move).status_code == 200
        plies = len(before) + 1 + answers
        wait_for(lambda: len(facts(seat.state())["moves"]) == plies, 5)
        assert facts(seat.state())["moves"][: len(before) + 1] == [*before, move]

    play("against casual", 1, "2", answers=1)
    play("against perfect, who began", 2, "4", answers=1)
    play("the rematch", 2, "8", answers=0)
    play("public", 2, "1-2", answers=0)


def test_what_was_asked_between_players_is_answered(sit):
    bob = sit("a takeback is asked for", 2)
    assert facts(bob.post("takeback/answer", ply=3, agree=True).json())["moves"] == ["5-6", "1"]
    joined = facts(sit("nobody has joined", 2).post("join", name="Bob").json())
    assert [player["name"] for player in joined["players"]] == ["Ann", "Bob"]
    again = sit("resigned", 2).post("rematch").json()
    assert again["rematch"] == MATCHES["the rematch"]["id"]
