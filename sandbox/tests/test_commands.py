"""Registering commands over plain HTTP: what is kept, what changes, what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from discord_sandbox import Sandbox
from tests.conftest import Api


@pytest.fixture
def path(sandbox: Sandbox) -> str:
    return f"/applications/{sandbox.world.application.id}/commands"


def command(name: str = "ping", **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "Something", "type": 1, **more}


def option(name: str = "first", **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "An option", "type": 3, **more}


async def test_a_command_keeps_its_id_through_overwrites(api: Api, path: str) -> None:
    first = (await api("PUT", path, [command(), command("pong")])).body
    second = (await api("PUT", path, [command(description="Changed")])).body
    assert [each["id"] for each in second] == [first[0]["id"]]
    assert int(second[0]["version"]) > int(first[0]["version"])
    listed = (await api("GET", path)).body
    assert listed == second
    assert listed[0]["description"] == "Changed"


async def test_one_command_is_created_changed_and_removed(api: Api, path: str) -> None:
    made = await api("POST", path, command())
    again = await api("POST", path, command(description="Again"))
    assert (made.status, again.status) == (201, 200)
    assert made.body["id"] == again.body["id"]
    one = f"{path}/{made.body['id']}"
    assert (await api("PATCH", one, {"description": "Once more"})).body["description"] == "Once more"
    assert (await api("GET", one)).body["description"] == "Once more"
    assert (await api("DELETE", one)).status == 204
    gone = await api("GET", one)
    assert (gone.status, gone.code) == (404, 10063)


async def test_a_servers_commands_are_its_own(sandbox: Sandbox, api: Api, path: str) -> None:
    server = sandbox.server("Second Server")
    of_server = path.replace("/commands", f"/guilds/{server.id}/commands")
    made = await api("PUT", of_server, [command("local")])
    assert made.body[0]["guild_id"] == str(server.id)
    assert (await api("GET", path)).body == []
    alice = sandbox.user("Alice")
    assert alice.commands(sandbox.channel("lobby")) == []
    assert [each["name"] for each in alice.commands(sandbox.channel("general", "Second Server"))] == ["local"]


@pytest.mark.parametrize(
    ("body", "fault_path", "code"),
    [
        (command("Ping"), ("name",), "APPLICATION_COMMAND_INVALID_NAME"),
        (command("two words"), ("name",), "APPLICATION_COMMAND_INVALID_NAME"),
        (command("x" * 33), ("name",), "BASE_TYPE_BAD_LENGTH"),
        (command(description="x" * 101), ("description",), "BASE_TYPE_BAD_LENGTH"),
        (command(description=""), ("description",), "BASE_TYPE_REQUIRED"),
        (command(type=7), ("type",), "BASE_TYPE_CHOICES"),
        (command(options=[option(str(n)) for n in range(26)]), ("options",), "BASE_TYPE_MAX_LENGTH"),
        (
            command(options=[option(), option("second", required=True)]),
            ("options", 1),
            "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
        ),
        (
            command(options=[option(), option()]),
            ("options", 1, "name"),
            "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_IN_USE",
        ),
        (
            command(options=[option(choices=[{"name": str(n), "value": str(n)} for n in range(26)])]),
            ("options", 0, "choices"),
            "BASE_TYPE_MAX_LENGTH",
        ),
        (
            command(options=[option(autocomplete=True, choices=[{"name": "a", "value": "a"}])]),
            ("options", 0, "autocomplete"),
            "APPLICATION_COMMAND_OPTIONS_CHOICES_AND_AUTOCOMPLETE",
        ),
        (
            command(options=[option(type=4, choices=[{"name": "a", "value": "a"}])]),
            ("options", 0, "choices", 0, "value"),
            "NUMBER_TYPE_COERCE",
        ),
        (
            command(options=[option(type=1, options=[option("deep", type=2, options=[])])]),
            ("options", 0, "options", 0, "type"),
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
        ),
        (
            {"name": "Menu", "type": 2, "description": "not here"},
            ("description",),
            "APPLICATION_COMMANDS_DESCRIPTION_NOT_ALLOWED",
        ),
    ],
)
async def test_what_is_refused(api: Api, path: str, body: Any, fault_path: tuple[str | int, ...], code: str) -> None:
    assert (await api("POST", path, body)).faults(*fault_path) == [code]
    assert (await api("PUT", path, [command("fine"), body])).faults(1, *fault_path) == [code]
    assert (await api("GET", path)).body == []


async def test_8000_characters_a_command(api: Api, path: str) -> None:
    choices = [{"name": f"{number:n>100}", "value": f"{number:0100}"} for number in range(20)]
    options = [option(f"o{number}", choices=choices) for number in range(2)]
    assert (await api("POST", path, command(options=options))).faults() == ["APPLICATION_COMMAND_TOO_LARGE"]


async def test_100_commands_and_15_menus(api: Api, path: str) -> None:
    many = [command(f"c{number}") for number in range(100)]
    assert (await api("PUT", path, many)).status == 200
    assert (await api("POST", path, command("one-more"))).code == 30032
    menus = [{"name": f"Menu {number}", "type": 2} for number in range(16)]
    assert (await api("PUT", path, menus)).code == 30032


async def test_one_name_once(api: Api, path: str) -> None:
    refused = await api("PUT", path, [command(), command()])
    assert refused.faults(1) == ["APPLICATION_COMMANDS_DUPLICATE_NAME"]
    both_kinds = await api("PUT", path, [command("same"), {"name": "same", "type": 2}])
    assert both_kinds.status == 200


async def test_another_application_is_unknown(api: Api) -> None:
    assert (await api("GET", "/applications/1/commands")).code == 10002
