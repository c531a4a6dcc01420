"""SIGTERM at every moment of a start: the bot ends within seconds, with 0, F-23."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
import gc
import math
import os
import signal
import sys
import threading
import time
from typing import Any, cast

import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket

from bot.__main__ import run_until_stopped
from bot.gateway.sessions import IdentifyBudget, SessionTurns
from bot.gateway.shards import BudgetedClient, BudgetedShard
from bot.ops import databases
from bot.shard_range import EVERYTHING
from discord_sandbox import Fault, Sandbox
from discord_sandbox.virtual_time import VirtualTimeLoop
from tests.bot.cluster.test_ownership import Process
from tests.bot.store.memory_store import Data, MemoryStore
from tests.faults import held_bot
from tests.faults.bot_process import ForkedBot

SOON = 9.0
"""Seconds that an end may take here: less than a bot is given, and more than one needs on a busy machine."""
LONG = 60.0
"""Seconds that what is waited for takes: longer than any end."""

REQUESTS = {
    "login": ("GET", "/users/@me"),
    "the application": ("GET", "/oauth2/applications/@me"),
    "the gateway's address": ("GET", "/gateway/bot"),
    "the commands": ("GET", "/applications/*/commands"),
}
"""What a start asks Discord for, in this order."""


async def ends(forked_bot: ForkedBot, number: signal.Signals = signal.SIGTERM) -> None:
    """Tell the bot to end; it does, soon and without a complaint."""
    before = len(forked_bot.logged)
    asked = time.monotonic()
    assert await forked_bot.stop(number) == 0
    assert time.monotonic() - asked < SOON
    assert "level=error" not in forked_bot.logged[before:]
    assert "Traceback" not in forked_bot.logged


async def struck(sandbox: Sandbox, fault: Fault) -> None:
    await sandbox.wait_for(lambda: fault.struck > 0)


@pytest.mark.parametrize("how", ["no answer", "rate limit", "errors"])
@pytest.mark.parametrize("what", REQUESTS)
async def test_F_23_stopped_while_it_waits_for_an_answer_from_discord(
    sandbox: Sandbox, forked_bot: ForkedBot, what: str, how: str
) -> None:
    method, path = REQUESTS[what]
    if how == "no answer":
        fault = sandbox.faults.on(method, path, delay=LONG)
    elif how == "rate limit":
        fault = sandbox.faults.on(method, path, status=429, retry_after=25, times=None)
    else:
        fault = sandbox.faults.on(method, path, status=502, times=None)
    await forked_bot.start(wait=False)
    await struck(sandbox, fault)
    await asyncio.sleep(0.2)  # so that it has the answer, and waits
    await ends(forked_bot)


async def test_F_23_stopped_while_the_gateway_refuses_it(sandbox: Sandbox, forked_bot: ForkedBot) -> None:
    refusing = sandbox.faults.on("CONNECT", "/gateway", status=503, times=None)
    await forked_bot.start(wait=False)
    await struck(sandbox, refusing)
    await sandbox.wait_for(lambda: "Failed to connect" in forked_bot.logged)
    await ends(forked_bot, signal.SIGINT)


def _client() -> BudgetedClient:
    """A client of one process alone."""
    turns = SessionTurns(MemoryStore(now=lambda: 0))
    return BudgetedClient(cast("IdentifyBudget", None), turns, intents=discord.Intents.none())


async def test_F_23_a_gateway_that_does_not_answer_a_close_is_not_waited_for() -> None:
    class Silent:
        async def close(self, **_: object) -> None:
            await asyncio.sleep(LONG)

    client: Any = _client()
    client.stopping.set()  # so that it opens no connection of its own
    connecting = asyncio.create_task(client.connect())
    await asyncio.sleep(0)
    line: Any = Silent()
    async with asyncio.timeout(SOON):
        await BudgetedShard(line, client, lambda _: None).close()
    connecting.cancel()


async def test_F_40_a_gateway_that_is_down_for_hours_is_tried_without_going_deeper(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    client = _client()
    sleep, pauses, tries = asyncio.sleep, list[float](), 0
    most = sys.getrecursionlimit() * 2
    jump = cast("VirtualTimeLoop", asyncio.get_running_loop()).jump

    async def at_once(seconds: float) -> None:
        pauses.append(seconds)
        jump(seconds)
        await sleep(0)

    async def refused(*_: object, **__: object) -> Any:
        nonlocal tries
        tries += 1
        if tries == most:
            client.stopping.set()
        raise ConnectionRefusedError

    monkeypatch.setattr(asyncio, "sleep", at_once)
    monkeypatch.setattr(DiscordWebSocket, "from_client", refused)
    await client.launch_shard(yarl.URL("ws://127.0.0.1/"), 0, initial=True)
    assert tries == most
    assert pauses == [5.0] * most
    hours = math.ceil(sum(pauses) / 3600)
    assert hours - 1 <= len([line for line in caplog.messages if line.startswith("Failed to connect")]) <= hours


async def test_F_23_stopped_while_a_thread_waits_for_the_name_server(forked_bot: ForkedBot) -> None:
    elsewhere = "http://discord.invalid/api/v10"
    await forked_bot.start(
        wait=False, program="tests.faults.held_bot", HOLD_IN=held_bot.NAMING, DISCORD_API_BASE=elsewhere
    )
    await forked_bot.has_logged(f"held in {held_bot.NAMING}")
    async with asyncio.timeout(SOON):
        assert await forked_bot.stop() == 0


async def test_F_23_what_fails_because_the_bot_is_stopped_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    class Client:
        async def start(self, _token: str) -> None:
            try:
                await asyncio.sleep(LONG)
            except asyncio.CancelledError:
                raise RuntimeError("a text that may hold anything") from None

        async def close(self) -> None:
            pass

    last_moment = threading.Timer(LONG, lambda: None)
    last_moment.daemon = True
    try:
        process = Process(Data(), EVERYTHING, shared=False)
        checking = asyncio.create_task(databases.check_file(process.store))
        client = cast("Any", Client())
        running = asyncio.create_task(
            run_until_stopped(client, "token", last_moment, ownership=process.ownership, checking=checking)
        )
        await asyncio.sleep(0.01)
        os.kill(os.getpid(), signal.SIGTERM)
        assert await running == 0
    finally:
        last_moment.cancel()
    del running
    gc.collect()  # asyncio logs a task that failed unheard when the task goes
    assert "Task exception was never retrieved" not in caplog.text
