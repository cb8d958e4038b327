"""Who may sit where: a key opens a seat to one device, and an invitation becomes a key, once."""

from __future__ import annotations

import hashlib
import hmac
from typing import NamedTuple

from duels.service.problems import Problem

MOST_DEVICES = 5
"""Keys of one seat."""
USED = "This invitation has been used. You can watch the game."


class Key(NamedTuple):
    """Opens a seat. What is kept of a secret is its hash.

    An invitation has no device before somebody sits down with it. Afterwards both are kept, so that
    whoever was not answered may ask again, and everybody else is told that it has been used.
    """

    player: int
    device: str = ""
    """Whose secret opens the seat; empty while the invitation waits."""
    invitation: str = ""
    """By which the device came; empty for who created the match."""


Keys = tuple[Key, ...]


def hash_secret(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def opened_by(keys: Keys, secret: str) -> tuple[int, ...]:
    """The players for whom the device with this secret may move."""
    hashed = hash_secret(secret)
    return tuple(sorted({key.player for key in keys if _same(key.device, hashed)}))


def invited_by(keys: Keys, secret: str) -> tuple[int, ...] | None:
    """The seats of an invitation, none once it has been used; None for any other secret."""
    meant = _by_invitation(keys, hash_secret(secret))
    return tuple(key.player for key in meant if not key.device) if meant else None


def redeem(keys: Keys, invitation: str, secret: str) -> Keys:
    """The keys when a device with a secret of its own has come by an invitation, perhaps again."""
    device, meant = hash_secret(secret), _by_invitation(keys, hash_secret(invitation))
    if any(key.device and not _same(key.device, device) for key in meant):
        raise Problem(403, USED)
    return tuple(key._replace(device=device) if key in meant else key for key in keys)


def invite(keys: Keys, players: tuple[int, ...], invitation: str) -> Keys:
    """With an invitation for one more device of these players, in place of one that nobody used."""
    hashed = hash_secret(invitation)
    if _by_invitation(keys, hashed):
        return keys
    kept = tuple(key for key in keys if key.device or key.player not in players)
    if any(sum(key.player == player for key in kept) >= MOST_DEVICES for player in players):
        raise Problem(409, f"This seat is open on {MOST_DEVICES} devices, and no more can be.")
    return kept + tuple(Key(player, invitation=hashed) for player in players)


def swapped(keys: Keys) -> Keys:
    """The same people on the other sides."""
    return tuple(key._replace(player=3 - key.player) for key in keys)


def _by_invitation(keys: Keys, hashed: str) -> list[Key]:
    return [key for key in keys if _same(key.invitation, hashed)]


def _same(kept: str, hashed: str) -> bool:
    return bool(kept) and hmac.compare_digest(kept, hashed)
