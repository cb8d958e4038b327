"""A lesson at the terminal: one board, one question, an answer at once, and a game at the end."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from duels.coach.lessons import TRIES, Lesson, Step, answer, lesson_of
from duels.coach.questions import winner
from duels.core.errors import DuelsError, LessonError
from duels.core.game import Game
from duels.core.look import MARKS
from duels.match.notebook import Notebook
from duels.match.saved_games import SavedGames
from duels.terminal.asking import Back
from duels.terminal.board import draw, legend
from duels.terminal.lesson_game import LessonGame
from duels.terminal.rules import rules_lines
from duels.terminal.session import Left
from duels.terminal.talk import Talk
from duels.terminal.words import command_for

COMMANDS = {
    "hint": "a little help",
    "board": "the step once more",
    "back": "the step before",
    "rules": "the rules of this game",
    "quit": "leave; the lesson goes on there next time",
}


def find_lesson(kind: type[Game]) -> Lesson:
    """The lesson of a game; LessonError if it has none."""
    if lesson := lesson_of(kind):
        return lesson
    rules = command_for(kind.usual(), "rules", kind.id)
    raise LessonError(f"There is no lesson for {kind.title}. Read its rules with: {rules}")


class StepsDone:
    """How many steps of each lesson somebody has taken."""

    def __init__(self, folder: Path | None = None) -> None:
        self.notebook = Notebook("lessons", folder)

    def of(self, lesson: Lesson) -> int:
        """The steps that are done; what makes no sense counts as none."""
        done = self.notebook.read().get(lesson.game.id)
        return done if type(done) is int and 0 <= done <= len(lesson.steps) else 0

    def note(self, lesson: Lesson, done: int) -> None:
        self.notebook.note(**{lesson.game.id: done})


@dataclass
class LessonSession:
    """Somebody who takes a lesson."""

    lesson: Lesson
    talk: Talk
    store: SavedGames
    steps_done: StepsDone
    step: int | None = None
    """The first one, counted from 1; without it, the one after those that are done."""
    name: str = ""

    def __post_init__(self) -> None:
        done, steps = self.steps_done.of(self.lesson), len(self.lesson.steps)
        self.is_resumed = self.step is None and 0 < done < steps
        self._at = (self.step or done % steps + 1) - 1
        self._explained: set[str] = set()  # what the brackets of a board mean

    def run(self) -> None:
        """Take the steps one after another; Left, EOFError or KeyboardInterrupt when they leave."""
        title, steps = self.lesson.game.title, self.lesson.steps
        self.talk.tell(f"{title}: a lesson in {len(steps)} steps.")
        if self.is_resumed:
            self.talk.tell(f"You go on with step {self._at + 1}.")
        self.talk.tell("You can always type hint, back or quit.")
        while self._at < len(steps):
            step = steps[self._at]
            try:
                (self._play if step.is_game else self._teach)(step)
            except Back:
                if not self._at:
                    self.talk.tell("This is the first step.")
                self._at = max(self._at - 1, 0)
            else:
                self._at += 1
                self._note()
        play_on = command_for(steps[0].position.game, "play", self.lesson.game.id)
        self.talk.tell("", f"That was the lesson. Play on with: {play_on}")

    def _note(self) -> None:
        try:
            self.steps_done.note(self.lesson, self._at)
        except OSError as error:
            path = self.steps_done.notebook.path
            self.talk.note(f"Warning: {path} cannot be written: {error.strerror}.")

    def _teach(self, step: Step) -> None:
        """Ask until the answer is right, or was shown."""
        self._show(step)
        wrong = 0
        while wrong < TRIES:
            try:
                reply = answer(step, self._ask("Your answer: ", step), wrong)
            except DuelsError as error:
                self.talk.tell(str(error))
                continue
            self.talk.tell(*reply.lines)
            if reply.is_right:
                break
            wrong += 1
        if self.talk.interactive:  # time to read before the next board
            self._ask("(Enter: the next step) ", step, allows_nothing=True)

    def _show(self, step: Step) -> None:
        """The title, the text, the board and the question."""
        style, columns = self.talk.style, self.talk.size.columns
        number = f"Step {self._at + 1} of {len(self.lesson.steps)}"
        self.talk.tell("", style.bold(f"{number}: {step.title}"), *step.text)
        if step.is_game:
            return
        position, shows = step.position, step.asks.shows_moves
        board = draw(position, style, columns, show_moves=shows)
        self.talk.say("", *board, "")
        if meaning := legend(board, self._explained):
            self.talk.tell(style.faint(meaning))
        you = position.to_move
        marks = f"You are {MARKS[you]}. " if position.moves else ""
        self.talk.tell(f"{marks}{step.asked}")

    def _ask(self, prompt: str, step: Step, *, allows_nothing: bool = False) -> str:
        """What somebody types that is no command; Back and Left for the words that lead away."""
        while True:
            typed = self.talk.ask(prompt).strip()
            match typed.lower():
                case "quit" | "q" | "exit":
                    raise Left
                case "back":
                    raise Back
                case "hint":
                    self.talk.tell(step.hint or "There is no hint for this step.")
                case "board":
                    self._show(step)
                case "rules":
                    self.talk.say(*rules_lines(self.lesson.game, self.talk.size.columns))
                case "help" | "?":
                    self.talk.tell("Type your answer, or one of these:")
                    self.talk.tell(*(f"  {name:5}  {what}" for name, what in COMMANDS.items()))
                case "" if not allows_nothing:
                    self.talk.tell("Type your answer, or hint.")
                case _:
                    return typed

    def _play(self, step: Step) -> None:
        """The game at the end, until it is won or somebody has had enough."""
        self._show(step)
        self.talk.tell(f"You are {MARKS[winner(step.position)]}.")
        if self.talk.interactive:
            self._ask("(Enter: begin the game) ", step, allows_nothing=True)
        while not self._wins(step):
            self.talk.tell("", step.otherwise)
            if not self.talk.agree("Play it again?"):
                raise Left
        self.talk.tell("", step.right)

    def _wins(self, step: Step) -> bool:
        game = LessonGame(step, self.talk, self.store, self.name)
        game.run()
        return game.is_won
