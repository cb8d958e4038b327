"""Small parts that several screens share: the key bar, a question, a text, the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, Static

from duels.core.game import HOW_TO_WIN, Game

if TYPE_CHECKING:
    from duels.terminal.app.main import DuelsApp

T = TypeVar("T")
Key = tuple[str, str, str]
"""What is pressed, what it does, and the name of the action."""


MOST_LINES = 3
"""Lines of a key bar."""
LOW = 14
"""Rows of a window below which a key bar has one line."""


class AppScreen(Screen[T]):
    """A screen of this app."""

    @property
    def duels(self) -> DuelsApp:
        from duels.terminal.app.main import DuelsApp

        app = self.app
        assert isinstance(app, DuelsApp)
        return app


class KeyBar(Static):
    """The keys that work now; each can be clicked."""

    def __init__(self) -> None:
        super().__init__(markup=True)
        self._keys: Sequence[Key] = ()

    def show(self, keys: Sequence[Key]) -> None:
        """Show these keys, the most important first, in as many lines as there is room for."""
        if keys != self._keys:
            self._keys = keys
            self._write()

    def on_resize(self) -> None:
        self._write()

    def _write(self) -> None:
        room, used, lines, parts = max(self.app.size.width - 2, 20), 0, 1, []
        most = 1 if self.app.size.height < LOW else MOST_LINES
        for key, words, action in self._keys:
            width = len(key) + 1 + len(words)
            if used and used + 2 + width > room:
                if lines == most:
                    break
                lines, used = lines + 1, 0
                parts.append("\n")
            elif used:
                parts.append("  ")
                used += 2
            used += width
            parts.append(f"[@click=screen.{action}][b]{key}[/b] {words}[/]")
        self.update("".join(parts))


class Dialog(ModalScreen[T]):
    """A question over the screen."""

    BINDINGS = [Binding("escape", "dismiss(None)", show=False)]  # noqa: RUF012


class Confirm(Dialog[bool]):
    """A question to answer with yes or no."""

    BINDINGS = [  # noqa: RUF012
        Binding("y,enter", "dismiss(True)", show=False),
        Binding("n", "dismiss(False)", show=False),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self.question = question

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self.question, markup=False)
            yield Static(
                "\n[@click=screen.dismiss(True)][b]y[/b] yes[/]   "
                "[@click=screen.dismiss(False)][b]n[/b] no[/]"
            )


class Ask(Dialog[str]):
    """A question to answer with a line of text."""

    def __init__(self, question: str, value: str = "") -> None:
        super().__init__()
        self.question, self.value = question, value

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self.question, markup=False)
            yield Input(self.value, select_on_focus=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value)


class RulesScreen(AppScreen[None]):
    """The rules of a game."""

    BINDINGS = [Binding("escape,q,enter", "dismiss", show=False)]  # noqa: RUF012

    def __init__(self, kind: type[Game]) -> None:
        super().__init__()
        self.kind = kind

    def compose(self) -> ComposeResult:
        from textual.widgets import Markdown  # a tenth of a second, which the first screen saves

        yield Static(f"{self.kind.title}: the rules", classes="title", markup=False)
        with VerticalScroll():
            yield Markdown(self.kind.rules_text().partition(HOW_TO_WIN)[0], open_links=False)
        yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()
        self.query_one(KeyBar).show([("Esc", "back", "dismiss"), ("↑↓", "scroll", "scroll_down")])


class Typed(Static):
    """What the player is typing: a move in digits. Enter takes it, Escape clears it."""

    text = ""

    def __init__(self, prompt: str = "Your move: ") -> None:
        super().__init__(id="typed", markup=False)
        self.prompt = prompt

    def take(self, event: events.Key, more: str = "") -> bool:
        """Use a key that belongs to a typed text; return whether it did."""
        char = event.character or ""
        if event.key == "backspace" and self.text:
            self.set(self.text[:-1])
        elif event.key == "escape" and self.text:
            self.set("")
        elif len(char) == 1 and (char.isdigit() or (self.text and char in f"- ,{more}")):
            self.set(self.text + char)
        else:
            return False
        event.stop()
        event.prevent_default()
        return True

    def set(self, text: str) -> None:
        self.text = text[:40]
        self.update(f"{self.prompt}{self.text}▏" if text else "")


def key_of(items: Sequence[Any], index: int) -> Any:
    """Return an item by a place that may run past the ends."""
    return items[index % len(items)]
