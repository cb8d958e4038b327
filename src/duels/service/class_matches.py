"""A class with its matches: changed in one transaction, and as each role sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from msgspec import UNSET, UnsetType

from duels.core.errors import DuelsError
from duels.core.game import other
from duels.core.words import name_order
from duels.match.match import Seats, new_match, read_seats
from duels.match.players.specs import opponent_seat
from duels.service import hosted as changes
from duels.service.classes import (
    ENDED,
    Board,
    Pupil,
    SchoolClass,
    device_id,
    device_words,
    is_code,
    stream_key,
)
from duels.service.hosted import Hosted, SeatToken, SeatTokens
from duels.service.matches import Matches, Transaction
from duels.service.problems import Problem
from duels.service.requests import class_client
from duels.service.seats import hash_token
from duels.service.views import GameView, MatchView, View, game_fields, match_view, view_of

COMPUTER_LEVEL = "casual"
"""The computer that plays a pupil without a partner."""

Change = Callable[[SchoolClass], SchoolClass]


class ClassMatches(NamedTuple):
    """A class and its matches by id."""

    school_class: SchoolClass
    matches: Mapping[str, Hosted]
    unreadable: Mapping[str, str] = {}
    """By id: why a saved match cannot be shown, because its game is not installed."""

    @property
    def winners(self) -> dict[str, str]:
        """The winning pupil of each finished match."""
        found = {}
        for board in self.school_class.boards:
            hosted = self.matches.get(board.match_id)
            if hosted and hosted.match.outcome:
                found[board.match_id] = board.pupils[hosted.match.outcome.winner - 1]
        return found

    def points(self, pupil: Pupil) -> int:
        """Return how many matches a pupil has won."""
        return [*self.winners.values()].count(pupil.id)


class NoClass(Problem):
    """A code that belongs to no class."""

    def __init__(self) -> None:
        super().__init__(404, "There is no class with this code.")


async def get_class(matches: Matches, code: str, token: str | None) -> ClassMatches:
    """Return a class with the matches that the holder of this token may see; a pupil, their own.

    A Problem if there is no class with this code.
    """

    def read(transaction: Transaction) -> ClassMatches:
        it = _find(transaction, code)
        pupil = it.pupil_of(token)
        own = [board for board in it.boards if pupil and pupil.id in board.pupils]
        return _with_matches(matches, transaction, it, it.boards if it.is_teacher(token) else own)

    return await matches.store.read(read)


async def change_class(matches: Matches, code: str, step: Change) -> ClassMatches:
    """Change a class: new boards get matches, a pause stops all clocks, removed pupils lose."""

    def job(transaction: Transaction, now: int) -> list[Hosted]:
        before = _find(transaction, code, lock=True)
        after = step(before)
        if after is before:
            return []
        transaction.update_class(before, after, now)
        known = {board.match_id for board in before.boards}
        new = [board for board in after.boards if board.match_id not in known]
        started = [_start_match(after, board, now) for board in new]
        for hosted in started:
            transaction.insert(hosted, class_client(code))
        paused = _pause_boards(transaction, before, after, now)
        return started + paused + _update_seats(transaction, before, after, now)

    return await _write(matches, code, job)


async def rule_match(
    matches: Matches, code: str, token: str | None, match_id: str, winner: int
) -> ClassMatches:
    """End a game of the class with the winner that its teacher names."""

    def job(transaction: Transaction, now: int) -> list[Hosted]:
        it = _find(transaction, code, lock=True).require_teacher(token)
        boards = [board for board in it.boards if board.match_id == match_id]
        if not boards:
            raise Problem(404, "There is no such board in this class.")
        transaction.find(match_id, now)  # raises the reason if the match cannot be read
        return _each(transaction, boards, now, lambda one: changes.rule_winner(one, winner))

    return await _write(matches, code, job)


async def end_class(matches: Matches, code: str, token: str | None) -> None:
    """Remove the class and all its matches."""

    def job(transaction: Transaction) -> None:
        transaction.remove_class(_find(transaction, code, lock=True).require_teacher(token))

    await matches.store.write(job)
    matches.publish(code, ENDED, b"{}")


async def _write(
    matches: Matches, code: str, job: Callable[[Transaction, int], list[Hosted]]
) -> ClassMatches:
    now = matches.clock.now()

    def write(transaction: Transaction) -> tuple[list[Hosted], ClassMatches]:
        changed, it = job(transaction, now), _find(transaction, code)
        return changed, _with_matches(matches, transaction, it, it.boards)

    changed, found = await matches.store.write(write)
    for hosted in changed:
        matches.publish_match(hosted)
    matches.publish(code, found.school_class.version, b"{}")
    return found


def _with_matches(
    matches: Matches, transaction: Transaction, it: SchoolClass, boards: Iterable[Board]
) -> ClassMatches:
    now, found, unreadable = matches.clock.now(), {}, {}
    for match_id in (board.match_id for board in boards):
        try:
            one = transaction.find(match_id, now, matches.cached(match_id))
        except (Problem, DuelsError) as why:
            unreadable[match_id] = str(why)
            continue
        if one:
            found[match_id] = one.hosted
    return ClassMatches(it, found, unreadable)


def _find(transaction: Transaction, code: str, *, lock: bool = False) -> SchoolClass:
    it = transaction.find_class(code, lock=lock) if is_code(code) else None
    if it is None:
        raise NoClass
    return it


def _start_match(it: SchoolClass, board: Board, now: int) -> Hosted:
    """Return the match of a new board; the pupils' devices open its seats."""
    plan = it.plan
    assert plan  # no round starts without one
    match = new_match(plan.load_game(), _seats(it, board), time_limit=plan.time_limit)
    return Hosted(
        match=replace(match, id=board.match_id),
        mode="computer" if "" in board.pupils else "friend",
        tokens=_tokens(it, board),
        updated=now,
        turn_started=now,
        class_code=it.code,
        coach=plan.coach,
        paused=0 if it.is_paused else None,
    )


def _tokens(it: SchoolClass, board: Board) -> SeatTokens:
    return tuple(
        SeatToken(player, device)
        for player, pupil in enumerate(board.pupils, start=1)
        if pupil
        for device in it.pupil(pupil).devices
    )


def _seats(it: SchoolClass, board: Board) -> Seats:
    computer = opponent_seat(COMPUTER_LEVEL)
    one, two = (it.pupil(pupil).name if pupil else computer for pupil in board.pupils)
    return read_seats((one, two))


def _pause_boards(
    transaction: Transaction, before: SchoolClass, after: SchoolClass, now: int
) -> list[Hosted]:
    """Pause or resume all boards of the round; a new round ends a pause too."""
    if before.is_paused == after.is_paused:
        return []
    step = changes.pause if after.is_paused else changes.resume
    return _each(transaction, before.now_playing, now, lambda it: step(it, now))


def _update_seats(
    transaction: Transaction, before: SchoolClass, after: SchoolClass, now: int
) -> list[Hosted]:
    """Update the seats of pupils whose devices or name have changed; removed pupils lose."""
    same = set(before.pupils)
    changed = {pupil.id for pupil in after.pupils if pupil not in same}
    removed = {pupil.id for pupil in before.here} - {pupil.id for pupil in after.here}
    boards = [board for board in before.boards if changed & set(board.pupils)]

    def update(it: Hosted) -> Hosted:
        board = next(one for one in boards if one.match_id == it.match.id)
        match = replace(it.match, seats=_seats(after, board))
        left = [player for player, pupil in enumerate(board.pupils, start=1) if pupil in removed]
        updated = replace(it, tokens=_tokens(after, board), match=match)
        if left and not it.match.outcome:
            return changes.rule_winner(updated, other(left[0]))
        return updated

    return _each(transaction, boards, now, update, also_over=True)


def _each(
    transaction: Transaction,
    boards: Iterable[Board],
    now: int,
    step: Callable[[Hosted], Hosted],
    *,
    also_over: bool = False,
) -> list[Hosted]:
    """Apply a change to the matches of some boards, and return those that changed."""
    changed = []
    for board in boards:
        try:
            found = transaction.find(board.match_id, now, lock=True)
        except (Problem, DuelsError):
            continue  # the game of this match is not installed: leave it alone
        if found and (also_over or not found.hosted.match.outcome):
            after = step(found.hosted)
            if after != found.hosted:
                changed.append(transaction.update(found.hosted, after, now))
    return changed


class PlanView(GameView, frozen=True):
    """What a class plays."""

    coach: bool
    time_limit: float | None


class DeviceView(View, frozen=True):
    """A device waiting to be accepted as a pupil's; it shows the same words."""

    device: str
    words: str


class PupilView(View, frozen=True):
    """A pupil as the teacher sees them."""

    id: str
    name: str
    points: int
    is_waiting: bool
    waiting_devices: list[DeviceView]


class BoardView(View, frozen=True):
    """A board of the current round."""

    match: str
    pupils: list[str]
    state: MatchView


class UnreadableBoard(View, frozen=True):
    """A board that is saved but cannot be shown, and why."""

    match: str
    names: list[str]
    why: str


class ClassView(View, frozen=True):
    """A class as the teacher, a pupil, a waiting device or a visitor sees it: see `role`."""

    code: str
    version: int
    role: Literal["teacher", "pupil", "waiting", "visitor"]
    round: int
    is_paused: bool
    plan: PlanView | None
    why: str | None
    stream_key: str | None
    name: str | UnsetType = UNSET
    points: int | UnsetType = UNSET
    match: str | UnsetType | None = UNSET
    here: list[str] | UnsetType = UNSET
    device: str | UnsetType = UNSET
    pupils: list[PupilView] | UnsetType = UNSET
    boards: list[BoardView] | UnsetType = UNSET
    unreadable: list[UnreadableBoard] | UnsetType = UNSET


def class_view(found: ClassMatches, token: str | None, now: int) -> ClassView:
    """Return a class as the holder of this token sees it."""
    it, hashed = found.school_class, hash_token(token)
    if it.is_teacher(token):
        return ClassView(**_shared(it, "teacher", hashed), **_for_teacher(found, now))
    if pupil := it.pupil_of(token):
        return _pupil_view(found, pupil, hashed)
    if waiting := it.waiting_for(token):
        shared = _shared(it, "waiting", hashed)
        return ClassView(**shared, name=waiting.name, device=device_words(hashed))
    return ClassView(**_shared(it, "visitor"))


def _for_teacher(found: ClassMatches, now: int) -> dict[str, Any]:
    """Return all pupils, sorted by name, and all boards of the round."""
    it = found.school_class
    unpaired = {pupil.id for pupil in it.unpaired}
    pupils = [
        PupilView(
            id=pupil.id,
            name=pupil.name,
            points=found.points(pupil),
            is_waiting=pupil.id in unpaired,
            waiting_devices=[
                DeviceView(device_id(one), device_words(one)) for one in pupil.waiting
            ],
        )
        for pupil in sorted(it.here, key=lambda pupil: name_order(pupil.name))
    ]
    boards, unreadable = [], []
    for board in it.now_playing:
        if hosted := found.matches.get(board.match_id):
            state = match_view(hosted, 0, now)
            boards.append(BoardView(board.match_id, [*board.pupils], state))
        if why := found.unreadable.get(board.match_id):
            names = [it.pupil(pupil).name if pupil else "the computer" for pupil in board.pupils]
            unreadable.append(UnreadableBoard(board.match_id, names, why))
    return {"pupils": pupils, "boards": boards, "unreadable": unreadable}


def _pupil_view(found: ClassMatches, pupil: Pupil, hashed: str) -> ClassView:
    it = found.school_class
    own = [board.match_id for board in it.now_playing if pupil.id in board.pupils]
    match = own[0] if own else ""
    shared = _shared(it, "pupil", hashed) | {"why": found.unreadable.get(match)}
    return ClassView(
        **shared,
        name=pupil.name,
        points=found.points(pupil),
        match=match if match in found.matches else None,
        here=sorted((one.name for one in it.here), key=name_order),
    )


def _shared(it: SchoolClass, role: str, hashed: str = "") -> dict[str, Any]:
    """Return what every role sees; members of the class also get their stream key."""
    plan, why = None, None
    if it.plan:
        try:
            plan = view_of(PlanView, it.plan, **game_fields(it.plan.load_game()))
        except Problem as problem:
            why = problem.detail
    return {
        "code": it.code,
        "version": it.version,
        "role": role,
        "stream_key": stream_key(hashed) if hashed else None,
        "round": it.round,
        "is_paused": it.is_paused,
        "plan": plan,
        "why": why,
    }
