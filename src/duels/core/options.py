"""The options of a game, each declared once, in the field of the game's class.

    stones: int = whole("the stones at the start", default=30, highest=1000, is_size=True)

Flags, questions, forms, engine options, defaults of environments and the atlas all derive from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, field
from types import MappingProxyType
from typing import Any, NamedTuple

from duels.core.errors import OptionError
from duels.core.words import (
    LONGEST_NUMBER,
    closest,
    did_you_mean,
    listed,
    quoted,
    short_number,
    whole_number,
)

OptionValue = int | str
"""The value of an option of a game."""


class Option(NamedTuple):
    """One thing that a game lets you choose: what it is, what it may be, how a value is read."""

    words: str
    """What it is, as a part of a sentence."""
    label: str
    """What stands above it in a form."""
    brief: str
    """A value in a few words, with {} for it; empty where its name is enough."""
    default: OptionValue | None
    """None if the option is required."""
    example: OptionValue
    lowest: int = 1
    highest: int | None = None
    web_highest: int | None = None
    """A narrower bound where every answer has to be quick and every board has to fit a page."""
    choices: Mapping[str, str] = MappingProxyType({})
    """The values of a choice, each with what it means; empty for a whole number."""
    several: bool = False
    """Whether more than one of the choices may hold, joined by commas."""
    is_size: bool = False
    """Whether it is the size of the board: a smaller one is a smaller game."""

    def read(self, name: str, value: object) -> OptionValue:
        """A value given as itself or as text; OptionError if it cannot be one."""
        if self.several:
            return _read_several(name, value, self.choices)
        if self.choices:
            return read_choice(name, value, tuple(self.choices))
        return read_whole(name, value, self.lowest, self.highest)

    def in_words(self, name: str, value: OptionValue) -> str:
        """A value in a few words: "1 to 100", "even opening", "stones 30"."""
        meant = [self.choices[word] for word in str(value).split(",")] if self.several else [value]
        shown = (
            short_number(value, ",") if isinstance(value, int) else ", or ".join(map(str, meant))
        )
        return self.brief.format(shown) if self.brief else f"{name} {shown}"


def whole(
    words: str,
    *,
    default: int | None = None,
    example: int | None = None,
    lowest: int = 1,
    highest: int | None = None,
    web_highest: int | None = None,
    label: str = "",
    brief: str = "",
    is_size: bool = False,
) -> Any:
    """A field for a whole number; without a default it is required and needs an example.

    `highest` bounds it everywhere, `web_highest` in the browser; `is_size` says that it is the
    size of the board.
    """
    shown = default if default is not None else example
    return _field(
        Option(
            words=words,
            label=label or _capital(words),
            brief=brief,
            default=default,
            example=shown if shown is not None else lowest,
            lowest=lowest,
            highest=highest,
            web_highest=web_highest,
            is_size=is_size,
        )
    )


def choice(
    words: str,
    choices: Mapping[str, str],
    *,
    default: str,
    label: str = "",
    brief: str = "{}",
    several: bool = False,
) -> Any:
    """A field for one of a few words, or for several of them; `choices` says what each means."""
    return _field(
        Option(
            words=words,
            label=label or _capital(words),
            brief=brief,
            default=default,
            example=default,
            choices=choices,
            several=several,
        )
    )


def read_whole(name: str, value: object, lowest: int, highest: int | None = None) -> int:
    """The value of a whole-number option, given as a number or as text."""
    number = value if isinstance(value, int) else None
    if isinstance(value, str):
        number = whole_number(value)
        if number is None and len(value) > LONGEST_NUMBER:
            raise OptionError(f"{name} may have at most {LONGEST_NUMBER:,} digits.")
    if number is None or isinstance(value, bool):
        raise OptionError(f"{name} must be a whole number, not {quoted(value)}.")
    if abs(number) >= 10**LONGEST_NUMBER:
        raise OptionError(f"{name} may have at most {LONGEST_NUMBER:,} digits.")
    if number < lowest or (highest is not None and number > highest):
        limits = f"of {lowest} or more" if highest is None else f"from {lowest} to {highest:,}"
        raise OptionError(f"{name} must be a whole number {limits}, not {short_number(number)}.")
    return number


def read_choice(name: str, value: object, choices: tuple[str, ...]) -> str:
    """The value of an option that is one of a few words."""
    word = str(value).strip().lower()
    if word not in choices:
        meant = did_you_mean(closest(word, choices))
        raise OptionError(f"{name} must be {listed(choices, 'or')}, not {quoted(value)}.{meant}")
    return word


def _read_several(name: str, value: object, choices: Iterable[str]) -> str:
    """Some of the choices, in any order, joined by commas in the order of the choices."""
    if not isinstance(value, str | list | tuple | set):
        raise OptionError(f"{name} must be names joined by commas, not {quoted(value)}.")
    known = list(choices)
    given = value.split(",") if isinstance(value, str) else value
    chosen = {str(word).strip().lower() for word in given} - {""}
    for word in sorted(chosen - {*known}):
        meant = did_you_mean(closest(word, known))
        raise OptionError(f"{name} may be {listed(known)}; there is no {quoted(word)}.{meant}")
    if not chosen:
        raise OptionError(f"{name} needs at least one of {listed(known)}.")
    return ",".join(word for word in known if word in chosen)


def _field(option: Option) -> Any:
    default = MISSING if option.default is None else option.default
    return field(default=default, metadata={"option": option})


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
