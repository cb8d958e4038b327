"""Sequence Duel: remove a factor or a multiple of the number removed before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from duels.core.bits import bit_set, up_to
from duels.core.errors import OptionError
from duels.games.chain import ChainGame
from duels.games.options import read_choice

OPENINGS = ("any", "even")


@dataclass(frozen=True)
class SequenceDuel(ChainGame):
    """Remove factors and multiples from 1..numbers; with the even opening it is Juniper Green."""

    id: ClassVar[str] = "sequence-duel"
    title: ClassVar[str] = "Sequence Duel"
    summary: ClassVar[str] = "Remove factors and multiples until nothing fits."
    opening_rule: ClassVar[str] = "{} is odd, and the first number must be even."
    numbers: int = 20
    opening: str = "any"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "opening", read_choice("opening", self.opening, OPENINGS))
        if self.opening == "even" and self.numbers < 2:
            raise OptionError("An even opening needs numbers of 2 or more.")

    @property
    def openings(self) -> int:
        if self.opening == "any":
            return up_to(self.numbers)
        return bit_set(range(2, self.numbers + 1, 2))
