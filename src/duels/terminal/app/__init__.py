"""The app: a board that stays in place, with a cursor, a mouse and a key bar (Textual).

This module is the app itself: themes, common keys, signals, and what belongs to an evening.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from textual import events
from textual.app import App
from textual.binding import Binding
from textual.screen import Screen

from duels.games.added import troubles
from duels.match.match import Match
from duels.match.saved_games import Notebook, SavedGames
from duels.terminal.app.canvas import DARK, LIGHT, THEMES
from duels.terminal.app.widgets import AppScreen, sentence_of
from duels.terminal.choices import Choices

KILLED = 128
"""Added to the number of a signal, it is the exit code of a program that a signal ended."""
SUBJECT = "app"


class Mistake(NamedTuple):
    """A move of this evening that gave a win away."""

    match: Match
    number: int
    time: datetime


class DuelsApp(App[None]):
    """Number Duels on the whole screen."""

    TITLE = "Number Duels"
    ENABLE_COMMAND_PALETTE = False
    CSS_PATH = "app.tcss"
    BINDINGS = [  # noqa: RUF012
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
        Binding("f2", "toggle_theme", show=False),
    ]

    def __init__(self, store: SavedGames) -> None:
        super().__init__(ansi_color=bool(os.environ.get("NO_COLOR")))
        self.store = store
        self.folder = store.folder.parent
        self.choices = Choices.remembered(self.folder)
        self.mistakes: list[Mistake] = []
        self.farewell = ""
        """What is printed after the app has closed: how to resume a game."""
        for theme in THEMES:
            self.register_theme(theme)
        if not os.environ.get("NO_COLOR"):
            self.theme = self._remembered_theme()

    def _remembered_theme(self) -> str:
        """The theme of last time, else what the terminal says about its background."""
        wanted = os.environ.get("DUELS_THEME") or Notebook(SUBJECT, self.folder).read().get("theme")
        if wanted in ("light", "dark"):
            return LIGHT if wanted == "light" else DARK
        background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
        return LIGHT if background in ("7", "15") else DARK

    def action_toggle_theme(self) -> None:
        """Change between light and dark, and remember it."""
        self.theme = LIGHT if self.theme == DARK else DARK
        with suppress(OSError):  # otherwise it is chosen again next time
            Notebook(SUBJECT, self.folder).note(theme="light" if self.theme == LIGHT else "dark")
        for screen in self.screen_stack:
            screen.refresh(layout=True)

    def get_default_screen(self) -> Screen[None]:
        from duels.terminal.app.home import HomeScreen

        return HomeScreen()

    def on_mount(self) -> None:
        if threading.current_thread() is threading.main_thread():
            for name in ("SIGTERM", "SIGHUP", "SIGINT"):
                if hasattr(signal, name):
                    signal.signal(getattr(signal, name), self._stop)
        self.call_after_refresh(_collect_garbage_from_now_on)
        for trouble in troubles:
            self.warn(trouble)

    def _stop(self, number: int, _frame: object) -> None:
        """Leave the terminal clean after a signal."""
        self.call_later(self.exit, return_code=KILLED + number)

    def action_interrupt(self) -> None:
        self.exit(return_code=KILLED + signal.SIGINT)

    def on_key(self, event: events.Key) -> None:
        """Let the screen use a key before any widget does."""
        if isinstance(self.screen, AppScreen) and self.screen.take_key(event):
            event.prevent_default()

    def warn(self, sentence: str) -> None:
        """Show a message about the program for a while."""
        self.notify(sentence.removeprefix("Warning: "), severity="warning", timeout=8)

    def attempt(self, action: Callable[[], None], say: Callable[[str], None] | None = None) -> bool:
        """Do something; show the sentence of an error instead of failing."""
        try:
            action()
        except Exception as error:
            (say or self.warn)(sentence_of(error))
            return False
        return True

    def on_app_focus(self, event: events.AppFocus) -> None:
        event.stop()


def _collect_garbage_from_now_on() -> None:
    """What the first screen needed stays; looking through it again and again would take time."""
    gc.freeze()
    gc.enable()


def run_app(store: SavedGames) -> int:
    """Run the app and return the exit code."""
    app = DuelsApp(store)
    app.run()
    if app.farewell:
        print(app.farewell)
    return app.return_code or 0
