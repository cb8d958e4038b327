"""Divisor Duel: append digits until the number is divisible."""

from __future__ import annotations

from typing import cast

from duels.core.board import Board, Cell, free_in_words, in_rows
from duels.core.game import Move, Position, Verb
from duels.core.options import SetUp, whole
from duels.core.parts import Parts
from duels.core.states import StateGame, StatePosition
from duels.core.words import listed, short_number

DIGITS = tuple(range(1, 10))

RICH = (12, 13, 14, 18, 21, 27, 36, 54, 63)
"""The divisors from 10 on with which looking one move ahead is not enough (T2 in the theory)."""

DivisorPosition = StatePosition[int]
"""The state is the number made so far; 0 before the first digit."""


class DivisorDuel(StateGame[int]):
    """Append digits: make the number divisible to win; use all nine without that and you lose."""

    id, title = "divisor-duel", "Divisor Duel"
    summary = "Add a digit; make the number divisible and you win."
    verb = Verb("add", "added", "added by")
    move_words = "a digit"
    endings = {"divisible": "the number is divisible", "digits-used": "all digits were used"}  # noqa: RUF012
    sample_size, sample = 7, ("5", "2", "1", "4")
    setups = (
        SetUp(
            "by-12",
            "divide by 12: about 9 moves, the second player wins more often",
            size=12,
            matches=2,
        ),
        SetUp(
            "by-27",
            "divide by 27: about 9 moves, the first player must be clever",
            size=27,
            matches=2,
        ),
    )
    parts = Parts(
        theory="duels.games.digits.theory:DIVISOR",
        checker="duels.games.digits.checker:check_divisor",
        dialogue="duels.games.digits.dialogue:DivisorDuelDialogue",
        picture="duels.games.digits.picture:divisor_svg",
        space="duels.games.digits.environment:DivisorSpace",
        options=("divisor",),
    )
    divisor: int = whole(
        "the number to divide by",
        example=13,
        lowest=2,
        web_highest=10**12,
        label="Divisor",
        brief="divisor {}",
        is_size=True,
    )

    def caution(self) -> str | None:
        if self.divisor in RICH:
            return None
        divisor = short_number(self.divisor)
        if self.divisor in DIGITS:
            return f"With {divisor} the first player can win at once, by adding {divisor}."
        enough = "Player 2 wins unless Player 1 can finish at once: look one move ahead"
        rich = f"{listed(RICH)} make a richer game"
        return f"With {divisor}, {enough}. The divisors {rich}."

    def first(self) -> int:
        return 0

    def allowed(self, state: int) -> tuple[Move, ...]:
        if state and state % self.divisor == 0:
            return ()
        used = str(state)
        return tuple(digit for digit in DIGITS if str(digit) not in used)

    def after(self, state: int, move: int) -> int:
        return 10 * state + move

    def last_mover_wins(self, state: int) -> bool:
        return state % self.divisor == 0

    def ending(self, state: int) -> str:
        return "divisible" if state % self.divisor == 0 else "digits-used"

    def refusal(self, state: int, move: int) -> str:
        if move not in DIGITS:
            return f"{short_number(move)} is not a digit from 1 to 9."
        return f"The digit {move} has been used already."

    def words(self, state: int) -> str:
        left = [str(digit) for digit in DIGITS if str(digit) not in str(state)]
        remainder = f", remainder {state % self.divisor}" if state else ""
        return f"Number: {state or 'none'}{remainder}. {free_in_words(left)}"

    def board(self, position: Position) -> Board:
        """Return the number so far, digit by digit, above the keys of the unused digits."""
        by = {digit: 1 + n % 2 for n, digit in enumerate(position.moves)}
        last = position.moves[-1] if position.moves else None
        keys = [
            Cell(str(d), d, gone=d in by, taken_by=by.get(d, 0), last=d == last) for d in DIGITS
        ]
        caption = self.check_words(cast("DivisorPosition", position).state)
        number = [
            Cell(str(digit), taken_by=1 + n % 2, last=n == len(position.moves) - 1)
            for n, digit in enumerate(position.moves)
        ]
        return Board(in_rows(keys, 3), "keypad", headline=number, caption=caption)

    def check_words(self, state: int) -> str:
        """Say whether a number is divisible, or what the goal is before the first digit."""
        divisor = short_number(self.divisor)
        if not state:
            return f"Make a number that is divisible by {divisor}."
        quotient, remainder = divmod(state, self.divisor)
        if remainder:
            return f"{state} is not divisible by {divisor} (remainder {remainder})."
        return f"{state} is divisible by {divisor} ({state} ÷ {divisor} = {quotient})."

    def all_moves(self) -> tuple[Move, ...]:
        return DIGITS
