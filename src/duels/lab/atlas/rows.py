"""The rows of the atlas: for each size, who wins from the start, and by which openings.

How the rows of a game are made is one of its parts, `atlas`; `plain_rows` suits every game.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from duels.core.errors import OptionError, TooLarge
from duels.core.game import Game
from duels.core.options import OptionValue
from duels.core.parts import load, parts_of_class
from duels.games import find_game, game
from duels.lab.arena.folder import read_count
from duels.theory import winning_moves

BLOCK, OF_SIZE = 50, 200
"""Sizes that are worked out together: so many, or on large boards the size divided by so many."""
MOST_LISTED = 2_000
"""Where there are more openings, those that win are only counted: lists would take most of the
time and nearly all of the memory."""


@dataclass(frozen=True)
class Row:
    """One size of a game. Its columns are the names in the tables: docs/explanation/atlas.md."""

    size: int
    winner: int
    openings: int
    winning: int
    winning_openings: tuple[str, ...] | None
    """Which ones they are, on boards that are not too large."""
    more: Mapping[str, int] = field(default_factory=dict)
    """Columns that only some games have, by name."""

    @property
    def key(self) -> str:
        return str(self.size)

    def data(self) -> dict[str, Any]:
        """The row as a line of the results."""
        return {
            "key": self.key,
            "size": self.size,
            "winner": self.winner,
            "openings": self.openings,
            "winning": self.winning,
            "winning_openings": None if self.winning_openings is None else [*self.winning_openings],
            **self.more,
        }

    @property
    def cells(self) -> dict[str, Any]:
        """The row in a table, by column."""
        return {name: cell for name, cell in self.data().items() if name != "key"}


@dataclass(frozen=True)
class Block:
    """Some sizes of one game, from the lowest to the highest."""

    game: str
    options: Mapping[str, str]
    sizes: range

    def board(self, size: int) -> Game:
        """The game of a size; OptionError if there is none."""
        return game_of_size(self.game, self.options, size)


def game_of_size(game_id: str, options: Mapping[str, OptionValue], size: int) -> Game:
    """A game by its size and its other options; OptionError if no option is the size."""
    name = find_game(game_id).size_option()
    if name is None:
        raise OptionError(f"{game_id} has no atlas: none of its options is the size of the board.")
    return game(game_id, **{**options, name: size})


def blocks(
    game_id: str, options: Mapping[str, str], sizes: range, done: Collection[int]
) -> list[Block]:
    """The sizes that are not done yet, in blocks."""
    runs: list[range] = []
    for size in sizes:
        if size in done:
            continue
        if runs and size == runs[-1].stop and len(runs[-1]) < max(BLOCK, size // OF_SIZE):
            runs[-1] = range(runs[-1].start, size + 1)
        else:
            runs.append(range(size, size + 1))
    return [Block(game_id, options, run) for run in runs]


def block_rows(block: Block) -> list[Row]:
    """The rows of a block, in increasing order."""
    rows: list[Row] = load(parts_of_class(find_game(block.game)).atlas)(block)
    return rows


def plain_rows(block: Block) -> list[Row]:
    """The verdict of each size by itself, without those sizes that the game does not have."""
    rows = []
    for size in block.sizes:
        try:
            board = block.board(size)
        except OptionError:
            continue
        rows.append(verdict_row(board))
    return rows


def verdict_row(board: Game, **more: int) -> Row:
    """The row of a game by its verdict."""
    start = board.start()
    try:
        winning = winning_moves(start)
    except TooLarge as error:
        raise TooLarge(f"{board.title} ({board.options_in_words()}): {error}") from None
    winner = start.outcome.winner if start.outcome else 1 if winning else 2
    openings = start.legal_count
    listed = tuple(map(board.format, winning)) if openings <= MOST_LISTED else None
    return Row(board.size, winner, openings, len(winning), listed, more)


def read_row(data: Any, more: Sequence[str]) -> Row:
    """The row that `Row.data` wrote; some error if it would be written otherwise."""
    listed = data["winning_openings"]
    row = Row(
        read_count(data["size"]),
        read_count(data["winner"]),
        read_count(data["openings"]),
        read_count(data["winning"]),
        None if listed is None else tuple(map(str, listed)),
        {name: read_count(data[name]) for name in more},
    )
    counts = row.winning <= row.openings and (listed is None or len(listed) == row.winning)
    if row.data() != data or row.winner not in (1, 2) or not counts:
        raise ValueError("It contradicts itself.")
    return row
