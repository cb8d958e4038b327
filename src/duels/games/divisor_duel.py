"""Divisor Duel: put digits side by side until the number divides evenly."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import index
from typing import ClassVar

from duels.core.errors import IllegalMove, UnreadableMove
from duels.core.game import Move, OptionValue, Outcome, other
from duels.core.words import quoted, whole_number
from duels.games.options import read_whole, shown

DIGITS = tuple(range(1, 10))


@dataclass(frozen=True, slots=True)
class DivisorPosition:
    """The number made so far; 0 before the first digit."""

    game: DivisorDuel
    number: int = 0
    moves: tuple[Move, ...] = field(default=(), compare=False)

    def __repr__(self) -> str:
        return f"<{self.game.id} after {self.moves}>"

    @property
    def to_move(self) -> int:
        return 1 + len(self.moves) % 2

    @property
    def remainder(self) -> int:
        """What is left when the number is divided."""
        return self.number % self.game.divisor

    @property
    def pool(self) -> tuple[int, ...]:
        """The digits that nobody has used."""
        return tuple(digit for digit in DIGITS if digit not in self.moves)

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        return () if self._divisible else self.pool

    @property
    def outcome(self) -> Outcome | None:
        last_mover = other(self.to_move)
        if self._divisible:
            return Outcome(last_mover, "divisible")
        if len(self.moves) == len(DIGITS):
            return Outcome(other(last_mover), "digits-used")
        return None

    def play(self, move: Move) -> DivisorPosition:
        try:
            digit = index(move)  # type: ignore[arg-type]
        except TypeError:
            raise UnreadableMove(f"{quoted(move)} is not a digit.") from None
        if digit not in self.legal_moves:
            raise IllegalMove(self._refusal(digit))
        return DivisorPosition(self.game, 10 * self.number + digit, (*self.moves, digit))

    @property
    def _divisible(self) -> bool:
        return self.number > 0 and self.remainder == 0

    def _refusal(self, digit: int) -> str:
        """Which rule forbids `digit` here."""
        if self.outcome:
            return "The game is over."
        if digit not in DIGITS:
            return f"{shown(digit)} is not a digit from 1 to 9."
        return f"The digit {digit} has been used already."


@dataclass(frozen=True)
class DivisorDuel:
    """Append unused digits; making the number divisible wins, using up all nine without loses."""

    id: ClassVar[str] = "divisor-duel"
    title: ClassVar[str] = "Divisor Duel"
    summary: ClassVar[str] = "Add a digit; whoever makes the number divisible wins."
    divisor: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "divisor", read_whole("divisor", self.divisor, 2))

    @property
    def options(self) -> dict[str, OptionValue]:
        return {"divisor": self.divisor}

    def start(self) -> DivisorPosition:
        return DivisorPosition(self)

    def parse(self, text: str) -> Move:
        digit = whole_number(text)
        if digit is None:
            raise UnreadableMove(f"{quoted(text.strip())} is not a digit.")
        return digit

    def format(self, move: Move) -> str:
        return str(move)
