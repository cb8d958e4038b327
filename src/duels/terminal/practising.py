"""Puzzles and lessons in the menu, and what comes after them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from random import Random

from duels.coach.daily import daily_puzzle
from duels.coach.puzzles import Puzzle, find_puzzle
from duels.core.console import Progress
from duels.core.game import Game
from duels.match.match import DEFAULT_NAMES
from duels.match.notebook import Notebook
from duels.terminal.lesson import LessonSession, StepsDone, find_lesson
from duels.terminal.menu import PUZZLE_WORDS, Menu
from duels.terminal.puzzle import solve_daily, solve_puzzle
from duels.terminal.session import Left
from duels.terminal.talk import Talk
from duels.terminal.ways import Step, Way

USUAL = "medium"
"""How hard a puzzle is where nobody says it."""
SOLVED = "mistakes"
"""The notebook of those that came from one's own games, and are solved."""


def daily(menu: Menu, day: date) -> Step | None:
    """The puzzle of a day, and what next; whoever leaves it comes to the menu."""
    kind = type(daily_puzzle(day).position.game)
    attempt = solve_daily(menu.talk, day, menu.folder)
    return (lambda: after_puzzle(menu, kind)) if attempt.is_over else None


def after_puzzle(
    menu: Menu, kind: type[Game], puzzles: Iterator[Puzzle] | None = None
) -> Step | None:
    """What there is to do after a puzzle of a game: others, or that game."""
    more = puzzles or found_by_chance(menu.talk, menu.kinds, {}, USUAL, menu.chance)

    def solve_another() -> Step | None:
        posed = next(more, None)
        if posed is None:
            menu.talk.tell("That was the last one.")
            return lambda: after_puzzle(menu, kind)
        menu.talk.say("")
        return solve(menu, posed, more)

    lesson = Way("l", "learn", f"learn {kind.title}", lambda: learn(menu, kind))
    return menu.after(
        Way("", "another", "another puzzle", solve_another),
        _play(menu, "p", kind),
        *([lesson] if kind.has_lesson() else []),
    )


def solve(menu: Menu, posed: Puzzle, more: Iterator[Puzzle]) -> Step | None:
    """A puzzle, and what next: `more` of them; whoever leaves it comes to the menu."""
    attempt = solve_puzzle(posed, menu.talk)
    if attempt.is_solved and posed.id:
        with suppress(OSError):  # then it comes again
            Notebook(SOLVED, menu.folder).note(**{posed.id: True})
    kind = type(posed.position.game)
    return (lambda: after_puzzle(menu, kind, more)) if attempt.is_over else None


def found_by_chance(
    talk: Talk,
    kinds: Sequence[type[Game]],
    chosen: Mapping[str, str],
    difficulty: str,
    chance: Random,
) -> Iterator[Puzzle]:
    """Puzzles of these games with these options, as many as somebody likes."""
    while True:
        with Progress("Looking for a puzzle"):
            found = find_puzzle(kinds, chosen, difficulty, chance)
        if found.difficulty != difficulty:
            talk.note(f"(No {difficulty} one was found here. This is the nearest.)")
        yield found


def learn(menu: Menu, kind: type[Game]) -> Step | None:
    """The lesson of a game, and what next."""
    menu.kind = kind
    lesson, done = find_lesson(kind), StepsDone(menu.folder)
    name = menu.person.name if menu.person.name not in DEFAULT_NAMES else ""
    menu.talk.say("")
    with suppress(Left):
        LessonSession(lesson, menu.talk, menu.store, done, name=name).run()
    return lambda: after_lesson(menu, kind)


def after_lesson(menu: Menu, kind: type[Game]) -> Step | None:
    """What there is to do after a lesson."""
    menu.kind = kind
    again = Way("l", "learn", "the lesson again, or on", lambda: learn(menu, kind))
    todays = Way("p", "puzzle", PUZZLE_WORDS, menu.puzzle)
    return menu.after(_play(menu, "", kind), again, todays)


def _play(menu: Menu, key: str, kind: type[Game]) -> Way:
    """Play this game; until that is chosen, the menu keeps its own."""

    def play() -> Step | None:
        menu.kind = kind
        return menu.suggested()

    return Way(key, "play", f"play {kind.title}", play)
