"""Forges proofs of every kind in every way, and compares the checker with brute force.

A forgery begins with a true verdict on a small board, as it is written to a file. Something in it
is changed: numbers, types, claims, options, moves, a part of another proof of its kind, or the
game for another one. Then it claims what it would prove, if it proves anything, and sometimes an
illegal move as well. Some are written with a key twice. Whatever the checker accepts must be true.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, lru_cache
from random import Random
from typing import Any

from changed_games import RIGHT

import duels
from duels.core.errors import DuelsError
from duels.core.files import parse_json
from duels.core.game import Position
from duels.core.parts import load, parts_of
from duels.games import game, register
from duels.theory.verdict import read_verdict, verdict_data
from own_games import EuclidDuel, LastStoneLoses, square_duel

Data = Any
"""A verdict as plain data, or a part of it."""

BOARDS: dict[str, list[tuple[str, dict[str, Any], int]]] = {
    "matching": [
        ("number-duel", {"numbers": 7}, 0),
        ("number-duel", {"numbers": 8, "criteria": "neighbour,prime-factor"}, 0),
        ("number-duel", {"numbers": 9, "criteria": "factor"}, 0),
        ("number-duel", {"numbers": 9, "criteria": "digit-sum,square-sum,neighbour"}, 0),
        ("sequence-duel", {"numbers": 9}, 0),
        ("sequence-duel", {"numbers": 10, "opening": "even"}, 0),
        ("sequence-duel", {"numbers": 10, "opening": "even-below-half"}, 0),
        ("number-chain-duel", {"numbers": 8}, 0),
    ],
    "runs": [("number-line-duel", {"numbers": numbers}, 0) for numbers in (1, 4, 6, 9)],
    "strategy": [("divisor-duel", {"divisor": divisor}, 5) for divisor in (2, 7, 10, 12, 13, 63)],
    "finishes": [
        ("divisor-duel", {"divisor": divisor}, made)
        for divisor, made in [(87, 5), (88, 5), (91, 5), (97, 4), (111, 5), (321, 5), (1234, 5)]
    ],
    "changed": [
        ("misere-line", {"numbers": 5}, 0),
        ("singles-line", {"numbers": 5}, 0),
        ("mirror-line", {"numbers": 6}, 0),
        ("no-one-sequence", {"numbers": 7}, 0),
        ("upwards-chain", {"numbers": 6}, 0),
        ("misere-chain", {"numbers": 5}, 0),
        ("flipped-pile", {"stones": 5}, 0),
        ("history-pile", {"stones": 5}, 0),
        ("odd-divisor", {"divisor": 12}, 1),
    ],
    "answers": [
        ("square-duel", {"stones": 12}, 0),
        ("square-duel", {"stones": 25}, 0),
        ("euclid-duel", {"larger": 13, "smaller": 8}, 0),
        ("last-stone", {"stones": 10}, 0),
    ],
}
"""Games by the kind of their proofs, each with the moves that are made before one is wanted."""
GARBAGE = [None, True, False, 0, 1, -1, 2.0, float("nan"), 10**40, "", "7", [], [[]], {}, {"1": []}]
MOST_SEARCHED = 200_000
"""Positions of one brute force."""


def register_games() -> None:
    """The generic proof is for games that have no theory of their own, or change the rules."""
    changed = [kind for kind, _ in RIGHT]
    for kind in (square_duel(), EuclidDuel, LastStoneLoses, *changed):
        if kind.id not in duels.GAMES:
            register(kind)


class Forger:
    """Makes forgeries of one kind, judges them, and counts what came of them."""

    def __init__(self, kind: str, seed: int = 1) -> None:
        self.chance = Random(f"{kind} {seed}")
        self.count: Counter[str] = Counter()
        self.truths = [*_truths(kind)]
        for text in self.truths:
            assert json.loads(text)["proof"]["kind"] == kind.replace("changed", "answers")
            assert _is_true(read_verdict(json.loads(text)))

    def forge(self, most: int) -> Iterator[Data]:
        """Forge `most` verdicts; those that were accepted and are false come out, if any."""
        while self.count["forged"] < most:
            text = self.chance.choice(self.truths)
            data = json.loads(text)
            for _ in range(self.chance.choice([1, 1, 1, 2, 3])):
                self._change(data)
            if self.chance.random() < 0.05:
                data["game"] = self.chance.choice([*duels.GAMES])
            if json.dumps(data) == text:
                continue
            self.count["forged"] += 1
            verdict = self._accepted(data)
            if verdict is None:
                self.count["refused"] += 1
            elif _is_true(verdict) and not _has_what_only_equals_a_number(data):
                self.count["accepted and true"] += 1
            else:
                self.count["accepted and false"] += 1
                yield data

    def _accepted(self, data: Data) -> Any:
        """The verdict, with the claim that its proof supports if there is one; None if refused."""
        with suppress(DuelsError):
            verdict = read_verdict(data)
            proof = verdict.proof if isinstance(verdict.proof, dict) else {}
            with suppress(Exception):  # only `check` must turn everything into a sentence
                winning = load(parts_of(verdict.position.game).checker)(verdict.position, proof)
                data["wins"], data["winning_moves"] = bool(winning), list(winning)
                if self.chance.random() < 0.05:
                    legal = verdict.position.legal_moves
                    illegal = [move for move in range(-1, 12) if move not in legal]
                    data["winning_moves"].append(self.chance.choice(illegal))
            with suppress(ValueError):  # a key that is there twice, or a number that is none
                verdict = read_verdict(parse_json(self._written(data)))
                duels.check(verdict)
                return verdict
        return None

    def _written(self, data: Data) -> str:
        """The text of a file; sometimes a key of it is there twice."""
        text = json.dumps(data)
        if self.chance.random() < 0.03:
            name = self.chance.choice([*data])
            other = json.dumps(json.loads(self.chance.choice(self.truths))[name])
            text = f'{{"{name}": {other}, {text[1:]}'
        return text

    def _change(self, data: Data) -> None:
        """One change somewhere."""
        chance = self.chance
        other = json.loads(chance.choice(self.truths))
        if chance.random() < 0.1:  # a part of another proof of this kind, at its place
            for name in chance.sample([*data], chance.randint(1, 2)):
                data[name] = other[name]
            return
        holder, step = self._place(data)
        if holder is None:
            return
        value = holder[step]
        match chance.randrange(9):
            case 0:
                del holder[step]
            case 1 if isinstance(holder, list):
                holder.insert(chance.randrange(len(holder) + 1), json.loads(json.dumps(value)))
            case 2 if isinstance(holder, list):
                place = chance.randrange(len(holder))
                holder[step], holder[place] = holder[place], value
            case 3 if isinstance(value, list):
                chance.shuffle(value)
            case 4 if type(value) is int:
                holder[step] = chance.choice([float(value), str(value), bool(value), [value]])
            case 5:
                there, at = self._place(data)
                holder[step] = json.loads(json.dumps(there[at]))
            case 6:
                there, at = self._place(other)
                holder[step] = there[at]
            case 7:
                holder[step] = json.loads(json.dumps(chance.choice(GARBAGE)))
            case _ if type(value) is int:
                holder[step] = value + chance.choice([-2, -1, -1, 1, 1, 2])
            case _ if type(value) is bool:
                holder[step] = not value

    def _place(self, data: Data) -> tuple[Any, Any]:
        """A random place: what holds it, and where in that."""
        holder, step = None, None
        while isinstance(data, dict | list) and data:
            if holder is not None and self.chance.random() < 0.25:
                break
            holder = data
            step = self.chance.choice([*data] if isinstance(data, dict) else range(len(data)))
            data = holder[step]
        return holder, step


@cache
def _truths(kind: str) -> tuple[str, ...]:
    """True verdicts of some random games on the boards of a kind, as they are written."""
    chance, found = Random(kind), []
    for game_id, options, made in BOARDS[kind]:
        for _ in range(6):
            position = game(game_id, **options).start()
            while position.legal_moves:
                if len(position.moves) >= made:
                    found.append(json.dumps(verdict_data(duels.solve(position))))
                position = position.play(chance.choice(position.legal_moves))
    return tuple(dict.fromkeys(found))


def _is_true(verdict: Any) -> bool:
    position = verdict.position
    winning = brute_force(position)
    wins = None if position.outcome else bool(winning)
    return wins is verdict.wins and winning == verdict.winning_moves


def brute_force(position: Position) -> tuple[Any, ...]:
    """The moves that win, by playing everything out."""
    return _brute_force(type(position.game), *position.game.options.items(), position.moves)


@lru_cache(maxsize=50_000)
def _brute_force(kind: Any, *more: Any) -> tuple[Any, ...]:
    *options, moves = more
    position = kind(**dict(options)).position(*moves)
    known: dict[Any, bool] = {}

    def wins(here: Position) -> bool:
        # Equal positions of a class from outside may differ in their history.
        key = here if type(here).__module__.startswith("duels.") else here.moves
        if key not in known:
            assert len(known) < MOST_SEARCHED, "this board is too large for brute force"
            end = here.outcome
            known[key] = (
                end.winner == here.to_move
                if end
                else not all(wins(here.play(move)) for move in here.legal_moves)
            )
        return known[key]

    return tuple(move for move in position.legal_moves if not wins(position.play(move)))


def _has_what_only_equals_a_number(data: Data) -> bool:
    """Whether there is a float, or a truth value that is not the claim."""
    parts = [value for name, value in data.items() if name != "wins"]
    while parts:
        part = parts.pop()
        if type(part) in (float, bool):
            return True
        if isinstance(part, dict | list):
            parts += part.values() if isinstance(part, dict) else part
    return False
