"""The store on a disk that fails, lies and loses power."""

# ruff: noqa: N802  the faults keep the numbers of docs/faults.md

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from bot.store.errors import NotSaved, Older, StoreError
from bot.store.queries.matches import Record
from bot.store.sqlite.store import SqliteStore
from tests.bot.store.rows import opened, record
from tests.simulation import vfs
from tests.simulation.vfs import Call, Disk, Operation, Outcome, failing_at, lying
from tests.simulation.volatile_file import Change, VolatileFile

MATCH = "m1"


@pytest.fixture
def disk() -> Iterator[Disk]:
    with vfs.on(Disk(Random(1))) as disk:
        yield disk


async def open_store(folder: Path) -> SqliteStore:
    folder.mkdir(exist_ok=True)  # noqa: ASYNC240  it takes no time
    return await SqliteStore.open(folder / "cardroom.db", now=lambda: 1000)


async def confirmed_in(folder: Path) -> list[int]:
    """The numbers of the records that a start finds there."""
    store = await open_store(folder)
    try:
        return [each.seq for each in await store.records(MATCH)]
    finally:
        await store.close()


def long_record(seq: int, chance: Random) -> Record:
    """A record of one to several pages, so a commit takes several writes."""
    return record(seq, MATCH, events=f'["{"x" * chance.randrange(12_000)}"]')


class Cuts:
    """Takes an image after a power cut, or a kill, before calls of chance, and what was confirmed by then."""

    def __init__(self, disk: Disk, folder: Path, chance: Random, share: float) -> None:
        self.confirmed = 0
        self.images: list[tuple[Path, int, bool]] = []
        self._disk, self._folder, self._chance, self._share = disk, folder, chance, share

    def judge(self, call: Call) -> Outcome:
        if call.operation is not Operation.READ and self._chance.random() < self._share:
            image = self._folder.with_name(f"image{call.number}")
            power_cut = self._chance.random() < 0.8
            self._disk.leave(self._folder, image, power_cut=power_cut)
            self.images.append((image, self.confirmed, power_cut))
        return Outcome.DONE


@pytest.mark.nightly  # dozens of starts each
@pytest.mark.parametrize("seed", range(2))
async def test_F_1_a_power_cut_between_any_two_writes_loses_nothing_confirmed(
    disk: Disk, tmp_path: Path, seed: int
) -> None:
    chance = Random(seed)
    store = await open_store(tmp_path / "data")
    await opened(store, MATCH)
    cuts = Cuts(disk, tmp_path / "data", chance, share=0.1)
    disk.judge = cuts.judge
    for seq in range(1, 60):
        await store.append(long_record(seq, chance), ())
        cuts.confirmed = seq
    disk.judge = vfs.honest
    await store.close()

    assert len(cuts.images) > 20
    for image, confirmed, power_cut in cuts.images:
        found = await confirmed_in(image)
        assert found in (list(range(confirmed + 1)), list(range(confirmed + 2))), (image, confirmed, power_cut)


async def test_a_disk_that_lies_may_lose_what_was_confirmed_and_damages_nothing(disk: Disk, tmp_path: Path) -> None:
    store = await open_store(tmp_path / "data")
    await opened(store, MATCH)
    disk.judge = lying
    for seq in range(1, 30):
        await store.append(record(seq, MATCH), ())
    lost = []
    for number in range(20):
        image = tmp_path / f"image{number}"
        disk.leave(tmp_path / "data", image, power_cut=True)
        found = await confirmed_in(image)
        assert found == list(range(len(found)))
        lost.append(30 - len(found))
    await store.close()
    assert max(lost) > 0, "a disk that lies lost nothing"


@pytest.mark.parametrize("operation", [Operation.WRITE, Operation.SYNCHRONISE])
@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.FULL, Outcome.HALF_DONE])
async def test_F_3_whatever_call_fails_what_is_refused_is_not_read_and_play_goes_on(
    disk: Disk, tmp_path: Path, operation: Operation, outcome: Outcome
) -> None:
    store = await open_store(tmp_path / "data")
    await opened(store, MATCH)
    seq = refused = 0
    for number in (1, 2, 3, 1, 4, 2):
        disk.judge = failing_at(number, operation, outcome)
        for _ in range(3):
            try:
                await store.append(record(seq + 1, MATCH, events=f'["{"x" * 9000}"]'), ())
            except StoreError:
                refused += 1
            else:
                seq += 1
        disk.judge = vfs.honest
        assert [each.seq for each in await store.records(MATCH)] == list(range(seq + 1))
    assert refused
    await store.close()
    assert await confirmed_in(tmp_path / "data") == list(range(seq + 1))


@pytest.mark.parametrize("number", [1, 2, 5, 20])
async def test_F_3_a_start_at_which_one_read_fails_is_refused_or_finds_all(
    disk: Disk, tmp_path: Path, number: int
) -> None:
    store = await open_store(tmp_path / "data")
    await opened(store, MATCH)
    disk.leave(tmp_path / "data", tmp_path / "image", power_cut=False)
    await store.close()
    disk.judge = failing_at(number, Operation.READ)
    with contextlib.suppress(StoreError):
        assert await confirmed_in(tmp_path / "image") == [0]
    disk.judge = vfs.honest
    assert await confirmed_in(tmp_path / "image") == [0]


@pytest.mark.parametrize("number", [1, 2, 3])
async def test_F_28_an_older_database_is_not_taken_because_a_read_of_it_failed(
    disk: Disk, tmp_path: Path, number: int
) -> None:
    store = await open_store(tmp_path / "data")
    await opened(store, MATCH)
    disk.leave(tmp_path / "data", tmp_path / "image", power_cut=False)
    await store.append(record(1, MATCH), ())
    await store.close()
    shutil.copy(tmp_path / "data" / "cardroom.db.witness", tmp_path / "image")
    disk.judge = failing_at(number, Operation.READ)
    with pytest.raises(NotSaved):
        await confirmed_in(tmp_path / "image")
    disk.judge = vfs.honest
    with pytest.raises(Older):
        await confirmed_in(tmp_path / "image")


@pytest.mark.nightly  # a flush each, and dozens of starts
@pytest.mark.parametrize("power_cut", [False, True])
@pytest.mark.parametrize("seed", range(4))
async def test_F_33_what_was_told_of_a_commit_whose_flush_failed_is_true_after_the_start(
    disk: Disk, tmp_path: Path, power_cut: bool, seed: int
) -> None:
    chance = Random(seed)
    store = await open_store(tmp_path / "data")
    await opened(store, MATCH)
    for seq in range(1, 20):
        await store.append(long_record(seq, chance), ())
    disk.judge = failing_at(1, Operation.SYNCHRONISE)
    refused = False
    try:
        await store.append(record(20, MATCH), ())
    except StoreError:
        refused = True
    for number in range(10):
        disk.leave(tmp_path / "data", tmp_path / f"image{number}", power_cut=power_cut)
    disk.judge = vfs.honest
    await store.close()

    for number in range(10):
        found = await confirmed_in(tmp_path / f"image{number}")
        assert found == list(range(20 if refused else 21)), "told refused" if refused else "told saved"


def test_a_failed_database_is_closed_and_another_opened_at_its_address(disk: Disk, tmp_path: Path) -> None:
    """SQLite's memory of a closed file is soon another's: a shim that knew files by address once confused the two."""
    for number in range(200):
        connection = sqlite3.connect(tmp_path / f"database{number % 3}", isolation_level=None)
        disk.judge = failing_at(1 + number % 9, Operation.WRITE) if number % 2 else vfs.honest
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("CREATE TABLE IF NOT EXISTS rows (value)")
            connection.execute("INSERT INTO rows VALUES (1)")
        except sqlite3.OperationalError as error:
            assert "disk I/O error" in str(error), number  # noqa: PT017  any other is the shim's
            assert number % 2, number
        connection.close()
    disk.judge = vfs.honest


def test_a_disk_can_be_put_under_this_python() -> None:
    assert vfs.unavailable() is None


# ------------------------------------------------------------------------------------ one file


def test_a_power_cut_keeps_what_was_synchronised_and_some_of_the_rest() -> None:
    file = VolatileFile.of(b"")
    file.change(Change(0, b"a" * 2000))
    file.synchronise()
    file.change(Change(1000, b"b" * 2000))
    file.change(Change(0, length=500))
    found = {file.after_power_cut(Random(seed)) for seed in range(200)}
    assert b"a" * 2000 in found
    assert b"a" * 500 in found
    assert b"a" * 1000 + b"b" * 512 + b"a" * 488 in found, "no write was torn"
    assert all(each is not None and each[:500] == b"a" * 500 for each in found)
    assert bytes(file.seen or b"") == b"a" * 500


def test_what_a_failed_synchronisation_lost_no_later_one_brings_back() -> None:
    lost = 0
    for seed in range(20):
        file = VolatileFile.of(b"old")
        file.change(Change(0, b"new"))
        file.fail_to_synchronise(Random(seed))
        file.synchronise()
        assert bytes(file.seen or b"") == b"new"
        lost += file.after_power_cut(Random(seed)) == b"old"
    assert 0 < lost < 20
