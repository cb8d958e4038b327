"""The atlas of the number line: with what the whole line counts."""

from __future__ import annotations

from duels.games.line.theory import run_worth
from duels.lab.atlas.rows import Block, Row, verdict_row


def line_rows(block: Block) -> list[Row]:
    """The verdict of each size, and `grundy`, the Grundy value of a line of that length."""
    return [verdict_row(block.board(size), grundy=run_worth(size)) for size in block.sizes]
