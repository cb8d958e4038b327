"""Words: parsing what people type, writing lists and numbers, and the sections of rules texts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

LONGEST_NUMBER = 4000
"""The most digits that are read; Python itself refuses a little more than that."""


def whole_number(text: str) -> int | None:
    """Return the integer that a text writes in the digits 0-9, or None."""
    digits = text.strip().removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > LONGEST_NUMBER:
        return None
    return int(text)


BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0\U00013441\U00013442\U0001d159")
"""Characters that Unicode classes as letters or symbols, but that show nothing."""


def printable(text: str, instead: str = " ") -> str:
    """Replace characters that control a screen or show nothing on it."""
    return "".join(char if char.isprintable() and char not in BLANK else instead for char in text)


def is_visible(text: str) -> bool:
    """Say whether a text shows anything: a letter, a digit, punctuation or a symbol."""
    if any(char.isalnum() for char in text):
        return True
    from unicodedata import category

    return any(category(char)[0] in "LNPS" for char in text)


def quoted(value: object, most: int = 24) -> str:
    """Return user input in quotes, short and clean enough for a sentence."""
    text = printable(str(value)[: most + 1], "�")
    return f'"{text[:most]}…"' if len(text) > most else f'"{text}"'


LONGEST_WRITTEN = 24
"""The most digits of a number that a sentence writes out."""


def short_number(number: int, separator: str = "") -> str:
    """Return a number for a sentence; a very long one as "9999…9999 (4,000 digits)"."""
    if abs(number) < 10**LONGEST_WRITTEN:
        return f"{number:{separator}}"
    if abs(number) >= 10**LONGEST_NUMBER:
        return f"a number of more than {LONGEST_NUMBER:,} digits"
    text = str(number)
    return f"{text[:4]}…{text[-4:]} ({len(text.lstrip('-')):,} digits)"


def listed(words: Sequence[object], last: str = "and") -> str:
    """Return words as a sentence lists them: "a, b and c"."""
    *head, tail = [str(word) for word in words]
    return f"{', '.join(head)} {last} {tail}" if head else tail


def capital(words: str) -> str:
    """Return words with a capital letter, for the start of a sentence."""
    return words[:1].upper() + words[1:]


def closest(typed: str, known: Iterable[str]) -> list[str]:
    """Return the names closest to a misspelt one, the closest first."""
    from difflib import get_close_matches  # imported late: only needed after an error

    return get_close_matches(typed.strip().lower()[:100], known)


def did_you_mean(close: Sequence[str]) -> str:
    """Return " Did you mean play?" to put after a sentence; "" if nothing is close."""
    return f" Did you mean {listed(close, 'or')}?" if close else ""


def ranges(numbers: Iterable[int]) -> list[str]:
    """Return increasing numbers with runs of three or more folded: 1 2 3 5 -> ["1-3", "5"]."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    folded: list[str] = []
    for low, high in runs:
        folded += [f"{low}-{high}"] if high - low > 1 else map(str, range(low, high + 1))
    return folded


def counted(number: int, noun: str) -> str:
    """Return "one move", "three moves", "12 moves": in words, as a digit could be a move."""
    return f"{in_words(number)} {noun}{'' if number == 1 else 's'}"


def in_words(number: int) -> str:
    """Return a count as it is written in a sentence."""
    return _WORDS[number] if number < len(_WORDS) else f"{number:,}"


_WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


def name_order(name: str) -> list[tuple[str, int]]:
    """Return a sort key for names in natural order: Kid 2 before Kid 10, ignoring case."""
    parts = re.findall(r"\d+|\D+", name.casefold())
    return [("", int(part)) if part.isdecimal() else (part, 0) for part in parts]


STRATEGY = "strategy"
"""The section that says how to win."""
MATHEMATICS = "mathematics"
CORRECTIONS = "corrections"
"""The section about errors in a printed rule book."""
PEOPLE = "people"
"""A rule that is only for people: about typing mistakes, or about the clock."""
KINDS = (STRATEGY, MATHEMATICS, CORRECTIONS, PEOPLE)

_MARK = re.compile(rf"\s*<!-- ({'|'.join(KINDS)}) -->$")


class Section(NamedTuple):
    """A section with its heading, as Markdown; the first has the title and no kind."""

    kind: str
    text: str


def sections(text: str, without: Collection[str] = ()) -> list[Section]:
    """Return the sections of a text, leaving out sections and rules of some kinds."""
    found: list[tuple[str, list[str]]] = [("", [])]
    above = ""
    for line in text.splitlines():
        mark = _MARK.search(line)
        kind, plain = (mark[1], line[: mark.start()]) if mark else ("", line)
        if mark and not plain:
            above = kind
            continue
        if line.startswith("## "):
            found.append((above, []))
            above = ""
        if kind not in without or not kind:
            found[-1][1].append(plain)
    return [
        Section(kind, "\n".join(lines).strip())
        for kind, lines in found
        if not kind or kind not in without
    ]


def rules_without(text: str, *kinds: str) -> str:
    """Return a text without the parts of some kinds, and without the comments."""
    return "\n\n".join(section.text for section in sections(text, kinds) if section.text)
