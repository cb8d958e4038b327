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

COLUMNS = {
    "size": "the highest number on the board, or the divisor",
    "winner": "who wins with best play: 1 moves first",
    "openings": "how many first moves there are",
    "winning": "how many of them win",
    "outer": "numbers that some largest pairing leaves over (D of Gallai and Edmonds): they win",
    "inner": "their neighbours (A)",
    "rest": "all other numbers (C)",
    "grundy": "what the line counts: its Grundy value",
    "winning_openings": "the first moves that win, with blanks between them",
}


def columns(rows: Sequence[Row]) -> list[str]:
    """The columns that this game has."""
    return [name for name in COLUMNS if rows and name in rows[0]]


def csv_text(rows: Sequence[Row]) -> str:
    names = columns(rows)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        cells = row | {"winning_openings": " ".join(row["winning_openings"])}
        writer.writerow([cells[name] for name in names])
    return text.getvalue()


def write_tables(folder: Folder, name: str, rows: Sequence[Row]) -> list[Path]:
    """The files that were written."""
    folder.write(f"{name}.csv", csv_text(rows))
    written = [folder.path / f"{name}.csv"]
    if find_spec("pyarrow"):
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
        table = arrow.table({key: [row[key] for row in rows] for key in columns(rows)})
        draft = folder.path / f".{name}.parquet"
        try:
            parquet.write_table(table, draft)
            draft.replace(folder.path / f"{name}.parquet")
        except OSError as error:
            draft.unlink(missing_ok=True)
            raise folder.trouble(draft, error) from None
        written.append(folder.path / f"{name}.parquet")
    return written
