"""Invitations: added, shown, closed once."""

from __future__ import annotations

import json
import logging
import sqlite3
from dataclasses import replace
from typing import Any

from bot.store.errors import Conflict, InvitationClosed
from bot.store.rows import Invitation, InvitationKind, InvitationState, Origin, StandIn

_log = logging.getLogger(__name__)

_SELECT = """
    SELECT id, guild_id, channel_id, message_id, game, options, clock, host_id, invited, seated, seed, commitment,
           created_at, expires_at, kind, private, places, closed_at, deal_version, deal_id, rules_version,
           sealed_options, salts, in_thread, stand_in, auto_start, state, origin_id, origin_facts, origin_digest
    FROM invitations
"""
_INVITED, _SEATED, _KIND, _PRIVATE, _PLACES, _SALTS, _IN_THREAD = 8, 9, 14, 15, 16, 22, 23
_STAND_IN, _AUTO_START, _STATE = 24, 25, 26


def add(db: sqlite3.Connection, row: Invitation) -> None:
    """Add an open invitation. Raises Conflict when the id was used before."""
    if db.execute("SELECT 1 FROM invitations WHERE id = ?", (row.id,)).fetchone():
        raise Conflict("an invitation with this id was added before")
    db.execute(
        "INSERT INTO invitations (id, guild_id, channel_id, message_id, game, options, clock, host_id, invited, seated,"
        " seed, commitment, created_at, expires_at, kind, private, places, deal_version, deal_id, rules_version,"
        " sealed_options, salts, in_thread, stand_in, auto_start, origin_id, origin_facts, origin_digest)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            row.id,
            row.guild_id,
            row.channel_id,
            row.message_id,
            row.game,
            row.options,
            row.clock,
            row.host_id,
            json.dumps(row.invited),
            json.dumps(row.seated),
            row.seed,
            row.commitment,
            row.created_at,
            row.expires_at,
            row.kind,
            row.private,
            json.dumps(row.places),
            row.deal_version,
            row.deal_id,
            row.rules_version,
            row.sealed_options,
            json.dumps(row.salts),
            row.in_thread,
            row.stand_in,
            row.auto_start,
            *origin_columns(row.origin),
        ),
    )


def set_message(db: sqlite3.Connection, invitation_id: str, message_id: int) -> None:
    """Record the message that shows it."""
    db.execute("UPDATE invitations SET message_id = ? WHERE id = ?", (message_id, invitation_id))


def reseat(db: sqlite3.Connection, row: Invitation) -> None:
    """Record who hosts, who is invited and seated, and their salts. Raises InvitationClosed when it is not open."""
    done = db.execute(
        "UPDATE invitations SET host_id = ?, invited = ?, seated = ?, salts = ? WHERE id = ? AND state = 'open'",
        (row.host_id, json.dumps(row.invited), json.dumps(row.seated), json.dumps(row.salts), row.id),
    )
    if done.rowcount != 1:
        raise InvitationClosed("the invitation is no longer open")


def close(db: sqlite3.Connection, invitation_id: str, state: InvitationState, now: int) -> bool:
    """Close it if it is open. Returns whether it was."""
    done = db.execute(
        "UPDATE invitations SET state = ?, closed_at = ? WHERE id = ? AND state = 'open'", (state, now, invitation_id)
    )
    return done.rowcount == 1


def accept(db: sqlite3.Connection, invitation_id: str, now: int) -> None:
    """Close it as accepted. Raises InvitationClosed when it is not open."""
    if not close(db, invitation_id, InvitationState.ACCEPTED, now):
        raise InvitationClosed("the invitation is no longer open")


def find(db: sqlite3.Connection, invitation_id: str) -> tuple[Invitation, InvitationState] | None:
    """It and its state."""
    row = db.execute(f"{_SELECT} WHERE id = ?", (invitation_id,)).fetchone()
    return None if row is None else (_invitation(row), InvitationState(row[_STATE]))


def all_open(db: sqlite3.Connection) -> list[Invitation]:
    """All open ones, the first to expire first. One that was altered and can't be read is left out, and logged."""
    found: list[Invitation] = []
    for row in db.execute(f"{_SELECT} WHERE state = 'open' ORDER BY expires_at, id"):
        try:
            found.append(_invitation(row))
        except (TypeError, ValueError):
            _log.error("invitation %s is left out: its row was altered", row[0])
    return found


def count_open(db: sqlite3.Connection) -> int:
    """How many are open, those that can't be read among them."""
    return int(db.execute("SELECT count(*) FROM invitations WHERE state = 'open'").fetchone()[0])


def of_user(db: sqlite3.Connection, guild_id: int, user_id: int) -> list[tuple[Invitation, InvitationState]]:
    """All invitations of a server that name a person, and their states, the oldest first."""
    named = "(SELECT value FROM json_each(invited) UNION SELECT value FROM json_each(seated)"
    named += " UNION SELECT value FROM json_each(places))"
    rows = db.execute(
        f"{_SELECT} WHERE guild_id = ?1 AND (host_id = ?2 OR ?2 IN {named}) ORDER BY created_at, id",
        (guild_id, user_id),
    )
    return [(_invitation(row), InvitationState(row[_STATE])) for row in rows]


def origin_columns(origin: Origin | None) -> tuple[str | None, int | None, bytes | None]:
    """An origin as the three columns of its row."""
    return (None, None, None) if origin is None else (origin.match_id, origin.facts, origin.digest)


def read_origin(match_id: str | None, facts: int, digest: bytes) -> Origin | None:
    """An origin from the three columns of its row."""
    return None if match_id is None else Origin(match_id, facts, digest)


def _salt(user: object, text: object) -> tuple[int, str]:
    """A salt and who added it. Raises TypeError for what is none: it was altered."""
    if not isinstance(user, int) or not isinstance(text, str):
        raise TypeError("no salt")
    return user, text


def _invitation(row: tuple[Any, ...]) -> Invitation:
    fields = list(row[:_STATE])
    for column in (_INVITED, _SEATED, _PLACES):
        fields[column] = tuple(json.loads(fields[column]))
    fields[_SALTS] = tuple(_salt(*each) for each in json.loads(fields[_SALTS]))
    fields[_KIND] = InvitationKind(fields[_KIND])
    fields[_PRIVATE] = bool(fields[_PRIVATE])
    fields[_IN_THREAD] = bool(fields[_IN_THREAD])
    fields[_STAND_IN] = StandIn(fields[_STAND_IN])
    fields[_AUTO_START] = bool(fields[_AUTO_START])
    return replace(Invitation(*fields), origin=read_origin(*row[_STATE + 1 :]))
