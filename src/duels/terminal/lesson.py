"""A lesson in lines: one board, one question, a response at once, and a game at the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from duels.coach.lessons import (
    TRIES,
    Lesson,
    Step,
    answer,
    give_up,
    lesson_match,
    lesson_of,
    winner,
)
from duels.coach.review import review
from duels.coach.summary import turning_lines
from duels.core.console import Progress
from duels.core.errors import DuelsError, LessonError
from duels.core.game import Game
from duels.core.look import MARKS
from duels.match.match import Match
from duels.match.saved_games import Notebook, SavedGames
from duels.terminal.drawing import draw, legend
from duels.terminal.table import Table
from duels.terminal.talk import GIVING_UP, QUITTING, Left, Talk
from duels.terminal.transcript import Session, View
from duels.terminal.words import addressed, command_for, rules_lines


class _Back(Exception):
    """The player wants the step before."""


COMMANDS = {
    "hint": "get a little help",
    "give up": "see the answer",
    "board": "show this step again",
    "back": "go back one step",
    "rules": "show the rules of this game",
    "quit": "leave; the lesson continues here next time",
}


def find_lesson(kind: type[Game]) -> Lesson:
    """Return the lesson of a game; LessonError if it has none."""
    if lesson := lesson_of(kind):
        return lesson
    rules = command_for(kind.usual(), "rules", kind.id)
    raise LessonError(f"There is no lesson for {kind.title}. Read its rules with: {rules}")


class StepsDone:
    """How many steps of each lesson the player has done."""

    def __init__(self, folder: Path | None = None) -> None:
        self.notebook = Notebook("lessons", folder)

    def of(self, lesson: Lesson) -> int:
        """Return the number of steps that are done; a damaged entry counts as 0."""
        done = self.notebook.read().get(lesson.game.id)
        return done if type(done) is int and 0 <= done <= len(lesson.steps) else 0

    def note(self, lesson: Lesson, done: int, warn: Callable[[str], None]) -> None:
        """Save how many steps are done; warn if that fails."""
        try:
            self.notebook.note(**{lesson.game.id: done})
        except OSError as error:
            warn(f"Warning: {self.notebook.path} cannot be written: {error.strerror}.")


@dataclass
class LessonSession:
    """A player who takes a lesson."""

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
        """Teach step by step; Left, EOFError or KeyboardInterrupt if the player leaves."""
        title, steps = self.lesson.game.title, self.lesson.steps
        self.talk.tell(f"{title}: a lesson in {len(steps)} steps.")
        if self.is_resumed:
            self.talk.tell(f"You continue with step {self._at + 1}.")
        self.talk.tell("You can type hint, give up, back or quit at any time.")
        while self._at < len(steps):
            step = steps[self._at]
            try:
                (self._play if step.is_game else self._teach)(step)
            except _Back:
                if not self._at:
                    self.talk.tell("This is the first step.")
                self._at = max(self._at - 1, 0)
            else:
                self._at += 1
                self.steps_done.note(self.lesson, self._at, self.talk.note)
        play_on = command_for(steps[0].position.game, "play", self.lesson.game.id)
        self.talk.tell("", f"That was the lesson. To play: {play_on}")

    def _teach(self, step: Step) -> None:
        """Ask until the answer is right or is shown."""
        self._show(step)
        wrong = 0
        while wrong < TRIES:
            typed = self._ask("Your answer: ", step)
            if " ".join(typed.lower().split()) in GIVING_UP:
                self.talk.tell(give_up(step))
                break
            try:
                reply = answer(step, typed, wrong)
            except DuelsError as error:
                self.talk.tell(str(error))
                continue
            self.talk.tell(*reply.lines)
            if reply.is_right:
                break
            wrong += 1
        if self.talk.interactive:  # time to read before the next board
            self._ask("(Press Enter for the next step.) ", step, allows_nothing=True)

    def _show(self, step: Step) -> None:
        """Show the title, the text, the board and the question."""
        style, columns = self.talk.style, self.talk.size.columns
        number = f"Step {self._at + 1} of {len(self.lesson.steps)}"
        self.talk.tell("", style.bold(f"{number}: {step.title}"), *step.text)
        if step.is_game:
            return
        position, shows = step.position, step.asks.shows_moves
        board = draw(position, style, columns, show_moves=shows).lines
        self.talk.say("", *board, "")
        if meaning := legend(board, self._explained):
            self.talk.tell(style.faint(meaning))
        you = position.to_move
        marks = f"You are {MARKS[you]}. " if position.moves else ""
        self.talk.tell(f"{marks}{step.full_question}")

    def _ask(self, prompt: str, step: Step, *, allows_nothing: bool = False) -> str:
        """Return an answer that is not a command; _Back or Left for the commands that leave."""
        while True:
            typed = self.talk.ask(prompt).strip()
            match typed.lower():
                case word if word in QUITTING:
                    raise Left
                case "back":
                    raise _Back
                case "hint":
                    self.talk.tell(step.hint or "There is no hint for this step.")
                case "board":
                    self._show(step)
                case "rules":
                    self.talk.say(*rules_lines(self.lesson.game, self.talk.size.columns))
                case "help" | "h" | "?":
                    self.talk.tell("Type your answer, or one of these:")
                    self.talk.tell(*(f"  {name:7}  {what}" for name, what in COMMANDS.items()))
                case "" if not allows_nothing:
                    self.talk.tell("Type your answer, hint or give up.")
                case _:
                    return typed

    def _play(self, step: Step) -> None:
        """Play the game at the end until the player wins or stops."""
        self._show(step)
        self.talk.tell(f"You are {MARKS[winner(step.position)]}.")
        if self.talk.interactive:
            self._ask("(Press Enter to begin the game.) ", step, allows_nothing=True)
        while not self._wins(step):
            self.talk.tell("", step.otherwise)
            if not self.talk.agree("Play it again?"):
                raise Left
        self.talk.tell("", step.right)

    def _wins(self, step: Step) -> bool:
        game = LessonGame(step, self.talk, self.store, self.name)
        game.run()
        return game.is_won


# The game at the end, which addresses the player as "you", as the lesson does


class LessonView(View):
    """A match in the words of the app and the pages instead of the rule book's."""

    def __init__(self, table: Table, talk: Talk) -> None:
        super().__init__(table, talk)
        self._explained: set[str] = set()

    def opening(self, match: Match) -> None:
        """Print nothing: the lesson has already introduced the game."""

    def turn(self, match: Match) -> None:
        if match.computer(match.position.to_move):
            return
        said = self.dialogue.status(match, match.position.to_move)
        self.explain(self.show_board(match, [said]), self._explained)
        self.talk.tell(said)

    def prompt(self, match: Match) -> str:
        return "Your move: "

    def computer_thinks(self, match: Match) -> None:
        """The computer has no prompt."""

    def computer_moved(self, match: Match) -> None:
        self.tell_computers_move(match)

    def moved(self, match: Match) -> None:
        """The next board shows it."""

    def ending(self, match: Match) -> None:
        you, named = match.person, addressed(match, with_level=False)
        self.talk.tell("", self.dialogue.why(named, you), self.dialogue.status(match, you))


class LessonGame(Session):
    """A match whose review is one turning point: the lesson says the rest."""

    def __init__(self, step: Step, talk: Talk, store: SavedGames, name: str = "") -> None:
        table = Table(lesson_match(step, name), store, talk.note)
        super().__init__(table, talk, LessonView(table, talk))

    @property
    def is_won(self) -> bool:
        outcome = self.match.outcome
        return bool(outcome and not self.match.computer(outcome.winner))

    def _tell_review(self) -> None:
        if self.is_won:
            return
        try:
            with Progress("Reviewing") as progress:
                found = review(addressed(self.match), progress.share)
        except DuelsError:
            return  # the lesson explains the rest
        self.talk.tell("", *turning_lines(found, most=1))
