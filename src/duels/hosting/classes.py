"""A class: a teacher, a code, pupils, rounds. Frozen, and every change is a pure function.

A pupil has a device's secret, and it opens the pupil's seat in every match of the class: nobody
carries a secret across the room. Who won is asked of the matches; a class knows who plays whom.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from duels.hosting.hosted import ID_LETTERS, new_id
from duels.hosting.keys import hash_secret
from duels.hosting.pairing import COMPUTER, Pair, pair_up
from duels.hosting.problems import Problem
from duels.match import Seat, read_seats

CODE_LENGTH = 5
MOST_PUPILS = 60
MOST_DEVICES = 4
ENDED = 2**31 - 1
"""The version of a class that has been removed, for whoever still listens to it."""
ADJECTIVES = (
    "Brave",
    "Calm",
    "Clever",
    "Gentle",
    "Happy",
    "Kind",
    "Lucky",
    "Merry",
    "Quick",
    "Wise",
)
ANIMALS = (
    "Badger",
    "Dolphin",
    "Falcon",
    "Hedgehog",
    "Koala",
    "Lynx",
    "Otter",
    "Panda",
    "Robin",
    "Tiger",
)


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

    def pupil_of(self, secret: str | None) -> Pupil | None:
        """The pupil whose device has this secret."""
        hashed = hash_secret(secret or "")
        return next((pupil for pupil in self.here if hashed in pupil.keys), None)

    @property
    def wall_key(self) -> str:
        """Opens the boards of all, and nothing else: an event stream cannot send a secret."""
        return hash_secret(f"wall {self.teacher}")[:24]

    def is_teacher(self, secret: str | None) -> bool:
        return secrets.compare_digest(self.teacher, hash_secret(secret or ""))


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


def join(it: SchoolClass, name: str | None, token: str) -> SchoolClass:
    """Come in with a name, or a made-up one; the same device is the same pupil."""
    if it.pupil_of(token):
        return it
    if len(it.here) >= MOST_PUPILS:
        raise Problem(409, f"This class is full: it has {MOST_PUPILS} pupils.")
    key = hash_secret(token)
    if not name:
        return _with(_not_asking(it, key), Pupil(new_id(), _made_up(it, key), (key,)))
    shown = read_name(name)
    if there := _named(it, shown):
        return _asking(it, there, key)
    return _with(_not_asking(it, key), Pupil(new_id(), shown, (key,)))


def _asking(it: SchoolClass, pupil: Pupil, key: str) -> SchoolClass:
    """Another device with a name that is taken: the teacher knows whose it is."""
    if key in pupil.asking:
        return it
    if len(pupil.asking) >= MOST_DEVICES:
        raise Problem(409, f"There is a {pupil.name} in this class already: take another name.")
    return _with(_not_asking(it, key), pupil._replace(asking=(*pupil.asking, key)))


def _not_asking(it: SchoolClass, key: str) -> SchoolClass:
    """A device is one pupil's: what it asked before it does not ask any more."""
    asked = [one for one in it.pupils if key in one.asking]
    for pupil in asked:
        it = _with(it, pupil._replace(asking=tuple(one for one in pupil.asking if one != key)))
    return it


def asks_for(it: SchoolClass, token: str | None) -> Pupil | None:
    """The pupil that this device says it is, while the teacher has not answered."""
    key = hash_secret(token or "")
    return next((pupil for pupil in it.here if key in pupil.asking), None)


def let_in(it: SchoolClass, pupil_id: str, yes: bool) -> SchoolClass:
    """Whether the devices that ask to be this pupil's are."""
    pupil = it.pupil(pupil_id)
    keys = (*pupil.keys, *pupil.asking)[-MOST_DEVICES:] if yes else pupil.keys
    return _with(it, pupil._replace(keys=keys, asking=()))


def rename(it: SchoolClass, pupil_id: str, name: str) -> SchoolClass:
    pupil, shown = it.pupil(pupil_id), read_name(name)
    there = _named(it, shown)
    if there and there.id != pupil_id:
        raise Problem(409, f"There is a {there.name} in this class already.")
    return _with(it, pupil._replace(name=shown))


def remove(it: SchoolClass, pupil_id: str) -> SchoolClass:
    """The pupil's games stay; their devices open nothing any more."""
    return _with(it, it.pupil(pupil_id)._replace(keys=(), asking=(), is_here=False))


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


def pair(it: SchoolClass, one: str, two: str) -> SchoolClass:
    """Two pupils who wait, or one and the computer, paired by hand."""
    if not it.round:
        raise Problem(409, "Start a round first.")
    for pupil_id in {one, two} - {COMPUTER}:
        if it.pupil(pupil_id) not in it.waiting:
            raise Problem(409, f"{it.pupil(pupil_id).name} has a board in this round.")
    if one == two:
        raise Problem(422, "A board needs two.")
    return _seated(it, pair_up([one, two], [board.pupils for board in it.boards], {}))


def pair_latecomers(it: SchoolClass) -> SchoolClass:
    """Two who wait while a round goes on play each other."""
    if not it.round or it.plan is None or len(it.waiting) < 2:
        return it
    one, two = it.waiting[:2]
    return pair(it, one.id, two.id)


def seats(it: SchoolClass, board: Board, level: str) -> tuple[Seat, Seat]:
    """Who sits at a board."""
    one, two = (_seat(it, pupil, level) for pupil in board.pupils)
    return read_seats((one, two))


def _seat(it: SchoolClass, pupil_id: str, level: str) -> Seat | str:
    from duels.players.specs import name_of

    return it.pupil(pupil_id).name if pupil_id else Seat(name_of(level), level)


def read_name(name: str) -> str:
    """A name as every player's is read."""
    return read_seats((name, Seat("x", "x")))[0].name


def _seated(it: SchoolClass, pairs: Iterable[Pair]) -> SchoolClass:
    boards = tuple(Board(it.round, pair, new_id()) for pair in pairs)
    return replace(it, boards=it.boards + boards)


def _named(it: SchoolClass, name: str) -> Pupil | None:
    return next((one for one in it.here if one.name.casefold() == name.casefold()), None)


def _with(it: SchoolClass, pupil: Pupil) -> SchoolClass:
    """The class with this pupil, in place of themselves if they are there."""
    others = [pupil if one.id == pupil.id else one for one in it.pupils]
    return replace(it, pupils=(*others, *(() if pupil in others else (pupil,))))


def _made_up(it: SchoolClass, key: str) -> str:
    """A name for somebody who takes any; the same for the same device."""
    taken = {pupil.name.casefold() for pupil in it.pupils}
    start = int(key[:8], 16)
    for step in range(len(ADJECTIVES) * len(ANIMALS)):
        one, two = divmod(start + 7 * step, len(ANIMALS))
        name = f"{ADJECTIVES[one % len(ADJECTIVES)]} {ANIMALS[two]}"
        if name.casefold() not in taken:
            return name
    raise Problem(409, "All made-up names are taken: type a name.")


def to_data(it: SchoolClass) -> dict[str, Any]:
    """A class as plain data, to be kept."""
    plan = it.plan._asdict() if it.plan else None
    return {
        "teacher": it.teacher,
        "pupils": [pupil._asdict() for pupil in it.pupils],
        "plan": plan,
        "round": it.round,
        "boards": [board._asdict() for board in it.boards],
        "is_paused": it.is_paused,
    }


def from_data(code: str, version: int, updated: int, data: Mapping[str, Any]) -> SchoolClass:
    """A class that was kept."""
    return SchoolClass(
        code=code,
        teacher=data["teacher"],
        updated=updated,
        version=version,
        pupils=tuple(
            Pupil(**{**one, "keys": tuple(one["keys"]), "asking": tuple(one["asking"])})
            for one in data["pupils"]
        ),
        plan=Plan(**data["plan"]) if data["plan"] else None,
        round=data["round"],
        boards=tuple(
            Board(one["round"], tuple(one["pupils"]), one["match_id"]) for one in data["boards"]
        ),
        is_paused=data["is_paused"],
    )
