"""The game at the end of a lesson: a match that speaks to "you", as the lesson does."""

from __future__ import annotations

from dataclasses import replace

from duels.coach.lessons import Step, lesson_match
from duels.coach.review import review, turning_lines
from duels.core.console import Progress
from duels.core.errors import DuelsError
from duels.core.game import Game
from duels.match.match import Match, Seat
from duels.match.saved_games import SavedGames
from duels.terminal.session import Session
from duels.terminal.talk import Talk
from duels.terminal.view import View

YOU, COMPUTER = "You", "The computer"


class LessonView(View):
    """The words of the pages in place of the rule book's: whoever takes a lesson is "you"."""

    def __init__(self, game: Game, talk: Talk) -> None:
        super().__init__(game, talk)
        self._explained: set[str] = set()

    def named(self, match: Match) -> Match:
        one, two = (Seat(COMPUTER if seat.computer else YOU, seat.computer) for seat in match.seats)
        return replace(match, seats=(one, two))

    def opening(self, match: Match) -> None:
        """The lesson has said how it begins."""

    def turn(self, match: Match) -> None:
        if match.computer(match.position.to_move):
            return
        said = self.dialogue.status(match, match.position.to_move)
        self.explain(self.show_board(match, [said]), self._explained)
        self.talk.tell(said)

    def prompt(self, match: Match) -> str:
        return "Your move: "

    def computer_thinks(self, match: Match) -> None:
        """Nobody is asked, so nothing is said."""

    def computer_moved(self, match: Match) -> None:
        self.tell_computers_move(self.named(match))

    def moved(self, match: Match) -> None:
        """The next board shows it."""

    def ending(self, match: Match) -> None:
        you = 2 if match.computer(1) else 1
        why, status = self.dialogue.why(self.named(match), you), self.dialogue.status(match, you)
        self.talk.tell("", why, status)


class LessonGame(Session):
    """Played until it is over. Who has lost it hears on which move; the lesson says the rest."""

    def __init__(self, step: Step, talk: Talk, store: SavedGames, name: str = "") -> None:
        match = lesson_match(step, name)
        super().__init__(match, talk, store, view=LessonView(match.game, talk))

    @property
    def is_won(self) -> bool:
        outcome = self.match.outcome
        return bool(outcome and not self.match.computer(outcome.winner))

    def _tell_review(self) -> None:
        if self.is_won:
            return
        try:
            with Progress("Reviewing") as progress:
                found = review(self.view.named(self.match), progress.share)
        except DuelsError:
            return  # the lesson says what it has to say all the same
        self.talk.tell("", *turning_lines(found, most=1))
