"""A verdict: who wins a position, by which moves, with a proof that anyone can check."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import IO, Any, Generic, TypeVar

from duels.core.errors import ProofError, UnreadableMove
from duels.core.game import Move, Position, read_move
from duels.core.parts import load
from duels.games import game_to_solve
from duels.theory.theory import theory_of

Proof = dict[str, Any]
"""A proof as plain data, so that it can be written to a file; docs/explanation/theory.md describes
each kind."""
MAGIC = b"duels packed proof 1\n"
"""How a file of a packed proof begins: see `write_packed`."""
P_co = TypeVar("P_co", bound=Position, covariant=True)


@dataclass(frozen=True)
class Verdict(Generic[P_co]):
    """Whether the player to move wins with best play, by which moves, and the proof.

    `wins` is None for a finished position, which has no moves and needs no proof.
    """

    position: P_co
    wins: bool | None
    winning_moves: tuple[Move, ...]
    given: Proof | None = field(default=None, repr=False, compare=False)
    """A proof that was read from a file, used instead of the theory's own."""

    def _repr_svg_(self) -> str:
        """The picture that a Jupyter notebook shows."""
        svg: str = load("duels.theory.pictures:verdict_svg")(self)
        return svg

    @cached_property
    def proof(self) -> Proof | None:
        """The proof, computed on first use: it can take longer than the verdict."""
        if self.given is not None or self.wins is None:
            return self.given
        with no_collection():
            if self.packed:
                plain: Proof = self.packed.data()
                return plain
            return theory_of(self.position).prove(self.position, self.winning_moves)

    @cached_property
    def packed(self) -> Any:
        """The proof as arrays; None if it was read from a file or the game has no such form."""
        if self.given is not None or self.wins is None:
            return None
        return theory_of(self.position).pack(self.position, self.winning_moves)

    @cached_property
    def reason(self) -> str:
        """Why the player to move wins or loses, in words that help to play."""
        if outcome := self.position.outcome:
            return f"The game is over: Player {outcome.winner} has won."
        return theory_of(self.position).reason(self)

    @cached_property
    def explanation(self) -> list[str]:
        """Everything a player needs to win from here, as lines of text."""
        return [] if self.wins is None else theory_of(self.position).explanation(self)

    @cached_property
    def best_move(self) -> Move | None:
        """The winning move that the explanation begins with, or None in a lost position."""
        return theory_of(self.position).best_move(self) if self.wins else None


@contextmanager
def no_collection() -> Iterator[None]:
    """Pause garbage collection while thousands of objects are made that all stay in use."""
    was_on = gc.isenabled()
    if was_on:  # otherwise another thread has switched it off, and will switch it on again
        gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def verdict_data(verdict: Verdict[Position]) -> dict[str, Any]:
    """Return a verdict as plain data for a file; a pair is a list of two numbers."""
    position = verdict.position
    return {
        "game": position.game.id,
        "options": dict(position.game.options),
        "moves": list(position.moves),
        "wins": verdict.wins,
        "winning_moves": list(verdict.winning_moves),
        "proof": verdict.proof,
    }


def read_verdict(data: Any) -> Verdict[Position]:
    """Return the verdict that `verdict_data` wrote, unchecked; ProofError if it is malformed."""
    try:
        playing = game_to_solve(data["game"], **data["options"])
        # Compare the values as written: 20 is not "20", and an option that is left out stays left
        # out.
        said, meant = (json.dumps(o, sort_keys=True) for o in (data["options"], playing.options))
        if said != meant:
            raise ProofError("This is not a verdict: it must name every option in canonical form.")
        position = playing.position(*map(read_move, data["moves"]))
        winning = tuple(map(read_move, data["winning_moves"]))
        wins, proof = data["wins"], data["proof"]
    except (KeyError, TypeError, AttributeError, UnreadableMove):
        raise ProofError("This is not a verdict as duels solve --proof writes it.") from None
    if not any(wins is value for value in (True, False, None)) or not isinstance(
        proof, dict | None
    ):
        raise ProofError("This is not a verdict: wins or proof has the wrong form.")
    return Verdict(position, wins, winning, {} if proof is None and wins is not None else proof)


@dataclass(frozen=True)
class PackedVerdict(Generic[P_co]):
    """A verdict on a board with too many numbers for lists: a bit set of winning moves, arrays."""

    position: P_co
    winning: int
    proof: Any
    """The first move or None, followed by arrays."""

    @property
    def wins(self) -> bool:
        return bool(self.winning)

    @property
    def winning_count(self) -> int:
        return self.winning.bit_count()


def write_packed(verdict: PackedVerdict[Position], file: IO[bytes]) -> None:
    """Write a verdict with its proof; `duels.theory.check.check_packed` reads it.

    The file has a line that names the format, a line of JSON with the claim, and the arrays of the
    proof as little-endian 32-bit integers.
    """
    (move, *arrays), position = verdict.proof, verdict.position
    claim = {
        "game": position.game.id,
        "options": dict(position.game.options),
        "moves": list(position.moves),
        "winning_count": verdict.winning_count,
        "move": move,
        "lengths": [len(array) for array in arrays],
    }
    file.write(MAGIC + json.dumps(claim).encode() + b"\n")
    for array in arrays:
        file.write(array.astype("<i4", copy=False).data)
