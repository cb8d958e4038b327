"""What a client may ask for: budgets that refill, kept in the database for all its servers."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from sqlalchemy import Connection, bindparam, select, text

from duels.server.tables import spending
from duels.service.problems import Problem
from duels.service.requests import limit_scope

HOUR = 3_600_000
MOST_CLASSES, MOST_GUESSES = 60, 100
"""New classes of a client in an hour, and wrong codes; a school is one client."""


@dataclass(frozen=True)
class Budget:
    """So much at once, all of which is there again after so many milliseconds."""

    what: str
    most: float
    refills: int

    def still_spent(self, spent: float, milliseconds: float) -> float:
        """What still counts of what had been spent so long ago."""
        return max(0.0, spent - max(0, milliseconds) * self.most / self.refills)

    def retry_after(self, too_much: float) -> dict[str, str]:
        """When so much will have come back, as a header."""
        return {"Retry-After": str(max(1, ceil(too_much * self.refills / self.most / 1000)))}


_OPEN = text(
    "INSERT INTO spending (client, what, spent, at) VALUES (:client, :what, 0, :now) "
    "ON CONFLICT (client, what) DO NOTHING"
)
_KEY = (spending.c.client == bindparam("client"), spending.c.what == bindparam("what"))
_FIND = select(spending.c.spent, spending.c.at).where(*_KEY).with_for_update()
_UPDATE = spending.update().where(
    spending.c.client == bindparam("by"), spending.c.what == bindparam("on")
)


def spend(connection: Connection, budget: Budget, client: str, cost: float, now: int) -> float:
    """Count a cost; all that the client has spent by then. The row is held until the commit."""
    key = {"client": client, "what": budget.what}
    connection.execute(_OPEN, key | {"now": now})
    before = connection.execute(_FIND, key).one()
    spent = budget.still_spent(before.spent, now - before.at) + cost
    connection.execute(_UPDATE, {"by": client, "on": budget.what, "spent": spent, "at": now})
    return spent


def count_new(connection: Connection, what: str, most: int, client: str, now: int) -> None:
    """One more new match or class, in the transaction that keeps it; a Problem if too many."""
    budget = Budget(what, most, HOUR)
    too_much = spend(connection, budget, client, 1, now) - most
    if too_much > 0:
        raise Problem(
            429,
            f"At most {most} {what} an hour can be created {limit_scope(client)}.",
            headers=budget.retry_after(too_much),
        )


def count_guess(connection: Connection, client: str, cost: int, now: int) -> None:
    """A wrong code, or with no cost a look at what is left; a Problem after too many."""
    budget = Budget("codes", MOST_GUESSES, HOUR)
    too_much = spend(connection, budget, client, cost, now) + (1 - cost) - budget.most
    if too_much > 0:
        sentence = "Too many wrong codes came from this address. Try again in a few minutes."
        raise Problem(429, sentence, headers=budget.retry_after(too_much))


def forget(connection: Connection, now: int) -> None:
    """Remove what counts no more, and with it whom it was counted to."""
    connection.execute(spending.delete().where(spending.c.at <= now - HOUR))
