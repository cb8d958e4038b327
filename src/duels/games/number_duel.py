"""Number Duel: each number is a factor or multiple of the last, or shares a digit with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from duels.core.errors import OptionError
from duels.core.words import listed, quoted
from duels.games.chain import ChainGame
from duels.games.criteria import CRITERIA, Criterion


@dataclass(frozen=True)
class NumberDuel(ChainGame):
    """Pick an unused number that meets a criterion against the last one; who cannot, loses."""

    id: ClassVar[str] = "number-duel"
    title: ClassVar[str] = "Number Duel"
    summary: ClassVar[str] = "Pick a factor or a multiple, or share a digit."
    most: ClassVar[int] = 10_000
    numbers: int = 100
    criteria: str = "factor,digit"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "criteria", read_criteria(self.criteria))

    @cached_property
    def rules(self) -> tuple[Criterion, ...]:
        return tuple(CRITERIA[name] for name in self.criteria.split(","))


def read_criteria(value: str | Iterable[str]) -> str:
    """Names of criteria, in any order, as "factor,digit" in the order of the table."""
    if not isinstance(value, str | list | tuple | set):
        raise OptionError(f"criteria must be names joined by commas, not {quoted(value)}.")
    names = value.split(",") if isinstance(value, str) else list(value)
    wanted = {str(name).strip().lower() for name in names} - {""}
    for name in sorted(wanted - CRITERIA.keys()):
        raise OptionError(f"criteria may be {listed(list(CRITERIA))}; there is no {quoted(name)}.")
    if not wanted:
        raise OptionError(f"criteria needs at least one of {listed(list(CRITERIA))}.")
    return ",".join(name for name in CRITERIA if name in wanted)
