"""Matches by the API: moves, takebacks, rematches and resigning, each counted once."""

from __future__ import annotations

import random

import pytest
from servers import Seat, assert_problem, create, friends, wait_for

import duels

GAMES = list(duels.GAMES)


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
        "name": "The computer",
        "kind": "computer",
        "computer": "expert",
        "level": "expert",
        "figure": 4,
    }
    said = " ".join(f"{seen['status']} {seen['why']}" for seen in (state, *state["seen_by"]))
    assert "expert" not in said
    assert "The computer" in said


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
    fits = "a factor or a multiple of 28, or a number that shares a digit with it"
    assert state["status"] == f"Bob's turn: {fits}."
    assert [seen["status"] for seen in state["seen_by"]] == [
        "Bob is thinking.",
        f"Your turn: {fits}.",
    ]
    over = bob.post("resign").json()
    assert (over["status"], over["why"]) == ("Ann wins.", "Bob resigned.")
    assert over["played"] == "Ann took 28."
    assert over["seen_by"] == [
        {"status": "You win.", "why": "Bob resigned.", "played": "You took 28.", "tally": ""},
        {"status": "You lose.", "why": "You resigned.", "played": "Ann took 28.", "tally": ""},
    ]


def test_before_the_first_move_the_state_says_how_to_play(http):
    ann, _ = friends(http, "number-chain-duel")
    assert ann.state()["rules"].endswith("If no number fits, you lose.")
    assert "rules" not in ann.move(0, 4).json()


def test_a_player_is_not_thinking_before_they_have_joined(http):
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
