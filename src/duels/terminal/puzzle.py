"""Puzzles at the terminal: find a winning move, see a wrong one punished, and try again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

from duels.coach.daily import Streak, daily_puzzle, headline, share_lines
from duels.coach.hints import Hint, puzzle_hints
from duels.coach.puzzles import Attempt, Puzzle, Tried, give_up, question, try_move
from duels.core.errors import DuelsError
from duels.core.game import Position
from duels.core.look import MARKS
from duels.core.words import listed
from duels.terminal.board import draw
from duels.terminal.rules import rules_lines
from duels.terminal.talk import Talk
from duels.terminal.words import game_in_words

LEAVING = ("quit", "q", "exit", "back")
WORDS = {
    **dict.fromkeys(("help", "?", "h", ""), "help"),
    **dict.fromkeys(("hint", "why"), "hint"),
    **dict.fromkeys(("board", "b"), "board"),
    **dict.fromkeys(("moves", "m"), "moves"),
    "rules": "rules",
    **dict.fromkeys(("give up", "giveup", "resign", "answer", "solution"), "give_up"),
    **dict.fromkeys(LEAVING, "quit"),
}
"""What somebody may type beside a move, and what is meant."""
HELP = "Type your move; or hint, moves, board, rules, give up, quit."
BELOW_BOARD = 8
"""Rows that the talk about a wrong move takes beside two boards."""

Keep = Callable[[Attempt], None]


def solve_puzzle(
    puzzle: Puzzle,
    talk: Talk,
    before: Attempt = Attempt(),  # noqa: B008
    keep: Keep = lambda _: None,
) -> Attempt:
    """Ask until it is solved, or until somebody gives up or leaves; `keep` hears every change."""
    return _Solving(puzzle, talk, before, keep).run()


def solve_daily(talk: Talk, day: date, folder: Path | None = None) -> Attempt:
    """The puzzle of a day, with the streak that is kept in the state folder."""
    today = date.today()
    puzzle, streak = daily_puzzle(day), Streak(folder)
    head = headline(puzzle)

    def keep(attempt: Attempt) -> None:
        try:
            streak.keep(day, attempt, today)
        except OSError as error:
            talk.note(f"(This cannot be kept: {error.strerror}.)")

    def in_a_row() -> int:
        return streak.current(today) if day == today else 0

    before = streak.attempt(day)
    if before.is_over:
        talk.tell(*share_lines(head, before, in_a_row()), "", "Here it is once more.", "")
        return solve_puzzle(puzzle, talk)
    attempt = solve_puzzle(puzzle, talk, before, keep)
    if attempt.is_over:
        talk.tell("", *share_lines(head, attempt, in_a_row()))
    if attempt.is_solved and (best := streak.best) > in_a_row() > 0:
        talk.note(f"(The most days in a row so far: {best}.)")
    return attempt


class _Solving:
    """Somebody at one puzzle."""

    def __init__(self, puzzle: Puzzle, talk: Talk, before: Attempt, keep: Keep) -> None:
        self.puzzle = puzzle
        self.position: Position = puzzle.position
        self.game = self.position.game
        self.talk = talk
        self.attempt = before
        self.keep = keep
        self._hints: list[Hint] = []
        self._given = 0

    def run(self) -> Attempt:
        self._introduce()
        while not self.attempt.is_over:
            try:
                typed = self.talk.ask("Your move: ").strip()
            except EOFError:
                break
            word = WORDS.get(" ".join(typed.lower().split()))
            if word == "quit":
                break
            if word:
                getattr(self, f"_{word}")()
            else:
                self._try(typed)
        return self.attempt

    def _introduce(self) -> None:
        puzzle, game = self.puzzle, self.game
        title = f"{game_in_words(game)}, {puzzle.difficulty}."
        is_usual = all(
            option.is_size or game.options[name] == option.default
            for name, option in type(game).fields.items()
        )  # else its options say more than the summary
        summary = [game.summary] if is_usual else []
        self.talk.tell(f"{title} {puzzle.source}".rstrip(), *summary)
        self._board()
        self._moves()
        self.talk.tell(f"{question(puzzle)} (Or type hint, give up, help.)")

    def _help(self) -> None:
        self.talk.tell(HELP)

    def _hint(self) -> None:
        stages = self._hints = self._hints or puzzle_hints(self.position)
        if self._given < len(stages):
            self._given += 1
            self._now(self.attempt._replace(hints=self.attempt.hints + 1))
        self.talk.tell(stages[self._given - 1].text)
        if self._given < len(stages):
            self.talk.tell("(Type hint again for more.)")

    def _board(self) -> None:
        self.talk.say("", *self._drawn(self.position), "")

    def _moves(self) -> None:
        mark, do = MARKS[self.position.to_move], self.game.verb.do
        written = [self.game.format(move) for move in self.position.legal_moves]
        self.talk.tell(f"You are {mark}, and may {do} {listed(written, 'or')}.")

    def _rules(self) -> None:
        self.talk.say(*rules_lines(type(self.game), self.talk.size.columns))

    def _give_up(self) -> None:
        self.talk.tell(give_up(self.puzzle))
        self._now(self.attempt._replace(gave_up=True))

    def _try(self, typed: str) -> None:
        """A move: right, or punished on the board."""
        try:
            tried = try_move(self.puzzle, typed)
        except DuelsError as error:
            self.talk.tell(f"{error} {HELP}")
            return
        self._now(self.attempt._replace(tries=self.attempt.tries + 1, is_solved=tried.is_right))
        if tried.is_right:
            self.talk.tell(tried.words)
        else:
            self._punish(tried)

    def _punish(self, tried: Tried) -> None:
        board, own = self._drawn(tried.position), self._drawn(self.position)
        self.talk.say("", *board, "")
        self.talk.tell(tried.words)
        if self.talk.interactive and len(board) + len(own) + BELOW_BOARD <= self.talk.size.lines:
            self.talk.say("", "Once more:", *own, "")
        else:
            look = " (board shows the puzzle.)" if self.talk.interactive else ""
            self.talk.tell(f"Take it back and try again.{look}")

    def _now(self, attempt: Attempt) -> None:
        self.attempt = attempt
        self.keep(attempt)

    def _drawn(self, position: Position) -> list[str]:
        return draw(position, self.talk.style, *self.talk.size)
