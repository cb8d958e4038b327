"""Seats and names, new matches, and requests that are refused."""

from __future__ import annotations

import pytest
from servers import Seat, assert_problem, create, friends, redeem

OWN = "made-on-the-device-by-chance"


def test_a_seat_is_opened_by_its_secret_only(http):
    made = create(http, names=["Ann"], first=2)
    ann = Seat(http, made["id"], made["token"])
    assert (made["seat"], made["invite"]["seat"]) == (2, 1)
    assert ann.state()["you"] == [2]
    assert ann.state()["joined"] == [False, True]
    bob = redeem(http, made, "  Bob\n\u202e<script> ")
    assert_problem(Seat(http, made["id"], "x" * 32).post("join"), 403)
    state = bob.state()
    assert state["you"] == [1]
    assert state["joined"] == [True, True]
    assert state["players"][0]["name"] == "Bob <script>"
    assert "you" not in Seat(http, made["id"], None).state()


def test_a_name_never_starts_a_program(http, tmp_path):
    """At a terminal `ugi:COMMAND` is a player; a visitor who is called so is only a visitor."""
    name = f"ugi:touch {tmp_path / 'started'}"
    made = create(http, "number-line-duel", "here", names=[name, "Bob"])
    assert [player["kind"] for player in made["state"]["players"]] == ["person", "person"]
    assert not made["state"]["moves"]
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize(
    "name", ["perfect (computer)", " Ann (Computer)", "x (computer)\u200b", "the Computer"]
)
def test_no_name_can_be_mistaken_for_the_computer(http, name):
    friendly = {"game": "sequence-duel", "mode": "friend"}
    assert_problem(http.post("/api/matches", json=friendly | {"names": [name]}), 422)
    made = http.post("/api/matches", json=friendly).json()
    friend = Seat(http, made["id"], made["invite"]["token"])
    assert_problem(friend.post("join", name=name, token=OWN), 422)
    assert friend.state()["invited"] == [2], "a refusal uses nothing up"


@pytest.mark.parametrize(
    ("level", "words", "figure"), [("random", "random", 1), ("37", "strength 37", 2)]
)
def test_a_computer_may_move_at_random_or_have_any_strength(http, level, words, figure):
    made = create(http, mode="computer", level=level, first=1)
    player = made["state"]["players"][1]
    assert (player["computer"], player["level"], player["figure"]) == (level, words, figure)


def test_a_person_may_have_the_name_of_a_computer(http):
    made = create(http, mode="computer", level="perfect", names=["Computer"], first=1)
    assert [(player["name"], player["kind"]) for player in made["state"]["players"]] == [
        ("Computer", "person"),
        ("The computer", "computer"),
    ]
    assert made["state"]["ply"] == 0
    ann, bob = friends(http)
    state = bob.post("join", name="perfect").json()
    assert (state["players"][1]["name"], state["players"][1]["kind"]) == ("perfect", "person")
    assert ann.move(0, 6).json()["to_move"] == 2
    assert bob.move(1, 3).status_code == 200


def test_a_name_stays_once_its_seat_has_moved(http):
    ann, bob = friends(http)
    assert ann.post("join", name="Anna").json()["players"][0]["name"] == "Anna"
    ann.move(0, 6)
    assert ann.post("join", name="Eve").json()["players"][0]["name"] == "Anna"
    assert_problem(bob.post("join", name="Anna"), 422)


def test_a_name_stays_once_the_game_is_over(http):
    ann, bob = friends(http)
    ann.move(0, 6)
    ann.post("resign")
    state = bob.post("join", name="Somebody else")
    assert state.status_code == 200
    assert [player["name"] for player in state.json()["players"]] == ["Ann", "Bob"]


@pytest.mark.parametrize("name", ["\u3164", "\u3164 \u2800", "\u200b", "\u0301", "\uffa0\ufe0f"])
def test_an_invisible_name_is_refused(http, name):
    asked = {"game": "number-duel", "mode": "friend", "names": [name]}
    assert_problem(http.post("/api/matches", json=asked), 422)
    made = create(http, names=["Ann"])
    bob = Seat(http, made["id"], made["invite"]["token"])
    refused = bob.post("join", name=name, token=OWN)
    assert_problem(refused, 422)
    assert refused.json()["detail"] == "A player's name cannot be empty."


def test_the_coin_decides_who_begins_and_says_so(http):
    seats = set()
    for _ in range(30):
        made = create(http, names=["Ann", "Bob"], first="coin")
        seats.add(made["seat"])
        first = made["state"]["players"][0]["name"]
        assert made["coin_toss"][0].endswith(f"{first} moves first.")
    assert seats == {1, 2}


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"game": "chess", "mode": "here"}, 422),
        ({"game": "number-duel", "mode": "alone"}, 422),
        ({"game": "number-duel", "mode": "here", "options": {"numbers": 201}}, 422),
        ({"game": "number-duel", "mode": "here", "options": {"numbers": "7"}}, 422),
        ({"game": "number-duel", "mode": "here", "options": {"game_id": 3}}, 422),
        ({"game": "divisor-duel", "mode": "here"}, 422),
        ({"game": "divisor-duel", "mode": "here", "options": {"divisor": 10**12 + 1}}, 422),
        ({"game": "number-duel", "mode": "computer", "level": "godlike"}, 422),
        ({"game": "number-duel", "mode": "here", "names": ["Ann", "ann"]}, 422),
        ({"game": "number-duel", "mode": "here", "options": {"numbers": True}}, 422),
        ({"game": "number-duel", "mode": "here", "options": {"criteria": "x" * 201}}, 422),
        ({"game": "number-duel", "mode": "here", "options": {"criteria": ["digit"]}}, 422),
        ({"game": "number-duel", "mode": "here", "options": {"divisor": 7}}, 422),
        ({"game": "sequence-duel", "mode": "here", "options": {"opening": "odd"}}, 422),
        ({"game": "number-duel", "mode": "here", "time_limit": 0}, 422),
        ({"game": "number-duel", "mode": "here", "names": ["x" * 201]}, 422),
        ({"game": "\x00\u202e" * 9, "mode": "here"}, 422),
        ([], 422),
    ],
)
def test_a_match_that_cannot_be_is_refused(http, asked, status):
    assert_problem(http.post("/api/matches", json=asked), status)


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b"[" * 60_000, b'{"game": ' + b"9" * 9000])
def test_a_body_that_is_not_json_is_refused(http, body):
    headers = {"content-type": "application/json"}
    assert_problem(http.post("/api/matches", content=body, headers=headers), 400)


def test_a_body_that_is_too_large_is_refused(http):
    big = {"game": "number-duel", "mode": "here", "names": ["x" * 10_000_000]}
    assert_problem(http.post("/api/matches", json=big), 413)
    chunks = (b"x" * 10_000 for _ in range(200))
    assert_problem(http.post("/api/records", content=chunks), 413)


@pytest.mark.parametrize("match_id", ["nothere234", "x" * 5000, "%00", "ä", "<script>"])
def test_an_unknown_match_is_not_found(http, match_id):
    assert_problem(http.get(f"/api/matches/{match_id}/record"), 404)
    assert_problem(http.post(f"/api/matches/{match_id}/moves", json={"ply": 0, "move": 1}), 404)
    page = http.get(f"/m/{match_id}", headers={"accept": "text/html"})
    assert page.status_code == 404
    assert 'href="../">Go to the games' in page.text


def test_unknown_addresses_and_methods_are_problems(http):
    assert_problem(http.get("/api/nothing"), 404)
    assert_problem(http.delete("/api/matches"), 405)
    assert_problem(http.get("/api/rules/chess"), 404)


def test_half_a_character_is_not_a_name(http):
    body = b'{"game": "number-duel", "mode": "here", "names": ["\\ud800Ann", "Bob"]}'
    headers = {"content-type": "application/json"}
    assert_problem(http.post("/api/matches", content=body, headers=headers), 422)
