"""A game from elsewhere: a pile of stones from which squares are taken."""

from __future__ import annotations

from math import isqrt

from duels.core.options import whole
from duels.core.states import StateGame


class SquareDuel(StateGame[int]):
    """Take 1, 4, 9, 16 … stones from the pile. Whoever takes the last stone wins."""

    id, title, summary = "square-duel", "Square Duel", "Take a square number of stones."
    stones: int = whole(
        "the stones at the start", default=30, highest=100_000, web_highest=1_000, is_size=True
    )

    def first(self) -> int:
        return self.stones

    def allowed(self, state: int) -> tuple[int, ...]:
        return tuple(root * root for root in range(1, isqrt(state) + 1))

    def after(self, state: int, move: int) -> int:
        return state - move
