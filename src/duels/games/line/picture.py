"""Number Line Duel: the line, what its free runs are worth, and which runs balance which."""

from __future__ import annotations

from collections.abc import Sequence

from duels.core.look import MARGIN, MARKS, WINNING, Sheet, Span, fitting
from duels.games.line.theory import LineVerdict, Run, balanced, equal_pairs, run_name, valued_runs
from duels.theory.pictures import LOSES, WINS, begin, draw_board, end, path

MOST_PAIRS = 8
HIGH = 30
WIDE = 130


def balance_table(sheet: Sheet, caption: str, runs: Sequence[Run]) -> None:
    """Draw a row for each pair of runs, of equal length or value, and a table of the others."""
    equal = equal_pairs(runs)
    pairs, rest = (equal, []) if equal else balanced(runs)
    sheet.y += 28
    sheet.text(MARGIN, sheet.y, caption, "ink b", 15)
    sheet.y += 12
    for one, two in pairs[:MOST_PAIRS]:
        _pill(sheet, MARGIN, one)
        sheet.text(MARGIN + WIDE + 44, sheet.y + 20, "against", "quiet m", 13)
        _pill(sheet, MARGIN + WIDE + 88, two)
        words = f"each of length {one[1] - one[0] + 1}" if equal else f"each worth {one[2]}"
        sheet.text(MARGIN + 2 * WIDE + 104, sheet.y + 20, words, "quiet", 13)
        sheet.y += HIGH + 8
    if len(pairs) > MOST_PAIRS:
        alike = "have the same length" if equal else "are worth the same"
        words = f"and {len(pairs) - MOST_PAIRS:,} more pairs of runs that {alike}"
        sheet.paragraph(words, "quiet", 13)
        sheet.y += 6
    if rest:
        _together(sheet, rest)


def _pill(sheet: Sheet, x: float, run: Run) -> None:
    name = run_name(run[0], run[1])
    sheet.box(x, sheet.y, WIDE, HIGH, "tile edge-line", 15)
    sheet.text(x + WIDE / 2, sheet.y + 20, name, "ink m", fitting(name, WIDE - 20, 14))


def _together(sheet: Sheet, rest: Sequence[Run]) -> None:
    """Draw how the other runs balance: 8, 4, 2 and 1 each occur an even number of times."""
    powers = [power for power in (8, 4, 2, 1) if any(run[2] & power for run in rest)]
    left = MARGIN + WIDE + 110
    sheet.y += 18
    sheet.text(MARGIN + WIDE / 2, sheet.y, "together", "quiet m", 13)
    for column, power in enumerate(powers):
        sheet.text(left + 44 * column, sheet.y, str(power), "quiet m", 13)
    sheet.y += 8
    for run in rest:
        _pill(sheet, MARGIN, run)
        sheet.text(MARGIN + WIDE + 14, sheet.y + 20, f"is worth {run[2]}", "quiet", 13)
        for column, power in enumerate(powers):
            if run[2] & power:
                sheet.text(left + 44 * column, sheet.y + 21, "■", "ink m", 16)
            else:
                sheet.text(left + 44 * column, sheet.y + 20, "·", "quiet m", 16)
        sheet.y += HIGH + 8
    sheet.paragraph("Each column has an even number of squares.", "quiet", 13)


WIDTH = 624
LONGEST_LINE = 120
"""The longest line that is drawn in full; for a longer one, its runs are listed."""
MOST_RUNS = 30
MOST_MOVES = 32
STRIPES = 140


def line_svg(verdict: LineVerdict) -> str:
    """The picture of a verdict on a number line."""
    position = verdict.position
    sheet = begin(verdict, WIDTH)
    if position.game.size <= LONGEST_LINE:
        draw_board(sheet, verdict)
    else:
        _long_line(sheet, verdict)
        sheet.y += 8
    _legend(sheet, verdict)
    path(sheet, position)
    if verdict.proof:
        _balance(sheet, verdict)
    return end(sheet, verdict)


def _long_line(sheet: Sheet, verdict: LineVerdict) -> None:
    """Draw the whole line as stripes, with a list of its runs and some of the winning moves."""
    position = verdict.position
    numbers, free = position.game.size, position.state
    pitch, high = sheet.room / STRIPES, 34
    sheet.box(MARGIN, sheet.y, sheet.room, high, "faded edge-line", 4)
    for stripe in range(STRIPES):
        low, top = numbers * stripe // STRIPES + 1, numbers * (stripe + 1) // STRIPES
        if size := top - low + 1:
            share = (free >> low & (1 << size) - 1).bit_count() / size
            bar = share * (high - 4)
            if bar:
                x = MARGIN + stripe * pitch
                sheet.box(x + 0.5, sheet.y + high - 2 - bar, pitch - 1, bar, "quiet", 1)
    sheet.y += high
    sheet.text(MARGIN, sheet.y + 16, "1", "quiet", 12)
    sheet.text(sheet.width - MARGIN, sheet.y + 16, f"{numbers:,}", "quiet e", 12)
    free_now = f"{free.bit_count():,} of {numbers:,} numbers are free"
    sheet.text(sheet.width / 2, sheet.y + 16, free_now, "quiet m", 12)
    sheet.y += 22
    if verdict.proof:
        found = verdict.proof["runs"]
        texts = [f"{run_name(first, last)} is worth {value}" for first, last, value in found]
        _some(sheet, "The free runs:", texts, MOST_RUNS, [])
    best = verdict.best_move
    if best is not None:
        others = [position.game.in_words(move) for move in verdict.winning_moves if move != best]
        moves = [position.game.in_words(best), *others]
        _some(sheet, f"{len(moves):,} moves win:", moves, MOST_MOVES, [(WINNING, "good")])


def _some(sheet: Sheet, caption: str, texts: Sequence[str], most: int, mark: list[Span]) -> None:
    sheet.y += 8
    sheet.paragraph(caption, "ink b", 13)
    items: list[list[Span]] = [[*mark, (words, "ink")] for words in texts[:most]]
    if len(texts) > most:
        items.append([(f"and {len(texts) - most:,} more", "quiet")])
    sheet.flow(items, 13, 14)


def _legend(sheet: Sheet, verdict: LineVerdict) -> None:
    position = verdict.position
    entries: list[list[Span]] = []
    if position.game.size > LONGEST_LINE:
        entries += [WINS, [("every other move loses", "quiet")]] if verdict.wins else []
    elif verdict.winning_moves:
        entries.append(WINS)
        if any(isinstance(move, tuple) for move in verdict.winning_moves):
            entries.append([("a bar: both numbers together", "quiet")])
    if verdict.proof and position.game.size <= LONGEST_LINE:
        entries += [LOSES, [("every other pair loses" if entries else "every pair loses", "quiet")]]
    for player, mark in list(MARKS.items())[: len(position.moves)]:
        entries.append([(mark, f"player{player}"), (f" crossed out by Player {player}", "quiet")])
    sheet.flow(entries, 12, 18)


def _balance(sheet: Sheet, verdict: LineVerdict) -> None:
    """Draw which runs balance each other, after the best move or, in a lost position, now."""
    position = verdict.position
    best = verdict.best_move
    after = position if best is None else position.play(best)
    caption = "The line is balanced:" if best is None else f"After {position.game.in_words(best)}:"
    if found := valued_runs(after):
        balance_table(sheet, caption, found)
