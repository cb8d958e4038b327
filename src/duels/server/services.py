"""Everything one server process owns."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, select
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request

from duels.server import schema
from duels.server.background import BackgroundJobs
from duels.server.clock import Clock
from duels.server.database import Database
from duels.server.events import Hub
from duels.server.solver_pool import SolverPool
from duels.service.matches import Matches


@dataclass(frozen=True)
class ServerServices:
    """The parts of one server process; requests get `matches` and `solver` as their Services."""

    database: Database
    clock: Clock
    matches: Matches
    hub: Hub
    background: BackgroundJobs
    solver: SolverPool

    def why_not_ready(self) -> str | None:
        """Return why a move could not be saved now, in a sentence; None if it could."""
        if self.hub.is_closing:
            return "The server is stopping."
        if not self.database.has_room:
            return "The disk is full, so moves cannot be saved."
        if self.clock.stands_still:  # its ticks are writes
            return (
                "Nothing has been written to the database for a while: is it there, full or locked?"
            )
        try:
            self.database.read(_read_every_column)
        except SQLAlchemyError:
            return "The database does not answer, or a table or column of it is missing."
        return None


def _read_every_column(connection: Connection) -> None:
    for table in schema.metadata.tables.values():
        connection.execute(select(*table.columns).limit(0))


def services_of(request: Request) -> ServerServices:
    """Return the services of the process that received a request."""
    services: ServerServices = request.app.state.services
    return services
