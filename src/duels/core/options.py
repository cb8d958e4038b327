"""The options of a game, each declared once as a field of its class, and its set-ups.

    stones: int = whole("the stones at the start", default=30, highest=1000, is_size=True)

Flags, questions, forms, engine options, environments and the atlas are derived from it. A set-up is
a named choice of options that makes a good game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from duels.core.errors import OptionError, OptionNameError
from duels.core.parts import is_ours
from duels.core.words import (
    LONGEST_NUMBER,
    capital,
    closest,
    did_you_mean,
    listed,
    quoted,
    short_number,
    whole_number,
)

if TYPE_CHECKING:
    from duels.core.game import Game

OptionValue = int | str
"""The value of an option of a game."""


class Option(NamedTuple):
    """One option of a game: its words, its bounds or choices, and how a value is read."""

    words: str
    """What it is, as part of a sentence."""
    label: str
    """Its label in a form."""
    brief: str
    """A value in a few words, with {} in its place: "{} high"; empty to use the option's name."""
    default: OptionValue | None
    """None if the option is required."""
    example: OptionValue
    lowest: int = 1
    highest: int | None = None
    web_highest: int | None = None
    """A lower maximum for pages, where responses must be quick and boards must fit."""
    solve_highest: int | None = None
    """A higher maximum for solving and checking; a board beyond `highest` cannot be played on."""
    choices: Mapping[str, str] = MappingProxyType({})
    """The choices, each with its meaning; empty for a whole number."""
    several: bool = False
    """Whether several choices can be combined, separated by commas."""
    is_size: bool = False
    """Whether it is the size of the board."""

    def read(self, name: str, value: object) -> OptionValue:
        """Return a value, given as such or as text; OptionError if it is not allowed."""
        if self.several:
            return _read_several(name, value, self.choices)
        if self.choices:
            return read_choice(name, value, tuple(self.choices))
        return read_whole(name, value, self.lowest, self.highest)

    def in_words(self, name: str, value: OptionValue) -> str:
        """Return a value in a few words: "1 to 100", "even opening", "30 stones", "seed: 7"."""
        meant = [self.choices[word] for word in str(value).split(",")] if self.several else [value]
        shown = (
            short_number(value, ",") if isinstance(value, int) else ", or ".join(map(str, meant))
        )
        if self.brief:
            return self.brief.format(shown)
        noun = name.replace("_", " ")
        is_count = isinstance(value, int) and value != 1 and noun.endswith("s")
        return f"{shown} {noun}" if is_count else f"{noun}: {shown}"


def whole(
    words: str,
    *,
    default: int | None = None,
    example: int | None = None,
    lowest: int = 1,
    highest: int | None = None,
    web_highest: int | None = None,
    solve_highest: int | None = None,
    label: str = "",
    brief: str = "",
    is_size: bool = False,
) -> Any:
    """Declare a whole number; without a default it is required and needs an example.

    `highest` bounds it everywhere, `web_highest` in the browser, and `solve_highest` where a
    position is only solved or checked; `is_size` marks the option that is the size of the board.
    """
    shown = default if default is not None else example
    return Option(
        words=words,
        label=label or capital(words),
        brief=brief,
        default=default,
        example=shown if shown is not None else lowest,
        lowest=lowest,
        highest=highest,
        web_highest=web_highest,
        solve_highest=solve_highest,
        is_size=is_size,
    )


def board_numbers(
    default: int, *, highest: int = 1_000_000, solve_highest: int | None = None
) -> Any:
    """Declare the size of a board with the numbers 1, 2, 3 …, as the option `numbers`."""
    return whole(
        "the highest number on the board",
        default=default,
        highest=highest,
        web_highest=200,
        solve_highest=solve_highest,
        label="Numbers up to",
        brief="1 to {}",
        is_size=True,
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
    """Declare a choice of one or several words; `choices` says what each means."""
    return Option(
        words=words,
        label=label or capital(words),
        brief=brief,
        default=default,
        example=default,
        choices=choices,
        several=several,
    )


THOUSANDS = r" *-?[0-9]{1,3}(,[0-9]{3})+ *"
"""A whole number as we print it: 1,000,000."""


def read_whole(name: str, value: object, lowest: int, highest: int | None = None) -> int:
    """Return the value of a whole-number option from a number or its text."""
    number = value if isinstance(value, int) else None
    if isinstance(value, str):
        number = whole_number(value.replace(",", "") if re.fullmatch(THOUSANDS, value) else value)
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


def read_seconds(text: str) -> float | None:
    """Return the seconds of a duration like 90, 90s, 1m or 1m30s, or None if it is not one."""
    found = re.fullmatch(_DURATION, text.strip().lower(), re.ASCII)
    if not found or not any(found.groups()):
        return None
    hours, minutes, seconds = (float(part or 0) for part in found.groups())
    return 3600 * hours + 60 * minutes + seconds


_PART = r"(?:(\d{1,9}(?:\.\d{1,9})?)\s*"
_DURATION = (
    rf"{_PART}h(?:ours?)?)?\s*{_PART}m(?:in(?:utes?)?)?)?\s*{_PART}(?:s(?:ec(?:onds?)?)?)?)?"
)
"""Compiled on first use: compiling it at import would slow down commands that do not read one."""


def read_choice(name: str, value: object, choices: tuple[str, ...]) -> str:
    """Return the value of an option that is one of a few words."""
    word = str(value).strip().lower()
    if word not in choices:
        meant = did_you_mean(closest(word, choices))
        raise OptionError(f"{name} must be {listed(choices, 'or')}, not {quoted(value)}.{meant}")
    return word


def _read_several(name: str, value: object, choices: Iterable[str]) -> str:
    """Return some of the choices, in their own order, joined by commas."""
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


RULE_BOOK = "rule-book"
"""The name of the set-up that every game has: the defaults."""


class SetUp(NamedTuple):
    """A named choice of options, and how many matches make it fair."""

    name: str
    words: str
    options: Mapping[str, OptionValue] = MappingProxyType({})
    size: int | None = None
    """The size of the board, whatever that option is called in the game."""
    matches: int = 1

    def game(self, kind: type[Game]) -> Game:
        """Return the game of this set-up; an option without a default gets its example."""
        return kind.usual(**self.options)

    @property
    def line(self) -> str:
        """Its words, and the number of games."""
        more = f" ({self.matches} games, sides swapped)" if self.matches > 1 else ""
        return self.words + more

    @property
    def is_rule_book(self) -> bool:
        return self.name == RULE_BOOK

    @property
    def data(self) -> dict[str, Any]:
        """The set-up as plain data."""
        return {
            "name": self.name,
            "words": self.words,
            "options": dict(self.options),
            "matches": self.matches,
            "is_rule_book": self.is_rule_book,
        }


def setups_of(kind: type[Game]) -> tuple[SetUp, ...]:
    """Return the set-ups of a game, the rule book's own last."""
    size = kind.size_option() or "size"
    own = (
        setup if setup.size is None else setup._replace(options={size: setup.size, **setup.options})
        for setup in kind.setups
    )
    return (*own, _rule_book(kind))


def find_setup(kind: type[Game], name: str) -> SetUp:
    """Return a set-up of a game by its name; OptionNameError if there is none."""
    known = {setup.name: setup for setup in setups_of(kind)}
    if (typed := "-".join(name.lower().split())) in known:
        return known[typed]
    has = f"{kind.id} has no set-up {quoted(name)}; it has {listed([*known])}."
    raise OptionNameError(has + did_you_mean(closest(typed, known)))


def usual_words(kind: type[Game]) -> str:
    """Return what the game with its defaults is called; only our games have a rule book."""
    return "the rule book's own game" if is_ours(kind) else "the usual game"


def _rule_book(kind: type[Game]) -> SetUp:
    """Return the defaults; an option without one is left to the player."""
    usual = {n: option.default for n, option in kind.fields.items() if option.default is not None}
    shown = [
        option.in_words(name, usual[name]) if name in usual else f"you choose {option.words}"
        for name, option in kind.fields.items()
    ]
    about = f" ({', '.join(shown)})" if shown else ""
    return SetUp(RULE_BOOK, f"{usual_words(kind)}{about}", usual)
