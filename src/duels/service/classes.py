"""A class: a teacher, a code, pupils, rounds. Frozen, and every change is a pure function.

A pupil has a device's secret, and it opens the pupil's seat in every match of the class: nobody
carries a secret across the room. Who won is asked of the matches; a class knows who plays whom.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from duels.service.hosted import ID_LETTERS, new_id
from duels.service.keys import hash_secret
from duels.service.pairing import COMPUTER, Pair, pair_up
from duels.service.problems import Problem

CODE_LENGTH = 5
ENDED = 2**31 - 1
"""The version of a class that has been removed, for whoever still listens to it."""


class Pupil(NamedTuple):
    """Somebody in a class; `keys` are the hashes of the secrets of their devices."""

    id: str
    name: str
    keys: tuple[str, ...]
    asking: tuple[str, ...] = ()
    """Devices that say they are this pupil's, until the teacher lets them in."""
    is_here: bool = True


class Plan(NamedTuple):
    """What is played: a game with its options, with or without the coach, on a clock or not."""

    game: str
    options: Mapping[str, int | str]
    coach: bool = True
    time_limit: float | None = None


class Board(NamedTuple):
    """Two pupils at a match in a round, or a pupil and the computer."""

    round: int
    pupils: Pair
    match_id: str


@dataclass(frozen=True)
class SchoolClass:
    """One lesson of a class. Times are those of a Clock."""

    code: str
    teacher: str
    """The hash of the teacher's secret."""
    updated: int
    version: int = 1
    pupils: tuple[Pupil, ...] = ()
    plan: Plan | None = None
    round: int = 0
    boards: tuple[Board, ...] = ()
    is_paused: bool = False

    @property
    def here(self) -> tuple[Pupil, ...]:
        """The pupils that the teacher has not removed."""
        return tuple(pupil for pupil in self.pupils if pupil.is_here)

    @property
    def now_playing(self) -> tuple[Board, ...]:
        """The boards of this round."""
        return tuple(board for board in self.boards if board.round == self.round)

    @property
    def waiting(self) -> tuple[Pupil, ...]:
        """Whoever has no board in this round."""
        placed = {pupil for board in self.now_playing for pupil in board.pupils}
        return tuple(pupil for pupil in self.here if pupil.id not in placed)

    def pupil(self, pupil_id: str) -> Pupil:
        for pupil in self.pupils:
            if pupil.id == pupil_id:
                return pupil
        raise Problem(404, "There is no such pupil in this class.")

    def pupil_here(self, pupil_id: str) -> Pupil:
        pupil = self.pupil(pupil_id)
        if not pupil.is_here:
            raise Problem(409, f"{pupil.name} is not in this class any more.")
        return pupil

    def pupil_of(self, secret: str | None) -> Pupil | None:
        """The pupil whose device has this secret."""
        hashed = hash_secret(secret or "")
        return next((pupil for pupil in self.here if hashed in pupil.keys), None)

    def asked_by(self, secret: str | None) -> Pupil | None:
        """The pupil that a device says it is, while the teacher has not answered."""
        hashed = hash_secret(secret or "")
        return next((pupil for pupil in self.here if hashed in pupil.asking), None)

    def knows(self, secret: str | None) -> bool:
        """Whether this is the teacher, or a device that is here or asks."""
        return bool(self.is_teacher(secret) or self.pupil_of(secret) or self.asked_by(secret))

    def may_listen(self, key: str) -> bool:
        """Whether this key is the teacher's, or that of a device that is here or asks."""
        devices = (one for pupil in self.here for one in (*pupil.keys, *pupil.asking))
        return any(_same(stream_key(one), key) for one in (self.teacher, *devices))

    def may_see_boards(self, key: str) -> bool:
        """Whether this key is the teacher's."""
        return _same(stream_key(self.teacher), key)

    def is_teacher(self, secret: str | None) -> bool:
        return _same(self.teacher, hash_secret(secret or ""))


def stream_key(hashed: str) -> str:
    """Opens the streams of whose secret this is, and nothing else: a stream can send no secret."""
    return hash_secret(f"stream {hashed}")[:24]


def _same(kept: str, given: str) -> bool:
    return secrets.compare_digest(kept.encode(), given.encode("utf-8", "surrogatepass"))


def new_code() -> str:
    return "".join(secrets.choice(ID_LETTERS) for _ in range(CODE_LENGTH))


def is_code(text: str) -> bool:
    """Whether this could be the code of a class."""
    return len(text) == CODE_LENGTH and set(text) <= set(ID_LETTERS)


def taught_by(it: SchoolClass, secret: str | None) -> SchoolClass:
    """The class, if this is its teacher."""
    if not it.is_teacher(secret):
        raise Problem(403 if secret else 401, "Only the teacher of the class can do that.")
    return it


def next_round(it: SchoolClass, number: int, winners: Mapping[str, str]) -> SchoolClass:
    """Round `number`, with everybody paired by score; `winners` are pupils by match.

    Started twice it is started once.
    """
    if number == it.round:
        return it
    if number != it.round + 1:
        raise Problem(409, f"The class is in round {it.round}.", stale=True)
    if it.plan is None:
        raise Problem(409, "Choose a game first.")
    if not it.here:
        raise Problem(409, "Nobody is here yet.")
    played = [board.pupils for board in it.boards]
    pairs = pair_up([pupil.id for pupil in it.here], played, Counter(winners.values()))
    return _seated(replace(it, round=number, is_paused=False), pairs)


def paused(it: SchoolClass, is_paused: bool) -> SchoolClass:
    """The boards of the round stand still, or go on."""
    return it if it.is_paused == is_paused else replace(it, is_paused=is_paused)


def pair(it: SchoolClass, one: str, two: str) -> SchoolClass:
    """Two pupils who wait, or one and the computer, paired by hand."""
    if not it.round:
        raise Problem(409, "Start a round first.")
    for pupil_id in {one, two} - {COMPUTER}:
        if (pupil := it.pupil_here(pupil_id)) not in it.waiting:
            raise Problem(409, f"{pupil.name} has a board in this round.")
    if one == two:
        raise Problem(422, "A board needs two.")
    return _seated(it, pair_up([one, two], [board.pupils for board in it.boards], {}))


def pair_latecomers(it: SchoolClass) -> SchoolClass:
    """Two who wait while a round goes on play each other."""
    if not it.round or len(it.waiting) < 2:
        return it
    one, two = it.waiting[:2]
    return pair(it, one.id, two.id)


def _seated(it: SchoolClass, pairs: Iterable[Pair]) -> SchoolClass:
    boards = tuple(Board(it.round, pair, new_id()) for pair in pairs)
    return replace(it, boards=it.boards + boards)
