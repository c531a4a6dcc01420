"""Conversations between people, to which somebody brings the application along: the bot is no member of them."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from discord_sandbox import Refused, Sandbox
from discord_sandbox.api.route_table import ADDRESSES
from tests.conftest import Api
from tests.test_answers import Table

PING = {"name": "ping", "description": "Ping", "type": 1, "integration_types": [0, 1], "contexts": [0, 1, 2]}


@pytest.fixture
async def table(sandbox: Sandbox, api: Api) -> AsyncIterator[Table]:
    table = Table(sandbox, api)
    yield table
    await table.close()


async def test_only_who_has_installed_the_application_is_offered_its_commands_there(table: Table) -> None:
    alice, bob = table.sandbox.user("Alice"), table.sandbox.user("Bob")
    await _announce(table, PING, {**PING, "name": "servers", "integration_types": [0], "contexts": [0]})
    alice.user.has_installed = True
    for chat in (table.sandbox.chat(alice, bob), table.sandbox.chat(alice, bob, name="Two")):
        assert [each["name"] for each in alice.commands(chat)] == ["ping"]
        assert bob.commands(chat) == []
        with pytest.raises(Refused):
            await bob.slash(chat, "ping")


async def test_an_interaction_says_that_the_bot_is_not_there(table: Table) -> None:
    alice, bob = table.sandbox.user("Alice"), table.sandbox.user("Bob")
    await _announce(table, PING)
    alice.user.has_installed = True
    for chat, kind in ((table.sandbox.chat(alice, bob), 1), (table.sandbox.chat(alice, bob, name="Two"), 3)):
        act = await table.opened(alice.slash(chat, "ping"))
        assert (act.payload["context"], act.payload["channel"]["type"]) == (2, kind)
        assert act.payload["authorizing_integration_owners"] == {"1": str(alice.id)}
        assert "guild_id" not in act.payload
        button = {"type": 2, "style": 1, "label": "more", "custom_id": "more"}
        rows = [{"type": 1, "components": [button]}]
        await act.answer({"type": 4, "data": {"content": "pong", "components": rows}})
        pressed = await table.opened(bob.press(chat.last, custom_id="more"))
        assert pressed.payload["authorizing_integration_owners"] == {"1": str(alice.id)}
        await pressed.answer({"type": 7, "data": {"content": "pressed"}})
        assert chat.last.text == "pressed"
        for number in range(5):
            assert (await pressed.hook("POST", body={"content": str(number)})).status == 200
        assert (await pressed.hook("POST", body={"content": "six"})).code == 40094


async def test_the_bots_token_reaches_nothing_there(table: Table) -> None:
    alice, bob = table.sandbox.user("Alice"), table.sandbox.user("Bob")
    chat = table.sandbox.chat(alice, bob)
    said = alice.say(chat, "hello")
    channel = {"channel_id": chat.id, "message_id": said.id, "user_id": bob.id, "overwrite_id": bob.id, "emoji": "x"}
    asked = [each for each in ADDRESSES if each.path.startswith("/channels/{channel_id}")]
    assert len(asked) > 10
    for each in asked:
        refused = await table.api(each.method, each.path.format_map(channel), {"content": "hello"})
        assert (refused.status, refused.code) == (403, 50001), (each.method, each.path)


async def test_commands_for_people_are_refused_where_only_servers_may_install(sandbox: Sandbox, api: Api) -> None:
    path = f"/applications/{sandbox.world.application.id}/commands"
    assert set((await api("GET", "/applications/@me")).body["integration_types_config"]) == {"0", "1"}
    sandbox.world.application.user_install = False
    assert set((await api("GET", "/applications/@me")).body["integration_types_config"]) == {"0"}
    refused = await api("PUT", path, [PING])
    assert (refused.status, refused.code) == (400, 50035)
    assert "integration_types" in refused.body["errors"]["0"]
    assert (await api("PUT", path, [{**PING, "integration_types": [0]}])).status == 200


async def _announce(table: Table, *commands: object) -> None:
    app = table.sandbox.world.application.id
    assert (await table.api("PUT", f"/applications/{app}/commands", [*commands])).status == 200
