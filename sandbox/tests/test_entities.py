"""Options, selects and modal fields of every kind, through discord.py; what the client would not send."""

from __future__ import annotations

from collections.abc import AsyncIterator

import discord
import pytest

from discord_sandbox import File, Permission, Refused, Sandbox
from discord_sandbox.clients.modal_submission import Value
from discord_sandbox.discord_py import connected
from tests.entities_bot import EntitiesBot


@pytest.fixture
async def table(sandbox: Sandbox) -> AsyncIterator[EntitiesBot]:
    client = EntitiesBot()
    async with connected(client, sandbox):
        await sandbox.wait_for(lambda: sandbox.user("Alice").commands(sandbox.channel("lobby")))
        yield client


def everything(sandbox: Sandbox) -> dict[str, object]:
    server = sandbox.server()
    return {
        "text": "abc",
        "whole": 7,
        "broken": 1.5,
        "tick": True,
        "person": sandbox.user("Bob"),
        "place": sandbox.channel("games"),
        "role": str(server.id),
        "either": sandbox.user("Carol"),
    }


async def test_options_of_every_kind(sandbox: Sandbox, table: EntitiesBot) -> None:
    given = everything(sandbox)
    reply = await sandbox.user("Alice").slash(
        sandbox.channel("lobby"), "options", **given, file=File("deal.txt", b"a deal")
    )
    assert reply.text == repr(("abc", 7, 1.5, True, "Bob", "games", "@everyone", "carol", "a deal"))
    data = table.seen[-1].data
    assert data is not None
    (attachment,) = data["resolved"]["attachments"].values()  # type: ignore[typeddict-item]  # a command's data
    assert (attachment["filename"], attachment["ephemeral"]) == ("deal.txt", True)


@pytest.mark.parametrize(
    "wrong",
    [
        {"text": "a"},
        {"text": "abcdef"},
        {"whole": 0},
        {"whole": 10},
        {"whole": "x"},
        {"broken": "x"},
        {"tick": "maybe"},
        {"person": "1"},
        {"place": "1"},
        {"role": "1"},
        {"either": "1"},
        {"file": "not a file"},
        {"file": File("big.bin", bytes(10 * 1024 * 1024 + 1))},
        {"unknown": 1},
    ],
    ids=lambda wrong: f"{next(iter(wrong))}",
)
async def test_what_no_client_sends(sandbox: Sandbox, table: EntitiesBot, wrong: dict[str, object]) -> None:
    with pytest.raises(Refused):
        await sandbox.user("Alice").slash(sandbox.channel("lobby"), "options", **{**everything(sandbox), **wrong})
    assert table.seen == []


async def test_a_channel_option_takes_its_kinds_that_are_seen(sandbox: Sandbox, table: EntitiesBot) -> None:
    bob, games = sandbox.user("Bob"), sandbox.channel("games")
    games.deny(Permission.VIEW_CHANNEL, member=bob)
    with pytest.raises(Refused):
        await bob.slash(sandbox.channel("lobby"), "options", **everything(sandbox))
    games.allow(Permission.VIEW_CHANNEL, member=bob)
    games.record.kind = games.record.kind.VOICE
    with pytest.raises(Refused, match="kind"):
        await bob.slash(sandbox.channel("lobby"), "options", **everything(sandbox))


async def test_who_may_attach_nothing_does_not(sandbox: Sandbox, table: EntitiesBot) -> None:
    bob, lobby = sandbox.user("Bob"), sandbox.channel("lobby")
    lobby.deny(Permission.ATTACH_FILES, member=bob)
    with pytest.raises(Refused, match="attach"):
        await bob.slash(lobby, "options", **everything(sandbox), file=File("a.txt", b""))


async def test_numbers_are_completed_with_what_stands_beside(sandbox: Sandbox, table: EntitiesBot) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    reply = await alice.autocomplete(lobby, "counted", option="number", value="4", other="x")
    assert reply.choices[1] == {"name": "41x", "value": 1}
    with pytest.raises(Refused):
        await alice.autocomplete(lobby, "counted", option="other", value="4")


async def test_more_than_25_choices_are_refused(sandbox: Sandbox, table: EntitiesBot) -> None:
    sandbox.limits.first_response = 0.3
    reply = await sandbox.user("Alice").autocomplete(sandbox.channel("lobby"), "counted", option="number", value="26")
    assert reply.failed
    refusal = sandbox.transcript.requests[-1]
    assert (refusal.status, b"BASE_TYPE_MAX_LENGTH" in refusal.raw_answer) == (400, True)


async def test_a_command_in_a_messages_menu(sandbox: Sandbox, table: EntitiesBot) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    said = bob.say(lobby, "a bluff")
    reply = await alice.context_menu(lobby, "Quote", said)
    assert reply.text == "Bob: a bluff"
    assert reply.message.raw["interaction_metadata"]["target_message_id"] == str(said.id)
    with pytest.raises(Refused):
        await alice.context_menu(lobby, "Quote", bob)  # no command of a person's menu
    sandbox.delete_message(said)
    with pytest.raises(Refused):
        await alice.context_menu(lobby, "Quote", said)


async def test_selects_of_entities(sandbox: Sandbox, table: EntitiesBot) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    message = (await alice.slash(lobby, "everything")).message
    users = next(each for each in message.components if each.get("custom_id") == "users")
    assert users["default_values"] == [{"id": str(alice.id), "type": "user"}]
    server = sandbox.server()
    chosen = {
        "users": ([str(alice.id), str(bob.id)], "Member alice, Member bob"),
        "roles": ([str(server.id)], "Role @everyone"),
        "mentionables": ([str(server.id), str(bob.id)], "Member bob, Role @everyone"),
        "channels": ([str(lobby.id)], "AppCommandChannel lobby"),
    }
    for custom_id, (values, told) in chosen.items():
        assert (await alice.select(message, custom_id=custom_id, values=values)).text == told
    assert (await alice.select(message, custom_id="channels", values=[])).text == "none"
    for custom_id, values in (
        ("users", ["1"]),
        ("users", [str(bob.id)] * 2),
        ("users", []),
        ("roles", [str(bob.id)]),
        ("channels", ["1"]),
    ):
        with pytest.raises(Refused):
            await alice.select(message, custom_id=custom_id, values=values)


async def test_a_modal_with_every_kind_of_field(sandbox: Sandbox, table: EntitiesBot) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    modal = (await alice.slash(lobby, "form")).modal
    full: dict[str, Value] = {
        "Colour": "blue",
        "Games": ["a", "c"],
        "Agreed": True,
        "Proof": File("proof.txt", b"indeed"),
        "Friend": [str(bob.id)],
    }
    wrongs: tuple[dict[str, Value], ...] = (
        {"Colour": "green"},
        {"Games": []},
        {"Games": ["a", "b", "c"]},
        {"Agreed": "yes"},
        {"Proof": "no file"},
        {"Friend": []},
        {"Friend": ["1"]},
    )
    for wrong in wrongs:
        with pytest.raises(Refused):
            await alice.submit(modal, {**full, **wrong})
    reply = await alice.submit(modal, full)
    assert reply.text == repr(("blue", ["a", "c"], True, ["indeed"], ["bob"]))


async def test_what_may_be_left_out_of_a_modal(sandbox: Sandbox, table: EntitiesBot) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    modal = (await alice.slash(lobby, "form")).modal
    reply = await alice.submit(modal, {"Colour": "red", "Games": ["b"], "Friend": [str(alice.id)]})
    assert reply.text == repr(("red", ["b"], False, [], ["alice"]))


async def test_an_interaction_says_where_it_came_from(sandbox: Sandbox, table: EntitiesBot) -> None:
    alice, lobby, server = sandbox.user("Alice"), sandbox.channel("lobby"), sandbox.server()
    alice.user.locale, server.locale = "de", "fr"
    alice.user.has_installed = True
    await alice.slash(lobby, "everything")
    came = table.seen[-1]
    assert (came.locale, came.guild_locale) == (discord.Locale.german, discord.Locale.french)
    assert came.context.guild
    assert came.is_guild_integration()
    assert came.is_user_integration()
    assert came.app_permissions.send_messages
    assert came.permissions.administrator
    await alice.slash(alice.direct_messages, "everything")
    came = table.seen[-1]
    assert came.context.dm_channel
    assert (came.guild_locale, came.guild_id) == (None, None)
