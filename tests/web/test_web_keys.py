"""Invitations work once, and a seat is open on the devices of one person."""

from __future__ import annotations

import secrets

import pytest
from servers import Seat, create, friends, redeem

from duels.service import hosted as changes
from duels.service import seats
from duels.service.match_handlers import create_match
from duels.service.problems import Problem
from duels.service.requests import JoinMatch, NewInvitation, NewMatch
from duels.service.seats import MOST_DEVICES

OWN, ANOTHER = "the-token-of-a-phone-here", "the-token-of-a-stranger"


@pytest.fixture
def invited():
    """A new match of two people, and the invitation to its second seat."""
    match, created = create_match(NewMatch(game="sequence-duel", mode="friend"), 0)
    return match, created.invite.token


def test_an_invitation_becomes_the_key_of_one_device(invited):
    match, invitation = invited
    assert (seats.players_of(match, invitation), seats.players_invited(match, invitation)) == (
        (),
        (2,),
    )
    there = seats.take_seat(match, invitation, 5, JoinMatch("Bob", OWN))
    assert seats.players_of(there, OWN) == (2,)
    assert (seats.players_of(there, invitation), seats.players_invited(there, invitation)) == (
        (),
        (),
    )
    assert there.joined == (True, True)
    assert seats.take_seat(there, invitation, 6, JoinMatch("Bob", OWN)) is there, (
        "the network may have dropped"
    )
    with pytest.raises(Problem, match=r"has been used\. You can watch") as refused:
        seats.take_seat(there, invitation, 7, JoinMatch("Eve", ANOTHER))
    assert refused.value.status == 403
    assert seats.players_invited(match, OWN) is None


def test_an_invitation_changes_nothing_until_it_is_used(invited):
    match, invitation = invited
    with pytest.raises(Problem, match="Join with it"):
        seats.require_players(match, invitation)
    with pytest.raises(Problem, match="send a token of your own") as refused:
        seats.take_seat(match, invitation, 5, JoinMatch("Bob", None))
    assert refused.value.status == 422


def test_a_player_invites_a_few_devices_of_their_own(invited):
    match, _ = invited
    for number in range(MOST_DEVICES - 1):
        match = seats.invite_device(match, (1,), 0, NewInvitation(f"never used {number}"))
        match = seats.invite_device(match, (1,), 0, NewInvitation(f"invitation {number}"))
        assert seats.invite_device(match, (1,), 0, NewInvitation(f"invitation {number}")) is match
        match = seats.take_seat(
            match, f"invitation {number}", 5, JoinMatch(None, f"device {number}")
        )
        assert seats.players_of(match, f"device {number}") == (1,)
        assert seats.players_invited(match, f"never used {number}") is None
    with pytest.raises(Problem, match="5 devices"):
        seats.invite_device(match, (1,), 0, NewInvitation("one more"))
    assert match.joined == (True, False)


def test_a_rematch_has_the_same_keys_on_the_other_sides(invited):
    match, invitation = invited
    there = seats.take_seat(match, invitation, 5, JoinMatch("Bob", OWN))
    again = changes.next_match(changes.resign(there, (1,), 8), (1,), 9)
    assert seats.players_of(again, OWN) == (1,)
    assert seats.players_invited(again, invitation) == ()


def test_the_second_to_open_an_invitation_watches_and_is_told_why(http):
    made = create(http, names=["Ann"])
    bob = redeem(http, made, "Bob")
    late = Seat(http, made["id"], made["invite"]["token"])
    assert "you" not in late.state()
    assert late.state()["invited"] == []
    for refused in (
        late.post("join", name="Eve", token=secrets.token_urlsafe(24)),
        late.post("resign"),
        late.move(0, 6),
    ):
        assert refused.status_code == 403
        assert "has been used" in refused.json()["detail"]
    assert late.post("join", name="Bob", token=bob.token).status_code == 200
    assert [player["name"] for player in late.state()["players"]] == ["Ann", "Bob"]


def test_another_device_plays_on_and_has_the_seat_in_the_rematch(http):
    ann, bob = friends(http)
    phone, link = Seat(http, ann.id, OWN), secrets.token_urlsafe(24)
    assert ann.post("devices", token=link).status_code == 200
    assert Seat(http, ann.id, link).post("join", token=OWN).status_code == 200
    assert phone.move(0, 6).json()["ply"] == 1
    assert ann.post("takeback", ply=1).json()["takeback"]["by"] == 1
    assert phone.state()["you"] == ann.state()["you"] == [1]
    assert bob.post("devices", token=OWN + "-2").status_code == 200
    for wrong in ("short", "with a space in it, which is long", 5, None):
        assert ann.post("devices", token=wrong).status_code == 422
    assert Seat(http, ann.id, None).post("devices", token=OWN).status_code == 401
    assert Seat(http, ann.id, link).post("devices", token=OWN).status_code == 403


def test_on_one_screen_another_screen_has_both_seats(http):
    made = create(http, mode="here")
    link = secrets.token_urlsafe(24)
    Seat(http, made["id"], made["token"]).post("devices", token=link)
    assert Seat(http, made["id"], link).state()["invited"] == [1, 2]
    assert Seat(http, made["id"], link).post("join", token=OWN).status_code == 200
    assert Seat(http, made["id"], OWN).state()["you"] == [1, 2]
