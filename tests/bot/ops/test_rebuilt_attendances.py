"""`cardroom rebuild-standings`: what is kept of how people attended their matches is what the logs say."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.sqlite.store import SqliteStore
from engines.game import Resign
from tests.bot.ops.databases import cardroom
from tests.bot.play.parts import ANN, BOB, GUILD, Parts, an_act, on_turn
from tests.bot.store.open_stores import closed_after
from tests.bot.store.packing import pack_all
from tests.faults.database_file import DatabaseFile
from tests.movable_scheduler import MovableScheduler


async def played(folder: Path) -> dict[int, list[object]]:
    """A closed database with a match that was finished and one that was left; what is kept of each person."""
    scheduler = MovableScheduler(0)
    store = await SqliteStore.open(folder / "cardroom.db", now=scheduler.now)
    parts = Parts(store, scheduler)
    try:
        for acts in (6, 0):
            match = await parts.opened()
            for _ in range(acts):
                await match.act(on_turn(match), an_act(match))
            await match.act(0, Resign())
            parts.clock.settle(match)
        return {user: list(await store.attendances(GUILD, user, 9)) for user in (ANN, BOB)}
    finally:
        await parts.close()
        await store.close()


async def pack(folder: Path) -> None:
    async with closed_after(SqliteStore.open(folder / "cardroom.db", now=lambda: 0)) as store:
        assert len(await pack_all(store)) == 2


async def kept(folder: Path) -> dict[int, list[object]]:
    async with closed_after(SqliteStore.open(folder / "cardroom.db", now=lambda: 1500)) as store:
        return {user: list(await store.attendances(GUILD, user, 9)) for user in (ANN, BOB)}


@pytest.mark.parametrize("packed", [False, True])
async def test_what_is_kept_is_worked_out_again_from_the_logs(tmp_path: Path, *, packed: bool) -> None:
    """So it is for matches of before it was kept, and after somebody changed it."""
    was = await played(tmp_path)
    if packed:
        await pack(tmp_path)
    assert [len(was[user]) for user in (ANN, BOB)] == [2, 1]
    with closing(sqlite3.connect(tmp_path / "cardroom.db", isolation_level=None)) as db:
        db.execute("DELETE FROM attendances WHERE stay = 'finished'")
        db.execute("UPDATE attendances SET stay = 'out_of_time', asked = 50")
    assert await kept(tmp_path) != was
    done = await asyncio.to_thread(cardroom, tmp_path, "rebuild-standings")
    assert done.stdout.endswith("who stayed to the end differed in 2 matches and was corrected\n")
    assert await kept(tmp_path) == was
    again = await asyncio.to_thread(cardroom, tmp_path, "rebuild-standings")
    assert again.stdout.endswith("none differed\n")


async def test_what_is_kept_stays_where_a_packed_log_is_damaged(tmp_path: Path) -> None:
    was = await played(tmp_path)
    await pack(tmp_path)
    with closing(sqlite3.connect(tmp_path / "cardroom.db")) as db:
        matches = [match_id for (match_id,) in db.execute("SELECT match_id FROM packed_logs")]
    for match_id in matches:
        DatabaseFile(tmp_path).flip_bit("packed_logs", "log", match_id)
    done = await asyncio.to_thread(cardroom, tmp_path, "rebuild-standings")
    assert done.stdout.endswith("none differed\n")
    assert await kept(tmp_path) == was
