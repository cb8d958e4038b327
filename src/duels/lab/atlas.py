"""The atlas: for every size of a game, who wins and by which openings, as tables and plots.

The part `atlas` of a game names the function that computes its rows; `verdict_rows` suits every
game. Some columns are also written as b-files, the format of the OEIS.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from duels.core.errors import OptionError, TooLarge
from duels.core.game import Game
from duels.core.look import COLOURS, GONE
from duels.core.options import OptionValue
from duels.core.parts import load, parts_of
from duels.core.words import counted
from duels.games import RULES_VERSION, find_game, game_to_solve
from duels.lab.jobs import note
from duels.lab.reports import MISSING, has_charts, new_figure, svg_file
from duels.lab.results_folder import Count, Data, Plan, ResultsFolder, has_parquet
from duels.theory import theory_of, winning_moves

BLOCK, OF_SIZE = 50, 200
"""A block has `BLOCK` sizes, or on large boards the size divided by `OF_SIZE`."""
MOST_LISTED = 2_000
"""With more openings than this the winning ones are only counted: lists would take most of the time
and nearly all of the memory."""
MOST_SIZES = 1_000_000
MARKERS = {1: "o", 2: "^"}
"""The marks of the players, as matplotlib calls them."""


class Row(Struct, frozen=True):
    """One size of a game. Its columns are those of the tables: docs/explanation/atlas.md."""

    size: Count
    winner: Annotated[int, Meta(ge=1, le=2)]
    openings: Count
    winning: Count
    winning_openings: tuple[str, ...] | None
    """The winning openings, or None if there are too many openings to list them."""
    more: dict[str, Count] = {}
    """Columns that only some games have, by name."""

    @property
    def key(self) -> str:
        return str(self.size)

    def data(self) -> Data:
        """Return the cells of the row by column."""
        cells: Data = msgspec.to_builtins(self)
        listed = self.winning_openings
        cells["winning_openings"] = None if listed is None else [*listed]
        more: Data = cells.pop("more")
        return cells | more


def read_row(data: Any, more: Sequence[str]) -> Row:
    """Return the row in a line; ValueError or KeyError if it is damaged."""
    fields = {name: data[name] for name in Row.__struct_fields__ if name != "more"}
    row = msgspec.convert(fields | {"more": {name: data[name] for name in more}}, Row)
    listed = row.winning_openings
    if row.winning > row.openings or (listed is not None and len(listed) != row.winning):
        raise ValueError("The line contradicts itself.")
    return row


@dataclass(frozen=True)
class Block:
    """Consecutive sizes of one game, which are computed together."""

    game: str
    options: Mapping[str, str]
    sizes: range

    def board(self, size: int) -> Game:
        """Return the game of a size; OptionError if there is none."""
        return game_of_size(self.game, self.options, size)


def game_of_size(game_id: str, options: Mapping[str, OptionValue], size: int) -> Game:
    """Return a game by its size and other options; OptionError if no option is the size."""
    name = find_game(game_id).size_option()
    if name is None:
        raise OptionError(f"{game_id} has no atlas: none of its options is the size of the board.")
    return game_to_solve(game_id, **{**options, name: size})


def block_rows(block: Block) -> list[Row]:
    """Return the rows of a block, in increasing order."""
    for size in block.sizes:
        with suppress(OptionError):  # there may be no board of that size
            rows: list[Row] = load(parts_of(block.board(size)).atlas)(block)
            return rows
    return []


def verdict_rows(block: Block) -> list[Row]:
    """Return the rows of a block by the verdict of each size, without sizes that do not exist."""
    rows = []
    for size in block.sizes:
        with suppress(OptionError):
            rows.append(_verdict_row(block.board(size)))
    return rows


def _verdict_row(board: Game) -> Row:
    start = board.start()
    try:
        winning = winning_moves(start)
    except TooLarge as error:
        raise TooLarge(f"{board.title} ({board.options_in_words()}): {error}") from None
    winner = start.outcome.winner if start.outcome else 1 if winning else 2
    openings = start.legal_count
    listed = tuple(map(board.format, winning)) if openings <= MOST_LISTED else None
    more = theory_of(start).columns(start)
    return Row(board.size, winner, openings, len(winning), listed, more)


@dataclass(frozen=True)
class Atlas(Block):
    """All sizes of a game, with its other options fixed."""

    more: tuple[str, ...]
    """The columns that only some games have."""

    @property
    def plan(self) -> Plan:
        """The plan, without the largest size: a later run may go further."""
        options = dict(self.options)
        return {"kind": "atlas", "game": self.game, "options": options, "rules": RULES_VERSION}

    @property
    def largest(self) -> Game:
        return self.board(self.sizes[-1])

    def blocks(self, done: Collection[int]) -> list[Block]:
        """Return the sizes that are not done yet, in blocks."""
        runs: list[range] = []
        for size in self.sizes:
            if size in done:
                continue
            if runs and size == runs[-1].stop and len(runs[-1]) < max(BLOCK, size // OF_SIZE):
                runs[-1] = range(runs[-1].start, size + 1)
            else:
                runs.append(range(size, size + 1))
        return [Block(self.game, self.options, run) for run in runs]


def make_atlas(atlas: Atlas, folder: ResultsFolder[Row]) -> tuple[list[Row], list[Path]]:
    """Compute the missing rows; return all up to the largest size, and the files written."""
    done = folder.open()
    todo = atlas.blocks({row.size for row in done.values()})
    sizes = sum(len(block.sizes) for block in todo)
    # The largest take longest: they go first, so that no core waits for them at the end.
    folder.complete(done, block_rows, todo[::-1], "sizes", len(done), len(done) + sizes)
    ordered = sorted(done.values(), key=lambda row: row.size)
    if todo:
        folder.write_in_order(ordered)
    shown = [row for row in ordered if row.size in atlas.sizes]
    texts = {f"{atlas.game}.csv": csv_text(shown)} | b_files(atlas, shown)
    if has_charts():
        texts |= {f"{atlas.game}-{name}.svg": svg for name, svg in plots(atlas, shown).items()}
    else:
        note(MISSING)
    for name, text in texts.items():
        folder.write(name, text)
    names = [*texts]
    if has_parquet():
        names.insert(1, f"{atlas.game}.parquet")
        folder.write_parquet(names[1], *_typed(shown, bool(atlas.largest.pair_words)))
    return shown, [folder.path / name for name in names]


def read_atlas(game_id: str, options: dict[str, str], highest: int, lowest: int = 0) -> Atlas:
    """Return the atlas of a range of sizes; OptionError if an option or a size is wrong."""
    if lowest > highest:
        raise OptionError("The smallest size of an atlas must not be above the largest.")
    if highest - max(lowest, 1) >= MOST_SIZES:
        raise OptionError(f"An atlas has at most {MOST_SIZES:,} sizes.")
    largest = game_of_size(game_id, options, highest)
    size = largest.size_option()
    others = {name: str(value) for name, value in largest.options.items() if name != size}
    smallest = _smallest(largest, others)
    sizes = range(max(lowest, smallest), highest + 1)
    (row,) = block_rows(Block(game_id, others, range(smallest, smallest + 1)))
    return Atlas(game_id, others, sizes, tuple(row.more))


def _smallest(largest: Game, others: dict[str, str]) -> int:
    """Return the lowest size that the game accepts with its other options."""
    size = largest.fields[largest.size_option() or ""].lowest
    while size < largest.size:
        try:
            return game_of_size(largest.id, others, size).size
        except OptionError:
            size += 1
    return size


# Tables


def columns(rows: Sequence[Row]) -> list[str]:
    """Return the names of all columns; the one with the longest cells comes last."""
    names = dict.fromkeys(name for row in rows for name in row.data())
    return [*(name for name in names if name != "winning_openings"), "winning_openings"]


def csv_text(rows: Sequence[Row]) -> str:
    """Return the rows as CSV; a cell that a row does not have is empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns(rows), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow(row.data() | {"winning_openings": " ".join(row.winning_openings or ())})
    return text.getvalue()


def _typed(rows: Sequence[Row], has_pairs: bool) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the cells, and the types of the columns: an empty list does not show its own.

    A pair is text, as it is typed: 5-6.
    """
    arrow = import_module("pyarrow")
    number = arrow.int64()
    types = dict.fromkeys(columns(rows), number)
    types["winning_openings"] = arrow.list_(arrow.string() if has_pairs else number)
    cells = [row.data() for row in rows]
    for row in cells:
        if not has_pairs and row["winning_openings"] is not None:
            row["winning_openings"] = [*map(int, row["winning_openings"])]
    return cells, types


# Sequences as b-files: an index and a value in each line

COLUMNS = {
    "outer": "numbers that some maximum matching of 1..n misses: |D(n)| of Gallai and Edmonds",
    "pairs": "pairs of a maximum matching of 1..n",
    "smallest": "the smallest number that wins as the first move on 1..n, or 0 if none does",
    "grundy": "the Grundy value of a line of n numbers",
}
"""The columns of the atlas that become b-files, and what they are at size n."""
FIRST = "the smallest board 1..m on which n wins as the first move"


def b_files(atlas: Atlas, rows: Sequence[Row]) -> dict[str, str]:
    """Return the b-files of a game by name; none if its rows have no columns of their own."""
    found = {
        name: _b_file(atlas, words, ((row.size, row.more[name]) for row in rows))
        for name, words in COLUMNS.items()
        if all(name in row.more for row in rows)
    }
    if "smallest" in found and (firsts := first_boards(rows)):
        found["first"] = _b_file(atlas, FIRST, enumerate(firsts, start=1))
    return {f"b-{atlas.game}-{column}.txt": text for column, text in found.items()}


def first_boards(rows: Iterable[Row]) -> list[int]:
    """Return the first size at which 1, 2, 3 and so on win, up to the first unknown one."""
    first: dict[int, int] = {}
    for row in rows:
        if row.winning_openings is None:  # too many to list
            break
        for opening in row.winning_openings:
            first.setdefault(int(opening), row.size)
    known: list[int] = []
    while len(known) + 1 in first:
        known.append(first[len(known) + 1])
    return known


def _b_file(atlas: Atlas, words: str, values: Iterable[tuple[int, int]]) -> str:
    lines = [f"{n} {value}" for n, value in values]
    game = atlas.largest
    flags = "".join(f" --{name} {value}" for name, value in atlas.options.items())
    prove = f"duels solve {game.id} --{game.size_option()} n{flags} --proof FILE"
    head = [
        f"# {game.title}{f' ({flags.strip()})' if flags else ''}: {words}.",
        f"# {counted(len(lines), 'value')}, computed by an exact solver (duels atlas).",
        f"# A certificate of who wins on 1..n: {prove}; duels check FILE verifies it.",
    ]
    return "\n".join([*head, *lines]) + "\n"


# Plots


def plots(atlas: Atlas, rows: Sequence[Row]) -> dict[str, str]:
    """Return the plots by name as SVG: the same rows give the same bytes."""
    title, size = atlas.largest.title, atlas.largest.size_option() or ""
    drawn = {"openings": _openings(title, size, rows)}
    if "outer" in rows[0].more:
        drawn["classes"] = _classes(title, size, rows)
    if paired := [row for row in rows if "pairs" in row.more]:
        drawn["pairs"] = _pairs(title, size, paired)
    if "grundy" in rows[0].more:
        drawn["grundy"] = _grundy(title, size, rows)
    return drawn


def _openings(title: str, size: str, rows: Sequence[Row]) -> str:
    """Plot the number of winning openings, with the mark of the winner."""
    figure, axes = _figure(f"{title}: openings that win", size, "winning openings")
    for player in (1, 2):
        mine = [row for row in rows if row.winner == player]
        label = f"player {player} wins ({len(mine):,} of {len(rows):,} sizes)"
        values = {row.size: row.winning for row in mine}
        _dots(axes, values, MARKERS[player], COLOURS[player], label, len(rows))
    axes.legend(frameon=False, markerscale=1.5)
    return svg_file(figure)


def _classes(title: str, size: str, rows: Sequence[Row]) -> str:
    """Plot the Gallai-Edmonds classes as shares of the board."""
    figure, axes = _figure(f"{title}: winning numbers and their neighbours", size, "share of board")
    looks = {
        "outer": ("o", COLOURS[1], "outer: they win"),
        "inner": ("^", COLOURS[2], "inner: their neighbours"),
        "rest": ("s", GONE, "the rest"),
    }
    for name, look in looks.items():
        _dots(axes, {row.size: row.more[name] / row.size for row in rows}, *look, len(rows))
    axes.set_ylim(-0.02, 1.02)
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    return svg_file(figure)


def _pairs(title: str, size: str, rows: Sequence[Row]) -> str:
    """Plot the share of the board that a maximum matching covers."""
    figure, axes = _figure(f"{title}: how much can be paired off", size, "share of board")
    shares = {row.size: 2 * row.more["pairs"] / row.size for row in rows}
    _dots(axes, shares, "o", COLOURS[1], "in pairs", len(rows))
    axes.set_xscale("log")
    return svg_file(figure)


def _grundy(title: str, size: str, rows: Sequence[Row]) -> str:
    figure, axes = _figure(f"{title}: the Grundy value of the whole line", size, "Grundy value")
    sizes, values = [row.size for row in rows], [row.more["grundy"] for row in rows]
    axes.step(sizes, values, where="mid", color=COLOURS[1], linewidth=1)
    return svg_file(figure)


def _figure(title: str, across: str, up: str) -> tuple[Any, Any]:
    figure, axes = new_figure(8, 4)
    axes.set(title=title, xlabel=across, ylabel=up)
    return figure, axes


def _dots(
    axes: Any, values: Mapping[int, float], marker: str, colour: str, label: str, among: int
) -> None:
    """Plot a value for each size; thousands are rasterized, so that the SVG stays small."""
    many = among > 400
    look = {"markersize": 2.5 if many else 4, "markeredgewidth": 0, "rasterized": many}
    axes.plot([*values], [*values.values()], marker, color=colour, label=label, **look)
