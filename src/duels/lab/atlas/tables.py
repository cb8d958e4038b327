"""The tables of an atlas: CSV, and Parquet where pyarrow is installed."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from duels.games import find_game
from duels.lab.arena.folder import Folder
from duels.lab.atlas.rows import Row


def columns(rows: Sequence[Row]) -> list[str]:
    """The names of all columns: the longest cells come last."""
    names = dict.fromkeys(name for row in rows for name in row.cells)
    return [*(name for name in names if name != "winning_openings"), "winning_openings"]


def csv_text(rows: Sequence[Row]) -> str:
    """Rows in columns; a cell that a row does not have is empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns(rows), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow(row.cells | {"winning_openings": " ".join(row.winning_openings or ())})
    return text.getvalue()


def write_tables(folder: Folder[Row], name: str, rows: Sequence[Row]) -> list[Path]:
    """The files that were written, for the game of that name."""
    folder.write(f"{name}.csv", csv_text(rows))
    written = [folder.path / f"{name}.csv"]
    if find_spec("pyarrow"):
        folder.write_parquet(f"{name}.parquet", *_typed(rows, bool(find_game(name).pair_words)))
        written.append(folder.path / f"{name}.parquet")
    return written


def _typed(rows: Sequence[Row], has_pairs: bool) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The cells and the types of the columns, which are said and not guessed.

    A list of no openings has no type. A pair is written as ever, 5-6.
    """
    arrow = import_module("pyarrow")
    number = arrow.int64()
    types = dict.fromkeys(columns(rows), number)
    types["winning_openings"] = arrow.list_(arrow.string() if has_pairs else number)
    cells = [row.cells for row in rows]
    for row in cells:
        if not has_pairs and row["winning_openings"] is not None:
            row["winning_openings"] = [*map(int, row["winning_openings"])]
    return cells, types
