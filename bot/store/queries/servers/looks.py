"""When the bot last looked for what it should delete or call off, and for how long it has seen each thing so."""

from __future__ import annotations

from bot.shard_range import ShardRange
from bot.store.queries.connection import FOR_UPDATE, Connection, replaced
from bot.store.queries.database import Database
from bot.store.queries.paging import LEAST, MANY, Page, following
from bot.store.queries.ratings import held
from bot.store.queries.servers import served
from bot.store.rows.servers import LONGEST_LOOK, Observed, ObservedSuspension


async def record(database: Database, serves: ShardRange, at: int, passed: int | None) -> Observed:
    """Record that the bot looks for what it should purge or call off, and return for how long it has observed it.

    `at` is the time of day (ms UTC). `passed` is the time since the last look (ms), or None for the first look of a
    process, whose clock may be wrong: then `at` is compared with that of the last look. Of that time at most a day
    is added, and none on the very first look or if the clock was set back. What began since the last look is taken
    to have begun then. What is held no longer of deleted people's ratings is deleted.
    """
    others = database.is_shared and not serves.is_everything
    looked_on = await database.write(lambda db: _record(db, at, passed, others=others))
    await database.write_all(lambda db: held.delete_expired(db, at))
    departures = await database.read_all(lambda db, after: _departures(db, looked_on, after), LEAST)
    suspended = await database.read_all(lambda db, after: _suspended(db, serves, looked_on, after), "")
    here = {guild_id: away for guild_id, away in departures if serves.includes(guild_id)}
    return Observed(here, dict(suspended))


def _record(db: Connection, at: int, passed: int | None, *, others: bool) -> int:
    """Add the time since the last look, and return how long the bot has looked on in all (ms).

    Where there are `others` that look, one of them may have looked since this process did: then the time of day says
    when, and no more is added than passed here.
    """
    former = db.execute(f"SELECT observed, at FROM looks {FOR_UPDATE}").fetchone()
    observed, last_at = former or (0, at)
    if former is not None:
        by_day = at - last_at
        measured = by_day if passed is None else min(passed, by_day) if others else passed
        observed += min(max(0, measured), LONGEST_LOOK)
    db.execute(
        'INSERT INTO looks ("only", observed, at) VALUES (1, ?, ?)'
        f' ON CONFLICT ("only") DO UPDATE SET {replaced("observed", "at")}',
        (observed, at),
    )
    return int(observed)


def _departures(db: Connection, observed: int, after: int) -> Page[tuple[int, int], int]:
    """A page of the servers that the bot has left, and for how long it has observed that."""
    rows = db.execute(
        "SELECT guild_id, ? - observed FROM departures WHERE guild_id > ? ORDER BY guild_id LIMIT ?",
        (observed, after, MANY),
    ).fetchall()
    return rows, following([guild_id for guild_id, _ in rows], MANY)


def _suspended(
    db: Connection, serves: ShardRange, observed: int, after: str
) -> Page[tuple[str, ObservedSuspension], str]:
    """A page of the suspended matches of a range, by their ids, and for how long the bot has observed each."""
    rows = db.execute(
        "SELECT id, suspended_at, ? - suspended_observed FROM matches"
        f" WHERE suspended_at IS NOT NULL AND id > ?{served.only(serves)} ORDER BY id LIMIT ?",
        (observed, after, MANY),
    )
    found = [(match_id, ObservedSuspension(*each)) for match_id, *each in rows]
    return found, following([match_id for match_id, _ in found], MANY)
