"""Verdicts on boards with too many numbers for lists: bit sets, arrays, and their file format.

The file has a line that names the format, a line of JSON with the claim, and the arrays of the
proof as little-endian 32-bit integers. A game names their checker as its part `packed_checker`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Generic, TypeVar

from duels.core.errors import DAMAGED, DuelsError, ProofError, install
from duels.core.fast import is_numba_installed
from duels.core.files import parse_json
from duels.core.game import Position
from duels.core.parts import load, parts_of
from duels.games import game_to_solve

MAGIC = b"duels packed proof 1\n"
LONGEST_CLAIM = 2**20
"""The most bytes in the line with the claim."""
P_co = TypeVar("P_co", bound=Position, covariant=True)


@dataclass(frozen=True)
class PackedVerdict(Generic[P_co]):
    """The winning moves as a bit set, and the proof."""

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
    """Write a verdict with its proof."""
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


def is_packed(path: Path) -> bool:
    """Say whether a file begins like one by `write_packed`; OSError if it cannot be read."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def check_packed(path: Path) -> PackedVerdict[Position]:
    """Return what a file proves; ProofError if it does not prove what it claims.

    The arrays stay in the file and are read during the check. The solver is not used.
    """
    if not is_numba_installed():
        raise ProofError(f"This proof needs the extra fast. {install('fast')}")
    try:
        claim, arrays = _read(path)
        playing = game_to_solve(claim["game"], **claim["options"])
        if json.dumps(claim["options"], sort_keys=True) != json.dumps(
            playing.options, sort_keys=True
        ):
            raise ProofError("The proof must say every option, in its one form.")
        position = playing.position(*claim["moves"])
        part = parts_of(playing).packed_checker
        if not part or position.outcome:
            raise ProofError("The proof fails: there is nothing of this kind to prove.")
        winning: int = load(part)(position, claim["move"], arrays)
        if type(claim["winning_count"]) is not int or claim["winning_count"] != winning.bit_count():
            raise ProofError("The proof fails: it proves other winning moves.")
    except ProofError:
        raise
    except DuelsError as error:
        raise ProofError(f"The proof fails: {error}") from None
    except DAMAGED:
        raise ProofError("The proof is damaged: it does not have the form of a proof.") from None
    return PackedVerdict(position, winning, (claim["move"], *arrays))


def _read(path: Path) -> tuple[dict[str, Any], list[Any]]:
    """Return the claim of a file, and its arrays without loading them."""
    numpy = import_module("numpy")
    with path.open("rb") as file:
        file.seek(len(MAGIC))
        claim = parse_json(file.readline(LONGEST_CLAIM).decode())
        at = file.tell()
    lengths = claim["lengths"]
    if not all(type(length) is int and 0 <= length < 2**31 for length in lengths):
        raise ProofError("The proof is damaged: a length is not a whole number.")
    if path.stat().st_size != at + 4 * sum(lengths):
        raise ProofError("The proof is damaged: its file is too short or too long.")
    arrays = []
    for length in lengths:
        shown = numpy.memmap(path, "<i4", "c", at, (length,)) if length else numpy.zeros(0, "<i4")
        arrays.append(numpy.asarray(shown))
        at += 4 * length
    return claim, arrays
