"""Two processes delete at once, as when one starts while another one is at it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.cluster.store import PostgresqlStore
from bot.store.queries import begun_deletions, deleting
from bot.store.queries.begun_deletions import Deletion
from bot.store.queries.database import LEAST, Connection
from bot.store.queries.invitations import InvitationState
from cogs.profiles.queries import ProfileQueries
from tests.bot.store.gate import Gate
from tests.bot.store.rows import ANN, BOB, CAT, GUILD, invitation, match, played, standings_of
from tests.postgresql.stores import opened_store

pytestmark = pytest.mark.real_time

WITHIN = 30.0
MARKER, OTHER_MARKER = -12345, -54321
PERSON, SERVER = Deletion(GUILD, ANN, MARKER), Deletion(GUILD)

Delete = Callable[[PostgresqlStore], Awaitable[object]]


async def begin(store: PostgresqlStore, deletion: Deletion) -> None:
    """Begin a deletion, and leave the rest of it."""

    def person(db: Connection) -> None:
        known = [match_id for (match_id,) in db.execute("SELECT id FROM matches").fetchall()]
        deleting.begin_anonymising(db, deletion, known, key=store.person_key, held_until=0)

    await store.database.write(
        (lambda db: begun_deletions.begin(db, deletion)) if deletion.user_id == begun_deletions.EVERYBODY else person
    )


async def finish_all(store: PostgresqlStore) -> int:
    """What a start does."""
    return await deleting.finish_all(store.database)


async def delete_person(store: PostgresqlStore) -> None:
    await store.anonymise(GUILD, ANN, MARKER, {"m1"})


async def delete_server(store: PostgresqlStore) -> None:
    await store.purge_guild(GUILD)


async def under_way(store: PostgresqlStore) -> list[Deletion]:
    return await store.database.read(begun_deletions.all_under_way)


@pytest.mark.parametrize(
    ("late", "deletion"),
    [(finish_all, PERSON), (delete_person, PERSON), (finish_all, SERVER), (delete_server, SERVER)],
    ids=["a start, of a person", "who deletes a person", "a start, of a server", "who deletes a server"],
)
async def test_what_is_played_after_a_deletion_stays_although_another_process_is_still_at_it(
    store: PostgresqlStore, other: PostgresqlStore, late: Delete, deletion: Deletion, monkeypatch: pytest.MonkeyPatch
) -> None:
    await played(store, "m1", (1, 2), seats=(ANN, BOB))
    await begin(store, deletion)
    write, writes = other.database.write, 0

    async def overtaken(work: Callable[[Connection], Any], *, counts: bool = True) -> Any:
        """After its first two writes, the other process finishes the deletion, and the person plays again."""
        nonlocal writes
        done = await write(work, counts=counts)
        writes += 1
        if writes == 2:
            assert await finish_all(store) == 1
            assert await under_way(store) == []
            await played(store, "m2", (1, 2), seats=(ANN, BOB))
        return done

    monkeypatch.setattr(other.database, "write", overtaken)
    async with asyncio.timeout(WITHIN):
        await late(other)
    assert writes > 2
    former = await store.match("m1")
    assert former == (None if deletion is SERVER else replace(match("m1", seats=(MARKER, BOB)), salts=former.salts))  # type: ignore[union-attr]  # it is there
    assert await store.match("m2") == match("m2")
    found = await store.invitation("m2")
    assert found == (replace(invitation("m2")), InvitationState.ACCEPTED)
    assert (await store.player_record(GUILD, ANN)).matches == 1
    assert [(each.user_id, each.wins) for each in await standings_of(store, (ANN,))] == [(ANN, 1)]
    assert await store.counted_days(GUILD, ANN)
    assert (await ProfileQueries(store).most_met(GUILD, ANN, 9))[0].user_id == BOB


async def test_two_people_whom_two_processes_delete_at_once_stay_nowhere(
    store: PostgresqlStore, other: PostgresqlStore
) -> None:
    """Stage by stage: the second process's slice begins when the first one's isn't committed yet."""
    await played(store, "m1", (1, 2, 3), seats=(ANN, BOB, CAT))
    first, second = Deletion(GUILD, ANN, MARKER), Deletion(GUILD, BOB, OTHER_MARKER)
    await begin(store, first)
    await begin(store, second)
    async with asyncio.timeout(WITHIN):
        for stage in deleting.STAGES_OF_PERSON:
            gate = Gate()
            slices = [asyncio.create_task(store.database.write(partial(deleting.run_slices, stage, first, LEAST)))]
            holding = asyncio.create_task(store.database.write(gate))
            await gate.reached()
            slices.append(asyncio.create_task(other.database.write(partial(deleting.run_slices, stage, second, LEAST))))
            await asyncio.sleep(0.05)
            gate.open()
            await holding
            assert await asyncio.gather(*slices) == [None, None]
    assert await under_way(store) == []
    found = await store.invitation("m1")
    assert found is not None
    assert (found[0].host_id, found[0].invited, found[0].seated) == (MARKER, (OTHER_MARKER, CAT), (MARKER,))
    assert (await store.match("m1")).seats == (MARKER, OTHER_MARKER, CAT)  # type: ignore[union-attr]  # it is there
    assert {each.user_id for each in await ProfileQueries(store).most_met(GUILD, CAT, 9)} <= {MARKER, OTHER_MARKER}


@pytest.mark.parametrize("deletion", [PERSON, SERVER], ids=["a person", "a server"])
async def test_a_start_finishes_what_another_process_goes_on_deleting(
    store: PostgresqlStore, migrated_database: str, tmp_path: Path, deletion: Deletion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deleting, "FEW", 2)
    monkeypatch.setattr(deleting, "CHANGED", 2)
    for number in range(12):
        await played(store, f"m{number}", (1, 2), seats=(ANN, 1000 + number))
    await begin(store, deletion)
    async with asyncio.timeout(WITHIN):
        going_on = asyncio.create_task(finish_all(store))
        async with opened_store(migrated_database, tmp_path) as started:
            assert await under_way(started) == []
            assert await started.matches_of(GUILD, ANN) == []
            assert len(await started.matches_of(GUILD, MARKER)) == (0 if deletion is SERVER else 12)
            await going_on
