"""`/settings`: who may change what, what it does to challenges, and the list of who changed it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.play.server_settings import BoardForm, Enders, MatchVenue
from bot.store.errors import NotSaved
from bot.store.queries.invitations import Invitation
from bot.ui import isolation
from bot.ui.catalogue import translations
from cogs.servers.screens import NEEDED
from discord_sandbox import DrivenChannel, MessageView, Permission, Person, Refused, Role, Sandbox
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.players import press_where_it_is
from tests.faults.lost_venues import thread_in

say = translations("en")
PICKED = ("allow", "roles", "notroles", "hosts", "week", "firstrole")
"""The verbs of lists that Discord fills itself."""


async def opened(person: Person, channel: DrivenChannel) -> MessageView:
    reply = await person.slash(channel, "settings")
    assert reply.visibility == "ephemeral"
    return reply.message


async def choose(person: Person, screen: MessageView, verb: str, *values: str) -> str:
    """Choose from the list with this verb that has the line; the text that is shown then."""
    (control,) = [
        select
        for select in screen.selects
        if select.custom_id.split(":")[3] == verb
        and (verb in PICKED or values[0] in [each.value for each in select.options])
    ]
    reply = await person.select(screen, custom_id=control.custom_id, values=list(values))
    assert not reply.failed
    return reply.message.text


async def test_settings_are_for_members_who_manage_the_server_and_nothing_unfit_is_saved(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Settings are for members who manage the server.
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    assert say("settings.about") in (await opened(alice, lobby)).text
    with pytest.raises(Refused):
        await bob.slash(lobby, "settings")
    source = (await bob.slash(lobby, "help")).message
    picked = {
        "set": ["place.thread"],
        "allow": [str(lobby.id)],
        "roles": [str(lobby.id)],
        "notroles": [str(lobby.id)],
        "hosts": [str(lobby.id)],
        "week": [str(lobby.id)],
        "firstrole": [str(lobby.id)],
        "defaults": ["haymaker"],
        "default": ["haymaker.clock.blitz"],
    }
    for press in (
        "set",
        "allow",
        "allowall",
        "roles",
        "notroles",
        "hosts",
        "week",
        "firstrole",
        "defaults",
        "default",
        "nodefaults:haymaker",
        "changes:0",
        "settings",
    ):
        data = {"component_type": 2, "custom_id": f"g1:settings:0:{press}"}
        if press in picked:
            data |= {"component_type": 3, "values": picked[press]}
        told = await bob.forge(lobby, "component", data, source)
        assert say("settings.not_yours") in told.text, press
    assert await room.store.setting_changes(lobby.server_id or 0) == []

    # Defaults that do not fit are refused.
    screen = await opened(alice, lobby)
    for value in (
        "haymaker.clock.900s",
        "haymaker.preset.none",
        "haymaker.nothing.v1",
        "haymaker.match_hand",
        "no.clock.0",
    ):
        data = {"component_type": 3, "custom_id": "g1:settings:0:default", "values": [value]}
        told = await alice.forge(lobby, "component", data, screen)
        assert say("press.unknown") in told.text, value
    assert await room.store.setting_changes(lobby.server_id or 0) == []

    # Missing permissions are named with the reason.
    assert say("check.whole") in (await opened(alice, lobby)).text
    for name in NEEDED[3:]:
        lobby.deny(Permission[name.upper()])
        shown = (await opened(alice, lobby)).text
        assert f"**{say(f'permission.{name}')}**: {say(f'check.{name}')}" in shown
        assert say("check.how") in shown
        lobby.allow(Permission[name.upper()])

    # A change that cannot be saved is refused.
    screen = await opened(alice, lobby)

    async def full(*_: object) -> None:
        raise NotSaved("disk full")

    monkeypatch.setattr(room.store, "change_setting", full)
    told = await alice.select(screen, custom_id="g1:settings:0:set", values=["place.thread"])
    assert say("store.unsaved") in told.text
    assert room.app.server_settings.of(lobby.server_id or 0).place is MatchVenue.CHANNEL


async def test_a_change_is_saved_at_once_shown_and_listed(sandbox: Sandbox, room: Cardroom) -> None:
    alice, lobby, games = sandbox.user("Alice"), sandbox.channel("lobby"), sandbox.channel("games")
    guild_id = lobby.server_id or 0
    screen = await opened(alice, lobby)
    for value in ("place.thread", "board_form.text", "enders.moderators"):
        assert say("settings.saved") in await choose(alice, screen, "set", value)
        (line,) = [each for select in screen.selects for each in select.options if each.value == value]
        assert line.default
    assert "only in <#" in await choose(alice, screen, "allow", str(games.id))
    known = room.app.server_settings.of(guild_id)
    assert (known.place, known.board_form, known.enders) == (MatchVenue.THREAD, BoardForm.TEXT, Enders.MODERATORS)
    assert known.channels == (games.id,)
    listed = (await alice.press(screen, label=say("settings.changes"))).message.text
    lines = listed.splitlines()[1:]
    assert len(lines) == 4
    assert all("**Alice**" in line for line in lines)
    assert lines[0].endswith(f"{say('settings.channels')}: {say('settings.all')} → **<#{games.id}>**")
    back = (await alice.press(screen, label=say("settings.back"))).message
    assert say("settings.all_channels") in (await alice.press(back, label=say("settings.everywhere"))).text
    assert len(await room.store.setting_changes(guild_id)) == 5


async def test_games_are_allowed_only_in_the_channels_of_the_list_and_their_threads(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    lobby, games = sandbox.channel("lobby"), sandbox.channel("games")
    await choose(alice, await opened(alice, lobby), "allow", str(games.id))
    refused = await alice.slash(lobby, "haymaker challenge", opponent=bob)
    assert (refused.visibility, refused.text) == ("ephemeral", say("place.not_allowed", channels=f"<#{games.id}>"))
    assert say("place.not_allowed", channels=f"<#{games.id}>") in (await alice.slash(lobby, "ciq open")).text
    assert (await alice.slash(games, "haymaker challenge", opponent=bob)).visibility == "public"
    assert (await alice.slash(thread_in(sandbox, games), "haymaker open")).visibility == "public"


async def test_only_who_has_one_of_the_roles_and_none_of_the_excluded_ones_plays(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    alice, bob, carol, lobby = *map(sandbox.user, ("Alice", "Bob", "Carol")), sandbox.channel("lobby")
    server = sandbox.server()
    for number, name in ((77, "Players"), (78, "Muted")):
        server.roles[number] = Role(number, name, Permission.SEND_MESSAGES, 1)
    server.members[alice.id].role_ids.append(77)
    async with cardroom(sandbox, tmp_path) as room:
        asked_before = (await carol.slash(lobby, "haymaker challenge", opponent=bob)).message
        waiting = (await carol.slash(lobby, "unbreakable open")).message
        screen = await opened(alice, lobby)
        await choose(alice, screen, "roles", "77")
        await choose(alice, screen, "notroles", "78")
        settings = room.app.server_settings.of(server.id)
        assert (settings.roles, settings.excluded_roles) == ((77,), (78,))
        listed = (await alice.press(screen, label=say("settings.changes"))).message.text
        assert f"{say('settings.roles')}: {say('settings.all_members')} → **<@&77>**" in listed
        refusal = ("ephemeral", say("place.roles"))
        for command, options in (
            *(("haymaker challenge", {"opponent": alice}), ("haymaker open", {}), ("haymaker practice", {})),
            *(("play", {}), ("play", {"game": "haymaker"}), ("daily", {"game": "haymaker"})),
        ):
            refused = await bob.slash(lobby, command, **options)
            assert (refused.visibility, refused.text) == refusal, command
        for message, label in ((asked_before, "Accept"), (waiting, "Join")):
            refused = await bob.press(message, label=label)
            assert (refused.visibility, refused.text) == refusal, label
        taken = say("challenge.takes_none", player=isolation.mention(bob.id))
        assert (await alice.slash(lobby, "haymaker challenge", opponent=bob)).text == taken
        assert (await alice.slash(lobby, "haymaker open")).visibility == "public"
        server.members[bob.id].role_ids.append(77)
        assert (await bob.press(asked_before, label="Accept")).visibility == "public"
        server.members[bob.id].role_ids.append(78)
        assert (await bob.press(waiting, label="Join")).text == say("place.roles")
        assert "My cards" in asked_before.labels


async def test_what_the_host_does_not_choose_is_as_the_server_has_it(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    screen = await opened(alice, lobby)
    await choose(alice, screen, "defaults", "unbreakable")
    await choose(alice, screen, "default", "unbreakable.clock.daily")
    await choose(alice, screen, "default", "unbreakable.preset.short")
    plain = await asked(sandbox, room, "unbreakable")
    assert plain.clock == "daily"
    assert plain.options == (await asked(sandbox, room, "unbreakable", preset="short")).options
    chosen = await asked(sandbox, room, "unbreakable", clock="blitz", preset="default")
    assert (chosen.clock, chosen.options == plain.options) == ("blitz", False)
    assert (await asked(sandbox, room, "haymaker")).clock == room.client.settings.default_clock

    menu = (await alice.context_menu(lobby, "Challenge…", bob)).message
    (other,) = [each.value for each in menu.selects[0].options if each.label == "Unbreakable"]
    await alice.select(menu, custom_id=menu.selects[0].custom_id, values=[other])
    shown = [each.label for select in menu.selects for each in select.options if each.default]
    assert {say("clock.daily"), say("unbreakable.preset.short")} < {*shown}

    await alice.press(screen, label=say("settings.no_defaults"))
    assert room.app.server_settings.of(lobby.server_id or 0).defaults == {}


async def test_of_two_defaults_that_are_chosen_at_once_both_are_saved(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, lobby, change = sandbox.user("Alice"), sandbox.channel("lobby"), room.store.change_setting

    async def slowly(*given: Any) -> None:
        await asyncio.sleep(0.2)
        await change(*given)

    monkeypatch.setattr(room.store, "change_setting", slowly)
    screen = await opened(alice, lobby)
    await choose(alice, screen, "defaults", "unbreakable")
    chosen = ("unbreakable.clock.daily", "unbreakable.preset.short")
    await asyncio.gather(*[choose(alice, screen, "default", each) for each in chosen])
    saved = room.app.server_settings.of(lobby.server_id or 0).defaults_of("unbreakable")
    assert (saved.clock, saved.preset) == ("daily", "short")


async def asked(sandbox: Sandbox, room: Cardroom, game: str, **options: object) -> Invitation:
    """The invitation of a table that Alice opens, once it is closed again."""
    table = await sandbox.user("Alice").slash(sandbox.channel("lobby"), f"{game} open", **options)
    (invitation,) = room.app.invitations.open()
    await press_where_it_is(sandbox.user("Alice"), table.message, "Take back")
    return invitation
