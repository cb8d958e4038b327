"""Divisor Duel: no forged strategy gets past the checker."""

from __future__ import annotations

from copy import deepcopy

import pytest
from forging import DIVISOR_BOARDS, assert_rejected, edited, some


def drops_a_digit(verdict):
    for digit in verdict.proof["after"]:
        rest = {other: how for other, how in verdict.proof["after"].items() if other != digit}
        yield edited(verdict, after=rest)


def adds_a_digit(verdict):
    used = {*"0123456789", "10", "-1", "", "x"} - verdict.proof["after"].keys()
    for digit in used:
        for strategy in ([], {}, [1]):
            yield edited(verdict, after=verdict.proof["after"] | {digit: strategy})


def calls_a_win_a_loss(verdict):
    """A list is the opponent's strategy, a dictionary ours."""
    for digit, strategy in verdict.proof["after"].items():
        other = [] if isinstance(strategy, dict) else {}
        yield edited(verdict, after=verdict.proof["after"] | {digit: other})


def nodes(tree, path=()):
    """The ways to every strategy of a tree."""
    yield path
    branches = tree.items() if isinstance(tree, dict) else list(enumerate(tree))[1:]
    for step, branch in branches:
        yield from nodes(branch, (*path, step))


def changed(verdict, path, change):
    """A proof with one node of its tree changed."""
    after = deepcopy(verdict.proof["after"])
    node = after
    for step in path:
        node = node[step]
    change(node)
    return edited(verdict, after=after)


def drops_an_answer(verdict):
    for path in some(nodes(verdict.proof["after"])):
        if path and isinstance(path[-1], str):
            yield changed(verdict, path[:-1], lambda node, answer=path[-1]: node.pop(answer))


def answers_against_the_rules(verdict):
    for path in some(nodes(verdict.proof["after"])):
        node = verdict.proof["after"]
        for step in path:
            node = node[step]
        if node and isinstance(node, list):
            used = {int(step) for step in path if isinstance(step, str)}
            for digit in some((*used, 0, -1, 10**40, None, "1", 1.0, [1]), 2):
                yield changed(verdict, path, lambda node, digit=digit: node.__setitem__(0, digit))


STRATEGY_FORGERIES = [
    drops_a_digit,
    adds_a_digit,
    calls_a_win_a_loss,
    drops_an_answer,
    answers_against_the_rules,
]


@pytest.mark.slow
@pytest.mark.parametrize("forge", STRATEGY_FORGERIES)
def test_a_forged_strategy_is_rejected(forge):
    assert_rejected(forge, DIVISOR_BOARDS)
