"""Text that fits a window: matches, games, durations and rules as plain lines."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from duels.core.console import shell_command
from duels.core.game import Game
from duels.core.words import MATHEMATICS, STRATEGY, rules_without
from duels.games.added import added
from duels.match.match import COMPUTER_NAME, Match, Seat


def describe(match: Match) -> str:
    """Return a match in one line: the game, the players, the date, and how far it has got."""
    one, two = match.seats
    moves = f"{len(match.moves)} move{'' if len(match.moves) == 1 else 's'}"
    if match.outcome:
        moves += f", {match.name(match.outcome.winner)} won ({match.termination_words})"
    if match.duel:
        moves = f"game {match.duel.number} of {match.duel.of}, {moves}"
    when, title = _local(match.date), game_in_words(match.game)
    return f"{title}, {one.label} against {two.label}, {when}, {moves}"


def addressed(match: Match, *, with_level: bool = True) -> Match:
    """Return the match with the names we use around the rule book's lines: "You", "The computer".

    Two people, or two computers, keep their names.
    """
    one, two = match.seats
    if bool(one.computer) == bool(two.computer):
        return match
    one, two = (
        Seat(_computer(seat, with_level) if seat.computer else "You", seat.computer)
        for seat in match.seats
    )
    return replace(match, seats=(one, two))


def _computer(seat: Seat, with_level: bool) -> str:
    name = seat.level if seat.name == COMPUTER_NAME else seat.name
    return f"The computer ({name})" if with_level else "The computer"


def called(match: Match, player: int) -> str:
    """Return what a player is called inside a sentence: "you", "the computer", or a name."""
    name = addressed(match, with_level=False).name(player)
    return name if name == match.name(player) else name.lower()


def opponents_in_words(match: Match, *, with_level: bool = True) -> str:
    """Return who plays: "You against the computer (casual)", "Mia against Noah"."""
    one, two = addressed(match, with_level=with_level).names
    return f"{one} against {two if two == match.name(2) else f'{two[:1].lower()}{two[1:]}'}"


def who_begins(match: Match) -> str:
    """Return who moves first in a match: "you move first", "the computer moves first"."""
    name = called(match, 1)
    return f"{name} {'move' if name == 'you' else 'moves'} first"


def game_in_words(game: Game, *, usual_too: bool = False) -> str:
    """Return the title of a game with the options that matter, or with all of them."""
    options = game.options_in_words(usual_too=usual_too)
    return f"{game.title} ({options})" if options else game.title


def command_for(game: Game, *words: str) -> str:
    """Return a shell command for this game, with --with FILE if the game was added from a file."""
    file = getattr(sys.modules.get(type(game).__module__), "__file__", None)
    return shell_command(*(["--with", file] if file in added else []), *words)


def _local(date: str) -> str:
    """Return the date of a record in local time."""
    try:
        return datetime.fromisoformat(date).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return date[:16]


def duration(seconds: float) -> str:
    """Return a time in words: "1 second", "30 seconds", "2 minutes"."""
    if seconds >= 60 and seconds % 60 == 0:
        minutes = int(seconds // 60)
        return f"{minutes} minute{'' if minutes == 1 else 's'}"
    return f"{seconds:g} second{'' if seconds == 1 else 's'}"


# The rules


def rules_lines(kind: type[Game], columns: int = 80) -> list[str]:
    """Return the rules as plain lines that fit the window, without the section on how to win."""
    rules = rules_without(kind.rules_text(), STRATEGY, MATHEMATICS)
    text = re.sub(r"`([^`]*)`|\*\*", _plain, rules).replace("\n  ", " ")
    lines: list[str] = []
    for line in text.splitlines():
        indent = "  " if line.startswith("- ") else ""
        width = max(20, min(columns, 80) - 1)
        lines += textwrap.wrap(line.lstrip("# "), width, subsequent_indent=indent) or [""]
    return lines


def _plain(sign: re.Match[str]) -> str:
    """Return Markdown code as plain text, in quotes if it has a space; drop the signs of bold."""
    code = sign[1] or ""
    return f'"{code}"' if " " in code else code


# Lines that fit a window: broken between words, and inside a word only if no line can hold it


ESCAPES = re.compile(r"\x1b\[[\d;]*m")
GAP = re.compile(r"^ +| {2,}")
"""The spaces before each column of a list."""
THOUSANDS = re.compile(r"\W*\d{1,3}(,\d{3})+\W*")


def width(text: str) -> int:
    """Return how many columns a text takes: colours take none, and Chinese characters two."""
    text = ESCAPES.sub("", text)
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # rarely needed

    return cell_len(text)


def first_fitting(room: int, *texts: str) -> str:
    """Return the first text that fits into `room` columns, or else the last."""
    return next((text for text in texts if width(text) <= room), texts[-1])


def fitted(text: str, room: int) -> str:
    """Return a text of exactly `room` columns: cut, or padded with spaces."""
    if width(text) > room:
        while width(text) >= room:
            text = text[:-1]
        text += "…"
    return text + " " * (room - width(text))


def wrap(line: str, room: int) -> list[str]:
    """Return a line as lines of at most `room` columns; a list keeps its columns."""
    if width(line) <= room:
        return [line]
    gaps = GAP.finditer(line) if line.startswith(" ") else ()
    columns = [width(line[: gap.end()]) for gap in gaps]
    indent = " " * max((column for column in columns if column <= room // 2), default=0)
    lines, here = [], ""
    for piece in _pieces(line, max(room - len(indent), 1)):
        if here.strip() and width(here + piece) > room:
            lines.append(here)
            piece, here = piece.lstrip(), indent
        here += piece
    return [*lines, here]


def _pieces(line: str, room: int) -> Iterator[str]:
    """Yield the parts that are never split: words with the space before them, and list numbers."""
    for word in re.findall(r"\s*\S+", line):
        parts = [word] if THOUSANDS.fullmatch(word) else re.findall(r"\s*[^,]*,*", word)
        for part in filter(None, parts):
            if width(part.strip()) <= room:
                yield part
            else:  # no window is wide enough for some paths
                yield from re.findall(f".{{1,{room}}}", part)
