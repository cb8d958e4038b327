"""What models have answered, by kind, and what that came to: tokens and money."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from duels.lab.arena.folder import read_amount, read_count
from duels.match.players.llm import Exchange


@dataclass(frozen=True)
class Usage:
    """What a model has answered in a match, or to a question."""

    answers: Mapping[str, int] = field(default_factory=dict)
    tokens_in: int = 0
    tokens_out: int = 0
    uncounted: int = 0
    """Answers whose tokens the server has not counted."""
    cost: float | None = None

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    def __add__(self, more: Usage) -> Usage:
        costs = [cost for cost in (self.cost, more.cost) if cost is not None]
        return Usage(
            Counter(self.answers) + Counter(more.answers),
            self.tokens_in + more.tokens_in,
            self.tokens_out + more.tokens_out,
            self.uncounted + more.uncounted,
            round(sum(costs), 8) if costs else None,
        )


NOTHING = Usage()
Usages = Mapping[int, Usage]
"""By player, for those who are models."""


def total(usages: Iterable[Usages]) -> dict[int, Usage]:
    """What several runs of the same match came to."""
    totals: dict[int, Usage] = {}
    for usage in usages:
        for player, used in usage.items():
            totals[player] = totals.get(player, NOTHING) + used
    return totals


def usage_of(exchange: Exchange) -> Usage:
    """What one answer came to; ValueError if no answer does."""
    return Usage(
        answers={exchange["kind"]: 1},
        tokens_in=read_count(exchange["tokens_in"] or 0),
        tokens_out=read_count(exchange["tokens_out"] or 0),
        uncounted=exchange["tokens_in"] is None,
        cost=read_amount(exchange["cost"]),
    )
