"""Pictures of a finished match: all of its moves, and the result to share."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence

from duels.coach.review import ReviewedMove
from duels.core.board import Board, Cell, describe, in_rows
from duels.core.game import Move
from duels.core.look import MARGIN, MARKS, Sheet, Span, fitting
from duels.core.words import counted
from duels.match.dialogue import dialogue_of
from duels.match.match import Match

Write = Callable[[Move], str]

WIDTH = 944
ACROSS = 20
MOST_CELLS = 200
"""The most moves that get a cell each; a longer game is drawn as a curve."""
PER_ROW = 220
MOST_POINTS = 2200
"""The most points of the curve; in a longer game each point stands for several moves."""
MOST_NAMED = 24
"""Turning points that are named beneath the curve."""

RESULT_WIDTH = 640
GAP = 8
LARGEST_TILE = 88
MOST_ACROSS = 15
"""A longer number line is broken into rows of ten."""
MOST_TILES = 400
"""The most cells that can still be read."""


def review_svg(title: str, steps: Sequence[ReviewedMove], write: Write) -> str:
    """Return the moves of a match as SVG; `write` turns a move into text."""
    sheet = Sheet(WIDTH)
    words = _in_words(steps)
    sheet.paragraph(title, "ink b", 20, lines=2)
    sheet.paragraph(words, "quiet", 13)
    sheet.y += 18
    if len(steps) <= MOST_CELLS:
        _cells(sheet, steps, write)
    else:
        _curve(sheet, steps)
        _named(sheet, steps, write)
    _legend(sheet, len(steps) > MOST_CELLS, bool(_turning(steps)))
    turning = ", ".join(_named_step(ply, step, write) for ply, step in _turning(steps)[:MOST_NAMED])
    return sheet.finished(title, f"{words} {f'Turning points: {turning}.' if turning else ''}")


def _in_words(steps: Sequence[ReviewedMove]) -> str:
    if not steps:
        return "No move was made."
    count = len(_turning(steps))
    turns = "no turning point" if not count else f"{count:,} turning point{'s' * (count > 1)}"
    moves = f"{len(steps):,} move{'s' * (len(steps) > 1)}"
    return f"{moves}, {turns}. Player {steps[-1].winner_after} won."


def _turning(steps: Sequence[ReviewedMove]) -> list[tuple[int, ReviewedMove]]:
    return [(ply, step) for ply, step in enumerate(steps) if step.is_turning_point]


def _named_step(ply: int, step: ReviewedMove, write: Write) -> str:
    return f"move {ply + 1:,}, Player {step.player}, {write(step.move)}: {step.label}"


def _cells(sheet: Sheet, steps: Sequence[ReviewedMove], write: Write) -> None:
    """Draw a cell for each move, twenty in a row."""
    pitch, high = sheet.room / ACROSS, 92
    for place, step in enumerate(steps):
        row, column = divmod(place, ACROSS)
        x, y = MARGIN + column * pitch, sheet.y + row * (high + 12)
        wide, middle = pitch - 4, x + pitch / 2 - 2
        edge = "ink-line thick" if step.is_turning_point else "edge-line"
        sheet.box(x, y, wide, high, f"tile {edge}")
        sheet.text(middle, y + 15, MARKS[step.player], f"player{step.player} m", 11)
        move = write(step.move)
        sheet.text(middle, y + 33, move, "ink b m", fitting(move, wide - 6, 15))
        winner = step.winner_after
        sheet.box(x + 4, y + 40, wide - 8, 17, f"player{winner}", 4)
        sheet.text(middle, y + 52.5, MARKS[winner], "ground m", 10)
        look = "ink b m" if step.is_turning_point else "quiet m"
        for line, words in enumerate(textwrap.wrap(step.label, 8, max_lines=3, placeholder="…")):
            sheet.text(middle, y + 67 + 10 * line, words, look, fitting(words, wide - 7, 9))
    sheet.y += -(-len(steps) // ACROSS) * (high + 12)


def _curve(sheet: Sheet, steps: Sequence[ReviewedMove]) -> None:
    """Draw bars, above while player 1 is winning, else below, with a tick at each turning point."""
    each = -(-len(steps) // MOST_POINTS)
    groups = [steps[first : first + each] for first in range(0, len(steps), each)]
    step_wide, high = (sheet.room - 40) / PER_ROW, 20
    for first in range(0, len(groups), PER_ROW):
        row, left, top = groups[first : first + PER_ROW], MARGIN + 40.0, sheet.y
        for player in MARKS:
            y = top if player == 1 else top + high / 2
            bars = _stretches([group[-1].winner_after == player for group in row])
            data = "".join(
                f"M{left + a * step_wide:.4g} {y:g}h{(b - a) * step_wide:.3g}v{high / 2:g}"
                f"H{left + a * step_wide:.4g}z"
                for a, b in bars
            )
            sheet.path(data, f"player{player}")
        ticks = "".join(
            f"M{left + (place + 0.5) * step_wide:.4g} {top + high + 2:g}v4"
            for place, group in enumerate(row)
            if any(step.is_turning_point for step in group)
        )
        sheet.path(ticks, "ink-line")
        sheet.text(MARGIN + 32, top + 14, f"{first * each + 1:,}", "quiet e", 11)
        sheet.y += high + 14
    ahead = sum(step.winner_after == 1 for step in steps)
    words = f"Player 1 was winning after {ahead:,} of the {len(steps):,} moves."
    if each > 1:
        words += f" Each step is {each} moves and shows who was winning after the last of them."
    sheet.paragraph(words, "quiet", 12)


def _stretches(flags: Sequence[bool]) -> list[tuple[int, int]]:
    """Return where each run of True begins and ends."""
    starts = [n for n, flag in enumerate(flags) if flag and not (n and flags[n - 1])]
    ends = [n + 1 for n, flag in enumerate(flags) if flag and not any(flags[n + 1 : n + 2])]
    return list(zip(starts, ends, strict=True))


def _named(sheet: Sheet, steps: Sequence[ReviewedMove], write: Write) -> None:
    turning = _turning(steps)
    shown = turning[:MOST_NAMED]
    down, wide = -(-len(shown) // 3), sheet.room / 3
    for place, (ply, step) in enumerate(shown):
        words = _named_step(ply, step, write).replace("move", "Move", 1)
        column, line = divmod(place, down)
        x, y = MARGIN + column * wide, sheet.y + 18 * (line + 1)
        sheet.text(x, y, words, "ink", fitting(words, wide - 12, 12))
    sheet.y += 18 * down + 6
    if (rest := len(turning) - MOST_NAMED) > 0:
        sheet.paragraph(f"and {counted(rest, 'more turning point')}", "quiet", 12)


def _legend(sheet: Sheet, is_curve: bool, has_turned: bool) -> None:
    places = {1: "upper", 2: "lower"} if is_curve else {}
    entries: list[list[Span]] = [
        [(mark, f"player{player}"), (f" Player {player}{_winning(places.get(player))}", "quiet")]
        for player, mark in MARKS.items()
    ]
    if not is_curve:
        entries.append([("▬", "quiet"), (" who was winning after the move", "quiet")])
    if has_turned:
        entries.append([("ı" if is_curve else "▢", "ink b"), (" turning point", "quiet")])
    sheet.y += 4
    sheet.flow(entries, 12, 26)


def _winning(place: str | None) -> str:
    return f" was winning ({place} half)" if place else ""


# The result


def result_svg(match: Match) -> str:
    """Return the result and the final board of a finished match as SVG."""
    assert match.outcome
    game, winner, words = match.game, match.outcome.winner, dialogue_of(match.game)
    result, why = words.status(match), words.why(match)
    sheet = Sheet(RESULT_WIDTH)
    sheet.y += 28
    spans = [(MARKS[winner], f"player{winner}"), (f" {result}", "ink b")]
    sheet.spans(MARGIN, sheet.y, spans, fitting(f"{result}    ", sheet.room, 38))
    sheet.y += 8
    sheet.paragraph(why, "ink", 18, lines=3)
    sheet.y += 20
    _board(sheet, describe(match.position))
    sheet.y += 30
    names = [(player, f" {match.name(player)}\u2003") for player in (1, 2)]
    players = [part for n, name in names for part in ((MARKS[n], f"player{n}"), (name, "ink"))]
    about = ", ".join(filter(None, (game.title, game.options_in_words())))
    size = fitting("".join(text for text, _ in players), sheet.room, 16)
    sheet.spans(MARGIN, sheet.y, players, size)
    sheet.y += 24
    sheet.text(MARGIN, sheet.y, about, "quiet", fitting(f"{about} Number Duels", sheet.room, 15))
    sheet.text(RESULT_WIDTH - MARGIN, sheet.y, "Number Duels", "ink b e", 15)
    return sheet.finished(result, f"{about}. {why}")


def _board(sheet: Sheet, board: Board) -> None:
    head = "".join(cell.text for cell in board.headline)
    if head:
        size = fitting(head, sheet.room, 64)
        sheet.y += size
        sheet.text(RESULT_WIDTH / 2, sheet.y, head, "ink b m", size)
        sheet.y += 12
    if board.caption:
        sheet.y += 20
        sheet.text(
            RESULT_WIDTH / 2,
            sheet.y,
            board.caption,
            "quiet m",
            fitting(board.caption, sheet.room, 16),
        )
        sheet.y += 16
    if board.layout in ("keypad", "tiles") or len(board.cells) > MOST_TILES:
        return  # the headline says it all
    rows: Sequence[Sequence[Cell | None]] = board.rows
    if board.layout == "line" and len(board.cells) > MOST_ACROSS:
        rows = in_rows(filter(None, board.cells), 10)
    across = max(map(len, rows), default=1)
    side = min(LARGEST_TILE, (sheet.room + GAP) / across - GAP)
    left = (RESULT_WIDTH - across * (side + GAP) + GAP) / 2
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
