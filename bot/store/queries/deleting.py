"""Deletes what belongs to a server, and replaces a person by a marker, a few rows in each transaction.

`bot.store.queries.begun_deletions` says what happens when the process dies in between.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from bot.store.errors import Conflict, StoreError
from bot.store.person_key import PersonKey
from bot.store.queries import begun_deletions, invitations, leaderboard_keeping, ratings, servers
from bot.store.queries.begun_deletions import EVERYBODY, Deletion
from bot.store.queries.database import CHANGED, FEW, LEAST, Connection, Database, among, delete_some

_log = logging.getLogger(__name__)

Stage: TypeAlias = Callable[[Connection, Deletion, int], int | None]
"""Does a slice of a part of a deletion, after a row id that the last slice reached. Returns how far it came, or None if
nothing of this part is left. A part can be repeated at any time."""
SLICES: Final = 3
"""How many slices of a stage one transaction does for a person: each commit waits for the disk, and a slice takes 0.2
to 1 ms. Those of a server take up to 4 ms, so it does one."""
CHECKPOINT_EVERY: Final = 3
"""A checkpoint comes after this many slices, which change some 100 pages all over the file."""


async def purge(database: Database, guild_id: int, unused_since: int | None = None) -> None:
    """Delete every row that names a server, its departure too, and of people who have no name in another the
    preferences and when they were notified of a table. Nothing of any other server changes.

    Raises Conflict, and deletes nothing, if something was played there since a moment, `unused_since` (ms UTC).
    """
    deletion = Deletion(guild_id)
    await database.write(lambda db: _begin_purge(db, deletion, unused_since))
    await _go_through(database, deletion)


def _begin_purge(db: Connection, deletion: Deletion, unused_since: int | None) -> None:
    if unused_since is not None and servers.used_since(db, deletion.guild_id, unused_since):
        raise Conflict("something was played there")
    begun_deletions.begin(db, deletion)


async def anonymise(
    database: Database, deletion: Deletion, known: Collection[str], *, key: PersonKey, held_until: int
) -> None:
    """Replace a person by a marker everywhere in a server. Delete their name, notice level, open hands, attendances and
    subscriptions to tables there, and what belongs to no server: their preferences, and when they were notified of a
    table.

    The texts of their salts are deleted too; the digests stay, because the deals were made with them. `known` are the
    ids of all their matches. Their ratings are held until a moment (ms UTC) under a keyed hash, apart from the marker.
    If it failed before because nothing could be saved, this finishes it.

    Raises Conflict while the person has a live match or an open invitation, and when `known` lacks one of their
    matches.
    """
    begun = await database.write(lambda db: begin_anonymising(db, deletion, known, key=key, held_until=held_until))
    await _go_through(database, begun)


async def _go_through(database: Database, deletion: Deletion) -> None:
    slices = 0
    for stage in _stages(deletion):
        after: int | None = LEAST
        while after is not None:
            if stage is _replace_in_invitations:
                after = await _skip_invitations(database, deletion, after)
            after = await database.write(partial(run_slices, stage, deletion, after))
            slices += _at_once(deletion)
            if slices >= CHECKPOINT_EVERY:
                slices = 0
                await database.checkpoint_if_idle()


def _at_once(deletion: Deletion) -> int:
    """How many slices one transaction does."""
    return 1 if deletion.user_id == EVERYBODY else SLICES


async def _skip_invitations(database: Database, deletion: Deletion, after: int) -> int:
    """Look, without waiting for the disk, past the invitations of the server that don't name a person."""
    guild_id, user_id, _ = deletion
    while True:
        named, reached = await database.read(partial(invitations.named_in, after, guild_id, user_id))
        if named or reached is None:
            return after
        after = reached


def run_slices(stage: Stage, deletion: Deletion, after: int, db: Connection) -> int | None:
    """A few slices of a stage. Nothing is left of it if another process has finished the deletion meanwhile."""
    reached: int | None = after
    if not begun_deletions.take(db, deletion):
        return None
    for _ in range(_at_once(deletion)):
        if reached is not None:
            reached = stage(db, deletion, reached)
    return reached


async def finish_all(database: Database) -> int:
    """Finish, in slices, what processes have begun to delete. Returns how many deletions. Another process may still be
    at it, or finish it first. One that fails without the database being to blame is reported and left."""
    finished = 0
    for deletion in await database.read(begun_deletions.all_under_way):
        try:
            await _go_through(database, deletion)
            finished += 1
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001  an altered row may raise anything
            report(deletion, error)
    return finished


def report(deletion: Deletion, error: Exception) -> None:
    """Say that a deletion could not be finished. Until it is, nobody plays under the old id."""
    whose = "a server" if deletion.user_id == EVERYBODY else "a person"
    _log.error(
        "the deletion of %s in server %d failed (%s), and is tried again at the next start",
        whose,
        deletion.guild_id,
        type(error).__name__,
    )


def finish(db: Connection) -> int:
    """Finish, in the transaction under way, what a process began to delete. Returns how many deletions."""
    begun = begun_deletions.all_under_way(db)
    for deletion in begun:
        finish_one(db, deletion)
    return len(begun)


def finish_one(db: Connection, deletion: Deletion) -> None:
    """Finish a deletion in the transaction under way."""
    for stage in _stages(deletion):
        after: int | None = LEAST
        while after is not None:
            after = stage(db, deletion, after)


def _stages(deletion: Deletion) -> Sequence[Stage]:
    return STAGES_OF_SERVER if deletion.user_id == EVERYBODY else STAGES_OF_PERSON


def _delete_rows(table: str, key: Sequence[str], db: Connection, deletion: Deletion, _after: int) -> int | None:
    """Delete some rows of the server, or of the person in it."""
    guild_id, user_id, _ = deletion
    which, theirs = ("", ()) if user_id == EVERYBODY else (" AND user_id = ?", (user_id,))
    done = delete_some(db, table, key, f"guild_id = ?{which}", guild_id, *theirs, most=CHANGED)
    return LEAST if done == CHANGED else None


# ---------------------------------------------------------------------------------------------- people


def _check(db: Connection, guild_id: int, user_id: int, known: Collection[str]) -> None:
    """Raise Conflict while the person has a live match or an open invitation, and when they have more matches than are
    known."""
    theirs = "SELECT count(*) FROM seats WHERE user_id = ? AND guild_id = ?"  # an id of each would take 5 ms of 10,000
    (played,) = db.execute(theirs, (user_id, guild_id)).fetchone()
    (ended,) = db.execute(f"{theirs} AND result_number IS NOT NULL", (user_id, guild_id)).fetchone()
    if ended < played:
        raise Conflict("a match of theirs is live")
    if played > len(set(known)):
        raise Conflict("another match of theirs has ended")
    if invitations.is_named_in_open(db, guild_id, user_id):
        raise Conflict("an invitation of theirs is open")


def begin_anonymising(
    db: Connection, deletion: Deletion, known: Collection[str], *, key: PersonKey, held_until: int
) -> Deletion:
    """Begin, or continue what is under way. Returns the deletion that is under way now. Raises what `_check` raises.

    This is what has few rows: the person's name, notice level, preferences and lines of leaderboards, and what is known
    of notices of tables. Their ratings are held under a keyed hash until a moment (ms UTC). From here on nothing can
    keep the rest from being replaced.
    """
    guild_id, user_id, marker = deletion
    before = begun_deletions.under_way(db, guild_id, user_id)
    if before is not None:
        return before
    _check(db, guild_id, user_id, known)
    begun_deletions.begin(db, deletion)
    ratings.hold(db, guild_id, user_id, key, held_until)
    db.executemany(
        "UPDATE standings SET user_id = ? WHERE guild_id = ? AND game = ? AND user_id = ?",
        [(marker, guild_id, game, user_id) for game in ratings.games_played(db, guild_id)],
    )
    for table in ("setting_changes", "rating_starts"):
        db.execute(
            f"UPDATE {table} SET user_id = ? WHERE guild_id = ? AND user_id = ?",
            (marker, guild_id, user_id),
        )
    db.execute(
        "UPDATE setting_changes SET about_id = ? WHERE guild_id = ? AND about_id = ?", (marker, guild_id, user_id)
    )
    leaderboard_keeping.anonymise(db, guild_id, user_id, marker)
    for table in ("names", "notice_levels", "comeback_searches"):
        db.execute(f"DELETE FROM {table} WHERE guild_id = ? AND user_id = ?", (guild_id, user_id))
    for table, column in servers.EVERYWHERE:
        db.execute(f"DELETE FROM {table} WHERE {column} = ?", (user_id,))
    return deletion


def _replace_seats(db: Connection, deletion: Deletion, _: int) -> int | None:
    """Their seats, without the texts of their salts, and what belongs to them.

    The order has PostgreSQL take the index: it would read the table from its beginning each time for somebody who has
    many of its rows, past all that were replaced already.
    """
    guild_id, user_id, marker = deletion
    found = db.execute(
        "SELECT match_id, seat FROM seats WHERE user_id = ? AND guild_id = ? ORDER BY result_number LIMIT ?",
        (user_id, guild_id, FEW),
    ).fetchall()
    db.executemany("DELETE FROM open_hands WHERE match_id = ? AND seat = ?", found)
    theirs = [(marker, *each) for each in found]
    db.executemany("UPDATE notices SET user_id = ?, mark = NULL WHERE match_id = ? AND seat = ?", theirs)
    db.executemany("UPDATE seats SET user_id = ?, salt = NULL WHERE match_id = ? AND seat = ?", theirs)
    return LEAST if len(found) == FEW else None


def _replace_some(table: str, db: Connection, deletion: Deletion, _: int) -> int | None:
    """Replace the person in some rows of a table. Their rows differ in the rest of its key."""
    guild_id, user_id, marker = deletion
    rest = [column for column in servers.ALL[table].key if column not in {"guild_id", "user_id"}]
    found = db.execute(
        f"SELECT {', '.join(rest)} FROM {table} WHERE guild_id = ? AND user_id = ? LIMIT ?",
        (guild_id, user_id, CHANGED),
    ).fetchall()
    these = " AND ".join(f"{name} = ?" for name in rest)
    db.executemany(
        f"UPDATE {table} SET user_id = ? WHERE guild_id = ? AND user_id = ? AND {these}",
        [(marker, guild_id, user_id, *row) for row in found],
    )
    return LEAST if len(found) == CHANGED else None


def _replace_opponents(db: Connection, deletion: Deletion, _: int) -> int | None:
    found = db.execute(
        "SELECT opponent_id, game FROM opponents WHERE guild_id = ? AND user_id = ? LIMIT ?",
        (deletion.guild_id, deletion.user_id, FEW),
    ).fetchall()
    return _replace_pairs(db, deletion, "opponents", found)


def _replace_encounters(db: Connection, deletion: Deletion, _: int) -> int | None:
    found: list[tuple[int, str]] = []
    for game in ratings.games_played(db, deletion.guild_id, "encounters"):
        found += db.execute(
            "SELECT opponent_id, game FROM encounters WHERE guild_id = ? AND game = ? AND user_id = ? LIMIT ?",
            (deletion.guild_id, game, deletion.user_id, FEW - len(found)),
        )
    return _replace_pairs(db, deletion, "encounters", found)


def _replace_pairs(db: Connection, deletion: Deletion, table: str, found: list[tuple[int, str]]) -> int | None:
    """Replace the person in these pairs of people, opponents and games, in both rows that each has."""
    guild_id, user_id, marker = deletion
    for mine, theirs in (("opponent_id", "user_id"), ("user_id", "opponent_id")):
        db.executemany(
            f"UPDATE {table} SET {mine} = ? WHERE guild_id = ? AND {mine} = ? AND {theirs} = ? AND game = ?",
            [(marker, guild_id, user_id, opponent, game) for opponent, game in found],
        )
    return LEAST if len(found) == FEW else None


def _replace_in_invitations(db: Connection, deletion: Deletion, after: int) -> int | None:
    """The closed invitations that name them. They are found only by looking through all of the server."""
    guild_id, user_id, marker = deletion
    named, reached = invitations.named_in(after, guild_id, user_id, db)
    these, wanted = among(named)
    rows = db.execute(
        f"SELECT rowid, host_id, invited, seated, places, salts FROM invitations WHERE rowid IN {these}", wanted
    ).fetchall()
    db.executemany(
        "UPDATE invitations SET host_id = ?, invited = ?, seated = ?, places = ?, salts = ?"
        " WHERE rowid = ? AND state <> 'open'",
        [
            (
                marker if host_id == user_id else host_id,
                *[json.dumps([marker if user == user_id else user for user in _read(users)]) for users in lists],
                json.dumps([each for each in _read(salts) if isinstance(each, list) and each[:1] != [user_id]]),
                rowid,
            )
            for rowid, host_id, *lists, salts in rows
        ],
    )
    return reached


def _read(text: str) -> list[Any]:
    """A JSON array of a closed invitation. One that was altered and can't be read is as good as empty: it must keep
    nobody from being deleted, and may name them."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return found if isinstance(found, list) else []


TREATED: Final = frozenset(
    {
        *("seats", "notices", "attendances", "player_results", "board_days", "opponents", "encounters"),
        *("standings", "setting_changes", "rating_starts", "names", "notice_levels", "comeback_searches"),
        *("board_entries", "board_hidden", "season_firsts", "set_asides", "deletions"),
    }
)
"""The core's tables with people of servers that the deletion of a person treats by name. In every other one it deletes
their rows, or replaces the person if the table says so (`Table.replaces`): what a room keeps of people goes with them
without a word from the room's code."""

STAGES_OF_PERSON: Final[tuple[Stage, ...]] = (
    _replace_seats,
    partial(_delete_rows, "attendances", ("guild_id", "user_id", "ended_at", "match_id")),
    *[partial(_replace_some, name) for name, table in servers.ALL.items() if table.replaces],
    partial(_replace_some, "player_results"),
    partial(_replace_some, "board_days"),
    _replace_opponents,
    _replace_encounters,
    _replace_in_invitations,
    *[
        partial(_delete_rows, name, table.key)
        for name, table in servers.ALL.items()
        if {"guild_id", "user_id"} <= {*table.columns} and not table.replaces and name not in TREATED
    ],
    begun_deletions.end,
)


# --------------------------------------------------------------------------------------- whole servers

_MATCHES: Final = FEW // 4
_RECORDS: Final = 60
"""How many records one slice deletes with their matches, at most, if no single match has more."""


def _delete_people(db: Connection, deletion: Deletion, _: int) -> int | None:
    found = db.execute("SELECT user_id FROM names WHERE guild_id = ? LIMIT ?", (deletion.guild_id, CHANGED)).fetchall()
    these, people = among([user_id for (user_id,) in found])
    for name, column in servers.EVERYWHERE:
        db.execute(
            f"DELETE FROM {name} WHERE {column} IN {these} AND NOT EXISTS"
            f" (SELECT 1 FROM names WHERE names.user_id = {name}.{column} AND names.guild_id <> ?)",
            (*people, deletion.guild_id),
        )
    db.execute(
        f"DELETE FROM names WHERE guild_id = ? AND user_id IN {these}",
        (deletion.guild_id, *people),
    )
    return LEAST if len(found) == CHANGED else None


def _delete_matches(db: Connection, deletion: Deletion, _: int) -> int | None:
    found = db.execute(
        "SELECT id, (SELECT count(*) FROM records WHERE match_id = id) FROM matches WHERE guild_id = ?"
        " ORDER BY game LIMIT ?",
        (deletion.guild_id, _MATCHES),
    ).fetchall()
    records = 0
    chosen: list[str] = []
    for match_id, length in found:
        if chosen and records + length > _RECORDS:
            break
        chosen.append(match_id)
        records += length
    db.executemany("DELETE FROM matches WHERE id = ?", [(match_id,) for match_id in chosen])
    return LEAST if chosen else None


STAGES_OF_SERVER: Final[tuple[Stage, ...]] = (
    _delete_people,
    _delete_matches,
    *[
        partial(_delete_rows, table, key)
        for table, key in servers.TABLES.items()
        if table not in {"names", "matches", "deletions"}
    ],
    begun_deletions.end,
)
"""How a server's rows are deleted: every row that names it, in every table that has such rows, and the preferences
of people who are known in no other server, with the moments of their notices.

Deleting a match deletes what belongs to it, found by the match's id: looking for the server in the log would read
all of it.
"""
