"""The tables of a release on PostgreSQL come up to date with all that is in them, also if a process dies at a step."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import psycopg
import pytest

from bot.cluster import dump
from bot.cluster.store import PostgresqlStore
from bot.store.dump_format import DumpReader
from bot.store.errors import StoreError
from bot.store.migrations import LATEST, migrations
from bot.store.sqlite.dump import dump_lines
from bot.store.sqlite.store import SqliteStore
from tests.postgresql.test_moving import content
from tests.upgrades.old import SCHEMAS, OfItsDay, lay

pytestmark = pytest.mark.real_time

WROTE: Final = {5: 1033709006}
"""What the program of each release has written beside its tables' version. By another number they would be refused."""


async def open_and_close(address: str, path: Path) -> None:
    store = await PostgresqlStore.open(address, now=lambda: 1500, person_key=path.parent / "person-key")
    await store.close()


def version(address: str) -> tuple[Any, ...] | None:
    with psycopg.connect(address) as connection:
        return connection.execute("SELECT version, digest FROM schema_version").fetchone()


@pytest.mark.parametrize("release", [each for each in SCHEMAS if isinstance(each, OfItsDay) and each < LATEST])
async def test_a_process_that_dies_at_each_step_loses_nothing(
    empty_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, release: int
) -> None:
    path = lay(tmp_path, release)
    with monkeypatch.context() as then:
        then.setattr(dump, "migrations", lambda: migrations()[:release])
        dump.load_dump(DumpReader(list(dump_lines(path)), release), empty_database)
    assert version(empty_database) == (release, WROTE[release])
    execute: Any = psycopg.Connection.execute
    died: list[int] = []

    def die_once(connection: Any, query: Any, *given: Any, **more: Any) -> Any:
        """Die once at each step, when it is made and not yet committed."""
        if str(query).startswith("UPDATE schema_version") and (number := given[0][0] - 1) not in died:
            died.append(number)
            connection.close()
            raise psycopg.OperationalError
        return execute(connection, query, *given, **more)

    monkeypatch.setattr(psycopg.Connection, "execute", die_once)
    for number in range(release, LATEST):
        with pytest.raises(StoreError):
            await open_and_close(empty_database, path)
        assert (died[-1], (version(empty_database) or ())[0]) == (number, number)
    await open_and_close(empty_database, path)
    await (await SqliteStore.open(path, now=lambda: 1500)).close()
    assert content(list(dump.dump_lines(empty_database))) == content(list(dump_lines(path)))
