"""Any game: the state in words, a tile for every move, and what is best to leave."""

from __future__ import annotations

from duels.core.game import Position
from duels.pictures.frame import LOSES, WINS, begin, end, path, tile
from duels.pictures.svg import MARGIN, fitting, text_width
from duels.theory.verdict import Verdict

WIDTH = 560
GAP = 6
HIGH = 46
MOST_TILES = 60
MOST_LINES = 8


def plain_svg(verdict: Verdict[Position]) -> str:
    """The picture of a verdict on a game that has none of its own."""
    position, sheet = verdict.position, begin(verdict, WIDTH)
    game, best = position.game, verdict.best_move
    words = position.words
    sheet.y += 34
    sheet.text(MARGIN, sheet.y, words, "ink b", fitting(words, sheet.room, 30))
    sheet.y += 16
    winning = set(verdict.winning_moves)
    moves = position.legal_moves[:MOST_TILES]
    widest = max((text_width(game.format(move), 17) for move in moves), default=0)
    across = max(1, int((sheet.room + GAP) // (max(46, widest + 28) + GAP)))
    pitch = (sheet.room + GAP) / max(across, 5)
    for place, move in enumerate(moves):
        row, column = divmod(place, across)
        kind = "best" if move == best else "wins" if move in winning else "loses"
        x, y = MARGIN + column * pitch, sheet.y + row * (HIGH + GAP)
        tile(sheet, x, y, pitch - GAP, HIGH, game.format(move), kind)
    sheet.y += -(-len(moves) // across) * (HIGH + GAP)
    if position.legal_count > len(moves):
        sheet.paragraph(f"and {position.legal_count - len(moves):,} more moves", "quiet", 13)
    if moves:
        won = len(winning.intersection(moves))
        sheet.flow([WINS] * (won > 0) + [LOSES] * (won < len(moves)), 12, 18)
    path(sheet, position)
    for number, line in enumerate(verdict.explanation):
        sheet.y += 0 if number else 16
        sheet.paragraph(line, "quiet" if number else "ink b", 13 if number else 15, MOST_LINES)
    return end(sheet, verdict)
