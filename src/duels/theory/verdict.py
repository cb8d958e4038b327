"""A verdict: the exact truth about a position, with a proof that anybody can check."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from duels.core.errors import ProofError
from duels.core.game import Move, Position
from duels.games import game

Proof = dict[str, Any]
"""Plain data, so that it can be written to a file: see docs/theory.md for each kind."""


@dataclass(frozen=True)
class Verdict:
    """Whether the player to move wins with best play, by which moves, and the proof.

    `wins` is None for a finished position, which has no moves and needs no proof.
    """

    position: Position
    wins: bool | None
    winning_moves: tuple[Move, ...]
    prove: Callable[[], Proof | None] = field(repr=False, compare=False)

    @cached_property
    def proof(self) -> Proof | None:
        """Written when first asked for: it can be longer than the thought behind it."""
        with no_collection():
            return self.prove()

    @cached_property
    def reason(self) -> str:
        """Why, in words that help to play."""
        from duels.theory.reasons import reason

        return reason(self)


@contextmanager
def no_collection() -> Iterator[None]:
    """While thousands of pairs are made and all are kept, looking for garbage is a waste."""
    was_on = gc.isenabled()
    if was_on:  # else another thread has switched it off, and will switch it on again
        gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def as_it_is(proof: Proof | None) -> Proof | None:
    """The proof of a verdict that has it already; unlike a lambda, this can be pickled."""
    return proof


def verdict_data(verdict: Verdict) -> dict[str, Any]:
    """A verdict as plain data for a file; a pair is a list of two."""
    position = verdict.position
    return {
        "game": position.game.id,
        "options": dict(position.game.options),
        "moves": list(position.moves),
        "wins": verdict.wins,
        "winning_moves": list(verdict.winning_moves),
        "proof": verdict.proof,
    }


def read_verdict(data: Any) -> Verdict:
    """The verdict that `verdict_data` wrote, its proof unchecked; ProofError if it is none."""
    try:
        position = game(data["game"], **data["options"]).start()
        for move in data["moves"]:
            position = position.play(_move(move))
        winning = tuple(_move(move) for move in data["winning_moves"])
        wins, proof = data["wins"], data["proof"]
    except (KeyError, TypeError, AttributeError):
        raise ProofError("This is not a verdict as duels solve --proof writes it.") from None
    if wins not in (True, False, None) or not isinstance(proof, dict | None):
        raise ProofError("This is not a verdict: wins or proof has the wrong form.")
    return Verdict(position, wins, winning, partial(as_it_is, proof))


def _move(value: Any) -> Move:
    return (value[0], value[1]) if isinstance(value, list) and len(value) == 2 else value
