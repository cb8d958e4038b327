"""What the teacher and the pupils of a class can send."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from duels.core.options import OptionValue
from duels.service.reading import FLAG, either, list_of, number, one_of, secret, sent, text, whole
from duels.service.requests import GAME, NAME, OPTION_WORDS, OPTIONS

PUPIL = DEVICE = text(20)
MOST_ROUNDS = 50


@dataclass(frozen=True, kw_only=True)
class Come:
    """Coming into a class; without a name one is made up."""

    name: str | None = sent(NAME, default=None)
    token: str = sent(secret(), "A secret that the device has made; it opens the pupil's boards.")


@dataclass(frozen=True, kw_only=True)
class NewPlan:
    """What the class plays."""

    game: str = sent(GAME)
    options: Mapping[str, OptionValue] = sent(OPTIONS, OPTION_WORDS, default={})
    coach: bool = sent(FLAG, default=True)
    time_limit: float | None = sent(either(number(1, 3600), None), default=None)


@dataclass(frozen=True, kw_only=True)
class Round:
    """The number of the round to begin, one after the last."""

    round: int = sent(whole(1, MOST_ROUNDS))


@dataclass(frozen=True, kw_only=True)
class Pause:
    """Whether the boards stand still."""

    paused: bool = sent(FLAG)


@dataclass(frozen=True, kw_only=True)
class ChangePupil:
    """A new name for a pupil, or their leave, or whether a device that asks is theirs."""

    pupil: str = sent(PUPIL)
    name: str | None = sent(NAME, default=None)
    remove: bool = sent(FLAG, default=False)
    let_in: str | None = sent(either(DEVICE, None), "A device that asks.", default=None)
    refuse: str | None = sent(either(DEVICE, None), "The same.", default=None)


@dataclass(frozen=True, kw_only=True)
class Pairing:
    """Two pupils who wait; an empty one is the computer."""

    pupils: list[str] = sent(list_of(PUPIL, 2, 2))


@dataclass(frozen=True, kw_only=True)
class Ruling:
    """Who has won a game that the teacher ends."""

    match: str = sent(text(20))
    winner: int = sent(one_of(1, 2))


@dataclass(frozen=True, kw_only=True)
class Listening:
    """Who listens to a class: the key that the view of a teacher or a pupil names."""

    key: str = sent(text(100), "With the teacher's the boards are told too.", default="")
