"""Number Line Duel: cross out one number, or two that stand next to each other."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from operator import index
from typing import ClassVar

from duels.core.bits import members, up_to
from duels.core.errors import IllegalMove, UnreadableMove
from duels.core.game import Move, OptionValue, Outcome, other
from duels.core.words import LONGEST_NUMBER, listed, quoted
from duels.games.options import read_whole, shown

_TYPED = re.compile(r"(-?\d+)(?:\s*[\s,-]\s*(-?\d+))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class LinePosition:
    """The numbers not yet crossed out, as a bit set, and whose turn it is."""

    game: NumberLineDuel
    free: int
    to_move: int = 1
    moves: tuple[Move, ...] = field(default=(), compare=False)

    def __repr__(self) -> str:
        return f"<{self.game.id} after {self.moves}>"

    @property
    def pairs(self) -> int:
        """The bit set of every number that is free together with the next one."""
        return self.free & self.free >> 1

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        pairs = set(members(self.pairs))
        moves: list[Move] = []
        for number in members(self.free):
            moves.append(number)
            if number in pairs:
                moves.append((number, number + 1))
        return tuple(moves)

    @property
    def outcome(self) -> Outcome | None:
        return None if self.free else Outcome(other(self.to_move), "no-moves")

    def play(self, move: Move) -> LinePosition:
        low, *more = numbers = _numbers_of(move)
        firsts = self.pairs if more else self.free
        if low < 1 or not firsts >> low & 1 or more not in ([], [low + 1]):
            raise IllegalMove(self._refusal(numbers))
        crossed = sum(1 << number for number in numbers)
        played = (low, low + 1) if more else low
        return LinePosition(
            self.game, self.free ^ crossed, other(self.to_move), (*self.moves, played)
        )

    def _refusal(self, numbers: list[int]) -> str:
        """Which rule forbids crossing out `numbers` here."""
        if self.outcome:
            return "The game is over."
        for number in numbers:
            if not 1 <= number <= self.game.numbers:
                return f"{shown(number)} is not on the line: it goes from 1 to {self.game.numbers}."
            if not self.free >> number & 1:
                return f"{number} is crossed out already."
        return f"{listed(numbers)} are not neighbours on the line."


@dataclass(frozen=True)
class NumberLineDuel:
    """Cross out one number or two neighbours of 1..numbers; who crosses out the last one wins."""

    id: ClassVar[str] = "number-line-duel"
    title: ClassVar[str] = "Number Line Duel"
    summary: ClassVar[str] = "Cross out one number or two neighbours; take the last."
    most: ClassVar[int] = 1_000_000
    numbers: int = 10

    def __post_init__(self) -> None:
        object.__setattr__(self, "numbers", read_whole("numbers", self.numbers, 1, self.most))

    @property
    def options(self) -> dict[str, OptionValue]:
        return {"numbers": self.numbers}

    def start(self) -> LinePosition:
        return LinePosition(self, up_to(self.numbers))

    def parse(self, text: str) -> Move:
        typed = _TYPED.fullmatch(text.strip()) if len(text) < LONGEST_NUMBER else None
        if not typed:
            raise UnreadableMove(
                f"{quoted(text.strip())} is not one number or two neighbours, like 5 or 5 6."
            )
        low, *more = sorted(int(number) for number in typed.groups() if number)
        return (low, more[0]) if more else low

    def format(self, move: Move) -> str:
        return f"{move[0]}-{move[1]}" if isinstance(move, tuple) else str(move)


def _numbers_of(move: Move) -> list[int]:
    """The one or two numbers that a move crosses out, in increasing order."""
    numbers = move if isinstance(move, tuple | list) else (move,)
    try:
        if 1 <= len(numbers) <= 2:
            return sorted(map(index, numbers))
    except TypeError:
        pass
    raise UnreadableMove(f"{quoted(move)} is not a number or a pair of numbers.")
