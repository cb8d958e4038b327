"""Games on the numbers 1, 2, 3 ... of a board, each of which can be used once."""

from __future__ import annotations

from collections.abc import Iterable
from inspect import get_annotations
from typing import Any

from duels.core.board import Cell
from duels.core.fast import members
from duels.core.game import Game, Position, numbers_of
from duels.core.options import whole

MOST_DRAWN = 2_000
"""The most numbers of a board that are all drawn."""
WINDOW = 500
"""How many numbers of a larger board are drawn."""


class BoardGame(Game):
    """The numbers 1..size. A subclass sets its usual size, and its highest if that differs."""

    numbers: int

    def __init_subclass__(
        cls,
        *,
        usual: int = 10,
        highest: int = 1_000_000,
        solve_highest: int | None = None,
        **more: Any,
    ) -> None:
        if cls.id:  # this is a game, not just a base class for a family
            cls.__annotations__ = {"numbers": "int"} | get_annotations(cls)
            cls.numbers = whole(
                "the highest number on the board",
                default=usual,
                highest=highest,
                web_highest=200,
                solve_highest=solve_highest,
                label="Numbers up to",
                brief="1 to {}",
                is_size=True,
            )
        super().__init_subclass__(**more)

    @property
    def size(self) -> int:
        return self.numbers


def shown_numbers(position: Position) -> range:
    """Return the numbers of a board that are drawn: all, or a window around the last move."""
    size = position.game.size
    if size <= MOST_DRAWN:
        return range(1, size + 1)
    last = numbers_of(position.moves[-1])[0] if position.moves else 1
    first = (max(1, min(last - WINDOW // 2, size - WINDOW + 1)) - 1) // 10 * 10 + 1
    return range(first, min(first + WINDOW, size + 1))


def window_words(position: Position) -> str:
    """Return a caption for a board of which only a part is drawn; otherwise ""."""
    shown, size = shown_numbers(position), position.game.size
    part = f"{shown[0]:,} to {shown[-1]:,} of {size:,}"
    return "" if len(shown) == size else f"Numbers {part} are shown."


def number_cells(position: Position, free: int) -> list[Cell]:
    """Return a cell for each number that is drawn; those not in the bit set `free` are gone."""
    taken, shown = takers(position), shown_numbers(position)
    last = numbers_of(position.moves[-1]) if position.moves else ()
    memory = position.game.memory
    if "free cells" not in memory or memory["free cells"][0].move != shown[0]:
        memory["free cells"] = [Cell(str(n), n) for n in shown]
    cells: list[Cell] = [*memory["free cells"]]
    for at in members(~(free >> shown[0]) & (1 << len(shown)) - 1):
        n = shown[at]
        cells[at] = Cell(str(n), n, gone=True, taken_by=taken.get(n, 0), last=n in last)
    return cells


def takers(position: Position) -> dict[int, int]:
    """By number: the player who took it."""
    return {
        number: 1 + ply % 2
        for ply, move in enumerate(position.moves)
        for number in numbers_of(move)
    }


def free_in_words(free: Iterable[str]) -> str:
    """The free numbers, in one line."""
    return f"Free: {' '.join(free) or 'none'}"
