"""Verdicts and positions as SVG pictures."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from duels.core.board import Board, Cell, Link, describe, marked
from duels.core.errors import TooLarge
from duels.core.game import Move, Position
from duels.core.look import LOSING, MARGIN, MARKS, WINNING, Sheet, Span, fitting, text_width
from duels.core.parts import load, parts_of
from duels.theory import solve, theory_of
from duels.theory.verdict import Verdict

WINS: list[Span] = [(WINNING, "good"), (" wins", "quiet")]
LOSES: list[Span] = [(LOSING, "bad"), (" loses", "quiet")]
LONGEST_PATH = 40
"""The most moves shown below the board; of a longer game, the last ones."""


def begin(verdict: Verdict[Position], width: int) -> Sheet:
    """Return a sheet with the verdict in words at its top."""
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
    """Return the finished picture, with the reason at its foot."""
    sheet.y += 18
    sheet.path(f"M{MARGIN} {sheet.y:g}H{sheet.width - MARGIN}", "edge-line")
    sheet.y += 8
    sheet.paragraph(verdict.reason, "ink", 14)
    return sheet.finished(heading(verdict), _description(verdict))


def heading(verdict: Verdict[Position]) -> str:
    """Say who wins, and with which move, in one line."""
    position = verdict.position
    if position.outcome:
        return f"Player {position.outcome.winner} has won"
    move = verdict.best_move
    if move is None:
        return f"Player {position.to_move} to move loses against best play"
    game = position.game
    return f"Player {position.to_move} to move wins: {game.verb.do} {game.in_words(move)}"


def about(position: Position) -> str:
    """Say which game it is, and how far it has gone."""
    game, played = position.game, len(position.moves)
    moves = "at the start" if not played else f"after {played:,} move{'s' * (played > 1)}"
    return ", ".join(filter(None, (game.title, game.options_in_words(usual_too=True), moves)))


def path(sheet: Sheet, position: Position) -> None:
    """Draw the moves so far with the mark of each player, the last one underlined."""
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

    A "!" after the player means that it was the last move.
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
MOST_ACROSS = 15
MOST_LINES = 8


def plain_svg(verdict: Verdict[Position]) -> str:
    """Return the picture of a verdict for a game without its own kind of picture."""
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
    """Draw the game's board with every move marked, and the links of the theory.

    A long row of tiles or of a number line is broken.
    """
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
    joint = [link for link in board.links if link.mark == "winning"]
    runs = [] if position.outcome else theory_of(position).clue(verdict).links
    rows = _broken(board, sheet.room)
    pitch = (sheet.room + GAP) / max(5, *map(len, rows), 1)
    for row in rows:
        numbers = [number for number, _ in row]
        _bars(sheet, [link for link in joint if {*link.cells} & {*numbers}], numbers, pitch, best)
        if board.layout == "line":
            rail = f"M{MARGIN} {sheet.y + HIGH / 2:g}h{len(row) * pitch - GAP:g}"
            sheet.path(rail, "edge-line thick")
        for column, (_, cell) in enumerate(row):
            if cell:
                look = "best" if cell.legal and cell.move == best else _look(cell)
                tile(sheet, MARGIN + column * pitch, sheet.y, pitch - GAP, HIGH, cell.text, look)
        sheet.y += HIGH + GAP
        _brackets(sheet, [link for link in runs if {*link.cells} & {*numbers}], numbers, pitch)
    if board.layout == "tiles" and position.legal_count > MOST_TILES:
        more = position.legal_count - MOST_TILES
        sheet.paragraph(f"and {more:,} more moves", "quiet", 13)


def _broken(board: Board, room: float) -> list[list[tuple[int, Cell | None]]]:
    """Return the rows of a board, each cell with its number; long rows are broken evenly."""
    numbered = list(enumerate(board.cells))
    if board.layout == "tiles":
        numbered = numbered[:MOST_TILES]
        widest = max((text_width(cell.text, 17) for _, cell in numbered if cell), default=0)
        across = max(1, int((room + GAP) // (max(46, widest + 28) + GAP)))
    elif board.layout == "line":
        across = -(-len(numbered) // max(1, -(-len(numbered) // MOST_ACROSS)))
    else:
        ends = [0, *accumulate(map(len, board.rows))]
        return [numbered[start:end] for start, end in pairwise(ends)]
    return [numbered[start : start + across] for start in range(0, len(numbered), across)]


def _bars(
    sheet: Sheet, links: Sequence[Link], row: Sequence[int], pitch: float, best: Move | None
) -> None:
    """Draw a bar over the cells of each winning move that takes several.

    A move that continues in the next row reaches into the margin, or is named in its cell's column.
    """
    lanes: list[int] = []  # for each lane: the last cell under a bar
    bars = []
    for link in links:
        here = [number for number in link.cells if number in row]
        lane = next((n for n, last in enumerate(lanes) if last < here[0]), len(lanes))
        lanes[lane:] = [here[-1], *lanes[lane + 1 :]]
        bars.append((link, here, lane))
    for link, here, lane in bars:
        first, last = row.index(here[0]), row.index(here[-1])
        goes_on = "" if here[-1] == link.cells[-1] else " …"
        words = f"{'' if here[0] == link.cells[0] else '… '}{WINNING}{goes_on}"
        left = MARGIN + first * pitch - (16 if words[0] == "…" and not first else 0)
        right = MARGIN + (last + 1) * pitch - GAP
        right += 16 if goes_on and here[-1] == row[-1] else 0
        y = sheet.y + 20 * (len(lanes) - 1 - lane)
        box, ink = ("good", "ground") if link.move == best else ("mild good-line", "good")
        sheet.box(left + 3, y, right - left - 6, 16, box, 8)
        sheet.text((left + right) / 2, y + 12.5, words, f"{ink} m", 12)
    sheet.y += 20 * len(lanes) + 2


def _brackets(sheet: Sheet, links: Sequence[Link], row: Sequence[int], pitch: float) -> None:
    """Draw a bracket under linked cells, with its label; open if it continues in another row."""
    for link in links:
        here = [number for number in link.cells if number in row]
        left = MARGIN + row.index(here[0]) * pitch + 3
        right = MARGIN + (row.index(here[-1]) + 1) * pitch - GAP - 3
        top, bottom = sheet.y, sheet.y + 6
        is_start, is_end = here[0] == link.cells[0], here[-1] == link.cells[-1]
        start = f"M{left:g} {top:g}V{bottom:g}" if is_start else f"M{left:g} {bottom:g}"
        sheet.path(f"{start}H{right:g}{f'V{top:g}' if is_end else ''}", "quiet-line open")
        words = f"{'' if is_start else '… '}{link.label}{'' if is_end else ' …'}"
        size = fitting(words, max(right - left, 2 * pitch - 6), 11)
        sheet.text((left + right) / 2, bottom + 14, words, "quiet m", size)
    sheet.y += 40 if links else 0


def _look(cell: Cell) -> str:
    """Return how a cell is drawn: see `tile`."""
    if cell.gone:
        return f"{cell.taken_by}{'!' if cell.last else ''}"
    return {"winning": "wins", "losing": "loses"}.get(cell.mark, "idle")


def position_svg(position: Position) -> str | None:
    """Return the picture of a position's verdict, or None if it is slow or cannot be found."""
    if theory_of(position).is_slow(position):
        return None
    try:
        return verdict_svg(solve(position))
    except TooLarge:
        return None


def verdict_svg(verdict: Verdict[Position]) -> str:
    """Return the board with its winning moves and the winning strategy, as SVG text."""
    svg: str = load(parts_of(verdict.position.game).picture)(verdict)
    return svg
