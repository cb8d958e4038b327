"""A game in the real app as a moving SVG: each row of the screen appears when it changes.

The animation runs three times and ends with the end of the game; a reader who has asked for less
motion sees that end at once.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Iterable
from html import escape
from pathlib import Path

from rich.segment import Segment
from rich.style import Style

import duels
from duels.match.match import Seat, new_match
from duels.match.players.specs import opponent_seat
from duels.match.saved_games import SavedGames
from duels.terminal.app import DuelsApp
from duels.terminal.app.canvas import DARK
from duels.terminal.app.game import GameScreen
from duels.terminal.table import Table

SETUP, LEVEL, SEED = "to-15", "skilled", 3
KEYS = ["h", "h", "h", "8 Enter", "6-7 Enter", "2 Enter", "13 Enter", "1 Enter", "11 Enter"]
KEYS += ["12 Enter"]
COLUMNS, ROWS = 80, 24
WIDE, HIGH, EDGE = 8.4, 18, 12
READ, REST = 1.8, 6.0
"""Seconds for each picture, and for the last one."""
GROUND = "#15191e"
LABEL = "A game of Number Line Duel in the app, from the first hint to the win"

Row = tuple[tuple[str, Style], ...]
Screen = tuple[Row, ...]

HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" \
aria-label="{label}">
<style>
text {{ font: 14px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; white-space: pre }}
.b {{ font-weight: bold }} .s {{ text-decoration: line-through }}
{steps}
@media (prefers-reduced-motion: reduce) {{ .old {{ display: none }} \
* {{ animation: none !important }} }}
</style>
<rect width="100%" height="100%" rx="8" fill="{ground}"/>
"""


def moving_svg() -> str:
    """Return the picture."""
    screens = asyncio.run(_play())
    seconds = READ * (len(screens) - 1) + REST
    steps, drawn = [], []
    for y in range(ROWS):
        for first, last, row in _runs([screen[y] for screen in screens]):
            if not any(text.strip() or _back(style) != GROUND for text, style in row):
                continue
            is_last = last == len(screens)
            name = f"r{first}_{last}"
            if first or not is_last:
                start, end = first * READ / seconds, 1 if is_last else last * READ / seconds
                steps.append(_frames(name, start, end, seconds))
            kind = f' class="{name}{"" if is_last else " old"}"' if first or not is_last else ""
            drawn.append(f"<g{kind}>{_drawn(row, y)}</g>")
    head = HEAD.format(
        width=round(COLUMNS * WIDE + 2 * EDGE),
        height=ROWS * HIGH + 2 * EDGE,
        label=LABEL,
        steps="\n".join(dict.fromkeys(steps)),
        ground=GROUND,
    )
    return head + "\n".join(drawn) + "\n</svg>\n"


async def _play() -> list[Screen]:
    """Play the game, and return the screen before and after each key."""
    for name in ("NO_COLOR", "COLORFGBG", "DUELS_THEME"):
        os.environ.pop(name, None)
    kind = duels.GAMES["number-line-duel"]
    match = new_match(kind.setup(SETUP).game(kind), (Seat("Ann"), opponent_seat(LEVEL)), seed=SEED)
    screens = []
    with tempfile.TemporaryDirectory() as folder:
        app = DuelsApp(SavedGames(Path(folder) / "matches"))
        async with app.run_test(size=(COLUMNS, ROWS)) as pilot:
            app.theme = DARK
            await pilot.pause()
            screens.append(_screen(app))
            game = GameScreen(Table(match, app.store, app.warn))
            app.push_screen(game)
            await pilot.pause(0.2)
            screens.append(_screen(app))
            for keys in KEYS:
                for key in keys.replace(" Enter", "\n").replace("-", "_"):
                    await pilot.press({"\n": "enter", "_": "minus"}.get(key, key))
                await pilot.app.workers.wait_for_complete()
                await pilot.pause(0.2)
                screens.append(_screen(app))
    return screens


def _screen(app: DuelsApp) -> Screen:
    return tuple(tuple(_merged(strip)) for strip in app.screen._compositor.render_strips())


def _merged(segments: Iterable[Segment]) -> Iterable[tuple[str, Style]]:
    """Neighbouring segments of one style as one."""
    text, style = "", Style.null()
    for segment in segments:
        own = (segment.style or Style.null()).without_color + Style(
            color=segment.style.color if segment.style else None,
            bgcolor=segment.style.bgcolor if segment.style else None,
        )
        if text and own != style:
            yield text, style
            text = ""
        text, style = text + segment.text, own
    yield text, style


def _runs(rows: list[Row]) -> Iterable[tuple[int, int, Row]]:
    """Each row with the first and the last picture that has it."""
    first = 0
    for at in range(1, len(rows) + 1):
        if at == len(rows) or rows[at] != rows[first]:
            yield first, at, rows[first]
            first = at


def _frames(name: str, start: float, end: float, seconds: float) -> str:
    states = [(0, start <= 0), (start, True), (end, False)]
    parts = "".join(
        f"{at:.2%} {{ opacity: {int(on)}; animation-timing-function: step-end }} "
        for at, on in states
        if at < 1
    )
    last = f"100% {{ opacity: {int(end >= 1)} }}"
    return (
        f"@keyframes {name} {{ {parts}{last} }} .{name} {{ animation: {name} {seconds}s 3 both }}"
    )


def _back(style: Style) -> str:
    return _colour(style, front=False)


def _colour(style: Style, *, front: bool) -> str:
    colour = style.color if front else style.bgcolor
    if colour is None or colour.triplet is None:
        return "#e6e6e3" if front else GROUND
    return colour.triplet.hex


def _drawn(row: Row, y: int) -> str:
    """The rectangles and texts of one row."""
    parts, column, top = [], 0, EDGE + y * HIGH
    for text, style in row:
        x, width = EDGE + column * WIDE, len(text) * WIDE
        front, back = _colour(style, front=True), _back(style)
        if style.reverse:
            front, back = back, front
        if back != GROUND:
            parts.append(_rect(x, top, width, HIGH, back))
        words = text.strip()
        if words and set(words) <= {"▄"}:
            parts.append(_rect(x, top + HIGH / 2, width, HIGH / 2, front))
        elif words and set(words) <= {"▀"}:
            parts.append(_rect(x, top, width, HIGH / 2, front))
        elif words:
            gap = len(text) - len(text.lstrip())
            at, long = x + gap * WIDE, len(words) * WIDE
            kinds = "b" * bool(style.bold) + " s" * bool(style.strike)
            named = f' class="{kinds.strip()}"' if kinds.strip() else ""
            parts.append(
                f'<text x="{at:.1f}" y="{top + 13.5:.1f}" textLength="{long:.1f}" fill="{front}"'
                f"{named}>{escape(words)}</text>"
            )
        column += len(text)
    return "".join(parts)


def _rect(x: float, y: float, width: float, height: float, fill: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:g}" width="{width:.1f}" height="{height:g}" fill="{fill}"/>'


if __name__ == "__main__":
    print(moving_svg())
