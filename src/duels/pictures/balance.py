"""Which runs of a line balance which: equal ones in pairs, the rest as a sum of 1, 2, 4 and 8."""

from __future__ import annotations

from collections.abc import Sequence

from duels.pictures.svg import MARGIN, Sheet, fitting
from duels.theory.runs import Run, balanced, run_name

MOST_PAIRS = 8
HIGH = 30
WIDE = 130


def balance_table(sheet: Sheet, caption: str, runs: Sequence[Run]) -> None:
    """A row for each pair of runs that count the same, and a table of those that are left."""
    pairs, rest = balanced(runs)
    sheet.y += 28
    sheet.text(MARGIN, sheet.y, caption, "ink b", 15)
    sheet.y += 12
    for one, two in pairs[:MOST_PAIRS]:
        _pill(sheet, MARGIN, one)
        sheet.text(MARGIN + WIDE + 44, sheet.y + 20, "against", "quiet m", 13)
        _pill(sheet, MARGIN + WIDE + 88, two)
        words = f"both count {one[2]}"
        sheet.text(MARGIN + 2 * WIDE + 104, sheet.y + 20, words, "quiet", 13)
        sheet.y += HIGH + 8
    if len(pairs) > MOST_PAIRS:
        words = f"and {len(pairs) - MOST_PAIRS:,} more pairs of runs that count the same"
        sheet.paragraph(words, "quiet", 13)
        sheet.y += 6
    if rest:
        _together(sheet, rest)


def _pill(sheet: Sheet, x: float, run: Run) -> None:
    name = run_name(run[0], run[1])
    sheet.box(x, sheet.y, WIDE, HIGH, "tile edge-line", 15)
    sheet.text(x + WIDE / 2, sheet.y + 20, name, "ink m", fitting(name, WIDE - 20, 14))


def _together(sheet: Sheet, rest: Sequence[Run]) -> None:
    """Different counts balance when each of 8, 4, 2 and 1 occurs evenly often in them."""
    powers = [power for power in (8, 4, 2, 1) if any(run[2] & power for run in rest)]
    left = MARGIN + WIDE + 110
    sheet.y += 18
    sheet.text(MARGIN + WIDE / 2, sheet.y, "together", "quiet m", 13)
    for column, power in enumerate(powers):
        sheet.text(left + 44 * column, sheet.y, str(power), "quiet m", 13)
    sheet.y += 8
    for run in rest:
        _pill(sheet, MARGIN, run)
        sheet.text(MARGIN + WIDE + 14, sheet.y + 20, f"counts {run[2]}", "quiet", 13)
        for column, power in enumerate(powers):
            if run[2] & power:
                sheet.text(left + 44 * column, sheet.y + 21, "■", "ink m", 16)
            else:
                sheet.text(left + 44 * column, sheet.y + 20, "·", "quiet m", 16)
        sheet.y += HIGH + 8
    sheet.paragraph("Each column has an even number of squares.", "quiet", 13)
