"""Deletes what belongs to a server, and replaces a person by a marker, a few rows in each transaction.

`bot.store.queries.deletions` says what happens when the process dies in between.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, Final

from bot.store.person_key import PersonKey
from bot.store.queries import anonymisation, deletions
from bot.store.queries.connection import Connection
from bot.store.queries.database import Database
from bot.store.queries.deletions import EVERYBODY, FIRST, Deletion, Stage
from bot.store.queries.paging import FEW

CHECKPOINT_EVERY: Final = 4
"""A checkpoint comes after this many slices, which change some 100 pages all over the file."""


async def purge(database: Database, guild_id: int) -> None:
    """`ServerStore.purge_guild`."""
    deletion = Deletion(guild_id)
    await database.write(lambda db: deletions.begin(db, deletion))
    await _go_through(database, deletion)


async def anonymise(
    database: Database, deletion: Deletion, keys: Mapping[str, Mapping[str, bytes]], *, key: PersonKey, held_until: int
) -> None:
    """`PeopleStore.anonymise`. If it failed before because nothing could be saved, this finishes it."""
    guild_id, user_id, _ = deletion
    await database.read(lambda db: anonymisation.check(db, guild_id, user_id, keys.keys()))
    stored = iter([each for each in keys.items() if each[1]])
    while some := dict(islice(stored, FEW)):
        await database.write(partial(_keep_keys, guild_id, some))
    begun = await database.write(
        lambda db: anonymisation.begin(db, deletion, keys.keys(), key=key, held_until=held_until)
    )
    await _go_through(database, begun)


def _keep_keys(guild_id: int, keys: Mapping[str, Mapping[str, bytes]], db: Connection) -> None:
    anonymisation.keep_keys(db, guild_id, keys)


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


class Uncancelled:
    """Runs deletions to their end, also when their callers are cancelled."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    async def run(self, deletion: Coroutine[Any, Any, None]) -> None:
        """Wait for a deletion. Raises what it raises."""
        task = asyncio.create_task(deletion)
        self._running.add(task)
        task.add_done_callback(self._ended)
        await asyncio.shield(task)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # where nobody waits any more, the next start finishes what is left


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
