"""The puzzle of the day, which follows from the date alone, and a person's streak.

`daily_puzzle` is frozen: it gives the same on every machine and in every version. Its only chance
is a hash of the series and the date, and it asks the theory only what is exact. It uses no set-up,
level or measured difficulty, nor Python's `random`. A change of any date's puzzle needs another
`SERIES`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from duels.coach.puzzles import Attempt, Puzzle
from duels.core.errors import DuelsError, OptionError
from duels.core.game import Move, Position
from duels.core.words import quoted
from duels.games import game
from duels.games.daily import WEEK, Day
from duels.match.saved_games import Notebook
from duels.theory import theory_of, winning_moves

SERIES = "number-duels-1"
MOST_GAMES = 20_000
"""How many random games are played to find a puzzle; a few hundred are always enough."""


def daily_puzzle(day: date) -> Puzzle:
    """Return the puzzle of a date, in which exactly one move wins."""
    chance, kinds = _Chance(day), WEEK[day.weekday()]
    week = kinds[chance.below(len(kinds))]
    boards = [game(week.game, **options) for options in week.boards]
    for _ in range(MOST_GAMES):
        position = boards[chance.below(len(boards))].start()
        while not position.outcome:
            if right := _right_move(position, week):
                source = f"The puzzle of {day.isoformat()}."
                return Puzzle(position, right, week.difficulty, None, source, day.isoformat())
            moves = position.legal_moves
            position = position.play(moves[chance.below(len(moves))])
    raise DuelsError(f"There is no puzzle for {day.isoformat()}.")


def headline(puzzle: Puzzle) -> str:
    """Return a line about the puzzle that does not give anything away."""
    return f"Number Duels {puzzle.id}: {puzzle.position.game.title}, {puzzle.difficulty}"


def read_day(text: str) -> date:
    """Return the date of a text like 2027-01-31; OptionError if it is none."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise OptionError(f"{quoted(text)} is not a date like 2027-01-31.")
    return day


class _Chance:
    """Random numbers that follow from a date."""

    def __init__(self, day: date) -> None:
        self.day = day.isoformat()
        self.drawn = 0

    def below(self, count: int) -> int:
        """Return the next number from 0 up to, not including, `count`."""
        self.drawn += 1
        digest = sha256(f"{SERIES} {self.day} {self.drawn}".encode()).digest()
        return int.from_bytes(digest, "big") % count


def _right_move(position: Position, week: Day) -> tuple[Move, ...]:
    """Return the only winning move, or () if the position does not suit the weekday."""
    if len(position.moves) < week.played or not _is_within(position.legal_count, week.legal):
        return ()
    if week.sight[0] > 1 and _ends(position):  # then one of the winning moves is too near
        return ()
    winning = winning_moves(position)
    if len(winning) != 1 or not _is_within(_sight(position, winning[0]), week.sight):
        return ()
    wrong = [position.play(move) for move in position.legal_moves if move not in winning]
    traps = sum(not after.outcome and not _ends(after) for after in wrong)
    return winning if _is_within(traps, week.traps) else ()


def _sight(position: Position, right: Move) -> int:
    """Return 1 if the move wins at once, 2 if the next one does after any reply, else 3."""
    after = position.play(right)
    if after.outcome:
        return 1
    answered = (after.play(answer) for answer in after.legal_moves)
    return 2 if all(here.outcome or _ends(here) for here in answered) else 3


def _ends(position: Position) -> bool:
    """Whether the player to move can win at once."""
    return bool(theory_of(position).wins_at_once(position))


def _is_within(number: int, bounds: tuple[int, int]) -> bool:
    low, high = bounds
    return low <= number <= high


# The streak


class Streak:
    """A person's daily puzzles, in a notebook: solved, in how many tries, how many in a row.

    A day counts if its puzzle is solved on that day, by the local clock, before any later day has
    counted. So a clock that is set back cannot count a day twice or fill a gap, and the puzzle of
    another date is saved as solved without counting.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.notebook = Notebook("daily", folder)

    def attempt(self, day: date) -> Attempt:
        """Return the person's progress with the puzzle of a day."""
        return _read(self.notebook.read().get(day.isoformat())) or Attempt()

    def keep(self, day: date, attempt: Attempt, today: date) -> None:
        """Save the progress with the puzzle of a day; OSError if that fails."""
        counted = self._counted()
        data = attempt._asdict() | {"counts": counts(day, attempt, today, counted)}
        self.notebook.note(**{day.isoformat(): data})

    def current(self, today: date) -> int:
        return in_a_row(self._counted(), today)

    @property
    def best(self) -> int:
        return most_in_a_row(self._counted())

    def _counted(self) -> list[date]:
        """Return the days that count."""
        found = []
        for written, data in self.notebook.read().items():
            if _read(data) and data.get("counts") is True:
                with suppress(ValueError):
                    found.append(date.fromisoformat(written))
        return found


def counts(day: date, attempt: Attempt, today: date, counted: Collection[date]) -> bool:
    """Whether a day counts, now or already."""
    is_new = attempt.is_solved and day == today and day > max(counted, default=date.min)
    return is_new or day in counted


def in_a_row(counted: Iterable[date], today: date) -> int:
    """Return the days in a row up to today, or to yesterday while today is not over."""
    *_, (last, length) = [(date.min, 0), *_runs(counted)]
    return length if today - last <= timedelta(days=1) else 0


def most_in_a_row(counted: Iterable[date]) -> int:
    """Return the longest row of days."""
    return max((length for _, length in _runs(counted)), default=0)


def _runs(counted: Iterable[date]) -> Iterator[tuple[date, int]]:
    """Yield each day that counts with the length of the row that ends with it."""
    before, length = None, 0
    for day in sorted({*counted}):
        length = length + 1 if before and day - before == timedelta(days=1) else 1
        yield day, length
        before = day


def streak_words(row: int, most: int) -> str:
    """Say how many days in a row it is, and how many it has been at most."""
    if not row:
        now = "One puzzle a day, the same for everyone."
    else:
        now = f"A streak of {_plural(row, 'day', 'days')}."
    return f"{now} The most so far: {most}." if most > row else now


def share_lines(headline: str, attempt: Attempt, streak: int = 0) -> list[str]:
    """Return two lines to share, which do not give the answer away."""
    tries = _plural(attempt.tries, "try", "tries")
    if not attempt.is_solved:
        return [headline, f"Not solved, after {tries}" if attempt.tries else "Not solved"]
    helped = f" with {_plural(attempt.hints, 'hint', 'hints')}" if attempt.hints else ""
    row = f", {streak} days in a row" if streak > 1 else ""
    return [headline, f"Solved in {tries}{helped}{row}"]


Square = Literal["wrong", "hint", "solved", "unsolved"]
MOST_SQUARES = 8
"""Of each kind."""


def squares(attempt: Attempt) -> list[Square]:
    """Return a square for each wrong try and each hint, and one for the end: nothing to spoil."""
    wrong: list[Square] = ["wrong"] * min(attempt.tries - attempt.is_solved, MOST_SQUARES)
    hints: list[Square] = ["hint"] * min(attempt.hints, MOST_SQUARES)
    return [*wrong, *hints, "solved" if attempt.is_solved else "unsolved"]


def _plural(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"


def _read(data: Any) -> Attempt | None:
    """Return an attempt from plain data; None if any part of it is wrong."""
    if not isinstance(data, dict):
        return None
    values: list[Any] = [data.get(name) for name in Attempt._fields]
    if [*map(type, values)] != [int, int, bool, bool] or min(values) < 0:
        return None
    return Attempt(*values)
