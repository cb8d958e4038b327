"""The puzzle screen: find the winning move on the board; a wrong one is refuted there."""

from __future__ import annotations

from datetime import date
from random import SystemRandom

from duels.coach.daily import daily_puzzle
from duels.coach.puzzles import Puzzle, find_puzzle, question
from duels.core.board import describe, drawn
from duels.core.errors import DuelsError
from duels.core.game import Game, Position
from duels.core.look import MARKS
from duels.games import all_games
from duels.terminal.app.widgets import BoardScreen, Key
from duels.terminal.puzzle import USUAL, Solving
from duels.terminal.words import game_in_words


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
        self.write("title", f"{what}: {game_in_words(self.game)}, {puzzle.difficulty}")
        self.write("status", f"{MARKS[self.position.to_move]} {question(puzzle)}")
        earlier = solving.earlier
        self.say(f"{earlier[-1]}. Here it is again." if earlier else puzzle.source)
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
