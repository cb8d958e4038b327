"""The atlas of the number line, with the Grundy value of the whole line."""

from __future__ import annotations

from duels.games.line.theory import run_worth
from duels.lab.atlas import Block, Row, verdict_row


def line_rows(block: Block) -> list[Row]:
    """Return the rows of a block; `grundy` is the Grundy value of a line of that length."""
    return [verdict_row(block.board(size), grundy=run_worth(size)) for size in block.sizes]
