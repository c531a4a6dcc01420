"""A deletion is done in slices: others write in between, and what a killed process began, the next one finishes."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from bot.store.errors import Busy
from bot.store.queries import begun_deletions, deleting, invitations
from bot.store.queries.begun_deletions import Deletion
from bot.store.queries.leaderboards import ALL_GAMES, LeaderboardDates
from bot.store.queries.seasons import SeasonFirst
from bot.store.sqlite.dump import dump_lines
from bot.store.sqlite.store import SqliteStore
from cogs.leaderboards.queries import LeaderboardQueries
from cogs.profiles.queries import ComebackSearch, ProfileQueries
from tests.bot.store.contract_servers import HERE, THERE, lived_in
from tests.bot.store.open_stores import closed_after
from tests.bot.store.recounts import rebuild_standings
from tests.bot.store.rows import BOB, CAT, deal, invitation, match, opened, played

pytestmark = pytest.mark.slow  # deletes from large databases, slice by slice

MARKER = -12345
DAN = CAT + 10
UNLIKE = ("progress", "heartbeat")
"""Tables that say how far a database has come, and nothing of what is in it."""

Delete = Callable[[SqliteStore], Awaitable[None]]


class DiedError(Exception):
    """The process was killed."""


@pytest.fixture(autouse=True)
def short_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a few rows need several slices."""
    for module, name in (
        (deleting, "FEW"),
        (deleting, "CHANGED"),
        (invitations, "_PASSED"),
    ):
        monkeypatch.setattr(module, name, 2)
    monkeypatch.setattr(deleting, "SLICES", 1)


async def opened_store(folder: Path) -> SqliteStore:
    return await SqliteStore.open(folder / "cardroom.db", now=lambda: 1500)


async def lay_out(folder: Path) -> None:
    """Two servers, and in one of them three people who have played each other several times."""
    store = await opened_store(folder)
    for guild, mark in ((HERE, "1"), (THERE, "2")):
        await lived_in(store, guild, mark)
        await LeaderboardQueries(store).take_back_reset(guild)
        while not await LeaderboardQueries(store).count_some(guild):
            pass
    for number in range(5):
        for rival in (BOB, CAT):
            await played(store, f"{rival}-{number}", (1, 2), seats=(DAN, rival), guild=HERE)
    await played(store, "there", (1, 2), seats=(DAN, BOB), guild=THERE)
    await store.anonymise(THERE, DAN, -77, {"there"})  # this makes the key of deleted people
    await store.close()


async def delete_person(store: SqliteStore) -> None:
    played = await store.matches_of(HERE, DAN)
    await store.anonymise(HERE, DAN, MARKER, {row.id for row in played})


async def delete_server(store: SqliteStore) -> None:
    await store.purge_guild(HERE)


async def killed_after(writes: int, store: SqliteStore, delete: Delete) -> bool:
    """Delete, and die after this many transactions. Returns whether it was over before."""
    write, left = store.database.write, iter(range(writes))

    async def dying(work: Callable[[sqlite3.Connection], object], *, counts: bool = True) -> object:
        if next(left, None) is None:
            raise DiedError
        return await write(work, counts=counts)

    store.database.write = dying  # type: ignore[method-assign,assignment]  # it dies in the middle
    try:
        await delete(store)
    except DiedError:
        return False
    finally:
        await store.close()
    return True


def content(folder: Path) -> list[str]:
    """Every row of every table."""
    rows = list(dump_lines(folder / "cardroom.db"))[1:-1]
    return sorted(row for row in rows if json.loads(row)["table"] not in UNLIKE)


def names(folder: Path, number: int) -> list[str]:
    """The rows that have a number anywhere."""
    return [line for line in content(folder) if str(number) in line]


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database that nothing was deleted from."""
    folder = tmp_path_factory.mktemp("before")
    asyncio.run(lay_out(folder))
    return folder


@pytest.fixture
def here(tmp_path: Path, before: Path) -> Path:
    """A copy of it."""
    return copied(before, tmp_path / "here")


def copied(before: Path, folder: Path) -> Path:
    shutil.copytree(before, folder)
    return folder


@pytest.mark.parametrize("delete", [delete_person, delete_server])
async def test_what_a_killed_process_began_to_delete_the_next_one_deletes(
    tmp_path: Path, here: Path, before: Path, delete: Delete
) -> None:
    assert await killed_after(10**6, await opened_store(here), delete)
    whole = content(here)
    for writes in (1, 2, 9, 20):
        folder = copied(before, tmp_path / str(writes))
        assert not await killed_after(writes, await opened_store(folder), delete)
        assert is_half(folder)
        assert content(folder) != whole
        await (await opened_store(folder)).close()
        assert content(folder) == whole, f"killed after {writes} transactions"


async def test_a_deletion_leaves_nothing_and_one_that_was_not_begun_changes_nothing(here: Path, before: Path) -> None:
    await killed_after(0, await opened_store(here), delete_person)
    await (await opened_store(here)).close()
    assert len(names(here, DAN)) == len(names(before, DAN))
    await killed_after(10**6, await opened_store(here), delete_person)
    assert names(here, DAN) == []
    await killed_after(10**6, await opened_store(here), delete_server)
    assert names(here, HERE) == []


def is_half(folder: Path) -> bool:
    """Whether a deletion is under way."""
    with closing(sqlite3.connect(folder / "cardroom.db")) as db:
        return db.execute("SELECT 1 FROM deletions").fetchone() is not None


async def test_standings_are_rebuilt_only_after_a_deletion_was_finished(here: Path) -> None:
    await killed_after(9, await opened_store(here), delete_person)
    assert is_half(here)
    assert not rebuild_standings(here / "cardroom.db").differing
    assert not is_half(here)


async def test_nothing_begins_for_somebody_who_is_being_deleted(here: Path) -> None:
    async with closed_after(opened_store(here)) as store:
        await store.add_invitation(invitation("later", invited=(CAT,), guild=HERE))
        for guild, seats in ((HERE, (DAN, CAT)), (THERE, (BOB, CAT))):
            await store.database.write(lambda db: begun_deletions.begin(db, Deletion(HERE, DAN, -1)))
            await store.database.write(lambda db: begun_deletions.begin(db, Deletion(THERE)))
            with pytest.raises(Busy):
                await store.add_invitation(replace(invitation("new", guild=guild), host_id=seats[0]))
            with pytest.raises(Busy):
                await store.open_match(match("later", seats=seats, guild=guild), deal("later"), ())
        await opened(store, "other", seats=(BOB, CAT), guild=HERE)


async def test_others_write_between_the_slices_and_a_cancelled_caller_changes_nothing(here: Path) -> None:
    async with closed_after(opened_store(here)) as store:
        deletion = asyncio.create_task(delete_server(store))
        for _ in range(5):
            await store.record_heartbeat(1)
        assert is_half(here)
        deletion.cancel()
        while is_half(here):
            await store.record_heartbeat(1)
        with pytest.raises(asyncio.CancelledError):
            await deletion
    assert names(here, HERE) == []


async def test_what_a_few_slices_changed_is_moved_before_the_next_so_that_no_commit_moves_much(here: Path) -> None:
    store = await opened_store(here)
    asked: list[str] = []
    try:
        await store.database.read(lambda db: db.set_trace_callback(asked.append))
        await delete_server(store)
    finally:
        await store.close()
    steps = "".join({"COMMIT": "c", "PRAGMA wal_checkpoint(TRUNCATE)": "m"}.get(sql, "") for sql in asked)
    assert len(steps) > 20
    assert max(map(len, steps.split("m"))) == deleting.CHECKPOINT_EVERY + 1  # the first commit records the deletion


ROLLS = 50
"""How often it is asked whether there is something left to move, at most."""
EARLY, LATE = LeaderboardDates(0, 0, 0), LeaderboardDates(10**6, 10**6, 10**6)


async def keep_derived_rows(store: SqliteStore, dates: LeaderboardDates, days: int) -> None:
    """Write what is kept from other rows, as readers of leaderboards and profiles do at any moment."""
    for guild in (HERE, THERE):
        for _ in range(ROLLS):
            if await LeaderboardQueries(store).roll(guild, dates):
                break
        await store.judge_seasons(guild, days, [(user, SeasonFirst(ALL_GAMES, days)) for user in (DAN, BOB, CAT)])
        for user in (DAN, BOB, CAT):
            for row in await store.database.read(partial(numbers_of, guild, user)):
                await ProfileQueries(store).note_comeback_search(guild, user, ComebackSearch(row))


def numbers_of(guild: int, user: int, db: sqlite3.Connection) -> list[int]:
    asked = "SELECT number FROM player_results WHERE guild_id = ? AND user_id = ?"
    return [number for (number,) in db.execute(asked, (guild, user))]


@pytest.mark.parametrize(("delete", "deleted"), [(delete_person, DAN), (delete_server, HERE)])
async def test_nothing_that_is_kept_from_other_rows_comes_back_while_they_are_deleted(
    here: Path, delete: Delete, deleted: int
) -> None:
    store = await opened_store(here)
    write, slices = store.database.write, 0

    async def disturbed(work: Callable[[sqlite3.Connection], object], *, counts: bool = True) -> object:
        nonlocal slices
        done = await write(work, counts=counts)
        slices += 1
        store.database.write = write  # type: ignore[method-assign]
        await keep_derived_rows(store, (EARLY, LATE)[slices % 2], slices)
        store.database.write = disturbed  # type: ignore[method-assign,assignment]
        return done

    store.database.write = disturbed  # type: ignore[method-assign,assignment]  # others write after each slice
    try:
        await delete(store)
    finally:
        await store.close()
    assert slices > 9
    assert names(here, deleted) == []


ALTERED = ("nonsense", "[[1]", "[1, 2]", '{"a": 1}', "[null]", "[" * 100_000)


@pytest.mark.parametrize("column", ["salts", "invited", "seated", "places"])
async def test_an_altered_invitation_keeps_nobody_from_being_deleted(here: Path, column: str) -> None:
    with closing(sqlite3.connect(here / "cardroom.db", isolation_level=None)) as db:
        for number, text in enumerate(ALTERED):
            altered = text.replace("1", str(DAN))
            altering = f"UPDATE invitations SET host_id = ?, {column} = ? WHERE id = ?"
            assert db.execute(altering, (DAN, altered, f"{BOB if number % 2 else CAT}-{number // 2}")).rowcount == 1
    async with closed_after(opened_store(here)) as store:
        await store.invitations_of(HERE, DAN)  # an export leaves out what can't be read
        await delete_person(store)
    assert not is_half(here)
    assert names(here, DAN) == []


async def test_a_deletion_that_fails_in_the_middle_is_reported_by_each_start_until_one_finishes_it(
    here: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: object) -> None:
        raise TypeError("an altered row")

    with monkeypatch.context() as patched:
        stages = [*deleting.STAGES_OF_PERSON]
        stages.insert(3, fails)
        patched.setattr(deleting, "STAGES_OF_PERSON", tuple(stages))
        store = await opened_store(here)
        with pytest.raises(TypeError):
            await delete_person(store)
        await store.close()
        assert names(here, DAN) != []
        for _ in range(2):
            store = await opened_store(here)  # it starts all the same
            assert f"the deletion of a person in server {HERE} failed (TypeError)" in caplog.text
            caplog.clear()
            with pytest.raises(Busy):
                await store.add_invitation(replace(invitation("new", guild=HERE), host_id=DAN))
            await store.close()
            assert is_half(here)
    await (await opened_store(here)).close()
    assert not is_half(here)
    assert names(here, DAN) == []
