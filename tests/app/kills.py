"""`kill -9` of the app on a real terminal, again and again: every move that was shown is saved."""

from __future__ import annotations

import os
import random
import re
import signal
import time
from contextlib import suppress
from pathlib import Path

import pexpect

from duels.core.game import numbers_of
from duels.match.saved_games import SavedGames
from duels.terminal.records import saved_games
from program import DUELS

SHOWN = re.compile(r"crossed out: (\d+(?: \d+)?)")
"""A move in the transcript beside the board."""
UNWANTED = ("NO_COLOR", "COLUMNS", "LINES")


def kill_app(folder: Path, seed: int) -> tuple[int, int]:
    """Play some moves, kill the app at a random moment, and return moves shown and lost."""
    chance = random.Random(seed)
    kept = {name: value for name, value in os.environ.items() if name not in UNWANTED}
    terminal = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "utf-8"}
    child = pexpect.spawn(
        DUELS[0],
        [*DUELS[1:]],
        env=kept | terminal | {"XDG_STATE_HOME": str(folder)},
        dimensions=(40, 120),
        encoding="utf-8",
        timeout=60,
    )
    seen = ""
    try:
        child.expect_exact("quit")
        child.send("\r")
        child.expect_exact("Your turn")
        end = time.monotonic() + chance.uniform(0.0, 3.0)
        numbers = [*range(1, 16)]
        chance.shuffle(numbers)
        while time.monotonic() < end:
            if numbers:
                child.send(f"{numbers.pop()}\r")
            pause = time.monotonic() + chance.uniform(0.02, 0.4)
            while time.monotonic() < min(pause, end):
                with suppress(pexpect.TIMEOUT, pexpect.EOF):
                    seen += child.read_nonblocking(65536, timeout=0.02)
    finally:
        child.kill(signal.SIGKILL)
        with suppress(pexpect.TIMEOUT, pexpect.EOF):
            while True:
                seen += child.read_nonblocking(65536, timeout=0.2)
        child.close(force=True)
    return compared(seen, SavedGames(folder / "duels" / "matches"))


def compared(seen: str, store: SavedGames) -> tuple[int, int]:
    """Return how many moves the screen has shown, and how many of them are not saved."""
    shown = {tuple(map(int, move.split())) for move in SHOWN.findall(seen)}
    saved = saved_games(store)
    known = {
        numbers_of(move) for match in (*saved.unfinished, *saved.finished) for move in match.moves
    }
    assert not saved.damaged, saved.damaged
    return len(shown), len(shown - known)
