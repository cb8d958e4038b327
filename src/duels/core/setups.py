"""Set-ups: named choices of a game's options that make a good game."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from duels.core.errors import OptionNameError
from duels.core.options import OptionValue
from duels.core.words import closest, did_you_mean, listed, quoted

if TYPE_CHECKING:
    from duels.core.game import Game

RULE_BOOK = "rule-book"
"""The name of the set-up that every game has: its defaults."""


class SetUp(NamedTuple):
    """A name, one line of what it is like, the options, and how many matches make it fair."""

    name: str
    words: str
    options: Mapping[str, OptionValue] = MappingProxyType({})
    size: int | None = None
    """The value of the option that is the size of the board, whatever that is called."""
    matches: int = 1

    def game(self, kind: type[Game]) -> Game:
        """The game of this set-up; options without a default get their example."""
        return kind.usual(**self.options)

    @property
    def line(self) -> str:
        """Its words, and how many games it takes to be fair."""
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
    """The set-ups of a game with all their options by name; the last is the rule book's own."""
    size = kind.size_option() or "size"
    own = (
        setup if setup.size is None else setup._replace(options={size: setup.size, **setup.options})
        for setup in kind.setups
    )
    return (*own, _rule_book(kind))


def find_setup(kind: type[Game], name: str) -> SetUp:
    """A set-up of a game by its name; OptionNameError if it has none of that name."""
    known = {setup.name: setup for setup in setups_of(kind)}
    if (typed := "-".join(name.lower().split())) in known:
        return known[typed]
    has = f"{kind.id} has no set-up {quoted(name)}; it has {listed([*known])}."
    raise OptionNameError(has + did_you_mean(closest(typed, known)))


def _rule_book(kind: type[Game]) -> SetUp:
    """The defaults; an option without one is left open for the player to choose."""
    usual = {n: option.default for n, option in kind.fields.items() if option.default is not None}
    shown = [
        option.in_words(name, usual[name]) if name in usual else f"you choose {option.words}"
        for name, option in kind.fields.items()
    ]
    return SetUp(RULE_BOOK, f"as the rule book has it: {', '.join(shown) or 'no options'}", usual)
