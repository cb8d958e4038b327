"""The parts of a server process, and how its answers are documented."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import Request
from sqlalchemy import Connection, select
from sqlalchemy.exc import SQLAlchemyError

from duels.server import schema, schemas
from duels.server.background import BackgroundJobs
from duels.server.clock import Clock
from duels.server.database import Database
from duels.server.events import Hub
from duels.server.solver_pool import SolverPool
from duels.service.matches import Matches

DESCRIPTIONS = {
    400: "It cannot be understood.",
    401: "The secret of a seat is missing.",
    403: "The secret opens no seat here, or it is not your turn.",
    404: "There is no such thing.",
    409: "The match is not where the request thinks it is, and its state is in the answer; "
    "or its game is not on this server.",
    413: "The body is too large.",
    422: "It is understood, and a rule forbids it.",
    429: "Too many from one address.",
    503: "The database does not answer, too many are asking, or the server is stopping; try again.",
}


@dataclass(frozen=True)
class Server:
    """The parts of one server process; at its desk requests are answered."""

    database: Database
    clock: Clock
    matches: Matches
    hub: Hub
    work: BackgroundJobs
    study: SolverPool

    def why_not_ready(self) -> str | None:
        """What stands in the way of keeping a move now, in a sentence; None if nothing does."""
        if self.hub.is_closing:
            return "The server is stopping."
        if not self.database.has_room:
            return "The disk is full, so moves cannot be saved."
        if self.clock.stands_still:  # its beats are writes
            return (
                "Nothing has been written to the database for a while: is it there, full or locked?"
            )
        try:
            self.database.read(_look_at_every_column)
        except SQLAlchemyError:
            return "The database does not answer, or a table or column of it is missing."
        return None


def _look_at_every_column(connection: Connection) -> None:
    for table in schema.metadata.tables.values():
        connection.execute(select(*table.columns).limit(0))


def server_of(request: Request) -> Server:
    server: Server = request.app.state.server
    return server


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """For the OpenAPI document: the problems that a route can answer with."""
    return {
        status: {"model": schemas.Problem, "description": DESCRIPTIONS[status]}
        for status in statuses
    }
