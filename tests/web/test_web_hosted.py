"""The rules of hosting, as functions of a hosted match and the time."""

from __future__ import annotations

import pytest

import duels
from duels.hosting import hosted as changes
from duels.hosting.making import make
from duels.hosting.problems import Problem
from duels.hosting.requests import NewMatch

BOTH = (1, 2)


@pytest.fixture
def timed():
    """A match at one screen with a minute a turn, begun at 0: 6 after forty seconds."""
    match = make(NewMatch(game="sequence-duel", mode="here", time_limit=60), 0).hosted
    return changes.play(match, BOTH, 0, 6, 40_000)


def test_a_move_taken_back_gives_no_time_back(timed):
    again = changes.ask_takeback(timed, BOTH, 1, 45_000)
    assert (again.ply, again.deadline) == (0, 65_000)
    assert changes.play(again, BOTH, 0, 4, 50_000).match.seconds == (45.0,)
    for _ in range(20):  # however often
        again = changes.play(again, BOTH, 0, 6, 50_000)
        again = changes.ask_takeback(again, BOTH, 1, 50_000)
    assert again.deadline == 65_000


def test_with_both_moves_back_the_time_since_counts_too(timed):
    seat = (1,)
    answered = changes.play(timed, BOTH, 1, 3, 50_000)
    asked = changes.ask_takeback(answered, seat, 2, 60_000)
    assert asked.deadline == answered.deadline == 110_000
    agreed = changes.answer_takeback(asked, (2,), 2, True, 65_000)
    assert (agreed.ply, agreed.deadline) == (0, 65_000 + 5_000)
    with pytest.raises(duels.DuelsError, match="no time left"):
        changes.answer_takeback(asked, (2,), 2, True, 75_000)


def test_after_the_time_nothing_is_taken_back(timed):
    with pytest.raises(Problem, match="over"):
        changes.ask_takeback(timed, BOTH, 1, 100_000)


def test_asking_twice_is_asking_once(timed):
    asked = changes.ask_takeback(timed, (1,), 1, 41_000)
    assert changes.ask_takeback(asked, (1,), 1, 42_000) is asked
