"""Addresses that no small bot asks for, asked for plainly: each answers, and the recorder sees that it does."""

from __future__ import annotations

from discord_sandbox import Permission, Sandbox
from discord_sandbox.service.command_permissions import USER, Verdict
from tests.conformance.conftest import Ask


async def test_who_and_where_one_is(sandbox: Sandbox, ask: Ask) -> None:
    assert (await ask("GET", "/applications/@me"))["id"] == str(sandbox.world.application.id)
    assert (await ask("GET", "/gateway"))["url"] == f"ws://{sandbox.host}:{sandbox.port}/gateway"
    first, second = await ask("GET", "/users/@me/guilds")
    assert first["name"] == "First Server"
    await ask("DELETE", f"/users/@me/guilds/{second['id']}")
    assert await ask("GET", "/users/@me/guilds") == [first]


async def test_a_servers_own_commands_and_who_may_use_them(sandbox: Sandbox, ask: Ask) -> None:
    server = sandbox.server().id
    scope = f"/applications/{sandbox.world.application.id}/guilds/{server}/commands"
    made = await ask("POST", scope, {"name": "deal", "description": "Deals"})
    one = f"{scope}/{made['id']}"
    verdict = Verdict(sandbox.user("Bob").id, USER, allowed=False)
    sandbox.backend.commands.permissions.set(sandbox.server(), int(made["id"]), [verdict])
    told = await ask("GET", f"{one}/permissions")
    assert told["permissions"] == [{"id": str(verdict.id), "type": USER, "permission": False}]
    assert await ask("GET", f"{scope}/permissions") == [told]
    assert await ask("GET", scope) == [made]
    assert await ask("GET", one) == made
    assert (await ask("PATCH", one, {"description": "Deals cards"}))["description"] == "Deals cards"
    await ask("DELETE", one)
    assert await ask("GET", scope) == []


async def test_reactions_are_cleared_in_every_way(sandbox: Sandbox, ask: Ask) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    lobby.allow(Permission.MANAGE_MESSAGES)
    message = alice.say(lobby, "good?")
    reactions = f"/channels/{lobby.id}/messages/{message.id}/reactions"
    yes, no = "%F0%9F%91%8D", "%F0%9F%91%8E"
    for emoji in (yes, no):
        await ask("PUT", f"{reactions}/{emoji}/@me")
    bob.react(message, "👍")
    await ask("DELETE", f"{reactions}/{yes}/{bob.id}")
    assert [each["id"] for each in await ask("GET", f"{reactions}/{yes}")] == [str(sandbox.world.application.bot.id)]
    await ask("DELETE", f"{reactions}/{no}")
    assert [each["emoji"]["name"] for each in message.raw["reactions"]] == ["👍"]
    await ask("DELETE", reactions)
    assert not message.raw.get("reactions")
