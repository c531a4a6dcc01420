"""Replaces a person's id by a marker everywhere in a server."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping

from bot.store.errors import Conflict
from bot.store.rows import Invitation, InvitationState
from bot.store.sqlite.queries import invitations, matches, screens


def anonymise(
    db: sqlite3.Connection, guild_id: int, user_id: int, marker: int, keys: Mapping[str, Mapping[str, bytes]]
) -> None:
    """Replace the person by the marker, store the keys of their matches, delete their name, notice level,
    preferences, open hands, salts, and what is known of notices of tables.

    Raises Conflict while they have a live match or an open invitation, and when a match of theirs is not in `keys`.
    """
    played = matches.of_user(db, guild_id, user_id)
    if any(matches.result(db, match.id) is None for match in played):
        raise Conflict("a match of theirs is live")
    if not {match.id for match in played} <= keys.keys():
        raise Conflict("another match of theirs has ended")
    asked = invitations.of_user(db, guild_id, user_id)
    if any(state is InvitationState.OPEN for _, state in asked):
        raise Conflict("an invitation of theirs is open")
    db.executemany(
        "INSERT OR IGNORE INTO chance_keys (match_id, use, guild_id, key) VALUES (?, ?, ?, ?)",
        [(match.id, use, guild_id, key) for match in played for use, key in keys[match.id].items()],
    )
    for invitation, _ in asked:
        _replace_in_invitation(db, invitation, user_id, marker)
    screens.delete_hands_of_user(db, guild_id, user_id)
    db.execute("UPDATE seats SET salt = NULL WHERE guild_id = ? AND user_id = ?", (guild_id, user_id))
    for table in ("seats", "standings", "notices", "setting_changes", "daily_attempts"):
        db.execute(
            f"UPDATE {table} SET user_id = ? WHERE guild_id = ? AND user_id = ?",  # noqa: S608  ours, from the line above
            (marker, guild_id, user_id),
        )
    db.execute("DELETE FROM names WHERE guild_id = ? AND user_id = ?", (guild_id, user_id))
    db.execute("DELETE FROM notice_levels WHERE guild_id = ? AND user_id = ?", (guild_id, user_id))
    db.execute("DELETE FROM table_subscriptions WHERE guild_id = ? AND user_id = ?", (guild_id, user_id))
    db.execute("DELETE FROM preferences WHERE user_id = ?", (user_id,))
    db.execute("DELETE FROM table_notices WHERE user_id = ?", (user_id,))


def chance_keys(db: sqlite3.Connection, match_id: str) -> dict[str, bytes]:
    """The stored keys of a match's chance."""
    return dict(db.execute("SELECT use, key FROM chance_keys WHERE match_id = ?", (match_id,)).fetchall())


def _replace_in_invitation(db: sqlite3.Connection, invitation: Invitation, user_id: int, marker: int) -> None:
    def without(users: tuple[int, ...]) -> str:
        return json.dumps([marker if user == user_id else user for user in users])

    db.execute(
        "UPDATE invitations SET host_id = ?, invited = ?, seated = ?, places = ?, salts = ? WHERE id = ?",
        (
            marker if invitation.host_id == user_id else invitation.host_id,
            without(invitation.invited),
            without(invitation.seated),
            without(invitation.places),
            json.dumps([(user, salt) for user, salt in invitation.salts if user != user_id]),
            invitation.id,
        ),
    )
