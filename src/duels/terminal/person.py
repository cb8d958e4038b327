"""What the menu remembers of the person at this terminal."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from duels.core.errors import MatchError
from duels.match.match import DEFAULT_NAMES
from duels.match.notebook import Notebook
from duels.match.players.levels import BUILT_IN, strength_of
from duels.match.strengths import AUTO
from duels.terminal.sides import read_sides

SUBJECT = "menu"


class Person(NamedTuple):
    """Their name and that of a friend beside them, which computer they play, and which game."""

    name: str = DEFAULT_NAMES[0]
    friend: str = DEFAULT_NAMES[1]
    opponent: str = AUTO
    game: str = ""


def remembered(folder: Path) -> Person:
    """The person as they were last; what makes no sense is as if nothing were known."""
    data = Notebook(SUBJECT, folder).read()
    texts = {n: text for n in Person._fields if (text := data.get(n)) and isinstance(text, str)}
    known = Person()._replace(**texts)
    try:
        (name, _), (friend, _) = read_sides((known.name, known.friend))
    except MatchError:
        name, friend = DEFAULT_NAMES
    opponent = known.opponent if is_built_in(known.opponent) else AUTO
    return Person(name, friend, opponent, known.game)


def remember(person: Person, folder: Path) -> None:
    """Keep it for the next time, if it can be written."""
    with suppress(OSError):
        Notebook(SUBJECT, folder).note(**person._asdict())


def is_built_in(opponent: str) -> bool:
    """Whether it is one of our computers: no program is ever started because of a file."""
    return opponent in (*BUILT_IN, AUTO) or strength_of(opponent) is not None
