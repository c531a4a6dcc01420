"""A match that is being played goes over from SQLite to PostgreSQL and comes back, and its players go on."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.cluster import dump
from bot.cluster.store import PostgresqlStore
from bot.play.deals.proof import check, check_deal
from bot.store.dump_format import DumpReader
from bot.store.migrations import LATEST
from bot.store.sqlite.dump import dump_lines, load_dump
from bot.store.verification import first_altered
from bot.telemetry import Telemetry
from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import cardroom
from tests.end_to_end.players import challenge, play_out
from tests.faults.test_quarantine import moved


class OpensPostgresql:
    """Stands in for the class of the SQLite store where a bot opens it: what it opens is this database."""

    def __init__(self, address: str) -> None:
        self._address = address

    async def open(self, path: Path, *, now: Callable[[], int], telemetry: Telemetry) -> PostgresqlStore:
        return await PostgresqlStore.open(
            self._address, now=now, telemetry=telemetry, person_key=path.with_name("person-key")
        )


@pytest.mark.nightly  # that every row goes over and comes back is tested by itself (tests/postgresql/test_moving)
async def test_a_live_match_goes_on_after_it_was_moved_and_after_it_came_back(
    sandbox: Sandbox, tmp_path: Path, empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    first, second, third = (tmp_path / name for name in ("first", "second", "third"))
    for folder in (first, second, third):
        folder.mkdir()
    async with cardroom(sandbox, first) as room:
        board = await challenge(alice, bob, lobby)
        match_id = await moved(room, [alice, bob], board, 3)
        records = await room.store.records(match_id)

    dump.load_dump(DumpReader(dump_lines(first / "cardroom.db"), LATEST), empty_database)
    with monkeypatch.context() as opening:
        opening.setattr("tests.end_to_end.cardroom.SqliteStore", OpensPostgresql(empty_database))
        async with cardroom(sandbox, second) as room:
            assert isinstance(room.store, PostgresqlStore)
            assert await room.store.records(match_id) == records
            await moved(room, [alice, bob], board, 3)
            more = await room.store.records(match_id)
            assert len(more) > len(records)
    load_dump(dump.dump_lines(empty_database), third / "cardroom.db")
    async with cardroom(sandbox, third) as room:
        assert await room.store.records(match_id) == more
        await play_out({"Alice": alice, "Bob": bob}, board, random.Random(1))
        row, whole, result = (
            await room.store.match(match_id),
            await room.store.records(match_id),
            await room.store.result(match_id),
        )
        assert row is not None
        assert result is not None
        assert whole[: len(more)] == more
        assert first_altered(match_id, whole) is None
        check_deal(row, whole)
        check(row, whole)
