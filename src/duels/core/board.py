"""What a position looks like: cells in rows, links between them, a headline and a caption.

A game describes its board once, in `Game.board`; pages, paper and SVG draw that description. The
default shows the state in words and a tile for each move. A game may return a board of its own:

    def board(self, position):
        rows = [[Cell(str(n), move=n, gone=n not in position.state) for n in row] for row in ROWS]
        return Board(rows, caption="Take a square and all above it.")

`describe` adds what every board has: which cells may be played now, and who took the others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from duels.core.errors import IllegalMove
from duels.core.fast import Computed, members
from duels.core.game import Move, numbers_of
from duels.core.words import quoted

if TYPE_CHECKING:
    from duels.core.game import Game, Position

K = TypeVar("K")
V = TypeVar("V")

LAYOUTS = ("grid", "line", "keypad", "tiles")
"""How cells are arranged: in columns, in one unbroken row, as large keys, or one after another."""
MOST_TILES = 300
"""The most moves that the default board shows as tiles; if there are more, you type a move."""

MOST_DRAWN = 2_000
"""The most numbers of a board that are all drawn."""
WINDOW = 500
"""How many numbers of a larger board are drawn."""
MOST_WRITTEN = 5_000
"""The most cells, links or moves that a game caches as data."""


class Cell(NamedTuple):
    """One place of a board."""

    text: str
    move: Move | None = None
    """The move that choosing this cell alone makes."""
    gone: bool = False
    """Whether it is used up."""
    taken_by: int = 0
    """The player who used it up, or 0."""
    legal: bool = False
    last: bool = False
    """Whether the last move was here."""
    mark: str = ""
    """"winning" or "losing" if a verdict is drawn."""
    label: str = ""
    """A short note below the cell, such as the value of a run."""


class Link(NamedTuple):
    """Cells that belong together, by their index, counted through the rows from 0."""

    cells: tuple[int, ...]
    kind: str
    """"move" if the cells are played together, or what the link means: "partners", "run"."""
    move: Move | None = None
    label: str = ""
    mark: str = ""


class Board(NamedTuple):
    """The description of a board that every front end draws."""

    rows: Sequence[Sequence[Cell | None]]
    """From top to bottom; None is an empty place."""
    layout: str = "grid"
    links: Sequence[Link] = ()
    headline: Sequence[Cell] = ()
    """Shown large above the cells: a growing number, digit by digit, or the state in words."""
    caption: str = ""
    """A line below the headline."""
    flows: bool = False
    """Whether the rows have no meaning, so that a narrow or wide window may break them
    elsewhere."""

    @property
    def cells(self) -> list[Cell | None]:
        """All cells in one list; links refer to their indices."""
        return [cell for row in self.rows for cell in row]

    @property
    def moves(self) -> dict[Move, tuple[int, ...]]:
        """Every move that can be made by choosing cells, with its cells."""
        found = {
            cell.move: (n,) for n, cell in enumerate(self.cells) if cell and cell.move is not None
        }
        return found | {link.move: link.cells for link in self.links if link.move is not None}

    def with_cells(self, change: Callable[[int, Cell], Cell]) -> Board:
        """Return the board with each cell changed by a function of its index and itself."""
        number, rows = -1, []
        for row in self.rows:
            changed = []
            for cell in row:
                number += 1
                changed.append(cell and change(number, cell))
            rows.append(changed)
        return self._replace(rows=rows)


class Drawing(NamedTuple):
    """What a hint draws on a board."""

    winning: Collection[Move] = ()
    links: Sequence[Link] = ()
    labels: Sequence[tuple[Move, str]] = ()
    """The text under the cells of a move."""


def tiles_board(position: Position) -> Board:
    """Return the default board: the state in words, and a tile for each legal move."""
    game = position.game
    moves = position.legal_moves[:MOST_TILES]
    tiles = [Cell(game.format(move), move) for move in moves]
    return Board([tiles], "tiles", headline=[Cell(position.words)])


def describe(position: Position) -> Board:
    """Return the board of a position, with its legal moves and its last move marked."""
    board = position.game.board(position)
    legal = _legal_cells(position, board.moves)
    last, takers = _last(position), _takers(position)

    def complete(number: int, cell: Cell) -> Cell:
        if not cell.gone:
            return cell._replace(legal=number in legal)
        taken_by = cell.taken_by or takers.get(cell.move, 0)
        return cell._replace(taken_by=taken_by, last=cell.last or cell.move == last)

    return board.with_cells(complete)


def _legal_cells(position: Position, places: Mapping[Move, tuple[int, ...]]) -> set[int]:
    """Return the cells of legal moves; if there are very many, try only those on the board."""
    if position.legal_count <= MOST_WRITTEN:
        moves: Iterable[Move] = position.legal_moves
    else:
        moves = (move for move in places if _is_legal(position, move))
    return {n for move in moves for n in places.get(move, ())}


def _is_legal(position: Position, move: Move) -> bool:
    try:
        position.play(move)
    except IllegalMove:
        return False
    return True


def marked(board: Board, winning: Collection[Move]) -> Board:
    """Return a described board with its legal moves marked as winning or losing."""

    def mark(move: Move | None) -> str:
        if move is None:  # a cell that can only be taken together with others
            return ""
        return "winning" if move in winning else "losing"

    links = [link._replace(mark=mark(link.move)) for link in board.links]
    return board.with_cells(
        lambda _, cell: cell._replace(mark=mark(cell.move)) if cell.legal else cell
    )._replace(links=links)


def drawn(board: Board, drawing: Drawing) -> Board:
    """Return a described board with what a hint draws: marks, links, and labels under cells."""
    shown = marked(board, drawing.winning)
    links = [link._replace(mark="") if link.mark == "losing" else link for link in shown.links]
    cells, moves = board.cells, board.moves
    labels = {
        cell: label for move, label in drawing.labels if move in moves for cell in moves[move]
    }
    for link in drawing.links:
        if link.kind == "partners":
            one, two = link.cells
            labels |= {
                a: f"↔{cell.text}" for a, b in ((one, two), (two, one)) if (cell := cells[b])
            }

    def change(number: int, cell: Cell) -> Cell:
        mark = "" if cell.mark == "losing" else cell.mark
        return cell._replace(mark=mark, label=labels.get(number, cell.label))

    return shown.with_cells(change)._replace(links=[*links, *drawing.links])


def _last(position: Position) -> Move | None:
    return position.moves[-1] if position.moves else None


def _takers(position: Position) -> dict[Move | None, int]:
    """Return for each move the player who made it last."""
    return {move: 1 + ply % 2 for ply, move in enumerate(position.moves)}


def in_rows(cells: Iterable[Cell], across: int) -> list[list[Cell]]:
    """Return cells in rows of equal length; the last may be shorter."""
    listed = list(cells)
    return [listed[start : start + across] for start in range(0, len(listed), across)]


# Boards of the numbers 1, 2, 3 …, each of which can be used once


def shown_numbers(position: Position) -> range:
    """Return the numbers of a board that are drawn: all, or a window around the last move."""
    size = position.game.size
    if size <= MOST_DRAWN:
        return range(1, size + 1)
    last = numbers_of(position.moves[-1])[0] if position.moves else 1
    first = (max(1, min(last - WINDOW // 2, size - WINDOW + 1)) - 1) // 10 * 10 + 1
    return range(first, min(first + WINDOW, size + 1))


def window_words(position: Position) -> str:
    """Return a caption for a board of which only a part is drawn; otherwise ""."""
    shown, size = shown_numbers(position), position.game.size
    part = f"{shown[0]:,} to {shown[-1]:,} of {size:,}"
    return "" if len(shown) == size else f"Numbers {part} are shown."


def number_cells(position: Position, free: int) -> list[Cell]:
    """Return a cell for each number that is drawn; those not in the bit set `free` are gone."""
    taken, shown = number_takers(position), shown_numbers(position)
    last = numbers_of(position.moves[-1]) if position.moves else ()
    memory = position.game.memory
    if "free cells" not in memory or memory["free cells"][0].move != shown[0]:
        memory["free cells"] = [Cell(str(n), n) for n in shown]
    cells: list[Cell] = [*memory["free cells"]]
    for at in members(~(free >> shown[0]) & (1 << len(shown)) - 1):
        n = shown[at]
        cells[at] = _gone_cell(n, taken.get(n, 0), n in last)
    return cells


@lru_cache(maxsize=4 * MOST_DRAWN)
def _gone_cell(number: int, taken_by: int, last: bool) -> Cell:
    return Cell(str(number), number, gone=True, taken_by=taken_by, last=last)


def number_takers(position: Position) -> dict[int, int]:
    """Return for each number the player who took it."""
    return {
        number: 1 + ply % 2
        for ply, move in enumerate(position.moves)
        for number in numbers_of(move)
    }


def free_in_words(free: Iterable[str]) -> str:
    """Return the free numbers in one line."""
    return f"Free: {' '.join(free) or 'none'}"


def faults(board: Any) -> str:
    """Say what is wrong with a board that a game describes, or return ""."""
    if not isinstance(board, Board):
        return "board must return a Board"
    if board.layout not in LAYOUTS:
        return f"{quoted(board.layout)} is not a layout"
    cells = board.cells
    if not all(cell is None or isinstance(cell, Cell) for cell in (*cells, *board.headline)):
        return "a board is made of rows of Cell or None"
    if any(not 0 <= n < len(cells) for link in board.links for n in link.cells):
        return "a link names a cell that is not there"
    return ""


def board_data(position: Position) -> dict[str, Any]:
    """Return the board of a position as plain data for a page. Legal moves are listed elsewhere."""
    board, written = position.game.board(position), _written(position.game)
    last, takers = _last(position), _takers(position)
    rows: list[list[str | dict[str, Any] | None]] = []
    for row in board.rows:
        cells: list[str | dict[str, Any] | None] = []
        for cell in row:
            data = cell and written[cell]
            if cell and cell.gone and not cell.taken_by and cell.move in takers:
                assert isinstance(data, dict)
                data = {name: value for name, value in data.items() if name != "gone"}
                data |= {"by": takers[cell.move]} | ({"last": True} if cell.move == last else {})
            cells.append(data)
        rows.append(cells)
    return {
        "layout": board.layout,
        "rows": rows,
        "links": [written[link] for link in board.links],
        "headline": [
            {"text": cell.text, "by": cell.taken_by, "last": cell.last} for cell in board.headline
        ],
        "caption": board.caption,
        "flows": board.flows,
    }


def computed(game: Game, name: str, compute: Callable[[K], V]) -> Computed[K, V]:
    """Return a cache of what this function computes for a game."""
    if name not in game.memory:
        game.memory[name] = Computed(MOST_WRITTEN, compute)
    cache: Computed[K, V] = game.memory[name]
    return cache


def drawing_data(drawing: Drawing, game: Game) -> dict[str, Any]:
    """Return a drawing as plain data for a page."""
    written = _written(game)
    return {
        "winning": [game.format(move) for move in drawing.winning],
        "links": [written[link] for link in drawing.links],
        "labels": {game.format(move): label for move, label in drawing.labels},
    }


def _written(game: Game) -> Mapping[Cell | Link, Any]:
    """Return cells and links as plain data; most of them are the same after every move."""
    return computed(game, "written cells", partial(_write_part, game))


def _write_part(game: Game, part: Cell | Link) -> str | dict[str, Any]:
    return _write_cell(game, part) if isinstance(part, Cell) else _write_link(game, part)


def _write_cell(game: Game, cell: Cell) -> str | dict[str, Any]:
    """Return a cell as data: just its text, if that is its move too and nothing else is set."""
    move = None if cell.move is None else game.format(cell.move)
    data: dict[str, Any] = {} if move == cell.text else {"move": move}
    if cell.gone:
        data |= {"by": cell.taken_by} if cell.taken_by else {"gone": True}
    if cell.last:
        data["last"] = True
    if cell.label:
        data["label"] = cell.label
    return {"text": cell.text} | data if data else cell.text


def _write_link(game: Game, link: Link) -> dict[str, Any]:
    data: dict[str, Any] = {"cells": list(link.cells)}
    data |= {"kind": link.kind} if link.move is None else {"move": game.format(link.move)}
    return data | ({"label": link.label} if link.label else {})
