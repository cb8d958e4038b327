"""The API in process: the contract of every route, and what it refuses."""

from __future__ import annotations

import random
import sqlite3

import pytest
from servers import Seat, create, friends, redeem, serving, wait_for

import duels
from duels.match.records import read_json
from duels.server import background
from duels.server.config import Config, from_environment, to_environment

GAMES = list(duels.GAMES)
OWN = "made-on-the-device-by-chance"


def assert_problem(response, status):
    """A refusal is a problem with a sentence."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    body = response.json()
    assert body["status"] == status
    assert body["detail"].endswith((".", "!"))
    assert body["title"]
    return body


# Playing


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_two_people_play_every_game_to_the_end(http, game):
    ann, bob = friends(http, game)
    chance, state = random.Random(game), ann.state()
    while not state["outcome"]:
        seat = (ann, bob)[state["to_move"] - 1]
        before, move = state["ply"], chance.choice(state["legal"])
        state = seat.move(before, move).json()
        assert (state["ply"], state["moves"][-1]) == (before + 1, move)
    position = duels.game(game, **state["options"]).position(*state["moves"])
    assert state["outcome"] == position.outcome._asdict()
    assert (state["to_move"], state["legal"]) == (None, [])
    winner = state["outcome"]["winner"]
    assert state["status"] == f"{state['players'][winner - 1]['name']} wins."
    assert state["seen_by"][winner - 1]["status"] == "You win."
    assert state["seen_by"][2 - winner]["status"] == "You lose."
    whys = [seen["why"] for seen in state["seen_by"]]
    assert sum(why.startswith("You ") for why in whys) == 1
    assert state["why"] not in whys or state["why"].startswith(("Ann ", "Bob "))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("first", [1, 2])
def test_a_person_plays_the_computer_to_the_end(http, game, first):
    options = duels.GAMES[game].small().options
    made = create(http, game, "computer", level="expert", first=first, options=options)
    ann = Seat(http, made["id"], made["token"])
    assert made["seat"] == first
    state = made["state"]
    while not state["outcome"]:
        if state["to_move"] == first:
            state = ann.move(state["ply"], state["legal"][0]).json()
        else:
            ply = state["ply"]
            state = wait_for(lambda ply=ply: (s := ann.state())["ply"] > ply and s, 10)
    assert state["players"][2 - first] == {
        "name": "expert",
        "kind": "computer",
        "computer": "expert",
    }


def test_on_one_screen_one_secret_moves_for_both(http):
    made = create(http, "number-line-duel", "here", names=["Ann", "Bob"])
    here = Seat(http, made["id"], made["token"])
    assert (made["seat"], made["invite"], here.state()["you"]) == (None, None, [1, 2])
    here.move(0, [5, 6])
    state = here.move(1, "8").json()
    assert state["moves"] == ["5-6", "8"]
    assert here.post("takeback", ply=2).json()["moves"] == ["5-6"]
    assert here.post("resign").json()["outcome"] == {"winner": 1, "reason": "resigned"}


def test_the_line_over_the_board_speaks_to_each_of_them(http):
    ann, bob = friends(http, "number-duel")
    state = ann.move(0, 28).json()
    fits = "a number that is a multiple/factor of 28 or shares a digit with it"
    assert state["status"] == f"Bob's turn: {fits}."
    assert [seen["status"] for seen in state["seen_by"]] == [
        "Bob is thinking.",
        f"Your turn: {fits}.",
    ]
    over = bob.post("resign").json()
    assert (over["status"], over["why"]) == ("Ann wins.", "Bob resigned.")
    assert over["seen_by"] == [
        {"status": "You win.", "why": "Bob resigned."},
        {"status": "You lose.", "why": "You resigned."},
    ]


def test_nobody_is_thinking_before_they_are_there(http):
    made = create(http, names=["Ann", "Bob"])
    ann = Seat(http, made["id"], made["token"])
    assert ann.state()["seen_by"][0]["status"] == "Your turn: any number from 1 to 20."
    assert ann.move(0, 6).json()["seen_by"][0]["status"] == "Waiting for Bob."
    assert ann.state()["seen_by"][1]["status"] == "Your turn: a factor or a multiple of 6."


def test_the_divisor_game_shows_its_number_and_remainder(http):
    ann, _ = friends(http, "divisor-duel")
    goal = "Make a number that is divisible by 7."
    assert ann.state()["board"]["layout"] == "keypad"
    assert ann.state()["board"]["headline"] == []
    assert ann.state()["board"]["caption"] == goal
    said = "5 is not divisible by 7 (remainder 5)."
    board = ann.move(0, 5).json()["board"]
    assert board["headline"] == [{"text": "5", "by": 1, "last": True}]
    assert board["caption"] == said


# One move counts once


def test_a_move_sent_twice_counts_once(http):
    ann, bob = friends(http)
    first, second = ann.move(0, 6), ann.move(0, "6")
    assert (first.status_code, second.status_code) == (200, 200)
    assert second.json()["moves"] == ["6"]
    bob.move(1, 3)
    assert ann.move(0, 6).json()["moves"] == ["6", "3"]


def test_another_move_for_a_ply_that_is_taken_gets_the_state(http):
    ann, bob = friends(http)
    ann.move(0, 6)
    body = assert_problem(ann.move(0, 4), 409)
    assert body["state"]["moves"] == ["6"]
    assert_problem(bob.move(7, 3), 409)
    assert_problem(bob.move(0, 6), 409)


def test_refusals_change_nothing(http):
    ann, bob = friends(http)
    ann.move(0, 6)
    before = ann.state()
    stranger = Seat(http, ann.id, "x" * 32)
    nobody = Seat(http, ann.id, None)
    assert_problem(ann.move(1, 3), 403)
    assert_problem(stranger.move(1, 3), 403)
    assert nobody.move(1, 3).headers["www-authenticate"] == "Bearer"
    assert_problem(nobody.move(1, 3), 401)
    assert "6" in assert_problem(bob.move(1, 5), 422)["detail"]
    assert_problem(bob.move(1, "abc"), 400)
    assert_problem(bob.move(1, [3, 4]), 400)
    assert_problem(bob.move(1, 10**12), 422)
    assert_problem(bob.move(1, None), 422)
    assert_problem(bob.move(-1, 3), 422)
    for who in (stranger, nobody):
        for action in ("resign", "rematch"):
            assert who.post(action).status_code in (401, 403)
    assert ann.state() == before


def test_a_finished_match_takes_no_move(http):
    ann, bob = friends(http)
    ann.post("resign")
    assert assert_problem(bob.move(0, 3), 409)["state"]["outcome"]["winner"] == 2
    assert_problem(bob.post("resign"), 409)
    assert ann.post("resign").status_code == 200


# Seats, names, options


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


@pytest.mark.parametrize("name", ["perfect (computer)", " Ann (Computer)", "x (computer)\u200b"])
def test_nobody_can_be_taken_for_the_computer(http, name):
    friendly = {"game": "sequence-duel", "mode": "friend"}
    assert_problem(http.post("/api/matches", json=friendly | {"names": [name]}), 422)
    made = http.post("/api/matches", json=friendly).json()
    friend = Seat(http, made["id"], made["invite"]["token"])
    assert_problem(friend.post("join", name=name, token=OWN), 422)
    assert friend.state()["invited"] == [2], "a refusal uses nothing up"


@pytest.mark.parametrize(("level", "name"), [("random", "random"), ("37", "strength 37")])
def test_a_computer_may_move_at_random_or_have_any_strength(http, level, name):
    made = create(http, mode="computer", level=level, first=1)
    assert made["state"]["players"][1] == {"name": name, "kind": "computer", "computer": level}


def test_a_person_may_have_the_name_of_a_computer(http):
    made = create(http, mode="computer", level="perfect", names=["Perfect"], first=1)
    assert [(player["name"], player["kind"]) for player in made["state"]["players"]] == [
        ("Perfect", "person"),
        ("perfect (2)", "computer"),
    ]
    assert made["state"]["ply"] == 0
    ann, bob = friends(http)
    state = bob.post("join", name="perfect").json()
    assert state["players"][1] == {"name": "perfect", "kind": "person", "computer": None}
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
def test_a_name_that_nobody_sees_is_refused(http, name):
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
def test_what_is_not_json_is_refused(http, body):
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


# Between the players


def test_a_takeback_needs_consent(http):
    ann, bob = friends(http)
    ann.move(0, 6)
    asked = ann.post("takeback", ply=1).json()
    assert asked["takeback"] == {"by": 1, "ply": 1, "text": "Ann asks to take back 6."}
    assert asked["moves"] == ["6"]
    assert_problem(ann.post("takeback/answer", ply=1, agree=True), 403)
    assert_problem(bob.post("takeback/answer", ply=0, agree=True), 409)
    refused = bob.post("takeback/answer", ply=1, agree=False).json()
    assert (refused["takeback"], refused["moves"]) == (None, ["6"])
    ann.post("takeback", ply=1)
    agreed = bob.post("takeback/answer", ply=1, agree=True).json()
    assert (agreed["moves"], agreed["seconds"], agreed["to_move"]) == ([], [], 1)
    assert ann.move(0, 4).json()["moves"] == ["4"]


def test_twenty_identical_requests_to_take_back_are_one(http):
    ann, bob = friends(http, time_limit=60)
    ann.move(0, 6)
    asked = [ann.post("takeback", ply=1).json() for _ in range(20)]
    assert len({state["version"] for state in asked}) == 1
    assert len({state["clock"]["deadline"] for state in asked}) == 1
    agreed = [bob.post("takeback/answer", ply=1, agree=True) for _ in range(20)]
    assert [done.status_code for done in agreed] == [200] + [409] * 19
    assert ann.state()["version"] == asked[0]["version"] + 1


def test_after_the_answer_a_takeback_is_two_moves(http):
    ann, bob = friends(http)
    ann.move(0, 6)
    bob.move(1, 3)
    assert ann.post("takeback", ply=2).json()["takeback"]["text"] == (
        "Ann asks to take back 6 and 3."
    )
    assert bob.post("takeback/answer", ply=2, agree=True).json()["moves"] == []


def test_a_move_ends_a_request_to_take_back(http):
    ann, bob = friends(http)
    ann.move(0, 6)
    ann.post("takeback", ply=1)
    assert bob.move(1, 3).json()["takeback"] is None
    assert_problem(bob.post("takeback/answer", ply=1, agree=True), 409)


def test_the_computer_lets_both_moves_go_back_and_answers_the_same_again(http):
    made = create(http, "number-duel", "computer", level="expert")
    ann = Seat(http, made["id"], made["token"])
    ann.move(0, 28)
    answered = wait_for(lambda: (s := ann.state())["ply"] == 2 and s, 10)
    assert ann.post("takeback", ply=2).json()["moves"] == []
    assert_problem(ann.post("takeback", ply=0), 422)
    ann.move(0, 28)
    again = wait_for(lambda: (s := ann.state())["ply"] == 2 and s, 10)
    assert again["moves"] == answered["moves"]


def test_a_rematch_swaps_sides_and_keeps_the_secrets(http):
    ann, bob = friends(http, options={"numbers": 12, "opening": "even"})
    assert_problem(ann.post("rematch"), 409)
    ann.post("resign")
    assert ann.post("rematch").json()["rematch_offer"] == 1
    new_id = bob.post("rematch").json()["rematch"]
    assert ann.state()["rematch"] == new_id
    again = Seat(http, new_id, ann.token).state()
    assert [player["name"] for player in again["players"]] == ["Bob", "Ann"]
    assert (again["you"], again["moves"], again["options"]["opening"]) == ([2], [], "even")
    assert Seat(http, new_id, bob.token).move(0, 2).status_code == 200


def test_anybody_may_resign_at_any_time(http):
    ann, bob = friends(http)
    ann.move(0, 6)
    assert ann.post("resign").json()["outcome"] == {"winner": 2, "reason": "resigned"}
    assert (bob.state()["status"], bob.state()["why"]) == ("Bob wins.", "Ann resigned.")


# Coach, record, truth


def test_hints_are_counted_and_both_are_told_after_the_game(http):
    ann, bob = friends(http, options={"numbers": 20})
    for stage in (1, 2, 2, 1):
        assert ann.get("hint", stage=stage).status_code == 200
    ann.move(0, 6)
    bob.get("hint", stage=1)
    bob.move(1, 3)
    assert ann.get("hint", stage=3).status_code == 200
    assert bob.get("hint", stage=3).status_code == 403
    assert bob.state()["hints"] is None, "not during the game"
    assert ann.post("resign").json()["hints"] == [2 + 3, 1]


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
    kinds = [line["kind"] for line in review["lines"]]
    assert kinds == ["ending", "turn", "why", "chances", "chances", "strip"]
    assert [line["player"] for line in review["lines"]] == [0, 0, 0, 1, 2, 0]
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
def test_a_form_for_a_game_can_be_made_of_what_is_listed(http, game):
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


def test_half_a_character_is_no_name(http):
    body = b'{"game": "number-duel", "mode": "here", "names": ["\\ud800Ann", "Bob"]}'
    headers = {"content-type": "application/json"}
    assert_problem(http.post("/api/matches", content=body, headers=headers), 422)


# The site


def test_every_answer_has_the_security_headers(http):
    for path in ("/", "/api/games", "/nothing", "/static/nothing"):
        headers = http.get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize("page", ["/", "/analysis", "/learn", "/learn/sequence-duel"])
def test_pages_are_compressed_and_cached(http, page):
    first = http.get(page)
    assert first.status_code == 200
    assert first.headers["content-encoding"] == "gzip"
    again = http.get(page, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("name", ["../app.py", "..%2fapp.py", "%2e%2e/config.py", "/etc/passwd"])
def test_only_static_files_are_served(http, name):
    assert http.get(f"/static/{name}").status_code == 404


def test_limits_on_new_matches(tmp_path):
    config = Config(database=str(tmp_path / "few.sqlite3"), max_matches=3)
    with serving(config) as http:
        for _ in range(3):
            create(http)
        refused = http.post("/api/matches", json={"game": "number-duel", "mode": "here"})
        assert_problem(refused, 429)
        assert int(refused.headers["retry-after"]) > 0


def test_settings_travel_to_another_process_by_the_environment():
    config = Config(abandoned_days=0.5, max_matches=3)
    assert from_environment(to_environment(config)) == config


@pytest.mark.parametrize("days", ["0", "-1", "nan", "inf", "soon"])
def test_a_setting_that_makes_no_sense_is_refused(days):
    with pytest.raises(duels.OptionError, match="must be a number"):
        from_environment({"DUELS_FINISHED_DAYS": days})


@pytest.mark.slow
def test_abandoned_matches_are_cleaned_up(tmp_path, monkeypatch):
    monkeypatch.setattr(background, "CLEAN_UP_SECONDS", 0.2)
    file = tmp_path / "old.sqlite3"
    with serving(Config(database=str(file), abandoned_days=0.5 / 86_400)) as http:
        old = create(http)["id"]
        finished = create(http, "sequence-duel", "here")
        Seat(http, finished["id"], finished["token"]).post("resign")
        database = sqlite3.connect(file, isolation_level=None)
        marked = "SELECT COUNT(marked) FROM matches"
        wait_for(lambda: database.execute(marked).fetchone() == (1,), 10)
        assert http.get(f"/api/matches/{old}").status_code == 200
        database.execute("UPDATE clock SET served = served + 86400000")
        database.execute("UPDATE matches SET expires = 0 WHERE marked > 0")
        database.close()
        wait_for(lambda: http.get(f"/api/matches/{old}").status_code == 404, 10)
        assert http.get(f"/api/matches/{finished['id']}").status_code == 200
