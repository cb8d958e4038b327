"""Cram: dominoes on a grid, where a move takes two neighbouring squares, in one file.

duels --with docs/examples/cram.py play cram --vs casual
"""

from __future__ import annotations

from duels import Board, Cell, Link, StateGame, Verb, whole


class Cram(StateGame[int]):
    """Put a domino on two free squares that are side by side, or one above the other.

    The state is the free squares as bits; squares are numbered from 1, row by row.
    """

    id, title = "cram", "Cram"
    summary = "Cover two neighbouring squares with a domino. Place the last domino and you win."
    verb = Verb("cover", "covered", "covered by")
    pair_words = "two neighbouring squares"
    move_words = "two neighbouring squares, like 1-2"
    high: int = whole("the rows of the grid", default=3, highest=5, label="Rows", brief="{} high")
    wide: int = whole(
        "the columns of the grid",
        default=4,
        highest=5,
        label="Columns",
        brief="{} wide",
        is_size=True,
    )

    def first(self) -> int:
        return (1 << self.high * self.wide) - 1

    def allowed(self, state: int) -> tuple[tuple[int, int], ...]:
        return tuple(pair for pair in self.dominoes() if self.bits(pair) & ~state == 0)

    def after(self, state: int, move: tuple[int, int]) -> int:
        return state & ~self.bits(move)

    def dominoes(self) -> list[tuple[int, int]]:
        squares = range(1, self.high * self.wide + 1)
        across = [(n, n + 1) for n in squares if n % self.wide]
        return sorted(across + [(n, n + self.wide) for n in squares[: -self.wide]])

    def bits(self, move: tuple[int, int]) -> int:
        return 1 << move[0] - 1 | 1 << move[1] - 1

    def words(self, state: int) -> str:
        free = [str(n + 1) for n in range(self.high * self.wide) if state >> n & 1]
        return " ".join(free) or "no square"

    def board(self, position) -> Board:
        """Every square; two free neighbours are linked, because a domino covers both."""
        covered = {n: ply for ply, move in enumerate(position.moves) for n in move}
        last = len(position.moves) - 1

        def square(n: int) -> Cell:
            ply = covered.get(n)
            taken_by = 0 if ply is None else 1 + ply % 2
            return Cell(str(n), gone=ply is not None, taken_by=taken_by, last=ply == last)

        rows = range(0, self.high * self.wide, self.wide)
        return Board(
            [[square(n) for n in range(start + 1, start + self.wide + 1)] for start in rows],
            links=[Link((a - 1, b - 1), "move", (a, b)) for a, b in self.allowed(position.state)],
        )
