"""Hints, reviews, records, verdicts, and the list of games."""

from __future__ import annotations

import pytest
from servers import Seat, assert_problem, create, friends

import duels
from duels.match.records import read_json

GAMES = list(duels.GAMES)


def test_hints_are_counted_and_both_players_see_the_count_after_the_game(http):
    ann, bob = friends(http, options={"numbers": 20})
    for stage in (1, 2, 2, 1):
        assert ann.get("hint", stage=stage).status_code == 200
    ann.move(0, 6)
    bob.get("hint", stage=1)
    bob.move(1, 3)
    drawing = ann.get("hint", stage=4).json()["drawing"]
    assert drawing["winning"] == ["15"]
    assert drawing["links"][0] == {"cells": [0, 18], "kind": "partners"}, "1 and 19"
    assert bob.get("hint", stage=3).status_code == 403
    assert bob.state()["hints"] is None, "not during the game"
    assert ann.post("resign").json()["hints"] == [2 + 4, 1]


def test_two_people_may_play_without_the_coach(http):
    ann, bob = friends(http, coach=False)
    assert "without the coach" in assert_problem(ann.get("hint"), 403)["detail"]
    assert ann.post("resign").json()["coach"] is False
    ann.post("rematch")
    again = Seat(http, bob.post("rematch").json()["rematch"], bob.token)
    assert_problem(again.get("hint"), 403)


def test_hints_are_for_the_player_to_move(http):
    ann, bob = friends(http)
    texts = [ann.get("hint", stage=stage).json()["text"] for stage in (1, 2, 3, 4)]
    assert texts[0] == "You can win from here."
    assert len(set(texts)) == 4
    assert_problem(bob.get("hint", stage=1), 403)
    assert_problem(ann.get("hint", stage=5), 422)
    assert_problem(Seat(http, ann.id, None).get("hint"), 401)
    ann.post("resign")
    assert_problem(ann.get("hint"), 409)


def test_the_review_comes_after_the_game(http):
    ann, bob = friends(http, "number-chain-duel")
    assert_problem(ann.get("review"), 409)
    assert_problem(ann.get("picture.svg", ply=0), 409)
    ann.move(0, 8)
    bob.post("resign")
    review = ann.get("review").json()
    assert (review["moves"][0]["label"], review["turning_points"]) == ("gave the win away", [1])
    assert len(review["strip"]) == 1
    assert review["moves"][0]["kind"] == "gave-away"
    kinds = [line["kind"] for line in review["end"]["lines"]]
    assert kinds == ["ending", "turn", "why", "chances", "chances", "strip"]
    assert [line["player"] for line in review["end"]["lines"]] == [0, 0, 0, 1, 2, 0]
    picture = ann.get("picture.svg", ply=1)
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert picture.text.startswith("<svg")
    assert_problem(ann.get("picture.svg", ply=2), 422)


def test_a_record_is_a_file_that_the_site_reads_again(http):
    ann, bob = friends(http, "number-line-duel")
    ann.move(0, "5-6")
    bob.post("resign")
    for form in ("text", "json"):
        record = ann.get("record", format=form)
        assert record.headers["content-disposition"].startswith("attachment")
        read = http.post("/api/records", content=record.content).json()
        assert read["problems"] == []
        assert read["matches"][0]["moves"] == ["5-6"]
        assert read["matches"][0]["result"] == "1-0"
    (match,) = read_json([ann.get("record", format="json").text])
    assert match.names == ("Ann", "Bob")


def test_damaged_records_are_named_and_the_rest_is_read(http):
    good = create(http)
    text = Seat(http, good["id"], None).get("record").text
    read = http.post("/api/records", content=text + '[Game "chess"]\n\n1. e4 *\n').json()
    assert len(read["matches"]) == 1
    assert read["problems"][0].startswith("line ")
    assert http.post("/api/records", content=b"\xff\x00" * 99).json()["matches"] == []


def test_a_record_may_begin_with_a_comment(http):
    text = Seat(http, create(http)["id"], None).get("record").text
    read = http.post("/api/records", content="{ A game of ours }\n" + text).json()
    assert (len(read["matches"]), read["problems"]) == (1, [])


def test_a_record_too_long_for_the_web_is_not_played(http):
    moves = " ".join(str(number) for number in range(1, 60_000))
    huge = f'[Game "number-line-duel"]\n[Options "numbers=1000000"]\n\n{moves}\n'
    read = http.post("/api/records", content=huge).json()
    assert read["matches"] == []
    assert "longer than" in read["problems"][0]


@pytest.mark.parametrize("game", GAMES)
def test_the_truth_about_any_position(http, game):
    options = {"divisor": 7} if game == "divisor-duel" else {"numbers": 12}
    solved = http.post("/api/solve", json={"game": game, "options": options, "moves": ["2"]}).json()
    verdict = duels.solve(duels.game(game, **options).start().play(2))
    assert solved["wins"] == verdict.wins
    assert solved["winning"] == [
        str(m).strip("()").replace(", ", "-") for m in verdict.winning_moves
    ]
    assert solved["reason"] == verdict.reason
    assert solved["position"]["moves"] == ["2"]
    query = {"game": game, "moves": "2"} | options
    assert http.get("/api/picture.svg", params=query).text.startswith("<svg")


def test_positions_that_cannot_be_are_refused(http):
    line = {"game": "sequence-duel", "moves": ["6", "5"]}
    assert_problem(http.post("/api/solve", json=line), 422)
    assert_problem(http.post("/api/solve", json=line | {"moves": ["x"]}), 400)
    assert_problem(http.get("/api/picture.svg", params={"game": "divisor-duel"}), 422)
    query = {"game": "number-duel", "numbers": 5000}
    assert (
        "at most 200" in assert_problem(http.get("/api/picture.svg", params=query), 422)["detail"]
    )


def test_the_games_and_their_rules(http):
    listed = http.get("/api/games").json()
    assert sorted(game["game"] for game in listed["games"]) == sorted(GAMES)
    first, *_, last = listed["games"]  # what one begins with, and the largest board
    assert (first["title"], last["title"]) == ("Number Line Duel", "Number Duel")
    assert [game for game in listed["games"] if game["is_first"]] == [first]
    assert listed["levels"][0]["name"] == "novice"
    for game in GAMES:
        assert http.get(f"/api/rules/{game}").json()["markdown"].startswith("#")


@pytest.mark.parametrize("game", GAMES)
def test_every_set_up_that_is_listed_can_be_played(http, game):
    (listed,) = [one for one in http.get("/api/games").json()["games"] if one["game"] == game]
    assert [one["name"] for one in listed["setups"] if one["is_rule_book"]] == ["rule-book"]
    usual = {one["name"]: one["default"] or one["example"] for one in listed["options"]}
    for setup in listed["setups"]:
        sent = {"game": game, "mode": "here", "options": usual | setup["options"]}
        assert http.post("/api/matches", json=sent).status_code == 201, setup


@pytest.mark.parametrize("game", GAMES)
def test_a_form_for_a_game_can_be_made_from_the_list_of_games(http, game):
    (listed,) = [one for one in http.get("/api/games").json()["games"] if one["game"] == game]
    fields = duels.GAMES[game].fields
    assert [option["name"] for option in listed["options"]] == list(fields)
    for option in listed["options"]:
        declared = fields[option["name"]]
        assert (option["label"], option["default"]) == (declared.label, declared.default)
        choices = {choice["value"]: choice["words"] for choice in option["choices"]}
        assert choices == declared.choices
        if not choices:
            assert (option["lowest"], option["highest"]) == (declared.lowest, declared.web_highest)
            usual = {one["name"]: one["default"] or one["example"] for one in listed["options"]}
            for value, status in ((option["highest"], 201), (option["highest"] + 1, 422)):
                sent = {"game": game, "mode": "here", "options": usual | {option["name"]: value}}
                assert http.post("/api/matches", json=sent).status_code == status
    preview = listed["preview"]
    position = duels.game(game, **preview["options"]).position(*preview["moves"])
    assert len(preview["legal"]) == len(position.legal_moves) > 0


def test_only_public_matches_are_listed(http):
    private = create(http)
    public = create(http, public=True, names=["<b>Ann</b>"])
    over = create(http, "sequence-duel", "here", public=True)
    Seat(http, over["id"], over["token"]).post("resign")
    listed = {match["id"]: match for match in http.get("/api/matches").json()["matches"]}
    assert listed.keys() & {private["id"], public["id"], over["id"]} == {public["id"]}
    assert listed[public["id"]]["players"][0]["name"] == "<b>Ann</b>"
