"""The gateway's strictness: budgets and pauses, dead lines, ops 1, 7 and 9, close codes, what intents bring."""

from __future__ import annotations

import asyncio
import json
import time
import zlib
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, NoReturn

import aiohttp
import discord
import pytest
from discord.gateway import DiscordWebSocket, KeepAliveHandler

from discord_sandbox import Permission, Sandbox
from discord_sandbox.discord_py import connected
from discord_sandbox.gateway.compression import ZstdStream
from discord_sandbox.gateway.socket import Close
from discord_sandbox.model.state import Intent
from tests.conftest import Api
from tests.line import GUILDS, MEMBERS, MESSAGES, identity, line
from tests.sample_bot import SampleBot


def told(sandbox: Sandbox) -> list[str]:
    """The transcript's lines, each without its number."""
    return [str(each).strip().split(" ", 1)[1] for each in sandbox.transcript]


# Who may identify, and how often.


async def test_the_days_identifies_count_down_and_come_back(sandbox: Sandbox, api: Api) -> None:
    async with line(sandbox) as opened:
        await opened.identify(sandbox)
    limit = (await api("GET", "/gateway/bot")).body["session_start_limit"]
    assert (limit["total"], limit["remaining"], limit["max_concurrency"]) == (1000, 999, 1)
    assert 86_000_000 < limit["reset_after"] <= 86_400_000
    sandbox.advance(86_400)
    assert (await api("GET", "/gateway/bot")).body["session_start_limit"]["remaining"] == 1000


async def test_who_overdraws_the_days_budget_loses_sessions_and_token(sandbox: Sandbox, api: Api) -> None:
    sandbox.limits.identifies_a_day = 1
    old = sandbox.token
    async with line(sandbox) as first, line(sandbox) as second:
        await first.identify(sandbox)
        await second.send(2, identity(sandbox))
        assert await second.close_code() == Close.AUTHENTICATION_FAILED
        assert await first.close_code() == Close.AUTHENTICATION_FAILED
    assert sandbox.token != old
    assert (await api("GET", "/users/@me")).status == 401
    assert not sandbox.gateway.sessions


async def test_two_identifies_of_one_key_need_a_pause_where_limits_are_enforced(sandbox: Sandbox) -> None:
    sandbox.rate_limits.enforced = True
    sandbox.limits.max_concurrency = 2
    async with line(sandbox) as first, line(sandbox) as second, line(sandbox) as third:
        await first.identify(sandbox, shard=[0, 4])
        await second.identify(sandbox, shard=[1, 4])  # another key: 1 % 2
        await third.send(2, identity(sandbox, shard=[2, 4]))
        assert await third.receive() == {"op": 9, "d": False, "s": None, "t": None}
        sandbox.advance(5)
        assert (await third.identify(sandbox, shard=[2, 4]))["d"]["shard"] == [2, 4]
    assert "gateway: shard 2 identifies too soon; op 9" in told(sandbox)


async def test_too_many_servers_for_one_shard(sandbox: Sandbox) -> None:
    sandbox.limits.servers_a_shard = 1
    async with line(sandbox) as opened:
        await opened.send(2, identity(sandbox))
        assert await opened.close_code() == Close.SHARDING_REQUIRED
    async with line(sandbox) as opened:
        assert len((await opened.identify(sandbox, shard=[0, 2]))["d"]["guilds"]) == 1


async def test_discord_py_without_a_privileged_intent_ends_for_good(sandbox: Sandbox) -> None:
    client = discord.Client(intents=discord.Intents(guilds=True, members=True))
    with pytest.raises(discord.PrivilegedIntentsRequired):
        async with connected(client, sandbox):
            raise AssertionError("it connects all the same")


@pytest.mark.parametrize("intents", [-1, 1 << 26, "1", True, None])
async def test_intents_are_a_bit_field(sandbox: Sandbox, intents: object) -> None:
    async with line(sandbox) as opened:
        await opened.send(2, identity(sandbox, intents=intents))
        assert await opened.close_code() == Close.INVALID_INTENTS


# What ends a line.


async def test_more_than_120_frames_a_minute_end_the_line(sandbox: Sandbox) -> None:
    async with line(sandbox) as opened:
        await opened.identify(sandbox)
        for _ in range(119):
            await opened.send(1, 1)
        sandbox.advance(60)
        for _ in range(121):
            await opened.send(1, 1)
        assert await opened.close_code() == Close.RATE_LIMITED


async def test_a_frame_over_4096_bytes_ends_the_line(sandbox: Sandbox) -> None:
    async with line(sandbox) as opened:
        await opened.identify(sandbox)
        await opened.send(3, {"status": "online", "activities": [], "text": "x" * 4096})
        assert await opened.close_code() == Close.DECODE_ERROR


async def test_only_heartbeats_keep_a_line_alive(sandbox: Sandbox) -> None:
    sandbox.limits.heartbeat_interval = 0.2
    async with line(sandbox) as opened:
        await opened.identify(sandbox)
        chatter = asyncio.create_task(_chatter(lambda: opened.send(3, {"status": "online"})))
        assert await opened.close_code() == Close.TIMED_OUT
        chatter.cancel()
        assert not sandbox.gateway.sessions  # 4009 asks for a new session


async def _chatter(send: Callable[[], object]) -> None:
    for _ in range(100):
        sending = send()
        assert asyncio.iscoroutine(sending)
        await sending
        await asyncio.sleep(0.02)


async def test_a_sequence_that_never_was_is_4007_and_ends_the_session(sandbox: Sandbox) -> None:
    async with line(sandbox) as opened:
        ready = await opened.identify(sandbox)
        sandbox.drop_gateway()
    resume = {"token": sandbox.token, "session_id": ready["d"]["session_id"], "seq": 1000}
    async with line(sandbox) as opened:
        await opened.send(6, resume)
        assert await opened.close_code() == Close.INVALID_SEQUENCE
    async with line(sandbox) as opened:
        await opened.send(6, {**resume, "seq": 1})
        assert (await opened.receive())["op"] == 9


async def test_more_than_the_buffer_holds_cannot_be_resumed(sandbox: Sandbox) -> None:
    sandbox.limits.replayable_events = 5
    async with line(sandbox) as opened:
        ready = await opened.identify(sandbox, intents=GUILDS | MESSAGES)
        sandbox.drop_gateway()
        await sandbox.wait_for(lambda: sandbox.gateway.connected == 0)
    for number in range(6):
        sandbox.user("Alice").say(sandbox.channel("lobby"), str(number))
    async with line(sandbox) as opened:
        await opened.send(6, {"token": sandbox.token, "session_id": ready["d"]["session_id"], "seq": 3})
        assert await opened.receive() == {"op": 9, "d": False, "s": None, "t": None}


async def test_who_comes_back_over_another_line_closes_the_first(sandbox: Sandbox) -> None:
    async with line(sandbox) as first, line(sandbox) as second:
        ready = await first.identify(sandbox)
        await second.send(6, {"token": sandbox.token, "session_id": ready["d"]["session_id"], "seq": 3})
        assert (await second.receive())["t"] == "RESUMED"
        await first.close_code()
        assert sandbox.gateway.connected == 1


# Dead lines and requests to come back, as discord.py takes them.


async def resumption(client: discord.Client, act: Callable[[], object]) -> None:
    """Do something and wait until the client has resumed its session."""
    resumed = asyncio.Event()

    async def on_resumed() -> None:
        resumed.set()

    client.event(on_resumed)
    act()
    await asyncio.wait_for(resumed.wait(), 10)


async def test_op_7_lets_discord_py_resume(sandbox: Sandbox, bot: SampleBot) -> None:
    await resumption(bot, sandbox.gateway.ask_to_reconnect)
    assert not (await sandbox.user("Alice").slash(sandbox.channel("lobby"), "hand")).failed
    assert sandbox.gateway.identify_limits.left == 999


async def test_who_ignores_op_7_is_cut_off(sandbox: Sandbox) -> None:
    sandbox.limits.goodbye = 0.05
    async with line(sandbox) as opened:
        await opened.identify(sandbox)
        sandbox.gateway.ask_to_reconnect()
        assert (await opened.until_op(7))["d"] is None
        assert await opened.close_code() == Close.UNKNOWN_ERROR


async def test_a_resumable_op_9_lets_discord_py_resume(sandbox: Sandbox, bot: SampleBot) -> None:
    await resumption(bot, lambda: sandbox.gateway.invalidate(resumable=True))
    assert sandbox.gateway.identify_limits.left == 999


async def test_another_op_9_lets_discord_py_identify_anew(sandbox: Sandbox, bot: SampleBot) -> None:
    (before,) = sandbox.gateway.sessions
    sandbox.gateway.invalidate(resumable=False)
    await sandbox.wait_for(lambda: sandbox.gateway.connected and before not in sandbox.gateway.sessions)
    assert sandbox.gateway.identify_limits.left == 998
    assert not (await sandbox.user("Alice").slash(sandbox.channel("lobby"), "hand")).failed


@pytest.mark.real_time
async def test_discord_py_hears_that_its_heartbeats_come_in_time(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.limits.heartbeat_interval = 0.5
    delays: list[float] = []
    acknowledged = KeepAliveHandler.ack

    def noted(handler: KeepAliveHandler) -> None:
        acknowledged(handler)
        delays.append(handler.latency)

    def woken_late(work: Coroutine[Any, Any, Any], loop: asyncio.AbstractEventLoop) -> Future[Any]:
        """Send a heartbeat; the thread that waits for it takes 5 ms to wake, as on a busy machine."""
        sent = send(work, loop)
        result = sent.result

        def late(timeout: float | None = None) -> Any:
            found = result(timeout)
            time.sleep(0.005)
            return found

        monkeypatch.setattr(sent, "result", late)
        return sent

    send = asyncio.run_coroutine_threadsafe
    monkeypatch.setattr(asyncio, "run_coroutine_threadsafe", woken_late)
    monkeypatch.setattr(KeepAliveHandler, "ack", noted)
    async with connected(discord.Client(intents=discord.Intents(guilds=True)), sandbox):
        await sandbox.wait_for(lambda: len(delays) >= 5)
    # What is acknowledged before it is noted counts from the heartbeat before, 0.5 s ago. A busy machine may note some
    # late; without the sandbox's delay all but the first would be.
    assert min(delays[1:]) < 0.4


@pytest.mark.real_time  # in virtual time they are no threads
async def test_no_heartbeats_outlive_a_session_that_ended_while_it_began(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[KeepAliveHandler] = []
    stop = KeepAliveHandler.stop

    def noted(handler: KeepAliveHandler) -> None:
        stopped.append(handler)
        stop(handler)

    async def fail(gateway: DiscordWebSocket) -> NoReturn:
        await gateway.socket.close()  # or it would complain as garbage, in a later test
        raise LookupError("the session ends here")

    monkeypatch.setattr(DiscordWebSocket, "identify", fail)
    monkeypatch.setattr(KeepAliveHandler, "stop", noted)
    with pytest.raises(LookupError):
        async with connected(discord.Client(intents=discord.Intents.none()), sandbox):
            pass
    assert len(stopped) == 1


async def test_a_heartbeat_asked_for_is_given(sandbox: Sandbox) -> None:
    sandbox.limits.heartbeat_interval = 1.0
    async with line(sandbox) as opened:
        await opened.identify(sandbox)
        sandbox.gateway.ask_for_heartbeat()
        assert (await opened.until_op(1))["d"] is None
    beats: list[object] = []
    sandbox.limits.heartbeat_interval = 41.25
    client = discord.Client(intents=discord.Intents(guilds=True), enable_debug_events=True)

    async def on_socket_raw_send(payload: str) -> None:
        beats.append(json.loads(payload)["op"])

    async with connected(client, sandbox):
        await sandbox.wait_for(lambda: client.guilds)
        client.event(on_socket_raw_send)
        sandbox.gateway.ask_for_heartbeat()
        await sandbox.wait_for(lambda: beats)
    assert beats[0] == 1


async def test_a_silent_gateway_is_noticed_and_what_was_lost_comes_again(sandbox: Sandbox) -> None:
    sandbox.limits.heartbeat_interval = 0.2
    sandbox.limits.heartbeat_patience = 100.0  # it is the client who shall notice
    client = discord.Client(intents=discord.Intents(guilds=True, guild_messages=True), heartbeat_timeout=0.8)
    heard: list[str] = []

    async def on_message(message: discord.Message) -> None:
        heard.append(str(message.id))

    client.event(on_message)
    async with connected(client, sandbox):
        await sandbox.wait_for(client.is_ready)

        def silence() -> None:
            sandbox.gateway.fall_silent()
            sandbox.user("Alice").say(sandbox.channel("lobby"), "into the silence")

        await resumption(client, silence)
        await sandbox.wait_for(lambda: heard)
    assert heard == [sandbox.channel("lobby").last.raw["id"]]


# What comes, and what does not.


async def test_messages_of_hidden_channels_do_not_come(sandbox: Sandbox) -> None:
    lobby, games, alice = sandbox.channel("lobby"), sandbox.channel("games"), sandbox.user("Alice")
    games.deny(Permission.VIEW_CHANNEL)
    async with line(sandbox) as opened:
        await opened.identify(sandbox, intents=GUILDS | MESSAGES)
        alice.say(games, "hidden")
        seen = alice.say(lobby, "open")
        assert (await opened.until("MESSAGE_CREATE"))["d"]["id"] == seen.raw["id"]


async def test_all_members_come_in_chunks_to_who_may_ask(sandbox: Sandbox) -> None:
    sandbox.world.application.allowed_intents = Intent.GUILD_MEMBERS
    sandbox.limits.members_a_chunk = 2
    server = sandbox.server()
    count = len(server.members)
    async with connected(discord.Client(intents=discord.Intents(guilds=True, members=True)), sandbox) as client:
        await sandbox.wait_for(client.is_ready)
        guild = client.get_guild(server.id)
        assert guild is not None
        assert len(guild.members) == count > 2
        found = await guild.query_members("bo")
        assert [each.name for each in found] == ["bob"]
    chunks = [each for each in (await _asked(sandbox, MEMBERS, {"query": "", "limit": 0})) if each["t"]]
    assert [each["d"]["chunk_index"] for each in chunks] == list(range(-(-count // 2)))
    assert {each["d"]["chunk_count"] for each in chunks} == {len(chunks)}


async def _asked(sandbox: Sandbox, intents: int, asked: dict[str, object]) -> list[dict[str, Any]]:
    """What comes to a request for members, up to the heartbeat after it."""
    async with line(sandbox) as opened:
        await opened.identify(sandbox, intents=GUILDS | intents)
        await opened.until("GUILD_CREATE")
        await opened.until("GUILD_CREATE")
        await opened.send(8, {"guild_id": str(sandbox.server().id), **asked})
        await opened.send(1, None)
        came: list[dict[str, Any]] = []
        while not came or came[-1]["op"] != 11:
            came.append(await opened.receive())
        return came[:-1]


async def test_without_the_members_intent_the_whole_list_stays_away(sandbox: Sandbox) -> None:
    assert await _asked(sandbox, 0, {"query": "", "limit": 0}) == []
    assert len(await _asked(sandbox, 0, {"query": "bo", "limit": 5})) == 1
    assert await _asked(sandbox, 0, {"query": "bo", "limit": 5, "presences": True}) == []


async def test_the_whole_list_comes_once_in_30_seconds_where_limits_are_enforced(sandbox: Sandbox) -> None:
    sandbox.world.application.allowed_intents = Intent.GUILD_MEMBERS
    sandbox.rate_limits.enforced = True
    sandbox.limits.identify_pause = 0.0
    names = []
    for _ in range(2):
        (came,) = await _asked(sandbox, MEMBERS, {"query": "", "limit": 0, "nonce": "n"})
        names.append(came["t"])
    assert names == ["GUILD_MEMBERS_CHUNK", "RATE_LIMITED"]
    sandbox.advance(30)
    assert (await _asked(sandbox, MEMBERS, {"query": "", "limit": 0}))[0]["t"] == "GUILD_MEMBERS_CHUNK"


async def test_a_presence_is_taken(sandbox: Sandbox, bot: SampleBot) -> None:
    await bot.change_presence(activity=discord.Game("cards"), status=discord.Status.idle)
    (session,) = sandbox.gateway.sessions.values()
    await sandbox.wait_for(lambda: (session.presence or {}).get("status") == "idle")
    assert session.presence is not None
    assert session.presence["activities"][0]["name"] == "cards"


async def test_a_server_goes_out_of_reach_and_comes_back(sandbox: Sandbox, bot: SampleBot) -> None:
    await sandbox.wait_for(bot.is_ready)
    server = sandbox.server()
    gone: list[int] = []
    back: list[int] = []

    async def on_guild_unavailable(guild: discord.Guild) -> None:
        gone.append(guild.id)

    async def on_guild_available(guild: discord.Guild) -> None:
        back.append(guild.id)

    bot.event(on_guild_unavailable)
    bot.event(on_guild_available)
    sandbox.lose_server()
    await sandbox.wait_for(lambda: gone == [server.id])
    async with line(sandbox) as opened:
        ready = await opened.identify(sandbox)
        assert len(ready["d"]["guilds"]) == 2
        assert (await opened.until("GUILD_CREATE"))["d"]["name"] == "Second Server"
    sandbox.restore_server()
    await sandbox.wait_for(lambda: back == [server.id])


async def test_a_server_the_bot_is_added_to_is_a_new_one(sandbox: Sandbox, bot: SampleBot) -> None:
    await sandbox.wait_for(bot.is_ready)
    joined: list[int] = []

    async def on_guild_join(guild: discord.Guild) -> None:
        joined.append(guild.id)

    bot.event(on_guild_join)
    sandbox.remove_bot()
    await sandbox.wait_for(lambda: len(bot.guilds) == 1)
    sandbox.add_bot()
    await sandbox.wait_for(lambda: joined == [sandbox.server().id])


# How it travels.


async def test_large_payloads_are_packed_one_by_one_where_asked(sandbox: Sandbox) -> None:
    async with line(sandbox) as opened:
        await opened.send(2, identity(sandbox, compress=True))
        frames = [await opened.socket.receive(timeout=2) for _ in range(3)]
        kinds = {each.type for each in frames}
        assert aiohttp.WSMsgType.BINARY in kinds
        names = [
            json.loads(zlib.decompress(each.data) if each.type == aiohttp.WSMsgType.BINARY else each.data)["t"]
            for each in frames
        ]
        assert names == ["READY", "GUILD_CREATE", "GUILD_CREATE"]


def test_the_zstd_stream_is_one_frame_of_raw_blocks() -> None:
    stream = ZstdStream()
    large = b"x" * 300_000
    sent = stream.pack(b"{}") + stream.pack(large)
    assert sent[:6] == bytes.fromhex("28b52ffd0038")
    rest, found = sent[6:], b""
    while rest:
        header = int.from_bytes(rest[:3], "little")
        last, kind, size = header & 1, header >> 1 & 3, header >> 3
        assert (last, kind) == (0, 0)
        assert 0 < size <= 128 * 1024
        found, rest = found + rest[3 : 3 + size], rest[3 + size :]
    assert found == b"{}" + large


async def test_what_is_not_spoken_is_refused_at_once(sandbox: Sandbox) -> None:
    async with aiohttp.ClientSession() as session:
        for query in ("?v=10&encoding=etf", "?v=10&compress=brotli"):
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await session.ws_connect(sandbox.gateway_url + query)
        async with session.ws_connect(sandbox.gateway_url + "?v=6") as socket:
            assert (await socket.receive(timeout=2)).data == Close.INVALID_VERSION


async def test_a_connection_of_discord_py_outlives_a_wait_in_virtual_time(sandbox: Sandbox) -> None:
    client = discord.Client(intents=discord.Intents(guilds=True))
    async with connected(client, sandbox):
        begun = told(sandbox)
        await asyncio.sleep(600)  # of virtual time: a connection without heartbeats lasts about one minute
        assert told(sandbox) == begun
