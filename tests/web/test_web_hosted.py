"""The rules of hosting, as functions of a hosted match and the time."""

from __future__ import annotations

import pytest

import duels
from duels.service import hosted as changes
from duels.service.match_handlers import create_match
from duels.service.problems import Problem
from duels.service.requests import NewMatch, NewMove, TakebackReply, TakebackRequest

BOTH = (1, 2)


@pytest.fixture
def timed():
    """A match at one screen with a minute a turn, begun at 0: 6 after forty seconds."""
    match = create_match(NewMatch(game="sequence-duel", mode="here", time_limit=60), 0)[0]
    return changes.play(match, BOTH, 40_000, NewMove(0, 6))


def test_a_move_taken_back_gives_no_time_back(timed):
    again = changes.takeback(timed, BOTH, 45_000, TakebackRequest(1))
    assert (again.ply, again.deadline) == (0, 65_000)
    assert changes.play(again, BOTH, 50_000, NewMove(0, 4)).match.seconds == (45.0,)
    for _ in range(20):  # however often
        again = changes.play(again, BOTH, 50_000, NewMove(0, 6))
        again = changes.takeback(again, BOTH, 50_000, TakebackRequest(1))
    assert again.deadline == 65_000


def test_with_both_moves_back_the_time_since_counts_too(timed):
    seat = (1,)
    answered = changes.play(timed, BOTH, 50_000, NewMove(1, 3))
    asked = changes.takeback(answered, seat, 60_000, TakebackRequest(2))
    assert asked.deadline == answered.deadline == 110_000
    agreed = changes.reply_takeback(asked, (2,), 65_000, TakebackReply(2, True))
    assert (agreed.ply, agreed.deadline) == (0, 65_000 + 5_000)
    with pytest.raises(duels.DuelsError, match="no time left"):
        changes.reply_takeback(asked, (2,), 75_000, TakebackReply(2, True))


def test_after_the_time_nothing_is_taken_back(timed):
    with pytest.raises(Problem, match="over"):
        changes.takeback(timed, BOTH, 100_000, TakebackRequest(1))


def test_asking_twice_is_asking_once(timed):
    asked = changes.takeback(timed, (1,), 41_000, TakebackRequest(1))
    assert changes.takeback(asked, (1,), 42_000, TakebackRequest(1)) is asked
