"""Puzzles and lessons in the menu, and what comes after them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date

from duels.coach.daily import daily_puzzle
from duels.coach.puzzles import Puzzle, find_puzzle
from duels.core.game import Game
from duels.core.progress import Progress
from duels.match import DEFAULT_NAMES
from duels.terminal.lesson import LessonSession, StepsDone, find_lesson
from duels.terminal.menu import PUZZLE_WORDS, Menu
from duels.terminal.puzzle import solve_daily, solve_puzzle
from duels.terminal.session import Left
from duels.terminal.ways import Step, Way

NEXT_IS = "medium"
"""How hard a puzzle is that follows another."""


def puzzle(menu: Menu) -> Step | None:
    """Today's puzzle, and what next."""
    menu.talk.say("")
    day = date.today()
    attempt = solve_daily(menu.talk, day, menu.folder)
    kind = type(daily_puzzle(day).position.game)
    return (lambda: after_puzzle(menu, kind)) if attempt.is_over else None


def after_puzzle(
    menu: Menu,
    kind: type[Game],
    puzzles: Iterator[Puzzle] | None = None,
    keep: Callable[[Puzzle], None] = lambda _: None,
) -> Step | None:
    """What there is to do after a puzzle of a game: others, or that game; `keep` the solved."""
    more = puzzles or _found_by_chance(menu)
    another = Way("", "another", "another puzzle", lambda: _solve(menu, kind, more, keep))
    lesson = Way("l", "learn", f"learn {kind.title}", lambda: learn(menu, kind))
    return menu.after(another, _play(menu, "p", kind), *([lesson] if kind.lesson_text() else []))


def _solve(
    menu: Menu, kind: type[Game], puzzles: Iterator[Puzzle], keep: Callable[[Puzzle], None]
) -> Step | None:
    """The next one of these, and what next; whoever leaves it comes to the menu."""
    try:
        posed = next(puzzles)
    except StopIteration:
        menu.talk.tell("That was the last one.")
        return lambda: after_puzzle(menu, kind)
    menu.talk.say("")
    attempt = solve_puzzle(posed, menu.talk)
    if attempt.is_solved:
        keep(posed)
    kind = type(posed.position.game)
    return (lambda: after_puzzle(menu, kind, puzzles, keep)) if attempt.is_over else None


def _found_by_chance(menu: Menu) -> Iterator[Puzzle]:
    while True:
        with Progress("Looking for a puzzle"):
            found = find_puzzle(menu.kinds, {}, NEXT_IS, menu.chance)
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
    daily = Way("p", "puzzle", PUZZLE_WORDS, lambda: puzzle(menu))
    return menu.after(_play(menu, "", kind), again, daily)


def _play(menu: Menu, key: str, kind: type[Game]) -> Way:
    """Play this game; until that is chosen, the menu keeps its own."""

    def play() -> Step | None:
        menu.kind = kind
        return menu.suggested()

    return Way(key, "play", f"play {kind.title}", play)
