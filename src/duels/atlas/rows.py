"""The rows of the atlas: for each size, who wins from the start, and by which openings.

Chain games go from size to size: the matching of the largest board of a block is repaired as its
highest numbers are taken off one by one, and is never worked out anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from duels.core.bits import up_to
from duels.games import GAMES, game
from duels.games.chain import ChainGame
from duels.theory import winning_moves
from duels.theory.chain import forest_of
from duels.theory.line import run_count

Row = dict[str, Any]

BLOCK = 50
"""Sizes that are worked out together."""


ROW = {"size": int, "winner": int, "openings": int, "winning": int, "winning_openings": list}
"""What every row has, and of what type."""


@dataclass(frozen=True)
class Block:
    """Some sizes of one game, from the lowest to the highest."""

    game: str
    options: tuple[tuple[str, str], ...]
    low: int
    high: int


def size_name(game_id: str) -> str:
    """The option that is the size: the divisor, or the highest number."""
    return "divisor" if game_id == "divisor-duel" else "numbers"


def smallest(game_id: str, options: dict[str, str]) -> int:
    return 2 if game_id == "divisor-duel" or options.get("opening") == "even" else 1


def blocks(game_id: str, options: dict[str, str], highest: int, done: set[int]) -> list[Block]:
    """The sizes that are not done yet, in blocks."""
    left = [n for n in range(smallest(game_id, options), highest + 1) if n not in done]
    told = tuple(sorted(options.items()))
    found: list[Block] = []
    for size in left:
        last = found[-1] if found else None
        if last and size == last.high + 1 and size - last.low < BLOCK:
            found[-1] = Block(game_id, told, last.low, size)
        else:
            found.append(Block(game_id, told, size, size))
    return found


def block_rows(block: Block) -> list[Row]:
    """The rows of a block, in increasing order."""
    if issubclass(GAMES[block.game], ChainGame):
        return list(_chain_rows(block))[::-1]
    return [_row(block, size) for size in range(block.low, block.high + 1)]


def _chain_rows(block: Block) -> Iterator[Row]:
    """From the highest size down: one number less is one repair."""
    position: Any = _game(block, block.high).start()
    forest = forest_of(position)
    for size in range(block.high, block.low - 1, -1):
        playing: Any = _game(block, size)
        outer = forest.outer_among(up_to(size))
        inner = len(forest.inner_vertices())
        may_open = playing.openings
        winning = [number for number in outer if may_open >> number & 1]
        yield _line(block, size, may_open.bit_count(), winning) | {
            "outer": len(outer),
            "inner": inner,
            "rest": size - len(outer) - inner,
        }
        if size > block.low:
            forest = forest.without(size)


def _row(block: Block, size: int) -> Row:
    start = _game(block, size).start()
    winning = [start.game.format(move) for move in winning_moves(start)]
    row = _line(block, size, len(start.legal_moves), winning)
    return row | ({"grundy": run_count(size)} if block.game == "number-line-duel" else {})


def _line(block: Block, size: int, openings: int, winning: Sequence[object]) -> Row:
    return {
        "key": str(size),
        "size": size,
        "winner": 1 if winning else 2,
        "openings": openings,
        "winning": len(winning),
        "winning_openings": [str(move) for move in winning],
    }


def _game(block: Block, size: int) -> Any:
    return game(block.game, **{**dict(block.options), size_name(block.game): size})
