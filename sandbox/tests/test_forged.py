"""Interactions that no client would send: they reach the bot as they are, and are otherwise like any other."""

from __future__ import annotations

import pytest

from discord_sandbox import Sandbox
from discord_sandbox.clients.resolved_data import Refused
from tests.conftest import Api
from tests.sample_bot import SampleBot


async def test_a_forged_command_reaches_the_bot_unchanged(sandbox: Sandbox, bot: SampleBot) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    data = {"id": "1", "name": "hand", "type": 1, "options": [{"name": "unheard", "type": 4, "value": -(10**9)}]}
    reply = await alice.forge(lobby, "command", data)
    assert (reply.kind, reply.visibility) == ("message", "ephemeral")
    (event,) = (each for each in sandbox.transcript.events if each.name == "INTERACTION_CREATE")
    assert event.data["data"] == data
    assert event.data["member"]["user"]["id"] == str(alice.id)


async def test_a_forged_press_comes_from_the_message_that_is_named(sandbox: Sandbox, bot: SampleBot) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    offer = (await alice.slash(lobby, "game start", opponent=bob)).message
    reply = await bob.forge(lobby, "component", {"component_type": 2, "custom_id": "offer:accept"}, offer)
    assert not reply.failed
    mine = (await alice.slash(lobby, "hand")).message
    with pytest.raises(Refused):
        await bob.forge(lobby, "component", {"component_type": 2, "custom_id": "detail"}, mine)


async def test_a_forged_interaction_that_is_not_answered_fails(sandbox: Sandbox, bot: SampleBot) -> None:
    sandbox.limits.first_response = 0.2
    reply = await sandbox.user("Alice").forge(
        sandbox.channel("lobby"), "modal_submit", {"custom_id": "x", "components": []}
    )
    assert reply.failed


async def test_one_may_be_forged_over_the_control_api(sandbox: Sandbox, bot: SampleBot, api: Api) -> None:
    control = Api(api.session, sandbox.origin + "/control", sandbox.token)
    lobby = sandbox.channel("lobby")
    act = {"act": "forge_interaction", "person": "Alice", "channel": "lobby"}
    done = await control("POST", "/acts", {**act, "kind": "command", "data": {"id": "1", "name": "hand", "type": 1}})
    assert done.status == 204
    await sandbox.wait_for(lambda: lobby.for_only(sandbox.user("Alice")))
    for faulty in (
        {"kind": "unheard", "data": {}},
        {"kind": "command", "data": []},
        {"kind": "component", "data": {}, "message": "7"},
        {"kind": "command"},
    ):
        assert (await control("POST", "/acts", {**act, **faulty})).status == 400
