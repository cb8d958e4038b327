"""The puzzle screen: find the winning move on the board; a wrong one is refuted there."""

from __future__ import annotations

from datetime import date
from random import SystemRandom

from textual.binding import Binding

from duels.coach.daily import Streak, daily_puzzle, headline, share_lines
from duels.coach.hints import Hint, puzzle_hints
from duels.coach.puzzles import Attempt, Puzzle, find_puzzle, give_up, question, try_move
from duels.core.board import describe, drawn
from duels.core.errors import DuelsError
from duels.core.game import Game, Position
from duels.core.look import MARKS
from duels.games import all_games
from duels.terminal.app.widgets import BoardScreen, Key, KeyBar
from duels.terminal.puzzle import USUAL
from duels.terminal.words import game_in_words


class PuzzleScreen(BoardScreen):
    """Today's puzzle, then others."""

    BINDINGS = [  # noqa: RUF012
        Binding("h", "hint", show=False),
        Binding("g", "give_up", show=False),
        Binding("question_mark", "rules", show=False),
        Binding("escape,q", "dismiss", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.puzzle: Puzzle | None = None
        self.attempt = Attempt()
        self.position: Position | None = None
        self.day: date | None = None
        self._hints: list[Hint] = []
        self._shown = 0

    @property
    def game(self) -> Game:
        assert self.puzzle
        return self.puzzle.position.game

    @property
    def is_over(self) -> bool:  # type: ignore[override]
        return self.attempt.is_over

    def on_mount(self) -> None:
        self.write("status", "Looking for a puzzle …")
        today = date.today()
        self.in_background(
            lambda: daily_puzzle(today), lambda found: self._pose(found, today), self.say
        )

    def _pose(self, puzzle: Puzzle, day: date | None) -> None:
        self.puzzle, self.day, self.position = puzzle, day, puzzle.position
        self.attempt, self._hints, self._shown = Attempt(), [], 0
        note = puzzle.source
        if day:
            before = Streak(self.duels.folder).attempt(day)
            if before.is_over:
                done = share_lines(headline(puzzle), before, self._streak())
                note = f"{done[-1]}. Here it is again."
                self.day = None
            else:
                self.attempt = before
        what = "Today's puzzle" if day else "Puzzle"
        title = f"{what}: {game_in_words(puzzle.position.game)}, {puzzle.difficulty}"
        self.write("title", title)
        self.say(note)
        self.view.focus()
        self._show()

    def _streak(self) -> int:
        return Streak(self.duels.folder).current(date.today())

    def _show(self) -> None:
        if not self.puzzle or not self.position:
            return
        playable = not self.attempt.is_over
        board = describe(self.position)
        if playable and self._shown:
            board = drawn(board, self._hints[self._shown - 1].drawing)
        self.view.show(board, playable=playable)
        mark = MARKS[self.puzzle.position.to_move]
        if not self.attempt.is_over:
            self.write("status", f"{mark} {question(self.puzzle)}")
        keys: list[Key]
        if self.attempt.is_over:
            keys = [("Enter", "another puzzle", "next")]
        else:
            keys = [("Enter", "try", "choose"), ("h", "hint", "hint"), ("g", "give up", "give_up")]
        keys += [("?", "rules", "rules"), ("Esc", "home", "dismiss")]
        self.query_one(KeyBar).show(keys)

    def play(self, typed: str) -> None:
        if not self.puzzle or self.attempt.is_over:
            return
        try:
            tried = try_move(self.puzzle, typed)
        except DuelsError as error:
            self.say(str(error))
            return
        attempt = self.attempt._replace(tries=self.attempt.tries + 1, is_solved=tried.is_right)
        self._save(attempt)
        if tried.is_right:
            self.position = self.puzzle.position.play(self.puzzle.position.game.parse(typed))
            self._over("Solved.", tried.words)
        else:
            self.say(f"{tried.words} Try again.")
        self._show()

    def _over(self, status: str, *lines: str) -> None:
        assert self.puzzle
        shared = []
        if self.day:
            shared = share_lines(headline(self.puzzle), self.attempt, self._streak())
        self.write("status", status)
        self.say(*lines, *shared)

    def _save(self, attempt: Attempt) -> None:
        self.attempt = attempt
        if self.day:
            try:
                Streak(self.duels.folder).keep(self.day, attempt, date.today())
            except OSError as error:
                self.duels.warn(f"Your result cannot be saved: {error.strerror}.")

    def action_hint(self) -> None:
        if not self.puzzle or self.attempt.is_over:
            return
        self._hints = self._hints or puzzle_hints(self.puzzle.position)
        if self._shown < len(self._hints):
            self._shown += 1
            self._save(self.attempt._replace(hints=self.attempt.hints + 1))
        more = " Press h for more." if self._shown < len(self._hints) else ""
        self.say(self._hints[self._shown - 1].text + more)
        self._show()

    def action_give_up(self) -> None:
        if self.puzzle and not self.attempt.is_over:
            self._save(self.attempt._replace(gave_up=True))
            self._over("Not solved.", give_up(self.puzzle))
            self._show()

    def action_next(self) -> None:
        if self.attempt.is_over:
            self.write("status", "Looking for a puzzle …")
            kinds = [*all_games().values()]
            self.in_background(
                lambda: find_puzzle(kinds, {}, USUAL, SystemRandom()),
                lambda found: self._pose(found, None),
                self.say,
            )
