"""The atlas of the chain games, with the sizes of the Gallai-Edmonds classes.

The matching of the largest board of a block is repaired as the highest numbers are removed one by
one; it is never recomputed.
"""

from __future__ import annotations

from typing import Any

from duels.core.fast import members
from duels.games.chain.matching import forest_of
from duels.games.chain.theory import FACTOR, require_graph, require_room
from duels.lab.atlas import MOST_LISTED, Block, Row


def chain_rows(block: Block) -> list[Row]:
    """Return the rows of a block, computed from the highest size down.

    `outer` counts the numbers that some maximum matching misses (D of Gallai and Edmonds): they
    win. `inner` counts their neighbours (A), `rest` all others (C), and `pairs` the pairs of a
    maximum matching. `smallest` is the smallest winning opening, or 0.
    """
    rows = []
    largest: Any = block.board(block.sizes[-1])
    if largest.rules != (FACTOR,):
        require_graph(largest.start())
    require_room(largest)
    forest = forest_of(largest.start())
    pairs = forest.pairs
    for size in reversed(block.sizes):
        board: Any = block.board(size)
        outer, inner = forest.outer, forest.inner.bit_count()
        winning, openings = outer & board.openings, board.openings.bit_count()
        count = winning.bit_count()
        listed = tuple(map(str, members(winning))) if openings <= MOST_LISTED else None
        classes = {"outer": outer.bit_count(), "inner": inner}
        classes |= {"rest": size - sum(classes.values()), "pairs": pairs}
        classes["smallest"] = max(0, (winning & -winning).bit_length() - 1)
        rows.append(Row(size, 1 if count else 2, openings, count, listed, classes))
        if size > block.sizes[0]:
            # Removing a number that a maximum matching can miss loses no pair.
            pairs -= not outer >> size & 1
            forest = forest.without(size)
    return rows[::-1]
