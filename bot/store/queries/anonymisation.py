"""Replaces a person's id by a marker everywhere in a server, a few rows at a time."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Final

from bot.store.errors import Conflict
from bot.store.person_key import PersonKey
from bot.store.queries import deletions, invitations
from bot.store.queries.boards import keeping as boards
from bot.store.queries.connection import Connection
from bot.store.queries.deletions import FIRST, Deletion, Stage
from bot.store.queries.paging import CHANGED, FEW, delete_some
from bot.store.queries.profiles import comebacks
from bot.store.queries.ratings import held
from bot.store.rows.invitations import Invitation


def check(db: Connection, guild_id: int, user_id: int, known: Collection[str]) -> None:
    """Raise Conflict while the person has a live match or an open invitation, and when a match of theirs is not
    known."""
    theirs = "FROM seats WHERE user_id = ? AND guild_id = ?"
    played = {match_id for (match_id,) in db.execute(f"SELECT match_id {theirs}", (user_id, guild_id))}
    (ended,) = db.execute(f"SELECT count(*) {theirs} AND result_number IS NOT NULL", (user_id, guild_id)).fetchone()
    if ended < len(played):
        raise Conflict("a match of theirs is live")
    if not played <= set(known):
        raise Conflict("another match of theirs has ended")
    if invitations.is_named_in_open(db, guild_id, user_id):
        raise Conflict("an invitation of theirs is open")


def begin(db: Connection, deletion: Deletion, known: Collection[str], *, key: PersonKey, held_until: int) -> Deletion:
    """Begin, or continue what is under way. Returns the deletion that is under way now. Raises what `check` raises.

    This is what has few rows: the person's name, notice level, preferences and lines of leaderboards, and what is known
    of notices of tables. Their ratings are held under a keyed hash until a moment (ms UTC). From here on nothing can
    keep the rest from being replaced.
    """
    guild_id, user_id, marker = deletion
    before = deletions.under_way(db, guild_id, user_id)
    if before is not None:
        return before
    check(db, guild_id, user_id, known)
    deletions.begin(db, deletion)
    held.hold(db, guild_id, user_id, key, held_until)
    for table in ("standings", "setting_changes", "rating_starts"):
        db.execute(
            f"UPDATE {table} SET user_id = ? WHERE guild_id = ? AND user_id = ?",
            (marker, guild_id, user_id),
        )
    comebacks.delete(db, guild_id, user_id)
    boards.anonymise(db, guild_id, user_id, marker)
    for table in ("names", "notice_levels", "table_subscriptions"):
        db.execute(f"DELETE FROM {table} WHERE guild_id = ? AND user_id = ?", (guild_id, user_id))
    for table in ("preferences", "table_notices"):
        db.execute(f"DELETE FROM {table} WHERE user_id = ?", (user_id,))
    return deletion


# ---------------------------------------------------------------------------------------------- stages


def _replace_seats(db: Connection, deletion: Deletion, _: int) -> int | None:
    """Their seats, without the texts of their salts, and what belongs to them."""
    guild_id, user_id, marker = deletion
    found = db.execute(
        "SELECT match_id, seat FROM seats WHERE user_id = ? AND guild_id = ? LIMIT ?", (user_id, guild_id, FEW)
    ).fetchall()
    db.executemany("DELETE FROM open_hands WHERE match_id = ? AND seat = ?", found)
    theirs = [(marker, *each) for each in found]
    db.executemany("UPDATE notices SET user_id = ?, mark = NULL WHERE match_id = ? AND seat = ?", theirs)
    db.executemany("UPDATE seats SET user_id = ?, salt = NULL WHERE match_id = ? AND seat = ?", theirs)
    return FIRST if len(found) == FEW else None


def _delete_attendances(db: Connection, deletion: Deletion, _: int) -> int | None:
    key = ("guild_id", "user_id", "ended_at", "match_id")
    done = delete_some(db, "attendances", key, "guild_id = ? AND user_id = ?", *deletion[:2], most=CHANGED)
    return FIRST if done == CHANGED else None


def _replace_attempts(db: Connection, deletion: Deletion, _: int) -> int | None:
    return _replace_some(db, "daily_attempts", ("match_id",), deletion)


def _replace_results(db: Connection, deletion: Deletion, _: int) -> int | None:
    return _replace_some(db, "player_results", ("number",), deletion)


def _replace_days(db: Connection, deletion: Deletion, _: int) -> int | None:
    return _replace_some(db, "board_days", ("game", "day"), deletion)


def _replace_some(db: Connection, table: str, rest: tuple[str, ...], deletion: Deletion) -> int | None:
    """Replace the person in some rows of a table; `rest` is what their rows differ in."""
    guild_id, user_id, marker = deletion
    found = db.execute(
        f"SELECT {', '.join(rest)} FROM {table} WHERE guild_id = ? AND user_id = ? LIMIT ?",
        (guild_id, user_id, CHANGED),
    ).fetchall()
    these = " AND ".join(f"{name} = ?" for name in rest)
    db.executemany(
        f"UPDATE {table} SET user_id = ? WHERE guild_id = ? AND user_id = ? AND {these}",
        [(marker, guild_id, user_id, *row) for row in found],
    )
    return FIRST if len(found) == CHANGED else None


def _replace_opponents(db: Connection, deletion: Deletion, _: int) -> int | None:
    """Also where they are an opponent: they are found by their own opponents."""
    return _replace_both(db, "opponents", deletion)


def _replace_encounters(db: Connection, deletion: Deletion, _: int) -> int | None:
    """They are found as somebody's opponent, because only that has an index of a person. Each pair has both rows."""
    return _replace_both(db, "encounters", deletion, "opponent_id", "user_id")


def _replace_both(
    db: Connection, table: str, deletion: Deletion, own: str = "user_id", other: str = "opponent_id"
) -> int | None:
    guild_id, user_id, marker = deletion
    found = db.execute(
        f"SELECT {other}, game FROM {table} WHERE guild_id = ? AND {own} = ? LIMIT ?",
        (guild_id, user_id, FEW),
    ).fetchall()
    for mine, theirs in (("opponent_id", "user_id"), ("user_id", "opponent_id")):
        db.executemany(
            f"UPDATE {table} SET {mine} = ? WHERE guild_id = ? AND {mine} = ? AND {theirs} = ? AND game = ?",
            [(marker, guild_id, user_id, opponent, game) for opponent, game in found],
        )
    return FIRST if len(found) == FEW else None


def _replace_in_invitations(db: Connection, deletion: Deletion, after: int) -> int | None:
    """The closed invitations that name them. They are found only by looking through all of the server."""
    guild_id, user_id, marker = deletion
    found, reached = invitations.of_user(db, after, guild_id, user_id)
    for invitation, _ in found:
        _replace_in_invitation(db, invitation, user_id, marker)
    return reached


def _replace_in_invitation(db: Connection, invitation: Invitation, user_id: int, marker: int) -> None:
    def without(users: tuple[int, ...]) -> str:
        return json.dumps([marker if user == user_id else user for user in users])

    db.execute(
        "UPDATE invitations SET host_id = ?, invited = ?, seated = ?, places = ?, salts = ?"
        " WHERE id = ? AND state <> 'open'",
        (
            marker if invitation.host_id == user_id else invitation.host_id,
            without(invitation.invited),
            without(invitation.seated),
            without(invitation.places),
            json.dumps([(user, salt) for user, salt in invitation.salts if user != user_id]),
            invitation.id,
        ),
    )


STAGES: Final[tuple[Stage, ...]] = (
    _replace_seats,
    _delete_attendances,
    _replace_attempts,
    _replace_results,
    _replace_days,
    _replace_opponents,
    _replace_encounters,
    _replace_in_invitations,
    deletions.end,
)
