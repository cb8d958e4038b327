"""Writes Certificates.v, the proofs behind Facts.v, from the verdicts of `duels solve`.

python proofs/certificates.py > proofs/Certificates.v
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from rearrange import rearranged

import duels

CHAINS: list[tuple[str, str, dict[str, Any]]] = [
    ("number_duel_100", "number-duel", {"numbers": 100}),
    ("juniper_green_100", "sequence-duel", {"numbers": 100, "opening": "even"}),
    ("number_chain_9", "number-chain-duel", {"numbers": 9}),
]


class Reader:
    """The numbers of a rearranged proof, as terms of Coq."""

    def __init__(self, text: str) -> None:
        self._words: Iterator[str] = iter(text.split()[1:])

    def one(self) -> str:
        return next(self._words)

    def many(self, read: Callable[[], str]) -> str:
        return f"[{'; '.join([read() for _ in range(int(self.one()))])}]"

    def numbers(self) -> str:
        return self.many(self.one)

    def pair(self) -> str:
        return f"({self.one()}, {self.one()})"

    def option(self, read: Callable[[], str]) -> str:
        return f"Some {read()}" if self.one() == "1" else "None"

    def op(self) -> str:
        return f"Cycle {self.many(self.pair)}" if self.one() == "1" else f"One {self.one()}"

    def item(self) -> str:
        ops = self.many(self.op)
        hangs = self.option(lambda: f"({self.one()}, {self.one()}, {self.one()})")
        return f"{{| ops := {ops}; hangs := {hangs} |}}"

    def strategy(self) -> str:
        return f"(Play {self.one()} {self.answers()})" if self.one() == "1" else "Won"

    def answers(self) -> str:
        given = [f"(Answer {self.one()} {self.strategy()} " for _ in range(int(self.one()))]
        return f"{''.join(given)}NoMore{')' * len(given)}"

    def judgement(self) -> str:
        return f"Good {self.answers()}" if self.one() == "1" else f"Bad {self.strategy()}"


def chain(name: str, game: str, options: dict[str, Any]) -> Iterator[str]:
    read = Reader(rearranged(duels.solve(duels.game(game, **options).start())))
    read.numbers(), read.one(), read.one(), read.numbers()  # the game, and no moves
    yield f"Definition {name}_winning : list positive := {read.numbers()}%positive."
    read.one()
    yield f"Definition {name}_move : option positive := ({read.option(read.one)})%positive."
    pairs, items = read.many(read.pair), read.many(read.item)
    rest = read.many(read.pair)
    yield (
        f"Definition {name} : certificate := "
        f"({{| pairs := {pairs}; items := {items}; rest := {rest} |}})%positive."
    )


def strategies(name: str, divisor: int) -> Iterator[str]:
    read = Reader(rearranged(duels.solve(duels.game("divisor-duel", divisor=divisor).start())))
    read.one(), read.numbers(), read.numbers(), read.one()
    yield f"Definition {name} : list judgement := {read.many(read.judgement)}%N."


def main() -> None:
    print("(** * The proofs behind Facts.v, written by certificates.py; Coq checks them there. *)\n")
    print("From Coq Require Import List NArith PArith.\nFrom Duels Require Import ChainCheck Divisor.")
    print("Import ListNotations.\n")
    for named in CHAINS:
        for definition in chain(*named):
            print("\n".join(textwrap.wrap(definition, 100)))
    for definition in strategies("divisor_duel_13", 13):
        print("\n".join(textwrap.wrap(definition, 100)))


if __name__ == "__main__":
    main()
