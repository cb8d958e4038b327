"""The end of a match as a picture to share: who won and why, and the final board."""

from __future__ import annotations

from collections.abc import Sequence

from duels.core.board import Board, Cell, describe, in_rows
from duels.core.look import MARGIN, MARKS, Sheet, fitting
from duels.match.dialogue import dialogue_of
from duels.match.match import Match

WIDTH = 640
GAP = 8
LARGEST_TILE = 88
MOST_ACROSS = 15
"""A longer row of a number line is broken where a new ten begins."""
MOST_CELLS = 400
"""Of a larger board no cell could be read."""


def result_svg(match: Match) -> str:
    """Return the result and the final board of a finished match as SVG."""
    assert match.outcome
    game, winner, words = match.game, match.outcome.winner, dialogue_of(match.game)
    result, why = words.status(match), words.why(match)
    sheet = Sheet(WIDTH)
    sheet.y += 28
    spans = [(MARKS[winner], f"player{winner}"), (f" {result}", "ink b")]
    sheet.spans(MARGIN, sheet.y, spans, fitting(f"{result}    ", sheet.room, 38))
    sheet.y += 8
    sheet.paragraph(why, "ink", 18, lines=3)
    sheet.y += 20
    _draw(sheet, describe(match.position))
    sheet.y += 30
    names = [(player, f" {match.name(player)}\u2003") for player in (1, 2)]
    players = [part for n, name in names for part in ((MARKS[n], f"player{n}"), (name, "ink"))]
    about = ", ".join(filter(None, (game.title, game.options_in_words())))
    size = fitting("".join(text for text, _ in players), sheet.room, 16)
    sheet.spans(MARGIN, sheet.y, players, size)
    sheet.y += 24
    sheet.text(MARGIN, sheet.y, about, "quiet", fitting(f"{about} Number Duels", sheet.room, 15))
    sheet.text(WIDTH - MARGIN, sheet.y, "Number Duels", "ink b e", 15)
    return sheet.finished(result, f"{about}. {why}")


def _draw(sheet: Sheet, board: Board) -> None:
    head = "".join(cell.text for cell in board.headline)
    if head:
        size = fitting(head, sheet.room, 64)
        sheet.y += size
        sheet.text(WIDTH / 2, sheet.y, head, "ink b m", size)
        sheet.y += 12
    if board.caption:
        sheet.y += 20
        sheet.text(
            WIDTH / 2, sheet.y, board.caption, "quiet m", fitting(board.caption, sheet.room, 16)
        )
        sheet.y += 16
    if board.layout in ("keypad", "tiles") or len(board.cells) > MOST_CELLS:
        return  # the headline says it all
    rows: Sequence[Sequence[Cell | None]] = board.rows
    if board.layout == "line" and len(board.cells) > MOST_ACROSS:
        rows = in_rows(filter(None, board.cells), 10)
    across = max(map(len, rows), default=1)
    side = min(LARGEST_TILE, (sheet.room + GAP) / across - GAP)
    left = (WIDTH - across * (side + GAP) + GAP) / 2
    for row in rows:
        for column, cell in enumerate(row):
            if cell:
                _tile(sheet, left + column * (side + GAP), side, cell)
        sheet.y += side + GAP


def _tile(sheet: Sheet, x: float, side: float, cell: Cell) -> None:
    """Draw a cell: a free one quietly, a taken one with the mark of its player."""
    taker, y = cell.taken_by, sheet.y
    line = f"player{taker}-line thick" if cell.last and taker else "edge-line"
    sheet.box(
        x, y, side, side, f"{'tile' if cell.last else 'faded' if cell.gone else 'ground'} {line}"
    )
    look = "ink b m" if cell.last else "gone struck m" if cell.gone else "quiet m"
    size = fitting(cell.text, side * 0.7, side * 0.42)
    sheet.text(x + side / 2, y + side / 2 + size * 0.35, cell.text, look, size)
    if taker:
        small = side * 0.22
        sheet.text(x + side * 0.92, y + side * 0.92, MARKS[taker], f"player{taker} e", small)
