"""Square Duel: a game of your own in one file. Its rules are next to it, in square_duel.md.

duels --with docs/examples/square_duel.py play square-duel --vs casual
"""

from __future__ import annotations

from math import isqrt

from duels import StateGame, whole


class SquareDuel(StateGame[int]):
    """A pile of stones. Take a square number of them; take the last one and you win."""

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

    # Everything below is optional.

    sample_size, sample = 20, ("4", "1")

    def words(self, state: int) -> str:
        return f"{state} stone{'' if state == 1 else 's'}"

    def refusal(self, state: int, move: int) -> str:
        if move < 1 or isqrt(move) ** 2 != move:
            return f"{move} is not a square number."
        return f"There are only {self.words(state)}."
