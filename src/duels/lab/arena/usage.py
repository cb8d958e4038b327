"""What models answered and what it cost: usage, budgets, and answers of unfinished matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from duels.core.errors import DAMAGED, DuelsError
from duels.core.files import append_to
from duels.lab.results_folder import Amount, Count, Data, ResultsFolder, as_bytes, json_lines
from duels.match.players.llm import ANSWERS, UNANSWERED, Exchange

UNDER_WAY = "under_way"
"""The folder of the answers in unfinished matches."""


class Usage(Struct, frozen=True):
    """The answers of a model in a match, or to a question, and what they cost."""

    answers: dict[str, Count] = {}
    tokens_in: Count = 0
    tokens_out: Count = 0
    uncounted: Count = 0
    """Answers whose tokens the server did not count."""
    cost: Amount | None = None

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    def __add__(self, more: Usage) -> Usage:
        costs = [cost for cost in (self.cost, more.cost) if cost is not None]
        return Usage(
            dict(Counter(self.answers) + Counter(more.answers)),
            self.tokens_in + more.tokens_in,
            self.tokens_out + more.tokens_out,
            self.uncounted + more.uncounted,
            round(sum(costs), 8) if costs else None,
        )


NOTHING = Usage()
Usages = Mapping[int, Usage]
"""By player, for the models."""


def total(usages: Iterable[Usages]) -> dict[int, Usage]:
    """Return the sum of several usages by player."""
    totals: dict[int, Usage] = {}
    for usage in usages:
        for player, used in usage.items():
            totals[player] = totals.get(player, NOTHING) + used
    return totals


def usage_of(exchange: Exchange) -> Usage:
    """Return the usage of one answer; ValueError if it is damaged."""
    usage = {
        "answers": {exchange["kind"]: 1},
        "tokens_in": exchange["tokens_in"] or 0,
        "tokens_out": exchange["tokens_out"] or 0,
        "uncounted": int(exchange["tokens_in"] is None),
        "cost": exchange["cost"],
    }
    return msgspec.convert(usage, Usage)


class Budget:
    """An amount of money or of tokens, and what was spent of it, earlier runs included.

    What a question will cost nobody knows; it is taken for the mean of those before it. So the
    first is asked alone, and what is under way is counted in.
    """

    def __init__(self, amount: float, *, in_tokens: bool = False) -> None:
        self.amount = amount
        self.in_tokens = in_tokens
        self.spent = 0.0
        self.counted = 0
        self.is_spent = False

    def count(self, used: Usage) -> None:
        """What one question has come to; one without an answer is taken for the mean."""
        if used.tokens:
            self.spent += used.tokens if self.in_tokens else used.cost or 0.0
            self.counted += 1
        elif any(kind not in UNANSWERED for kind in used.answers):
            raise DuelsError("The server does not count tokens: no budget can be kept.")
        elif self.counted:
            self.spent += self.spent / self.counted
            self.counted += 1

    def allows(self, under_way: int) -> bool:
        """Whether one more question may be asked while so many are under way."""
        if not self.counted:
            return under_way == 0
        allowed = self.spent + (under_way + 1) * self.spent / self.counted <= self.amount
        if not allowed and not under_way:
            self.is_spent = True
        return allowed

    @property
    def words(self) -> str:
        unit = " tokens" if self.in_tokens else ""
        return f"{self.spent:,.6g} of {self.amount:,.6g}{unit}"


class UnderWay:
    """The answers of all matches of a results folder that have begun."""

    def __init__(self, folder: ResultsFolder[Any]) -> None:
        self._folder = folder
        self._path = (folder.path / UNDER_WAY).absolute()

    def path(self, match_id: str) -> Path:
        """Where the answers of a match are written; the folder is made if there is none."""
        path = self._folder.writable(f"{UNDER_WAY}/{match_id}.jsonl")
        try:
            path.parent.mkdir(exist_ok=True)
        except OSError as error:
            raise self._folder.error(path.parent, error) from None
        return path.absolute()

    def answers(self, match_id: str) -> list[Exchange]:
        """What was answered so far in a match that has not come to its end."""
        return [*readable(self._folder.lines(f"{UNDER_WAY}/{match_id}.jsonl"))]

    def forget(self, match_id: str) -> None:
        """The match is written down, with these answers."""
        with suppress(OSError):
            (self._path / f"{match_id}.jsonl").unlink()
            self._path.rmdir()  # only the last one succeeds


def write_down(path: str, exchange: Exchange) -> None:
    """Add an answer, from whichever process; a machine of a cluster may not have the folder."""
    with suppress(OSError), append_to(Path(path)) as file:
        file.write(as_bytes(json_lines([exchange])))


def readable(lines: Iterable[Data]) -> Iterator[Exchange]:
    """The lines that say what was asked and answered, as we write them."""
    for line in lines:
        with suppress(*DAMAGED):
            texts = [line["answer"], line["detail"], line["move"]]
            is_sound = (
                line["player"] in (1, 2)
                and line["kind"] in ANSWERS
                and isinstance(line["asked"], list)
                and all(isinstance(one["content"], str) for one in line["asked"])
                and all(isinstance(text, str | None) for text in texts)
            )
            if is_sound and used_in([line]):
                yield line


def used_in(exchanges: Iterable[Exchange]) -> Usages:
    """What these came to, by player."""
    return total({exchange["player"]: usage_of(exchange)} for exchange in exchanges)
