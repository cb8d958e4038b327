"""The pages' board of a number that grows by its digits."""

from __future__ import annotations

from duels.games.digits.dialogue import check
from duels.games.digits.rules import DivisorPosition
from duels.games.digits.theory import divisor_of
from duels.service.boards import Board


def digits(position: DivisorPosition) -> Board:
    """The number so far, and what is to be said about it."""
    goal = f"Make a number that is divisible by {divisor_of(position)}."
    return {
        "kind": "digits",
        "number": str(position.state or ""),
        "words": check(position) if position.state else goal,
    }
