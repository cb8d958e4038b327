"""A rematch is offered and accepted, never imposed; the score goes with it."""

from __future__ import annotations

import pytest
from servers import Seat, create, friends, redeem


@pytest.fixture
def over(http):
    """Both seats of a match that Ann, who began, has lost."""
    ann, bob = friends(http)
    ann.post("resign")
    return ann, bob


def test_an_offer_begins_nothing_before_it_is_accepted(http, over):
    ann, bob = over
    offered = ann.post("rematch").json()
    assert (offered["rematch_offer"], offered["rematch"]) == (1, None)
    assert ann.post("rematch").json() == offered, "said twice it is one offer"
    refused = ann.post("rematch/answer", agree=True)
    assert refused.status_code == 403
    assert refused.json()["detail"] == "Bob has to agree to that."
    begun = bob.post("rematch/answer", agree=True).json()
    assert (begun["rematch_offer"], bool(begun["rematch"])) == (None, True)
    assert bob.post("rematch/answer", agree=True).json() == begun
    assert bob.post("rematch/answer", agree=False).status_code == 409
    again = Seat(http, begun["rematch"], bob.token).state()
    assert again["joined"] == [True, False], "who offered it has to come"
    assert ann.on(http).state()["rematch"] == begun["rematch"]


def test_an_offer_is_declined_or_withdrawn(over):
    ann, bob = over
    assert bob.post("rematch/answer", agree=True).status_code == 409, "nobody has offered one"
    for who in (bob, ann):
        ann.post("rematch")
        assert who.post("rematch/answer", agree=False).json()["rematch_offer"] is None
        assert who.post("rematch/answer", agree=False).status_code == 200
    assert ann.state()["rematch"] is None


def test_an_unfinished_game_has_no_rematch(http):
    ann, _ = friends(http)
    assert ann.post("rematch").status_code == 409
    assert ann.post("rematch/answer", agree=True).status_code == 409
    assert Seat(http, ann.id, None).post("rematch/answer", agree=True).status_code == 401


@pytest.mark.parametrize("mode", ["computer", "here"])
def test_a_rematch_without_a_second_person_begins_at_once(http, mode):
    made = create(http, mode=mode)
    ann = Seat(http, made["id"], made["token"])
    ann.post("resign")
    begun = ann.post("rematch").json()["rematch"]
    assert ann.post("rematch").json()["rematch"] == begun
    assert Seat(http, begun, ann.token).state()["ply"] <= 1


def test_the_score_is_carried_over_rematches(http, over):
    ann, bob = over
    assert ann.state()["score"] == [0, 1]
    for loser, score in ((bob, [1, 1]), (bob, [2, 1])):  # Ann's, then Bob's
        ann.post("rematch")
        new_id = bob.post("rematch").json()["rematch"]
        ann, bob = Seat(http, new_id, ann.token), Seat(http, new_id, bob.token)
        lost = Seat(http, new_id, loser.token).post("resign").json()
        assert lost["score"] == (score if lost["players"][0]["name"] == "Ann" else score[::-1])
        assert lost["tally"] == ("The score is 1 all." if score == [1, 1] else "Ann leads 2 to 1.")


@pytest.mark.parametrize("name", [None, "Bob"])
def test_without_a_name_the_player_who_begins_is_player_1_in_the_rematch_too(http, name):
    made = create(http)
    ann, bob = Seat(http, made["id"], made["token"]), redeem(http, made, name)
    ann.post("resign")
    ann.post("rematch")
    begun = bob.post("rematch").json()["rematch"]
    players = Seat(http, begun, bob.token).state()["players"]
    assert [player["name"] for player in players] == [name or "Player 1", "Player 2"]


def test_without_a_name_a_person_is_named_after_the_side_against_the_computer_too(http):
    made = create(http, mode="computer")
    ann = Seat(http, made["id"], made["token"])
    ann.post("resign")
    begun = ann.post("rematch").json()["rematch"]
    players = Seat(http, begun, ann.token).state()["players"]
    assert players[1]["name"] == "Player 2"
