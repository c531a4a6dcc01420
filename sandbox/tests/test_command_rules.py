"""Commands beyond the plain ones: localisations, contexts, permissions in a server, limits of a day."""

from __future__ import annotations

from typing import Any

import pytest

from discord_sandbox import Permission, Refused, Sandbox
from discord_sandbox.service.command_permissions import CHANNEL, ROLE, USER, Verdict
from tests.conftest import Api

DAY = 24 * 3600.0
NOT_OF_THIS_TYPE = "APPLICATION_COMMAND_OPTIONS_FIELD_NOT_ALLOWED"


@pytest.fixture
def path(sandbox: Sandbox) -> str:
    return f"/applications/{sandbox.world.application.id}/commands"


def command(name: str = "ping", **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "Something", "type": 1, **more}


def option(name: str = "first", **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "An option", "type": 3, **more}


def offered(sandbox: Sandbox, who: str, channel: str = "lobby") -> list[str]:
    return [each["name"] for each in sandbox.user(who).commands(sandbox.channel(channel))]


async def test_localisations_are_given_where_asked(api: Api, path: str) -> None:
    names = {"de": "klopf", "fr": "toc"}
    inner = option(name_localizations=names, choices=[{"name": "a", "value": "a", "name_localizations": names}])
    body = command(name_localizations=names, description_localizations={"de": "Etwas"}, options=[inner])
    made = (await api("POST", path, body)).body
    assert made["name_localizations"] == names
    (plain,) = (await api("GET", path)).body
    assert plain["name_localizations"] is None
    assert plain["options"][0]["choices"][0]["name_localizations"] is None
    (full,) = (await api("GET", path + "?with_localizations=true")).body
    assert full["options"][0]["name_localizations"] == names
    assert (await api("GET", f"{path}/{made['id']}")).body["description_localizations"] == {"de": "Etwas"}


@pytest.mark.parametrize(
    ("body", "fault_path", "code"),
    [
        (command(name_localizations={"xx": "a"}), ("name_localizations",), "ENUM_TYPE_COERCE"),
        (command(name_localizations={"de": "Groß"}), ("name_localizations", "de"), "APPLICATION_COMMAND_INVALID_NAME"),
        (command(description_localizations={"de": ""}), ("description_localizations", "de"), "BASE_TYPE_BAD_LENGTH"),
        (command(contexts=[3]), ("contexts", 0), "BASE_TYPE_CHOICES"),
        (command(contexts=[0, 0]), ("contexts", 1), "SET_TYPE_CONTAINS_NON_UNIQUE"),
        (command(integration_types=[]), ("integration_types",), "BASE_TYPE_BAD_LENGTH"),
        (command(default_member_permissions="all"), ("default_member_permissions",), "NUMBER_TYPE_COERCE"),
        (command(options=[option(min_value=1)]), ("options", 0, "min_value"), NOT_OF_THIS_TYPE),
        (command(options=[option(type=4, max_length=3)]), ("options", 0, "max_length"), NOT_OF_THIS_TYPE),
        (command(options=[option(channel_types=[0])]), ("options", 0, "channel_types"), NOT_OF_THIS_TYPE),
        (command(options=[option(type=6, autocomplete=True)]), ("options", 0, "autocomplete"), NOT_OF_THIS_TYPE),
        (command(options=[option(min_length=5, max_length=4)]), ("options", 0, "max_length"), "NUMBER_TYPE_MIN"),
        (command(options=[option(max_length=6001)]), ("options", 0, "max_length"), "NUMBER_TYPE_MAX"),
        (
            command(options=[option("sub", type=1), option("value")]),
            ("options", 1, "type"),
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
        ),
        (command(options=[option("group", type=2, options=[])]), ("options", 0, "options"), "BASE_TYPE_BAD_LENGTH"),
        (
            command(options=[option("group", type=2, options=[option("value")])]),
            ("options", 0, "options", 0, "type"),
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
        ),
        (
            command(options=[option(choices=[{"name": "a", "value": "b"}, {"name": "a", "value": "c"}])]),
            ("options", 0, "choices", 1, "name"),
            "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS",
        ),
        ({"name": "Menu", "type": 3, "options": [option()]}, ("options",), "APPLICATION_COMMAND_OPTIONS_NOT_ALLOWED"),
    ],
)
async def test_what_is_refused(api: Api, path: str, body: Any, fault_path: tuple[str | int, ...], code: str) -> None:
    assert (await api("POST", path, body)).faults(*fault_path) == [code]


async def test_names_of_other_scripts(api: Api, path: str) -> None:
    for name in ("карты", "カード", "पत्ता", "ไพ่", "carte-d_or", "naïve"):
        assert (await api("POST", path, command(name))).status == 201, name


async def test_the_longest_localisation_counts(api: Api, path: str) -> None:
    choices = [{"name": "n", "value": "v", "name_localizations": {"de": "x" * 100}} for n in range(1)]
    many = [
        option(f"o{number}", choices=[{**choices[0], "name": f"{n}", "value": f"{n}"} for n in range(25)])
        for number in range(4)
    ]
    assert (await api("POST", path, command(options=many))).faults() == ["APPLICATION_COMMAND_TOO_LARGE"]
    assert (await api("POST", path, command(options=many[:2]))).status == 201


async def test_200_creations_a_day(sandbox: Sandbox, api: Api, path: str) -> None:
    for half in range(2):
        fresh = [command(f"c{half}-{number}") for number in range(100)]
        assert (await api("PUT", path, fresh)).status == 200
        assert (await api("PUT", path, fresh)).status == 200  # the same again makes none
    refused = await api("PUT", path, [command("one-more")])
    assert (refused.status, refused.code) == (400, 30034)
    of_server = path.replace("/commands", f"/guilds/{sandbox.server().id}/commands")
    assert (await api("POST", of_server, command())).status == 201
    sandbox.advance(DAY + 1)
    assert (await api("PUT", path, [command("one-more")])).status == 200


async def test_a_servers_commands_one_by_one(sandbox: Sandbox, api: Api, path: str) -> None:
    of_server = path.replace("/commands", f"/guilds/{sandbox.server().id}/commands")
    made = (await api("POST", of_server, command())).body
    one = f"{of_server}/{made['id']}"
    assert (await api("GET", one)).body["guild_id"] == str(sandbox.server().id)
    assert (await api("PATCH", one, {"description": "Changed"})).body["description"] == "Changed"
    assert [each["id"] for each in (await api("GET", of_server)).body] == [made["id"]]
    assert (await api("DELETE", one)).status == 204
    assert (await api("GET", of_server.replace(str(sandbox.server().id), "1"))).code == 10004


async def test_contexts_and_installations_decide_who_is_offered_what(sandbox: Sandbox, api: Api, path: str) -> None:
    bodies = [
        command("server", contexts=[0]),
        command("direct", contexts=[1]),
        command("personal", integration_types=[1], contexts=[0, 1, 2]),
        command("both", integration_types=[0, 1]),
        command("adults", nsfw=True),
    ]
    await api("PUT", path, bodies)
    alice = sandbox.user("Bob")
    assert offered(sandbox, "Bob") == ["server", "both"]
    assert [each["name"] for each in alice.commands(alice.direct_messages)] == ["direct", "both", "adults"]
    alice.user.has_installed = True
    assert offered(sandbox, "Bob") == ["server", "personal", "both"]
    sandbox.channel("lobby").record.nsfw = True
    assert "adults" in offered(sandbox, "Bob")
    sandbox.remove_bot()
    assert offered(sandbox, "Bob") == ["personal", "both"]
    assert offered(sandbox, "Carol") == []


async def test_a_servers_owners_decide_who_uses_a_command(sandbox: Sandbox, api: Api, path: str) -> None:
    made = (await api("POST", path, command(default_member_permissions=0))).body
    server, rules = sandbox.server(), sandbox.backend.commands.permissions
    bob, carol = sandbox.user("Bob"), sandbox.user("Carol")
    of_server = path.replace("/commands", f"/guilds/{server.id}/commands")
    assert (offered(sandbox, "Bob"), offered(sandbox, "Alice")) == ([], ["ping"])
    assert (await api("GET", f"{of_server}/{made['id']}/permissions")).code == 10066
    rules.set(server, int(made["id"]), [Verdict(bob.id, USER, True), Verdict(carol.id, USER, False)])
    assert (offered(sandbox, "Bob"), offered(sandbox, "Carol")) == (["ping"], [])
    told = (await api("GET", f"{of_server}/{made['id']}/permissions")).body
    assert told["permissions"][0] == {"id": str(bob.id), "type": 2, "permission": True}
    assert (await api("GET", f"{of_server}/permissions")).body == [told]
    rules.set(server, int(made["id"]), [Verdict(server.id, ROLE, True)])
    assert offered(sandbox, "Carol") == ["ping"]
    lobby = sandbox.channel("lobby").id
    rules.set(server, int(made["id"]), [Verdict(server.id, ROLE, True), Verdict(lobby, CHANNEL, False)])
    assert (offered(sandbox, "Carol"), offered(sandbox, "Carol", "games")) == ([], ["ping"])
    rules.set(server, int(made["id"]), [])
    assert offered(sandbox, "Carol") == []
    refused = await api("PUT", f"{of_server}/{made['id']}/permissions", {"permissions": []})
    assert (refused.status, refused.code) == (403, 20001)


async def test_a_default_permission_is_the_servers_and_no_channels(sandbox: Sandbox, api: Api, path: str) -> None:
    await api("POST", path, command(default_member_permissions=int(Permission.MANAGE_MESSAGES)))
    sandbox.channel("lobby").allow(Permission.MANAGE_MESSAGES, member=sandbox.user("Bob"))
    assert offered(sandbox, "Bob") == []
    with pytest.raises(Refused):
        await sandbox.user("Bob").slash(sandbox.channel("lobby"), "ping")
