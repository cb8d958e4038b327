"""Rate limits: token buckets for each client, shared by all servers of a database."""

from __future__ import annotations

import time
from dataclasses import dataclass
from hashlib import blake2b
from ipaddress import IPv6Address, IPv6Network, ip_address
from math import ceil
from typing import TYPE_CHECKING

from sqlalchemy import Connection, bindparam, select, text

from duels.server.database import rate_limits
from duels.service.problems import Problem
from duels.service.requests import limit_scope

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

HOUR = 3_600_000
MAX_CLASSES, MAX_WRONG_CODES = 60, 100
"""New classes and wrong class codes per client and hour; a school is one client."""
SOLVER_REFILL = 120_000
"""Milliseconds in which all solver seconds of a client are restored."""
MAX_CLIENTS = 10_000
"""Clients whose solver time is remembered; beyond that, full buckets are dropped."""
HOME_BITS = 64
"""Leading bits of an IPv6 address that identify a client; the rest belongs to one home or
school."""


def client_of(request: HTTPConnection) -> str:
    """Return the client that a request is charged to."""
    return client_id(request.client.host if request.client else "")


def client_id(host: str) -> str:
    """Return a client's id: a hash of its address, so that no address is stored."""
    try:
        address = ip_address(host)
    except ValueError:
        return _hash(host)
    if isinstance(address, IPv6Address):
        mapped = address.ipv4_mapped
        return _hash(str(mapped or IPv6Network((int(address), HOME_BITS), strict=False)))
    return _hash(host)


def _hash(name: str) -> str:
    return blake2b(name.encode("utf-8", "replace"), digest_size=8).hexdigest()


@dataclass(frozen=True)
class TokenBucket:
    """At most `capacity` tokens at once; an empty bucket is full after `refill` milliseconds."""

    name: str
    capacity: float
    refill: int

    def still_used(self, used: float, milliseconds: float) -> float:
        """Return how many tokens are still in use this long after `used` were taken."""
        return max(0.0, used - max(0, milliseconds) * self.capacity / self.refill)

    def check(self, used: float, sentence: str) -> None:
        """Raise Problem 429 if more tokens have been used than there are."""
        excess = used - self.capacity
        if excess > 0:
            seconds = max(1, ceil(excess * self.refill / self.capacity / 1000))
            raise Problem(429, sentence, headers={"Retry-After": str(seconds)})


_OPEN = text(
    "INSERT INTO rate_limits (client, bucket, used, at) VALUES (:client, :bucket, 0, :now) "
    "ON CONFLICT (client, bucket) DO NOTHING"
)
_KEY = (rate_limits.c.client == bindparam("client"), rate_limits.c.bucket == bindparam("bucket"))
_FIND = select(rate_limits.c.used, rate_limits.c.at).where(*_KEY).with_for_update()
_UPDATE = rate_limits.update().where(
    rate_limits.c.client == bindparam("by"), rate_limits.c.bucket == bindparam("of")
)


def charge(
    connection: Connection, bucket: TokenBucket, client: str, tokens: float, now: int
) -> float:
    """Take tokens and return how many the client has used; its row stays locked until commit."""
    key = {"client": client, "bucket": bucket.name}
    connection.execute(_OPEN, key | {"now": now})
    before = connection.execute(_FIND, key).one()
    used = bucket.still_used(before.used, now - before.at) + tokens
    connection.execute(_UPDATE, {"by": client, "of": bucket.name, "used": used, "at": now})
    return used


def charge_new(connection: Connection, what: str, most: int, client: str, now: int) -> None:
    """Charge a new match or class in the transaction that saves it; Problem 429 if too many."""
    bucket = TokenBucket(what, most, HOUR)
    sentence = f"At most {most} {what} an hour can be created {limit_scope(client)}."
    bucket.check(charge(connection, bucket, client, 1, now), sentence)


def charge_guess(connection: Connection, client: str, cost: int, now: int) -> None:
    """Charge a wrong class code (cost 1) or just check (cost 0); Problem 429 after too many."""
    bucket = TokenBucket("codes", MAX_WRONG_CODES, HOUR)
    sentence = "There were too many wrong codes from this address. Try again in a few minutes."
    bucket.check(charge(connection, bucket, client, cost, now) + (1 - cost), sentence)


def delete_full(connection: Connection, now: int) -> None:
    """Delete buckets that are full again, and with them the ids of their clients."""
    connection.execute(rate_limits.delete().where(rate_limits.c.at <= now - HOUR))


class RateLimiter:
    """The solver seconds that clients have used: at once here, a second later on other servers."""

    def __init__(self, seconds: float) -> None:
        self.bucket = TokenBucket("solver", seconds, SOLVER_REFILL)
        self._used: dict[str, tuple[float, float]] = {}
        """By client: the seconds used, and when, in milliseconds of the monotonic clock."""
        self._unsaved: dict[str, float] = {}

    def check(self, client: str) -> None:
        """Raise Problem 429 if the client's bucket is empty."""
        sentence = (
            f"Too many requests {limit_scope(client)} for the solver. "
            "Games continue; try again later."
        )
        self.bucket.check(self.used(client), sentence)

    def charge(self, client: str, seconds: float) -> None:
        """Take seconds from the client's bucket."""
        self._unsaved[client] = self._unsaved.get(client, 0.0) + seconds
        self._set(client, self.used(client) + seconds)

    def used(self, client: str) -> float:
        """Return the seconds that have not been restored yet."""
        used, at = self._used.get(client, (0.0, 0.0))
        return self.bucket.still_used(used, _milliseconds() - at)

    def take_unsaved(self) -> dict[str, float]:
        """Return what was charged here since the last call."""
        unsaved, self._unsaved = self._unsaved, {}
        return unsaved

    def save(self, connection: Connection, costs: dict[str, float], now: int) -> dict[str, float]:
        """Charge costs in the database; return what these clients have used on all servers."""
        return {
            client: charge(connection, self.bucket, client, cost, now)
            for client, cost in sorted(costs.items())
        }

    def merge(self, used: dict[str, float]) -> None:
        """Adopt the totals that clients have used on all servers."""
        for client, seconds in used.items():
            self._set(client, seconds + self._unsaved.get(client, 0.0))

    def _set(self, client: str, seconds: float) -> None:
        if len(self._used) > MAX_CLIENTS:
            self._used = {one: used for one, used in self._used.items() if self.used(one)}
        self._used[client] = seconds, _milliseconds()


def _milliseconds() -> float:
    return time.monotonic() * 1000
