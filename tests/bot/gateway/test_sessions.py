"""Turns of new sessions, which all processes of a bot take together."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket

from bot.gateway.sessions import SPACING, IdentifyBudget, SessionTurns
from bot.gateway.shards import BudgetedClient
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
