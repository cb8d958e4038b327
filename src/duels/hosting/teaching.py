"""The classes of a host: every change of a class, and of its matches, is one job of the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from duels.core.errors import DuelsError
from duels.core.game import other
from duels.hosting import hosted as changes
from duels.hosting.asking import class_client
from duels.hosting.class_boards import begun, keys_of, seats
from duels.hosting.classes import (
    ENDED,
    Board,
    SchoolClass,
    is_code,
    next_round,
)
from duels.hosting.hosted import Hosted
from duels.hosting.matches import Matches
from duels.hosting.problems import Problem
from duels.hosting.store import Found, Shelf

UNKNOWN = "There is no class with this code."

Boards = Mapping[str, Hosted]
"""The matches of a class by id."""
Change = Callable[[SchoolClass], SchoolClass]


class NoClass(Problem):
    """A code that belongs to no class."""

    def __init__(self) -> None:
        super().__init__(404, UNKNOWN)


class Seen(NamedTuple):
    """A class and its matches."""

    school: SchoolClass
    boards: Boards
    unread: Mapping[str, str] = {}
    """Matches that are kept and cannot be shown, with the sentence why: their game is not here."""


class Classes:
    """All classes in the store of some matches."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches

    async def get(self, code: str) -> Seen:
        """A class; a Problem if there is none with this code."""
        return await self._matches.store.read(lambda shelf: self._look(shelf, code))

    async def get_for(self, code: str, secret: str | None) -> Seen:
        """The same, with the matches that somebody with this secret sees: a pupil, their own."""

        def look(shelf: Shelf) -> Seen:
            school = _found(shelf.find_class(code) if is_code(code) else None)
            pupil = school.pupil_of(secret)
            own = [board for board in school.boards if pupil and pupil.id in board.pupils]
            return self._seen(shelf, school, school.boards if school.is_teacher(secret) else own)

        return await self._matches.store.read(look)

    def _look(self, shelf: Shelf, code: str) -> Seen:
        school = _found(shelf.find_class(code) if is_code(code) else None)
        return self._seen(shelf, school, school.boards)

    def _seen(self, shelf: Shelf, school: SchoolClass, boards: Iterable[Board]) -> Seen:
        now, found, unread = self._matches.clock.now(), {}, {}
        for match_id in (board.match_id for board in boards):
            try:
                one = shelf.find(match_id, now, self._matches.known(match_id))
            except (Problem, DuelsError) as why:
                unread[match_id] = str(why)
                continue
            if one:
                found[match_id] = one.hosted
        return Seen(school, found, unread)

    async def create(self, it: SchoolClass, client: str) -> None:
        await self._matches.store.write(lambda shelf: shelf.insert_class(it, client))

    async def change(self, code: str, change: Change) -> Seen:
        """Change a class; new boards get their matches, and removed pupils lose theirs."""

        def job(shelf: Shelf, now: int) -> list[Hosted]:
            before = _held(shelf, code)
            after = change(before)
            if after is before:
                return []
            shelf.update_class(before, after, now)
            known = {board.match_id for board in before.boards}
            new = [board for board in after.boards if board.match_id not in known]
            made = [begun(after, board, now) for board in new]
            for hosted in made:
                shelf.insert(hosted, class_client(code))
            went_on = _went_on(shelf, before, after, now)
            return made + went_on + _keyed(shelf, before, after, now)

        return await self._write(code, job)

    async def start_round(self, code: str, number: int, allowed: Change) -> Seen:
        """Pair everybody by the scores so far."""
        winners = winners_of(await self.get(code))
        return await self.change(code, lambda it: next_round(allowed(it), number, winners))

    async def pause(self, code: str, paused: bool, allowed: Change) -> Seen:
        """All boards of the round stand still, or go on."""

        def job(shelf: Shelf, now: int) -> list[Hosted]:
            before = allowed(_held(shelf, code))
            if before.is_paused == paused:
                return []
            shelf.update_class(before, replace(before, is_paused=paused), now)
            step = changes.pause if paused else changes.go_on
            return _each(shelf, before.now_playing, now, lambda it: step(it, now))

        return await self._write(code, job)

    async def rule(self, code: str, match_id: str, winner: int, allowed: Change) -> Seen:
        """The teacher ends a game of the class, and says who has won it."""

        def job(shelf: Shelf, now: int) -> list[Hosted]:
            school = allowed(_held(shelf, code))
            boards = [board for board in school.boards if board.match_id == match_id]
            if not boards:
                raise Problem(404, "There is no such board in this class.")
            shelf.find(match_id, now)  # which says why it cannot be read, if it cannot
            return _each(shelf, boards, now, lambda it: changes.rule(it, winner))

        return await self._write(code, job)

    async def end(self, code: str, allowed: Change) -> None:
        """Remove the class and all its matches."""

        await self._matches.store.write(lambda at: at.remove_class(allowed(_held(at, code))))
        self._matches.announce(code, ENDED, b"{}")

    async def _write(self, code: str, job: Callable[[Shelf, int], list[Hosted]]) -> Seen:
        now = self._matches.clock.now()

        def whole(shelf: Shelf) -> tuple[list[Hosted], Seen]:
            return job(shelf, now), self._look(shelf, code)

        changed, seen = await self._matches.store.write(whole)
        for hosted in changed:
            self._matches.tell(hosted)
        self._matches.announce(code, seen.school.version, b"{}")
        return seen


def winners_of(seen: Seen) -> dict[str, str]:
    """By match that is over: the pupil who won it."""
    found = {}
    for board in seen.school.boards:
        hosted = seen.boards.get(board.match_id)
        if hosted and hosted.match.outcome:
            found[board.match_id] = board.pupils[hosted.match.outcome.winner - 1]
    return found


def _held(shelf: Shelf, code: str) -> SchoolClass:
    return _found(shelf.find_class(code, to_change=True) if is_code(code) else None)


def _found(school: SchoolClass | None) -> SchoolClass:
    if school is None:
        raise NoClass
    return school


def _went_on(shelf: Shelf, before: SchoolClass, after: SchoolClass, now: int) -> list[Hosted]:
    """A new round ends the pause, also for those who still play the last one."""
    if after.is_paused or not before.is_paused:
        return []
    return _each(shelf, before.now_playing, now, lambda it: changes.go_on(it, now))


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
    boards: list[Board] | tuple[Board, ...],
    now: int,
    change: Callable[[Hosted], Hosted],
    *,
    also_over: bool = False,
) -> list[Hosted]:
    changed = []
    for board in boards:
        found = _readable(shelf, board, now)
        if found and (also_over or not found.hosted.match.outcome):
            after = change(found.hosted)
            if after != found.hosted:
                changed.append(shelf.update(found.hosted, after, now))
    return changed


def _readable(shelf: Shelf, board: Board, now: int) -> Found | None:
    """A match that is to be changed; one whose game is not here stays as it is."""
    try:
        return shelf.find(board.match_id, now, to_change=True)
    except (Problem, DuelsError):
        return None
