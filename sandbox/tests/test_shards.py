"""One bot as several processes: which session gets what, who may identify when, what all of them share."""

from __future__ import annotations

import asyncio

import aiohttp
import pytest

from discord_sandbox import Sandbox
from discord_sandbox.gateway.gateway import DIRECT_MESSAGES
from discord_sandbox.gateway.socket import Close
from discord_sandbox.model.rate_limits import Rule
from discord_sandbox.model.snowflake import shard_of
from discord_sandbox.model.state import Intent
from tests.conftest import Api
from tests.line import GUILDS, MESSAGES, Line, identity, line

DIRECT = int(Intent.DIRECT_MESSAGES)


async def heard(opened: Line) -> list[str]:
    """The events that came before the answer to a heartbeat."""
    await opened.send(1, None)
    names: list[str] = []
    while (payload := await opened.receive())["op"] != 11:
        if payload["t"] is not None:
            names.append(payload["t"])
    return names


async def test_the_events_of_a_server_go_to_its_shard_only(sandbox: Sandbox) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    its = shard_of(sandbox.server().id, 2)
    async with line(sandbox) as first, line(sandbox) as second:
        lines = {0: first, 1: second}
        for shard, opened in lines.items():
            ready = await opened.identify(sandbox, shard=[shard, 2], intents=GUILDS | MESSAGES)
            assert [shard_of(int(each["id"]), 2) for each in ready["d"]["guilds"]] == [shard]
            assert await heard(opened) == ["GUILD_CREATE"]
        alice.say(lobby, "hello")
        pressing = asyncio.create_task(alice.client.slash(lobby.record, "unheard", [], {}))
        await asyncio.gather(pressing, return_exceptions=True)  # there is no such command, so nothing is sent
        assert await heard(lines[its]) == ["MESSAGE_CREATE"]
        assert await heard(lines[1 - its]) == []
        sandbox.remove_bot()
        assert await heard(lines[its]) == ["GUILD_DELETE"]
        assert await heard(lines[1 - its]) == []
        sandbox.add_bot()
        assert await heard(lines[its]) == ["GUILD_CREATE"]
        assert await heard(lines[1 - its]) == []


async def test_direct_messages_and_what_is_pressed_in_them_go_to_shard_0(sandbox: Sandbox, api: Api) -> None:
    await api("POST", f"/applications/{sandbox.world.application.id}/commands", {"name": "hand", "description": "x"})
    alice = sandbox.user("Alice")
    async with line(sandbox) as first, line(sandbox) as second:
        for shard, opened in enumerate((first, second)):
            await opened.identify(sandbox, shard=[shard, 2], intents=GUILDS | DIRECT)
            await heard(opened)
        alice.say(alice.direct_messages, "hello")
        asking = asyncio.create_task(alice.slash(alice.direct_messages, "hand"))
        asked = (await first.until("INTERACTION_CREATE"))["d"]
        assert "guild_id" not in asked
        assert await heard(second) == []
        sandbox.advance(4)
        assert (await asking).failed


async def test_every_session_of_a_shard_gets_its_events_and_one_may_answer(sandbox: Sandbox, api: Api) -> None:
    await api("POST", f"/applications/{sandbox.world.application.id}/commands", {"name": "hand", "description": "x"})
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    async with line(sandbox) as first, line(sandbox) as second, line(sandbox) as whole:
        shard = [shard_of(sandbox.server().id, 2), 2]
        for opened, which in ((first, shard), (second, shard), (whole, [0, 1])):
            await opened.identify(sandbox, shard=which)
        asking = asyncio.create_task(alice.slash(lobby, "hand"))
        came = [(await opened.until("INTERACTION_CREATE"))["d"] for opened in (first, second, whole)]
        assert len({each["id"] for each in came}) == 1
        answer = {"type": 4, "data": {"content": "one of them"}}
        path = f"/interactions/{came[0]['id']}/{came[0]['token']}/callback"
        assert (await api("POST", path, answer)).status == 204
        assert (await api("POST", path, answer)).code == 40060
        assert (await asking).text == "one of them"


async def test_each_session_resumes_by_itself(sandbox: Sandbox) -> None:
    alice = sandbox.user("Alice")
    channels = {shard_of(each.id, 2): next(iter(each.channels.values())) for each in sandbox.world.servers.values()}
    sessions: dict[int, str] = {}
    async with line(sandbox) as first, line(sandbox) as second:
        for shard, opened in enumerate((first, second)):
            ready = await opened.identify(sandbox, shard=[shard, 2], intents=GUILDS | MESSAGES)
            sessions[shard] = ready["d"]["session_id"]
            await heard(opened)
        sandbox.drop_gateway(shard=1, code=4000)
        assert await second.close_code() == 4000
        await sandbox.wait_for(lambda: sandbox.gateway.connected == 1)
        for shard, channel in channels.items():
            alice.client.say(channel, f"to shard {shard}")
        assert (await first.until("MESSAGE_CREATE"))["d"]["channel_id"] == str(channels[0].id)
        async with line(sandbox) as third:
            await third.send(6, {"token": sandbox.token, "session_id": sessions[1], "seq": 2})
            missed = await third.receive()
            assert (missed["t"], missed["d"]["channel_id"]) == ("MESSAGE_CREATE", str(channels[1].id))
            assert (await third.receive())["t"] == "RESUMED"
        assert await heard(first) == []


@pytest.mark.parametrize("shard", [[1, 1], [-1, 2], [2, 2], [0, 0], [0], "0/2", [True, 2], [0.0, 2]])
async def test_a_shard_that_is_none_is_4010(sandbox: Sandbox, shard: object) -> None:
    async with line(sandbox) as opened:
        await opened.send(2, identity(sandbox, shard=shard))
        assert await opened.close_code() == Close.INVALID_SHARD


async def test_a_very_large_bot_has_a_multiple_of_its_number_of_shards(sandbox: Sandbox) -> None:
    sandbox.limits.shards_multiple = 16
    for shard in (None, [0, 8], [3, 24]):
        async with line(sandbox) as opened:
            await opened.send(2, identity(sandbox, **({} if shard is None else {"shard": shard})))
            assert await opened.close_code() == Close.INVALID_SHARD
    async with line(sandbox) as opened:
        assert (await opened.identify(sandbox, shard=[3, 32]))["d"]["shard"] == [3, 32]


async def test_more_servers_than_a_shard_may_have_are_4011_for_that_shard_only(sandbox: Sandbox) -> None:
    sandbox.limits.servers_a_shard = 0
    busy = shard_of(sandbox.server("First Server").id, 3), shard_of(sandbox.server("Second Server").id, 3)
    (empty,) = {0, 1, 2} - set(busy)
    async with line(sandbox) as opened:
        await opened.send(2, identity(sandbox, shard=[busy[0], 3]))
        assert await opened.close_code() == Close.SHARDING_REQUIRED
    async with line(sandbox) as opened:
        assert (await opened.identify(sandbox, shard=[empty, 3]))["d"]["guilds"] == []


async def test_shards_of_other_keys_need_not_wait_and_a_resumption_never_does(sandbox: Sandbox) -> None:
    sandbox.rate_limits.enforced = True
    sandbox.limits.max_concurrency = 16
    async with line(sandbox) as first, line(sandbox) as second, line(sandbox) as third:
        ready = await first.identify(sandbox, shard=[0, 32])
        await second.identify(sandbox, shard=[15, 32])
        await third.send(2, identity(sandbox, shard=[16, 32]))  # the key of shard 0
        assert (await third.receive())["op"] == 9
        sandbox.drop_gateway(shard=0, code=4000)
        await first.close_code()
        async with line(sandbox) as again:
            await again.send(6, {"token": sandbox.token, "session_id": ready["d"]["session_id"], "seq": 1})
            assert (await again.receive())["t"] == "RESUMED"


async def test_the_number_of_shards_recommended_is_at_least_the_one_set(sandbox: Sandbox, api: Api) -> None:
    assert (await api("GET", "/gateway/bot")).body["shards"] == 1
    sandbox.limits.shards, sandbox.limits.max_concurrency = 64, 16
    answer = (await api("GET", "/gateway/bot")).body
    assert (answer["shards"], answer["session_start_limit"]["max_concurrency"]) == (64, 16)


async def test_fifty_requests_a_second_are_shared_by_all_processes_of_a_token(sandbox: Sandbox) -> None:
    sandbox.rate_limits.enforced = True
    sandbox.rate_limits.rules = {"GET /users/{user_id}": Rule(1000, 1.0)}
    async with aiohttp.ClientSession() as one, aiohttp.ClientSession() as other:
        processes = [Api(each, sandbox.api_base, sandbox.token) for each in (one, other)]
        path = f"/users/{sandbox.world.application.bot.id}"
        answers = [await processes[number % 2]("GET", path) for number in range(120)]  # of two seconds at most
    refused = [number % 2 for number, each in enumerate(answers) if each.status == 429]
    assert len(refused) >= 20
    assert set(refused) == {0, 1}
    assert {answers[number].headers["X-RateLimit-Scope"] for number in range(120) if answers[number].status == 429} == {
        "global"
    }


async def test_what_happens_to_connections_can_happen_to_one_shard(sandbox: Sandbox, api: Api) -> None:
    async def act(name: str, **more: object) -> None:
        control = Api(api.session, sandbox.origin + "/control", sandbox.token)
        assert (await control("POST", "/acts", {"act": name, "shard": 1, **more})).status == 204

    async with line(sandbox) as first, line(sandbox) as second:
        for shard, opened in enumerate((first, second)):
            await opened.identify(sandbox, shard=[shard, 2])
            await heard(opened)
        await act("heartbeat")
        await second.until_op(1)
        await act("reconnect")
        await second.until_op(7)
        await act("invalidate")
        assert (await second.until_op(9))["d"] is False
        assert [each.shard for each in sandbox.gateway.sessions.values()] == [0]
        assert await heard(first) == []
        await second.identify(sandbox, shard=[1, 2])
        await act("drop_gateway", resumable=False, code=4000)
        assert await second.close_code() == 4000
        assert [each.shard for each in sandbox.gateway.sessions.values()] == [0]
        assert await heard(first) == []
        overview = (await Api(api.session, sandbox.origin + "/control", sandbox.token)("GET", "")).body
        assert overview["sessions"] == [{"shard": [0, 2], "connected": True}]


async def test_the_sandbox_knows_whose_events_nobody_gets(sandbox: Sandbox) -> None:
    servers = {shard_of(each.id, 2): each for each in sandbox.world.servers.values()}
    gateway = sandbox.gateway
    assert gateway.attendance() == {"connected": False, "away": []}
    async with line(sandbox) as first:
        await first.identify(sandbox, shard=[1, 2])
        await sandbox.wait_for_shards(servers[1])
        assert gateway.attendance() == {"connected": True, "away": [str(servers[0].id), DIRECT_MESSAGES]}
        assert (gateway.hears(servers[0].id), gateway.hears(servers[1].id), gateway.hears(None)) == (False, True, False)
        with pytest.raises(TimeoutError):
            await sandbox.wait_for_shards(timeout=0.1)
        async with line(sandbox) as second:
            await second.identify(sandbox, shard=[0, 2])
            await sandbox.wait_for_shards()
            sandbox.drop_gateway(shard=0)
            await sandbox.wait_for(lambda: not gateway.hears(None))
            assert gateway.hears(servers[1].id)
