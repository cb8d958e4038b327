"""Games on the numbers 1, 2, 3 ... of a board, each of which is used up once."""

from __future__ import annotations

from collections.abc import Iterable
from inspect import get_annotations
from typing import Any

from duels.core.bits import members, up_to
from duels.core.board import Cell
from duels.core.game import Game, Position, numbers_of
from duels.core.options import whole


class BoardGame(Game):
    """The numbers 1..size. A subclass says its usual size, and its highest if it has its own."""

    numbers: int

    def __init_subclass__(cls, *, usual: int = 10, highest: int = 1_000_000, **more: Any) -> None:
        if cls.id:  # a game, and not only a family of games
            cls.__annotations__ = {"numbers": "int"} | get_annotations(cls)
            cls.numbers = whole(
                "the highest number on the board",
                default=usual,
                highest=highest,
                web_highest=200,
                label="Numbers up to",
                brief="1 to {}",
                is_size=True,
            )
        super().__init_subclass__(**more)

    @property
    def size(self) -> int:
        return self.numbers


def number_cells(position: Position, free: int) -> list[Cell]:
    """Return a cell for each number of the board; those not in the bit set `free` are gone."""
    taken = takers(position)
    last = numbers_of(position.moves[-1]) if position.moves else ()
    game = position.game
    if "free cells" not in game.memory:
        game.memory["free cells"] = [Cell(str(n), n) for n in range(1, game.size + 1)]
    cells: list[Cell] = [*game.memory["free cells"]]
    for n in members(up_to(game.size) & ~free):
        cells[n - 1] = Cell(str(n), n, gone=True, taken_by=taken.get(n, 0), last=n in last)
    return cells


def takers(position: Position) -> dict[int, int]:
    """Who took each number that is gone."""
    return {
        number: 1 + ply % 2
        for ply, move in enumerate(position.moves)
        for number in numbers_of(move)
    }


def free_in_words(free: Iterable[str]) -> str:
    """The numbers that are left, in one line."""
    return f"Free: {' '.join(free) or 'none'}"
