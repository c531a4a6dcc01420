"""One bot as two discord.py clients, each with some of its shards, and what happens if one of them goes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from discord_sandbox import Sandbox
from discord_sandbox.clients.driver import DrivenChannel
from discord_sandbox.discord_py import connected
from discord_sandbox.model.snowflake import shard_of
from tests.conformance.bots.sharded import ShardedBot

SHARDS = 4
SERVERS = 8
LONG = 60.0
"""Seconds of virtual time: the library waits 5 before each identify of a start."""


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    plan = {"servers": [{"name": f"Server {n}", "channels": [{"name": f"hall-{n}"}]} for n in range(SERVERS)]}
    async with Sandbox.running(plan) as one:
        one.limits.shards = SHARDS
        yield one


def halls(sandbox: Sandbox) -> list[DrivenChannel]:
    """One channel of each server."""
    return [sandbox.channel(f"hall-{n}", server=f"Server {n}") for n in range(SERVERS)]


def shard(channel: DrivenChannel) -> int:
    """The shard of a channel's server."""
    return shard_of(channel.server_id or 0, SHARDS)


async def told_of_its_servers(sandbox: Sandbox, client: ShardedBot, shards: set[int]) -> None:
    """Wait until the client knows the servers of these shards, and no other."""
    its = {each.id for each in sandbox.world.servers.values() if shard_of(each.id, SHARDS) in shards}
    await sandbox.wait_for(lambda: {each.id for each in client.guilds} == its)
    assert {each.shard_id for each in client.guilds} == shards


async def test_each_client_has_its_servers_and_answers_there(sandbox: Sandbox) -> None:
    alice = sandbox.user("Alice")
    left, right = ShardedBot("left", [0, 1], SHARDS), ShardedBot("right", [2, 3], SHARDS)
    async with connected(left, sandbox), connected(right, sandbox):
        await sandbox.wait_for_shards(timeout=LONG)
        for client, shards in ((left, {0, 1}), (right, {2, 3})):
            await told_of_its_servers(sandbox, client, shards)
        for hall in halls(sandbox):
            part = "left" if shard(hall) < 2 else "right"
            reply = await alice.slash(hall, "who")
            assert reply.text == f"{part} on shard {shard(hall)}"
            assert (await alice.press(reply.message, label="Who is it?")).text == reply.text
        assert (await alice.slash(alice.direct_messages, "who")).text == "left on shard 0"


async def test_another_client_takes_over_and_answers_what_the_first_one_posted(sandbox: Sandbox) -> None:
    alice = sandbox.user("Alice")
    theirs = [hall for hall in halls(sandbox) if shard(hall) >= 2]
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(connected(ShardedBot("left", [0, 1], SHARDS), sandbox))
        async with connected(ShardedBot("right", [2, 3], SHARDS), sandbox):
            await sandbox.wait_for_shards(timeout=LONG)
            posted = [(await alice.slash(hall, "who")).message for hall in theirs]
        assert not any(sandbox.gateway.hears(hall.server_id) for hall in theirs)
        assert (await alice.press(posted[0], label="Who is it?")).failed
        await stack.enter_async_context(connected(ShardedBot("spare", [2, 3], SHARDS), sandbox))
        await sandbox.wait_for_shards(timeout=LONG)
        for message, hall in zip(posted, theirs, strict=True):
            reply = await alice.press(message, label="Who is it?")
            assert reply.text == f"spare on shard {shard(hall)}"
