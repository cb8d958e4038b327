"""The atlas of the chain games: from size to size, with the classes of Gallai and Edmonds.

The matching of the largest board of a block is repaired as its highest numbers are taken off one
by one, and is never worked out anew.
"""

from __future__ import annotations

from typing import Any

from duels.atlas.rows import Block, Row
from duels.core.bits import up_to
from duels.theory.chain import forest_of


def chain_rows(block: Block) -> list[Row]:
    """The rows of a block, found from the highest size down: one number less is one repair.

    `outer` are the numbers that some largest pairing leaves over (D of Gallai and Edmonds): they
    win. `inner` are their neighbours (A), `rest` are all others (C).
    """
    rows = []
    largest: Any = block.board(block.sizes[-1])
    forest = forest_of(largest.start())
    for size in reversed(block.sizes):
        board: Any = block.board(size)
        outer = forest.outer_among(up_to(size))
        inner = len(forest.inner_vertices())
        openings = board.openings
        winning = tuple(str(number) for number in outer if openings >> number & 1)
        classes = {"outer": len(outer), "inner": inner, "rest": size - len(outer) - inner}
        rows.append(Row(size, 1 if winning else 2, openings.bit_count(), winning, classes))
        if size > block.sizes[0]:
            forest = forest.without(size)
    return rows[::-1]
