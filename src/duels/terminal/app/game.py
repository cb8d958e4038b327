"""The game screen: the board, whose turn it is, the rule book's lines, and the end of the game."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import RichLog

from duels.coach.hints import Hint, why_lines
from duels.coach.review import Review, review
from duels.coach.summary import turning_lines
from duels.core.board import Drawing, drawn
from duels.core.errors import DuelsError
from duels.core.game import Game, Move
from duels.core.look import MARKS
from duels.match.dialogue import dialogue_of
from duels.match.match import Match
from duels.match.players.specs import Forfeit
from duels.terminal.app import Mistake
from duels.terminal.app.widgets import (
    AppScreen,
    BoardScreen,
    Confirm,
    Key,
    board_of,
    marked_as,
    what_to_find,
)
from duels.terminal.table import Table, title_of
from duels.terminal.transcript import transcript
from duels.terminal.words import addressed, wrap

BESIDE = 100
"""Columns from which on the transcript is beside the board."""
OVER_HOME = 2
"""How many screens there are when a game was opened from the home screen."""
RULES = 5
"""The rules are shown before the first move if they take at most one row in so many."""
LOW = 22
"""Rows below which the transcript is shown on a key only."""


class GameScreen(BoardScreen):
    """One match, and those that follow it."""

    def __init__(self, table: Table, said: str = "", *, of_lesson: bool = False) -> None:
        super().__init__()
        self.table = table
        self._said = said
        self._of_lesson = of_lesson
        self._drawing = Drawing()
        self._lines: list[str] = []
        self._is_thinking = False
        self.has_won = False
        """Whether the person at the screen has won here: this match, or one that followed it."""
        self._reviewed: Review | None = None
        self._waiting: Match | None = None  # of a duel, while a move of it is tried again
        self.settle()
        self._is_toggled = False  # whether the transcript is shown without room, or hidden with it

    @property
    def match(self) -> Match:
        return self.table.match

    @property
    def game(self) -> Game:
        return self.match.game

    def compose_side(self) -> ComposeResult:
        yield Vertical(RichLog(id="log", wrap=True, markup=False, min_width=10), id="side")

    def on_mount(self) -> None:
        self.query_one("#log").can_focus = False
        self._begin(self._said)
        self.set_interval(0.2, self._tick)

    def _begin(self, said: str = "") -> None:
        """Lock the match and show it; leave if another window plays it."""
        if not self.duels.attempt(self.table.lock):
            self.dismiss()
            return
        self.table.begin()
        self.settle()
        self.is_over = False
        self._reviewed = None
        self.view.focus()
        self.say(said, self._rules_to_begin())
        self._changed()

    def _rules_to_begin(self) -> str:
        """Return the rules in two sentences before the first move, if they leave room to play."""
        rules = dialogue_of(self.game).rules(self.game)
        width, height = self.app.size
        lines = wrap(rules, width - 2)
        return "" if self.match.moves or len(lines) > height // RULES else rules

    def on_unmount(self) -> None:
        self.table.close()

    def on_resize(self) -> None:
        self._show()
        self._wrap_anew()

    def _wrap_anew(self) -> None:
        self._lines = []
        self.call_after_refresh(self._show_transcript)  # when the log has its new width

    # Showing

    def say(self, *sentences: str) -> None:
        super().say(*sentences)
        self.call_after_refresh(self._arrange)  # the board has another height now

    def _changed(self) -> None:
        """Show the match after it has changed, and let the computer move."""
        self._drawing = Drawing()
        self._show()
        is_open = self.match.moves and not self.match.outcome
        self.duels.farewell = self.table.saver.how_to_resume(self.match) if is_open else ""
        if self.match.outcome:
            self._end()
        elif self.match.computer(self.match.position.to_move):
            self._think()

    def _show(self) -> None:
        match = self.match
        board = board_of(match)
        if self._drawing != Drawing():
            board = drawn(board, self._drawing)
        playable = not match.outcome and not match.computer(match.position.to_move)
        self.view.show(board, playable=playable, shows_moves=self.table.show_moves)
        self.write("title", title_of(match, self.size.width - 2))
        self._show_status()
        self._show_transcript()
        self.show_keys()
        self._arrange()

    def _show_status(self) -> None:
        match, you = self.match, self.match.person
        named, dialogue = addressed(match), dialogue_of(match.game)
        winner = match.outcome.winner if match.outcome else 0
        mark = MARKS[marked_as(match, winner or match.position.to_move)]
        words = [dialogue.status(named, you), dialogue.why(named, you), self._clock()]
        self.write("status", f"{mark} {' '.join(filter(None, words))}")
        status = self.query_one("#status")
        status.set_class(bool(winner) and you in (0, winner), "won")
        status.set_class(bool(winner) and you not in (0, winner), "lost")

    def _clock(self) -> str:
        left = self.table.seconds_left
        if left is None or self.match.outcome:
            return ""
        whole = max(0, -int(-left // 1))
        return f"  ⏱ {whole // 60}:{whole % 60:02}"

    def _show_transcript(self) -> None:
        log, lines = self.query_one("#log", RichLog), transcript(self.match)
        width = log.scrollable_content_region.width or self.size.width
        if not self._lines or lines[: len(self._lines)] != self._lines:
            log.clear()
            self._lines = []
        for line in lines[len(self._lines) :]:
            for part in wrap(line, width):
                log.write(Text(part))
        self._lines = lines
        self.call_after_refresh(log.scroll_end, animate=False)

    def keys(self) -> list[Key]:
        pages = (("PgUp", -1), ("PgDn", 1))
        scroll = [Key(label, "", partial(self._scroll_log, by)) for label, by in pages]
        if self.is_over:
            more = [Key("w", "", self._why), Key("?", "", self.show_rules)]
            return [*self._next_keys(), *more, Key("v", "", self._toggle_transcript), *scroll]
        has_pairs = any(link.move is not None for link in self.view.board.links)
        return [
            Key("Enter", "play", self.enter),
            Key("Space", "one or two" if has_pairs else "", self.view.widen),
            Key("h", "hint", self._hint),
            Key("u", "undo", self._undo),
            Key("w", "why", self._why),
            Key("?", "rules", self.show_rules),
            Key("x", "resign", self._resign),
            Key("v", "" if self._has_room() else "transcript", self._toggle_transcript),
            Key("q", "quit", self._leave, "escape"),
            *scroll,
        ]

    def _has_room(self) -> bool:
        return self.size.width >= BESIDE or self.size.height >= LOW

    def _arrange(self) -> None:
        """Put the transcript beside the board, below it, or in its place."""
        main, side, view = self.query_one("#main"), self.query_one("#side"), self.view
        beside = self.size.width >= BESIDE
        main.set_class(not beside, "below")
        side.display = self._has_room() != self._is_toggled
        view.display = self._has_room() or not self._is_toggled
        if beside or not side.display:
            side.styles.height = "1fr"
            return
        room = main.size.height or self.size.height - 6
        needed = view.needed_height(self.size.width, room - 4) + 1
        side.styles.height = max(4, min(room - needed, 12)) if view.display else room

    # Moves

    def play(self, typed: str) -> None:
        match = self.match
        if match.outcome or match.computer(match.position.to_move):
            return
        try:
            self.table.play(typed)
        except DuelsError as error:
            self.say(str(error))
            self.app.bell()
            return
        self.say()
        self._changed()

    def _think(self) -> None:
        """Let the computer choose its move; Forfeit is a result too."""
        table, self._is_thinking = self.table, True

        def choose() -> Move | Forfeit:
            try:
                return table.choose()
            except Forfeit as lost:
                return lost

        def chosen(result: Move | Forfeit) -> None:
            self._is_thinking = False
            if isinstance(result, Forfeit):
                self.say(result.detail)
                table.forfeit(result)
            else:
                table.play(result)
            self._changed()

        self.in_background(choose, chosen, self.say)

    def _tick(self) -> None:
        """Count down; the game is lost when the time is up."""
        left = self.table.seconds_left
        if left is None or self.match.outcome or not self.is_current:
            return
        if left <= 0 and not self.match.computer(self.match.position.to_move):
            self.table.run_out_of_time()
            self._changed()
        else:
            self._show_status()

    # Help

    def _hint(self) -> None:
        if self._is_thinking:
            return
        table, match = self.table, self.match

        def show(found: tuple[Hint, bool]) -> None:
            if match is self.match:
                hint, has_more = found
                self._drawing = hint.drawing
                self.say(f"{hint.question} {hint.text}{' Press h for more.' if has_more else ''}")
                self._show()

        self.in_background(table.hint, show, self.say)

    def _why(self) -> None:
        match, named = self.match, addressed(self.match, with_level=False)

        def show(lines: list[str]) -> None:
            if match is self.match:
                self.say(*lines)

        if not self._is_thinking:
            self.in_background(lambda: why_lines(named), show, self.say)

    def _toggle_transcript(self) -> None:
        """Show or hide the transcript."""
        self._is_toggled = not self._is_toggled
        self._arrange()
        self._wrap_anew()
        self.view.focus()

    def _scroll_log(self, pages: int) -> None:
        log = self.query_one("#log", RichLog)
        log.scroll_relative(y=pages * max(log.size.height - 1, 1), animate=False)

    # Taking back, giving up, leaving

    def _undo(self) -> None:
        if self._is_thinking:
            return
        try:
            takeback = self.table.takeback()
        except DuelsError as error:
            self.say(str(error))
            return

        def answered(agrees: bool | None) -> None:
            if agrees:
                self.table.take_back(takeback)
                self.say(f"Taken back: {takeback.moves}.")
                self._changed()
            else:
                self.say(f"{takeback.opponent} does not agree, so the game continues.")

        if takeback.opponent:
            self.app.push_screen(Confirm(takeback.question), answered)
        else:
            answered(True)

    def _resign(self) -> None:
        def answered(agrees: bool | None) -> None:
            if agrees and not self.match.outcome and not self._is_thinking:
                self.table.resign()
                self._changed()

        self.app.push_screen(Confirm(self.table.resign_question), answered)

    def _leave(self) -> None:
        """Go home; a game that is not over is saved."""
        match, home = self.match, self.app.screen_stack[0]
        if not match.outcome and match.moves:
            if not self.table.saver.has_saved(match):
                self.duels.warn(self.table.saver.how_to_resume(match))
            elif len(self.app.screen_stack) == OVER_HOME and isinstance(home, AppScreen):
                home.say("Game saved. Press r to resume it.")
        self.dismiss()

    # The end

    def _end(self) -> None:
        self.is_over = True
        self.settle()
        outcome = self.match.outcome
        self.has_won |= bool(outcome and outcome.winner == self.match.person)
        lines = self.table.count_result()
        self.say(*lines)
        self.show_keys()
        if self.match.moves:
            self._review(lines)

    def _review(self, lines: list[str]) -> None:
        """Add the turning point to the closing message."""
        match = self.match

        def show(found: Review) -> None:
            if match is not self.match:
                return
            self._reviewed = found
            own = [n for n in found.turning_points if not match.computer(found.steps[n - 1].player)]
            self.duels.mistakes += [Mistake(match, number, datetime.now()) for number in own]
            said = [*map(str.strip, turning_lines(found, most=1)), *lines]
            width, height = self.size
            if sum(len(wrap(line, width - 2)) for line in said) > height // 2 - 3:
                said = [*turning_lines(found, most=1, reasons=False), *lines]
            self.say(*said)
            self._show()

        self.in_background(lambda: review(addressed(match)), show, lambda _: None)

    def _next_keys(self) -> list[Key]:
        """The next steps, the suggested one first."""
        match, following = self.match, self._following
        duel = following and following.duel
        words = f"game {duel.number} of {duel.of}" if duel else "play again, sides swapped"
        keys = [Key("Enter", words, self._next)]
        if self._of_lesson:
            keys = [Key("Enter", "back to the lesson", self._leave)]
        if number := self._reviewed and self._reviewed.again_at:
            is_lost = match.person and match.outcome and match.outcome.winner != match.person
            again = Key("t", f"try move {number} again", partial(self._try_again, number))
            keys.insert(0 if is_lost else 1, again)
        if type(match.game).has_lesson() and not self._of_lesson:
            keys.append(Key("l", "lesson", self._open_lesson))
        if match.moves:
            keys.append(Key("r", "review", self._open_review))
        if not following:  # the games of a duel swap the sides
            keys.append(Key("s", "same sides", partial(self._next, swapped=False)))
        where = "home" if len(self.app.screen_stack) == OVER_HOME else "back"
        return [*keys, Key("q", where, self._leave, "escape")]

    def _next(self, *, swapped: bool = True) -> None:
        """Start the next game of the duel, or the same game again."""
        following, self._waiting = self._following, None
        self._start(following or self.duels.choices.again(self.match, swapped=swapped))

    @property
    def _following(self) -> Match | None:
        return self.match.next() or self._waiting

    def _try_again(self, number: int) -> None:
        self._waiting = self._following
        self._start(self.match.again_from(number), what_to_find(self.match, number))

    def _start(self, match: Match, said: str = "") -> None:
        self.table.close()
        self.table = self.table.followed_by(match)
        self._begin(said)

    def _open_review(self) -> None:
        from duels.terminal.app.review import ReviewScreen

        self.app.push_screen(ReviewScreen(self.match, self._reviewed))

    def _open_lesson(self) -> None:
        from duels.terminal.app.learn import open_lesson

        open_lesson(self.duels, type(self.match.game))
