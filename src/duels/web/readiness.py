"""Whether a server could keep a move now: somebody in front of several servers wants to know."""

from __future__ import annotations

from sqlalchemy import Connection, select
from sqlalchemy.exc import SQLAlchemyError

from duels.web import tables
from duels.web.answers import Server


def why_not_ready(server: Server) -> str | None:
    """What stands in the way of the next move, in a sentence; None if nothing does."""
    if server.hub.is_closing:
        return "The server is stopping."
    if server.clock.stands_still:  # its beats are writes
        return "Nothing has been written to the database for a while: is it there, full or locked?"
    try:
        server.database.read(_look_at_every_column)
    except SQLAlchemyError:
        return "The database does not answer, or a table or column of it is missing."
    return None


def _look_at_every_column(connection: Connection) -> None:
    for table in tables.metadata.tables.values():
        connection.execute(select(*table.columns).limit(0))
