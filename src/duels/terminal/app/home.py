"""The home screen: Enter plays; game, board, opponent and the rest are one line each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static

from duels.core.board import describe
from duels.core.errors import DuelsError
from duels.core.options import RULE_BOOK, Option
from duels.core.words import capital
from duels.games import all_games
from duels.terminal.app.board import BoardView
from duels.terminal.app.widgets import AppScreen, Ask, Key, KeyBar, RulesScreen, after
from duels.terminal.choices import FIRST, FRIEND, Choices, opponents
from duels.terminal.records import saved_games
from duels.terminal.words import duration, first_fitting, fitted

CLOCKS = ("", "10", "30", "60", "120", "300")
GAMES = (1, 2, 3, 4, 6, 10)
ROWS = 44
"""Columns of the rows beside the preview."""
LABEL = 14
"""Characters of a label; an option with a longer one is called by its name."""
LONG = 18
"""Characters of a value that may not fit its row."""
WIDE = 76
"""Columns from which on there is room for the preview."""


class Row(NamedTuple):
    """One choice of the home screen."""

    label: str
    shown: str
    """The value in words."""
    value: Any
    use: Callable[[Any], None]
    """Take another value; DuelsError if it cannot be used."""
    values: Sequence[Any] = ()
    """What the arrow keys step through. If empty, numbers change by one; other values are typed."""
    question: str = ""
    """How to ask for a value; without it Enter plays."""
    about: str = ""
    """A sentence about it."""
    shorter: Sequence[str] = ()
    """The value in fewer words, for where there is little room."""

    @property
    def is_number(self) -> bool:
        """Whether typed digits change it."""
        return isinstance(self.value, int) and not self.values


class HomeScreen(AppScreen[None]):
    """The home screen: the next game, its opponent, and the way to all other screens."""

    AUTO_FOCUS = ""

    def __init__(self) -> None:
        super().__init__()
        self.kinds = [*all_games().values()]
        self._at = 0
        self._typed = ""
        self._said = ""
        """What was said last; the next key or click removes it."""
        self._was_left = False
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
        self._at = self._chosen

    def on_screen_suspend(self) -> None:
        self._was_left = True

    def on_screen_resume(self) -> None:
        if self._was_left:
            self.settle()
        self._unfinished = len(saved_games(self.duels.store).unfinished)
        self.kinds = [*all_games().values()]
        if self._at < len(self.kinds):
            self._at = self._chosen
        self._show()

    def on_resize(self) -> None:
        self._show()

    # Rows

    def _rows(self) -> list[Row]:
        """The choices below the games."""
        choices, kind = self.choices, self.choices.kind
        rows = []
        if len(setups := kind.all_setups()) > 1:
            short = f"set-up: {choices.setup.name}" if choices.setup else "your own"
            label, use = choices.board_label, choices.use_setup
            rows.append(Row("Board", label, choices.setup, use, setups, shorter=[short]))
        rows += [self._option_row(name, option) for name, option in kind.fields.items()]
        rows.append(
            Row(
                "Opponent",
                choices.opponent_label,
                choices.opponent,
                partial(setattr, choices, "opponent"),
                [*opponents()],
                about=f"You play against {choices.opponent_words}.",
                shorter=[choices.opponent_label.removeprefix("computer, ")],
            )
        )
        if choices.opponent == FRIEND:
            rows.append(self._name_row("Their name", "friend"))
        rows.append(self._name_row("Your name", "name"))
        who, use_first = choices.starters[choices.first], partial(setattr, choices, "first")
        rows.append(Row("First move", who, choices.first, use_first, FIRST))
        limit, games = choices.time_limit, choices.games_in_duel
        rows.append(
            Row(
                "Clock",
                f"{duration(float(limit))} per turn" if limit else "no clock",
                limit,
                choices.use_time_limit,
                CLOCKS,
                "Seconds per turn (nothing for no clock):",
                "Run out of time and you lose.",
            )
        )
        rows.append(
            Row(
                "Games",
                "1 game" if games == 1 else f"{games} games, sides swapped",
                games,
                choices.use_games,
                GAMES,
                "How many games, with sides swapped?",
                "The players swap sides after each game.",
                shorter=[f"{games} games"],
            )
        )
        return rows

    def _option_row(self, name: str, option: Option) -> Row:
        value, use = self.choices.option(name), partial(self.choices.use_option, name)
        label = option.label if len(option.label) <= LABEL else capital(name.replace("_", " "))
        if not option.choices:
            return Row(label, f"{value:,}", value, use)
        means = [f"  {word}: {meaning}" for word, meaning in option.choices.items()]
        question = "\n".join([f"{capital(option.words)}:", *means])
        chosen = str(value).split(",") if option.several else [str(value)]
        shown = " or ".join(option.choices[word] for word in chosen)
        values = () if option.several else [*option.choices]
        return Row(label, shown, value, use, values, question, shorter=[", ".join(chosen)])

    def _name_row(self, label: str, whose: str) -> Row:
        name = getattr(self.choices.person, whose)

        def use(text: str) -> None:
            self.choices.use_name(**{whose: text or name})

        return Row(label, name, name, use, question=f"{label}:")

    def _row(self) -> Row | None:
        rows, at = self._rows(), self._at - len(self.kinds)
        return rows[at] if 0 <= at < len(rows) else None

    # Changing

    def _change(self, by: int) -> None:
        """Change the value of a row by one place; of a game, its board."""
        row = self._row()
        if not row:
            setups = self.choices.kind.all_setups()
            self.choices.use_setup(after(setups, self.choices.setup, by))
        elif row.values:
            row.use(after(row.values, row.value, by))
        elif row.is_number:
            self.duels.attempt(lambda: row.use(row.value + by), self.say)
        else:
            self._ask(row)
        self._show()

    def _ask(self, row: Row) -> None:
        def answered(text: str | None) -> None:
            if text is not None:
                self.duels.attempt(lambda: row.use(text.strip()), self.say)
                self._show()

        self.app.push_screen(Ask(row.question, str(row.value)), answered)

    def use_key(self, event: events.Key) -> bool:
        """Digits change a number, or choose a game by its place."""
        self._said = ""
        is_digit = (event.character or "").isdigit()
        if not is_digit and event.key != "backspace":
            self._typed = ""
            return super().use_key(event)
        row = self._row()
        if row and row.is_number:
            now = self._typed[:-1] if event.key == "backspace" else self._typed + event.key
            self._typed = now
            if now:
                self.duels.attempt(lambda: row.use(now), self.say)
        elif is_digit and 1 <= int(event.key) <= len(self.kinds):
            self._go_to(int(event.key) - 1)
        self._show()
        return True

    def _go(self, by: int) -> None:
        """Go up or down; from the rows to the games, to the one that is chosen."""
        at = (self._at + by) % (len(self.kinds) + len(self._rows()))
        self._go_to(self._chosen if at < len(self.kinds) <= self._at else at)
        self._show()

    def _switch(self) -> None:
        """Go from the games to the rows without passing other games, or back."""
        self._go_to(len(self.kinds) if self._at < len(self.kinds) else self._chosen)
        self._show()

    @property
    def _chosen(self) -> int:
        """The place of the game that is chosen."""
        return self.kinds.index(self.choices.kind)

    def _go_to(self, at: int) -> None:
        self._at = at
        if at < len(self.kinds) and self.choices.kind is not self.kinds[at]:
            self.choices.of(self.kinds[at])

    def on_click(self, event: events.Click) -> None:
        """Choose a line; a second click on a game plays it."""
        widget = self.query_one("#rows")
        if not widget.region.contains(event.screen_x, event.screen_y):
            return
        self._said = ""
        line = event.screen_y - widget.content_region.y + self._top
        gap = line - len(self.kinds)
        at = line if gap < 0 else line - 1
        if gap == 0 or at >= len(self.kinds) + len(self._rows()):
            return
        if at != self._at:
            self._go_to(at)
        elif at < len(self.kinds):
            self._enter()
        else:
            self._change(1)
        self._show()

    # Actions

    def keys(self) -> list[Key]:
        row, choices, mistakes = self._row(), self.choices, self.duels.mistakes
        is_wide = self.size.width >= WIDE
        is_book = choices.setup and choices.setup.is_rule_book
        resume = f"resume ({self._unfinished})" if self._unfinished else ""
        again = f"mistakes ({len(mistakes)})" if mistakes else ""
        arrows = [("up", self._go, -1), ("down", self._go, 1)]
        arrows += [("left", self._change, -1), ("right", self._change, 1)]
        return [
            Key("Enter", "change" if row and row.question else "play", self._enter),
            Key("↑↓", "choose" if is_wide else "", partial(self._go, 1)),
            Key("←→", "change" if is_wide else "", partial(self._change, 1)),
            *(Key(label, "", partial(do, by)) for label, do, by in arrows),
            Key("Tab", ("games" if row else "options") if is_wide else "", self._switch),
            Key("b", "" if is_book else choices.usual_board, self._use_rule_book),
            Key("r", resume, partial(self._open, "lists", "UnfinishedScreen")),
            Key("p", "today's puzzle", partial(self._open, "learn", "PuzzleScreen")),
            Key("l", "lesson" if choices.kind.has_lesson() else "", self._open_lesson),
            Key("m", again, partial(self._open, "lists", "MistakesScreen")),
            Key("v", "finished", partial(self._open, "lists", "FinishedScreen")),
            Key("?", "rules", lambda: self.app.push_screen(RulesScreen(choices.kind))),
            Key("q", "quit", self.app.exit),
            Key("F2", "light/dark", self.duels.action_toggle_theme),
        ]

    def _enter(self) -> None:
        row = self._row()
        if row and row.question:
            self._ask(row)
        else:
            self.duels.attempt(self._play, self.say)

    def _play(self) -> None:
        from duels.terminal.app.game import GameScreen
        from duels.terminal.table import Table

        match, said = self.choices.match()
        self.app.push_screen(GameScreen(Table(match, self.duels.store, self.duels.warn), said))

    def _use_rule_book(self) -> None:
        """Take the rule book's own board."""
        self.choices.use_setup(self.choices.kind.setup(RULE_BOOK))
        self._show()

    def _open(self, module: str, name: str) -> None:
        """Open a screen whose module is imported only now: the first screen must not wait."""
        screen = getattr(import_module(f"duels.terminal.app.{module}"), name)
        self.app.push_screen(screen())

    def _open_lesson(self) -> None:
        from duels.terminal.app.learn import open_lesson

        open_lesson(self.duels, self.choices.kind)

    # Showing

    def say(self, *sentences: str) -> None:
        """Show these sentences in place of those about the chosen row, until the next key."""
        self._said = " ".join(sentences)
        self._show()

    def _show(self) -> None:
        if not self.is_mounted:
            return
        is_wide = self.size.width >= WIDE
        self.query_one("#preview").display = is_wide
        self.query_one("#rows").styles.width = ROWS if is_wide else "1fr"
        self.write("about", self._about())
        self._show_rows()
        self.call_after_refresh(self._show_rows)  # now there may be less room for them
        self._show_preview()
        self.show_keys()

    def _show_rows(self) -> None:
        rows, is_wide = self._rows(), self.size.width >= WIDE
        room = (ROWS if is_wide else self.size.width) - 4
        label = min(max(len(row.label) for row in rows) + is_wide, max(room // 2, 24))
        lines = [
            self._line(at, f"{at + 1}  {kind.title}", room) for at, kind in enumerate(self.kinds)
        ]
        lines.append(Text())
        for at, row in enumerate(rows, start=len(self.kinds)):
            around = "‹ {} ›" if at == self._at else "{}"
            texts = [around.format(text) for text in (row.shown, *row.shorter)]
            value = first_fitting(room - label - 1, *texts)
            lines.append(self._line(at, f"{row.label[:label]:{label}} {value}", room))
        height = self.query_one("#rows").size.height or len(lines)
        line = self._at + (self._at >= len(self.kinds))
        self._top = max(0, min(line - height // 2, len(lines) - height))
        self.write("rows", Text("\n").join(lines[self._top :]))

    def _line(self, at: int, line: str, room: int) -> Text:
        game = self.kinds[at] if at < len(self.kinds) else None
        style = "reverse bold" if at == self._at else "bold" if game is self.choices.kind else ""
        return Text(f" {fitted(line, room)} ", style=style)

    def _about(self) -> str:
        """What was said last, or else a sentence about the chosen row."""
        row, choices = self._row(), self.choices
        if self._said:
            return self._said
        if row and row.about:
            return row.about
        if row and len(row.shown) > LONG:
            return f"{row.label}: {row.shown}."
        if self.size.width < WIDE and not row:
            return choices.kind.summary
        return f"{choices.kind.summary} {choices.board_words}"

    def _show_preview(self) -> None:
        view = self.query_one(BoardView)
        try:
            board = describe(self.choices.game.start())
        except DuelsError:
            return
        if board != view.board:
            view.show(board, playable=False)
