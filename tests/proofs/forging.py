"""Verdicts on many boards, and what it takes to forge their proofs."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from functools import cache

import pytest

import duels
from duels.core.errors import ProofError
from duels.core.parts import load, parts_of
from duels.theory.verdict import Verdict, read_verdict, verdict_data

CHAIN_BOARDS = [
    ("number-duel", {"numbers": 12}),
    ("number-duel", {"numbers": 40}),
    ("number-duel", {"numbers": 25, "criteria": "digit-sum,square-sum"}),
    ("number-duel", {"numbers": 25, "criteria": "factor"}),
    ("number-duel", {"numbers": 25, "criteria": "neighbour,prime-factor"}),
    ("sequence-duel", {"numbers": 20}),
    ("sequence-duel", {"numbers": 60}),
    ("sequence-duel", {"numbers": 21, "opening": "even"}),
    ("sequence-duel", {"numbers": 24, "opening": "even-below-half"}),
    ("number-chain-duel", {"numbers": 9}),
    ("number-chain-duel", {"numbers": 33}),
]
LINE_BOARDS = [("number-line-duel", {"numbers": numbers}) for numbers in (3, 10, 25, 90, 170)]
DIVISOR_BOARDS = [("divisor-duel", {"divisor": divisor}) for divisor in (2, 3, 7, 12, 13, 63)]
LARGE_DIVISOR_BOARDS = [("divisor-duel", {"divisor": d}) for d in (87, 97, 321, 10**30 + 57)]
BOARDS = CHAIN_BOARDS + LINE_BOARDS + DIVISOR_BOARDS + LARGE_DIVISOR_BOARDS

GARBAGE = [None, True, 0, 1, -1, 2.0, float("nan"), 10**40, "", "7", [], [[]], {}, {"1": []}]

every_board = pytest.mark.parametrize("board", BOARDS, ids=str)


def verdicts(board):
    """The verdicts on all positions of some random games, as they come out of a file."""
    return _verdicts(board[0], *board[1].items())


@cache
def _verdicts(game, *options):
    chance = random.Random(game)
    found = []
    while len(found) < 60:
        position = duels.game(game, **dict(options)).start()
        while position.legal_moves:
            found.append(through_a_file(duels.solve(position)))
            position = position.play(chance.choice(position.legal_moves))
    return tuple(found)


def through_a_file(verdict):
    return read_verdict(json.loads(json.dumps(verdict_data(verdict))))


def some(things, most=9):
    """A sample, the same every time."""
    things = list(things)
    return random.Random(len(things)).sample(things, min(most, len(things)))


def rejects(verdict):
    try:
        duels.check(verdict)
    except ProofError:
        return True
    return False


def with_proof(verdict, proof):
    return replace(verdict, given=proof)


def assert_rejected(forge, boards):
    """Verdicts that can be forged in this way are rejected then, and there are some."""
    forged = 0
    for verdict in (verdict for board in boards for verdict in some(verdicts(board))):
        for lie in some(forge(verdict)):
            forged += 1
            lie = lie if isinstance(lie, Verdict) else with_proof(verdict, lie)
            assert rejects(lie), (verdict, lie)
    assert forged


def edited(verdict, **changes):
    return verdict.proof | changes


def proves(position, proof):
    """The winning moves with which a verdict would pass, or None if there are none."""
    with suppress(Exception):
        return tuple(load(parts_of(position.game).checker)(position, proof))
    return None


def places(tree, path=()):
    """The ways to everything in plain data."""
    if path:
        yield path
    if isinstance(tree, dict | list):
        for step in tree if isinstance(tree, dict) else range(len(tree)):
            yield from places(tree[step], (*path, step))


def mutated(data, chance):
    """Plain data with something in it dropped, repeated, replaced, moved or counted up or down."""
    data = deepcopy(data)
    for _ in range(chance.choice([1, 1, 2, 3])):
        if not (found := [*places(data)]):
            break
        *way, step = chance.choice(found)
        node = data
        for one in way:
            node = node[one]
        match chance.randrange(5):
            case 0:
                del node[step]
            case 1 if isinstance(node, list):
                node.insert(chance.randrange(len(node) + 1), deepcopy(node[step]))
            case 2 if isinstance(node[step], int):
                node[step] += chance.choice([-12, -2, -1, 1, 2, 12])
            case 3 if isinstance(node, list):
                other = chance.randrange(len(node))
                node[step], node[other] = node[other], node[step]
            case _:
                node[step] = deepcopy(chance.choice(GARBAGE))
    return data
