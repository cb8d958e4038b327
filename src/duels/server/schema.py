"""The tables of the database, and the version of their schema.

A match is one JSON document beside the columns that are queried; its moves are rows of their own,
because the key (match, ply) makes a second move at the same ply impossible. All times are
milliseconds of the time that `clock.py` keeps.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    inspect,
    select,
    text,
)
from sqlalchemy.types import TypeEngine

from duels.core.errors import DuelsError

VERSION = 1
"""Raise it with every change of a table or of a document."""
CREATE_LOCK = 20260504
"""The advisory lock with which PostgreSQL lets only one server create the tables."""

metadata = MetaData()


def _column(name: str, kind: type[TypeEngine[Any]]) -> Column[Any]:
    return Column(name, kind, nullable=False)


matches = Table(
    "matches",
    metadata,
    Column("id", Text, primary_key=True),
    _column("version", Integer),
    _column("updated", BigInteger),
    _column("expires", BigInteger),  # when to check whether the match is still needed
    Column("marked", BigInteger),  # since when the match has been marked for removal
    Column("due", BigInteger),  # when a server must act by itself, if it must
    _column("failures", Integer),  # how often it has tried in vain
    _column("game", Text),
    _column("public", Boolean),
    _column("is_over", Boolean),
    Column("class_code", Text),  # the class that plays it, if one does
    _column("document", Text),  # everything else: `service/storage.py`
)
Index("matches_expires", matches.c.expires)
for _name, _by, _where in (
    ("matches_due", matches.c.due, matches.c.due.is_not(None)),
    ("matches_listed", matches.c.updated, matches.c.public & ~matches.c.is_over),
    ("matches_class", matches.c.class_code, matches.c.class_code.is_not(None)),
):
    Index(_name, _by, sqlite_where=_where, postgresql_where=_where)

moves = Table(
    "moves",
    metadata,
    Column("match_id", Text, ForeignKey(matches.c.id, ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    _column("move", Text),
    _column("seconds", Double),
)
classes = Table(
    "classes",
    metadata,
    Column("code", Text, primary_key=True),
    _column("version", Integer),
    _column("updated", BigInteger),
    Column("expires", BigInteger, nullable=False, index=True),
    _column("document", Text),
)
watchers = Table(
    "watchers",
    metadata,
    Column("match_id", Text, primary_key=True),
    Column("process", Text, primary_key=True),
    Column("client", Text, primary_key=True, index=True),  # see `rate_limits.client_id`
    _column("streams", Integer),
    _column("until", BigInteger),
)
clock = Table("clock", metadata, _column("served", BigInteger), _column("raw", BigInteger))
"""One row: the time, and the reading of the clock by which it was last counted."""
rate_limits = Table(
    "rate_limits",
    metadata,
    Column("client", Text, primary_key=True),
    Column("bucket", Text, primary_key=True),
    _column("used", Double),
    _column("at", BigInteger),
)
schema_version = Table("schema_version", metadata, _column("version", Integer))


class SchemaError(DuelsError):
    """The database has another version of the schema."""


def prepare(connection: Connection) -> None:
    """Create the tables if there are none; SchemaError if they have another version."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL lock_timeout = 0"))
        connection.execute(select(text(f"pg_advisory_xact_lock({CREATE_LOCK})")))
    if not inspect(connection).has_table(schema_version.name):
        metadata.create_all(connection)
        connection.execute(schema_version.insert().values(version=VERSION))
        connection.execute(clock.insert().values(served=0, raw=0))
        return
    found = connection.execute(select(schema_version.c.version)).scalar()
    if found != VERSION:
        raise SchemaError(
            f"The database has version {found} of the schema, and this version of duels needs "
            f"{VERSION}. Use another database, or the version of duels that created this one."
        )
