"""Making an atlas: the rows that are not there yet, then tables and plots of all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from duels.core.errors import OptionError, install
from duels.core.game import Game
from duels.games import RULES_VERSION, find_game
from duels.lab.arena.folder import Folder, Plan
from duels.lab.arena.progress import Progress
from duels.lab.atlas.rows import Block, Row, block_rows, blocks, game_of_size, read_row
from duels.lab.atlas.tables import write_tables
from duels.lab.charts import MISSING, has_charts
from duels.lab.jobs import run_jobs

Note = Callable[[str], None]

MOST_SIZES = 1_000_000
"""More lines than anybody can plot or read."""


@dataclass(frozen=True)
class Atlas:
    """The sizes of a game with its other options as they are."""

    game: str
    options: dict[str, str]
    sizes: range
    more: tuple[str, ...]
    """The columns that not all games have."""

    @property
    def plan(self) -> Plan:
        """Without the largest size: a later run may go further."""
        return {"kind": "atlas", "game": self.game, "options": self.options, "rules": RULES_VERSION}

    @property
    def largest(self) -> Game:
        return game_of_size(self.game, self.options, self.sizes[-1])

    def read_row(self, data: Any) -> Row:
        """A line of the results; some error if it is damaged."""
        return read_row(data, self.more)


def make_atlas(
    atlas: Atlas,
    folder: Folder[Row],
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    note: Note,
) -> tuple[list[Row], list[Path]]:
    """The rows up to the largest size, and the files that hold them."""
    rows = {row.size: row for row in folder.open().values()}
    todo = blocks(atlas.game, atlas.options, atlas.sizes, rows)
    if rows:
        note(f"{len(rows):,} sizes are there already.")
    if not find_spec("pyarrow"):
        note(f"No Parquet: it needs pyarrow. {install('arena')}")
    sizes = sum(len(block.sizes) for block in todo)
    with Progress("sizes", len(rows) + sizes, len(rows)) as progress:
        # The large ones take longest: they go first, so that no core waits for them at the end.
        for _, found in run_jobs(block_rows, todo[::-1], jobs=jobs, cluster=cluster):
            folder.add(row.data() for row in found)
            rows |= {row.size: row for row in found}
            progress.step(len(found))
    ordered = [rows[size] for size in sorted(rows)]
    if todo:
        folder.in_order(row.data() for row in ordered)
    shown = [row for row in ordered if row.size in atlas.sizes]
    return shown, write_tables(folder, atlas.game, shown) + _plots(folder, atlas, shown, note)


def read_atlas(game_id: str, options: dict[str, str], highest: int) -> Atlas:
    """What somebody asked for; a sentence if the game has no such option or size."""
    if highest > MOST_SIZES:
        raise OptionError(f"An atlas has at most {MOST_SIZES:,} sizes.")
    largest = game_of_size(game_id, options, highest)
    size = largest.size_option()
    others = {name: str(value) for name, value in largest.options.items() if name != size}
    smallest = _smallest(largest, others)
    sizes = range(smallest, highest + 1)
    (row,) = block_rows(Block(game_id, others, sizes[:1]))
    return Atlas(game_id, others, sizes, tuple(row.more))


def _smallest(largest: Game, others: dict[str, str]) -> int:
    """The lowest size that the option allows and the game accepts with its other options."""
    size = largest.fields[largest.size_option() or ""].lowest
    while size < largest.size:
        try:
            return game_of_size(largest.id, others, size).size
        except OptionError:
            size += 1
    return size


def _plots(folder: Folder[Row], atlas: Atlas, rows: list[Row], note: Note) -> list[Path]:
    if not has_charts():
        note(MISSING)
        return []
    from duels.lab.atlas.plots import plots

    kind, written = find_game(atlas.game), []
    for name, svg in plots(kind.title, kind.size_option() or "", rows).items():
        folder.write(f"{atlas.game}-{name}.svg", svg)
        written.append(folder.path / f"{atlas.game}-{name}.svg")
    return written
