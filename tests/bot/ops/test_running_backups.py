"""The backups that a running bot makes: when, which ones stay, and what goes for play."""

# ruff: noqa: ASYNC240  nobody else is on the loop while a test looks at a small file
# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.ops import backups
from bot.ops.backups import BEFORE_PURGE, DAILY, HOUR, HOURLY, Backups
from bot.ops.metrics import Metrics
from bot.store.sqlite.backup import restore, verify_copy
from bot.store.sqlite.store import SqliteStore
from bot.telemetry import NO_TELEMETRY
from discord_sandbox import Sandbox
from tests.bot.ops.backup_clock import set_backup_clock
from tests.bot.ops.databases import ROOT, cardroom, fill, refused, rows
from tests.end_to_end.cardroom import eventually
from tests.faults.bot_process import forked
from tests.figures import now
from tests.fork_server import ForkServer
from tests.known import there

BEGIN = datetime(2026, 12, 1, tzinfo=UTC)
MIB = 2**20


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    """A database in use, with something in it."""
    await fill(tmp_path / "cardroom.db")
    store = await SqliteStore.open(tmp_path / "cardroom.db", now=lambda: 1500)
    yield store
    await store.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "backups").mkdir()
    return tmp_path / "backups"


@pytest.fixture
def made(store: SqliteStore, folder: Path) -> Backups:
    return Backups(store.copies, folder, NO_TELEMETRY)


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], None]:
    """Sets the clock that backups are made by."""
    return partial(set_backup_clock, monkeypatch)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch, folder: Path) -> SimpleNamespace:
    """A disk of `total` bytes, of which play has taken `taken`, and the backups what they take."""
    disk = SimpleNamespace(total=100 * MIB, taken=0)

    def usage(_: object) -> SimpleNamespace:
        used = disk.taken + sum(file.stat().st_size for file in folder.iterdir())
        return SimpleNamespace(total=disk.total, free=disk.total - used)

    monkeypatch.setattr("bot.ops.backups.shutil.disk_usage", usage)
    return disk


def lay(folder: Path, *names: str, size: int = 0) -> None:
    """Files with these names, of this size."""
    for name in names:
        (folder / name).write_bytes(bytes(size))


def left(folder: Path) -> list[int]:
    return [each.number for each in backups.kept(folder)]


# ------------------------------------------------------------------------------------------ when, and which


async def test_one_a_day_is_whole_and_the_others_have_what_changed(
    store: SqliteStore, folder: Path, made: Backups, at: Callable[[datetime], None], tmp_path: Path
) -> None:
    lay(
        folder, "cardroom-20200101T000000Z.db", "notes.txt", "hourly-000009-20200109T000000Z.on-000001.pages.unfinished"
    )
    for hour in range(30):
        at(BEGIN + timedelta(hours=hour))
        assert made.until_due(HOUR) == 0
        await store.set_metadata("hour", str(hour))
        new = there(await made.back_up())
        assert new.name.startswith(DAILY if hour in {0, 24} else HOURLY)
        assert made.until_due(HOUR) == HOUR
        restored = tmp_path / str(hour)
        restored.mkdir()
        restore(new, restored / "cardroom.db")
        assert ("hour", str(hour)) in rows(restored / "cardroom.db")["facts"]
    assert left(folder) == [1, *range(7, 31)], "the last 24, and the whole one that the first of them need"
    assert [each.needs for each in backups.kept(folder)] == [0, *[1] * 18, 0, *[25] * 5]
    assert {"cardroom-20200101T000000Z.db", "notes.txt"} <= {file.name for file in folder.iterdir()}
    assert not list(folder.glob("*.unfinished"))


def test_of_whole_ones_seven_days_and_then_four_weeks_stay(folder: Path, made: Backups) -> None:
    for day in range(80):
        lay(folder, f"daily-{day + 1:06}-{BEGIN + timedelta(days=day):%Y%m%dT%H%M%SZ}.db")
        made.thin()
    days = [(each.time - BEGIN).days for each in backups.kept(folder) if each.time is not None]
    assert days[-24:] == [*range(56, 80)], "they are the last 24, too"
    lay(folder, *(f"hourly-{100 + hour:06}-20270301T000000Z.on-000080.pages" for hour in range(24)))
    made.thin()
    days = [(each.time - BEGIN).days for each in backups.kept(folder) if each.prefix == DAILY and each.time is not None]
    assert days == [54, 61, 68, 72, *range(73, 80)]
    assert {(BEGIN + timedelta(days=day)).isoweekday() for day in days[:3]} == {7}


def test_a_clock_set_back_does_not_end_the_backups(folder: Path, made: Backups) -> None:
    lay(folder, "daily-000001-29990101T000000Z.db")
    assert made.until_due(HOUR) == 0


async def test_F_30_a_clock_that_was_ahead_makes_no_backup_remove_itself(
    folder: Path,
    made: Backups,
    at: Callable[[datetime], None],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(backups, "LAST_KEPT", 4)
    for hour in range(4):
        at(BEGIN + timedelta(days=31, hours=hour))
        assert await made.back_up() is not None
    caplog.clear()
    for hour in range(3):
        at(BEGIN + timedelta(hours=hour))
        assert made.until_due(HOUR) == 0
        new = there(await made.back_up())
        assert made.until_due(HOUR) == HOUR, "one an hour"
        assert backups.kept(folder)[-1].file == new
    assert left(folder)[-4:] == [4, 5, 6, 7]
    assert "2 backups have names of the future" in caplog.messages[-1]


async def test_a_backup_that_fails_is_logged_and_counted_and_leaves_nothing(
    store: SqliteStore, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    metrics = Metrics()
    made = Backups(store.copies, folder, metrics)
    folder.rmdir()
    folder.write_text("in the way")
    assert await made.back_up() is None
    assert "the backup failed" in caplog.text
    assert now(metrics)["cardroom_backup_failures_total"] == 1
    folder.unlink()
    assert await made.back_up() is not None


@pytest.mark.parametrize("fails", [False, True])
async def test_the_next_try_is_an_interval_later_also_after_a_failure(
    made: Backups, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    tries: list[float] = []
    slept = 0.0

    async def sleep(seconds: float) -> None:
        nonlocal slept
        slept += seconds
        if slept > 5 * HOUR:
            raise asyncio.CancelledError

    async def back_up(_: Backups) -> Path | None:
        tries.append(slept)
        return None if fails else Path()

    loop = SimpleNamespace(time=lambda: slept)
    monkeypatch.setattr(backups, "asyncio", SimpleNamespace(sleep=sleep, get_running_loop=lambda: loop, to_thread=_now))
    monkeypatch.setattr(Backups, "back_up", back_up)
    monkeypatch.setattr(Backups, "until_due", lambda *_: max(0.0, tries[-1] + HOUR - slept) if tries else 0.0)
    with pytest.raises(asyncio.CancelledError):
        await made.keep(1)
    assert tries == [60 + HOUR * hour for hour in range(5)]


async def _now(work: Callable[..., object], *arguments: object) -> object:
    return work(*arguments)


async def test_no_backups_where_none_are_wanted(made: Backups, folder: Path) -> None:
    await asyncio.wait_for(made.keep(0), 1)
    assert list(folder.iterdir()) == []


@pytest.mark.real_time
async def test_the_running_bot_backs_up_by_itself(tmp_path: Path, fork_server: ForkServer) -> None:
    async def twice() -> bool:
        return len(backups.kept(tmp_path / "backups")) >= 2

    async with (
        Sandbox.running() as sandbox,
        forked(fork_server, sandbox, tmp_path, CARDROOM_BACKUP_HOURS="0.0003") as bot,
    ):
        await eventually(twice)
        assert await bot.stop() == 0
    whole, *changes = backups.kept(tmp_path / "backups")
    assert (whole.prefix, {each.needs for each in changes}) == (DAILY, {whole.number})
    for each in (whole, *changes):
        assert verify_copy(each.file).version > 0


# ------------------------------------------------------------------------------------------ room


async def test_the_oldest_go_for_a_newer_one_before_it_is_begun(
    store: SqliteStore, folder: Path, made: Backups, disk: SimpleNamespace, caplog: pytest.LogCaptureFixture
) -> None:
    lay(folder, *(f"daily-00000{day}-2026110{day}T000000Z.db" for day in range(1, 9)), size=10 * MIB)
    disk.taken = 9 * MIB  # and 80 of backups, and a tenth stays free
    seen = []
    whole = store.copies.whole

    async def noted(to: Path) -> object:
        seen.append(left(folder))
        return await whole(to)

    store.copies.whole = noted  # type: ignore[method-assign, assignment]  # to look at the folder before
    assert await made.back_up() is not None
    assert seen == [[2, 3, 4, 5, 6, 7, 8]]
    assert "gave up 1 old backups" in caplog.text


async def test_nothing_goes_for_a_newer_one_that_would_not_fit_either(
    folder: Path, made: Backups, disk: SimpleNamespace, caplog: pytest.LogCaptureFixture
) -> None:
    lay(folder, "daily-000001-20261101T000000Z.db", "daily-000002-20261102T000000Z.db", size=MIB // 4)
    disk.taken = 89 * MIB
    assert await made.back_up() is None
    assert "the backup failed: not saved: there is no room for it" in caplog.text
    assert left(folder) == [1, 2]


def test_for_play_all_go_but_the_newest_that_can_be_restored(
    folder: Path, made: Backups, disk: SimpleNamespace, caplog: pytest.LogCaptureFixture
) -> None:
    lay(folder, "daily-000001-20261101T000000Z.db", "hourly-000002-20261101T010000Z.on-000001.pages", size=10 * MIB)
    lay(folder, "daily-000003-20261102T000000Z.db", "hourly-000004-20261102T010000Z.on-000003.pages", size=10 * MIB)
    lay(folder, "hourly-000005-20261102T020000Z.on-000003.pages", "purge-000006-20261102T020000Z.on-000009.pages")
    disk.taken = 40 * MIB
    made.give_way()
    assert left(folder) == [1, 2, 3, 4, 5, 6]
    disk.taken = 51 * MIB
    made.give_way()
    assert left(folder) == [3, 4, 5, 6], "the first one, and what needs it"
    disk.taken = 81 * MIB
    made.give_way()
    assert left(folder) == [3, 5]
    assert "no backup is left but the newest" in caplog.messages[-1]
    lines = len(caplog.messages)
    made.give_way()
    assert len(caplog.messages) == lines, "said once"


def test_they_take_no_more_than_they_may(store: SqliteStore, folder: Path) -> None:
    bounded = Backups(store.copies, folder, NO_TELEMETRY, most_bytes=25 * MIB)
    lay(folder, *(f"daily-00000{day}-2026110{day}T000000Z.db" for day in range(1, 5)), size=10 * MIB)
    bounded.give_way()
    assert left(folder) == [3, 4]
    assert not bounded.make_room(20 * MIB)
    assert bounded.make_room(15 * MIB)
    assert left(folder) == [4]


async def test_without_room_for_a_whole_one_changes_go_on_with_an_older_one(
    folder: Path, made: Backups, disk: SimpleNamespace, at: Callable[[datetime], None]
) -> None:
    at(BEGIN)
    whole = there(await made.back_up())
    disk.taken = 90 * MIB - whole.stat().st_size - backups.MARGIN - whole.stat().st_size // 2
    at(BEGIN + timedelta(days=2))
    assert (there(await made.back_up()).name[:6], backups.kept(folder)[-1].needs) == ("hourly", 1)


async def test_a_whole_one_that_was_altered_is_given_up_and_replaced(
    store: SqliteStore, folder: Path, made: Backups, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first = there(await made.back_up())
    assert await made.back_up() is not None
    content = bytearray(first.read_bytes())
    content[-1] ^= 1
    first.write_bytes(content)
    await store.close()
    again = await SqliteStore.open(tmp_path / "cardroom.db", now=lambda: 1500)
    anew = Backups(again.copies, folder, NO_TELEMETRY)
    new, newer = await anew.back_up(), await anew.back_up()
    await again.close()
    assert new is not None
    assert newer is not None
    assert new.name.startswith(DAILY)
    assert f"{first.name} is not as it was" in caplog.text
    assert backups.kept(folder)[-1].needs == 3


# ------------------------------------------------------------------------------------------ before a purge


async def test_F_30_a_backup_before_a_purge_is_made_at_once_and_the_last_three_are_kept(
    folder: Path, made: Backups
) -> None:
    assert await made.back_up() is not None
    for _ in range(4):
        assert await made.before_purge(0)
    assert [(each.prefix, each.number) for each in backups.kept(folder)] == [
        (DAILY, 1),
        *((BEFORE_PURGE, number) for number in (3, 4, 5)),
    ]


async def test_where_the_bot_makes_no_others_the_one_before_a_purge_is_whole(folder: Path, made: Backups) -> None:
    assert await made.before_purge(0)
    (only,) = backups.kept(folder)
    assert (only.prefix, only.needs, verify_copy(only.file).matches) == (BEFORE_PURGE, 0, 2)


async def test_F_30_on_a_full_disk_a_purge_goes_by_a_backup_that_has_what_is_purged(
    folder: Path, made: Backups, disk: SimpleNamespace, at: Callable[[datetime], None]
) -> None:
    at(BEGIN)
    whole = there(await made.back_up())
    disk.taken = 95 * MIB
    at(BEGIN + timedelta(days=20))
    days = 24 * 3600 * 1000
    assert await made.before_purge(31 * days)
    assert not await made.before_purge(19 * days), "it may lack what was done since"
    assert left(folder) == [1]
    content = bytearray(whole.read_bytes())
    content[4096:] = bytes(len(content) - 4096)
    whole.write_bytes(content)
    assert not await made.before_purge(31 * days)


@pytest.mark.parametrize(
    ("moment", "doubt"),
    [
        ("2001-01-01T00:00:00+00:00", "before this program was released"),
        ("2029-12-31T23:00:00+00:00", "before the newest backup"),
        ("2030-01-01T00:00:00+00:00", ""),
        ("2059-01-01T00:00:00+00:00", ""),
    ],
)
def test_F_30_a_clock_before_the_release_or_the_newest_backup_is_doubted(
    folder: Path, made: Backups, store: SqliteStore, moment: str, doubt: str
) -> None:
    lay(folder, "hourly-000001-20400101T000000Z.on-000001.pages", "purge-000002-20300101T000000Z.db")
    assert made.clock_doubt(round(datetime.fromisoformat(moment).timestamp() * 1000)) == doubt
    nowhere = Backups(store.copies, folder / "nowhere", NO_TELEMETRY)
    assert nowhere.clock_doubt(round(datetime.fromisoformat("2029-12-31T23:00:00+00:00").timestamp() * 1000)) == ""


def test_the_day_of_the_newest_release_is_that_of_the_changelog() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    days = re.findall(r"^## \[[\d.]+\] - (\d{4}-\d{2}-\d{2})$", changelog, re.MULTILINE)
    assert f"{backups.RELEASED:%Y-%m-%d}" == max(days, default="2026-11-22")


# ------------------------------------------------------------------------------------------ commands


async def test_one_of_changes_is_checked_and_restored_and_if_it_is_broken_another_is_named(
    folder: Path, made: Backups, store: SqliteStore, tmp_path: Path
) -> None:
    whole, first = await made.back_up(), await made.back_up()
    await store.set_metadata("later", "than the first")
    second = await made.back_up()
    assert whole is not None
    assert first is not None
    assert second is not None
    before = rows(tmp_path / "cardroom.db")
    checked = await asyncio.to_thread(cardroom, tmp_path, "check-backup", second)
    assert checked.returncode == 0, checked.stderr
    assert "is sound: tables of version" in checked.stdout
    assert "2 matches (1 live), 4 records" in checked.stdout
    assert len(list(folder.iterdir())) == 3
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert (await asyncio.to_thread(cardroom, elsewhere, "restore", second)).returncode == 0
    assert rows(elsewhere / "cardroom.db") == before
    second.write_bytes(second.read_bytes()[:-1])
    line = refused(await asyncio.to_thread(cardroom, elsewhere, "restore", second), 1)
    assert line == f"cardroom: {second} is not an intact backup; {first} is sound\n"
    assert rows(elsewhere / "cardroom.db") == before
    moved = tmp_path / "moved"
    moved.mkdir()
    shutil.move(first, moved)
    line = refused(await asyncio.to_thread(cardroom, elsewhere, "restore", moved / first.name), 1)
    assert f"needs {whole.name} beside it, which is missing" in line
    assert rows(elsewhere / "cardroom.db") == before


async def test_check_says_how_old_the_newest_is_and_what_is_missing(
    folder: Path, made: Backups, tmp_path: Path
) -> None:
    async def said() -> str:
        done = await asyncio.to_thread(cardroom, tmp_path, "check")
        (line,) = [line for line in done.stdout.splitlines() if " backups: " in line]
        return line

    assert await said() == "ok   backups: none by the bot yet"
    whole, changes = there(await made.back_up()), there(await made.back_up())
    assert re.fullmatch(r"ok   backups: 2 by the bot, \d\.\d MiB; the newest was made 0\.0 hours ago", await said())
    ahead = changes.rename(changes.with_name("hourly-000002-99990101T000000Z.on-000001.pages"))
    assert (await said()).endswith("the newest has a name of the future: check this machine's clock")
    ahead.rename(changes.with_name("hourly-000002-20261101T000000Z.on-000001.pages"))
    assert (await said()).startswith("warn backups: "), "a bot is running"
    whole.unlink()
    assert "the one that hourly-000002-20261101T000000Z.on-000001.pages needs is missing" in await said()


def test_what_there_is_can_be_watched(store: SqliteStore, folder: Path) -> None:
    metrics = Metrics()
    watched = Backups(store.copies, folder, metrics)
    lay(folder, "daily-000001-20261101T000000Z.db", "daily-000002-20261102T000000Z.db", size=1000)
    watched.report()
    figures = now(metrics)
    assert figures["cardroom_backups_bytes"] == 2000
    assert figures["cardroom_newest_backup_timestamp_seconds"] == datetime(2026, 11, 2, tzinfo=UTC).timestamp()
    assert figures["cardroom_backups_disk_free_bytes"] > 0
