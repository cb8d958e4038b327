"""The screens to learn on: lessons step by step, and puzzles whose wrong moves are refuted."""

from __future__ import annotations

from datetime import date
from random import SystemRandom
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.widgets import Input, Static

from duels.coach.daily import daily_puzzle
from duels.coach.lessons import TRIES, Lesson, Step, answer, give_up, lesson_match, winner
from duels.coach.puzzles import Puzzle, find_puzzle, question
from duels.core.board import describe, drawn
from duels.core.errors import DuelsError
from duels.core.game import Game, Position
from duels.core.look import MARKS
from duels.games import all_games
from duels.match.match import DEFAULT_NAMES
from duels.terminal.app.board import BoardView
from duels.terminal.app.widgets import AppScreen, BoardScreen, Key, KeyBar, Note
from duels.terminal.lesson import StepsDone, find_lesson
from duels.terminal.puzzle import USUAL, Solving
from duels.terminal.table import Table
from duels.terminal.words import first_fitting, game_in_words

if TYPE_CHECKING:
    from duels.terminal.app import DuelsApp


def open_lesson(app: DuelsApp, kind: type[Game]) -> None:
    """Open the lesson of a game where the player left it."""

    def show() -> None:
        app.push_screen(LessonScreen(find_lesson(kind), StepsDone(app.folder)))

    app.attempt(show)


class Answer(Input):
    """The field for an answer; as long as it is empty, letters are keys of the screen."""

    def on_key(self, event: events.Key) -> None:
        screen, is_command = self.screen, not self.value and len(event.key) == 1
        if is_command and isinstance(screen, AppScreen) and screen.use_key(event):
            event.stop().prevent_default()


class LessonScreen(AppScreen[None]):
    """One lesson: a text, a board, a question, a response at once; at the end a game."""

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
        yield Answer(id="answer")
        yield Note()
        yield KeyBar()

    def on_mount(self) -> None:
        self._show()

    def _show(self) -> None:
        step, steps = self.step, self.lesson.steps
        self._wrong, self._answered = 0, False
        number = f"{self._at + 1} of {len(steps)}: {step.title}"
        whole = f"{self.lesson.game.title}, step {number}"
        self.write("title", first_fitting(self.size.width - 2, whole, f"Step {number}"))
        self.write("words", "\n".join(step.text))
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
        self.write("status", f"{whose}{what}")
        self.say()
        self.show_keys()
        if step.is_game:
            self.set_focus(None)
        else:
            field.placeholder = "Type your answer" + (", or click the board" * takes_move)
            field.focus()

    def keys(self) -> list[Key]:
        if self.step.is_game:
            words = "play it again" if self._answered else "begin the game"
            keys = [Key("Enter", words, self._next)]
        elif self._answered:
            keys = [Key("Enter", "next step", self._next)]
        else:
            keys = [Key("Enter", "answer", self._enter), Key("h", "hint", self._hint)]
            keys.append(Key("g", "give up", self._give_up))
        back = [Key("PgUp", "step back", self._back)] if self._at else []
        return [*keys, *back, Key("Esc", "home", self.dismiss)]

    def _enter(self) -> None:
        """Give the answer that was typed, or else the move that the cursor is on."""
        board, typed = self.query_one(BoardView), self.query_one(Input).value.strip()
        if typed:
            self._answer(typed)
        elif board.has_focus:
            board.choose()

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        self._answer(self.step.position.game.format(event.move))

    def on_board_view_refused(self, event: BoardView.Refused) -> None:
        if event.cell.move is not None:
            self._answer(self.step.position.game.format(event.cell.move))

    def _answer(self, typed: str) -> None:
        if self.step.is_game or self._answered:
            return
        try:
            reply = answer(self.step, typed, self._wrong)
        except DuelsError as error:
            self.say(str(error))
            self.query_one(Input).value = ""
            return
        self.say(*reply.lines)
        self._wrong += not reply.is_right
        if reply.is_right or self._wrong >= TRIES:
            self._finish(typed if reply.is_right else self.step.accepted[0])
        self.query_one(Input).value = ""

    def _give_up(self) -> None:
        self.say(give_up(self.step))
        self._finish(self.step.accepted[0])

    def _finish(self, right: str) -> None:
        """Save that the step is done, and make the move that was asked for on the board."""
        self._answered = True
        self.done.note(self.lesson, self._at + 1, self.duels.warn)
        position = self.step.position
        if self.step.asks.is_move:
            position = position.play(position.game.parse(right))
            self.query_one(BoardView).show(describe(position), playable=False)
        self.query_one(Input).display = False
        self.set_focus(None)
        self.show_keys()

    def _hint(self) -> None:
        self.say(self.step.hint or "There is no hint for this step.")

    def _back(self) -> None:
        self._at -= 1
        self._show()

    def _next(self) -> None:
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
        screen = GameScreen(table, of_lesson=True)

        def played(_: object) -> None:
            if screen.has_won:
                self.done.note(self.lesson, len(self.lesson.steps), self.duels.warn)
                self._answered = True
                self.write("status", "You have finished this lesson.")
                self.say(self.step.right)
            elif table.match.outcome:
                self.say(self.step.otherwise)

        self.app.push_screen(screen, played)


class PuzzleScreen(BoardScreen):
    """Today's puzzle, then others."""

    solving: Solving | None = None
    position: Position

    @property
    def game(self) -> Game:
        return self.position.game

    @property
    def is_over(self) -> bool:  # type: ignore[override]
        return bool(self.solving and self.solving.attempt.is_over)

    def on_mount(self) -> None:
        self.write("status", "Looking for a puzzle …")
        today = date.today()
        self.in_background(
            lambda: daily_puzzle(today), lambda found: self._pose(found, today), self.say
        )

    def _pose(self, puzzle: Puzzle, day: date | None = None) -> None:
        solving = self.solving = Solving(puzzle, self.duels.warn, day, self.duels.folder)
        self.position = puzzle.position
        what = "Today's puzzle" if day else "Puzzle"
        short = f"{what}: {self.game.title}, {puzzle.difficulty}"
        whole = f"{what}: {game_in_words(self.game)}, {puzzle.difficulty}"
        title = first_fitting(self.size.width - 2, whole, short)
        self.write("title", title)
        mark = MARKS[self.position.to_move]
        self.write("status", f"{mark} {solving.last_move}{question(puzzle)}")
        earlier = solving.earlier
        self.settle()
        again = f"{earlier[-1]}. Here it is again." if earlier else puzzle.source
        self.say("" if title == whole else f"{game_in_words(self.game)}.", again, *solving.about)
        self.view.focus()
        self._show(solving)

    def _show(self, solving: Solving) -> None:
        board = describe(self.position)
        if solving.hint and not self.is_over:
            board = drawn(board, solving.hint.drawing)
        self.view.show(board, playable=not self.is_over)
        self.show_keys()

    def keys(self) -> list[Key]:
        leave = Key("Esc", "home", self.dismiss, "q")
        if not self.solving:
            return [leave]
        if self.is_over:
            keys = [Key("Enter", "another puzzle", self._next)]
        else:
            keys = [Key("Enter", "try", self.enter), Key("Space", "", self.view.widen)]
            keys += [Key("h", "hint", self._hint), Key("g", "give up", self._give_up)]
        return [*keys, Key("?", "rules", self.show_rules), leave]

    def play(self, typed: str) -> None:
        solving = self.solving
        if not solving or self.is_over:
            return
        try:
            tried = solving.try_move(typed)
        except DuelsError as error:
            self.say(str(error))
            return
        if tried.is_right:
            self.position = tried.position
            self.write("status", "Solved.")
            self.say(tried.words, *solving.result)
        else:
            self.say(f"{tried.words} Try again.")
        self._show(solving)

    def _hint(self) -> None:
        if solving := self.solving:
            hint, has_more = solving.next_hint()
            self.say(f"{hint.text}{' Press h for more.' if has_more else ''}")
            self._show(solving)

    def _give_up(self) -> None:
        if solving := self.solving:
            self.write("status", "Not solved.")
            self.say(solving.give_up(), *solving.result)
            self._show(solving)

    def _next(self) -> None:
        self.write("status", "Looking for a puzzle …")
        kinds = [*all_games().values()]
        self.in_background(
            lambda: find_puzzle(kinds, {}, USUAL, SystemRandom()), self._pose, self.say
        )
