"""The puzzle of the day: from the date alone, the same on every machine and in every version.

Frozen. The only chance is a hash of the series and the date; what is asked of the theory is exact,
so that no better theory can change an answer. Not from set-ups, levels or the difficulty code, and
not by Python's `random`. A change of what a date gives needs another `SERIES`.
"""

from __future__ import annotations

from datetime import date
from hashlib import sha256

from duels.coach.puzzles import Puzzle
from duels.core.errors import DuelsError, OptionError
from duels.core.game import Move, Position
from duels.core.words import quoted
from duels.games import game
from duels.games.daily import WEEK, Day
from duels.theory import theory_of, winning_moves

SERIES = "number-duels-1"
MOST_GAMES = 20_000
"""Games of chance that are played to find a puzzle. In the series some hundred are enough."""


def daily_puzzle(day: date) -> Puzzle:
    """The puzzle of a date: exactly one move wins."""
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
    raise DuelsError(f"There is no puzzle of {day.isoformat()}.")


def headline(puzzle: Puzzle) -> str:
    """The puzzle of a day in a line that tells nothing of it."""
    return f"Number Duels {puzzle.id}: {puzzle.position.game.title}, {puzzle.difficulty}"


def read_day(text: str) -> date:
    """A date as it is written, 2027-01-31; OptionError if it is none."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise OptionError(f"{quoted(text)} is not a date like 2027-01-31.")
    return day


class _Chance:
    """Numbers that follow from a date."""

    def __init__(self, day: date) -> None:
        self.day = day.isoformat()
        self.drawn = 0

    def below(self, count: int) -> int:
        """The next number from 0 to below `count`."""
        self.drawn += 1
        digest = sha256(f"{SERIES} {self.day} {self.drawn}".encode()).digest()
        return int.from_bytes(digest, "big") % count


def _right_move(position: Position, week: Day) -> tuple[Move, ...]:
    """The only winning move, if the position is what the weekday asks for."""
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
    """1 if the move wins at once, 2 if the one after it does whatever is answered, else 3."""
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
