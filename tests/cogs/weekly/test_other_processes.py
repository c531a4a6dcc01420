"""What a process gives of a deal of the week that another process still plays, though the week is over by its clock."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bot.store.sqlite.store import SqliteStore
from cogs.personal_data.export import everything_of
from tests.bot.store.rows import ANN, BOB, GUILD, SEED, record, result, tried_weekly


async def finish(store: SqliteStore, match_id: str) -> None:
    await store.append(record(1, match_id), (), replace(result(match_id), counted=False))


async def test_an_export_has_no_seed_before_the_last_match_of_all_servers_is_over(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "cardroom.db", now=lambda: 1500)
    await tried_weekly(store, "w1", ANN)
    await tried_weekly(store, "w2", BOB, guild=GUILD + 1)
    await finish(store, "w1")

    async def exported() -> str:
        return str(await everything_of(store, GUILD, ANN, lambda _: False))

    assert SEED.hex() not in await exported()
    await finish(store, "w2")
    assert SEED.hex() in await exported()
    await store.close()
