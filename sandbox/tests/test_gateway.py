"""The gateway: identifying, resuming with what was missed, shards, intents, close codes, compression."""

from __future__ import annotations

import asyncio

import aiohttp
import discord
import pytest

from discord_sandbox import Sandbox
from discord_sandbox.discord_py import connected
from discord_sandbox.gateway.socket import Close
from discord_sandbox.model.snowflake import shard_of
from tests.line import CONTENT, GUILDS, MESSAGES, Line, identity, line
from tests.sample_bot import SampleBot


@pytest.mark.parametrize("query", ["?v=10&encoding=json", "?v=10&encoding=json&compress=zlib-stream"])
async def test_identify_brings_ready_and_the_servers(sandbox: Sandbox, query: str) -> None:
    async with line(sandbox, query) as opened:
        await opened.send(2, identity(sandbox))
        ready = await opened.receive()
        assert (ready["t"], ready["s"]) == ("READY", 1)
        assert ready["d"]["user"]["username"] == "Your Bot"
        assert len(ready["d"]["guilds"]) == 2
        servers = [await opened.until("GUILD_CREATE") for _ in range(2)]
        assert [each["d"]["name"] for each in servers] == ["First Server", "Second Server"]
        assert [each["name"] for each in servers[0]["d"]["channels"]] == ["lobby", "games"]
        assert len(servers[0]["d"]["members"]) == 1  # the others come only with their own intent
        await opened.send(1, 3)
        assert (await opened.receive())["op"] == 11


OWN = "the bot's own"
"""Stands for the token, which is another one in each run."""


@pytest.mark.parametrize(
    ("op", "data", "code"),
    [
        (2, {"token": "wrong", "intents": 1}, Close.AUTHENTICATION_FAILED),
        (2, {"token": OWN}, Close.INVALID_INTENTS),
        (2, {"token": OWN, "intents": CONTENT}, Close.DISALLOWED_INTENTS),
        (2, {"token": OWN, "intents": 1, "shard": [2, 2]}, Close.INVALID_SHARD),
        (8, {}, Close.NOT_AUTHENTICATED),
        (77, {}, Close.UNKNOWN_OPCODE),
    ],
)
async def test_what_is_wrong_ends_with_its_code(sandbox: Sandbox, op: int, data: dict[str, object], code: int) -> None:
    async with line(sandbox) as opened:
        given = {**data, "token": sandbox.token} if data.get("token") is OWN else data
        await opened.send(op, given)
        assert await opened.close_code() == code


async def test_garbage_and_a_second_identify_end_the_line(sandbox: Sandbox) -> None:
    async with line(sandbox) as opened:
        await opened.socket.send_str("{")
        assert await opened.close_code() == Close.DECODE_ERROR
    async with line(sandbox) as opened:
        await opened.send(2, identity(sandbox))
        await opened.until("READY")
        await opened.send(2, identity(sandbox))
        assert await opened.close_code() == Close.ALREADY_AUTHENTICATED


async def test_a_silent_client_is_cut_off(sandbox: Sandbox) -> None:
    async with line(sandbox):
        pass
    sandbox.limits.heartbeat_interval = 0.05
    address = sandbox.origin.replace("http", "ws", 1) + "/gateway?v=10"
    async with aiohttp.ClientSession() as session, session.ws_connect(address) as socket:
        assert await Line(socket, compressed=False).close_code() == Close.TIMED_OUT


async def test_resume_replays_what_was_missed_in_order(sandbox: Sandbox) -> None:
    lobby, alice = sandbox.channel("lobby"), sandbox.user("Alice")
    async with line(sandbox) as opened:
        await opened.send(2, identity(sandbox, intents=GUILDS | MESSAGES))
        ready = await opened.until("READY")
        last = [await opened.until("GUILD_CREATE") for _ in range(2)][-1]["s"]
        sandbox.drop_gateway()
        await sandbox.wait_for(lambda: sandbox.backend.gateway.connected == 0)
    for number in range(3):
        alice.say(lobby, f"word {number}")
    async with line(sandbox) as opened:
        session_id = ready["d"]["session_id"]
        await opened.send(6, {"token": sandbox.token, "session_id": session_id, "seq": last})
        missed = [await opened.receive() for _ in range(4)]
        assert [each["t"] for each in missed] == ["MESSAGE_CREATE"] * 3 + ["RESUMED"]
        assert [each["s"] for each in missed] == [last + 1, last + 2, last + 3, last + 4]
        alice.say(lobby, "live again")
        assert (await opened.until("MESSAGE_CREATE"))["s"] == last + 5


async def test_the_next_process_resumes_what_the_last_one_left_with_4000(sandbox: Sandbox) -> None:
    left = sandbox.gateway.identify_limits.left
    async with line(sandbox) as opened:
        await opened.send(2, identity(sandbox))
        ready = await opened.until("READY")
        last = [await opened.until("GUILD_CREATE") for _ in range(2)][-1]["s"]
        await opened.socket.close(code=4000)
    await sandbox.wait_for(lambda: sandbox.gateway.connected == 0)
    sandbox.delete_channel(sandbox.channel("games"))
    for missed in (
        ["CHANNEL_DELETE", "RESUMED"],
        ["CHANNEL_DELETE", "RESUMED", "RESUMED"],
    ):  # an older event serves too
        async with line(sandbox) as opened:
            await opened.send(6, {"token": sandbox.token, "session_id": ready["d"]["session_id"], "seq": last})
            assert [(await opened.receive())["t"] for _ in missed] == missed
            await opened.socket.close(code=4000)
        await sandbox.wait_for(lambda: sandbox.gateway.connected == 0)
    assert sandbox.gateway.identify_limits.left == left - 1


@pytest.mark.parametrize("broken", ["session", "expired", "gone"])
async def test_what_cannot_be_resumed_is_an_invalid_session(sandbox: Sandbox, broken: str) -> None:
    async with line(sandbox) as opened:
        await opened.send(2, identity(sandbox))
        ready = await opened.until("READY")
        sandbox.drop_gateway(resumable=broken != "gone")
        await sandbox.wait_for(lambda: sandbox.backend.gateway.connected == 0)
    if broken == "expired":
        sandbox.advance(sandbox.limits.resume_window + 1)
    async with line(sandbox) as opened:
        session_id = "other" if broken == "session" else ready["d"]["session_id"]
        await opened.send(6, {"token": sandbox.token, "session_id": session_id, "seq": 1})
        assert await opened.receive() == {"op": 9, "d": False, "s": None, "t": None}


async def test_an_interaction_during_a_cut_reaches_a_resuming_bot(sandbox: Sandbox, bot: SampleBot) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    sandbox.drop_gateway()
    await sandbox.wait_for(lambda: sandbox.backend.gateway.connected == 0)
    reply = await alice.slash(lobby, "hand")
    assert reply.visibility == "ephemeral"
    assert [each.name for each in sandbox.transcript.events] == ["INTERACTION_CREATE"]


async def test_discord_py_resumes_after_a_close_code(sandbox: Sandbox, bot: SampleBot) -> None:
    resumed = asyncio.Event()

    async def on_resumed() -> None:
        resumed.set()

    bot.event(on_resumed)
    sandbox.drop_gateway(code=4000)
    await asyncio.wait_for(resumed.wait(), 5)
    assert not (await sandbox.user("Alice").slash(sandbox.channel("lobby"), "hand")).failed


async def test_a_refused_token_ends_discord_py_for_good(sandbox: Sandbox) -> None:
    with pytest.raises(discord.ConnectionClosed) as caught:
        await _refused(sandbox)
    assert caught.value.code == Close.AUTHENTICATION_FAILED


async def _refused(sandbox: Sandbox) -> None:
    async with connected(SampleBot(), sandbox) as bot:
        sandbox.drop_gateway(code=Close.AUTHENTICATION_FAILED)
        await sandbox.wait_for(bot.is_closed)


async def test_a_client_that_leaves_politely_ends_its_session(sandbox: Sandbox) -> None:
    async with line(sandbox) as opened:
        await opened.send(2, identity(sandbox))
        await opened.until("READY")
        await opened.socket.close(code=1000)
        await sandbox.wait_for(lambda: not sandbox.backend.gateway.sessions)


async def test_servers_fall_to_their_shards(sandbox: Sandbox) -> None:
    first, second = sandbox.server("First Server"), sandbox.server("Second Server")
    assert {shard_of(first.id, 2), shard_of(second.id, 2)} == {0, 1}
    bot = SampleBot(shard_count=2)
    sandbox.limits.max_concurrency = 2
    async with connected(bot, sandbox):
        await sandbox.wait_for(lambda: sandbox.backend.gateway.connected == 2)
        await sandbox.wait_for(lambda: len(bot.guilds) == 2)
        assert {each.id: each.shard_id for each in bot.guilds} == {
            each.id: shard_of(each.id, 2) for each in (first, second)
        }
        for channel in (sandbox.channel("lobby"), sandbox.channel("general", server="Second Server")):
            assert not (await sandbox.user("Alice").slash(channel, "hand")).failed


async def test_without_their_intent_words_are_hidden(sandbox: Sandbox) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    sandbox.world.application.allowed_intents = CONTENT
    for intents, expected in ((GUILDS | MESSAGES, ""), (GUILDS | MESSAGES | CONTENT, "hello")):
        async with line(sandbox) as opened:
            await opened.send(2, identity(sandbox, intents=intents))
            await opened.until("READY")
            alice.say(lobby, "hello")
            assert (await opened.until("MESSAGE_CREATE"))["d"]["content"] == expected
            await opened.socket.close()
        await sandbox.wait_for(lambda: sandbox.backend.gateway.connected == 0)


async def test_members_come_in_chunks(sandbox: Sandbox) -> None:
    async with line(sandbox) as opened:
        await opened.send(2, identity(sandbox))
        await opened.until("READY")
        ids = [str(sandbox.user("Alice").id), "1"]
        await opened.send(8, {"guild_id": str(sandbox.server().id), "user_ids": ids, "limit": 0, "nonce": "n"})
        chunk = (await opened.until("GUILD_MEMBERS_CHUNK"))["d"]
        assert [each["user"]["username"] for each in chunk["members"]] == ["alice"]
        assert (chunk["not_found"], chunk["nonce"]) == (["1"], "n")


async def test_the_bot_hears_of_its_servers(sandbox: Sandbox, bot: SampleBot) -> None:
    await sandbox.wait_for(lambda: len(bot.guilds) == 2)
    sandbox.remove_bot()
    await sandbox.wait_for(lambda: len(bot.guilds) == 1)
    assert sandbox.user("Alice").commands(sandbox.channel("lobby")) == []
    sandbox.add_bot()
    await sandbox.wait_for(lambda: len(bot.guilds) == 2)
    sandbox.delete_channel(sandbox.channel("games"))
    server = sandbox.server()
    await sandbox.wait_for(lambda: [each.name for each in guild_of(bot, server.id).channels] == ["lobby"])


def guild_of(bot: SampleBot, server_id: int) -> discord.Guild:
    found = bot.get_guild(server_id)
    assert found is not None
    return found
