"""The tables of the database, and the numbered steps that made them what they are."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Float,
    Integer,
    MetaData,
    Table,
    Text,
    select,
    text,
)
from sqlalchemy.types import TypeEngine

from duels.core.errors import DuelsError

metadata = MetaData()


def _table(name: str, *keys: str, **columns: type[TypeEngine[Any]]) -> Table:
    made = (Column(one, kind, primary_key=one in keys) for one, kind in columns.items())
    return Table(name, metadata, *made)


matches = Table(
    "matches",
    metadata,
    Column("id", Text, primary_key=True),
    Column("version", Integer),
    Column("created", BigInteger),
    Column("updated", BigInteger),  # this and all that follows from it in the time of clock.py
    Column("expires", BigInteger),  # when to look whether the match is still needed
    Column("game", Text),
    Column("options", Text),
    Column("mode", Text),
    Column("public", Boolean),
    Column("show_moves", Boolean),
    Column("player1", Text),
    Column("player2", Text),
    Column("joined1", Boolean),
    Column("joined2", Boolean),
    Column("time_limit", Float),
    Column("seed", BigInteger),
    Column("turn_started", BigInteger),
    Column("ply", Integer),
    Column("is_over", Boolean),
    Column("winner", Integer),  # with the reason, only where the moves do not show it
    Column("reason", Text),
    Column("takeback_by", Integer),
    Column("takeback_ply", Integer),
    Column("rematch", Text),
    Column("computer1", Text),  # which computer plays; empty for a person
    Column("computer2", Text),
    Column("due", BigInteger),  # when the server must act by itself, if it must
    Column("failures", Integer),  # how often it tried to in vain
    Column("marked", BigInteger),  # since when the match is going to be removed
    Column("seat_keys", Text),  # as in keys.py, in JSON: [[player, device, invitation], ...]
    Column("school", Text),  # the code of the class that plays it, if one does
    Column("paused", BigInteger),  # milliseconds of the turn that were used when its class paused
    Column("given", Integer),  # so many moves were there when the match began
    Column("rematch_offer", Integer),  # who offers one
    Column("score1", Integer),  # matches won before this one
    Column("score2", Integer),
    Column("coach", Boolean),
    Column("helped", Text),  # hints that were given, in JSON: [[ply, stage], ...]
)

classes = _table(
    "classes",
    "code",
    code=Text,
    version=Integer,
    updated=BigInteger,
    expires=BigInteger,
    document=Text,
)
moves = _table("moves", "match_id", "ply", match_id=Text, ply=Integer, move=Text, seconds=Float)
watchers = _table(
    "watchers",
    "match_id",
    "process",
    "client",
    match_id=Text,
    process=Text,
    client=Text,  # who listens, as `clients.client_id` has it
    streams=Integer,
    until=BigInteger,
)
clock = _table("clock", served=BigInteger, raw=BigInteger)
"""One row: the time of clock.py, and what was on the clock that it counts by then."""
spending = _table("spending", "client", "what", client=Text, what=Text, spent=Float, at=BigInteger)
schema_version = _table("schema_version", version=Integer)

STEPS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE matches (
            id TEXT PRIMARY KEY, version INTEGER NOT NULL, created BIGINT NOT NULL,
            updated BIGINT NOT NULL, due BIGINT NOT NULL, game TEXT NOT NULL,
            options TEXT NOT NULL, mode TEXT NOT NULL, public BOOLEAN NOT NULL,
            show_moves BOOLEAN NOT NULL, player1 TEXT NOT NULL, player2 TEXT NOT NULL,
            seat1 TEXT NOT NULL, seat2 TEXT NOT NULL, joined1 BOOLEAN NOT NULL,
            joined2 BOOLEAN NOT NULL, time_limit DOUBLE PRECISION, seed BIGINT NOT NULL,
            turn_started BIGINT, ply INTEGER NOT NULL, is_over BOOLEAN NOT NULL, winner INTEGER,
            reason TEXT, takeback_by INTEGER, takeback_ply INTEGER, rematch TEXT)""",
        """CREATE TABLE moves (
            match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
            ply INTEGER NOT NULL, move TEXT NOT NULL, seconds DOUBLE PRECISION NOT NULL,
            PRIMARY KEY (match_id, ply))""",
        """CREATE TABLE watchers (
            match_id TEXT NOT NULL, process TEXT NOT NULL, streams INTEGER NOT NULL,
            until BIGINT NOT NULL, PRIMARY KEY (match_id, process))""",
        "CREATE INDEX matches_due ON matches (due)",
        "CREATE INDEX matches_listed ON matches (updated) WHERE public AND NOT is_over",
    ),
    (  # 0.1.0 knew a computer by its name, and that it has no secret
        "ALTER TABLE matches ADD COLUMN computer1 TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE matches ADD COLUMN computer2 TEXT NOT NULL DEFAULT ''",
        "UPDATE matches SET computer1 = REPLACE(player1, ' (2)', '') WHERE seat1 = ''",
        "UPDATE matches SET computer2 = REPLACE(player2, ' (2)', '') WHERE seat2 = ''",
    ),
    (  # time was each server's wall clock, and one date stood for all that a server does
        "CREATE TABLE clock (served BIGINT NOT NULL, raw BIGINT NOT NULL)",
        "INSERT INTO clock SELECT COALESCE(MAX(updated), 0), 0 FROM matches",
        "DELETE FROM watchers",
        "DROP INDEX matches_due",
        "ALTER TABLE matches RENAME COLUMN due TO expires",
        "ALTER TABLE matches ADD COLUMN due BIGINT",
        "ALTER TABLE matches ADD COLUMN failures INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE matches ADD COLUMN marked BIGINT",
        "UPDATE matches SET due = expires WHERE NOT is_over",
        "CREATE INDEX matches_due ON matches (due) WHERE due IS NOT NULL",
        "CREATE INDEX matches_expires ON matches (expires)",
    ),
    (  # limits are shared by all servers; who watches is written anew every minute
        """CREATE TABLE spending (
            client TEXT NOT NULL, what TEXT NOT NULL, spent DOUBLE PRECISION NOT NULL,
            at BIGINT NOT NULL, PRIMARY KEY (client, what))""",
        "DROP TABLE watchers",
        """CREATE TABLE watchers (
            match_id TEXT NOT NULL, process TEXT NOT NULL, client TEXT NOT NULL,
            streams INTEGER NOT NULL, until BIGINT NOT NULL,
            PRIMARY KEY (match_id, process, client))""",
        "CREATE INDEX watchers_clients ON watchers (client)",
    ),
    (  # a seat had one secret, and an invitation was that secret; those go on to work
        "ALTER TABLE matches ADD COLUMN seat_keys TEXT NOT NULL DEFAULT '[]'",
        """UPDATE matches SET seat_keys = '[' ||
            CASE WHEN seat1 = '' THEN '' ELSE '[1, "' || seat1 || '"]' END ||
            CASE WHEN seat1 = '' OR seat2 = '' THEN '' ELSE ', ' END ||
            CASE WHEN seat2 = '' THEN '' ELSE '[2, "' || seat2 || '"]' END || ']'""",
        "ALTER TABLE matches DROP COLUMN seat1",
        "ALTER TABLE matches DROP COLUMN seat2",
    ),
    (  # classes
        """CREATE TABLE classes (
            code TEXT PRIMARY KEY, version INTEGER NOT NULL, updated BIGINT NOT NULL,
            expires BIGINT NOT NULL, document TEXT NOT NULL)""",
        "CREATE INDEX classes_expires ON classes (expires)",
        "ALTER TABLE matches ADD COLUMN school TEXT",
        "ALTER TABLE matches ADD COLUMN paused BIGINT",
        "CREATE INDEX matches_school ON matches (school) WHERE school IS NOT NULL",
    ),
    (  # every match began at the start
        "ALTER TABLE matches ADD COLUMN given INTEGER NOT NULL DEFAULT 0",
    ),
    (  # a rematch is offered first
        "ALTER TABLE matches ADD COLUMN rematch_offer INTEGER",
        "ALTER TABLE matches ADD COLUMN score1 INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE matches ADD COLUMN score2 INTEGER NOT NULL DEFAULT 0",
    ),
    (  # hints are counted, or there are none
        "ALTER TABLE matches ADD COLUMN coach BOOLEAN NOT NULL DEFAULT TRUE",
        "ALTER TABLE matches ADD COLUMN helped TEXT NOT NULL DEFAULT '[]'",
    ),
)
"""Each step takes the schema from its number to the next. Steps are added, never changed."""


class SchemaError(DuelsError):
    """The database is not what this program expects."""


def migrate(connection: Connection) -> tuple[int, int]:
    """Bring the schema up to date in the caller's transaction: the versions before and after."""
    if connection.dialect.name == "postgresql":
        # Whoever else migrates may take long.
        connection.execute(text("SET LOCAL lock_timeout = 0"))
        connection.execute(text("SELECT pg_advisory_xact_lock(20260504)"))
    connection.execute(text("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)"))
    found = connection.execute(select(schema_version.c.version)).scalar()
    before = found or 0
    if before > len(STEPS):
        raise SchemaError(_newer(before))
    for step in STEPS[before:]:
        for statement in step:
            connection.execute(text(statement))
    if found is None:
        connection.execute(schema_version.insert().values(version=len(STEPS)))
    else:
        connection.execute(schema_version.update().values(version=len(STEPS)))
    return before, len(STEPS)


def check_schema(version: int) -> None:
    """SchemaError with what to do, unless the schema is the one that this program knows."""
    if version > len(STEPS):
        raise SchemaError(_newer(version))
    if version < len(STEPS):
        raise SchemaError("The database is not ready. Run: duels migrate --database URL")


def _newer(version: int) -> str:
    return (
        f"The database has version {version} of the schema, and this program knows {len(STEPS)}. "
        "Install a newer duels."
    )
