"""The lesson screen: a text, a board, a question, a response at once; at the end a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, VerticalScroll
from textual.widgets import Input, Static

from duels.coach.lessons import TRIES, Lesson, Step, answer, lesson_match
from duels.coach.questions import winner
from duels.core.board import describe
from duels.core.errors import DuelsError
from duels.core.game import Game
from duels.core.look import MARKS
from duels.match.match import DEFAULT_NAMES
from duels.terminal.app.board import BoardView
from duels.terminal.app.widgets import AppScreen, Key, KeyBar
from duels.terminal.lesson import StepsDone, find_lesson
from duels.terminal.table import Table
from duels.terminal.words import first_fitting

if TYPE_CHECKING:
    from duels.terminal.app import DuelsApp


def open_lesson(app: DuelsApp, kind: type[Game]) -> None:
    """Open the lesson of a game where the player left it."""

    def show() -> None:
        app.push_screen(LessonScreen(find_lesson(kind), StepsDone(app.folder)))

    app.attempt(show)


class LessonScreen(AppScreen[None]):
    """One lesson, step by step."""

    BINDINGS = [  # noqa: RUF012
        Binding("f1", "hint", show=False),
        Binding("pageup", "back", show=False),
        Binding("escape", "dismiss", show=False),
    ]

    def __init__(self, lesson: Lesson, done: StepsDone) -> None:
        super().__init__()
        self.lesson, self.done = lesson, done
        self._at = done.of(lesson) % len(lesson.steps)
        self._wrong = 0
        self._answered = False

    @property
    def step(self) -> Step:
        return self.lesson.steps[self._at]

    def compose(self) -> ComposeResult:
        yield Static(id="title", classes="title", markup=False)
        with VerticalScroll(id="text"):
            yield Static(id="words", markup=False)
        with Container(id="main"):
            yield BoardView(id="board")
        yield Static(id="status", classes="status", markup=False)
        yield Input(id="answer")
        yield Static(id="note", classes="note", markup=False)
        yield KeyBar()

    def on_mount(self) -> None:
        self._show()

    def _show(self) -> None:
        step, steps = self.step, self.lesson.steps
        self._wrong, self._answered = 0, False
        number = f"{self._at + 1} of {len(steps)}: {step.title}"
        whole = f"{self.lesson.game.title}, step {number}"
        self.query_one("#title", Static).update(
            first_fitting(self.size.width - 2, whole, f"Step {number}")
        )
        self.query_one("#words", Static).update("\n".join(step.text))
        board, field = self.query_one(BoardView), self.query_one(Input)
        field.value = ""
        shows = step.is_game or step.asks.shows_moves
        takes_move = not step.is_game and step.asks.is_move
        board.can_focus = takes_move
        board.show(describe(step.position), playable=takes_move, shows_moves=shows)
        field.display = not step.is_game
        mark = MARKS[winner(step.position) if step.is_game else step.position.to_move]
        whose = f"You are {mark}. " if step.is_game or step.position.moves else ""
        what = "Press Enter to begin the game." if step.is_game else step.full_question
        self.query_one("#status", Static).update(f"{whose}{what}")
        self._say("")
        self._show_keys()
        if step.is_game:
            self.set_focus(None)
        else:
            field.placeholder = "Type your answer" + (", or click the board" * takes_move)
            field.focus()

    def _show_keys(self) -> None:
        if self._answered:
            keys: list[Key] = [("Enter", "next step", "next")]
        elif self.step.is_game:
            keys = [("Enter", "begin the game", "next")]
        else:
            keys = [("Enter", "answer", "submit"), ("F1", "hint", "hint")]
        keys += [("PgUp", "step back", "back"), ("Esc", "home", "dismiss")]
        self.query_one(KeyBar).show(keys)

    def _say(self, *lines: str) -> None:
        text = "\n".join(filter(None, lines))
        note = self.query_one("#note", Static)
        note.update(text)
        note.display = bool(text)

    def on_key(self, event: events.Key) -> None:
        """Without a field to type in, Enter is the next step, and nothing more."""
        if event.key == "enter" and self.step.is_game:
            event.stop()
            event.prevent_default()
            self.action_next()

    def action_submit(self) -> None:
        self._answer(self.query_one(Input).value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if self._answered:
            self.action_next()
        elif event.value.strip():
            self._answer(event.value)

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        if self._answered:
            self.action_next()
        else:
            self._answer(self.step.position.game.format(event.move))

    def on_board_view_refused(self, event: BoardView.Refused) -> None:
        if event.cell.move is not None and not self._answered:
            self._answer(self.step.position.game.format(event.cell.move))

    def _answer(self, typed: str) -> None:
        if self.step.is_game or self._answered:
            return
        try:
            reply = answer(self.step, typed, self._wrong)
        except DuelsError as error:
            self._say(str(error))
            self.query_one(Input).value = ""
            return
        self._say(*reply.lines)
        self._wrong += not reply.is_right
        if reply.is_right or self._wrong >= TRIES:
            self._answered = True
            self.done.note(self.lesson, self._at + 1, self.duels.warn)
        self.query_one(Input).value = ""
        self._show_keys()

    def action_hint(self) -> None:
        self._say(self.step.hint or "There is no hint for this step.")

    def action_back(self) -> None:
        self._at = max(self._at - 1, 0)
        self._show()

    def action_next(self) -> None:
        if self.step.is_game:
            self._play()
        else:
            self._at += 1
            self._show()

    def _play(self) -> None:
        from duels.terminal.app.game import GameScreen

        person = self.duels.choices.person.name
        name = person if person not in DEFAULT_NAMES else ""
        table = Table(lesson_match(self.step, name), self.duels.store, self.duels.warn)

        def played(_: object) -> None:
            outcome = table.match.outcome
            if outcome and not table.match.computer(outcome.winner):
                self.done.note(self.lesson, len(self.lesson.steps), self.duels.warn)
                self.query_one("#status", Static).update("You have finished this lesson.")
                self._say(self.step.right)
            elif outcome:
                self._say(self.step.otherwise)

        self.app.push_screen(GameScreen(table), played)
