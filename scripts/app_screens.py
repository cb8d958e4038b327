"""Make pictures of every screen of the terminal app, at three sizes, light and dark:

    python scripts/app_screens.py [FOLDER]

They are SVG files to look at; nothing of them is committed.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from duels.match.saved_games import SavedGames
from duels.terminal.app import DuelsApp
from duels.terminal.app.canvas import DARK, LIGHT

SIZES = ((80, 24), (120, 40), (40, 20))
SCREENS = {
    "home": [],
    "rules": ["question_mark"],
    "number-duel": ["1", "enter", "1", "2", "enter"],
    "divisor-duel": ["2", "enter", "5", "enter"],
    "number-line-duel": ["3", "enter", "8", "enter", "right", "space"],
    "sequence-duel": ["4", "enter", "6", "enter"],
    "number-chain-duel": ["5", "enter", "4", "enter"],
    "hint": ["3", "enter", "h", "h", "h"],
    "why": ["3", "enter", "7", "enter", "w"],
    "end": ["5", "b", "enter", "1", "enter", "x", "y"],
    "review": ["5", "b", "enter", "1", "enter", "x", "y", "r", "home"],
    "puzzle": ["p"],
    "lesson": ["3", "l"],
    "unfinished": ["3", "enter", "8", "enter", "q", "r"],
    "finished": ["5", "b", "enter", "1", "enter", "x", "y", "q", "v"],
}


async def picture(size: tuple[int, int], theme: str, keys: Sequence[str], file: Path) -> None:
    """Press the keys, wait for the computer, and save the screen."""
    with tempfile.TemporaryDirectory() as folder:
        app = DuelsApp(SavedGames(Path(folder) / "matches"))
        async with app.run_test(size=size) as pilot:
            app.theme = theme
            for key in keys:
                await pilot.press(key)
                await app.workers.wait_for_complete()
                await pilot.pause(0.05)
            await pilot.pause(0.2)
            file.write_text(app.export_screenshot())


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/app-screens")
    folder.mkdir(parents=True, exist_ok=True)
    for name, keys in SCREENS.items():
        for size in SIZES:
            for theme in (DARK, LIGHT):
                shade = theme.removeprefix("duels-")
                file = folder / f"{name}-{size[0]}x{size[1]}-{shade}.svg"
                asyncio.run(picture(size, theme, keys, file))
                print(file)


if __name__ == "__main__":
    main()
