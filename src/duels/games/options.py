"""The options of all games: what each is for, and how its value is read."""

from __future__ import annotations

from duels.core.errors import OptionError
from duels.core.words import LONGEST_NUMBER, listed, quoted, whole_number

OPTIONS = {
    "numbers": "the highest number on the board",
    "criteria": "what lets a number follow: factor, digit, digit-sum, prime-factor, neighbour, "
    "square-sum, joined by commas",
    "divisor": "the number to divide by",
    "opening": "which numbers may open the game: any or even",
}
"""Every option of every game, in words."""


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
        limits = f"from {lowest} to {highest:,}" if highest else f"of {lowest} or more"
        raise OptionError(f"{name} must be a whole number {limits}, not {shown(number)}.")
    return number


def read_choice(name: str, value: object, choices: tuple[str, ...]) -> str:
    """The value of an option that is one of a few words."""
    word = str(value).strip().lower()
    if word not in choices:
        raise OptionError(f"{name} must be {listed(choices, 'or')}, not {quoted(value)}.")
    return word


def shown(number: int) -> str:
    """A number for a sentence; a huge one is told by its length."""
    if abs(number) < 10**30:
        return f"{number}"
    return "a number that large" if number > 0 else "a negative number that large"
