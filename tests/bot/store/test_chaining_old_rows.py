"""Databases from before there were chains: the upgrade seals and chains what they hold, once, and says so."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.log_chain import first_altered
from bot.store.sqlite.dump import dump_lines, load_dump
from bot.store.sqlite.store import SqliteStore
from engines.deals import commitment_v1
from tests.bot.store.rows import record
from tests.upgrades.old import SCHEMAS, lay, rows

BEFORE_CHAINS = 5
OLD = [version for version in SCHEMAS if version <= BEFORE_CHAINS]


async def open_store(path: Path) -> SqliteStore:
    return await SqliteStore.open(path, now=lambda: 1500)


@pytest.mark.parametrize("version", OLD)
async def test_every_match_and_invitation_is_sealed_and_chained(tmp_path: Path, version: int) -> None:
    path = lay(version, tmp_path)
    store = await open_store(path)
    found = rows(path)
    for table in ("invitations", "matches"):
        for row in found[table]:
            assert row["commitment"] == commitment_v1(row["seed"])
    for row in found["matches"]:
        log = await store.records(row["id"])
        assert first_altered(row["id"], log) is None
        assert row["chained_from"] == len(log) > 0
        result = await store.result(row["id"])
        assert (result is None) == bool(row["live"])
        assert result is None or result.chain == log[-1].chain
    await store.close()


async def test_a_match_goes_on_with_the_chain_that_the_upgrade_began(tmp_path: Path) -> None:
    store = await open_store(lay(BEFORE_CHAINS, tmp_path))
    row = (await store.live_matches())[0]
    length = len(await store.records(row.id))
    await store.append(record(length, row.id), ())
    log = await store.records(row.id)
    assert first_altered(row.id, log) is None
    assert (row.chained_from, len(log)) == (length, length + 1)
    await store.close()


async def test_a_record_can_still_not_be_changed_after_the_upgrade(tmp_path: Path) -> None:
    path = lay(BEFORE_CHAINS, tmp_path)
    await (await open_store(path)).close()
    with closing(sqlite3.connect(path)) as db, pytest.raises(sqlite3.IntegrityError, match="a record is never changed"):
        db.execute("UPDATE records SET at = at + 1")


async def test_the_chains_travel_with_a_dump(tmp_path: Path) -> None:
    path = lay(BEFORE_CHAINS, tmp_path)
    await (await open_store(path)).close()
    loaded = tmp_path / "loaded" / "cardroom.db"
    loaded.parent.mkdir()
    load_dump(dump_lines(path), loaded)
    for table in ("records", "results", "matches", "invitations"):
        assert sorted(map(repr, rows(loaded)[table])) == sorted(map(repr, rows(path)[table]))
