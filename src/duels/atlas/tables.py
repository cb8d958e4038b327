"""The tables of an atlas: CSV, and Parquet where pyarrow is installed."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from duels.arena.folder import Folder
from duels.atlas.rows import Row
from duels.core.files import draft
from duels.games import find_game


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
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
        cells = [dict(row.cells) for row in rows]
        # Said and not guessed: a list of no openings has no type. A pair is written as ever, 5-6.
        number, has_pairs = arrow.int64(), bool(find_game(name).pair_words)
        types = dict.fromkeys(columns(rows), number)
        types |= {"winning_openings": arrow.list_(arrow.string() if has_pairs else number)}
        if not has_pairs:
            for row in cells:
                if row.get("winning_openings") is not None:
                    row["winning_openings"] = [*map(int, row["winning_openings"])]
        table = arrow.table(
            {
                column: arrow.array([row.get(column) for row in cells], kind)
                for column, kind in types.items()
            }
        )
        path = folder.path / f"{name}.parquet"
        try:
            with draft(path) as file:
                parquet.write_table(table, file)
        except OSError as error:
            raise folder.trouble(path, error) from None
        written.append(path)
    return written
