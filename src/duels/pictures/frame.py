"""What all pictures of a verdict share: the heading, the moves so far, the tiles, the reason."""

from __future__ import annotations

from collections.abc import Sequence

from duels.core.game import Position
from duels.look import LOSING, MARKS, WINNING
from duels.pictures.svg import MARGIN, Sheet, Span, fitting
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
    """Who wins, and how to go on, in one line."""
    position = verdict.position
    if position.outcome:
        return f"Player {position.outcome.winner} has won"
    move = verdict.best_move
    if move is None:
        return f"Player {position.to_move} to move loses against best play"
    game = position.game
    return f"Player {position.to_move} to move wins: {game.verb.do} {game.format(move)}"


def about(position: Position) -> str:
    """Which game it is, and how far it has gone."""
    options = [f"{name} {brief(value)}" for name, value in position.game.options.items()]
    played = len(position.moves)
    moves = "at the start" if not played else f"after {played:,} move{'s' * (played > 1)}"
    return f"{position.game.title}: {', '.join(options)}, {moves}"


def path(sheet: Sheet, position: Position) -> None:
    """The moves so far, each with the mark of who made it, the last one underlined."""
    plies = list(enumerate(position.moves))
    earlier = len(plies) - LONGEST_PATH
    caption = f"Played {earlier:,} moves, then:" if earlier > 0 else "Played:"
    items: list[Sequence[Span]] = [[(caption, "quiet")]] if plies else []
    for ply, move in plies[-LONGEST_PATH:]:
        player, is_last = 1 + ply % 2, ply == len(plies) - 1
        written = (position.game.format(move), "ink last" if is_last else "ink")
        items.append([(MARKS[player], f"player{player}"), written])
    if items:
        sheet.y += 8
        sheet.flow(items, 13, 10)


def tile(sheet: Sheet, x: float, y: float, wide: float, high: float, label: str, kind: str) -> None:
    """A number: best, wins, loses, idle (not now), or gone to player 1 or 2 ("1!": just now)."""
    taker, is_last = kind[0], kind.endswith("!")
    look = {
        "best": ("good good-line", "ground b", WINNING, "ground"),
        "wins": ("mild good-line", "good b", WINNING, "good"),
        "loses": ("tile edge-line", "ink", LOSING, "bad"),
        "idle": ("ground edge-line", "quiet", "", ""),
    }.get(kind)
    if not look:
        box = f"faded player{taker}-line thick" if is_last else "faded faded-line"
        look = (box, "gone struck", MARKS[int(taker)], f"player{taker}")
    box, ink, mark, mark_look = look
    sheet.box(x, y, wide, high, box)
    size = fitting(label, wide - 8, min(17, high * 0.38))
    sheet.text(x + wide / 2, y + high * 0.5 + size * 0.55, label, f"{ink} m", size)
    if mark:
        small = max(8, min(12, wide * 0.26))
        sheet.text(x + wide - 4, y + small + 1, mark, f"{mark_look} e", small)


def brief(value: object, most: int = 24) -> str:
    """A value that may be a very long number, in at most so many characters or little more."""
    text = str(value)
    return text if len(text) <= most else f"{text[: most // 2]}… ({len(text):,} digits)"


def _description(verdict: Verdict[Position]) -> str:
    position = verdict.position
    winning = verdict.winning_moves
    shown = ", ".join(map(position.game.format, winning[:50]))
    more = f" and {len(winning) - 50:,} more" if winning[50:] else ""
    words = f" Winning moves: {shown}{more}." if winning else ""
    return f"{about(position)}.{words} {verdict.reason}"
