"""The store fails under a running bot: F-3 a full disk, F-4 a lock held by another program, F-6 a second instance."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
import random
import signal
import sqlite3
from pathlib import Path

import pytest

from bot.words import words
from sandbox import Sandbox
from tests.faults.nursery import Mortal, Nursery
from tests.house.cardroom import Cardroom
from tests.house.players import challenge, hand_of, move
from tests.house.test_match import asked_first
from tests.store.test_faults import locked_by_another

say = words("en")


async def fill_the_disk(room: Cardroom, *, full: bool) -> None:
    """Let the database's file grow no more, or as it likes."""

    def limit(db: sqlite3.Connection) -> None:
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages if full else pages + 10_000}").close()
        db.execute(f"PRAGMA query_only = {'ON' if full else 'OFF'}").close()

    await room.store._database.read(limit)


async def test_F_3_a_move_that_cannot_be_saved_is_not_played_and_the_bot_stays_up(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    attacker, hand, _, _ = await asked_first([alice, bob], board)
    picked = next(button for button in hand.buttons if not button.disabled)
    await attacker.press(hand, custom_id=picked.custom_id)
    (match,) = room.house.matches.live()
    await fill_the_disk(room, full=True)
    told = await attacker.press(hand, label="Attack")
    assert not told.failed
    assert say("store.unsaved") in told.text
    assert match.position.acts == 0
    assert len(await room.store.records(match.id)) == 1
    await fill_the_disk(room, full=False)
    assert await move(attacker, hand, random.Random(1)) is not None
    assert match.position.acts == 1


async def test_F_4_a_lock_held_too_long_is_told_and_nothing_is_played(
    sandbox: Sandbox, room: Cardroom, tmp_path: Path
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    attacker, hand, _, _ = await asked_first([alice, bob], board)
    picked = next(button for button in hand.buttons if not button.disabled)
    await attacker.press(hand, custom_id=picked.custom_id)
    (match,) = room.house.matches.live()
    await room.store._database.read(lambda db: db.execute("PRAGMA busy_timeout = 200").close())
    with locked_by_another(tmp_path / "cardroom.db"):
        told = await attacker.press(hand, label="Attack")
        assert not told.failed
        assert say("store.busy") in told.text
        assert match.position.acts == 0
    assert await move(attacker, hand, random.Random(1)) is not None
    assert match.position.acts == 1


async def test_F_6_a_second_bot_on_the_same_data_does_not_start(
    sandbox: Sandbox, room: Cardroom, nursery: Nursery, tmp_path: Path
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    second = Mortal(nursery, sandbox, tmp_path)
    await second.start(wait=False)
    assert await nursery.ended() == 73
    (line,) = second.logged.splitlines()
    assert line.startswith("cardroom: ")
    await hand_of(alice, board)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_F_23_a_bot_told_to_stop_in_a_move_ends_well_within_five_seconds(
    sandbox: Sandbox, mortal: Mortal, tmp_path: Path, number: signal.Signals
) -> None:
    await mortal.start()
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    attacker, hand, _, _ = await asked_first([alice, bob], board)
    picked = next(button for button in hand.buttons if not button.disabled)
    await attacker.press(hand, custom_id=picked.custom_id)
    sandbox.faults.on("POST", "/interactions/*/*/callback", before=lambda: mortal.send(number), delay=0.3)
    moving = asyncio.create_task(attacker.press(hand, label="Attack"))
    async with asyncio.timeout(5):
        await sandbox.wait_for(lambda: not sandbox.gateway.connected)
        assert await mortal.ended() == 0
    sandbox.advance(4)
    await moving
    with sqlite3.connect(f"file:{tmp_path / 'cardroom.db'}?mode=ro", uri=True) as db:
        (acts,) = db.execute("SELECT count(*) FROM records WHERE actor IS NOT NULL").fetchone()
    db.close()
    assert acts == 1
    await mortal.start()
    shown = await hand_of(attacker, board)
    assert "Attack" not in shown.labels
