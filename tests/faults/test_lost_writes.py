"""F-28: `kill -9`, and then what was saved is damaged or gone: the next start says so and doesn't go on without it."""

# ruff: noqa: N802  a test's name bears the number of its fault
# ruff: noqa: ASYNC240  nobody else is on the loop while a test looks at a small file

from __future__ import annotations

import asyncio
import random
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from bot.store.sqlite import witness
from discord_sandbox import MessageView, Sandbox
from tests.bot.ops.databases import cardroom
from tests.end_to_end.cardroom import eventually
from tests.end_to_end.players import challenge, hand_of, move
from tests.faults.bot_process import ForkedBot
from tests.faults.test_store import acts

MOVES = 6
IDLE_AFTER = "0.2"
"""Seconds after which the bot moves what is in the WAL into the database, instead of one."""


@contextmanager
def read_by_another(path: Path) -> Iterator[None]:
    """Another program that reads: as long as it does, what is written stays in the WAL."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM matches").fetchall()
        yield


async def played_and_killed(sandbox: Sandbox, forked_bot: ForkedBot, folder: Path) -> tuple[MessageView, Path]:
    """A match with moves that are in the WAL alone, the bot killed; its board, and a backup of before the moves."""
    path, people = folder / "cardroom.db", [sandbox.user("Alice"), sandbox.user("Bob")]
    await forked_bot.start(IDLE_AFTER=IDLE_AFTER)
    await forked_bot.settle()
    board = await challenge(people[0], people[1], sandbox.channel("lobby"), clock="daily")
    assert (await asyncio.to_thread(cardroom, folder, "backup")).returncode == 0
    (backup,) = (folder / "backups").iterdir()
    await eventually(lambda: is_emptied(path))
    with read_by_another(path):
        rng = random.Random(4)
        for tries in range(10 * MOVES):
            person = people[tries % 2]
            await move(person, await hand_of(person, board), rng)
            if acts(folder) >= MOVES:
                break
        saved = reached(path)

        async def witnessed() -> bool:
            said = witness.read(path)
            return said is not None and said.progress.commits >= saved

        await eventually(witnessed)
        await forked_bot.stop(signal.SIGKILL)
    assert acts(folder) >= MOVES
    return board, backup


async def is_emptied(path: Path) -> bool:
    """Whether all that was written is in the database's file."""
    return path.with_name("cardroom.db-wal").stat().st_size == 0


def reached(path: Path) -> int:
    """The number of the last commit, as another program reads it."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        (commits,) = db.execute("SELECT commits FROM progress").fetchone()
    return int(commits)


def flip_in_the_middle(path: Path) -> None:
    """Flip one bit in the middle of the WAL."""
    wal = path.with_name("cardroom.db-wal")
    content = bytearray(wal.read_bytes())
    content[len(content) // 2] ^= 1
    wal.write_bytes(content)


def cut_in_half(path: Path) -> None:
    """Cut the WAL in half."""
    wal = path.with_name("cardroom.db-wal")
    wal.write_bytes(wal.read_bytes()[: wal.stat().st_size // 2])


def delete_the_wal(path: Path) -> None:
    """Delete the WAL."""
    path.with_name("cardroom.db-wal").unlink()


def delete_all(path: Path) -> None:
    """Delete the database."""
    for suffix in ("", "-wal", "-shm"):
        path.with_name(f"cardroom.db{suffix}").unlink()


def put_an_old_one_back(path: Path) -> None:
    """Put an old copy in its place by hand."""
    delete_all(path)
    (backup,) = (path.parent / "backups").iterdir()
    path.write_bytes(backup.read_bytes())


@pytest.mark.nightly  # four starts each; what refuses each damage is unit tested (tests/bot/store/test_witness.py)
@pytest.mark.parametrize("damage", [flip_in_the_middle, cut_in_half, delete_the_wal, delete_all, put_an_old_one_back])
async def test_F_28_a_start_without_what_was_saved_is_refused_with_the_newest_backup_and_the_way_to_accept(
    sandbox: Sandbox, forked_bot: ForkedBot, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    board, backup = await played_and_killed(sandbox, forked_bot, tmp_path)
    path = tmp_path / "cardroom.db"
    damage(path)
    left = {file.name: file.read_bytes() for file in tmp_path.glob("cardroom.db*") if file.suffix != ".lock"}

    await forked_bot.start(wait=False)
    assert await forked_bot.ended() == 73
    (line,) = forked_bot.logged.splitlines()
    assert line.startswith("cardroom: the database ")
    assert str(backup) in line
    assert "--accept-older" in line
    done = await asyncio.to_thread(cardroom, tmp_path, "check")
    assert done.returncode == 1
    assert f"FAIL database: {line.removeprefix('cardroom: ')}" in done.stdout.splitlines()
    assert {file.name: file.read_bytes() for file in tmp_path.glob("cardroom.db*") if file.suffix != ".lock"} == left

    await forked_bot.start("--accept-older")
    await forked_bot.settle()
    assert acts(tmp_path) < MOVES
    await forked_bot.stop()
    assert (await asyncio.to_thread(cardroom, tmp_path, "restore", backup)).returncode == 0
    await forked_bot.start()
    alice = sandbox.user("Alice")
    assert not (await alice.press(board, label="My cards")).failed
    await forked_bot.stop()


async def test_F_28_a_kill_alone_is_no_reason_to_refuse(
    sandbox: Sandbox, forked_bot: ForkedBot, tmp_path: Path
) -> None:
    await played_and_killed(sandbox, forked_bot, tmp_path)
    await forked_bot.start()
    assert acts(tmp_path) >= MOVES
    await forked_bot.stop()


async def test_F_28_what_an_idle_bot_had_saved_survives_even_without_its_wal(
    sandbox: Sandbox, forked_bot: ForkedBot, tmp_path: Path
) -> None:
    await forked_bot.start(IDLE_AFTER=IDLE_AFTER)
    await forked_bot.settle()
    await challenge(sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby"), clock="daily")
    await eventually(lambda: is_emptied(tmp_path / "cardroom.db"))
    await forked_bot.stop(signal.SIGKILL)
    delete_the_wal(tmp_path / "cardroom.db")
    await forked_bot.start()
    with closing(sqlite3.connect(f"file:{tmp_path / 'cardroom.db'}?mode=ro", uri=True)) as db:
        assert db.execute("SELECT count(*) FROM matches WHERE live = 1").fetchone() == (1,)
    await forked_bot.stop()
