"""The daily puzzles of the person here: which are solved, in how many tries, and how many in a row.

A day counts when its puzzle is solved on that day, by the clock of this place, before any later
day has counted. So a clock that is set back cannot count a day twice, nor fill a gap, and a puzzle
of another date is kept as solved and counts for nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from duels.coach.puzzles import Attempt
from duels.match.notebook import Notebook


class Streak:
    """What is kept of the daily puzzles, in one small file. What is damaged in it begins anew."""

    def __init__(self, folder: Path | None = None) -> None:
        self.notebook = Notebook("daily", folder)

    def attempt(self, day: date) -> Attempt:
        """How far the person has got with the puzzle of a day."""
        return _read(self.notebook.read().get(day.isoformat())) or Attempt()

    def keep(self, day: date, attempt: Attempt, today: date) -> None:
        """Write down how far it has got; OSError if that cannot be done."""
        counted = self._counted()
        data = attempt._asdict() | {"counts": counts(day, attempt, today, counted)}
        self.notebook.note(**{day.isoformat(): data})

    def current(self, today: date) -> int:
        return in_a_row(self._counted(), today)

    @property
    def best(self) -> int:
        return most_in_a_row(self._counted())

    def _counted(self) -> list[date]:
        """The days that count."""
        found = []
        for written, data in self.notebook.read().items():
            if _read(data) and data.get("counts") is True:
                with suppress(ValueError):
                    found.append(date.fromisoformat(written))
        return found


def counts(day: date, attempt: Attempt, today: date, counted: Collection[date]) -> bool:
    """Whether a day counts, as the first time or as before."""
    is_new = attempt.is_solved and day == today and day > max(counted, default=date.min)
    return is_new or day in counted


def in_a_row(counted: Iterable[date], today: date) -> int:
    """Days in a row up to today, or up to yesterday as long as today is not over."""
    *_, (last, length) = [(date.min, 0), *_runs(counted)]
    return length if today - last <= timedelta(days=1) else 0


def most_in_a_row(counted: Iterable[date]) -> int:
    """The most days in a row there ever were."""
    return max((length for _, length in _runs(counted)), default=0)


def _runs(counted: Iterable[date]) -> Iterator[tuple[date, int]]:
    """Each day that counts, and how many days in a row it is the last of."""
    before, length = None, 0
    for day in sorted({*counted}):
        length = length + 1 if before and day - before == timedelta(days=1) else 1
        yield day, length
        before = day


def share_lines(headline: str, attempt: Attempt, streak: int = 0) -> list[str]:
    """Two lines to show to others, which do not tell the answer."""
    tries = _plural(attempt.tries, "try", "tries")
    if not attempt.is_solved:
        return [headline, f"Not solved, after {tries}" if attempt.tries else "Not solved"]
    helped = f" with {_plural(attempt.hints, 'hint', 'hints')}" if attempt.hints else ""
    row = f", {streak} days in a row" if streak > 1 else ""
    return [headline, f"Solved in {tries}{helped}{row}"]


def _plural(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"


def _read(data: Any) -> Attempt | None:
    """An attempt from plain data; None if it is not one in every part."""
    if not isinstance(data, dict):
        return None
    values: list[Any] = [data.get(name) for name in Attempt._fields]
    if [*map(type, values)] != [int, int, bool, bool] or min(values) < 0:
        return None
    return Attempt(*values)
