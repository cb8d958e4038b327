"""A game that is not one of ours, on a server that was started with it, and on one that was not."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

import httpx
import pytest
from servers import Listener, Seat, ServerProcess, create, friends, wait_for

SQUARE = Path(__file__).parents[2] / "docs" / "examples" / "square_duel.py"
pytestmark = pytest.mark.slow

BAD = '''
from duels.core.states import StateGame

class BadDuel(StateGame):
    """Its sample cannot be shown."""
    id, title, summary, sample = "bad-duel", "Bad Duel", "It is listed nowhere.", ("1", "1")
    def first(self): return 3
    def allowed(self, state): return (1,)[:state]
    def after(self, state, move): return state - move
    def words(self, state): return str(6 // (state - 1))
'''


FAULTY = '''
from duels.core.states import StateGame

class FaultyDuel(StateGame):
    """Whoever looks far enough ahead finds a fault."""
    id, title, summary = "faulty-duel", "Faulty Duel", "Take one or two of twelve stones."
    def first(self): return 12
    def allowed(self, state): return (1, 2)[:state] if state != 2 else 1 / 0
    def after(self, state, move): return state - move
'''


@pytest.fixture(scope="module")
def square(tmp_path_factory):
    """Two workers with Square Duel, and with a game that cannot be shown."""
    folder = tmp_path_factory.mktemp("square")
    bad = folder / "bad.py"
    bad.write_text(BAD)
    running = ServerProcess(
        folder,
        str(folder / "web.sqlite3"),
        *("--workers", "2"),
        game=SQUARE,
        DUELS_WITH=str(bad),
        DUELS_MAX_MATCHES="1000",
    )
    yield running
    running.http.close()
    running.stop()


def listed(http):
    return {game["game"]: game for game in http.get("/api/games").json()["games"]}


def test_every_worker_has_the_game_and_a_bad_one_breaks_nothing(square):
    for _ in range(12):  # a new connection each time, so that both workers answer
        with httpx.Client(base_url=square.url, timeout=20) as http:
            games = listed(http)
            assert "number-duel" in games
            assert "bad-duel" not in games
            board = games["square-duel"]["preview"]["board"]
            assert board["layout"] == "tiles"
            assert [cell["text"] for cell in board["headline"]] == ["15 stones"]
            assert http.get("/api/rules/square-duel").json()["title"] == "Square Duel"
            assert http.get("/learn/square-duel").status_code == 200


def test_people_play_it_to_its_review(square):
    ann, bob = friends(square.http, "square-duel", options={"stones": 30})
    seats, watching = (ann, bob), Listener(square.url, ann.id)
    assert bob.move(1, "9").status_code == 409
    refused = ann.move(0, "8")
    assert refused.json()["detail"] == "8 is not a square number."
    for ply, move in enumerate(["9", "16", "1", "4"]):
        with httpx.Client(base_url=square.url, timeout=20) as http:
            state = seats[ply % 2].on(http).move(ply, move).json()
        assert state["moves"][-1] == move
    assert (state["board"]["headline"][0]["text"], state["legal"], state["outcome"]["winner"]) == (
        "0 stones",
        [],
        2,
    )
    assert (state["status"], state["why"]) == ("Bob wins.", "Bob took 4, and no moves were left.")
    assert watching.wait(lambda s: s["outcome"])["ply"] == 4
    review = ann.get("review").json()
    assert (review["moves"][0]["label"], review["moves"][0]["better"]) == (
        "gave the win away",
        "25",
    )
    assert ann.get("picture.svg", ply=1).text.startswith("<svg")
    record = ann.get("record").content
    read = square.http.post("/api/records", content=record).json()
    assert read["matches"][0]["options_words"] == "30 stones"


def test_the_computer_plays_it(square):
    made = create(square.http, "square-duel", "computer", level="perfect", first=2)
    ann = Seat(square.http, made["id"], made["token"])
    state = wait_for(lambda: (s := ann.state())["ply"] and s, 10)
    assert state["moves"] == ["25"]
    assert ann.get("hint").json()["text"] == "You cannot force a win from here."


def test_its_options_have_the_bounds_of_the_web(square):
    sent = {"game": "square-duel", "mode": "here", "options": {"stones": 1001}}
    refused = square.http.post("/api/matches", json=sent)
    assert refused.json()["detail"] == "stones may be at most 1,000 on the web."
    query = {"game": "square-duel", "stones": "20", "moves": "4.1"}
    assert square.http.get("/api/picture.svg", params=query).text.startswith("<svg")
    for wrong in ({"stones": "many"}, {"numbers": "20"}, {"stones": "2" * 300}):
        assert square.http.get("/api/picture.svg", params=query | wrong).status_code == 422


@pytest.mark.long
def test_a_fault_in_the_computers_turn_is_met_ever_less_often_until_it_is_mended(
    start_server, tmp_path
):
    file = tmp_path / "faulty.py"
    file.write_text(FAULTY)
    server = start_server(game=file)
    made = create(server.http, "faulty-duel", "computer", level="perfect")
    ann = Seat(server.http, made["id"], made["token"])
    assert ann.move(0, "1").status_code == 200
    time.sleep(5)  # at once, after two seconds, and after two more
    faults = [line for line in server.log.splitlines() if "ZeroDivisionError" in line]
    assert 1 <= len(faults) <= 3
    assert all(made["id"] in line for line in faults)
    server.stop()
    file.write_text(FAULTY.replace("1 / 0", "(1, 2)"))
    again = start_server(game=file)
    wait_for(lambda: ann.on(again.http).state()["ply"] == 2, 20)


def test_a_match_whose_game_is_missing_is_named_and_stays_saved(start_server, tmp_path):
    with_it = start_server(game=SQUARE)
    made = create(with_it.http, "square-duel", "computer", names=["Ann"], public=True)
    with_it.stop()
    with sqlite3.connect(tmp_path / "web.sqlite3") as database:  # it is even due
        database.execute("INSERT INTO moves VALUES (?, 0, '9', 1.0)", [made["id"]])
        database.execute(
            "UPDATE matches SET version = 2, due = 0, "
            "document = json_set(document, '$.ply', 1, '$.version', 2)"
        )
    database.close()

    without = start_server()
    ann = Seat(without.http, made["id"], made["token"])
    for answer in (
        without.http.get(f"/api/matches/{made['id']}"),
        without.http.get(f"/api/matches/{made['id']}/events"),
        ann.move(1, "1"),
        ann.post("resign"),
        ann.get("review"),
        ann.get("record"),
    ):
        assert answer.status_code == 409
        assert "square-duel, is not here" in answer.json()["detail"]
    assert without.http.get(f"/m/{made['id']}").status_code == 200
    assert without.http.get("/api/matches").json()["matches"] == []
    other = create(without.http, "number-duel", "computer", first=2)  # and the others go on
    wait_for(lambda: Seat(without.http, other["id"], None).state()["ply"], 10)
    without.stop()
    assert "a background job failed" not in without.log

    again = start_server(game=SQUARE)
    ann = Seat(again.http, made["id"], made["token"])
    assert wait_for(lambda: (s := ann.state())["ply"] == 2 and s, 10)["moves"][0] == "9"
