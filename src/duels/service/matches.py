"""The matches of a process: created, found, changed, and played by the computer.

Every change is one transaction with the match locked; its event is published once it is durable.
The newest version of each match is cached, so that a move costs one validation.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from random import Random, SystemRandom
from typing import Any, NamedTuple, Protocol, TypeVar

from duels.core.errors import MatchError, OptionError
from duels.core.game import Move
from duels.core.words import listed, quoted
from duels.match.match import DEFAULT_NAMES, Match, Seat, Seats, new_match, read_seats
from duels.match.players.levels import BUILT_IN, strength_of
from duels.match.players.specs import name_of
from duels.service import hosted as changes
from duels.service.hosted import Hosted, Rematch, SeatToken, new_id
from duels.service.problems import Problem
from duels.service.requests import NewMatch, Request, web_game
from duels.service.seats import hash_token, new_token
from duels.service.state import encode, match_view
from duels.service.storage import Job, Store, StoredMatch, Transaction

T = TypeVar("T")

MOST_CACHED = 5000
"""Matches in memory."""
NO_MATCH = "There is no match with this id."

Change = Callable[[Hosted, int], Hosted | Rematch]
Publish = Callable[[str, int, bytes], None]
ChooseMove = Callable[[Match], Awaitable[Move]]


class Clock(Protocol):
    """The time in milliseconds; it never goes back."""

    def now(self) -> int: ...


class StateEvent(NamedTuple):
    """A match and its public state, ready to be sent."""

    hosted: Hosted
    state: bytes

    @property
    def event(self) -> tuple[str, int, bytes]:
        """The topic, version and data for open streams."""
        return self.hosted.match.id, self.hosted.version, self.state


class Matches:
    """All matches in a store, as one process sees them."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.store = store
        self.clock = clock
        self.publish: Publish = lambda topic, version, data: None
        """Sends an event to the streams of a topic: a match or a class."""
        self.computer_to_move: Callable[[str], None] = lambda match_id: None
        """Called with the id of a match in which the computer has to move."""
        self._cache: OrderedDict[str, Hosted] = OrderedDict()

    def cached(self, match_id: str) -> Hosted | None:
        """Return a match as this process has last seen it."""
        return self._cache.get(match_id)

    async def find(self, match_id: str) -> StoredMatch | None:
        """Return a match, or None if there is none with this id."""
        if not changes.is_id(match_id):
            return None
        now, known = self.clock.now(), self._cache.get(match_id)
        found = await self.store.read(lambda transaction: transaction.find(match_id, now, known))
        if found:
            self._remember(found.hosted)
        return found

    async def get(self, match_id: str) -> StoredMatch:
        """Return a match; a Problem if there is none with this id."""
        found = await self.find(match_id)
        if found is None:
            raise Problem(404, NO_MATCH)
        return found

    async def exists(self, match_id: str) -> bool:
        """Whether a match is saved, even if its game is not installed."""
        return changes.is_id(match_id) and await self.store.read(lambda at: at.exists(match_id))

    async def state(self, match_id: str) -> bytes:
        """Return the public state of a match as JSON."""
        return encode(match_view(*await self.get(match_id), self.clock.now()))

    async def newest(
        self, match_ids: Iterable[str], report: Callable[[str, Exception], None]
    ) -> list[StateEvent]:
        """Return the newest states of some matches; errors go to `report`, match by match."""

        def read(transaction: Transaction) -> list[StateEvent]:
            found = []
            for match_id in match_ids:
                now, known = self.clock.now(), self._cache.get(match_id)
                try:
                    if stored := transaction.find(match_id, now, known):
                        found.append(StateEvent(stored.hosted, encode(match_view(*stored, now))))
                except Exception as error:
                    report(match_id, error)
            return found

        found = await self.store.read(read)
        for one in found:
            self._remember(one.hosted)
        return found

    async def insert(self, hosted: Hosted, client: str) -> None:
        """Save a new match and charge this client."""
        await self.store.write(lambda transaction: transaction.insert(hosted, client))
        self._remember(hosted)
        if hosted.computer_moves:
            self.computer_to_move(hosted.match.id)

    async def change(self, match_id: str, change: Change, client: str = "") -> StateEvent:
        """Change a match durably, and publish it if anything is different.

        A rematch that begins is charged to this client.
        """
        try:
            return self._written(*await self.store.write(self._job(match_id, change, client)))
        except Problem as problem:
            if problem.stale:
                problem.state = await self.state(match_id)
            raise

    async def act(self, match_id: str, choose_move: ChooseMove) -> None:
        """Do what is due in a match: make the computer's move, or end it when time has run out."""
        found = await self.find(match_id)
        if found is None:
            return
        it = found.hosted
        change: Change = changes.end_if_out_of_time
        if it.computer_moves:
            ply, move = it.ply, await choose_move(it.match)
            change = lambda it, now: changes.play_computer(it, ply, move, now)  # noqa: E731
        changed = self._written(*await self.store.write(self._job(match_id, change)))
        if changed.hosted.version == it.version:
            await self.store.write(lambda transaction: transaction.reschedule(it))

    def _job(
        self, match_id: str, change: Change, client: str = ""
    ) -> Job[tuple[Hosted, StoredMatch, Hosted | None]]:
        """Return a job that changes a locked match: its result is before, after, and a rematch."""
        if not changes.is_id(match_id):
            raise Problem(404, NO_MATCH)
        now = self.clock.now()  # when it was requested, however long it waits to be written

        def job(transaction: Transaction) -> tuple[Hosted, StoredMatch, Hosted | None]:
            found = transaction.find(match_id, now, self._cache.get(match_id), lock=True)
            if found is None:
                raise Problem(404, NO_MATCH)
            before = found.hosted
            changed = change(before, now)
            after, following = changed if isinstance(changed, Rematch) else (changed, None)
            if after is not before:
                after = transaction.update(before, after, now)
            if following:
                transaction.insert(following, client)
            return before, StoredMatch(after, found.watching), following

        return job

    def _written(self, before: Hosted, found: StoredMatch, following: Hosted | None) -> StateEvent:
        """Publish what has been written."""
        state = encode(match_view(*found, self.clock.now()))
        if found.hosted is not before:
            self.publish_match(found.hosted, state)
        if following and following.computer_moves:
            self.computer_to_move(following.match.id)
        return StateEvent(found.hosted, state)

    def publish_match(self, hosted: Hosted, state: bytes | None = None) -> None:
        """Publish a new or changed match, and let the computer move if it is its turn."""
        self._remember(hosted)
        state = state or encode(match_view(hosted, 0, self.clock.now()))
        self.publish(hosted.match.id, hosted.version, state)
        if hosted.computer_moves:
            self.computer_to_move(hosted.match.id)

    def _remember(self, hosted: Hosted) -> None:
        match_id = hosted.match.id
        known = self._cache.get(match_id)
        if known is None or known.version <= hosted.version:
            self._cache[match_id] = hosted
        self._cache.move_to_end(match_id)
        if len(self._cache) > MOST_CACHED:
            self._cache.popitem(last=False)


class Solver(Protocol):
    """Runs what takes a while: a module's function with plain data."""

    def run(self, request: Request, function: Callable[..., T], *args: Any) -> Awaitable[T]: ...


class Services(Protocol):
    """What a handler needs to respond to a request."""

    @property
    def matches(self) -> Matches: ...

    @property
    def solver(self) -> Solver: ...


@dataclass(frozen=True)
class CreatedMatch:
    """A new match, with the tokens that only its creator gets."""

    hosted: Hosted
    token: str
    seat: int | None
    invitation: str | None
    coin: list[str]
    """What the coin showed, in a sentence, if it was tossed."""


def create_match(new: NewMatch, now: int, chance: Random | None = None) -> CreatedMatch:
    """Return the match that was asked for; a DuelsError says what is wrong with it."""
    playing = web_game(new.game, new.options)
    creator, seats, coin = _seats(new, chance or SystemRandom())
    given = playing.position(*new.moves)
    if new.moves and given.outcome:
        raise MatchError("The game is over after these moves.")
    match = new_match(playing, seats, time_limit=new.time_limit, given=given)
    token, invitation = new_token(), None
    tokens = [SeatToken(creator, hash_token(token))]
    if new.mode == "friend":
        invitation = new_token()
        tokens.append(SeatToken(3 - creator, invitation=hash_token(invitation)))
    elif new.mode == "here":
        tokens.append(SeatToken(3 - creator, hash_token(token)))
    joined = new.mode != "friend"
    hosted = Hosted(
        match=replace(match, id=new_id()),
        mode=new.mode,
        tokens=tuple(tokens),
        updated=now,
        joined=(creator == 1 or joined, creator == 2 or joined),
        turn_started=now if joined else None,
        public=new.public,
        show_moves=new.show_moves,
        coach=new.coach,
    )
    return CreatedMatch(hosted, token, None if new.mode == "here" else creator, invitation, coin)


def _seats(new: NewMatch, chance: Random) -> tuple[int, Seats, list[str]]:
    """Return the creator's seat, both seats in the order of play, and what the coin showed."""
    own, others, *_ = [*((name or "").strip() for name in new.names), "", ""]
    heads = chance.random() < 0.5
    creator = 1 if new.first == 1 or (new.first == "coin" and heads) else 2
    me, you = Seat(own or DEFAULT_NAMES[creator - 1]), Seat(others or DEFAULT_NAMES[2 - creator])
    if new.mode == "computer":
        you = _computer(new.level)
    seats = read_seats((me, you) if creator == 1 else (you, me))
    if new.first != "coin":
        return creator, seats, []
    side = "heads" if heads else "tails"
    if not own:
        who = "you move" if creator == 1 else "your opponent moves"
        return creator, seats, [f"The coin shows {side}: {who} first."]
    mine, yours = (seat.name for seat in (seats if creator == 1 else seats[::-1]))
    first = seats[0].name
    coin = f"Heads for {mine}, tails for {yours}. The coin shows {side}: {first} moves first."
    return creator, seats, [coin]


def _computer(level: str) -> Seat:
    if level not in BUILT_IN and strength_of(level) is None:
        raise OptionError(f"There is no level {quoted(level)}; there are {listed(BUILT_IN)}.")
    return Seat(name_of(level), level)
