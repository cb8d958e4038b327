"""Small parts that several screens share: the key bar, a question, a text, the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from rich.text import Text
from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, Static

from duels.core.board import Board, Cell, describe
from duels.core.errors import DuelsError
from duels.core.game import Game
from duels.core.words import MATHEMATICS, STRATEGY, rules_without
from duels.games.added import fault_of_a_game
from duels.match.match import ENDINGS, Match
from duels.terminal.app.board import BoardView
from duels.terminal.words import called

if TYPE_CHECKING:
    from duels.terminal.app import DuelsApp

T = TypeVar("T")
R = TypeVar("R")
NAMES = {"?": "question_mark", "Esc": "escape", "PgUp": "pageup", "PgDn": "pagedown"}
"""Textual's names for keys that the key bar labels differently."""
MOST_LINES = 4
"""Lines of a key bar."""
LOW = 14
"""In a window with fewer rows than this a key bar has one line."""
SETTLING = 0.6
"""Seconds in which Enter, typed too early, does nothing on a screen that has just changed."""


def marked_as(match: Match, player: int) -> int:
    """Return whose mark and colour a player gets: against a computer you are always player 1."""
    return 3 - player if match.person == 2 else player


def board_of(match: Match) -> Board:
    """Return the board of a match, with each player's mark as `marked_as` says."""
    board = describe(match.position)
    if match.person != 2:
        return board

    def swapped(cell: Cell) -> Cell:
        return cell._replace(taken_by=3 - cell.taken_by) if cell.taken_by else cell

    board = board.with_cells(lambda _, cell: swapped(cell))
    return board._replace(headline=[swapped(cell) for cell in board.headline])


def what_to_find(match: Match, number: int) -> str:
    """Return what to say when a player tries a mistake again; "" if it was a computer's."""
    player, moves = 2 - number % 2, match.moves
    if match.computer(player):
        return ""
    what = f"played {match.game.in_words(moves[number - 1])}" if number <= len(moves) else ""
    if not what and match.ended:
        what = ENDINGS[match.ended.reason]
    return f"Move {number}: {called(match, player)} {what}. Find a move that wins."


def sentence_of(error: Exception) -> str:
    """Return what to tell the player about an error; raise it again if it is a fault of ours."""
    sentence = str(error) if isinstance(error, DuelsError) else fault_of_a_game(error)
    if not sentence:
        raise error
    return sentence


class Key(NamedTuple):
    """A key that works now, or several for the same action."""

    label: str
    words: str
    """What it does; "" for a key that the key bar leaves out."""
    do: Callable[[], object]
    also: str = ""
    """Textual's names of other keys that do the same, separated by commas."""

    def is_pressed(self, name: str) -> bool:
        """Return whether `name` is Textual's name for this key."""
        own = NAMES.get(self.label, self.label.lower())
        return name in (own, *self.also.split(","))


class AppScreen(Screen[T]):
    """A screen of this app. `keys` declares its keys once, for the keyboard and the key bar."""

    _has_stray_letter = False  # whether a word was typed that is not a key here
    _changed_at = float("-inf")

    @property
    def duels(self) -> DuelsApp:
        from duels.terminal.app import DuelsApp

        app = self.app
        assert isinstance(app, DuelsApp)
        return app

    def keys(self) -> list[Key]:
        """Return the keys that work now, the most important first."""
        return []

    def show_keys(self) -> None:
        """Show the keys that work now."""
        self.query_one(KeyBar).show([key for key in self._keys_now() if key.words])

    def _keys_now(self) -> list[Key]:
        """Return the screen's keys, after the key that scrolls the note if it does not fit."""
        more = [Key("PgDn", "read on", note.read_on) for note in self.query(Note) if note.is_cut]
        return [*more, *self.keys()]

    @property
    def what_to_press(self) -> str:
        """What to say when a player types a word."""
        return "Press one of the keys below."

    def settle(self) -> None:
        """Ignore Enter for a moment: it may have been meant for what was here before."""
        self._changed_at = monotonic()

    def take_key(self, event: events.Key) -> bool:
        """Use a key, and say whether it does anything; Enter after a word plays nothing."""
        if event.key == "enter" and self._has_stray_letter:
            self._has_stray_letter = False
            self.say(self.what_to_press)
            return True
        if event.key == "enter" and monotonic() - self._changed_at < SETTLING:
            return True
        self._changed_at = float("-inf")
        is_used, is_letter = self.use_key(event), (event.character or "").isalpha()
        self._has_stray_letter = is_letter and (self._has_stray_letter or not is_used)
        return is_used

    def on_mouse_down(self) -> None:
        self._has_stray_letter = False

    def use_key(self, event: events.Key) -> bool:
        """Do what a key does here, and say whether it does anything."""
        pressed = next((key for key in self._keys_now() if key.is_pressed(event.key)), None)
        if pressed:
            pressed.do()
        return bool(pressed)

    def action_press(self, place: int) -> None:
        """Run the key that was clicked, given by its place in the key bar."""
        self.query_one(KeyBar).keys[place].do()

    def write(self, name: str, text: str | Text) -> None:
        """Write a text into a part of the screen, and redraw it only if the text has changed."""
        part = self.query_one(f"#{name}", Static)
        if part.content != text:
            part.update(text)

    def say(self, *sentences: str) -> None:
        """Replace the text of the note with these sentences; without a note, show them a while."""
        text = "\n".join(filter(None, sentences))
        if not self.query(Note):
            self.duels.warn(text)
            return
        self.write("note", text)
        note = self.query_one(Note)
        note.display = bool(text)
        note.scroll_home(animate=False)
        self.call_after_refresh(self.show_keys)  # when it is known whether the note fits

    @work(thread=True)
    def in_background(
        self, job: Callable[[], R], done: Callable[[R], None], failed: Callable[[str], None]
    ) -> None:
        """Do a job in a thread, then call `done` with its result or `failed` with a sentence."""
        try:
            result = job()
        except Exception as error:
            self.app.call_from_thread(self._if_open, failed, sentence_of(error))
        else:
            self.app.call_from_thread(self._if_open, done, result)

    def _if_open(self, call: Callable[[Any], None], value: Any) -> None:
        if self.is_attached:
            call(value)


class Note(VerticalScroll, can_focus=False):
    """The latest message; if it does not fit, a key scrolls it."""

    def compose(self) -> ComposeResult:
        yield Static(id="note", markup=False)

    @property
    def is_cut(self) -> bool:
        return self.display and self.max_scroll_y > 0

    def read_on(self) -> None:
        """Scroll down a page, or from the end back to the top."""
        if self.scroll_y < self.max_scroll_y:
            self.scroll_page_down(animate=False)
        else:
            self.scroll_home(animate=False)


class KeyBar(Static):
    """The keys that work now; each can be clicked."""

    def __init__(self) -> None:
        super().__init__(markup=True)
        self.keys: Sequence[Key] = ()

    def show(self, keys: Sequence[Key]) -> None:
        """Show these keys, the most important first, in as many lines as there is room for."""
        before, self.keys = self.keys, keys
        if [key[:2] for key in keys] != [key[:2] for key in before]:
            self._write()

    def on_resize(self) -> None:
        self._write()

    def _write(self) -> None:
        room, used, lines, parts = max(self.app.size.width - 2, 20), 0, 1, []
        most = 1 if self.app.size.height < LOW else MOST_LINES
        for place, (label, words, *_) in enumerate(self.keys):
            width = len(label) + 1 + len(words)
            if used and used + 2 + width > room:
                if lines == most:
                    break
                lines, used = lines + 1, 0
                parts.append("\n")
            elif used:
                parts.append("  ")
                used += 2
            used += width
            parts.append(f"[@click=screen.press({place})][b]{label}[/b] {words}[/]")
        if self.content != (text := "".join(parts)):
            self.update(text)


class Dialog(ModalScreen[T]):
    """A question over the screen."""

    BINDINGS = [Binding("escape", "dismiss(None)", show=False)]  # noqa: RUF012


class Confirm(Dialog[bool]):
    """A question to answer with y or n; Enter, which may end a typed word, is neither."""

    BINDINGS = [  # noqa: RUF012
        Binding("y", "dismiss(True)", show=False),
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

    def __init__(self, kind: type[Game]) -> None:
        super().__init__()
        self.kind = kind

    def compose(self) -> ComposeResult:
        from textual.widgets import Markdown  # takes a tenth of a second: not at start-up

        yield Static(f"{self.kind.title}: the rules", classes="title", markup=False)
        with VerticalScroll():
            rules = rules_without(self.kind.rules_text(), STRATEGY, MATHEMATICS)
            yield Markdown(rules, open_links=False)
        yield KeyBar()

    def keys(self) -> list[Key]:
        scroll = self.query_one(VerticalScroll).action_scroll_down
        return [Key("Esc", "back", self.dismiss, "q,enter"), Key("↑↓", "scroll", scroll)]

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()
        self.show_keys()


class BoardScreen(AppScreen[None]):
    """A screen with a board to play on: a title, a status line, a note, the keys.

    A move is chosen on the board or typed; either way `play` gets it as text.
    """

    is_over = False

    def compose(self) -> ComposeResult:
        yield Static(id="title", classes="title", markup=False)
        yield Static(id="status", classes="status", markup=False)
        yield Note()
        with Container(id="main"):
            yield BoardView(id="board")
            yield from self.compose_side()
        yield Typed()
        yield KeyBar()

    def compose_side(self) -> ComposeResult:
        """Yield what is beside the board."""
        yield from ()

    @property
    def game(self) -> Game:
        """The game on the board."""
        raise NotImplementedError

    @property
    def view(self) -> BoardView:
        return self.query_one(BoardView)

    def play(self, typed: str) -> None:
        """Take a move."""
        raise NotImplementedError

    @property
    def what_to_press(self) -> str:
        words = super().what_to_press
        return words if self.is_over else f"Type a number, or {words[0].lower()}{words[1:]}"

    def use_key(self, event: events.Key) -> bool:
        is_typed = not self.is_over and self.query_one(Typed).take(event)
        return is_typed or super().use_key(event)

    def enter(self) -> None:
        """Play what was typed, or else what the cursor is on."""
        if text := self.query_one(Typed).pop():
            self.play(text)
        else:
            self.view.choose()

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        self.query_one(Typed).pop()
        self.play(self.game.format(event.move))

    def on_board_view_refused(self, event: BoardView.Refused) -> None:
        if event.cell.move is not None:
            self.play(self.game.format(event.cell.move))  # the rules say why not

    def show_rules(self) -> None:
        self.app.push_screen(RulesScreen(type(self.game)))


class Typed(Static):
    """What the player is typing: a move in digits. Enter takes it, Escape clears it."""

    text = ""

    def __init__(self) -> None:
        super().__init__(id="typed", markup=False)

    def pop(self) -> str:
        """Return what was typed, and clear it."""
        text = self.text
        self.set("")
        return text

    def take(self, event: events.Key) -> bool:
        """Use a key if it belongs to a typed move, and say whether it does."""
        char = event.character or ""
        if event.key == "backspace" and self.text:
            self.set(self.text[:-1])
        elif event.key == "escape" and self.text:
            self.set("")
        elif len(char) == 1 and (char.isdigit() or (self.text and char in "- ,")):
            self.set(self.text + char)
        else:
            return False
        return True

    def set(self, text: str) -> None:
        self.text = text[:40]
        self.update(f"Your move: {self.text}▏" if text else "")


def after(items: Sequence[T], now: object, by: int) -> T:
    """Return the item `by` places after `now`, wrapping round; an end if `now` is unknown."""
    at = next((n for n, item in enumerate(items) if item == now), -1 if by > 0 else 0)
    return items[(at + by) % len(items)]
