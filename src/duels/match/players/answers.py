"""What a model has said, read as a move. Every form that is accepted is one line of `FORMS`.

A move counts where the answer ends with it, or where it is the only one that is named. Everything
else is unreadable: two moves are never weighed against each other, and no number is ever guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from duels.core.errors import DuelsError, UnreadableMove
from duels.core.game import Move, Position

MOVE = "move"
UNREADABLE = "unreadable"
ILLEGAL = "illegal"
LONGEST_LINE = 200
"""A line as long as a page is no move."""

_NUMBER = r"-?\d+"
_MOVE = rf"[(\[]?\s*({_NUMBER}(?:\s*(?:\band\b|[\s,-])\s*{_NUMBER})?)\s*[)\]]?"
_FINAL = r"(?:(?:so|thus|therefore|hence)\W+)?(?:(?:my|the)\s+)?(?:(?:final|best)\s+)?"


class Form(NamedTuple):
    """One way to write a move on a line of its own; marks of emphasis are gone by then."""

    example: str
    pattern: re.Pattern[str]
    may_stand_anywhere: bool = True
    """Whether it names a move also where the answer goes on below it."""


def _form(example: str, pattern: str, *, anywhere: bool = True) -> Form:
    return Form(example, re.compile(pattern, re.IGNORECASE | re.ASCII), anywhere)


FORMS = (
    _form("MOVE: 5", rf"(?:{_FINAL}(?:answer|choice)?\W*(?:is)?\W*)?move\s*[:=]\s*{_MOVE}"),
    _form("Final answer: 5", rf"{_FINAL}answer\s*(?:[:=]|is:?)\s*{_MOVE}"),
    _form(r"\boxed{5}", rf".*\\boxed\{{\s*(?:move\s*[:=]\s*)?{_MOVE}\s*\}}"),
    _form('{"move": 5}', rf"\{{\s*move\s*:\s*{_MOVE}\s*\}}"),
    _form("<move>5</move>", rf"<(?:move|answer)>\s*(?:move\s*[:=]\s*)?{_MOVE}\s*</\w+>"),
    _form("**5**", rf"<strong>\s*{_MOVE}\s*</strong>", anywhere=False),
)
"""A number without any word is read only where it is the whole answer."""
_BARE = re.compile(_MOVE, re.ASCII)

_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—―−﹘﹣-", "-") | dict.fromkeys("\u00a0\u202f", " "))
_THOUGHT_BEGINS = re.compile(r"<(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_THOUGHT_ENDS = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_STRONG = re.compile(r"\W*(\*\*|__|`)(?=[^*_`])(.+)\1\W*")
_IN_LATEX = re.compile(r"\\(?:text|textbf|mathbf|mathrm)\{([^{}]*)\}")
_BRACES = re.compile(r"\{[^{}]{0,80}\}")


def read_answer(
    position: Position, answer: str, *, calls: Sequence[str] = (), cut_off: bool = False
) -> tuple[str, str, Move | None]:
    """What kind of answer it is, what is wrong with it, and the move if nothing is.

    `calls` are the arguments of tool calls, `cut_off` says that the answer was not finished.
    """
    try:
        move = position.game.parse(_spoken(answer, calls, cut_off))
    except UnreadableMove as error:
        detail = str(error) if isinstance(error, _Unreadable) else _NO_LINE
        return UNREADABLE, detail, None
    try:
        position.play(move)
    except UnreadableMove:
        return UNREADABLE, _NO_LINE, None
    except DuelsError as error:
        return ILLEGAL, str(error), None
    return MOVE, "", move


_NO_LINE = "The answer has no line of the form MOVE: 5."


class _Unreadable(UnreadableMove):
    """Why an answer names no move, in a sentence for the model."""


def _spoken(answer: str, calls: Sequence[str], cut_off: bool) -> str:
    """The one move that an answer names, as it is written."""
    called = {_called(call) for call in calls}
    if not called:
        return _written(answer, cut_off)
    said = {move for _, move, _ in _named(_lines(answer))} | called
    if len(said) > 1 or cut_off:
        raise _Unreadable("The answer names several moves.")
    return said.pop()


def _written(answer: str, cut_off: bool) -> str:
    lines = _lines(answer)
    if len(lines) == 1 and (bare := _BARE.fullmatch(_plain(lines[0][: LONGEST_LINE + 1]))):
        return _tidy(bare[1])
    named = [*_named(lines)]
    at_the_end: set[str] = set()
    for place, (line, move, _) in enumerate(reversed(named)):
        if line != len(lines) - 1 - place:
            break
        at_the_end.add(move)
    if len(at_the_end) == 1:
        return at_the_end.pop()
    if cut_off:
        raise _Unreadable("The answer was cut off before it came to a move.")
    anywhere = {move for _, move, form in named if form.may_stand_anywhere}
    if len(anywhere) > 1 or at_the_end:
        raise _Unreadable("The answer names several moves, and does not end with one of them.")
    if not anywhere:
        raise _Unreadable(_NO_LINE)
    return anywhere.pop()


def _lines(answer: str) -> list[str]:
    """The lines below all thoughts; a thought that is not closed is all the rest."""
    said = _THOUGHT_BEGINS.split(_THOUGHT_ENDS.split(answer)[-1])[0].translate(_DASHES)
    said = _BRACES.sub(lambda found: " ".join(found[0].split()), said)
    return [line.strip() for line in said.splitlines() if line.strip("`*_ \t")]


def _named(lines: Sequence[str]) -> Iterator[tuple[int, str, Form]]:
    """The lines that name a move, by number, with the form in which they do."""
    for number, line in enumerate(lines):
        if len(line) <= LONGEST_LINE:
            plain = _plain(line)
            for form in FORMS:
                if found := form.pattern.fullmatch(plain):
                    yield number, _tidy(found[1]), form
                    break


def _plain(line: str) -> str:
    """A line without marks of emphasis; what was nothing but strong says so."""
    if strong := _STRONG.fullmatch(line.strip()):
        inner = _plain(strong[2])
        return f"<strong>{inner}</strong>" if _BARE.fullmatch(inner) else inner
    line = re.sub(r"\\[()\[\]]", "", _IN_LATEX.sub(r"\1", line))
    line = re.sub(r"[*`$\"'“”‘’]|(?<!\w)_+|_+(?!\w)", "", line)
    return line.strip().lstrip("#>- ").rstrip(".!; ") if not _BARE.fullmatch(line) else line.strip()


def _tidy(move: str) -> str:
    return re.sub(r"\s*(?:\band\b|[\s,-])\s*(?=-?\d)", "-", move) if move[0] != "-" else move


def _called(arguments: str) -> str:
    """The move in the arguments of a tool call, which are JSON."""
    try:
        value: Any = json.loads(arguments)
        value = value["move"] if isinstance(value, dict) else value
        if isinstance(value, list):
            value = "-".join(map(str, value))
        bare = _BARE.fullmatch(str(value).translate(_DASHES).strip())
        if isinstance(value, bool) or not bare:
            raise ValueError
        return _tidy(bare[1])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _Unreadable("The tool call has no move: it needs an argument like move: 5.") from None
