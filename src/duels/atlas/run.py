"""Making an atlas: the rows that are not there yet, then tables and plots of all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from duels.arena.folder import Folder, Plan
from duels.arena.progress import Progress, go_on, stopped
from duels.atlas.rows import Row, block_rows, blocks, size_name
from duels.atlas.tables import write_tables
from duels.core.errors import DuelsError, OptionError
from duels.games import GAMES, RULES_VERSION, game
from duels.jobs import run_jobs

Note = Callable[[str], None]

MOST_SIZES = 1_000_000
"""More lines than anybody can plot or read."""


@dataclass(frozen=True)
class Atlas:
    """A game, its options but the size, and the largest size."""

    game: str
    options: dict[str, str]
    highest: int

    @property
    def plan(self) -> Plan:
        """Without the largest size: a later run may go further."""
        return {"kind": "atlas", "game": self.game, "options": self.options, "rules": RULES_VERSION}


def make_atlas(
    atlas: Atlas,
    folder: Folder,
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    note: Note,
) -> tuple[list[Row], list[Path]]:
    """The rows up to the largest size, and the files that hold them."""
    rows = {row["size"]: row for row in folder.open().values()}
    todo = blocks(atlas.game, atlas.options, atlas.highest, set(rows))
    if rows:
        note(f"{len(rows):,} sizes are there already.")
    if not find_spec("pyarrow"):
        note("No Parquet: it needs pyarrow. Install it with: pip install 'number-duels[arena]'")
    sizes = sum(block.high - block.low + 1 for block in todo)
    progress = Progress("sizes", len(rows) + sizes, len(rows))
    try:
        # The large ones take longest: they go first, so that no core waits for them at the end.
        for _, found in run_jobs(block_rows, todo[::-1], jobs=jobs, cluster=cluster):
            folder.add(found)
            rows |= {row["size"]: row for row in found}
            progress.step(len(found))
    except DuelsError as error:
        raise stopped(error, len(rows), f"{len(rows):,} sizes") from None
    except KeyboardInterrupt:
        note(f"\nStopped. {go_on(f'{len(rows):,} sizes')}")
        raise
    finally:
        progress.end()
    if todo:
        folder.in_order(rows[size] for size in sorted(rows))
    wanted = [rows[size] for size in sorted(rows) if size <= atlas.highest]
    return wanted, write_tables(folder, atlas.game, wanted) + _plots(folder, atlas, wanted, note)


def read_atlas(game_id: str, options: dict[str, str], highest: int) -> Atlas:
    """What somebody asked for; a sentence if the game has no such option or size."""
    if highest > MOST_SIZES:
        raise OptionError(f"An atlas has at most {MOST_SIZES:,} sizes.")
    playing = game(game_id, **{**options, size_name(game_id): highest})
    told = {name: str(value) for name, value in playing.options.items()}
    del told[size_name(game_id)]
    return Atlas(game_id, told, highest)


def _plots(folder: Folder, atlas: Atlas, rows: list[Row], note: Note) -> list[Path]:
    if not find_spec("matplotlib"):
        note("No plots: they need matplotlib. Install it with: pip install 'number-duels[arena]'")
        return []
    from duels.atlas.plots import plots

    written = []
    for name, svg in plots(GAMES[atlas.game].title, size_name(atlas.game), rows).items():
        folder.write(f"{atlas.game}-{name}.svg", svg)
        written.append(folder.path / f"{atlas.game}-{name}.svg")
    return written
