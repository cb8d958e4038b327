"""The board of Divisor Duel: the growing number, what is left over, and the digits that remain."""

from __future__ import annotations

from duels.core.look import MARKS
from duels.games.digits.rules import DivisorPosition
from duels.games.digits.theory import divisor_of
from duels.terminal.talk import Style


def draw_keypad(
    position: DivisorPosition, style: Style, columns: int, rows: int, *, show_moves: bool
) -> list[str]:
    """Small enough for every window; every digit on it may be added while the game goes on."""
    newest = len(position.moves) - 1
    number = " ".join(
        (style.last if ply == newest else style.player)(f"{MARKS[1 + ply % 2]}{digit}", 1 + ply % 2)
        for ply, digit in enumerate(position.moves)
    )
    lines = [number or "(no digit yet)"]
    if position.moves:
        divisor = divisor_of(position)
        lines.append(f"remainder {position.state % divisor} (÷ {divisor})")
    for row in ((1, 2, 3), (4, 5, 6), (7, 8, 9)):
        keys = [style.faint("·") if key in position.moves else style.bold(str(key)) for key in row]
        lines.append(" ".join(keys))
    return [f"  {line}" for line in lines]
