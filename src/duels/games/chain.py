"""The family of the three chain games: each number must suit the one before it.

Number Duel, Sequence Duel and Number Chain Duel differ in their criteria, their size and their
opening; who may play what, and when it ends, is here.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from operator import index
from typing import ClassVar, NamedTuple

from duels.core.bits import members, up_to
from duels.core.errors import IllegalMove, UnreadableMove
from duels.core.game import Move, OptionValue, Outcome, other
from duels.core.words import listed, quoted, whole_number
from duels.games.criteria import CRITERIA, Criterion
from duels.games.options import read_whole, shown

MEMORY = 2**29
"""How many bits of neighbourhoods one game keeps at most."""


class ChainPosition(NamedTuple):
    """The unused numbers as a bit set, the last number, and which of the unused may follow it.

    A tuple and not a dataclass, because making one is most of the cost of a move.
    """

    game: ChainGame
    unused: int
    last: int
    legal: int
    moves: tuple[Move, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ChainPosition) and self[:3] == other[:3]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[1:3])

    def __repr__(self) -> str:
        return f"<{self.game.id} after {self.moves}>"

    @property
    def to_move(self) -> int:
        return 1 + len(self.moves) % 2

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        return members(self.legal)

    @property
    def outcome(self) -> Outcome | None:
        return None if self.legal else Outcome(other(self.to_move), "no-moves")

    def play(self, move: Move) -> ChainPosition:
        try:
            number = index(move)  # type: ignore[arg-type]
        except TypeError:
            raise UnreadableMove(f"{quoted(move)} is not a number.") from None
        if number < 1 or not self.legal >> number & 1:
            raise IllegalMove(self._refusal(number))
        game = self.game
        unused = self.unused ^ 1 << number
        legal = unused & game.neighbours[number]
        return ChainPosition(game, unused, number, legal, (*self.moves, number))

    def _refusal(self, number: int) -> str:
        """Which rule forbids `number` here."""
        game = self.game
        if self.outcome:
            return "The game is over."
        if not 1 <= number <= game.numbers:
            return f"{shown(number)} is not on the board: the numbers go from 1 to {game.numbers}."
        if not self.unused >> number & 1:
            return f"{number} has been used already."
        if not self.last:
            return game.opening_rule.format(number)
        unmet = [criterion.unmet for criterion in game.rules]
        reasons = [words.format("it" if n else self.last) for n, words in enumerate(unmet)]
        return f"{number} {listed(reasons)}."


@dataclass(frozen=True)
class ChainGame:
    """Numbers 1..numbers, each used once, each meeting a criterion against the one before."""

    id: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    most: ClassVar[int] = 1_000_000
    opening_rule: ClassVar[str] = "{} cannot open the game."
    numbers: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "numbers", read_whole("numbers", self.numbers, 1, self.most))

    @property
    def options(self) -> dict[str, OptionValue]:
        return {option.name: getattr(self, option.name) for option in fields(self)}

    def __getstate__(self) -> dict[str, OptionValue]:
        """A game travels to another process as its options; the rest is worked out there."""
        return self.options

    @property
    def rules(self) -> tuple[Criterion, ...]:
        """The criteria; a number must meet at least one of them."""
        return (CRITERIA["factor"],)

    @cached_property
    def neighbours(self) -> Neighbours:
        """By number: the bit set of the numbers that may follow it."""
        return Neighbours(self)

    @property
    def openings(self) -> int:
        """The bit set of the numbers that may be played first."""
        return up_to(self.numbers)

    def start(self) -> ChainPosition:
        return ChainPosition(self, up_to(self.numbers), 0, self.openings, ())

    def parse(self, text: str) -> Move:
        number = whole_number(text)
        if number is None:
            raise UnreadableMove(f"{quoted(text.strip())} is not a whole number.")
        return number

    def format(self, move: Move) -> str:
        return str(move)


class Neighbours(dict[int, int]):
    """Neighbourhoods worked out when first asked for, so that play pays only for what it visits."""

    def __init__(self, game: ChainGame) -> None:
        self._rules = [criterion.neighbours for criterion in game.rules]
        self._highest = game.numbers
        self._room = max(16, MEMORY // game.numbers)

    def __missing__(self, number: int) -> int:
        bits = 0
        for neighbours in self._rules:
            bits |= neighbours(number, self._highest)
        if len(self) >= self._room:
            self.clear()
        self[number] = bits = bits & ~(1 << number)
        return bits
