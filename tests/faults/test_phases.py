"""F-27: SIGTERM, once or twice, and `kill -9` in every phase of a start and an end; afterwards the next bot starts.

`tests.faults.test_ending` has the phases in which Discord does not answer, refuses or limits.
"""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import sqlite3
import sys
import time
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from discord_sandbox import Sandbox
from tests.end_to_end.players import challenge, hand_of, move, sit_down
from tests.faults import held_bot
from tests.faults.bot_process import LATE, ForkedBot
from tests.faults.test_ending import LONG, REQUESTS, SOON
from tests.faults.test_gateway import befell
from tests.fork_server import ROOT

HELD = "tests.faults.held_bot"
DATES = 1000.0
"""Milliseconds by which what two processes know of Discord's time may differ: dates are in whole seconds."""
AWAY = 1.0
"""Seconds that nobody plays."""
CLOSING = [phase for phase in held_bot.PHASES if phase.startswith("closing")]
BY_THE_GATEWAY = ("connecting", "before HELLO", "before READY", "between shards", "before the servers")


async def reach(sandbox: Sandbox, forked_bot: ForkedBot, phase: str, patched: pytest.MonkeyPatch) -> None:
    """Start a bot and wait until it is in this phase, which it does not leave by itself."""
    gateway = sandbox.gateway
    if phase in held_bot.PHASES:
        await forked_bot.start(wait=False, program=HELD, HOLD_IN=phase)
        if phase in CLOSING:
            await forked_bot.settle()
            forked_bot.send(signal.SIGTERM)
        await forked_bot.has_logged(f"held in {phase}")
    elif phase in REQUESTS:
        fault = sandbox.faults.on(*REQUESTS[phase], delay=LONG)
        await forked_bot.start(wait=False)
        await sandbox.wait_for(lambda: fault.struck > 0)
    elif phase == "connecting":
        fault = sandbox.faults.on("CONNECT", "/gateway", delay=LONG)
        await forked_bot.start(wait=False)
        await sandbox.wait_for(lambda: fault.struck > 0)
    elif phase == "before HELLO":
        patched.setattr("discord_sandbox.gateway.socket.GatewaySocket._send", lambda *_: None)
        await forked_bot.start(wait=False)
        await sandbox.wait_for(lambda: gateway.connections)
    elif phase == "before READY":
        patched.setattr(gateway, "welcome", lambda *_: None)
        await forked_bot.start()
    elif phase == "between shards":
        sandbox.limits.shards = 2
        await forked_bot.start()
    else:
        sandbox.faults.on_event("GUILD_CREATE", delay=LONG, times=None)
        await forked_bot.start(SERVERS_WITHIN=str(LONG))
        await sandbox.wait_for(lambda: befell(sandbox, "READY"))
    await asyncio.sleep(0.1)  # so that it waits


async def comes_up_again(sandbox: Sandbox, forked_bot: ForkedBot, patched: pytest.MonkeyPatch) -> None:
    """The lock is free, the database is whole, and the match that was played is there."""
    patched.undo()
    sandbox.faults.clear()
    sandbox.limits.shards = 1
    await forked_bot.start()
    await forked_bot.settle()
    assert 'message="resumed 1 matches' in forked_bot.logged
    assert await forked_bot.stop() == 0


@pytest.fixture
async def match_of_yesterday(sandbox: Sandbox, forked_bot: ForkedBot) -> None:
    """A match that an earlier bot on the same data left unfinished."""
    await forked_bot.start()
    await sit_down([sandbox.user("Alice"), sandbox.user("Bob")], sandbox.channel("lobby"), "tivmiv")
    assert await forked_bot.stop(signal.SIGKILL) == -signal.SIGKILL


@pytest.mark.nightly  # four starts each
@pytest.mark.usefixtures("match_of_yesterday")
@pytest.mark.parametrize("phase", [*BY_THE_GATEWAY, *held_bot.PHASES])
async def test_F_27_killed_or_told_twice_to_end_in_any_phase(
    sandbox: Sandbox, forked_bot: ForkedBot, monkeypatch: pytest.MonkeyPatch, phase: str
) -> None:
    with monkeypatch.context() as patched:
        await reach(sandbox, forked_bot, phase, patched)
        assert await forked_bot.stop(signal.SIGKILL) == -signal.SIGKILL
        sandbox.faults.clear()
    await reach(sandbox, forked_bot, phase, monkeypatch)  # the lock was free
    asked = time.monotonic()
    forked_bot.send(signal.SIGTERM)
    with contextlib.suppress(ProcessLookupError):  # it may have ended by then
        forked_bot.send(signal.SIGTERM)
    assert await forked_bot.ended() == 0
    assert time.monotonic() - asked < SOON
    assert "Traceback" not in forked_bot.logged
    await comes_up_again(sandbox, forked_bot, monkeypatch)


def saved(folder: Path) -> dict[str, tuple[int, int]]:
    """How many acts and which deadline (ms UTC) each match has, by the name of its game."""
    with contextlib.closing(sqlite3.connect(f"file:{folder / 'cardroom.db'}?mode=ro", uri=True)) as db:
        return {
            game: (acts, deadline)
            for game, acts, deadline in db.execute(
                "SELECT game, (SELECT count(*) FROM records WHERE match_id = id AND actor IS NOT NULL),"
                " (SELECT min(deadline) FROM timers WHERE match_id = id) FROM matches"
            )
        }


async def test_F_27_killed_while_matches_are_restored_and_one_of_them_is_played(
    sandbox: Sandbox, forked_bot: ForkedBot, tmp_path: Path
) -> None:
    alice, bob, carol, dave, erin, frank = sandbox.people
    began = time.time()  # clocks get back what passed since a heartbeat, of which there was none before
    await forked_bot.start()
    lobby, daily = sandbox.channel("lobby"), {"clock": "daily"}
    await challenge(carol, dave, lobby, "haymaker", **daily)
    first = await challenge(alice, bob, lobby, "unbreakable", clock="normal")  # it has the nearest deadline
    third = await challenge(erin, frank, lobby, "champions", **daily)
    assert await forked_bot.stop() == 0
    before = saved(tmp_path)
    assert [acts for acts, _ in before.values()] == [0, 0, 0]

    await forked_bot.start(program=HELD, HOLD_IN=held_bot.RESTORING)
    await forked_bot.has_logged(f"held in {held_bot.RESTORING}")
    hand = await hand_of(alice, first)
    made = await move(alice, hand, random.Random(1))
    assert made is not None
    assert not made.failed, "one match is in play"
    waiting = asyncio.create_task(erin.press(third, label="My cards"))
    await asyncio.sleep(AWAY)
    assert not waiting.done(), "the other is not, so the press waits for it"
    assert await forked_bot.stop(signal.SIGKILL) == -signal.SIGKILL
    sandbox.advance(LATE)
    assert (await waiting).failed
    await asyncio.sleep(AWAY)

    await forked_bot.start()
    await forked_bot.has_logged('message="resumed 3 matches')
    after, away = saved(tmp_path), 1000 * (time.time() - began + LATE)  # as far as Discord's time went
    assert {game: acts for game, (acts, _) in after.items()} == {"haymaker": 0, "unbreakable": 1, "champions": 0}
    for game in ("haymaker", "champions"):
        moved = after[game][1] - before[game][1]
        assert 1000 * AWAY < moved <= away + DATES, "its clock stood while no bot ran"
    again = await move(alice, hand, random.Random(1))  # the same press
    assert again is not None
    assert not again.failed
    for person, board in ((erin, third), (bob, first)):
        assert (await person.press(board, label="My cards")).visibility == "ephemeral"
    assert saved(tmp_path)["unbreakable"][0] == 1, "and it makes nothing twice"
    assert await forked_bot.stop() == 0


IMPORTING = """
import sys
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "discord":
            print("importing", file=sys.stderr, flush=True)
            import time
            time.sleep(60)
sys.meta_path.insert(0, Slow())
import runpy
sys.argv = ["bot"]
runpy.run_module("bot", run_name="__main__")
"""
"""A bot on a machine so slow that its first import takes a minute."""


@pytest.mark.real_time
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_F_27_told_to_end_while_it_is_still_imported(tmp_path: Path, number: signal.Signals) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        IMPORTING,
        cwd=ROOT,
        env={**os.environ, "DISCORD_TOKEN": "token", "CARDROOM_DATA_DIR": str(tmp_path)},
        stderr=PIPE,
    )
    try:
        assert process.stderr is not None
        async with asyncio.timeout(20):
            assert await process.stderr.readline() == b"importing\n"
            process.send_signal(number)
            assert await process.wait() == 0
            assert await process.stderr.read() == b""
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
