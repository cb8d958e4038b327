"""Counting complete games, the classic check that rules are implemented right."""

from __future__ import annotations

from collections.abc import Callable

from duels.core.errors import DuelsError
from duels.core.game import Position

MOST_POSITIONS = 3_000_000
"""Different positions that are remembered before we give up: about a gigabyte."""


def perft(position: Position, progress: Callable[[int], None] | None = None) -> tuple[int, int]:
    """How many games from here player 1 wins, and how many player 2 wins."""
    counts: dict[Position, tuple[int, int]] = {}
    stack: list[tuple[Position, list[Position] | None]] = [(position, None)]
    looked_at = 0
    while stack:
        here, nexts = stack.pop()
        if nexts is not None:  # all of them are counted now
            wins = [counts[child] for child in nexts]
            counts[here] = (sum(one for one, _ in wins), sum(two for _, two in wins))
        elif here.outcome:
            counts[here] = (1, 0) if here.outcome.winner == 1 else (0, 1)
        elif here not in counts:
            nexts = [here.play(move) for move in here.legal_moves]
            stack.append((here, nexts))
            stack += [(child, None) for child in nexts if child not in counts]
            looked_at += 1
            if progress and looked_at % 5_000 == 0:
                progress(looked_at)
        if len(counts) > MOST_POSITIONS:
            raise DuelsError(
                f"There are more than {MOST_POSITIONS:,} different positions from here: "
                "too many to count. Try a smaller board, or more moves."
            )
    return counts[position]
