"""Puzzles in lines: find a winning move, see a wrong one refuted, and try again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from random import Random

from duels.coach.daily import Streak, daily_puzzle, headline, share_lines
from duels.coach.hints import Hint, puzzle_hints
from duels.coach.puzzles import Attempt, Puzzle, Tried, find_puzzle, give_up, question, try_move
from duels.core.console import Progress
from duels.core.errors import DuelsError
from duels.core.game import Game, Position
from duels.core.look import MARKS
from duels.core.words import listed
from duels.terminal.drawing import draw
from duels.terminal.talk import QUITTING, Talk
from duels.terminal.words import game_in_words, rules_lines

USUAL = "medium"
"""The difficulty of a puzzle unless the player chooses one."""
SOLVED = "mistakes"
"""The notebook of solved puzzles that came from the player's own games."""
WORDS = {
    **dict.fromkeys(("help", "?", "h", ""), "help"),
    **dict.fromkeys(("hint", "why"), "hint"),
    **dict.fromkeys(("board", "b"), "board"),
    **dict.fromkeys(("moves", "m"), "moves"),
    "rules": "rules",
    **dict.fromkeys(("give up", "giveup", "resign", "answer", "solution"), "give_up"),
    **dict.fromkeys((*QUITTING, "back"), "quit"),
}
"""What a player may type instead of a move, and what it means."""
HELP = "Type your move; or hint, moves, board, rules, give up, quit."
BELOW_BOARD = 8
"""Rows that the response to a wrong move takes besides two boards."""

Save = Callable[[Attempt], None]


def solve_puzzle(
    puzzle: Puzzle,
    talk: Talk,
    before: Attempt = Attempt(),  # noqa: B008
    save: Save = lambda _: None,
) -> Attempt:
    """Ask until the puzzle is solved or the player stops; `save` gets every change."""
    return _Solving(puzzle, talk, before, save).run()


def solve_daily(talk: Talk, day: date, folder: Path | None = None) -> Attempt:
    """Solve the puzzle of a day, and save the streak."""
    today = date.today()
    puzzle, streak = daily_puzzle(day), Streak(folder)
    head = headline(puzzle)

    def save(attempt: Attempt) -> None:
        try:
            streak.keep(day, attempt, today)
        except OSError as error:
            talk.note(f"(Your result cannot be saved: {error.strerror}.)")

    def in_a_row() -> int:
        return streak.current(today) if day == today else 0

    before = streak.attempt(day)
    if before.is_over:
        talk.tell(*share_lines(head, before, in_a_row()), "", "Here it is again.", "")
        return solve_puzzle(puzzle, talk)
    attempt = solve_puzzle(puzzle, talk, before, save)
    if attempt.is_over:
        talk.tell("", *share_lines(head, attempt, in_a_row()))
    if attempt.is_solved and (best := streak.best) > in_a_row() > 0:
        talk.note(f"(Your longest streak: {best} days.)")
    return attempt


def random_puzzles(
    note: Callable[[str], None],
    kinds: Sequence[type[Game]],
    chosen: Mapping[str, str],
    difficulty: str,
    chance: Random,
) -> Iterator[Puzzle]:
    """Yield puzzles of these games with these options, without end."""
    while True:
        with Progress("Looking for a puzzle"):
            found = find_puzzle(kinds, chosen, difficulty, chance)
        if found.difficulty != difficulty:
            note(f"(No {difficulty} puzzle was found here. This is the nearest.)")
        yield found


class _Solving:
    """A player at one puzzle."""

    def __init__(self, puzzle: Puzzle, talk: Talk, before: Attempt, save: Save) -> None:
        self.puzzle = puzzle
        self.position: Position = puzzle.position
        self.game = self.position.game
        self.talk = talk
        self.attempt = before
        self.save = save
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
        """Try a move: right, or refuted on the board."""
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
            self.talk.say("", "Try again:", *own, "")
        else:
            look = " (board shows the puzzle.)" if self.talk.interactive else ""
            self.talk.tell(f"Take it back and try again.{look}")

    def _now(self, attempt: Attempt) -> None:
        self.attempt = attempt
        self.save(attempt)

    def _drawn(self, position: Position) -> list[str]:
        return draw(position, self.talk.style, *self.talk.size)
