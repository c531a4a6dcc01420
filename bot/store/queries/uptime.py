"""The bot's heartbeat, and the credit for the time it was down."""

from __future__ import annotations

from bot.store.queries.connection import Connection


def record_heartbeat(db: Connection, now: int) -> None:
    """Record that the bot is up."""
    db.execute(
        'INSERT INTO heartbeat ("only", at) VALUES (1, ?) ON CONFLICT ("only") DO UPDATE SET at = excluded.at', (now,)
    )


def last_heartbeat(db: Connection) -> int | None:
    """When the bot was last known to be up."""
    row = db.execute("SELECT at FROM heartbeat").fetchone()
    return None if row is None else int(row[0])


def credit_downtime(db: Connection, now: int) -> int:
    """Move every deadline by the time since the last heartbeat, and record a heartbeat. Returns the milliseconds: less
    than 0 if the clock was set back meanwhile."""
    last = last_heartbeat(db)
    record_heartbeat(db, now)
    down = 0 if last is None else now - last
    _move_deadlines(db, down)
    return down


def shift_time(db: Connection, by: int) -> None:
    """Move every deadline and the heartbeat."""
    db.execute("UPDATE heartbeat SET at = at + ?", (by,))
    _move_deadlines(db, by)


def _move_deadlines(db: Connection, by: int) -> None:
    if by:
        db.execute("UPDATE timers SET deadline = deadline + ?", (by,))
        db.execute("UPDATE invitations SET expires_at = expires_at + ? WHERE state = 'open'", (by,))
