"""The home screen: Enter plays; game, board, opponent and the rest are one line each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.widgets import Static

from duels.core.board import describe
from duels.core.errors import DuelsError
from duels.core.options import Option, OptionValue
from duels.games import all_games
from duels.match.match import read_matches, read_time_limit
from duels.terminal.app.board import BoardView
from duels.terminal.app.widgets import AppScreen, Ask, KeyBar, RulesScreen, after
from duels.terminal.choices import FIRST, FRIEND, Choices, opponents
from duels.terminal.records import saved_games
from duels.terminal.words import duration, fitted

CLOCKS = ("", "10", "30", "60", "120", "300")
GAMES = (1, 2, 3, 4, 6, 10)
OPPONENT_LABEL, CLOCK_LABEL, GAMES_LABEL = "Opponent", "Clock", "Games"
PREVIEW = 34
LONG = 18
"""Characters of a value that may not fit its row."""
WIDE = 76
"""Columns from which on there is room for the preview."""


class Row(NamedTuple):
    """One line of the home screen."""

    label: str
    value: str
    step: Callable[[int], None]
    """Change the value by one place to the left or to the right."""
    edit: Callable[[], None] | None = None
    """Ask for a value; without it Enter plays."""
    typed: str = ""
    """The option that typed digits change."""


class HomeScreen(AppScreen[None]):
    """What to play, against whom, and everything else there is."""

    AUTO_FOCUS = ""
    BINDINGS = [  # noqa: RUF012
        Binding("up", "go(-1)", show=False),
        Binding("down", "go(1)", show=False),
        Binding("left", "change(-1)", show=False),
        Binding("right", "change(1)", show=False),
        Binding("enter", "play", show=False),
        Binding("b", "book", show=False),
        Binding("p", "puzzle", show=False),
        Binding("l", "lesson", show=False),
        Binding("r", "resume", show=False),
        Binding("v", "finished", show=False),
        Binding("m", "mistakes", show=False),
        Binding("question_mark", "rules", show=False),
        Binding("q", "app.quit", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.kinds = [*all_games().values()]
        self._at = 0
        self._typed = ""
        self._unfinished = 0
        self._top = 0  # lines that are scrolled out of view

    @property
    def choices(self) -> Choices:
        return self.duels.choices

    def compose(self) -> ComposeResult:
        yield Static("Number Duels", classes="title")
        with Horizontal(id="main"):
            yield Static(id="rows", markup=False)
            with Horizontal(id="preview"):
                yield BoardView(id="board", can_focus=False)
        yield Static(id="about", classes="note", markup=False)
        yield KeyBar()

    def on_mount(self) -> None:
        self._at = self.kinds.index(self.choices.kind)

    def on_screen_resume(self) -> None:
        self._unfinished = len(saved_games(self.duels.store).unfinished)
        self.kinds = [*all_games().values()]
        if self._at < len(self.kinds):
            self._at = self.kinds.index(self.choices.kind)
        self._show()

    def on_resize(self) -> None:
        self._show()

    # Rows

    def _rows(self) -> list[Row]:
        """The choices below the games."""
        choices = self.choices
        rows = []
        if len(choices.kind.all_setups()) > 1:
            rows.append(Row("Board", choices.board_label, self._step_setup))
        for name, option in choices.kind.fields.items():
            value = choices.option(name)
            shown = _in_words(option, value)
            step = partial(self._step_option, name)
            edit = partial(self._edit_option, name)
            rows.append(Row(option.label, shown, step, edit, "" if option.choices else name))
        rows.append(Row(OPPONENT_LABEL, choices.opponent_label, self._step_opponent))
        if choices.opponent == FRIEND:
            rows.append(self._name_row("Their name", "friend"))
        rows.append(self._name_row("Your name", "name"))
        rows.append(Row("First move", choices.starters[choices.first], self._step_first))
        limit = choices.time_limit
        clock = f"{duration(float(limit))} per turn" if limit else "no clock"
        rows.append(Row(CLOCK_LABEL, clock, self._step_clock, self._edit_clock))
        games = choices.games_in_duel
        words = "1 game" if games == 1 else f"{games} games, sides swapped"
        rows.append(Row(GAMES_LABEL, words, self._step_games, self._edit_games))
        return rows

    def _name_row(self, label: str, whose: str) -> Row:
        edit = partial(self._edit_name, label, whose)
        return Row(label, getattr(self.choices.person, whose), lambda _: edit(), edit)

    def _row(self) -> Row | None:
        rows, at = self._rows(), self._at - len(self.kinds)
        return rows[at] if 0 <= at < len(rows) else None

    # Changing a row

    def _step_setup(self, by: int) -> None:
        setups = self.choices.kind.all_setups()
        self.choices.use_setup(after(setups, self.choices.setup, by))

    def _step_option(self, name: str, by: int) -> None:
        option, value = self.choices.kind.fields[name], self.choices.option(name)
        if option.several:
            self._edit_option(name)
        elif option.choices:
            self.choices.use_option(name, after([*option.choices], str(value), by))
        else:
            self.choices.use_option(name, int(value) + by)

    def _edit_option(self, name: str) -> None:
        option = self.choices.kind.fields[name]
        words = [f"{option.words[:1].upper()}{option.words[1:]}:"]
        words += [f"  {word}: {means}" for word, means in option.choices.items()]
        self._ask(
            "\n".join(words),
            str(self.choices.option(name)),
            lambda text: self.choices.use_option(name, text),
        )

    def _step_opponent(self, by: int) -> None:
        self.choices.opponent = after([*opponents()], self.choices.opponent, by)

    def _step_first(self, by: int) -> None:
        self.choices.first = after(FIRST, self.choices.first, by)

    def _step_clock(self, by: int) -> None:
        self.choices.time_limit = after(CLOCKS, self.choices.time_limit, by)

    def _edit_clock(self) -> None:
        def change(text: str) -> None:
            read_time_limit(text or None)
            self.choices.time_limit = text

        self._ask("Seconds per turn (nothing for no clock):", self.choices.time_limit, change)

    def _step_games(self, by: int) -> None:
        self.choices.matches = after(GAMES, self.choices.games_in_duel, by)

    def _edit_games(self) -> None:
        def change(text: str) -> None:
            self.choices.matches = read_matches(text)

        self._ask("How many games, with sides swapped?", str(self.choices.games_in_duel), change)

    def _edit_name(self, label: str, whose: str) -> None:
        now = getattr(self.choices.person, whose)
        self._ask(f"{label}:", now, lambda text: self.choices.use_name(**{whose: text or now}))

    def _ask(self, question: str, value: str, change: Callable[[str], None]) -> None:
        def answered(text: str | None) -> None:
            if text is not None:
                self.duels.attempt(lambda: change(text.strip()))
                self._show()

        self.app.push_screen(Ask(question, value), answered)

    # Keys

    def on_key(self, event: events.Key) -> None:
        """Digits change a number, or choose a game by its place."""
        if not (event.character or "").isdigit() and event.key != "backspace":
            self._typed = ""
            return
        row = self._row()
        if row and row.typed:
            now = self._typed[:-1] if event.key == "backspace" else self._typed + event.key
            self._typed = now
            if now:
                name = row.typed
                self.duels.attempt(lambda: self.choices.use_option(name, now))
        elif event.key.isdigit() and 1 <= int(event.key) <= len(self.kinds):
            self._choose_game(int(event.key) - 1)
        event.stop()
        self._show()

    def action_go(self, by: int) -> None:
        rows = len(self.kinds) + len(self._rows())
        self._at = (self._at + by) % rows
        if self._at < len(self.kinds):
            self._choose_game(self._at)
        self._show()

    def _choose_game(self, at: int) -> None:
        self._at = at
        if self.choices.kind is not self.kinds[at]:
            self.choices.of(self.kinds[at])

    def action_change(self, by: int) -> None:
        row = self._row()
        if row:
            self.duels.attempt(lambda: row.step(by))
        else:
            self._step_setup(by)
        self._show()

    def on_click(self, event: events.Click) -> None:
        """Choose a line; a second click on a game plays it."""
        widget = self.query_one("#rows")
        if not widget.region.contains(event.screen_x, event.screen_y):
            return
        line = event.screen_y - widget.content_region.y + self._top
        gap = line - len(self.kinds)
        at = line if gap < 0 else line - 1
        if gap == 0 or at >= len(self.kinds) + len(self._rows()):
            return
        if at == self._at:
            self.action_play() if at < len(self.kinds) else self.action_change(1)
        else:
            self._at = at
            if at < len(self.kinds):
                self._choose_game(at)
        self._show()

    def action_play(self) -> None:
        row = self._row()
        if row and row.edit and not row.typed:
            row.edit()
            return
        self._play()

    def action_book(self) -> None:
        """Take the rule book's own board."""
        self.choices.use_setup(self.choices.kind.all_setups()[-1])
        self._show()

    def _play(self) -> None:
        from duels.terminal.app.game import GameScreen
        from duels.terminal.table import Table

        def begin() -> None:
            match, said = self.choices.match()
            table = Table(match, self.duels.store, self.duels.warn)
            self.app.push_screen(GameScreen(table, said))

        self.duels.attempt(begin)

    def action_puzzle(self) -> None:
        from duels.terminal.app.puzzle import PuzzleScreen

        self.app.push_screen(PuzzleScreen())

    def action_lesson(self) -> None:
        from duels.terminal.app.lesson import open_lesson

        open_lesson(self.duels, self.choices.kind)

    def action_resume(self) -> None:
        from duels.terminal.app.lists import UnfinishedScreen

        self.app.push_screen(UnfinishedScreen())

    def action_finished(self) -> None:
        from duels.terminal.app.lists import FinishedScreen

        self.app.push_screen(FinishedScreen())

    def action_mistakes(self) -> None:
        from duels.terminal.app.lists import MistakesScreen

        self.app.push_screen(MistakesScreen())

    def action_rules(self) -> None:
        self.app.push_screen(RulesScreen(self.choices.kind))

    # Showing

    def _show(self) -> None:
        if not self.is_mounted:
            return
        self.query_one("#preview").display = self.size.width >= WIDE
        self.query_one("#about", Static).update(self._about())
        self._show_rows()
        self.call_after_refresh(self._show_rows)  # now there may be less room for them
        self._show_preview()
        self._show_keys()

    def _show_rows(self) -> None:
        rows, width = self._rows(), self.size.width
        room = (width - PREVIEW if width >= WIDE else width) - 3
        label = min(max(len(row.label) for row in rows) + 1, max(room // 2, 24))
        lines = [
            self._line(at, f"{at + 1}  {kind.title}", room) for at, kind in enumerate(self.kinds)
        ]
        lines.append(Text())
        for at, row in enumerate(rows, start=len(self.kinds)):
            value = f"‹ {row.value} ›" if at == self._at else row.value
            lines.append(self._line(at, f"{row.label[:label]:{label}} {value}", room))
        widget = self.query_one("#rows", Static)
        height, line = widget.size.height or len(lines), self._at + (self._at >= len(self.kinds))
        self._top = max(0, min(line - height // 2, len(lines) - height))
        widget.update(Text("\n").join(lines[self._top :]))

    def _line(self, at: int, line: str, room: int) -> Text:
        game = self.kinds[at] if at < len(self.kinds) else None
        style = "reverse bold" if at == self._at else "bold" if game is self.choices.kind else ""
        return Text(f" {fitted(line, room)} ", style=style)

    def _about(self) -> str:
        """A sentence about the chosen row."""
        row, choices = self._row(), self.choices
        if row and row.label == OPPONENT_LABEL:
            return f"You play against {choices.opponent_words}."
        if row and row.typed == "" and len(row.value) > LONG:
            return f"{row.label}: {row.value}."
        if row and row.label == GAMES_LABEL:
            return "The players swap sides after each game."
        if row and row.label == CLOCK_LABEL:
            return "Run out of time and you lose."
        if self.size.width < WIDE and not row:
            return choices.kind.summary
        return f"{choices.kind.summary} {choices.board_words}"

    def _show_preview(self) -> None:
        try:
            position = self.choices.game.start()
            board = describe(position)
        except DuelsError:
            return
        self.query_one(BoardView).show(board, playable=False)

    def _show_keys(self) -> None:
        row = self._row()
        enter = "change" if row and row.edit and not row.typed else "play"
        keys = [("Enter", enter, "play")]
        if self.size.width >= WIDE:
            keys += [("↑↓", "choose", "go(1)"), ("←→", "change", "change(1)")]
        if self.choices.setup is None or not self.choices.setup.is_rule_book:
            keys.append(("b", "rule book", "book"))
        if self._unfinished:
            keys.append(("r", f"resume ({self._unfinished})", "resume"))
        keys.append(("p", "today's puzzle", "puzzle"))
        if self.choices.kind.has_lesson():
            keys.append(("l", "lesson", "lesson"))
        if self.duels.mistakes:
            keys.append(("m", f"mistakes ({len(self.duels.mistakes)})", "mistakes"))
        keys += [("v", "finished", "finished"), ("?", "rules", "rules")]
        keys += [("q", "quit", "leave"), ("F2", "light/dark", "theme")]
        self.query_one(KeyBar).show(keys)

    def action_theme(self) -> None:
        self.duels.action_toggle_theme()

    def action_leave(self) -> None:
        self.app.exit()


def _in_words(option: Option, value: OptionValue) -> str:
    if not option.choices:
        return f"{value:,}" if isinstance(value, int) else str(value)
    words = str(value).split(",") if option.several else [str(value)]
    return " or ".join(option.choices[word] for word in words)
