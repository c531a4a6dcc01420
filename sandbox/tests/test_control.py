"""The control API, and the transcript as a person reads it."""

from __future__ import annotations

from collections.abc import Coroutine
from pathlib import Path

import aiohttp
import pytest

from discord_sandbox import Permission, Sandbox
from tests.conftest import Answer, Api
from tests.sample_bot import SampleBot


@pytest.fixture
def control(sandbox: Sandbox, api: Api) -> Api:
    """The control API, with the bot's token."""
    return Api(api.session, sandbox.origin + "/control", sandbox.token)


async def act(control: Api, name: str, **given: object) -> int:
    answer: Answer = await control("POST", "/acts", {"act": name, **given})
    assert answer.status == 204, answer.body
    return answer.status


async def test_a_fault_is_set_counted_and_taken_away(sandbox: Sandbox, api: Api, control: Api) -> None:
    path = f"/channels/{sandbox.channel('lobby').id}/messages"
    fault = {"method": "POST", "path": "/channels/*/messages", "status": 500, "effect": True}
    made = await control("POST", "/faults", fault)
    assert (made.status, made.body["number"], made.body["struck"]) == (201, 1, 0)
    assert (await api("POST", path, {"content": "x"})).status == 500
    assert len(sandbox.channel("lobby").messages) == 1
    (listed,) = (await control("GET", "/faults")).body
    assert (listed["seen"], listed["struck"], listed["status"]) == (1, 1, 500)
    assert (await control("DELETE", "/faults/1")).status == 204
    assert (await control("DELETE", "/faults/1")).status == 404
    await control("POST", "/faults", {"event": "MESSAGE_CREATE", "drop": True})
    assert (await control("DELETE", "/faults")).status == 204
    assert (await control("GET", "/faults")).body == []


async def test_a_fault_may_let_something_happen_first(sandbox: Sandbox, api: Api, control: Api) -> None:
    before = {"act": "delete_channel", "channel": "lobby"}
    path = f"/channels/{sandbox.channel('lobby').id}/messages"
    await control("POST", "/faults", {"method": "POST", "path": "/channels/*/messages", "before": before})
    assert (await api("POST", path, {"content": "x"})).status == 404
    await control("POST", "/faults", {"method": "GET", "path": "/users/@me", "after": before})
    assert (await api("GET", "/users/@me")).status == 200
    assert "control: delete_channel: there is no channel 'lobby'" in sandbox.transcript.text()


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/faults", {"method": "GET"}),
        ("/faults", {"method": "GET", "path": "/x", "nth": 0}),
        ("/faults", {"method": 1, "path": "/x"}),
        ("/faults", {"method": "GET", "path": "/x", "unheard": 1}),
        ("/faults", {"method": "GET", "path": "/x", "before": {"act": "unheard"}}),
        ("/faults", []),
        ("/acts", {"act": "unheard"}),
        ("/acts", {"act": "advance"}),
        ("/acts", {"act": "advance", "seconds": -1}),
        ("/acts", {"act": "deny", "channel": "lobby", "permissions": ["UNHEARD"]}),
        ("/acts", {"act": "remove_member", "person": "Nobody"}),
    ],
)
async def test_what_makes_no_sense_is_refused_with_words(control: Api, path: str, body: object) -> None:
    answer = await control("POST", path, body)
    assert (answer.status, bool(answer.body["error"])) == (400, True)


async def test_acts_on_servers_channels_members_and_messages(sandbox: Sandbox, bot: SampleBot, control: Api) -> None:
    await sandbox.wait_for(lambda: len(bot.guilds) == 2)
    lobby, alice = sandbox.channel("lobby"), sandbox.user("Alice")
    said = alice.say(lobby, "x")
    await act(control, "delete_message", message=said.raw["id"])
    assert lobby.messages == []
    await act(control, "deny", channel="lobby", permissions=["SEND_MESSAGES"])
    assert lobby.record.overwrites[sandbox.world.application.bot.id].deny & Permission.SEND_MESSAGES
    await act(control, "allow", channel=str(lobby.id), permissions=["SEND_MESSAGES"], person="Alice")
    await act(control, "remove_member", person="Bob")
    assert sandbox.user("Bob").id not in sandbox.server().members
    await act(control, "add_member", person=str(sandbox.user("Bob").id))
    assert sandbox.user("Bob").id in sandbox.server().members
    await act(control, "remove_bot", server="Second Server")
    await sandbox.wait_for(lambda: len(bot.guilds) == 1)
    await act(control, "add_bot", server="Second Server")
    await sandbox.wait_for(lambda: len(bot.guilds) == 2)
    await act(control, "lose_server")
    await sandbox.wait_for(lambda: any(each.unavailable for each in bot.guilds))
    await act(control, "restore_server")
    await sandbox.wait_for(lambda: not any(each.unavailable for each in bot.guilds))
    await act(control, "delete_channel", channel="games")
    assert [each.name for each in sandbox.server().channels.values()] == ["lobby"]


async def test_acts_on_time_and_on_the_gateway(sandbox: Sandbox, bot: SampleBot, control: Api) -> None:
    before = sandbox.clock.now()
    await act(control, "advance", seconds=3600)
    assert sandbox.clock.now() - before > 3600
    await _resumed(sandbox, 1, act(control, "drop_gateway"))
    await _resumed(sandbox, 2, act(control, "reconnect"))
    await _resumed(sandbox, 3, act(control, "invalidate", resumable=True))
    await act(control, "heartbeat")
    await act(control, "silence")
    await act(control, "enforce_rate_limits")
    assert sandbox.rate_limits.enforced


async def _resumed(sandbox: Sandbox, times: int, doing: Coroutine[None, None, int]) -> None:
    await doing
    await sandbox.wait_for(lambda: sum("RESUMED" in str(each) for each in sandbox.transcript) == times)


async def test_a_token_may_be_reset(sandbox: Sandbox, api: Api, control: Api) -> None:
    await act(control, "reset_token")
    assert sandbox.token != api.token
    assert (await api("GET", "/users/@me")).status == 401


async def test_limits_are_read_and_changed(sandbox: Sandbox, control: Api) -> None:
    changed = await control("PATCH", "/limits", {"first_response": 1, "shards": 4})
    assert changed.body["first_response"] == 1.0
    assert (sandbox.limits.first_response, sandbox.limits.shards) == (1.0, 4)
    assert (await control("PATCH", "/limits", {"unheard": 1})).status == 400
    assert (await control("PATCH", "/limits", {"shards": "2"})).status == 400
    overview = (await control("GET", "")).body
    assert overview["limits"]["shards"] == 4
    assert "advance" in overview["acts"]
    assert overview["connected"] == 0


async def test_other_sites_are_refused_and_it_is_off_where_not_wanted(sandbox: Sandbox) -> None:
    own = {"Authorization": f"Bot {sandbox.token}"}
    async with aiohttp.ClientSession(headers=own) as session:
        foreign = {"Origin": "https://elsewhere.example"}
        assert (await session.get(sandbox.origin + "/control", headers=foreign)).status == 403
        assert (await session.get(sandbox.origin + "/control", headers={"Host": "elsewhere.example"})).status == 403
        form = await session.post(sandbox.origin + "/control/acts", data="{}")
        assert form.status == 400
        without = Sandbox(token=sandbox.token)
        await without.start()
        try:
            assert (await session.get(without.origin + "/control")).status == 404
        finally:
            await without.stop()


async def test_without_the_token_it_does_nothing(sandbox: Sandbox) -> None:
    async with aiohttp.ClientSession() as session:
        for headers in ({}, {"Authorization": "Bot "}, {"Authorization": sandbox.token}):
            for path in ("", "/transcript", "/faults"):
                assert (await session.get(f"{sandbox.origin}/control{path}", headers=headers)).status == 401
        cut = await session.post(sandbox.origin + "/control/acts", json={"act": "drop_gateway"})
        assert cut.status == 401


async def test_a_run_is_told_without_its_tokens(sandbox: Sandbox, bot: SampleBot, control: Api, tmp_path: Path) -> None:
    live = tmp_path / "live.txt"
    end = sandbox.transcript.follow(live)
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    offer = (await alice.slash(lobby, "game start", opponent=bob)).message
    await bob.press(offer, label="Accept")
    await sandbox.wait_for(lambda: lobby.for_only(bob))
    sandbox.drop_gateway(code=4000)
    end()
    sandbox.transcript.write(tmp_path / "whole.txt")
    whole = (tmp_path / "whole.txt").read_text()
    assert whole == (await _text(sandbox)).replace("\r", "")
    tokens = {each.data["token"] for each in sandbox.transcript.events if "token" in each.data}
    assert len(tokens) == 2
    for text in (whole, live.read_text()):
        assert not any(token in text for token in (*tokens, sandbox.token))
        assert "event INTERACTION_CREATE" in text
        assert "/callback" in text
        assert "POST /api/v10/webhooks/" in text
        assert '"content": "only for you"' in text
        assert "gateway: a line is cut with 4000" in text
    assert "gateway: READY for shard 0 of 1" in whole
    assert (await control("DELETE", "/transcript")).status == 204


async def _text(sandbox: Sandbox) -> str:
    own = {"Authorization": f"Bot {sandbox.token}"}
    async with (
        aiohttp.ClientSession(headers=own) as session,
        session.get(sandbox.origin + "/control/transcript") as answer,
    ):
        return await answer.text()
