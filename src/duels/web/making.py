"""A new match from what somebody asked for: the game, the names, who begins, the secrets."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from random import Random, SystemRandom
from typing import Any

from duels.core.errors import OptionError
from duels.core.game import Game
from duels.core.words import listed, printable, quoted
from duels.games import game
from duels.match import DEFAULT_NAMES, new_match, read_names
from duels.players.levels import LEVELS
from duels.web.hosted import Hosted, check_person, hash_secret
from duels.web.matches import new_id
from duels.web.state import now_ms
from duels.web.wanted import NewMatch

MOST_NUMBERS = 200
"""On the web every answer is quick and every board fits a page."""
HIGHEST_DIVISOR = 10**12


@dataclass(frozen=True)
class Made:
    """A new match, with the secrets that only its creator is told."""

    hosted: Hosted
    secret: str
    seat: int | None
    invitation: str | None
    said: list[str]


def web_game(game_id: str, options: dict[str, Any]) -> Game:
    """A game whose board is not too large for the web."""
    chosen = game(game_id, **options)
    for name, most in (("numbers", MOST_NUMBERS), ("divisor", HIGHEST_DIVISOR)):
        if int(chosen.options.get(name, 0)) > most:
            raise OptionError(f"{name} may be at most {most:,} on the web.")
    return chosen


def make(wanted: NewMatch, chance: Random | None = None) -> Made:
    """The match that somebody asked for; what is wrong with it is a DuelsError."""
    playing = web_game(wanted.game, wanted.options.given())
    own, others = _names(wanted)
    creator, players, said = _seat(own, others, wanted.first, chance or SystemRandom())
    match = new_match(playing, players, time_limit=wanted.time_limit)
    secret, invitation = secrets.token_urlsafe(24), None
    own_seat = other_seat = hash_secret(secret)
    if wanted.mode == "friend":
        invitation = secrets.token_urlsafe(24)
        other_seat = hash_secret(invitation)
    elif wanted.mode == "computer":
        other_seat = ""
    now = now_ms()
    joined = wanted.mode != "friend"
    hosted = Hosted(
        match=replace(match, id=new_id()),
        mode=wanted.mode,
        seats=(own_seat, other_seat) if creator == 1 else (other_seat, own_seat),
        created=now,
        updated=now,
        joined=(creator == 1 or joined, creator == 2 or joined),
        turn_started=now if joined else None,
        public=wanted.public,
        show_moves=wanted.show_moves,
    )
    return Made(hosted, secret, None if wanted.mode == "here" else creator, invitation, said)


def _names(wanted: NewMatch) -> tuple[str, str]:
    """The creator's name and the other one's; empty where nobody chose."""
    own, others, *_ = [*((name or "").strip() for name in wanted.names), "", ""]
    if wanted.mode == "computer":
        others = wanted.level
        if others not in LEVELS:
            raise OptionError(f"There is no level {quoted(others)}; there are {listed([*LEVELS])}.")
    for name in (own, others if wanted.mode != "computer" else ""):
        check_person(" ".join(printable(name).split()))
    return own, others


def _seat(
    own: str, others: str, first: int | str, chance: Random
) -> tuple[int, tuple[str, str], list[str]]:
    """The creator's seat, the players in the order of play, and what the coin said."""
    heads = chance.random() < 0.5
    creator = 1 if first == 1 or (first == "coin" and heads) else 2
    order = (own, others) if creator == 1 else (others, own)
    one, two = (name or default for name, default in zip(order, DEFAULT_NAMES, strict=True))
    players = read_names((one, two))
    if first != "coin":
        return creator, players, []
    side = "heads" if heads else "tails"
    if not own:
        who = "you move" if creator == 1 else "your opponent moves"
        return creator, players, [f"The coin shows {side}: {who} first."]
    me, you = players if creator == 1 else players[::-1]
    said = f"Heads for {me}, tails for {you}. The coin shows {side}: {players[0]} moves first."
    return creator, players, [said]
