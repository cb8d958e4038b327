"""What a server has to do by itself, as it stands in the database.

There are two dates: `due` for clocks and computers, and `expires` for matches that nobody needs any
more. Whatever is looked at gets a new date first, so nothing that fails stands in another's way.
Only ids leave the database here: a row that cannot be read holds up no other.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    BindParameter,
    Connection,
    and_,
    case,
    cast,
    func,
    literal,
    select,
)

from duels.games import all_games
from duels.server.config import DAY, Config
from duels.server.database import Database
from duels.server.tables import classes, matches, watchers

MOST_TAKEN = 50
MOST_CLEANED = 50
SHORTEST_DELAY = 2000
"""Milliseconds until a match is taken again; twice as long each time that nothing came of it."""
LONGEST_DELAY = DAY
CLASS_LASTS = DAY
"""After anybody last did anything in a class: joined, moved, changed."""
REMOVED_AFTER = DAY
"""Between being marked and being removed: long enough for a person to notice and come back."""


def take_due(database: Database, now: int) -> list[str]:
    """The matches in which a server has to act now, and this one can: their games are here.

    A match that was taken is put aside before anything is done about it, and any change of it gives
    it a new date. So one that fails waits longer each time, even if it takes the server with it.
    """
    query = (
        select(matches.c.id)
        .where(matches.c.due <= now, matches.c.game.in_(list(all_games())))
        .order_by(matches.c.due)
        .limit(MOST_TAKEN)
    )
    delay = case(
        (matches.c.failures < 15, _time(SHORTEST_DELAY).bitwise_lshift(matches.c.failures)),
        else_=_time(LONGEST_DELAY),
    )

    def take(connection: Connection) -> list[str]:
        found = connection.execute(query.with_for_update(skip_locked=True))
        taken = list(found.scalars().all())
        if taken:  # or another process was first
            connection.execute(
                matches.update()
                .where(matches.c.id.in_(taken))
                .values(due=_time(now) + delay, failures=matches.c.failures + 1)
            )
        return taken

    if not database.read(lambda at: at.execute(query.limit(1)).first()):
        return []
    return database.write(take)


def clean_up(database: Database, now: int, config: Config) -> None:
    """Mark some of the matches whose days are over; remove those that were marked a day ago.

    Every change of a match unmarks it, and so does opening its page. A match whose game is not on
    this server is kept.
    """
    query = (
        select(matches.c.id)
        .where(matches.c.expires <= now)
        .order_by(matches.c.expires)
        .limit(MOST_CLEANED)
    )
    days = case((matches.c.is_over, config.finished_days), else_=config.abandoned_days)
    end = matches.c.updated + cast(days * DAY, BigInteger)
    is_here = matches.c.game.in_(list(all_games()))
    is_old = and_(is_here, end <= now)
    is_watched = matches.c.id.in_(select(watchers.c.match_id).where(watchers.c.until > now))

    def clean(connection: Connection) -> None:
        ids = connection.execute(query.with_for_update(skip_locked=True)).scalars().all()
        these = matches.c.id.in_(ids)
        was_marked = matches.c.marked <= now - REMOVED_AFTER
        connection.execute(matches.delete().where(these, is_old, was_marked, ~is_watched))
        connection.execute(
            matches.update()
            .where(these)
            .values(
                marked=case((is_old, func.coalesce(matches.c.marked, _time(now))), else_=None),
                expires=case((and_(is_here, end > now), end), else_=_time(now + REMOVED_AFTER)),
            )
        )

    if database.read(lambda at: at.execute(query.limit(1)).first()):
        database.write(clean)


def remove_classes(database: Database, now: int) -> None:
    """Remove classes in which nobody has done anything for a day, with all their matches.

    A move does not touch its class, so the matches are asked when they were last played.
    """
    over = select(classes.c.code).where(classes.c.expires <= now).limit(MOST_CLEANED)

    def clean(connection: Connection) -> None:
        codes = connection.execute(over.with_for_update(skip_locked=True)).scalars().all()
        of_these = matches.c.school.in_(codes)
        played = select(matches.c.school, matches.c.updated).where(of_these).with_for_update()
        ends: dict[str, int] = {}
        for code, updated in connection.execute(played):
            ends[code] = max(ends.get(code, 0), updated + CLASS_LASTS)
        for code in codes:
            this = classes.c.code == code
            if ends.get(code, 0) > now:
                connection.execute(classes.update().where(this).values(expires=ends[code]))
            else:
                connection.execute(matches.delete().where(matches.c.school == code))
                connection.execute(classes.delete().where(this))

    if database.read(lambda at: at.execute(over.limit(1)).first()):
        database.write(clean)


def _time(milliseconds: int) -> BindParameter[int]:
    """PostgreSQL takes a number for 32 bits where nothing says otherwise."""
    return literal(milliseconds, BigInteger)
