"""A server's own presets: saved from the panel of a challenge, offered to everybody there, removed in `/settings`."""

from __future__ import annotations

from bot.games import GAMES
from bot.play.server_settings import MOST_PRESETS, PRESETS, NamedPreset
from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, MessageView, Person, Sandbox
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import press_where_it_is, resign

say = translations("en")
SAVE, NAME, SEND = say("preset.save"), say("preset.name"), say("panel.send")


async def pick(person: Person, panel: MessageView, label: str) -> MessageView:
    """Choose the line with this label on a panel; the panel as it is then."""
    (found,) = [(each, line) for each in panel.selects for line in each.options if line.label == label]
    control, line = found
    return (await person.select(panel, custom_id=control.custom_id, values=[line.value])).message


async def save(person: Person, panel: MessageView, name: str) -> str:
    """Save what a panel shows under a name; what is said then."""
    opened = await person.press(panel, label=SAVE)
    assert opened.modal is not None
    reply = await person.submit(opened.modal, {NAME: name})
    assert reply.visibility == "ephemeral"
    return reply.text


async def ciq_panel(person: Person, channel: DrivenChannel, opponent: Person) -> MessageView:
    panel = (await person.context_menu(channel, "Challenge…", opponent)).message
    return await pick(person, panel, GAMES["ciq"].info.title)


async def test_what_a_panel_shows_is_saved_offered_first_sent_and_removed(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    guild_id = lobby.server_id or 0
    panel = await ciq_panel(alice, lobby, bob)
    for label in (say("clock.daily"), say("panel.value", option=say("series.name"), value=say("series.3"))):
        panel = await pick(alice, panel, label)
    panel = await pick(alice, panel, say("panel.value", option=say("ciq.name.round_limit"), value="50"))
    told = await save(alice, panel, " Our **Friday**\u200b  CIQ")
    assert "**Our \\*\\*Friday\\*\\* CIQ**" in told
    (kept,) = room.app.server_settings.of(guild_id).named("ciq")
    assert (kept.name, kept.terms.clock, kept.best_of) == ("Our **Friday** CIQ", "daily", 3)
    assert dict(kept.terms.options) == {"round_limit": 50}

    theirs = await ciq_panel(bob, lobby, alice)
    assert SAVE not in theirs.labels, "only who may host saves"
    (presets,) = [each for each in theirs.selects if each.placeholder == say("panel.preset")]
    assert presets.options[0].label == kept.name
    assert presets.options[0].description == say("preset.own")
    theirs = await pick(bob, theirs, kept.name)
    sent = await bob.press(theirs, label=SEND)
    assert sent.visibility == "public"
    table = await bob.press(theirs, label=say("panel.table"))
    assert "Join" in table.message.labels
    told = say("panel.value", option=say("series.name"), value=say("series.1"))
    await sandbox.wait_for(lambda: told in [each.text for each in lobby.for_only(bob)])
    for invitation in room.app.invitations.open():
        assert (invitation.game, invitation.clock) == ("ciq", "daily")
        assert '"round_limit":50' in invitation.options
    challenge, opened = room.app.invitations.open()
    assert challenge.series is not None
    assert opened.series is None, "C-9: more than two may sit down there"

    page = (await alice.press((await alice.slash(lobby, "settings")).message, label=say("preset.title"))).message
    assert "Friday" in page.text
    page = await pick(alice, page, kept.name)
    assert say("settings.saved") in page.text
    assert "Friday" not in page.text
    assert room.app.server_settings.of(guild_id).named("ciq") == ()
    settings = (await alice.press(page, label=say("settings.back"))).message
    assert "Friday" in (await alice.press(settings, label=say("settings.changes"))).message.text


async def test_a_name_is_taken_over_and_what_cannot_be_saved_is_said(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    guild_id, known = lobby.server_id or 0, room.app.server_settings
    panel = await ciq_panel(alice, lobby, bob)
    assert await save(alice, panel, " \u200b ") == say("preset.no_name")
    await save(alice, panel, "Friday")
    await save(alice, await pick(alice, panel, say("clock.daily")), "FRIDAY")
    (kept,) = known.of(guild_id).named("ciq")
    assert (kept.name, kept.terms.clock) == ("Friday", "daily")
    for nth in range(1, MOST_PRESETS):
        await known.change(guild_id, alice.id, f"{PRESETS}{nth}", "written by another version")
    assert NamedPreset.read("1", "written by another version") is None
    assert await save(alice, panel, "Saturday") == say("preset.too_many", most=MOST_PRESETS)
    assert say("preset.left_out", name="1") in (await alice.slash(lobby, "settings")).text
    assert [each.name for each in known.of(guild_id).named("ciq")] == ["Friday"]

    forged = {"component_type": 2, "custom_id": panel_id(panel)}
    told = await bob.forge(lobby, "component", forged, (await bob.slash(lobby, "help")).message)
    assert told.text == say("hosting.not_allowed")
    source = (await alice.slash(lobby, "settings")).message
    page = (await alice.press(source, label=say("preset.title"))).message
    (removing,) = page.selects
    stolen = {"component_type": 3, "custom_id": removing.custom_id, "values": [removing.options[0].value]}
    told = await bob.forge(lobby, "component", stolen, (await bob.slash(lobby, "help")).message)
    assert told.text == say("settings.not_yours")


def panel_id(panel: MessageView) -> str:
    """The id of the button that saves."""
    (found,) = [each.custom_id for each in panel.buttons if each.label == SAVE]
    return found or ""


async def test_what_was_just_played_is_saved_from_other_options(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    asked = await alice.slash(lobby, "haymaker challenge", opponent=bob, clock="blitz")
    board = (await bob.press(asked.message, label="Accept")).message
    await resign(bob, board)
    await sandbox.wait_for(lambda: say("button.more") in board.labels and "My cards" not in board.labels)
    again = (await press_where_it_is(alice, board, say("button.other_options"))).message
    assert say("panel.table") not in again.labels
    assert "**Rapid**" in await save(alice, again, "Rapid")
    (kept,) = room.app.server_settings.of(lobby.server_id or 0).named("haymaker")
    assert kept.terms.clock == "blitz"
    theirs = (await press_where_it_is(bob, board, say("button.other_options"))).message
    assert SAVE not in theirs.labels
    assert "Rapid" in [line.label for each in theirs.selects for line in each.options]
