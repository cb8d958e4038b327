"""A new match from what somebody asked for: the game, the names, who begins, the secrets."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random, SystemRandom

from duels.core.errors import MatchError, OptionError
from duels.core.game import Game
from duels.core.options import OptionValue
from duels.core.words import listed, quoted
from duels.games import game
from duels.match.match import DEFAULT_NAMES, Seat, Seats, new_match, read_seats
from duels.match.players.levels import BUILT_IN, strength_of
from duels.match.players.specs import name_of
from duels.service.hosted import Hosted, new_id
from duels.service.keys import Key, hash_secret
from duels.service.requests import LARGEST, NewMatch


@dataclass(frozen=True)
class Made:
    """A new match, with the secrets that only its creator is told."""

    hosted: Hosted
    secret: str
    seat: int | None
    invitation: str | None
    said: list[str]


def web_game(game_id: str, options: Mapping[str, OptionValue]) -> Game:
    """A game whose board is not too large for the web, where numbers are sent as numbers."""
    chosen = game(game_id, **options)
    for name, option in chosen.fields.items():
        if option.choices:
            continue
        if isinstance(options.get(name), str):
            raise OptionError(f"{name} must be a whole number, not {quoted(options[name])}.")
        highest = LARGEST if option.web_highest is None else option.web_highest
        if int(chosen.options[name]) > highest:
            raise OptionError(f"{name} may be at most {highest:,} on the web.")
    return chosen


def make(asked: NewMatch, now: int, chance: Random | None = None) -> Made:
    """The match that somebody asked for; what is wrong with it is a DuelsError."""
    playing = web_game(asked.game, asked.options)
    creator, seats, said = _seated(asked, chance or SystemRandom())
    given = playing.position(*asked.moves)
    if asked.moves and given.outcome:
        raise MatchError("The game is over after these moves.")
    match = new_match(playing, seats, time_limit=asked.time_limit, given=given)
    secret, invitation = secrets.token_urlsafe(24), None
    keys = [Key(creator, hash_secret(secret))]
    if asked.mode == "friend":
        invitation = secrets.token_urlsafe(24)
        keys.append(Key(3 - creator, invitation=hash_secret(invitation)))
    elif asked.mode == "here":
        keys.append(Key(3 - creator, hash_secret(secret)))
    joined = asked.mode != "friend"
    hosted = Hosted(
        match=replace(match, id=new_id()),
        mode=asked.mode,
        keys=tuple(keys),
        updated=now,
        joined=(creator == 1 or joined, creator == 2 or joined),
        turn_started=now if joined else None,
        public=asked.public,
        show_moves=asked.show_moves,
        coach=asked.coach,
    )
    return Made(hosted, secret, None if asked.mode == "here" else creator, invitation, said)


def _seated(asked: NewMatch, chance: Random) -> tuple[int, Seats, list[str]]:
    """The creator's seat, both seats in the order of play, and what the coin said."""
    own, others, *_ = [*((name or "").strip() for name in asked.names), "", ""]
    heads = chance.random() < 0.5
    creator = 1 if asked.first == 1 or (asked.first == "coin" and heads) else 2
    me, you = Seat(own or DEFAULT_NAMES[creator - 1]), Seat(others or DEFAULT_NAMES[2 - creator])
    if asked.mode == "computer":
        you = _computer(asked.level)
    seats = read_seats((me, you) if creator == 1 else (you, me))
    if asked.first != "coin":
        return creator, seats, []
    side = "heads" if heads else "tails"
    if not own:
        who = "you move" if creator == 1 else "your opponent moves"
        return creator, seats, [f"The coin shows {side}: {who} first."]
    mine, yours = (seat.name for seat in (seats if creator == 1 else seats[::-1]))
    first = seats[0].name
    said = f"Heads for {mine}, tails for {yours}. The coin shows {side}: {first} moves first."
    return creator, seats, [said]


def _computer(level: str) -> Seat:
    if level not in BUILT_IN and strength_of(level) is None:
        raise OptionError(f"There is no level {quoted(level)}; there are {listed(BUILT_IN)}.")
    return Seat(name_of(level), level)
