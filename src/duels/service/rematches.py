"""Playing again: offered and accepted between two people, at once where nobody has to agree."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from duels.core.game import other
from duels.match.match import new_match
from duels.service.hosted import Hosted, new_id
from duels.service.keys import swapped
from duels.service.problems import Problem


class Again(NamedTuple):
    """A match after both said that they play again, and the next one, which begins now."""

    hosted: Hosted
    following: Hosted


def ask(it: Hosted, seats: tuple[int, ...], now: int) -> Hosted | Again:
    """Offer a rematch; where nobody has to agree, or the other has offered one, it begins."""
    if not it.match.outcome:
        raise Problem(409, "The game is not over yet.", stale=True)
    if it.school:
        raise Problem(409, "In a class the teacher starts the next round.", stale=True)
    if it.rematch:
        return it
    needs_consent = it.mode == "friend" and len(seats) == 1 and all(it.joined)
    if needs_consent and it.rematch_offer != other(seats[0]):
        is_offered = it.rematch_offer == seats[0]
        return it if is_offered else replace(it, rematch_offer=seats[0])
    following = sides_swapped(it, seats, now)
    return Again(replace(it, rematch=following.match.id, rematch_offer=None), following)


def answer(it: Hosted, seats: tuple[int, ...], now: int, agree: bool) -> Hosted | Again:
    """Agree to a rematch or not; whoever offered it may only withdraw. Twice counts once."""
    if not agree and it.rematch:
        raise Problem(409, "The rematch has begun.", stale=True)
    if it.rematch or (not agree and it.rematch_offer is None):
        return it
    if it.rematch_offer is None:
        raise Problem(409, "Nobody offers a rematch.", stale=True)
    if not agree:
        return replace(it, rematch_offer=None)
    if other(it.rematch_offer) not in seats:
        raise Problem(403, f"{it.match.name(other(it.rematch_offer))} has to agree to that.")
    return ask(it, seats, now)


def sides_swapped(it: Hosted, seats: tuple[int, ...], now: int) -> Hosted:
    """The next match of two players: in a friend's match the other one has to come first."""
    match = it.match
    again = new_match(match.game, match.seats[::-1], time_limit=match.time_limit)
    joined = (2 in seats, 1 in seats) if it.mode == "friend" else (True, True)
    one, two = it.standing
    return Hosted(
        match=replace(again, id=new_id()),
        mode=it.mode,
        keys=swapped(it.keys),
        updated=now,
        joined=joined,
        turn_started=now if all(joined) else None,
        public=it.public,
        show_moves=it.show_moves,
        coach=it.coach,
        score=(two, one),
    )
