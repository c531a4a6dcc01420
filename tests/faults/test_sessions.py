"""Sessions that do not last, F-8 and F-9: neither a loop of sessions nor one of starts spends the day's identifies."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import json
import random
import signal
from pathlib import Path

import pytest

from bot.gateway import sessions
from bot.gateway.sessions import DAY, FREE, HOUR, IdentifyBudget
from bot.store.sqlite.store import SqliteStore
from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import asked_first, challenge, move
from tests.faults.bot_process import ForkedBot
from tests.faults.test_gateway import befell

APPLICATION = 7
START = 1_800_000_000_000
PLENTY = {"total": 1000, "remaining": 1000, "reset_after": DAY}


class Hand:
    """A clock's hand that a test moves."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> int:
        return self.at


async def day_of(store: SqliteStore, hand: Hand, *, alive: int, restarted: bool, shards: int = 1) -> int:
    """Sessions begun in a day by a bot whose every session ends after so many milliseconds."""
    begun = 0
    known = IdentifyBudget(store, hand)
    await known.load(APPLICATION, shards, **PLENTY)
    while hand.at < START + DAY:
        if restarted:
            known = IdentifyBudget(store, hand)
            await known.load(APPLICATION, shards, **PLENTY)
        hand.at += known.delay_ms()
        for _ in range(shards if restarted else 1):
            await known.record_identify()
            begun += 1
        hand.at += alive
        assert begun < 10_000
    return begun


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("alive", [5_000, 30_000])
async def test_F_8_a_day_of_sessions_that_do_not_last_leaves_a_quarter_of_the_budget(
    tmp_path: Path, alive: int, restarted: bool
) -> None:
    hand = Hand()
    store = await SqliteStore.open(tmp_path / "cardroom.db", now=hand)
    try:
        assert FREE < await day_of(store, hand, alive=alive, restarted=restarted) < 750
    finally:
        await store.close()


async def test_F_8_a_bot_of_many_shards_starts_without_waiting_for_itself(tmp_path: Path) -> None:
    hand = Hand()
    store = await SqliteStore.open(tmp_path / "cardroom.db", now=hand)
    try:
        known = IdentifyBudget(store, hand)
        await known.load(APPLICATION, 40, **PLENTY)
        for _ in range(40):
            assert known.delay_ms() == 0
            await known.record_identify()
        assert await day_of(store, hand, alive=30_000, restarted=True, shards=4) < 4 * 750
    finally:
        await store.close()


async def test_F_8_the_waits_double_and_end_with_the_hour(tmp_path: Path) -> None:
    hand = Hand()
    store = await SqliteStore.open(tmp_path / "cardroom.db", now=hand)
    try:
        known = IdentifyBudget(store, hand)
        await known.load(APPLICATION, 1, **PLENTY)
        waits = []
        for _ in range(FREE + 9):
            waits.append(known.delay_ms())
            hand.at += known.delay_ms()
            await known.record_identify()
        assert waits[:FREE] == [0] * FREE
        assert waits[FREE:] == [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000]
        hand.at += HOUR
        assert known.delay_ms() == 0
        hand.at -= 3 * HOUR  # the machine's clock is set back between two starts
        again = IdentifyBudget(store, hand)
        await again.load(APPLICATION, 1, **PLENTY)
        assert again.delay_ms() == 300_000
    finally:
        await store.close()


async def test_F_8_sessions_that_are_invalidated_again_and_again_wait_longer_and_longer(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sessions, "FREE", 1)
    monkeypatch.setattr(sessions, "FIRST_WAIT", 100_000)
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    attacker, hand, _, _ = await asked_first([alice, bob], board)
    left = sandbox.gateway.identify_limits.left
    for times, seconds in enumerate((100, 200)):
        sandbox.transcript.clear()
        caplog.clear()
        sandbox.gateway.invalidate(resumable=False)
        await sandbox.wait_for(lambda: "the next session begins in" in caplog.text)
        (told,) = [record for record in caplog.records if "the next session" in record.getMessage()]
        assert told.args is not None
        assert seconds - 30 < int(str(told.args[0])) <= seconds  # type: ignore[index]  # the line's values in a row
        assert not sandbox.gateway.connected
        assert sandbox.gateway.identify_limits.left == left - times
        room.pass_time(seconds, ring=False)
        await sandbox.wait_for(lambda: befell(sandbox, "READY"))
    assert (await move(attacker, hand, random.Random(1))) is not None
    (match,) = room.app.matches.live()
    assert match.position.acts == 1
    assert lobby.messages == [board]


async def begun_before(folder: Path, application_id: int, moments: list[int]) -> None:
    """Leave a record of sessions in a bot's store."""
    store = await SqliteStore.open(folder / "cardroom.db", now=lambda: 0)
    try:
        await store.set_metadata(f"sessions:{application_id}", json.dumps(moments))
    finally:
        await store.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("why", ["many starts", "none left"])
async def test_F_9_a_start_that_must_wait_for_a_session_says_so_and_ends_at_once_when_stopped(
    sandbox: Sandbox, forked_bot: ForkedBot, tmp_path: Path, why: str, number: signal.Signals
) -> None:
    now = int(sandbox.clock.now() * 1000)
    application_id = sandbox.world.application.id
    if why == "many starts":
        await begun_before(tmp_path, application_id, [now - 1000 * ago for ago in range(FREE + 8)])
    else:
        for _ in range(1000):
            sandbox.gateway.identify_limits.spend()
    left = sandbox.gateway.identify_limits.left
    await forked_bot.start(wait=False)
    await sandbox.wait_for(lambda: "the next session begins in" in forked_bot.logged)
    assert await forked_bot.stop(number) == 0
    assert sandbox.gateway.identify_limits.left == left
    assert forked_bot.logged.count("the next session begins in") == 1
    assert "Traceback" not in forked_bot.logged
    assert "level=error" not in forked_bot.logged
    assert not befell(sandbox, "READY")


async def test_F_9_a_bot_whose_next_session_must_wait_ends_at_once_when_stopped(
    sandbox: Sandbox, forked_bot: ForkedBot, tmp_path: Path
) -> None:
    now = int(sandbox.clock.now() * 1000)
    long_enough_ago = [now - 400_000 - 1000 * ago for ago in range(FREE + 8)]
    await begun_before(tmp_path, sandbox.world.application.id, long_enough_ago)
    await forked_bot.start()
    await forked_bot.settle()
    left = sandbox.gateway.identify_limits.left
    sandbox.gateway.invalidate(resumable=False)
    await sandbox.wait_for(lambda: "the next session begins in" in forked_bot.logged)
    assert await forked_bot.stop() == 0
    assert sandbox.gateway.identify_limits.left == left
    assert "level=error" not in forked_bot.logged
