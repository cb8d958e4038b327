"""Puzzles as plain text: find a winning move, see a wrong one refuted, and try again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

from duels.coach.daily import Streak, daily_puzzle, headline, share_lines
from duels.coach.hints import Hint, puzzle_hints
from duels.coach.puzzles import Attempt, Puzzle, Tried, find_puzzle, give_up, question, try_move
from duels.core.console import Progress
from duels.core.errors import DuelsError
from duels.core.game import Game, Position
from duels.core.look import MARKS
from duels.core.words import listed
from duels.terminal.drawing import draw
from duels.terminal.talk import GIVING_UP, QUITTING, Talk
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
    **dict.fromkeys(GIVING_UP, "give_up"),
    **dict.fromkeys((*QUITTING, "back"), "quit"),
}
"""What a player may type instead of a move, and what it means."""
HELP = "Type your move; or hint, moves, board, rules, give up, quit."
BELOW_BOARD = 8
"""Rows that the response to a wrong move takes besides two boards."""


class Solving:
    """One player's attempt at a puzzle, without input or output; the app and transcript show it.

    With a day it is the puzzle of that day: the attempt continues, and every change is saved.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        warn: Callable[[str], None],
        day: date | None = None,
        folder: Path | None = None,
    ) -> None:
        self.puzzle = puzzle
        self.attempt = Attempt()
        self.earlier: list[str] = []
        """The result of that day to share, if the puzzle is being solved again."""
        self._warn, self._day, self._today = warn, day, date.today()
        self._streak = Streak(folder)
        self._stages: list[Hint] = []
        self._given = 0
        before = self._streak.attempt(day) if day else Attempt()
        if before.is_over:
            self.earlier, self._day = self._shared(before), None
        else:
            self.attempt = before

    def try_move(self, typed: str) -> Tried:
        """Try a move; DuelsError if it cannot be read or is illegal."""
        tried = try_move(self.puzzle, typed)
        self._change(tries=self.attempt.tries + 1, is_solved=tried.is_right)
        return tried

    @property
    def about(self) -> list[str]:
        """The game's summary; [] if any option but the size differs from its default."""
        game = self.puzzle.position.game
        is_usual = all(
            option.is_size or game.options[name] == option.default
            for name, option in type(game).fields.items()
        )
        return [game.summary] if is_usual else []

    @property
    def last_move(self) -> str:
        """What the opponent did last, as a sentence with a trailing space; "" at the start."""
        game, moves = self.puzzle.position.game, self.puzzle.position.moves
        return f"They {game.verb.did} {game.in_words(moves[-1])}. " if moves else ""

    @property
    def hint(self) -> Hint | None:
        """The last hint that was given."""
        return self._stages[self._given - 1] if self._given else None

    def next_hint(self) -> tuple[Hint, bool]:
        """Return the next hint, and whether there are more."""
        stages = self._stages = self._stages or puzzle_hints(self.puzzle.position)
        if self._given < len(stages):
            self._given += 1
            self._change(hints=self.attempt.hints + 1)
        return stages[self._given - 1], self._given < len(stages)

    def give_up(self) -> str:
        """Return the solution."""
        self._change(gave_up=True)
        return give_up(self.puzzle)

    @property
    def result(self) -> list[str]:
        """What to share when the puzzle of a day is over; [] for any other puzzle."""
        return self._shared(self.attempt) if self._day and self.attempt.is_over else []

    @property
    def longest_streak(self) -> int:
        """The longest streak in days if the current one is shorter, otherwise 0."""
        best = self._streak.best
        return best if self.attempt.is_solved and best > self._in_a_row() > 0 else 0

    def _in_a_row(self) -> int:
        return self._streak.current(self._today) if self._day == self._today else 0

    def _shared(self, attempt: Attempt) -> list[str]:
        return [*share_lines(headline(self.puzzle), attempt, self._in_a_row())]

    def _change(self, **changed: Any) -> None:
        self.attempt = self.attempt._replace(**changed)
        if self._day:
            try:
                self._streak.keep(self._day, self.attempt, self._today)
            except OSError as error:
                self._warn(f"Your result cannot be saved: {error.strerror}.")


def solve_puzzle(puzzle: Puzzle, talk: Talk) -> Attempt:
    """Ask until the puzzle is solved or the player stops."""
    return _Transcript(Solving(puzzle, talk.note), talk).run()


def solve_daily(talk: Talk, day: date) -> Attempt:
    """Solve the puzzle of a day, and save the streak."""
    solving = Solving(daily_puzzle(day), lambda said: talk.note(f"({said})"), day)
    if solving.earlier:
        talk.tell(*solving.earlier, "", "Here it is again.", "")
    attempt = _Transcript(solving, talk).run()
    if solving.result:
        talk.tell("", *solving.result)
    if longest := solving.longest_streak:
        talk.note(f"(Your longest streak: {longest} days.)")
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
            note(f"(No {difficulty} puzzle was found. This one comes closest.)")
        yield found


class _Transcript:
    """A puzzle as plain text."""

    def __init__(self, solving: Solving, talk: Talk) -> None:
        self.solving, self.talk = solving, talk
        self.puzzle, self.position = solving.puzzle, solving.puzzle.position
        self.game = self.position.game

    def run(self) -> Attempt:
        self._introduce()
        while not self.solving.attempt.is_over:
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
        return self.solving.attempt

    def _introduce(self) -> None:
        puzzle, game = self.puzzle, self.game
        title = f"{game_in_words(game)}, {puzzle.difficulty}."
        self.talk.tell(f"{title} {puzzle.source}".rstrip(), *self.solving.about)
        self._board()
        self._moves()
        self.talk.tell(f"{question(puzzle)} (Or type hint, give up, help.)")

    def _help(self) -> None:
        self.talk.tell(HELP)

    def _hint(self) -> None:
        hint, has_more = self.solving.next_hint()
        self.talk.tell(hint.text)
        if has_more:
            self.talk.tell("(Type hint again for more.)")

    def _board(self) -> None:
        self.talk.say("", *self._drawn(self.position), "")

    def _moves(self) -> None:
        mark, do, last = MARKS[self.position.to_move], self.game.verb.do, self.solving.last_move
        written = [self.game.format(move) for move in self.position.legal_moves]
        self.talk.tell(f"{last}You are {mark}, and may {do} {listed(written, 'or')}.")

    def _rules(self) -> None:
        self.talk.say(*rules_lines(type(self.game), self.talk.size.columns))

    def _give_up(self) -> None:
        self.talk.tell(self.solving.give_up())

    def _try(self, typed: str) -> None:
        """Try a move: right, or refuted on the board."""
        try:
            tried = self.solving.try_move(typed)
        except DuelsError as error:
            self.talk.tell(f"{error} {HELP}")
            return
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
            look = " (Type board to see the puzzle again.)" if self.talk.interactive else ""
            self.talk.tell(f"Take it back and try again.{look}")

    def _drawn(self, position: Position) -> list[str]:
        return draw(position, self.talk.style, *self.talk.size).lines
