"""The seats of a match: which device may move for which player, and invitations that work once."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import replace

from duels.match.match import Seat, read_seats
from duels.service.hosted import Hosted, Players, SeatToken, SeatTokens, with_player
from duels.service.problems import Problem
from duels.service.requests import JoinMatch, NewInvitation

MOST_DEVICES = 5
"""The most devices that can have a token for one seat."""
USED = "This invitation has been used. You can watch the game."


def new_token() -> str:
    return secrets.token_urlsafe(24)


def hash_token(token: str | None) -> str:
    """Return the hash that is saved in place of a token."""
    return hashlib.sha256((token or "").encode("utf-8", "surrogatepass")).hexdigest()


def is_same(saved: str, given: str) -> bool:
    """Compare two hashes in constant time; an empty saved hash equals nothing."""
    return bool(saved) and hmac.compare_digest(
        saved.encode(), given.encode("utf-8", "surrogatepass")
    )


def players_of(hosted: Hosted, token: str | None) -> Players:
    """Return the players that a device with this token may move for."""
    hashed = hash_token(token)
    return tuple(sorted({one.player for one in hosted.tokens if is_same(one.device, hashed)}))


def players_invited(hosted: Hosted, token: str | None) -> Players | None:
    """Return the seats that an invitation opens, () if it has been used, None if it is not one."""
    invited = _by_invitation(hosted.tokens, hash_token(token))
    return tuple(one.player for one in invited if not one.device) if invited else None


def require_players(hosted: Hosted, token: str | None) -> Players:
    """Return the seats that a token opens; a Problem if it opens none."""
    if not token:
        raise Problem(
            401,
            "Only a player can do that: send the token of a seat as a bearer token.",
            headers={"WWW-Authenticate": "Bearer"},
        )
    players = players_of(hosted, token)
    if not players:
        invited = players_invited(hosted, token)
        if invited:
            raise Problem(403, "This is an invitation. Join with it, and a token of your own.")
        raise Problem(403, "This token gives no access to this match." if invited is None else USED)
    return players


def take_seat(hosted: Hosted, token: str | None, now: int, sent: JoinMatch) -> Hosted:
    """Join with the token of a seat, or with an invitation and a token of your own."""
    if not token or players_invited(hosted, token) is None:
        return _join(hosted, require_players(hosted, token), sent.name, now)
    if not sent.token:
        raise Problem(422, "An invitation works once: send a token of your own as token.")
    device, invited = hash_token(sent.token), _by_invitation(hosted.tokens, hash_token(token))
    if any(one.device and not is_same(one.device, device) for one in invited):
        raise Problem(403, USED)
    tokens = (one._replace(device=device) if one in invited else one for one in hosted.tokens)
    seated = _with_tokens(hosted, tuple(tokens))
    return _join(seated, require_players(seated, sent.token), sent.name, now)


def _join(hosted: Hosted, players: Players, name: str | None, now: int) -> Hosted:
    """Mark a player as joined; the name may change until the seat has moved or the game is over."""
    if len(players) > 1:
        return hosted
    (player,) = players
    joined = with_player(hosted.joined, player, True)
    is_settled = hosted.ply >= player or hosted.match.outcome
    seated = hosted.match.seats
    if name and not is_settled and not hosted.class_code:  # a class names its own pupils
        seated = read_seats(with_player(seated, player, Seat(name)))
    if (joined, seated) == (hosted.joined, hosted.match.seats):
        return hosted
    starts = all(joined) and not all(hosted.joined)
    return replace(
        hosted,
        joined=joined,
        match=replace(hosted.match, seats=seated),
        turn_started=now if starts else hosted.turn_started,
    )


def invite_device(hosted: Hosted, players: Players, _now: int, sent: NewInvitation) -> Hosted:
    """Add an invitation to your own seat for another device; `token` opens it once.

    It replaces one that has not been used.
    """
    hashed = hash_token(sent.token)
    if _by_invitation(hosted.tokens, hashed):
        return hosted
    used = tuple(one for one in hosted.tokens if one.device or one.player not in players)
    if any(sum(one.player == player for one in used) >= MOST_DEVICES for player in players):
        raise Problem(409, f"This seat is open on {MOST_DEVICES} devices, and no more can be.")
    invited = (SeatToken(player, invitation=hashed) for player in players)
    return _with_tokens(hosted, (*used, *invited))


def _by_invitation(tokens: SeatTokens, hashed: str) -> list[SeatToken]:
    return [one for one in tokens if is_same(one.invitation, hashed)]


def _with_tokens(hosted: Hosted, tokens: SeatTokens) -> Hosted:
    return hosted if tokens == hosted.tokens else replace(hosted, tokens=tokens)
