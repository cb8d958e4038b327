"""The pages' board of a number that grows by its digits."""

from __future__ import annotations

from duels.dialogue.divisor import check
from duels.games.divisor_duel import DivisorPosition
from duels.hosting.boards import Board
from duels.theory.divisor import divisor_of


def digits(position: DivisorPosition) -> Board:
    """The number so far, and what is to be said about it."""
    goal = f"Make a number that is divisible by {divisor_of(position)}."
    return {
        "kind": "digits",
        "number": str(position.state or ""),
        "words": check(position) if position.state else goal,
    }
