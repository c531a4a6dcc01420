"""The store fails: F-3 a disk that takes no writes, F-4 a lock held by another program, F-5 a damaged file, F-6 a
second instance; and F-23, the bot is asked to stop in a move."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from bot.gateway import connectivity
from bot.ops import metrics
from bot.ui.catalogue import translations
from discord_sandbox import MessageView, Person, Sandbox
from tests.bot.ops import databases
from tests.bot.ops.served import free_port, get
from tests.bot.store.failing_disk import file_size_limit, locked_by_another
from tests.end_to_end.cardroom import Cardroom, cardroom, eventually
from tests.end_to_end.players import asked_first, challenge, hand_of, move, picks, press_where_it_is
from tests.faults.bot_process import LATE, ForkedBot
from tests.fork_server import ForkServer
from tests.wrapped_text import unwrapped

say = translations("en")


LARGE = "tests.faults.large_file_bot"

MOST_MOVES = 60
"""More than fit into the pages that a new match's database has."""


async def pragma(room: Cardroom, setting: str) -> None:
    """Set one thing of the bot's own connection."""
    await room.store.database.read(lambda db: db.execute(f"PRAGMA {setting}").close())


@asynccontextmanager
async def full(room: Cardroom) -> AsyncIterator[None]:
    """Let the database's file grow no more: SQLite takes it for a full disk."""
    pages = await room.store.database.read(lambda db: db.execute("PRAGMA page_count").fetchone()[0])
    await pragma(room, f"max_page_count = {pages}")
    try:
        yield
    finally:
        await pragma(room, f"max_page_count = {pages + 10_000}")


@asynccontextmanager
async def read_only(room: Cardroom) -> AsyncIterator[None]:
    """Let the database be read and not written."""
    await pragma(room, "query_only = ON")
    try:
        yield
    finally:
        await pragma(room, "query_only = OFF")


@asynccontextmanager
async def failing(_: Cardroom) -> AsyncIterator[None]:
    """Let every write to any file fail, as a dying disk does."""
    with file_size_limit(0):
        yield


FAULTS = {
    "full": (full, "the disk is full"),
    "read-only": (read_only, "the database is read-only"),
    "failing": (failing, "the disk could not be read or written"),
}


async def moves_until_told(people: list[Person], board: MessageView, sentence: str) -> tuple[Person, MessageView]:
    """Moves until one is answered with a sentence; who got it, and their hand."""
    rng = random.Random(3)
    for tries in range(MOST_MOVES):
        person = people[tries % len(people)]
        hand = await hand_of(person, board)
        reply = await move(person, hand, rng)
        assert reply is None or not reply.failed
        if reply is not None and sentence in unwrapped(reply.text):
            return person, reply.message
    raise AssertionError("every move was saved")


@pytest.mark.parametrize("fault", FAULTS)
async def test_F_3_a_move_that_cannot_be_saved_is_not_played_and_the_bot_stays_up_with_its_health_red(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, fault: str
) -> None:
    befalls, reason = FAULTS[fault]
    monkeypatch.setattr(connectivity, "BEAT_SECONDS", 0.1)
    monkeypatch.setattr(metrics, "STORE_FAILED_WITHIN", 0.5)
    port = free_port()
    people = [sandbox.user("Alice"), sandbox.user("Bob")]
    async with (
        cardroom(sandbox, tmp_path) as room,
        metrics.serving(room.metrics, room.store, lambda: room.client.connected, room.live_matches, port),
    ):
        board = await challenge(people[0], people[1], sandbox.channel("lobby"), clock="daily")
        (match,) = room.app.matches.live()
        await eventually(lambda: healthy(port))
        async with befalls(room):
            told, hand = await moves_until_told(people, board, say("store.unsaved"))
            assert f"the store failed: not saved: {reason}" in caplog.text
            assert room.figures["cardroom_store_failures_total"] >= 1
            status, text = await get(port, "/health")
            assert (status, json.loads(text)["connected"], json.loads(text)["store"]) == (503, True, False)
            acts_before = match.position.acts
            assert len(await room.store.records(match.id)) == 1 + acts_before
            assert not (await told.slash(sandbox.channel("lobby"), "games")).failed
        assert await move(told, hand, random.Random(1)) is not None
        assert match.position.acts == acts_before + 1
        await eventually(lambda: healthy(port))


async def healthy(port: int) -> bool:
    """Whether the health endpoint says that all is well, and of a bot that is connected, that the store is."""
    status, text = await get(port, "/health")
    state = json.loads(text)
    assert (status == 200) is (state["connected"] and state["store"])
    return status == 200


async def test_F_3_every_press_and_command_of_somebody_new_answers_that_it_could_not_be_saved(
    sandbox: Sandbox, room: Cardroom, caplog: pytest.LogCaptureFixture
) -> None:
    alice, bob, carol, lobby = (*(sandbox.user(name) for name in ("Alice", "Bob", "Carol")), sandbox.channel("lobby"))
    asked = await alice.slash(lobby, "haymaker challenge", opponent=bob)
    async with read_only(room):
        told = [
            await bob.press(asked.message, label="Accept"),
            await bob.press(asked.message, label="Decline"),
            await press_where_it_is(alice, asked.message, "Take back"),
            await carol.slash(lobby, "haymaker open"),
            await carol.slash(lobby, "haymaker challenge", opponent=alice),
        ]
        not_theirs = await sandbox.user("Dave").press(asked.message, label="Accept")
    assert [reply.text for reply in told] == [f"{say('store.unsaved')} {say('store.keeps_failing')}"] * len(told)
    assert not_theirs.text == say("challenge.not_yours")  # a name that cannot be noted is nobody's concern
    assert all(reply.visibility == "ephemeral" for reply in (*told, not_theirs))
    assert "error " not in caplog.text
    assert not (await bob.press(asked.message, label="Accept")).failed


async def test_F_3_nobody_loses_on_time_for_a_move_that_could_not_be_saved(sandbox: Sandbox, room: Cardroom) -> None:
    people = [sandbox.user("Alice"), sandbox.user("Bob")]
    board = await challenge(people[0], people[1], sandbox.channel("lobby"), clock="blitz")
    attacker, hand, defender, _ = await asked_first(people, board)
    await attacker.press(hand, custom_id=picks(hand)[0].custom_id)
    (match,) = room.app.matches.live()
    (before,) = match.position.timers
    async with read_only(room):
        assert say("store.unsaved") in unwrapped((await attacker.press(hand, label="Attack")).text)
        room.pass_time(40)
        await sandbox.wait_for(lambda: match.position.timers != (before,))
    (after,) = match.position.timers
    assert not match.over
    assert after.deadline > room.app.clock.now()
    await sandbox.wait_for(lambda: f"<t:{after.deadline // 1000}:R>" in board.text)
    assert not (await attacker.press(hand, label="Attack")).failed
    assert match.position.acts == 1

    async with read_only(room):
        room.pass_time(40)
        await sandbox.wait_for(lambda: overdue_put_off(room))
    room.pass_time(40)
    told = say("ending.time", loser=defender.name)
    await sandbox.wait_for(lambda: told in board.text)


def overdue_put_off(room: Cardroom) -> bool:
    """Whether the only match's deadlines are ahead."""
    (match,) = room.app.matches.live()
    return all(timer.deadline > room.app.clock.now() for timer in match.position.timers)


async def test_F_6_a_second_bot_on_the_same_data_names_the_first_and_does_not_start(
    sandbox: Sandbox, room: Cardroom, fork_server: ForkServer, tmp_path: Path
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    attacker, hand, _, _ = await asked_first([alice, bob], board)
    sandbox.transcript.clear()
    second = ForkedBot(fork_server, sandbox, tmp_path)
    await second.start(wait=False)
    assert await fork_server.ended() == 73
    (line,) = second.logged.splitlines()
    assert line == f"cardroom: another bot (process {os.getpid()}) is running on {tmp_path}: stop it first"
    # The first one still edits a hand.
    assert [each for each in sandbox.transcript.requests if "/webhooks/" not in each.path] == []
    assert await move(attacker, hand, random.Random(1)) is not None
    (match,) = room.app.matches.live()
    assert match.position.acts == 1


async def test_F_5_a_damaged_database_ends_the_bot_with_one_line_that_says_how_to_restore_it(
    sandbox: Sandbox, forked_bot: ForkedBot, tmp_path: Path
) -> None:
    people = [sandbox.user("Alice"), sandbox.user("Bob")]
    await forked_bot.start()
    board = await challenge(people[0], people[1], sandbox.channel("lobby"), clock="daily")
    shown = [(await hand_of(person, board)).text for person in people]
    assert await command(tmp_path, "backup", str(tmp_path / "sound.db")) == 0
    await forked_bot.stop()
    database = tmp_path / "cardroom.db"
    damaged = bytearray(database.read_bytes())
    damaged[4096:12288] = bytes(8192)
    database.write_bytes(damaged)

    sandbox.transcript.clear()
    await forked_bot.start(wait=False)
    assert await forked_bot.ended() == 73
    (line,) = forked_bot.logged.splitlines()
    assert line.startswith(f"cardroom: the database {database} is damaged: ")
    assert "`cardroom restore FILE`" in line
    assert not sandbox.transcript.requests

    assert await command(tmp_path, "restore", str(tmp_path / "sound.db")) == 0
    await forked_bot.start()
    assert [(await hand_of(person, board)).text for person in people] == shown


def damage_an_index(database: Path) -> None:
    """Overwrite a page that nothing reads at a start: the root of an index of a table without rows."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro&immutable=1", uri=True)) as db:
        (page,) = db.execute("SELECT max(rootpage) FROM sqlite_schema WHERE tbl_name = 'attendances'").fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    with database.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(bytes(size))


async def test_F_5_damage_in_a_large_file_ends_the_bot_while_people_play_and_then_refuses_a_start(
    sandbox: Sandbox, forked_bot: ForkedBot, tmp_path: Path
) -> None:
    people, database = [sandbox.user("Alice"), sandbox.user("Bob")], tmp_path / "cardroom.db"
    await forked_bot.start(program=LARGE)
    board = await challenge(people[0], people[1], sandbox.channel("lobby"), clock="daily")
    shown = [(await hand_of(person, board)).text for person in people]
    assert await command(tmp_path, "backup", str(tmp_path / "sound.db")) == 0
    assert await forked_bot.stop() == 0
    damage_an_index(database)

    await forked_bot.start(program=LARGE)
    assert [(await hand_of(person, board)).text for person in people] == shown
    (tmp_path / "go").touch()
    assert await forked_bot.ended() == 73
    line = forked_bot.logged.splitlines()[-1]
    assert line.startswith(f"cardroom: the database {database} is damaged: ")
    assert 'message="stopping, because the database is damaged"' in forked_bot.logged
    assert "Traceback" not in forked_bot.logged

    sandbox.transcript.clear()
    await forked_bot.start(program=LARGE, wait=False)
    assert await forked_bot.ended() == 73
    assert forked_bot.logged.splitlines() == [line], "now it is read before play"
    assert not sandbox.transcript.requests

    assert await command(tmp_path, "restore", str(tmp_path / "sound.db")) == 0
    await forked_bot.start(program=LARGE)
    assert [(await hand_of(person, board)).text for person in people] == shown
    assert await forked_bot.stop() == 0
    await forked_bot.start(program=LARGE)
    await forked_bot.has_logged("the database's file is sound")


async def test_F_5_a_large_file_is_read_before_play_after_a_kill(
    sandbox: Sandbox, forked_bot: ForkedBot, tmp_path: Path
) -> None:
    database = tmp_path / "cardroom.db"
    await forked_bot.start(program=LARGE)
    await challenge(sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby"), clock="daily")
    assert await forked_bot.stop(signal.SIGKILL) == -signal.SIGKILL
    damage_an_index(database)

    sandbox.transcript.clear()
    await forked_bot.start(program=LARGE, wait=False)
    assert await forked_bot.ended() == 73
    (line,) = forked_bot.logged.splitlines()
    assert line.startswith(f"cardroom: the database {database} is damaged: ")
    assert not sandbox.transcript.requests


async def command(folder: Path, *words: str) -> int:
    """Run a `cardroom` command on a bot's data; its exit code."""
    return (await asyncio.to_thread(databases.cardroom, folder, *words)).returncode


@pytest.mark.real_time
async def test_F_3_a_start_on_a_disk_that_takes_no_writes_ends_with_one_line(
    sandbox: Sandbox, forked_bot: ForkedBot
) -> None:
    await forked_bot.start(wait=False, program="tests.faults.held_bot", FILE_SIZE="512")  # room for that line
    assert await forked_bot.ended() == 73
    (line,) = forked_bot.logged.splitlines()
    assert line.startswith("cardroom: ")
    assert not sandbox.transcript.requests


async def test_F_23_a_move_that_waits_for_the_disk_is_finished_and_answered_before_the_bot_ends(
    sandbox: Sandbox, forked_bot: ForkedBot, tmp_path: Path
) -> None:
    await forked_bot.start()
    people = [sandbox.user("Alice"), sandbox.user("Bob")]
    board = await challenge(people[0], people[1], sandbox.channel("lobby"))
    attacker, hand, _, _ = await asked_first(people, board)
    await attacker.press(hand, custom_id=picks(hand)[0].custom_id)
    with locked_by_another(tmp_path / "cardroom.db"):
        moving = asyncio.create_task(attacker.press(hand, label="Attack"))
        await asyncio.sleep(0)  # so that it is sent first
        assert (await attacker.press(hand, custom_id="g1:nothing", force=True)).text == say("press.unknown")
        forked_bot.send(signal.SIGTERM)
        await asyncio.sleep(0.3)
    reply = await moving
    assert not reply.failed
    assert say("store.busy") not in unwrapped(reply.text)
    assert await forked_bot.ended() == 0
    assert "level=error" not in forked_bot.logged
    assert acts(tmp_path) == 1


async def test_F_23_a_move_that_cannot_be_written_does_not_hold_the_end_up_and_is_not_half_made(
    sandbox: Sandbox, forked_bot: ForkedBot, tmp_path: Path
) -> None:
    await forked_bot.start(ENDS_WITHIN="2")
    people = [sandbox.user("Alice"), sandbox.user("Bob")]
    board = await challenge(people[0], people[1], sandbox.channel("lobby"), clock="daily")
    attacker, hand, _, _ = await asked_first(people, board)
    await attacker.press(hand, custom_id=picks(hand)[0].custom_id)
    with locked_by_another(tmp_path / "cardroom.db"):
        moving = asyncio.create_task(attacker.press(hand, label="Attack"))
        await asyncio.sleep(0)  # so that it is sent first
        assert (await attacker.press(hand, custom_id="g1:nothing", force=True)).text == say("press.unknown")
        assert await forked_bot.stop() == 0
        sandbox.advance(LATE)
        await moving
    assert "level=error" not in forked_bot.logged
    assert "Traceback" not in forked_bot.logged
    assert acts(tmp_path) == 0
    await forked_bot.start()
    assert await move(attacker, await hand_of(attacker, board), random.Random(1)) is not None
    assert acts(tmp_path) == 1


def acts(folder: Path) -> int:
    """How many acts by people are written down, as another program reads them."""
    with closing(sqlite3.connect(f"file:{folder / 'cardroom.db'}?mode=ro", uri=True)) as db:
        (count,) = db.execute("SELECT count(*) FROM records WHERE actor IS NOT NULL").fetchone()
    return int(count)
