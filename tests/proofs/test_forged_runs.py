"""Number Line Duel: no forged run gets past the checker."""

from __future__ import annotations

import pytest
from forging import LINE_BOARDS, assert_rejected, edited, proves

import duels
from duels.games.line.checker import is_regular


def drops_a_run(verdict):
    runs = verdict.proof["runs"]
    for at in range(len(runs)):
        yield edited(verdict, runs=runs[:at] + runs[at + 1 :])


def repeats_a_run(verdict):
    for run in verdict.proof["runs"]:
        yield edited(verdict, runs=[*verdict.proof["runs"], run])


def miscounts_a_run(verdict):
    runs = verdict.proof["runs"]
    for at, (first, last, count) in enumerate(runs[:9]):
        for wrong in (count + 1, count ^ 1, -count - 1, 10**40, None, float("nan")):
            yield edited(verdict, runs=[*runs[:at], [first, last, wrong], *runs[at + 1 :]])


def splits_a_run(verdict):
    runs = verdict.proof["runs"]
    for at, (first, last, count) in enumerate(runs):
        if first < last:
            parts = [[first, first, 1], [first + 1, last, count]]
            yield edited(verdict, runs=runs[:at] + parts + runs[at + 1 :])


def moves_a_run(verdict):
    runs = verdict.proof["runs"]
    for at, (first, last, count) in enumerate(runs[:9]):
        for ends in ([first + 1, last], [first, last + 1], [first - 1, last - 1], [last, first]):
            if ends != [first, last]:
                yield edited(verdict, runs=[*runs[:at], [*ends, count], *runs[at + 1 :]])


def miscounts_a_length(verdict):
    counts = verdict.proof["counts"]
    for length, count in enumerate(counts[:40]):
        yield edited(verdict, counts=[*counts[:length], count + 1, *counts[length + 1 :]])


def tells_of_too_many_lengths(verdict):
    yield edited(verdict, counts=[*verdict.proof["counts"], 99])
    yield edited(verdict, counts=[0] * 10_000)


def tells_of_a_run_without_end(verdict):
    yield edited(verdict, runs=[*verdict.proof["runs"], [1, 10**15, 0]])
    yield edited(verdict, runs=[[-(10**15), 10**15, 0]])


RUN_FORGERIES = [
    drops_a_run,
    repeats_a_run,
    miscounts_a_run,
    splits_a_run,
    moves_a_run,
    miscounts_a_length,
    tells_of_too_many_lengths,
    tells_of_a_run_without_end,
]


@pytest.mark.parametrize("forge", RUN_FORGERIES)
def test_a_forged_line_is_rejected(forge):
    assert_rejected(forge, LINE_BOARDS[:3])


@pytest.mark.parametrize("numbers", [2, 5])
def test_a_run_that_is_not_there_changes_nothing(numbers):
    truth = duels.solve(duels.game("number-line-duel", numbers=numbers).start().play(1))
    around = range(-2, numbers + 4)
    for run in ([first, last, count] for first in around for last in around for count in range(9)):
        for runs in ([run, *truth.proof["runs"]], [*truth.proof["runs"], run]):
            assert proves(truth.position, edited(truth, runs=runs)) in (None, truth.winning_moves)


def counts_of_016(most):
    """The counts of another game: take 1 if nothing else is there, or 2 that leave something."""
    counts = []
    for length in range(most):
        parts = [(one, length - 2 - one) for one in range(length - 2)]
        left = {counts[one] ^ counts[two] for one, two in parts} | ({0} if length == 1 else set())
        counts.append(min(set(range(len(left) + 1)) - left))
    return counts


def test_a_game_that_looks_regular_for_a_while_is_not_believed():
    """Comparing the counts as far as twice the start and 2 more is not enough for a period."""
    start = period = 6
    counts = counts_of_016(100)
    assert all(counts[n] == counts[n + period] for n in range(start, 2 * start + 3))
    assert counts[15] != counts[15 + period]
    assert not is_regular(counts, start, period)
    assert not is_regular(counts[: 2 * start + period + 3], start, period)
