"""Keys, words and numbers to choose from: in the menu, in its lists, and after a game."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import NamedTuple, TypeVar

from duels.core.words import closest, did_you_mean, whole_number
from duels.terminal.talk import Talk
from duels.terminal.wrap import width

T = TypeVar("T")
ENTER = "Enter"
Step = Callable[[], "Step | None"]
"""Something to do, which gives what to do then; None is the menu."""


class Way(NamedTuple):
    """One thing that can be chosen: by a key (Enter where it is empty) or by a word."""

    key: str
    word: str
    text: str
    go: Step


def show_ways(talk: Talk, ways: Sequence[Way]) -> None:
    """The keys with what they do, in two columns where they fit; else with their words."""
    items = [(way.key or ENTER, way.text) for way in ways]
    deep = max(len(key) for key, _ in items)
    room = talk.size.columns - 3
    wide = max(deep + len(text) for _, text in items) + 4
    if 2 * wide > room:
        words = "  ".join(f"{way.key or ENTER}\xa0{way.word}" for way in ways)
        lines = textwrap.wrap(words, max(room, 8), break_on_hyphens=False)
        talk.say(*(f"  {line}".replace("\xa0", " ") for line in lines))
        return
    half = -(-len(items) // 2)
    for place in range(half):
        pair = items[place::half]
        cells = [_cell(talk, key, f"{text:{wide - deep}}", deep) for key, text in pair]
        talk.say(f"  {''.join(cells).rstrip()}")


def show_list(talk: Talk, texts: Sequence[str], more: Sequence[str] = ()) -> None:
    """Texts with their numbers, from 1; each has more to it where that fits the line."""
    deep = len(str(len(texts)))
    for number, (text, rest) in enumerate(zip_longest(texts, more, fillvalue=""), start=1):
        line = f"  {_cell(talk, str(number), text, deep)}"
        whole = line + rest
        talk.tell((whole if width(whole) < talk.size.columns else line).rstrip())


def _cell(talk: Talk, key: str, text: str, deep: int) -> str:
    return f"{talk.style.bold(key)}{' ' * (deep - len(key))}  {text}"


def by_number(typed: str, items: Sequence[T]) -> T | None:
    """The item of a list whose number was typed."""
    number = whole_number(typed) or 0
    return items[number - 1] if 1 <= number <= len(items) else None


def find_way(typed: str, ways: list[Way]) -> Way | None:
    """The way that was chosen by its key, its word, or a beginning that only one word has."""
    said = typed.strip().lower()
    exact = [way for way in ways if said in (way.key, way.word)]
    begun = [way for way in ways if way.word.startswith(said)]
    found = exact or begun
    return found[0] if len(found) == 1 else None


def not_a_way(typed: str, ways: list[Way]) -> str:
    """What is said of anything else."""
    keys = ", ".join(way.key or ENTER for way in ways)
    return f"Type one of {keys}.{did_you_mean(closest(typed, [way.word for way in ways]))}"
