"""Pairing a class: every pupil has a board, no pair meets twice if avoidable, sides are fair."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from duels.service.classes import (
    COMPUTER,
    SchoolClass,
    join,
    pair_latecomers,
    pair_up,
    remove_pupil,
    start_round,
)
from duels.service.requests import Plan
from rings import by_ring


def fewest_meetings_again(pupils, met) -> int:
    """By trying every way."""
    if not pupils:
        return 0
    one, *others = pupils
    return min(
        (frozenset((one, two)) in met)
        + fewest_meetings_again([pupil for pupil in others if pupil != two], met)
        for two in others
    )


def tilt(played, pupil) -> int:
    """How much more often a pupil has moved first than second."""
    return sum((pupil == first) - (pupil == second) for first, second in played)


@settings(max_examples=by_ring(40, long=1000), deadline=None)
@given(st.data(), st.integers(1, 7), st.integers(1, 6))
def test_rounds_of_pupils_who_come_and_go(data, most, rounds):
    """Any order of joining and leaving."""
    everybody = [f"p{n}" for n in range(most)]
    played, score = [], Counter()
    for _ in range(rounds):
        here = data.draw(st.lists(st.sampled_from(everybody), min_size=1, unique=True))
        pairs = pair_up(here, played, score)
        seated = [pupil for pair in pairs for pupil in pair]
        assert sorted(seated) == sorted(here + [COMPUTER] * (len(here) % 2))
        met = {frozenset(pair) for pair in played}
        again = sum(frozenset(pair) in met for pair in pairs)
        assert again == fewest_meetings_again(seated, met)
        for first, second in pairs:  # whoever has begun less often begins
            assert tilt(played, first) <= tilt(played, second)
        for first, second in pairs:
            score[data.draw(st.sampled_from([first, second]))] += 1
        played += pairs


@settings(max_examples=by_ring(20, long=300), deadline=None)
@given(st.integers(2, 31), st.randoms(use_true_random=False))
def test_in_a_whole_class_sides_stay_balanced(count, chance):
    pupils = [f"p{n}" for n in range(count)]
    played, score = [], Counter()
    for _ in range(min(count // 2, 8)):  # as long as everybody can surely meet somebody new
        pairs = pair_up(pupils, played, score)
        assert not {frozenset(pair) for pair in pairs} & {frozenset(pair) for pair in played}
        for pair in pairs:
            score[chance.choice(pair)] += 1
        played += pairs
    for pupil in pupils:
        begun = sum(first == pupil for first, _ in played)
        assert abs(2 * begun - sum(pupil in pair for pair in played)) <= 2


@settings(max_examples=by_ring(40, long=1000), deadline=None)
@given(st.lists(st.sampled_from(["come", "come", "go", "round"]), max_size=40), st.randoms())
def test_in_a_class_where_people_come_and_go_each_pupil_has_one_place(steps, chance):
    """Also between rounds: two who wait play each other, so that never more than one does."""
    it = replace(SchoolClass("abcde", "", 0), plan=Plan("sequence-duel", {}))
    for step, what in enumerate(steps):
        if what == "come":
            it = pair_latecomers(join(it, None, f"{step:032}"))
        elif what == "go" and it.here:
            it = remove_pupil(it, chance.choice(it.here).id)
        elif what == "round" and it.here:
            it = start_round(it, it.round + 1, {})
            assert not it.unpaired
        places = Counter(pupil for board in it.now_playing for pupil in board.pupils if pupil)
        assert set(places.values()) <= {1}
        assert not it.round or len(it.unpaired) <= 1
        for board in it.now_playing:
            assert len(set(board.pupils)) == 2


def test_the_best_meet_the_best():
    score = {"a": 2, "b": 2, "c": 1, "d": 1, "e": 0, "f": 0}
    pairs = pair_up(list("facedb"), [], score)
    assert {frozenset(pair) for pair in pairs} == {
        frozenset("ab"),
        frozenset("cd"),
        frozenset("ef"),
    }
