"""Deletes what belongs to a server, and replaces a person by a marker, a few rows in each transaction.

`bot.store.queries.deletions` says what happens when the process dies in between.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import Final

from bot.store.person_key import PersonKey
from bot.store.queries import anonymisation, deletions
from bot.store.queries.connection import Connection
from bot.store.queries.database import Database
from bot.store.queries.deletions import EVERYBODY, FIRST, Deletion, Stage

CHECKPOINT_EVERY: Final = 4
"""A checkpoint comes after this many slices, which change some 100 pages all over the file."""


async def purge(database: Database, guild_id: int) -> None:
    """Delete every row that names a server, its departure too, and of people who have no name in another the
    preferences and when they were notified of a table. Nothing of any other server changes."""
    deletion = Deletion(guild_id)
    await database.write(lambda db: deletions.begin(db, deletion))
    await _go_through(database, deletion)


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
    begun = await database.write(lambda db: anonymisation.begin(db, deletion, known, key=key, held_until=held_until))
    await _go_through(database, begun)


async def _go_through(database: Database, deletion: Deletion) -> None:
    slices = 0
    for stage in _stages(deletion):
        after: int | None = FIRST
        while after is not None:
            after = await database.write(partial(run_slice, stage, deletion, after))
            slices += 1
            if slices % CHECKPOINT_EVERY == 0:
                await database.checkpoint_if_idle()


def run_slice(stage: Stage, deletion: Deletion, after: int, db: Connection) -> int | None:
    """A slice of a stage. Nothing is left of it if another process has finished the deletion meanwhile."""
    return stage(db, deletion, after) if deletions.take(db, deletion) else None


async def finish_all(database: Database) -> int:
    """Finish, in slices, what processes have begun to delete. Returns how many deletions. Another process may still be
    at it, or finish it first."""
    begun = await database.read(deletions.all_under_way)
    for deletion in begun:
        await _go_through(database, deletion)
    return len(begun)


def finish(db: Connection) -> int:
    """Finish, in the transaction under way, what a process began to delete. Returns how many deletions."""
    begun = deletions.all_under_way(db)
    for deletion in begun:
        for stage in _stages(deletion):
            after: int | None = FIRST
            while after is not None:
                after = stage(db, deletion, after)
    return len(begun)


def _stages(deletion: Deletion) -> Sequence[Stage]:
    return deletions.STAGES_OF_SERVER if deletion.user_id == EVERYBODY else anonymisation.STAGES
