"""Members and roles, through discord.py: what is given, taken and changed, and by whom it may be."""

from __future__ import annotations

import discord
import pytest

from discord_sandbox import Permission, Sandbox
from tests.conftest import Api, allow_bot
from tests.sample_bot import SampleBot


@pytest.fixture
def guild(sandbox: Sandbox, bot: SampleBot) -> discord.Guild:
    allow_bot(sandbox, Permission.MANAGE_ROLES, Permission.MANAGE_NICKNAMES, Permission.KICK_MEMBERS)
    found = bot.get_guild(sandbox.server().id)
    assert found is not None
    return found


async def test_roles_are_made_changed_and_removed(sandbox: Sandbox, guild: discord.Guild, api: Api) -> None:
    role = await guild.create_role(name="Dealer", colour=discord.Colour(0x336699), hoist=True, mentionable=True)
    assert (role.name, role.colour.value, role.hoist, role.mentionable) == ("Dealer", 0x336699, True, True)
    edited = await role.edit(name="Croupier", permissions=discord.Permissions(send_messages=True))
    assert edited is not None
    assert (edited.name, edited.permissions.value) == ("Croupier", int(Permission.SEND_MESSAGES))
    assert (await guild.fetch_role(role.id)).name == "Croupier"
    await sandbox.wait_for(lambda: guild.get_role(role.id))
    await role.delete()
    assert (await api("GET", f"/guilds/{guild.id}/roles/{role.id}")).code == 10011
    assert role.id not in {each.id for each in await guild.fetch_roles()}


async def test_roles_are_given_and_taken(sandbox: Sandbox, guild: discord.Guild) -> None:
    role = await guild.create_role(name="Dealer")
    bob = await guild.fetch_member(sandbox.user("Bob").id)
    await bob.add_roles(role)
    await bob.add_roles(role)
    assert [each.id for each in (await guild.fetch_member(bob.id)).roles][1:] == [role.id]
    await bob.remove_roles(role)
    assert sandbox.server().members[bob.id].role_ids == []
    await bob.add_roles(role)
    await role.delete()
    assert sandbox.server().members[bob.id].role_ids == []


async def test_nobody_reaches_above_themselves(sandbox: Sandbox, guild: discord.Guild, api: Api) -> None:
    role = await guild.create_role(name="Boss")
    sandbox.server().roles[role.id].position = 10  # the bot's own stands at 9
    path = f"/guilds/{guild.id}"
    assert (await api("PATCH", f"{path}/roles/{role.id}", {"name": "x"})).code == 50013
    assert (await api("PUT", f"{path}/members/{sandbox.user('Bob').id}/roles/{role.id}")).code == 50013
    assert (await api("PATCH", f"{path}/roles", [{"id": str(role.id), "position": 1}])).code == 50013
    grant = {"name": "x", "permissions": str(int(Permission.BAN_MEMBERS))}
    assert (await api("POST", f"{path}/roles", grant)).code == 50013
    owner = f"{path}/members/{sandbox.user('Alice').id}"
    assert (await api("PATCH", owner, {"nick": "x"})).code == 50013
    assert (await api("DELETE", owner)).code == 50013


async def test_managed_roles_are_nobodys_to_give(sandbox: Sandbox, api: Api) -> None:
    allow_bot(sandbox, Permission.MANAGE_ROLES)
    server = sandbox.server()
    everyone = f"/guilds/{server.id}/members/{sandbox.user('Bob').id}/roles/{server.id}"
    assert (await api("PUT", everyone)).code == 50028
    assert (await api("DELETE", f"/guilds/{server.id}/roles/{server.id}")).code == 50028


async def test_roles_are_moved(sandbox: Sandbox, guild: discord.Guild) -> None:
    first, second = await guild.create_role(name="first"), await guild.create_role(name="second")
    await guild.edit_role_positions({second: 3, first: 2})
    roles = sandbox.server().roles
    assert (roles[first.id].position, roles[second.id].position) == (2, 3)


async def test_without_permission_there_is_50013(sandbox: Sandbox, api: Api) -> None:
    path = f"/guilds/{sandbox.server().id}"
    bob = sandbox.user("Bob").id
    for method, address, body in (
        ("POST", "/roles", {"name": "x"}),
        ("PATCH", "", {"name": "xx"}),
        ("DELETE", f"/members/{bob}", None),
        ("PATCH", f"/members/{bob}", {"nick": "x"}),
        ("PATCH", f"/members/{bob}", {"communication_disabled_until": None}),
    ):
        assert (await api(method, path + address, body)).code == 50013, address


async def test_members_are_changed(sandbox: Sandbox, guild: discord.Guild, api: Api) -> None:
    role = await guild.create_role(name="Dealer")
    bob = await guild.fetch_member(sandbox.user("Bob").id)
    edited = await bob.edit(nick="Bobby", roles=[role])
    assert edited is not None
    assert (edited.nick, [each.id for each in edited.roles][1:]) == ("Bobby", [role.id])
    await bob.edit(nick=None)
    assert (await guild.fetch_member(bob.id)).nick is None
    path = f"/guilds/{guild.id}/members/{bob.id}"
    assert (await api("PATCH", path, {"nick": "x" * 33})).faults("nick") == ["BASE_TYPE_MAX_LENGTH"]
    assert (await api("PATCH", path, {"roles": ["1"]})).code == 10011


async def test_a_timeout_lasts_28_days_at_most(sandbox: Sandbox, api: Api) -> None:
    allow_bot(sandbox, Permission.MODERATE_MEMBERS)
    key = "communication_disabled_until"
    path = f"/guilds/{sandbox.server().id}/members/{sandbox.user('Bob').id}"
    assert (await api("PATCH", path, {key: "2999-01-01T00:00:00+00:00"})).faults(key) == ["BASE_TYPE_MAX_VALUE"]
    assert (await api("PATCH", path, {key: "tomorrow"})).faults(key) == ["DATE_TIME_TYPE_PARSE"]
    owner = f"/guilds/{sandbox.server().id}/members/{sandbox.user('Alice').id}"
    assert (await api("PATCH", owner, {key: None})).code == 50013


async def test_the_bots_own_membership(sandbox: Sandbox, guild: discord.Guild, api: Api) -> None:
    await guild.me.edit(nick="Dealer")
    own = await api("GET", f"/users/@me/guilds/{guild.id}/member")
    assert own.body["nick"] == "Dealer"
    await sandbox.wait_for(lambda: guild.me.nick == "Dealer")  # told without the members intent


async def test_members_are_searched_and_listed(sandbox: Sandbox, guild: discord.Guild, api: Api) -> None:
    for query, names in (("ca", {"carol"}), ("you", {"Your Bot"})):
        found = await api("GET", f"/guilds/{guild.id}/members/search?query={query}&limit=5")
        assert {each["user"]["username"] for each in found.body} == names
    path = f"/guilds/{guild.id}/members"
    assert (await api("GET", path)).code == 50001
    sandbox.world.application.allowed_intents |= 1 << 1
    first = (await api("GET", path + "?limit=2")).body
    rest = (await api("GET", f"{path}?limit=1000&after={first[-1]['user']['id']}")).body
    assert len(first) == 2
    assert len(rest) == 5
    assert (await api("GET", path + "?limit=1001")).faults("limit") == ["NUMBER_TYPE_MAX"]


async def test_a_member_is_sent_away(sandbox: Sandbox, guild: discord.Guild, api: Api) -> None:
    bob = sandbox.user("Bob")
    await guild.kick(discord.Object(bob.id))
    assert (await api("GET", f"/guilds/{guild.id}/members/{bob.id}")).code == 10007


async def test_the_server_itself(sandbox: Sandbox, guild: discord.Guild, bot: SampleBot, api: Api) -> None:
    allow_bot(sandbox, Permission.MANAGE_GUILD)
    await guild.edit(name="Card room", preferred_locale=discord.Locale.german)
    await sandbox.wait_for(lambda: guild.name == "Card room")
    fetched = await bot.fetch_guild(guild.id)
    assert (fetched.name, fetched.preferred_locale, fetched.approximate_member_count) == (
        "Card room",
        discord.Locale.german,
        7,
    )
    assert (await bot.fetch_guild_preview(guild.id)).name == "Card room"
    assert [each.name async for each in bot.fetch_guilds(limit=5)] == ["Card room", "Second Server"]
    assert (await api("PATCH", f"/guilds/{guild.id}", {"name": "x"})).faults("name") == ["BASE_TYPE_BAD_LENGTH"]


async def test_the_bots_own_name(bot: SampleBot, api: Api) -> None:
    assert bot.user is not None
    edited = await bot.user.edit(username="Dealer")
    assert edited.name == "Dealer"
    assert (await api("PATCH", "/users/@me", {"username": "x"})).faults("username") == ["BASE_TYPE_BAD_LENGTH"]
