"""Divisor Duel: no forged strategy gets past the checker, and no forged list of digits."""

from __future__ import annotations

from copy import deepcopy

import pytest
from changed_games import HeadStartDivisor, LastDigitWins, LeftDivisor, OddDivisor
from forging import DIVISOR_BOARDS, LARGE_DIVISOR_BOARDS, assert_rejected, edited, proves, some

import duels
from duels.core.errors import ProofError
from duels.games.digits.checker import check_divisor
from duels.games.digits.theory import DIVISOR


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


# Divisors from 87 on: the digits that finish


def names_another_digit(verdict):
    now = verdict.proof["now"]
    for digit in range(11):
        yield edited(verdict, now=[*now, digit])
        yield edited(verdict, now=[digit, *now])
    for digit in now:
        yield edited(verdict, now=[other for other in now if other != digit])


def hides_a_reply(verdict):
    for digit in verdict.proof["after"]:
        yield edited(verdict, after={d: r for d, r in verdict.proof["after"].items() if d != digit})
        yield edited(verdict, after=verdict.proof["after"] | {digit: []})


def invents_a_reply(verdict):
    for digit in {*"0123456789", "10", "x"} - verdict.proof["after"].keys():
        for replies in ([], [1], [9, 8]):
            yield edited(verdict, after=verdict.proof["after"] | {digit: replies})


def has_other_parts(verdict):
    yield edited(verdict, lost=[])
    for name in verdict.proof:
        yield {key: part for key, part in verdict.proof.items() if key != name}
        yield edited(verdict, **{name: None})
        yield edited(verdict, **{name: [verdict.proof[name]]})


FINISH_FORGERIES = [names_another_digit, hides_a_reply, invents_a_reply, has_other_parts]


@pytest.mark.slow
@pytest.mark.parametrize("forge", FINISH_FORGERIES)
def test_forged_digits_that_finish_are_rejected(forge):
    assert_rejected(forge, LARGE_DIVISOR_BOARDS)


@pytest.mark.parametrize("divisor", [*range(2, 87)])
def test_below_87_the_digits_that_finish_prove_nothing(divisor):
    position = duels.game("divisor-duel", divisor=divisor).position(*(1, 4)[: divisor > 14])
    proof = {"kind": "finishes", "now": [], "after": {}}
    assert proves(position, proof) is None


def test_a_strategy_proves_a_large_divisor_too():
    start = duels.game("divisor-duel", divisor=97).start()
    after = DIVISOR.strategies(start, ())
    assert proves(start, {"kind": "strategy", "after": after}) == ()


@pytest.mark.parametrize("kind", [OddDivisor, LastDigitWins, LeftDivisor, HeadStartDivisor])
def test_other_rules_are_not_proved_by_the_digits_that_finish(kind):
    position = kind(divisor=97).start()
    with pytest.raises(ProofError, match="for other rules"):
        check_divisor(position, {"kind": "finishes", "now": [], "after": {}})
