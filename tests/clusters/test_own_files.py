"""Two processes of one bot, each with its shards and a SQLite file of its own: the first step beyond one process."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from discord_sandbox import Sandbox
from tests.clusters.conftest import MakePart
from tests.clusters.parts import TAKEN_OVER_WITHIN, Part, commands_announced, servers_of
from tests.clusters.play import Table

pytestmark = pytest.mark.real_time


def logged_moves(folder: Path) -> dict[int, int]:
    """How many acts of people a process has in its file, by server."""
    with closing(sqlite3.connect(f"file:{folder / 'cardroom.db'}?mode=ro", uri=True)) as db:
        found = db.execute(
            "SELECT matches.guild_id, count(actor) FROM matches JOIN records ON match_id = id GROUP BY matches.guild_id"
        )
        return dict(found.fetchall())


async def test_each_process_plays_its_servers_and_goes_on_without_the_other(
    sandbox: Sandbox, make_part: MakePart
) -> None:
    parts: tuple[Part, Part] = (make_part("first"), make_part("second"))
    for shard, part in enumerate(parts):
        await part.serve(f"{shard}/2", wait=False)
    for part in parts:
        await part.settle()
    await sandbox.wait_for_shards(timeout=TAKEN_OVER_WITHIN)
    tables = {shard: [Table(sandbox, server) for server in servers_of(sandbox, shard, 2)] for shard in (0, 1)}
    for table in (*tables[0], *tables[1]):
        await table.sit_down()
        await table.move()
    for shard, part in enumerate(parts):
        assert logged_moves(part.folder) == {table.server.id: 1 for table in tables[shard]}
    announced = commands_announced(sandbox)  # once by each, because neither knows the other's file

    await parts[1].crash()
    await sandbox.wait_for(lambda: not any(sandbox.gateway.hears(table.server.id) for table in tables[1]))
    for table in tables[0]:
        await table.move()
    await parts[1].serve("1/2")
    await sandbox.wait_for_shards(timeout=TAKEN_OVER_WITHIN)
    for table in (*tables[0], *tables[1]):
        await table.move()
    for shard, part in enumerate(parts):
        assert logged_moves(part.folder) == {table.server.id: table.confirmed for table in tables[shard]}
    assert commands_announced(sandbox) == announced == len(parts)
    for part in parts:
        assert await part.stop() == 0


async def test_direct_messages_are_the_first_shards(sandbox: Sandbox, make_part: MakePart) -> None:
    alice = sandbox.user("Alice")
    await make_part("second").serve("1/2")
    asked = await alice.slash(sandbox.channel("lobby", servers_of(sandbox, 1, 2)[0].name), "games")
    assert not asked.failed
    assert not sandbox.gateway.hears(None)
