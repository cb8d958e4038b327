"""Verdicts and positions as SVG pictures."""

from __future__ import annotations

from collections.abc import Sequence

from duels.core.board import Cell, describe, marked
from duels.core.errors import TooLarge
from duels.core.game import Position
from duels.core.look import LOSING, MARGIN, MARKS, WINNING, Sheet, Span, fitting, text_width
from duels.core.parts import load, parts_of
from duels.theory import solve, theory_of
from duels.theory.verdict import Verdict

WINS: list[Span] = [(WINNING, "good"), (" wins", "quiet")]
LOSES: list[Span] = [(LOSING, "bad"), (" loses", "quiet")]
LONGEST_PATH = 40
"""Moves in the path beneath the board; of more, the last ones."""


def begin(verdict: Verdict[Position], width: int) -> Sheet:
    """A sheet with the verdict in words at its top."""
    sheet = Sheet(width)
    words = heading(verdict)
    position = verdict.position
    player = position.outcome.winner if position.outcome else position.to_move
    size = fitting(words + "    ", sheet.room, 21)
    sheet.y += 16
    spans = [(MARKS[player], f"player{player}"), (f" {words}", "ink b")]
    sheet.spans(MARGIN, sheet.y, spans, size)
    sheet.y += 8
    sheet.paragraph(about(position), "quiet", 13, lines=2)
    sheet.y += 16
    return sheet


def end(sheet: Sheet, verdict: Verdict[Position]) -> str:
    """The finished picture, with the reason at its foot."""
    sheet.y += 18
    sheet.path(f"M{MARGIN} {sheet.y:g}H{sheet.width - MARGIN}", "edge-line")
    sheet.y += 8
    sheet.paragraph(verdict.reason, "ink", 14)
    return sheet.finished(heading(verdict), _description(verdict))


def heading(verdict: Verdict[Position]) -> str:
    """Who wins, and with which move, in one line."""
    position = verdict.position
    if position.outcome:
        return f"Player {position.outcome.winner} has won"
    move = verdict.best_move
    if move is None:
        return f"Player {position.to_move} to move loses against best play"
    game = position.game
    return f"Player {position.to_move} to move wins: {game.verb.do} {game.in_words(move)}"


def about(position: Position) -> str:
    """Which game it is, and how far it has gone."""
    game, played = position.game, len(position.moves)
    moves = "at the start" if not played else f"after {played:,} move{'s' * (played > 1)}"
    return ", ".join(filter(None, (game.title, game.options_in_words(usual_too=True), moves)))


def path(sheet: Sheet, position: Position) -> None:
    """The moves so far, each with the mark of who made it, the last one underlined."""
    plies = list(enumerate(position.moves))
    earlier = len(plies) - LONGEST_PATH
    caption = f"Moves, after the first {earlier:,}:" if earlier > 0 else "Moves:"
    items: list[Sequence[Span]] = [[(caption, "quiet")]] if plies else []
    for ply, move in plies[-LONGEST_PATH:]:
        player, is_last = 1 + ply % 2, ply == len(plies) - 1
        written = (position.game.format(move), "ink last" if is_last else "ink")
        items.append([(MARKS[player], f"player{player}"), written])
    if items:
        sheet.y += 8
        sheet.flow(items, 13, 10)


def tile(sheet: Sheet, x: float, y: float, wide: float, high: float, label: str, kind: str) -> None:
    """Draw a cell: best, wins, loses, idle (not now), or gone to player 1, 2 or neither (0).

    A "!" behind the player means just now.
    """
    taker, is_last = kind[0], kind.endswith("!")
    look = {
        "best": ("good good-line", "ground b", WINNING, "ground"),
        "wins": ("mild good-line", "good b", WINNING, "good"),
        "loses": ("tile edge-line", "ink", LOSING, "bad"),
        "idle": ("ground edge-line", "quiet", "", ""),
    }.get(kind)
    if not look:
        box = f"faded player{taker}-line thick" if is_last else "faded faded-line"
        look = (box, "gone struck", MARKS.get(int(taker), ""), f"player{taker}")
    box, ink, mark, mark_look = look
    sheet.box(x, y, wide, high, box)
    size = fitting(label, wide - 8, min(17, high * 0.38))
    sheet.text(x + wide / 2, y + high * 0.5 + size * 0.55, label, f"{ink} m", size)
    if mark:
        small = max(8, min(12, wide * 0.26))
        sheet.text(x + wide - 4, y + small + 1, mark, f"{mark_look} e", small)


def _description(verdict: Verdict[Position]) -> str:
    position = verdict.position
    winning = verdict.winning_moves
    shown = "; ".join(map(position.game.in_words, winning[:50]))
    more = f" and {len(winning) - 50:,} more" if winning[50:] else ""
    words = f" Winning moves: {shown}{more}." if winning else ""
    return f"{about(position)}.{words} {verdict.reason}"


WIDTH = 560
GAP = 6
HIGH = 46
MOST_TILES = 60
MOST_LINES = 8


def plain_svg(verdict: Verdict[Position]) -> str:
    """The picture of a verdict on a game that has none of its own."""
    position, sheet = verdict.position, begin(verdict, WIDTH)
    draw_board(sheet, verdict)
    if position.legal_count:
        won = len(verdict.winning_moves)
        sheet.flow([WINS] * (won > 0) + [LOSES] * (won < position.legal_count), 12, 18)
    path(sheet, position)
    for number, line in enumerate(verdict.explanation):
        sheet.y += 0 if number else 16
        sheet.paragraph(line, "quiet" if number else "ink b", 13 if number else 15, MOST_LINES)
    return end(sheet, verdict)


def draw_board(sheet: Sheet, verdict: Verdict[Position]) -> None:
    """Draw the board that the game describes, with every move marked as winning or losing."""
    position, best = verdict.position, verdict.best_move
    board = marked(describe(position), {*verdict.winning_moves})
    head = "".join(cell.text for cell in board.headline)
    if head:
        sheet.y += 34
        sheet.text(MARGIN, sheet.y, head, "ink b", fitting(head, sheet.room, 30))
        sheet.y += 16
    if board.caption:
        sheet.paragraph(board.caption, "quiet", 13)
        sheet.y += 8
    rows = board.rows
    if board.layout == "tiles":
        cells = board.cells[:MOST_TILES]
        widest = max((text_width(cell.text, 17) for cell in cells if cell), default=0)
        across = max(1, int((sheet.room + GAP) // (max(46, widest + 28) + GAP)))
        rows = [cells[start : start + across] for start in range(0, len(cells), across)]
    pitch = (sheet.room + GAP) / max(5, *map(len, rows or [()]))
    for row in rows:
        for column, cell in enumerate(row):
            if cell:
                look = "best" if cell.legal and cell.move == best else _look(cell)
                tile(sheet, MARGIN + column * pitch, sheet.y, pitch - GAP, HIGH, cell.text, look)
        sheet.y += HIGH + GAP
    if board.layout == "tiles" and position.legal_count > MOST_TILES:
        more = position.legal_count - MOST_TILES
        sheet.paragraph(f"and {more:,} more moves", "quiet", 13)


def _look(cell: Cell) -> str:
    """How a cell is drawn: see `tile`."""
    if cell.gone:
        return f"{cell.taken_by}{'!' if cell.last else ''}"
    return {"winning": "wins", "losing": "loses"}.get(cell.mark, "idle")


def position_svg(position: Position) -> str | None:
    """The picture of a position's verdict, or None if it would take long or cannot be found."""
    if theory_of(position).is_slow(position):
        return None
    try:
        return verdict_svg(solve(position))
    except TooLarge:
        return None


def verdict_svg(verdict: Verdict[Position]) -> str:
    """The board with its winning moves marked, and the strategy that wins, as SVG text."""
    svg: str = load(parts_of(verdict.position.game).picture)(verdict)
    return svg
