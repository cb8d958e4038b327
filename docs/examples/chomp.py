"""Chomp: a game with a board in two dimensions, in one file.

duels --with docs/examples/chomp.py play chomp --vs casual
"""

from __future__ import annotations

from duels import Board, Cell, StateGame, Verb, whole

Rows = tuple[int, ...]
"""How many squares are left in each row, from the top."""


class Chomp(StateGame[Rows]):
    """A bar of chocolate. Eat a square with all squares below it and to its right.

    The square in the top left corner is poisoned: if you eat it, you lose.
    """

    id, title = "chomp", "Chomp"
    summary = "Eat a square with all below it and to its right. The first square is poisoned."
    verb = Verb("eat", "ate", "eaten by")
    pair_words = "a row and a column"
    move_words = "a square, like 2-3"
    endings = {"poison": "the poisoned square was eaten"}  # noqa: RUF012
    high: int = whole("the rows of the bar", default=3, highest=6, label="Rows", brief="{} high")
    wide: int = whole(
        "the columns of the bar",
        default=5,
        highest=8,
        label="Columns",
        brief="{} wide",
        is_size=True,
    )

    def first(self) -> Rows:
        return (self.wide,) * self.high

    def allowed(self, state: Rows) -> tuple[tuple[int, int], ...]:
        return tuple((y, x) for y, left in enumerate(state, 1) for x in range(1, left + 1))

    def after(self, state: Rows, move: tuple[int, int]) -> Rows:
        y, x = move
        return tuple(min(left, x - 1) if row >= y else left for row, left in enumerate(state, 1))

    def last_mover_wins(self, state: Rows) -> bool:
        return False

    def ending(self, state: Rows) -> str:
        return "poison"

    def words(self, state: Rows) -> str:
        return f"rows of {', '.join(map(str, state))}"

    def board(self, position) -> Board:
        """Every square of the bar, eaten or not."""
        return Board(
            [
                [Cell(f"{y}-{x}", (y, x), gone=x > left) for x in range(1, self.wide + 1)]
                for y, left in enumerate(position.state, 1)
            ],
            caption="1-1 is poisoned.",
        )
