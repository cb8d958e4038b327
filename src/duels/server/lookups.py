"""Queries about many matches at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, Select, func, select, union_all
from sqlalchemy.exc import SQLAlchemyError

from duels.core.errors import DAMAGED
from duels.games import all_games
from duels.server.database import Database
from duels.server.schema import classes, matches, watchers
from duels.service import logs
from duels.service.storage import ListedMatch, MatchDocument

MOST_LISTED = 50


def listed_matches(connection: Connection) -> list[ListedMatch]:
    """Return public matches in progress, the latest first, without those that cannot be read."""
    query = (
        select(matches.c.id, matches.c.game, matches.c.document)
        .where(matches.c.public, ~matches.c.is_over, matches.c.game.in_(list(all_games())))
        .order_by(matches.c.updated.desc())
        .limit(MOST_LISTED)
    )
    try:
        rows: list[Any] = list(connection.execute(query).all())
    except SQLAlchemyError:  # one of them may not be text; read each by itself
        ids = connection.execute(query.with_only_columns(matches.c.id)).scalars().all()
        each = (_readable(connection, query.where(matches.c.id == one)) for one in ids)
        rows = [row for row in each if row]
    found = []
    for row in rows:
        try:
            saved = msgspec.json.decode(row.document, type=MatchDocument)
            found.append(ListedMatch(row.id, row.game, saved.seats, saved.ply))
        except DAMAGED as error:
            logs.info("a match cannot be listed", match=row.id, reason=type(error).__name__)
    return found


def _readable(connection: Connection, query: Select[Any]) -> Row[Any] | None:
    try:
        return connection.execute(query).first()
    except SQLAlchemyError as error:
        logs.info("a match cannot be listed", reason=type(error).__name__)
        return None


def versions(database: Database, topics: Iterable[str]) -> dict[str, int]:
    """The newest versions of some matches and classes."""
    these = list(topics)
    query = select(matches.c.id, matches.c.version).where(matches.c.id.in_(these))
    taught = select(classes.c.code, classes.c.version).where(classes.c.code.in_(these))
    both = union_all(query, taught)
    return dict(tuple(row) for row in database.read(lambda at: at.execute(both).all()))


def streams_elsewhere(database: Database, process: str, client: str, now: int) -> int:
    """How many streams a client has open in other processes."""
    query = select(func.coalesce(func.sum(watchers.c.streams), 0)).where(
        watchers.c.client == client, watchers.c.process != process, watchers.c.until > now
    )
    return database.read(lambda at: int(at.execute(query).scalar_one()))


def note_watchers(
    database: Database, process: str, streams: dict[str, dict[str, int]], now: int, lasts: int
) -> bool:
    """Write down how many streams of each match are open in this process, by client; True: done.

    A match that somebody looks at is not going to be removed.
    """
    until = now + lasts

    def note(connection: Connection) -> None:
        mine = watchers.c.process == process
        connection.execute(watchers.delete().where(mine, watchers.c.match_id.in_(list(streams))))
        rows = [
            {
                "match_id": match_id,
                "process": process,
                "client": client,
                "streams": count,
                "until": until,
            }
            for match_id, clients in streams.items()
            for client, count in clients.items()
        ]
        if rows:
            connection.execute(watchers.insert(), rows)
        connection.execute(watchers.update().where(mine).values(until=until))
        connection.execute(watchers.delete().where(watchers.c.until <= now))
        looked_at = matches.c.id.in_(list(streams)), matches.c.marked.is_not(None)
        connection.execute(matches.update().where(*looked_at).values(marked=None))

    database.write(note)
    return True
