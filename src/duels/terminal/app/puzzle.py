"""The puzzle screen: find the winning move on the board; a wrong one is refuted there."""

from __future__ import annotations

from datetime import date
from random import SystemRandom

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container
from textual.widgets import Static

from duels.coach.daily import Streak, daily_puzzle, headline, share_lines
from duels.coach.hints import Hint, puzzle_hints
from duels.coach.puzzles import Attempt, Puzzle, find_puzzle, give_up, question, try_move
from duels.core.board import describe
from duels.core.errors import DuelsError
from duels.core.game import Position
from duels.core.look import MARKS
from duels.games import all_games
from duels.terminal.app.board import BoardView
from duels.terminal.app.widgets import AppScreen, Key, KeyBar, RulesScreen, Typed
from duels.terminal.puzzle import USUAL
from duels.terminal.words import game_in_words


class PuzzleScreen(AppScreen[None]):
    """Today's puzzle, then others."""

    BINDINGS = [  # noqa: RUF012
        Binding("h", "hint", show=False),
        Binding("g", "give_up", show=False),
        Binding("n", "another", show=False),
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
        self._refuted = False  # whether the board shows the reply to a wrong move

    def compose(self) -> ComposeResult:
        yield Static(id="title", classes="title", markup=False)
        yield Static(id="status", classes="status", markup=False)
        yield Static(id="note", classes="note", markup=False)
        with Container(id="main"):
            yield BoardView(id="board")
        yield Typed()
        yield KeyBar()

    def on_mount(self) -> None:
        self.query_one("#status", Static).update("Looking for a puzzle …")
        self._find_daily()

    @work(thread=True, exclusive=True)
    def _find_daily(self) -> None:
        today = date.today()
        puzzle = daily_puzzle(today)
        self.app.call_from_thread(self._pose, puzzle, today)

    @work(thread=True, exclusive=True)
    def _find_another(self) -> None:
        try:
            found = find_puzzle([*all_games().values()], {}, USUAL, SystemRandom())
        except DuelsError as error:
            self.app.call_from_thread(self._say, str(error))
            return
        self.app.call_from_thread(self._pose, found, None)

    def _pose(self, puzzle: Puzzle, day: date | None) -> None:
        self.puzzle, self.day, self.position = puzzle, day, puzzle.position
        self.attempt, self._hints, self._shown, self._refuted = Attempt(), [], 0, False
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
        self.query_one("#title", Static).update(title)
        self._say(note)
        self.query_one(BoardView).focus()
        self._show()

    def _streak(self) -> int:
        return Streak(self.duels.folder).current(date.today())

    def _show(self) -> None:
        if not self.puzzle or not self.position:
            return
        playable = not self.attempt.is_over
        self.query_one(BoardView).show(describe(self.position), playable=playable)
        mark = MARKS[self.puzzle.position.to_move]
        if not self.attempt.is_over:
            self.query_one("#status", Static).update(f"{mark} {question(self.puzzle)}")
        keys: list[Key]
        if self.attempt.is_over:
            keys = [("Enter", "another puzzle", "another")]
        else:
            keys = [("Enter", "try", "choose"), ("h", "hint", "hint"), ("g", "give up", "give_up")]
        keys += [("?", "rules", "rules"), ("Esc", "home", "dismiss")]
        self.query_one(KeyBar).show(keys)

    def _say(self, *lines: str) -> None:
        text = "\n".join(filter(None, lines))
        note = self.query_one("#note", Static)
        note.update(text)
        note.display = bool(text)

    def on_key(self, event: events.Key) -> None:
        typed = self.query_one(Typed)
        if self.attempt.is_over and event.key == "enter":
            event.stop()
            self.action_another()
        elif event.key == "enter" and typed.text:
            event.stop()
            event.prevent_default()
            text = typed.text
            typed.set("")
            self._try(text)
        else:
            typed.take(event)

    def action_choose(self) -> None:
        self.query_one(BoardView).action_choose()

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        typed = self.query_one(Typed)
        if self.puzzle:
            text = typed.text or self.puzzle.position.game.format(event.move)
            typed.set("")
            self._try(text)

    def on_board_view_refused(self, event: BoardView.Refused) -> None:
        if self.puzzle and event.cell.move is not None:
            self._try(self.puzzle.position.game.format(event.cell.move))

    def _try(self, typed: str) -> None:
        if not self.puzzle or self.attempt.is_over:
            return
        try:
            tried = try_move(self.puzzle, typed)
        except DuelsError as error:
            self._say(str(error))
            return
        attempt = self.attempt._replace(tries=self.attempt.tries + 1, is_solved=tried.is_right)
        self._save(attempt)
        if tried.is_right:
            self.position = self.puzzle.position.play(self.puzzle.position.game.parse(typed))
            self._over("Solved.", tried.words)
        else:
            self._say(f"{tried.words} Try again.")
        self._show()

    def _over(self, status: str, *lines: str) -> None:
        assert self.puzzle
        shared = []
        if self.day:
            shared = share_lines(headline(self.puzzle), self.attempt, self._streak())
        self.query_one("#status", Static).update(status)
        self._say(*lines, *shared)

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
        more = "  (h: more)" if self._shown < len(self._hints) else ""
        self._say(self._hints[self._shown - 1].text + more)

    def action_give_up(self) -> None:
        if self.puzzle and not self.attempt.is_over:
            self._save(self.attempt._replace(gave_up=True))
            self._over("Not solved.", give_up(self.puzzle))
            self._show()

    def action_another(self) -> None:
        if self.attempt.is_over:
            self.query_one("#status", Static).update("Looking for a puzzle …")
            self._find_another()

    def action_rules(self) -> None:
        if self.puzzle:
            self.app.push_screen(RulesScreen(type(self.puzzle.position.game)))
