"""Turns of new sessions, which all processes of a bot take together."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from bot.gateway.sessions import HOUR, SPACING, IdentifyBudget, SessionTurns
from bot.gateway.shards import LOOK_AGAIN_SECONDS, BudgetedClient, BudgetedShard
from tests.bot.store.memory_store import MemoryStore


async def test_a_client_that_is_closed_while_it_waits_for_its_turn_does_not_connect(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[int] = []

    async def refused(*_: object, shard_id: int, **__: object) -> Any:
        tried.append(shard_id)
        raise ConnectionRefusedError

    monkeypatch.setattr(DiscordWebSocket, "from_client", refused)
    turns = SessionTurns(MemoryStore(now=lambda: 0, shared=True))
    assert await turns.to_connect(0) == 0  # another process's
    client = BudgetedClient(cast("IdentifyBudget", None), turns, intents=discord.Intents.none())
    connecting = asyncio.create_task(client.launch_shard(yarl.URL("ws://127.0.0.1/"), 0, initial=True))
    await asyncio.sleep(SPACING / 2000)
    client.stopping.set()
    await connecting
    assert not tried


class Doubtful(BudgetedClient):
    """A client that learns only at the second look that its sessions are still its own."""

    looks = 0

    async def may_resume(self) -> bool:
        self.looks += 1
        return self.looks > 1


async def test_a_session_is_resumed_only_once_it_is_surely_this_processs(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[bool] = []

    async def connecting(*_: object, resume: bool, **__: object) -> Any:
        tried.append(resume)
        raise asyncio.CancelledError  # as if the client was closed meanwhile

    monkeypatch.setattr(DiscordWebSocket, "from_client", connecting)
    turns = SessionTurns(MemoryStore(now=lambda: 0, shared=True))
    client = Doubtful(cast("IdentifyBudget", None), turns, intents=discord.Intents.none())
    monkeypatch.setattr(client, "_reconnect", True, raising=False)
    line: Any = SimpleNamespace(shard_id=3, session_id="an id", sequence=7, gateway=yarl.URL("ws://127.0.0.1/"))
    waiting: list[Any] = []
    shard = BudgetedShard(line, client, waiting.append)
    await shard.reidentify(ReconnectWebSocket(3, resume=True))
    assert (tried, waiting) == ([], [])
    await asyncio.sleep(1.1 * LOOK_AGAIN_SECONDS)
    (again,) = waiting
    await shard.reidentify(again.error)
    assert tried == [True]


async def test_a_session_of_our_own_that_discord_counts_later_is_nobody_elses() -> None:
    budget = IdentifyBudget(MemoryStore(now=lambda: 0), lambda: 0)
    await budget.load(1, 1, total=1000, remaining=1000, reset_after=HOUR)
    await budget.record_identify()
    assert budget.count_foreign(remaining=1000, reset_after=HOUR) == 0, "it waits to identify"
    assert budget.count_foreign(remaining=999, reset_after=HOUR) == 0
    assert budget.count_foreign(remaining=998, reset_after=HOUR) == 1
