"""The atlas of the chain games: from size to size, with the classes of Gallai and Edmonds.

The matching of the largest board of a block is repaired as its highest numbers are taken off one
by one, and is never worked out anew.
"""

from __future__ import annotations

from typing import Any

from duels.core.fast import members
from duels.games.chain.matching import forest_of
from duels.lab.atlas.rows import MOST_LISTED, Block, Row


def chain_rows(block: Block) -> list[Row]:
    """The rows of a block, found from the highest size down: one number less is one repair.

    `outer` are the numbers that some largest pairing leaves over (D of Gallai and Edmonds): they
    win. `inner` are their neighbours (A), `rest` are all others (C). `pairs` is how many pairs a
    largest pairing has.
    """
    rows = []
    largest: Any = block.board(block.sizes[-1])
    forest = forest_of(largest.start())
    pairs = sum(map(bool, forest.mate)) // 2
    for size in reversed(block.sizes):
        board: Any = block.board(size)
        outer, inner = forest.outer, forest.inner.bit_count()
        winning, openings = outer & board.openings, board.openings.bit_count()
        count = winning.bit_count()
        listed = tuple(map(str, members(winning))) if openings <= MOST_LISTED else None
        classes = {"outer": outer.bit_count(), "inner": inner}
        classes |= {"rest": size - sum(classes.values()), "pairs": pairs}
        rows.append(Row(size, 1 if count else 2, openings, count, listed, classes))
        if size > block.sizes[0]:
            pairs -= not outer >> size & 1  # a number that can be left over has no partner
            forest = forest.without(size)
    return rows[::-1]
