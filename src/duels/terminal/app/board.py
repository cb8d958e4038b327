"""The board of a position as a widget: drawn from its description, with a cursor and clicks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from rich.style import Style
from textual import events
from textual.binding import Binding
from textual.geometry import Size
from textual.message import Message
from textual.renderables.digits import DIGITS, DIGITS3X3
from textual.strip import Strip
from textual.widget import Widget

from duels.core.board import Board, Cell
from duels.core.game import Move
from duels.core.look import LOSING, MARKS, WINNING
from duels.terminal.app.canvas import TALL, Arrangement, Canvas, Palette, Tile, arrange, palette
from duels.terminal.words import wrap

BIG_FROM = 14
"""With at least this many rows, a board has its headline in large characters."""
SMALL = -1
MARKS_OF = {"winning": WINNING, "losing": LOSING}


class HeadLine(NamedTuple):
    """A line above the cells: a text, or one row of large or small characters."""

    text: str
    cells: Sequence[Cell] = ()
    row: int = SMALL


class BoardView(Widget, can_focus=True):
    """A board that can be played on."""

    DEFAULT_CSS = "BoardView { height: 1fr; width: 1fr; background: $background; }"
    BINDINGS = [  # noqa: RUF012
        Binding("left", "move(-1, 0)", show=False),
        Binding("right", "move(1, 0)", show=False),
        Binding("up", "move(0, -1)", show=False),
        Binding("down", "move(0, 1)", show=False),
        Binding("home", "jump(0)", show=False),
        Binding("end", "jump(-1)", show=False),
    ]

    class Chosen(Message):
        """The player has chosen a move on the board."""

        def __init__(self, move: Move) -> None:
            self.move = move
            super().__init__()

    class Refused(Message):
        """The player has clicked on a cell that cannot be played now."""

        def __init__(self, cell: Cell) -> None:
            self.cell = cell
            super().__init__()

    def __init__(self, *, id: str | None = None, can_focus: bool = True) -> None:  # noqa: A002
        super().__init__(id=id)
        self.can_focus = can_focus
        self.board = Board([])
        self.is_playable = False
        self.shows_moves = True
        self.cursor = -1  # nowhere yet
        self._wide = 0  # which of the moves at the cursor is meant
        self._pressed: int | None = None
        self._canvas: Canvas | None = None
        self._arranged = Arrangement({}, 0, 0, 0)
        self._left = self._top = 0

    def show(self, board: Board, *, playable: bool, shows_moves: bool = True) -> None:
        """Show a board; a cursor on a cell that cannot be played moves near the last move."""
        self.board, self.is_playable, self.shows_moves = board, playable, shows_moves
        self._wide = 0
        choices = self._choices()
        last = next((n for n, cell in enumerate(board.cells) if cell and cell.last), None)
        if self.cursor not in choices:
            near = len(choices) // 3 if last is None else last
            self.cursor = min(choices or [near], key=lambda n: (abs(n - near), n))
        self._redraw()

    # Moves

    def _choices(self) -> list[int]:
        """The cells that the cursor visits."""
        cells = enumerate(self.board.cells)
        if self.shows_moves:
            return [n for n, cell in cells if cell and cell.legal]
        return [n for n, cell in cells if cell and not cell.gone]

    def _moves_at(self, number: int) -> list[Move]:
        """The moves that a cell belongs to: its own first, then those with a neighbour."""
        cells = self.board.cells
        cell = cells[number] if 0 <= number < len(cells) else None
        own = [cell.move] if cell and cell.move is not None and not cell.gone else []
        linked = [
            link.move for link in self.board.links if link.move is not None and number in link.cells
        ]
        after = [move for move in linked if self.board.moves[move][0] == number]
        return [*own, *after, *(move for move in linked if move not in after)]

    @property
    def selected(self) -> Move | None:
        """The move that Enter plays."""
        moves = self._moves_at(self.cursor)
        return moves[self._wide % len(moves)] if moves else None

    def action_move(self, right: int, down: int) -> None:
        choices, tiles = self._choices(), self._arranged.tiles
        if not choices:
            return
        self._wide = 0
        if right and self.cursor in choices:
            self.cursor = choices[(choices.index(self.cursor) + right) % len(choices)]
        elif down:
            self.cursor = self._vertical(choices, tiles, down)
        self._redraw()

    def _vertical(self, choices: list[int], tiles: dict[int, Tile], down: int) -> int:
        """Return the nearest cell above or below; at the edge of the view, the next hidden one."""
        here = tiles.get(self.cursor)
        if not here:
            return choices[0]
        beyond = [n for n in choices if n in tiles and (tiles[n].y - here.y) * down > 0]
        if beyond:
            return min(
                beyond,
                key=lambda n: (abs(tiles[n].y - here.y) + 2 * abs(tiles[n].x - here.x), n),
            )
        further = [n for n in choices if (n - self.cursor) * down > 0 and n not in tiles]
        if further:
            return further[0] if down > 0 else further[-1]
        return self.cursor

    def action_jump(self, place: int) -> None:
        if choices := self._choices():
            self.cursor, self._wide = choices[place], 0
            self._redraw()

    def widen(self) -> None:
        """Choose the cell alone, with its right neighbour, or with its left one."""
        self._wide += 1
        self._redraw()

    def choose(self) -> None:
        """Choose the move that the cursor is on."""
        if self.is_playable and (move := self.selected) is not None:
            self.post_message(self.Chosen(move))

    # The mouse

    def _cell_at(self, event: events.MouseEvent) -> int | None:
        x, y = event.x - self._left, event.y - self._top
        tiles = self._arranged.tiles.items()
        return next((number for number, tile in tiles if tile.holds(x, y)), None)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._pressed = self._cell_at(event)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """A click plays a cell; dragging from one cell to another plays both."""
        first, last = self._pressed, self._cell_at(event)
        self._pressed = None
        if first is None or last is None or not self.is_playable:
            return
        both = {first, last}
        moves = [move for move, cells in self.board.moves.items() if {*cells} == both]
        cell = self.board.cells[last]
        if moves and cell and not cell.gone:
            self.cursor = first
            self.post_message(self.Chosen(moves[0]))
        elif cell:
            self.post_message(self.Refused(cell))

    def on_mouse_scroll_down(self) -> None:
        self.action_move(0, 1)

    def on_mouse_scroll_up(self) -> None:
        self.action_move(0, -1)

    # Drawing

    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, lambda _: self._redraw())

    def on_resize(self) -> None:
        self._redraw()

    def _redraw(self) -> None:
        self._canvas = None
        self.refresh()

    def render_line(self, y: int) -> Strip:
        if self._canvas is None:
            self._canvas = self._draw()
        return self._canvas.strip(y)

    def needed_height(self, width: int, most: int) -> int:
        """Return the rows that the board takes in this width."""
        head = len(self._head(width, most))
        arranged = arrange(self.board, Size(width, max(most - head, 1)), self.cursor)
        return head + arranged.height

    def _draw(self) -> Canvas:
        colours = palette(self.app.current_theme.dark)
        width, height = self.size
        canvas = Canvas(width, height, colours.text)
        head = self._head(width, height)
        room = Size(width, max(height - len(head), 1))
        arranged = arrange(self.board, room, self.cursor)
        if arranged.hidden:  # the last row says so
            room = Size(width, max(room.height - 1, 1))
            arranged = arrange(self.board, room, self.cursor)
        self._arranged = arranged
        top = max(0, (height - len(head) - arranged.height) // 2)
        for y, line in enumerate(head, start=top):
            self._put_head(canvas, y, line, colours)
        self._left = max(0, (width - arranged.width) // 2)
        self._top = top + len(head)
        selected = self.selected
        ringed = self.board.moves.get(selected, ()) if selected is not None else ()
        for number, tile in arranged.tiles.items():
            cell = self.board.cells[number]
            if cell:
                is_chosen = self.is_playable and self.has_focus and number in ringed
                self._put_tile(canvas, tile, cell, is_chosen, colours)
        if self.board.layout == "line":
            self._put_breaks(canvas, colours)
        self._put_links(canvas, colours)
        if arranged.hidden and self.is_playable:
            words = "more rows: use the arrow keys"
            canvas.put(max(0, width - len(words)), height - 1, words, colours.quiet)
        return canvas

    def _put_breaks(self, canvas: Canvas, colours: Palette) -> None:
        """Show where a broken line continues, even out of view: a stroke at both ends of a row."""
        tiles, count = self._arranged.tiles, len(self.board.cells)
        for number, tile in tiles.items():
            y = self._top + tile.y + (tile.height - 1) // 2
            for near, x in ((number - 1, tile.x - 1), (number + 1, tile.x + tile.width)):
                there = tiles.get(near)
                if 0 <= near < count and not (there and there.y == tile.y):
                    canvas.put(self._left + x, y, "─", colours.quiet)

    def _put_links(self, canvas: Canvas, colours: Palette) -> None:
        """Join the cells of each winning move that takes several, and bracket runs."""
        for link in self.board.links:
            tiles = [self._arranged.tiles.get(number) for number in link.cells]
            if link.kind == "run":
                self._put_bracket(canvas, [tile for tile in tiles if tile], link.label, colours)
            for before, after in pairwise(tiles if link.mark == "winning" else ()):
                for tile, step in ((before, -1), (after, 1)):
                    if tile:
                        x = self._left + tile.x + (tile.width - 1 if step < 0 else 0)
                        y = self._top + tile.y + (tile.height - 1) // 2
                        canvas.join(x, y, step, colours.good)
                if before and after and before.y == after.y:
                    x, y = self._left + before.x + before.width, self._top + before.y
                    gap = after.x - before.x - before.width
                    canvas.put(x, y + (before.height - 1) // 2, "━" * gap, colours.good)

    def _put_bracket(self, canvas: Canvas, tiles: list[Tile], label: str, colours: Palette) -> None:
        """Write what a run is worth under its tiles: only once, even if the run is broken."""
        for y, row in groupby(tiles, key=lambda tile: tile.y):
            first, *_, last = [*row] * 2
            if first.height < TALL:
                return
            wide = last.x + last.width - first.x
            left, right = "└─"[first is not tiles[0]], "┘─"[last is not tiles[-1]]
            words = label if first is tiles[0] else ""
            if len(words) <= wide - 2:
                words = f"{left}{words:─^{wide - 2}}{right}"
            else:
                words = f"{words.split()[-1]:^{wide}}"
            canvas.put(self._left + first.x, self._top + y + first.height - 1, words, colours.note)

    def _head(self, width: int, height: int) -> list[HeadLine]:
        """The lines above the cells: the headline, large where it is a number, and the caption."""
        board = self.board
        lines: list[HeadLine] = []
        if any(cell.taken_by for cell in board.headline):
            is_big = 4 * len(board.headline) <= width and height >= BIG_FROM
            rows = range(TALL) if is_big else (SMALL,)
            lines += [HeadLine("", board.headline, row) for row in rows]
        elif board.headline:
            words = " ".join(cell.text for cell in board.headline)
            lines += [HeadLine(line) for line in wrap(words, max(width, 10))[:6]]
        if board.caption:
            lines += [HeadLine(line) for line in wrap(board.caption, max(width, 10))[:3]]
        return [*lines, HeadLine("")] if lines else []

    def _put_head(self, canvas: Canvas, y: int, line: HeadLine, colours: Palette) -> None:
        if not line.cells:
            at = max(0, (canvas.width - len(line.text)) // 2)
            canvas.put(at, y, line.text, colours.text)
            return
        each = 2 if line.row == SMALL else 4
        x = max(0, (canvas.width - each * len(line.cells)) // 2)
        for cell in line.cells:
            style = colours.players.get(cell.taken_by, colours.text)
            if line.row == SMALL:
                canvas.put(x, y, cell.text, style + Style(underline=cell.last))
            else:
                glyph = DIGITS3X3[DIGITS.find(cell.text) * TALL + line.row]
                canvas.put(x, y, glyph.ljust(3), style)
            x += each

    def _put_tile(
        self, canvas: Canvas, tile: Tile, cell: Cell, is_chosen: bool, colours: Palette
    ) -> None:
        x, y = tile.x + self._left, tile.y + self._top
        text, style = self._face(cell, is_chosen, tile, colours)
        if tile.height < TALL:
            if len(text) > tile.width:
                text = text.strip("()[]›‹ ")
            at = x + tile.width - len(text)
            canvas.put(at, y, text, style + Style(strike=False))
            bare = text.strip()
            canvas.put(at + text.index(bare), y, bare, style)
            self._put_mark(canvas, at + text.index(bare), y, cell, colours)
            return
        middle, last = x + (tile.width - len(text)) // 2, tile.height - 1
        if corners := self._corners(cell, is_chosen):
            left_top, right_top, left_end, right_end, across, down = [*corners]
            frame = style + Style(strike=False)
            inner = tile.width - 2
            canvas.put(x, y, f"{left_top}{across * inner}{right_top}", frame)
            side = down if len(text) <= inner else " "
            for row in range(1, last):
                canvas.put(x, y + row, f"{side}{' ' * inner}{side}", frame)
            canvas.put(x, y + last, f"{left_end}{across * inner}{right_end}", frame)
        elif style.bgcolor != colours.text.bgcolor and not self.app.no_color:
            # Half a row of ground above and below, so that tiles stay apart.
            edge = Style(color=style.bgcolor, bgcolor=colours.text.bgcolor)
            canvas.put(x, y, "▄" * tile.width, edge)
            for row in range(1, last):
                canvas.put(x, y + row, " " * tile.width, style)
            canvas.put(x, y + last, "▀" * tile.width, edge)
        canvas.put(middle, y + last // 2, text, style)
        self._put_mark(canvas, middle, y + last // 2, cell, colours)
        if label := cell.label[: tile.width]:
            if not corners:  # a frame stays closed around what is written on it
                canvas.put(x, y + last, " " * tile.width, colours.note)
            canvas.put(x + (tile.width - len(label)) // 2, y + last, label, colours.note)

    def _put_mark(self, canvas: Canvas, x: int, y: int, cell: Cell, colours: Palette) -> None:
        """The mark of the player who took a cell, in that player's colour."""
        if cell.gone and cell.taken_by and not cell.last:
            canvas.put(x, y, MARKS[cell.taken_by], colours.players[cell.taken_by])

    def _face(self, cell: Cell, is_chosen: bool, tile: Tile, colours: Palette) -> tuple[str, Style]:
        """The characters of a cell and their style."""
        text = f"{MARKS_OF.get(cell.mark, '')}{cell.text}"
        left, right, style = " ", " ", colours.free
        if cell.gone:
            text = f"{MARKS[cell.taken_by]}{cell.text}" if cell.taken_by else "·"
            style = colours.gone
            if cell.last and cell.taken_by:
                left, right, style = "(", ")", colours.players[cell.taken_by]
        elif is_chosen:
            left, right, style = "›", "‹", colours.cursor
        elif cell.mark == "losing":
            style = colours.bad
        elif cell.mark == "winning" or (cell.legal and self.shows_moves):
            left, right = "[", "]"
            style = colours.good if cell.mark else colours.legal
        return (f"{left}{text}{right}" if tile.height < TALL else text), style

    def _corners(self, cell: Cell, is_chosen: bool) -> str:
        """Return the six characters of a frame; "" for a cell without one.

        The last move has a ring. Without colours, every cell that can be played has a frame too.
        """
        if cell.last and cell.gone and cell.taken_by:
            return "╭╮╰╯─│"
        if not self.app.no_color:
            return ""
        if is_chosen:
            return "┏┓┗┛━┃"
        is_open = cell.legal and self.shows_moves
        return "┌┐└┘─│" if not cell.gone and (is_open or cell.mark) else ""
