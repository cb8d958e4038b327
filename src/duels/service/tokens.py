"""Seat tokens: which device may move for which player, and invitations that work once."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import NamedTuple

from duels.service.problems import Problem

MOST_DEVICES = 5
"""Devices that can hold a token for one seat."""
USED = "This invitation has been used. You can watch the game."


class SeatToken(NamedTuple):
    """A device that may move for `player`. Only hashes of tokens are saved.

    An invitation has no device until it is used. Both hashes are saved then, so that the same
    device can join again after a lost response, and any other device gets a clear refusal.
    """

    player: int
    device: str = ""
    """The hash of the device's token; empty while an invitation is open."""
    invitation: str = ""
    """The hash of the invitation the device used; empty for the creator of the match."""


SeatTokens = tuple[SeatToken, ...]


def new_token() -> str:
    """Return a new random token."""
    return secrets.token_urlsafe(24)


def hash_token(token: str) -> str:
    """Return the hash that is saved in place of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def is_same(saved: str, given: str) -> bool:
    """Compare two hashes in constant time; an empty saved hash equals nothing."""
    return bool(saved) and hmac.compare_digest(saved.encode(), given.encode())


def seats_opened(tokens: SeatTokens, token: str) -> tuple[int, ...]:
    """Return the players a device with this token may move for."""
    hashed = hash_token(token)
    return tuple(sorted({one.player for one in tokens if is_same(one.device, hashed)}))


def seats_invited(tokens: SeatTokens, token: str) -> tuple[int, ...] | None:
    """Return the seats an invitation opens, () if it has been used, None if it is no invitation."""
    invited = _by_invitation(tokens, hash_token(token))
    return tuple(one.player for one in invited if not one.device) if invited else None


def redeem(tokens: SeatTokens, invitation: str, token: str) -> SeatTokens:
    """Return the tokens after a device used an invitation, possibly for the second time."""
    device, invited = hash_token(token), _by_invitation(tokens, hash_token(invitation))
    if any(one.device and not is_same(one.device, device) for one in invited):
        raise Problem(403, USED)
    return tuple(one._replace(device=device) if one in invited else one for one in tokens)


def invite(tokens: SeatTokens, players: tuple[int, ...], invitation: str) -> SeatTokens:
    """Return the tokens with an invitation for one more device, replacing any unused one."""
    hashed = hash_token(invitation)
    if _by_invitation(tokens, hashed):
        return tokens
    used = tuple(one for one in tokens if one.device or one.player not in players)
    if any(sum(one.player == player for one in used) >= MOST_DEVICES for player in players):
        raise Problem(409, f"This seat is open on {MOST_DEVICES} devices, and no more can be.")
    return used + tuple(SeatToken(player, invitation=hashed) for player in players)


def with_sides_swapped(tokens: SeatTokens) -> SeatTokens:
    """Return the same devices for the other players."""
    return tuple(one._replace(player=3 - one.player) for one in tokens)


def _by_invitation(tokens: SeatTokens, hashed: str) -> list[SeatToken]:
    return [one for one in tokens if is_same(one.invitation, hashed)]
