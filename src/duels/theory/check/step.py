"""One step of a proof."""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain
from typing import Any

from duels.core.errors import ProofError
from duels.core.game import Game, Position
from duels.core.parts import changed_rule
from duels.theory.verdict import Proof

_LISTS = {list, tuple}
_PLAIN = {int, str, type(None), dict, *_LISTS}


def require_plain(proof: Any) -> None:
    """Raise ProofError unless a proof is made of whole numbers and words.

    What only equals a number, as 5.0 and true do, is none: others may read it differently.
    """
    level: list[Any] = [proof]
    while level:  # one level of lists and names after another: a proof is wide and not deep
        kinds = {*map(type, level)}
        require(kinds <= _PLAIN, "it has a part that is not a whole number, a word or a list")
        named = [part for part in level if type(part) is dict] if dict in kinds else []
        names = {*map(type, chain.from_iterable(named))}
        require(names <= {str}, "not all of its names are words")
        lists = [part for part in level if type(part) in _LISTS] if kinds & _LISTS else []
        level = [*chain.from_iterable(part.values() for part in named)]
        level += chain.from_iterable(lists)


def require(holds: bool, otherwise: str) -> None:
    """Raise ProofError unless a step of a proof holds."""
    if not holds:
        raise ProofError(f"The proof fails: {otherwise}.")


def of_kind(kind: str, proof: Proof) -> None:
    """Raise ProofError unless a proof is of this kind."""
    require(proof.get("kind") == kind, f"a proof for this game is of the kind {kind}")


def require_rules(
    position: Position, kind: type, rules: type[Game], besides: Collection[str] = ()
) -> None:
    """Raise ProofError unless a position is of this class, and its game has the rules of this one.

    `besides` names the rules in which it may differ.
    """
    other = "this kind of proof is for other rules"
    require(type(position) is kind and isinstance(position.game, rules), other)
    changed = changed_rule(position.game, rules, besides)
    require(not changed, f"{other}: {position.game.id} has its own `{changed}`")
