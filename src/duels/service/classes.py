"""A class: a teacher, a code, pupils, rounds and their pairs; every change is a pure function.

A pupil's devices have tokens, which open the pupil's seat in every match of the class. A class only
knows who plays whom; the results are in its matches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import msgspec

from duels.games.chain.dense import Forest
from duels.match.match import Seat, read_seats
from duels.service.hosted import ID_LETTERS, new_id
from duels.service.problems import Problem
from duels.service.requests import NewPair, Pause, Plan, PupilChange, web_game
from duels.service.seats import hash_token, is_same

COMPUTER = ""
"""The id of the computer, which plays a pupil without a partner."""
Pair = tuple[str, str]
"""Two pupils; the first one moves first."""
CODE_LENGTH = 5
ENDED = 2**31 - 1
"""The version of a removed class, for streams that are still open."""
MOST_PUPILS = 60
MOST_DEVICES = 4
"""The most accepted devices of one pupil, and the most waiting ones."""
ADJECTIVES = ("Bold", "Calm", "Eager", "Gentle", "Happy", "Kind", "Lucky", "Merry", "Quick", "Wise")
ANIMALS = ("Badger", "Bison", "Falcon", "Koala", "Lynx", "Otter", "Panda", "Robin", "Seal", "Tiger")


class Pupil(NamedTuple):
    """A pupil; `devices` are the hashes of their devices' tokens."""

    id: str
    name: str
    devices: tuple[str, ...]
    waiting: tuple[str, ...] = ()
    """Devices that claim to be this pupil's, until the teacher accepts or refuses them."""
    is_here: bool = True


class Board(NamedTuple):
    """A match in a round between two pupils, or a pupil and the computer."""

    round: int
    pupils: Pair
    match_id: str


@dataclass(frozen=True)
class SchoolClass:
    """One lesson of a class. Times are those of a Clock."""

    code: str
    teacher: str
    """The hash of the teacher's token."""
    updated: int
    version: int = 1
    pupils: tuple[Pupil, ...] = ()
    plan: Plan | None = None
    round: int = 0
    boards: tuple[Board, ...] = ()
    is_paused: bool = False

    @property
    def here(self) -> tuple[Pupil, ...]:
        """The pupils whom the teacher has not removed."""
        return tuple(pupil for pupil in self.pupils if pupil.is_here)

    @property
    def now_playing(self) -> tuple[Board, ...]:
        """The boards of this round."""
        return tuple(board for board in self.boards if board.round == self.round)

    @property
    def unpaired(self) -> tuple[Pupil, ...]:
        """The pupils without a board in this round."""
        placed = {pupil for board in self.now_playing for pupil in board.pupils}
        return tuple(pupil for pupil in self.here if pupil.id not in placed)

    def pupil(self, pupil_id: str) -> Pupil:
        """Return a pupil, removed or not."""
        for pupil in self.pupils:
            if pupil.id == pupil_id:
                return pupil
        raise Problem(404, "There is no such pupil in this class.")

    def pupil_here(self, pupil_id: str) -> Pupil:
        """Return a pupil whom the teacher has not removed."""
        pupil = self.pupil(pupil_id)
        if not pupil.is_here:
            raise Problem(409, f"{pupil.name} is no longer in this class.")
        return pupil

    def pupil_of(self, token: str | None) -> Pupil | None:
        """Return the pupil whose device has this token."""
        hashed = hash_token(token)
        return next((pupil for pupil in self.here if hashed in pupil.devices), None)

    def waiting_for(self, token: str | None) -> Pupil | None:
        """Return the pupil whom a waiting device claims to belong to."""
        hashed = hash_token(token)
        return next((pupil for pupil in self.here if hashed in pupil.waiting), None)

    def is_member(self, token: str | None) -> bool:
        """Whether this token is the teacher's, a pupil's, or that of a waiting device."""
        return bool(self.is_teacher(token) or self.pupil_of(token) or self.waiting_for(token))

    def may_follow(self, key: str) -> bool:
        """Whether this stream key is the teacher's, a pupil's, or that of a waiting device."""
        devices = (one for pupil in self.here for one in (*pupil.devices, *pupil.waiting))
        return any(is_same(stream_key(one), key) for one in (self.teacher, *devices))

    def may_see_boards(self, key: str) -> bool:
        return is_same(stream_key(self.teacher), key)

    def is_teacher(self, token: str | None) -> bool:
        return is_same(self.teacher, hash_token(token))

    def require_teacher(self, token: str | None) -> SchoolClass:
        """Return the class if this token is its teacher's; a Problem if not."""
        if not self.is_teacher(token):
            raise Problem(403 if token else 401, "Only the teacher of the class can do that.")
        return self


def stream_key(hashed: str) -> str:
    """Return the key for the event streams of a token's holder; a stream cannot send the token."""
    return hash_token(f"stream {hashed}")[:24]


def is_code(text: str) -> bool:
    """Whether this could be the code of a class."""
    return len(text) == CODE_LENGTH and set(text) <= set(ID_LETTERS)


def start_round(it: SchoolClass, number: int, winners: Mapping[str, str]) -> SchoolClass:
    """Start round `number` with all pupils paired by score; starting it twice changes nothing.

    `winners` are pupils by match.
    """
    if number == it.round:
        return it
    if number != it.round + 1:
        raise Problem(409, f"The class is in round {it.round}.", stale=True)
    if it.plan is None:
        raise Problem(409, "Choose a game first.")
    if not it.here:
        raise Problem(409, "There are no pupils yet.")
    played = [board.pupils for board in it.boards]
    pairs = pair_up([pupil.id for pupil in it.here], played, Counter(winners.values()))
    return _with_boards(replace(it, round=number, is_paused=False), pairs)


def plan(it: SchoolClass, sent: Plan) -> SchoolClass:
    """Choose what is played from the next round on."""
    game = web_game(sent.game, sent.options)
    return replace(it, plan=msgspec.structs.replace(sent, game=game.id, options=game.options))


def pause(it: SchoolClass, sent: Pause) -> SchoolClass:
    """Pause all boards and their clocks, or resume them."""
    return it if it.is_paused == sent.paused else replace(it, is_paused=sent.paused)


def pair(it: SchoolClass, sent: NewPair) -> SchoolClass:
    """Pair two pupils without a board, or one and the computer."""
    if not it.round:
        raise Problem(409, "Start a round first.")
    for pupil_id in {*sent.pupils} - {COMPUTER}:
        if (pupil := it.pupil_here(pupil_id)) not in it.unpaired:
            raise Problem(409, f"{pupil.name} has a board in this round.")
    if sent.pupils[0] == sent.pupils[1]:
        raise Problem(422, "A board needs two players.")
    return _with_boards(it, pair_up(sent.pupils, [board.pupils for board in it.boards], {}))


def pair_latecomers(it: SchoolClass) -> SchoolClass:
    """Pair two pupils without a board during a round, if its game is still installed."""
    if it.plan is None or not it.round or len(it.unpaired) < 2:
        return it
    try:
        it.plan.load_game()
    except Problem:
        return it
    return pair(it, NewPair([pupil.id for pupil in it.unpaired[:2]]))


def _with_boards(it: SchoolClass, pairs: Iterable[Pair]) -> SchoolClass:
    boards = tuple(Board(it.round, pair, new_id()) for pair in pairs)
    return replace(it, boards=it.boards + boards)


def join(it: SchoolClass, name: str | None, token: str) -> SchoolClass:
    """Add a pupil, with a made-up name if none is given; the same device is the same pupil.

    If the name is taken, the device waits for the teacher.
    """
    if it.pupil_of(token):
        return it
    device = hash_token(token)
    shown = _read_name(name) if name else _made_up(it, device)
    if namesake := _named(it, shown):
        return _wait(it, namesake, device)
    if len(it.here) >= MOST_PUPILS:
        raise Problem(409, f"This class is full: it has {MOST_PUPILS} pupils.")
    return _with_pupil(_stop_waiting(it, device), Pupil(new_id(), shown, (device,)))


def _wait(it: SchoolClass, pupil: Pupil, device: str) -> SchoolClass:
    """Let a device with a taken name wait until the teacher decides whose it is."""
    if device in pupil.waiting:
        return it
    if len(pupil.waiting) >= MOST_DEVICES:
        raise Problem(409, f"The name {pupil.name} is taken: choose another one.")
    waiting = (*pupil.waiting, device)
    return _with_pupil(_stop_waiting(it, device), pupil._replace(waiting=waiting))


def _stop_waiting(it: SchoolClass, device: str) -> SchoolClass:
    """Remove a device from any pupil it waited for, because it can belong to only one."""
    for pupil in it.pupils:
        if device in pupil.waiting:
            it = _with_pupil(it, pupil._replace(waiting=_without(pupil.waiting, device)))
    return it


def change_pupil(it: SchoolClass, sent: PupilChange) -> SchoolClass:
    """Rename or remove a pupil, or accept or refuse a device that waits to be theirs."""
    if sent.remove:
        return remove_pupil(it, sent.pupil)
    pupil = it.pupil_here(sent.pupil)
    if sent.let_in is not None:
        return _accept_device(it, pupil, sent.let_in)
    if sent.refuse is not None:
        return _stop_waiting(it, _device(pupil.waiting, sent.refuse))
    return _rename_pupil(it, pupil, sent.name or "")


def remove_pupil(it: SchoolClass, pupil_id: str) -> SchoolClass:
    """Remove a pupil: their games stay, and their devices lose access."""
    removed = it.pupil(pupil_id)._replace(devices=(), waiting=(), is_here=False)
    return _with_pupil(it, removed)


def _accept_device(it: SchoolClass, pupil: Pupil, device: str) -> SchoolClass:
    """Accept a waiting device as this pupil's; the oldest of too many is dropped."""
    if _device(pupil.devices, device):
        return it
    if not (hashed := _device(pupil.waiting, device)):
        raise Problem(409, "This device is no longer waiting.")
    devices = (*pupil.devices, hashed)[-MOST_DEVICES:]
    waiting = _without(pupil.waiting, hashed)
    return _with_pupil(it, pupil._replace(devices=devices, waiting=waiting))


def _rename_pupil(it: SchoolClass, pupil: Pupil, name: str) -> SchoolClass:
    shown = _read_name(name)
    namesake = _named(it, shown)
    if namesake and namesake.id != pupil.id:
        raise Problem(409, f"The name {namesake.name} is taken.")
    return _with_pupil(it, pupil._replace(name=shown))


def device_id(device: str) -> str:
    """Return the id of a device in the teacher's requests; it gives no access."""
    return hash_token(f"device {device}")[:10]


def device_words(device: str, step: int = 0) -> str:
    """Return two words for a device, shown on it while it waits and in the teacher's list."""
    one, two = divmod(int(device[:8], 16) + 7 * step, len(ANIMALS))
    return f"{ADJECTIVES[one % len(ADJECTIVES)]} {ANIMALS[two]}"


def _read_name(name: str) -> str:
    """Return a pupil's name, checked like any player's."""
    return read_seats((name, Seat("x", "x")))[0].name


def _made_up(it: SchoolClass, device: str) -> str:
    """Return a free made-up name, the same for the same device."""
    taken = {pupil.name.casefold() for pupil in it.pupils}
    for step in range(len(ADJECTIVES) * len(ANIMALS)):
        if (name := device_words(device, step)).casefold() not in taken:
            return name
    raise Problem(409, "All made-up names are taken: type a name.")


def _named(it: SchoolClass, name: str) -> Pupil | None:
    return next((one for one in it.here if one.name.casefold() == name.casefold()), None)


def _device(devices: tuple[str, ...], wanted: str) -> str:
    """Return the device with this `device_id`, or "" if it is not among these."""
    return next((one for one in devices if device_id(one) == wanted), "")


def _without(ids: Sequence[str], *gone: str) -> tuple[str, ...]:
    return tuple(one for one in ids if one not in gone)


def _with_pupil(it: SchoolClass, pupil: Pupil) -> SchoolClass:
    """Add a pupil, or replace the one with the same id."""
    others = [pupil if one.id == pupil.id else one for one in it.pupils]
    return replace(it, pupils=(*others, *(() if pupil in others else (pupil,))))


# Pairing by score, if possible without repeating pairs, and with fair sides
#
# Pupils who have not met are the edges of a graph, and a round is a matching in it: the forests
# that decide Number Duel also decide whether all remaining pupils can still meet a new opponent.


def pair_up(
    pupils: Sequence[str], played: Sequence[Pair], score: Mapping[str, float]
) -> list[Pair]:
    """Return the pairs of a round for all `pupils`, given the games played so far.

    Pupils meet others with similar scores, unless that would force a pair to meet again.
    """
    waiting = tuple(sorted(pupils, key=lambda pupil: -score.get(pupil, 0)))
    if len(waiting) % 2:
        waiting += (COMPUTER,)
    met, tilt = {frozenset(pair) for pair in played}, _tilt(played)
    unfair = {frozenset((a, b)) for a in waiting for b in waiting if a != b and _tilted(tilt, a, b)}
    pairs: list[Pair] = []
    while waiting:
        one, *others = waiting
        liked = sorted(others, key=_likeness(one, score, tilt))
        two = _partner(one, liked, met | unfair)
        if _again(waiting, met) < _again(_without(waiting, one, two), met) + ({one, two} in met):
            two = _partner(one, liked, met)
        pairs.append(_seated(one, two, played, tilt))
        waiting = _without(waiting, one, two)
    return pairs


def _partner(one: str, others: Sequence[str], avoided: Collection[frozenset[str]]) -> str:
    """Return the first of the others with whom the round has the fewest repeated pairs."""
    fewest = _again([one, *others], avoided)
    return next(
        two
        for two in others
        if _again(_without(others, two), avoided) + ({one, two} in avoided) == fewest
    )


def _again(pupils: Sequence[str], avoided: Collection[frozenset[str]]) -> int:
    """Return the least number of repeated pairs in a round of all these pupils."""
    places = range(1, len(pupils) + 1)
    new = {
        one: sum(
            1 << two
            for two in places
            if one != two and frozenset((pupils[one - 1], pupils[two - 1])) not in avoided
        )
        for one in places
    }
    forest = Forest(new, sum(1 << place for place in places))
    return (len(pupils) - sum(mate > 0 for mate in forest.mate)) // 2


def _tilt(played: Sequence[Pair]) -> Counter[str]:
    """Return for each pupil how much more often they have moved first than second."""
    tilt: Counter[str] = Counter()
    for first, second in played:
        tilt[first] += 1
        tilt[second] -= 1
    return tilt


def _tilted(tilt: Counter[str], one: str, two: str) -> bool:
    """Say whether one of the two would have had one side three times more often than the other."""
    return min(tilt[one], tilt[two]) > 1 or max(tilt[one], tilt[two]) < -1


def _likeness(
    one: str, score: Mapping[str, float], tilt: Counter[str]
) -> Callable[[str], tuple[bool, float, bool]]:
    """Return a sort key for opponents: the computer last, similar scores, different sides."""
    return lambda two: (
        two == COMPUTER,
        abs(score.get(one, 0) - score.get(two, 0)),
        tilt[one] * tilt[two] > 0,
    )


def _seated(one: str, two: str, played: Sequence[Pair], tilt: Counter[str]) -> Pair:
    """Return the pair in order: first the pupil who moved first less often, or not last time."""
    if tilt[one] != tilt[two]:
        return (one, two) if tilt[one] < tilt[two] else (two, one)
    for first, second in reversed(played):
        if {first, second} & {one, two}:
            return (two, one) if one == first or two == second else (one, two)
    return one, two
