"""Questions to the database about many matches at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, func, select

from duels.games import all_games
from duels.match import Seat
from duels.web.database import Database
from duels.web.state import now_ms, players_state
from duels.web.tables import matches, watchers

MOST_LISTED = 50


def due_matches(database: Database, most: int = 50) -> list[str]:
    """Matches in which the server has to act now, and can: their games are here."""
    query = (
        select(matches.c.id)
        .where(matches.c.due <= now_ms(), matches.c.game.in_(list(all_games())))
        .order_by(matches.c.due)
    )
    return database.read(lambda at: list(at.execute(query.limit(most)).scalars()))


def listed_matches(database: Database) -> list[dict[str, Any]]:
    """Public matches that are being played, the latest first."""
    query = (
        select(matches)
        .where(matches.c.public, ~matches.c.is_over, matches.c.game.in_(list(all_games())))
        .order_by(matches.c.updated.desc())
        .limit(MOST_LISTED)
    )
    rows = database.read(lambda at: at.execute(query).all())
    return [
        {
            "id": row.id,
            "game": row.game,
            "title": all_games()[row.game].title,
            "players": players_state(
                (Seat(row.player1, row.computer1), Seat(row.player2, row.computer2))
            ),
            "ply": row.ply,
            "status": f"{(row.player1, row.player2)[row.ply % 2]} to move.",
            "updated": row.updated,
        }
        for row in rows
    ]


def versions(database: Database, match_ids: Iterable[str]) -> dict[str, int]:
    """The newest versions of some matches."""
    query = select(matches.c.id, matches.c.version).where(matches.c.id.in_(list(match_ids)))
    return {row.id: row.version for row in database.read(lambda at: at.execute(query).all())}


def streams_elsewhere(database: Database, process: str, client: str) -> int:
    """How many streams a client has open in other processes."""
    query = select(func.coalesce(func.sum(watchers.c.streams), 0)).where(
        watchers.c.client == client, watchers.c.process != process, watchers.c.until > now_ms()
    )
    return database.read(lambda at: int(at.execute(query).scalar_one()))


def note_watchers(
    database: Database, process: str, streams: dict[str, dict[str, int]], until: int
) -> None:
    """Write down how many streams of each match are open in this process, by client."""

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
        connection.execute(watchers.delete().where(watchers.c.until <= now_ms()))

    database.write(note)
