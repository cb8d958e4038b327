"""A class over HTTP: joining, rounds, pausing, results, and what is forbidden."""

from __future__ import annotations

import secrets

import pytest
from taught import PLAN, Class, bearer, seen_at

from duels.service.classes import ENDED, SchoolClass, join


@pytest.fixture
def lesson(http):
    return Class(http)


def test_a_round_pairs_everybody_and_the_odd_one_plays_the_computer(lesson):
    tokens = [lesson.join(name) for name in ("Mia", "Noah", "Zoe")]
    state = lesson.begin()
    assert len(state["boards"]) == 2
    seen = [lesson.get(token).json() for token in tokens]
    assert all(view["role"] == "pupil" and view["match"] for view in seen)
    kinds = [one["kind"] for board in state["boards"] for one in board["state"]["players"]]
    assert sorted(kinds) == ["computer", "person", "person", "person"]
    headers = {"Authorization": f"Bearer {tokens[0]}"}
    match = lesson.http.get(f"/api/matches/{seen[0]['match']}", headers=headers).json()
    assert len(match["you"]) == 1


def test_a_round_started_twice_starts_once_and_no_pair_meets_twice(lesson):
    tokens = [lesson.join() for _ in range(4)]
    met = set()
    for number in (1, 2, 3):
        state = lesson.begin(number)
        assert lesson.post("rounds", round=number).json()["boards"] == state["boards"]
        pairs = {frozenset(board["pupils"]) for board in state["boards"]}
        assert len(pairs) == 2
        assert not pairs & met
        met |= pairs
        lesson.finish(tokens)
    points = [row["points"] for row in lesson.get(rest="/results").json()["standings"]]
    assert sum(points) == 6
    assert lesson.post("rounds", round=9).status_code == 409


def test_the_same_device_is_the_same_pupil_and_another_one_waits(lesson):
    token = lesson.join("Mia")
    lesson.join("Mia", token)
    other = secrets.token_urlsafe(24)
    asked = lesson.post("join", name="mia", token=other).json()
    assert (asked["role"], asked["name"]) == ("waiting", "Mia")
    lesson.begin()
    (pupil,) = lesson.get().json()["pupils"]
    (asking,) = pupil["waiting_devices"]
    lesson.post("pupils", pupil=pupil["id"], let_in=asking["device"])
    mine, again = lesson.get(token).json(), lesson.get(other).json()
    assert mine | {"stream_key": ""} == again | {"stream_key": ""}
    headers = {"Authorization": f"Bearer {other}"}
    match = lesson.http.get(f"/api/matches/{mine['match']}", headers=headers).json()
    assert match["you"]


def test_the_teacher_lets_one_device_in_and_refuses_another(lesson):
    lesson.join("Ann")
    right, wrong = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
    shown = [
        lesson.post("join", name="Ann", token=token).json()["device"] for token in (right, wrong)
    ]
    (ann,) = lesson.get().json()["pupils"]
    assert [one["words"] for one in ann["waiting_devices"]] == shown
    first, second = (one["device"] for one in ann["waiting_devices"])
    for _ in range(2):  # sent again it is done once
        lesson.post("pupils", pupil=ann["id"], let_in=first)
    assert lesson.get(right).json()["role"] == "pupil"
    assert lesson.get(wrong).json()["role"] == "waiting"
    for _ in range(2):
        lesson.post("pupils", pupil=ann["id"], refuse=second)
    assert lesson.get(wrong).json()["role"] == "visitor"
    assert lesson.get().json()["pupils"][0]["waiting_devices"] == []


def test_who_is_removed_has_lost_their_game_and_is_paired_no_more(lesson):
    mia, noah = lesson.join("Mia"), lesson.join("Noah")
    board = lesson.begin()["boards"][0]
    ids = {pupil["name"]: pupil["id"] for pupil in lesson.get().json()["pupils"]}
    lesson.post("pupils", pupil=ids["Mia"], remove=True)
    state = seen_at(lesson, board, noah)
    assert state["outcome"] == {"winner": state["you"][0], "reason": "ruled"}
    path = f"/api/matches/{board['match']}/resign"
    assert lesson.http.post(path, headers=bearer(mia)).status_code == 403
    for what, body in (
        ("pairs", {"pupils": [ids["Mia"], ""]}),
        ("pupils", {"pupil": ids["Mia"], "name": "Maya"}),
    ):
        refused = lesson.post(what, **body)
        said = refused.status_code, refused.json()["detail"]
        assert said == (409, "Mia is no longer in this class.")


def test_two_who_come_late_play_each_other(lesson):
    lesson.join("Mia")
    lesson.join("Noah")
    lesson.begin()
    late = [lesson.join("Ida"), lesson.join("Ole")]
    assert len({lesson.get(token).json()["match"] for token in late}) == 1
    assert len(lesson.get().json()["boards"]) == 2


def test_while_a_class_is_paused_no_pupil_can_move(lesson):
    tokens = {name: lesson.join(name) for name in ("Mia", "Noah")}
    board = lesson.begin()["boards"][0]
    mover = tokens[board["state"]["players"][0]["name"]]
    assert lesson.post("pause", paused=True).json()["is_paused"]
    headers = {"Authorization": f"Bearer {mover}"}
    path = f"/api/matches/{board['match']}/moves"
    refused = lesson.http.post(path, json={"ply": 0, "move": "2"}, headers=headers)
    assert (refused.status_code, refused.json()["detail"]) == (409, "The class is paused.")
    lesson.post("pause", paused=False)
    assert lesson.http.post(path, json={"ply": 0, "move": "2"}, headers=headers).status_code == 200


def test_the_teacher_renames_removes_pairs_and_rules(lesson):
    mia, noah = lesson.join("Mia"), lesson.join("Noah")
    board = lesson.begin()["boards"][0]
    ids = {pupil["name"]: pupil["id"] for pupil in lesson.get().json()["pupils"]}
    lesson.post("pupils", pupil=ids["Mia"], name="Maya")
    assert lesson.get(mia).json()["name"] == "Maya"
    state = lesson.post("rulings", match=board["match"], winner=1).json()
    assert state["boards"][0]["state"]["outcome"]["reason"] == "ruled"
    lesson.post("pupils", pupil=ids["Noah"], remove=True)
    assert lesson.get(noah).json()["role"] == "visitor"
    late = lesson.join("Ole")
    (ole,) = (p["id"] for p in lesson.get().json()["pupils"] if p["name"] == "Ole")
    assert lesson.post("pairs", pupils=[ole, ""]).status_code == 200
    assert lesson.get(late).json()["match"]


@pytest.mark.parametrize("what", ["plan", "rounds", "pause", "pupils", "pairs", "rulings", "end"])
def test_a_pupil_is_not_a_teacher(lesson, what):
    bodies = {
        "plan": PLAN,
        "rounds": {"round": 1},
        "pause": {"paused": True},
        "pupils": {"pupil": "x"},
        "pairs": {"pupils": ["a", "b"]},
        "rulings": {"match": "x", "winner": 1},
    }
    pupil = lesson.join("Mia")
    assert lesson.post(what, pupil, **bodies.get(what, {})).status_code == 403
    assert lesson.get(pupil, "/results").status_code == 403


def test_the_end_of_the_lesson_removes_everything(lesson):
    lesson.join("Mia")
    board = lesson.begin()["boards"][0]
    assert lesson.post("end").json() == {"ended": True}
    assert lesson.get().status_code == 404
    assert lesson.http.get(f"/api/matches/{board['match']}").status_code == 404


def test_results_as_a_table_contain_no_formula(lesson):
    token = lesson.join("=1+1")
    lesson.begin()
    lesson.finish([token])
    table = lesson.get(rest="/results.csv")
    assert table.headers["content-type"].startswith("text/csv")
    assert "'=1+1," in table.text


def test_a_made_up_name_is_not_one_that_a_pupil_has_typed():
    token = secrets.token_urlsafe(24)
    made_up = join(SchoolClass("abcde", "", 0), None, token).pupils[0].name
    typed = join(SchoolClass("abcde", "", 0), made_up.lower(), secrets.token_urlsafe(24))
    assert join(typed, None, token).pupils[1].name != made_up


def test_a_device_that_takes_another_name_no_longer_waits(lesson):
    lesson.join("Mia")
    device = secrets.token_urlsafe(24)
    assert lesson.post("join", name="Mia", token=device).json()["role"] == "waiting"
    before = lesson.get().json()["pupils"][0]
    lesson.join("Zoe", device)
    mia = lesson.get().json()["pupils"][0]
    assert mia["waiting_devices"] == []
    (asked,) = before["waiting_devices"]
    late = lesson.post("pupils", pupil=mia["id"], let_in=asked["device"])
    assert (late.status_code, late.json()["detail"]) == (409, "This device is no longer waiting.")
    assert len(seen_at(lesson, lesson.begin()["boards"][0], device)["you"]) == 1


def test_who_comes_in_a_pause_pauses_too_and_giving_up_ends_a_pause(lesson):
    mia = lesson.join("Mia")
    board = lesson.begin()["boards"][0]["match"]
    lesson.post("pause", paused=True)
    late = [lesson.join("Ida"), lesson.join("Ole")]
    state = seen_at(lesson, lesson.get(late[0]).json()["match"])
    assert state["is_paused"]
    path, ply = f"/api/matches/{board}", seen_at(lesson, board)["ply"]
    back = lesson.http.post(f"{path}/takeback", json={"ply": ply}, headers=bearer(mia))
    assert (back.status_code, back.json()["detail"]) == (409, "The class is paused.")
    over = lesson.http.post(f"{path}/resign", headers=bearer(mia)).json()
    assert (over["is_paused"], over["status"]) == (False, "The computer wins.")
    lesson.post("pause", paused=False)
    assert not seen_at(lesson, state["id"])["is_paused"]


def test_a_new_round_ends_the_pause_of_the_last_one(lesson):
    tokens = [lesson.join(name) for name in ("Mia", "Noah", "Ida", "Ole")]
    old = lesson.begin()["boards"]
    lesson.post("pause", paused=True)
    assert not lesson.begin(2)["is_paused"]
    assert not any(seen_at(lesson, board)["is_paused"] for board in old)
    mia = next(pupil for pupil in lesson.get().json()["pupils"] if pupil["name"] == "Mia")
    lesson.post("pupils", pupil=mia["id"], remove=True)
    assert not any("you" in seen_at(lesson, board, tokens[0]) for board in old)


def test_a_pupil_takes_no_other_name_at_the_board(lesson):
    token = lesson.join("Mia")
    board = lesson.begin()["boards"][0]["match"]
    path = f"/api/matches/{board}/join"
    joined = lesson.http.post(path, json={"name": "Teacher"}, headers=bearer(token))
    assert "Teacher" not in [one["name"] for one in joined.json()["players"]]


@pytest.mark.parametrize(("key", "status"), [("2", 403), ("x" * 101, 422)])
def test_boards_are_shown_only_with_the_key_of_the_wall(lesson, key, status):
    refused = lesson.get(rest=f"/events?key={key}")
    assert refused.status_code == status
    assert refused.headers["content-type"] == "application/problem+json"
    pupil = lesson.join("Mia")
    lesson.begin()
    for secret, kinds in ((pupil, {"class"}), (None, {"class", "state"})):
        key = lesson.get(secret).json()["stream_key"]
        path = f"/api/classes/{lesson.code}/events?key={key}"
        with lesson.http.stream("GET", path) as opened:
            lines = (line for line in opened.iter_lines() if line.startswith("event: "))
            lesson.post("plan", **PLAN)
            told = {next(lines).removeprefix("event: ") for _ in kinds}
        assert told == kinds


@pytest.mark.slow
def test_the_end_is_heard_at_another_server(start_server):
    here, there = start_server(), start_server()
    lesson = Class(here.http)
    with there.http.stream("GET", f"/api/classes/{lesson.code}/events") as stream:
        ids = (line for line in stream.iter_lines() if line.startswith("id:"))
        assert next(ids) == "id: 1"
        lesson.post("end")
        assert f"id: {ENDED}" in ids


def test_names_are_listed_as_people_count(lesson):
    for name in ("Kid 10", "kid 9", "Kid 2", "Ann"):
        lesson.join(name)
    counted = ["Ann", "Kid 2", "kid 9", "Kid 10"]
    assert [pupil["name"] for pupil in lesson.get().json()["pupils"]] == counted
    lesson.begin()
    results = lesson.get(rest="/results").json()
    assert [row["name"] for row in results["standings"]] == counted


def test_two_games_that_turn_at_the_same_position_are_one_turning_point(lesson):
    tokens = [lesson.join(name) for name in ("Mia", "Noah", "Ida", "Ole")]
    boards = lesson.begin(plan={"game": "number-chain-duel"})["boards"]
    for board in boards:  # 9 gives away a won start
        for token in tokens:
            body = {"ply": 0, "move": "9"}
            path = f"/api/matches/{board['match']}/moves"
            lesson.http.post(path, json=body, headers=bearer(token))
    lesson.finish(tokens)
    turns = lesson.get(rest="/results").json()["turning_points"]
    assert len(turns) == len({tuple(turn["moves"]) for turn in turns})
    assert [turn["moves"] for turn in turns].count([]) == 1
