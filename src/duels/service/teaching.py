"""The classes of a host: every change of a class, and of its matches, is one job of the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from duels.core.errors import DuelsError
from duels.core.game import other
from duels.service import hosted as changes
from duels.service.asking import class_client
from duels.service.class_boards import begun, keys_of, seats
from duels.service.classes import ENDED, Board, SchoolClass, is_code, taught_by
from duels.service.hosted import Hosted
from duels.service.matches import Matches
from duels.service.problems import Problem
from duels.service.store import Shelf

UNKNOWN = "There is no class with this code."

Change = Callable[[SchoolClass], SchoolClass]


class NoClass(Problem):
    """A code that belongs to no class."""

    def __init__(self) -> None:
        super().__init__(404, UNKNOWN)


class Seen(NamedTuple):
    """A class and its matches by id."""

    school: SchoolClass
    boards: Mapping[str, Hosted]
    unread: Mapping[str, str] = {}
    """Matches that are kept and cannot be shown, with the sentence why: their game is not here."""


async def look_at(matches: Matches, code: str) -> Seen:
    """A class; a Problem if there is none with this code."""
    return await matches.store.read(lambda shelf: _whole(matches, shelf, code))


async def look_as(matches: Matches, code: str, secret: str | None) -> Seen:
    """The same, with the matches that somebody with this secret sees: a pupil, their own."""

    def look(shelf: Shelf) -> Seen:
        school = _find(shelf, code)
        pupil = school.pupil_of(secret)
        own = [board for board in school.boards if pupil and pupil.id in board.pupils]
        return _seen(matches, shelf, school, school.boards if school.is_teacher(secret) else own)

    return await matches.store.read(look)


async def change(matches: Matches, code: str, step: Change) -> Seen:
    """Change a class: new boards get their matches, a pause holds all, removed pupils lose."""

    def job(shelf: Shelf, now: int) -> list[Hosted]:
        before = _find(shelf, code, to_change=True)
        after = step(before)
        if after is before:
            return []
        shelf.update_class(before, after, now)
        known = {board.match_id for board in before.boards}
        new = [board for board in after.boards if board.match_id not in known]
        made = [begun(after, board, now) for board in new]
        for hosted in made:
            shelf.insert(hosted, class_client(code))
        paused = _paused(shelf, before, after, now)
        return made + paused + _keyed(shelf, before, after, now)

    return await _write(matches, code, job)


async def rule(matches: Matches, code: str, secret: str | None, match_id: str, winner: int) -> Seen:
    """The teacher ends a game of the class, and says who has won it."""

    def job(shelf: Shelf, now: int) -> list[Hosted]:
        school = taught_by(_find(shelf, code, to_change=True), secret)
        boards = [board for board in school.boards if board.match_id == match_id]
        if not boards:
            raise Problem(404, "There is no such board in this class.")
        shelf.find(match_id, now)  # which says why it cannot be read, if it cannot
        return _each(shelf, boards, now, lambda it: changes.rule(it, winner))

    return await _write(matches, code, job)


async def end(matches: Matches, code: str, secret: str | None) -> None:
    """Remove the class and all its matches."""

    def job(shelf: Shelf) -> None:
        shelf.remove_class(taught_by(_find(shelf, code, to_change=True), secret))

    await matches.store.write(job)
    matches.announce(code, ENDED, b"{}")


def winners_of(seen: Seen) -> dict[str, str]:
    """By match that is over: the pupil who won it."""
    found = {}
    for board in seen.school.boards:
        hosted = seen.boards.get(board.match_id)
        if hosted and hosted.match.outcome:
            found[board.match_id] = board.pupils[hosted.match.outcome.winner - 1]
    return found


async def _write(matches: Matches, code: str, job: Callable[[Shelf, int], list[Hosted]]) -> Seen:
    now = matches.clock.now()

    def whole(shelf: Shelf) -> tuple[list[Hosted], Seen]:
        return job(shelf, now), _whole(matches, shelf, code)

    changed, seen = await matches.store.write(whole)
    for hosted in changed:
        matches.tell(hosted)
    matches.announce(code, seen.school.version, b"{}")
    return seen


def _whole(matches: Matches, shelf: Shelf, code: str) -> Seen:
    school = _find(shelf, code)
    return _seen(matches, shelf, school, school.boards)


def _seen(matches: Matches, shelf: Shelf, school: SchoolClass, boards: Iterable[Board]) -> Seen:
    now, found, unread = matches.clock.now(), {}, {}
    for match_id in (board.match_id for board in boards):
        try:
            one = shelf.find(match_id, now, matches.known(match_id))
        except (Problem, DuelsError) as why:
            unread[match_id] = str(why)
            continue
        if one:
            found[match_id] = one.hosted
    return Seen(school, found, unread)


def _find(shelf: Shelf, code: str, *, to_change: bool = False) -> SchoolClass:
    school = shelf.find_class(code, to_change=to_change) if is_code(code) else None
    if school is None:
        raise NoClass
    return school


def _paused(shelf: Shelf, before: SchoolClass, after: SchoolClass, now: int) -> list[Hosted]:
    """All boards of the round stand still, or go on, also when a new one ends the pause."""
    if before.is_paused == after.is_paused:
        return []
    step = changes.pause if after.is_paused else changes.go_on
    return _each(shelf, before.now_playing, now, lambda it: step(it, now))


def _keyed(shelf: Shelf, before: SchoolClass, after: SchoolClass, now: int) -> list[Hosted]:
    """Where a pupil's devices or name have changed, their seats follow; who is removed has lost."""
    same = set(before.pupils)
    changed = {pupil.id for pupil in after.pupils if pupil not in same}
    gone = {pupil.id for pupil in before.here} - {pupil.id for pupil in after.here}
    boards = [board for board in before.boards if changed & set(board.pupils)]

    def follow(it: Hosted) -> Hosted:
        board = next(one for one in boards if one.match_id == it.match.id)
        seated = seats(after, board)
        left = [player for player, pupil in enumerate(board.pupils, start=1) if pupil in gone]
        if left and not it.match.outcome:
            it = changes.rule(it, other(left[0]))
        return replace(it, keys=keys_of(after, board), match=replace(it.match, seats=seated))

    return _each(shelf, boards, now, follow, also_over=True)


def _each(
    shelf: Shelf,
    boards: Iterable[Board],
    now: int,
    step: Callable[[Hosted], Hosted],
    *,
    also_over: bool = False,
) -> list[Hosted]:
    changed = []
    for board in boards:
        try:
            found = shelf.find(board.match_id, now, to_change=True)
        except (Problem, DuelsError):
            continue  # a match whose game is not here stays as it is
        if found and (also_over or not found.hosted.match.outcome):
            after = step(found.hosted)
            if after != found.hosted:
                changed.append(shelf.update(found.hosted, after, now))
    return changed
