"""Faults on demand: requests, events and connections that go wrong, by the driver."""

from __future__ import annotations

import asyncio
import time

import aiohttp
import pytest

from discord_sandbox import Sandbox
from discord_sandbox.model.faults import Drop
from tests.conftest import Api
from tests.line import GUILDS, MESSAGES, line
from tests.sample_bot import SampleBot

CALLBACK = "/interactions/*/*/callback"
MESSAGES_PATH = "/channels/*/messages"


def lobby_path(sandbox: Sandbox) -> str:
    return f"/channels/{sandbox.channel('lobby').id}/messages"


async def post(sandbox: Sandbox, api: Api, content: str) -> int:
    return (await api("POST", lobby_path(sandbox), {"content": content})).status


# Requests.


@pytest.mark.parametrize(("drop", "stands"), [("before", []), ("after", ["x"])])
async def test_a_line_is_cut_before_or_after_the_effect(
    sandbox: Sandbox, api: Api, drop: Drop, stands: list[str]
) -> None:
    fault = sandbox.faults.on("POST", MESSAGES_PATH, drop=drop)
    with pytest.raises(aiohttp.ClientError):
        await post(sandbox, api, "x")
    assert [each.text for each in sandbox.channel("lobby").messages] == stands
    assert (fault.seen, fault.struck) == (1, 1)
    assert sandbox.transcript.requests[-1].status == 0
    assert "fault 1 strikes POST" in sandbox.transcript.text()
    assert await post(sandbox, api, "y") == 200


async def test_an_answer_that_is_lost_has_been_given_all_the_same(sandbox: Sandbox, bot: SampleBot) -> None:
    sandbox.faults.on("POST", CALLBACK, drop="after")
    reply = await sandbox.user("Alice").slash(sandbox.channel("lobby"), "hand")
    assert reply.visibility == "ephemeral"


async def test_the_nth_request_and_those_after_it(sandbox: Sandbox, api: Api) -> None:
    fault = sandbox.faults.on(
        "POST", MESSAGES_PATH, nth=2, times=2, status=403, code=50013, message="Missing Permissions"
    )
    assert [await post(sandbox, api, "x") for _ in range(4)] == [200, 403, 403, 200]
    assert (fault.seen, fault.struck) == (4, 2)
    assert len(sandbox.channel("lobby").messages) == 2
    assert sandbox.transcript.requests[1].answer == {"message": "Missing Permissions", "code": 50013}


async def test_only_what_matches_is_struck(sandbox: Sandbox, api: Api) -> None:
    sandbox.faults.on("GET", "/channels/*", times=None, status=500)
    sandbox.faults.on("*", "/guilds/**", times=None, status=503)
    path = f"/channels/{sandbox.channel('lobby').id}"
    assert (await api("GET", path)).status == 500
    assert (await api("GET", path + "/messages")).status == 200
    assert (await api("GET", f"/guilds/{sandbox.server().id}/roles")).status == 503


async def test_faults_are_listed_counted_and_taken_away(sandbox: Sandbox, api: Api) -> None:
    first = sandbox.faults.on("POST", MESSAGES_PATH, times=None, status=500)
    second = sandbox.faults.on("post", MESSAGES_PATH, times=None, status=502)
    assert list(sandbox.faults) == [first, second]
    assert await post(sandbox, api, "x") == 500  # the older one; both have seen it
    assert [(each.seen, each.struck) for each in sandbox.faults] == [(1, 1), (1, 0)]
    sandbox.faults.remove(first)
    with pytest.raises(LookupError):
        sandbox.faults.remove(first.number)
    sandbox.faults.remove(second.number)
    assert await post(sandbox, api, "x") == 200
    sandbox.faults.on("POST", MESSAGES_PATH, status=500)
    sandbox.faults.clear()
    assert len(sandbox.faults) == 0
    assert await post(sandbox, api, "x") == 200


@pytest.mark.parametrize(
    "wrong", [{"nth": 0}, {"times": 0}, {"delay": -1}, {"drop": "during"}, {"status": 200}, {"scope": "x"}]
)
def test_a_fault_that_makes_no_sense_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"fault|dropped|scope"):
        Sandbox().faults.on("GET", "/x", **wrong)  # type: ignore[arg-type]  # that is what is tried


async def test_a_delay_is_of_the_sandboxs_time(sandbox: Sandbox, api: Api) -> None:
    sandbox.faults.on("POST", MESSAGES_PATH, delay=3600)
    sandbox.faults.on("POST", MESSAGES_PATH, nth=2, answer_delay=3600)
    for stands in (0, 2):
        begun = time.perf_counter()
        posting = asyncio.create_task(post(sandbox, api, "x"))
        await asyncio.sleep(0.1)
        assert not posting.done()
        assert len(sandbox.channel("lobby").messages) == stands
        sandbox.advance(3600)
        assert await posting == 200
        assert time.perf_counter() - begun < 5


async def test_a_late_answer_is_too_late(sandbox: Sandbox, bot: SampleBot) -> None:
    sandbox.faults.on("POST", CALLBACK, delay=3.1)
    act = asyncio.create_task(sandbox.user("Alice").slash(sandbox.channel("lobby"), "hand"))
    await sandbox.wait_for(lambda: [each.struck for each in sandbox.faults] == [1])
    sandbox.advance(3.2)
    assert (await act).failed


async def test_the_second_goes_before_the_first(sandbox: Sandbox, api: Api) -> None:
    sandbox.faults.on("POST", MESSAGES_PATH, reorder=True)
    first = asyncio.create_task(post(sandbox, api, "first"))
    await sandbox.wait_for(lambda: [each.struck for each in sandbox.faults] == [1])
    assert await post(sandbox, api, "second") == 200
    assert await first == 200
    assert [each.text for each in sandbox.channel("lobby").messages] == ["second", "first"]


async def test_something_happens_just_before_or_after_a_request(sandbox: Sandbox, api: Api) -> None:
    lobby = sandbox.channel("lobby")
    sandbox.faults.on("POST", MESSAGES_PATH, after=lambda: sandbox.delete_message(lobby.last))
    sandbox.faults.on("POST", MESSAGES_PATH, nth=2, before=lambda: sandbox.delete_channel(lobby))
    assert await post(sandbox, api, "x") == 200
    assert lobby.messages == []
    assert await post(sandbox, api, "x") == 404


# Events.


async def test_events_come_late_twice_reordered_or_never(sandbox: Sandbox) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    faults = sandbox.faults
    async with line(sandbox) as opened:
        ready = await opened.identify(sandbox, intents=GUILDS | MESSAGES | 1 << 12)
        await opened.until("GUILD_CREATE")
        last = (await opened.until("GUILD_CREATE"))["s"]
        faults.on_event("MESSAGE_CREATE", drop=True)
        faults.on_event("MESSAGE_CREATE", nth=2, twice=True)
        faults.on_event("MESSAGE_CREATE", nth=3, reorder=True)
        faults.on_event("MESSAGE_CREATE", nth=5, delay=60)
        sent = [alice.say(lobby, str(number)).raw["id"] for number in range(6)]
        seen = [await opened.until("MESSAGE_CREATE") for _ in range(5)]
        assert [sent.index(each["d"]["id"]) for each in seen].count(1) == 2
        order = [sent.index(each["d"]["id"]) for each in seen if sent.index(each["d"]["id"]) != 1]
        assert order in ([3, 5, 2], [3, 2, 5])
        sandbox.advance(60)
        assert sent.index((await opened.until("MESSAGE_CREATE"))["d"]["id"]) == 4
        assert [each["s"] for each in seen] == list(range(last + 1, last + 6))  # the numbers tell nothing
        sandbox.drop_gateway()
    async with line(sandbox) as opened:
        await opened.send(6, {"token": sandbox.token, "session_id": ready["d"]["session_id"], "seq": last})
        again = [(await opened.receive())["d"]["id"] for _ in range(6)]
        assert again == [*(each["d"]["id"] for each in seen), sent[4]]


async def test_a_press_that_never_reaches_the_bot_fails(sandbox: Sandbox, bot: SampleBot) -> None:
    sandbox.faults.on_event("INTERACTION_CREATE", drop=True)
    sandbox.limits.first_response = 0.1
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    assert (await alice.slash(lobby, "hand")).failed
    sandbox.limits.first_response = 3.0
    assert not (await alice.slash(lobby, "hand")).failed


async def test_a_press_that_comes_twice_is_answered_once(sandbox: Sandbox, bot: SampleBot) -> None:
    sandbox.faults.on_event("INTERACTION_CREATE", twice=True)
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    assert not (await alice.slash(lobby, "hand")).failed
    await sandbox.wait_for(lambda: len([each for each in sandbox.transcript.requests if "callback" in each.path]) == 2)
    assert sorted(each.status for each in sandbox.transcript.requests if "callback" in each.path) == [200, 400]


# Connections.
