"""What Discord's client would not let a person do is refused before the bot hears of it."""

from __future__ import annotations

import pytest

from discord_sandbox import Permission, Refused, Sandbox
from tests.sample_bot import SampleBot


async def test_an_unknown_command_or_option_is_refused(sandbox: Sandbox, bot: SampleBot) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    with pytest.raises(Refused, match="no command 'gaem'"):
        await alice.slash(lobby, "gaem start")
    with pytest.raises(Refused, match="no subcommand 'stop'"):
        await alice.slash(lobby, "game stop")
    with pytest.raises(Refused, match="needs a subcommand"):
        await alice.slash(lobby, "game")
    with pytest.raises(Refused, match="no such option: speed"):
        await alice.slash(lobby, "game start", opponent=bob, speed=3)
    assert sandbox.transcript.events == []


async def test_a_required_option_must_be_there_and_choices_be_kept(sandbox: Sandbox, bot: SampleBot) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    with pytest.raises(Refused, match="'opponent' is required"):
        await alice.slash(lobby, "game start", clock="blitz")
    with pytest.raises(Refused, match="takes one of"):
        await alice.slash(lobby, "game start", opponent=bob, clock="forever")
    with pytest.raises(Refused, match="no user 7"):
        await alice.slash(lobby, "game start", opponent="7")
    with pytest.raises(Refused, match="true or false"):
        await alice.slash(lobby, "think", secret="perhaps")


async def test_a_choice_may_be_named_by_what_is_shown(sandbox: Sandbox, bot: SampleBot) -> None:
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    reply = await alice.slash(sandbox.channel("lobby"), "game start", opponent=bob, clock="Blitz")
    assert reply.text.endswith("blitz")


async def test_only_what_stands_there_enabled_is_pressed(sandbox: Sandbox, bot: SampleBot) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    offer = (await alice.slash(lobby, "game start", opponent=bob)).message
    with pytest.raises(Refused, match="labelled 'Decline'"):
        await bob.press(offer, label="Decline")
    with pytest.raises(Refused, match="no button 'offer:decline'"):
        await bob.press(offer, custom_id="offer:decline")
    with pytest.raises(Refused, match="disabled"):
        await bob.press(offer, label="Closed")
    forced = await bob.press(offer, label="Closed", force=True)
    assert forced.text == "pressed all the same"
    with pytest.raises(Refused, match="no select"):
        await bob.select(offer, custom_id="offer:accept", values=["x"])


async def test_a_press_on_a_deleted_message_is_refused_unless_forced(sandbox: Sandbox, bot: SampleBot) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    offer = (await alice.slash(lobby, "game start", opponent=bob)).message
    sandbox.delete_message(offer)
    with pytest.raises(Refused, match="gone"):
        await bob.press(offer, custom_id="offer:closed")
    assert (await bob.press(offer, custom_id="offer:closed", force=True)).text == "pressed all the same"


async def test_anothers_ephemeral_message_is_out_of_reach_even_by_force(sandbox: Sandbox, bot: SampleBot) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    hand = (await alice.slash(lobby, "hand")).message
    with pytest.raises(Refused, match="cannot see"):
        await bob.press(hand, label="Count 1", force=True)
    with pytest.raises(Refused):
        bob.dismiss(hand)
    alice.dismiss(hand)
    assert lobby.seen_by(alice) == []


async def test_selections_keep_to_the_options(sandbox: Sandbox, bot: SampleBot) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    which = (await alice.slash(lobby, "pick")).message
    for values in ([], ["red", "green", "blue"], ["mauve"]):
        with pytest.raises(Refused):
            await alice.select(which, values=values)


async def test_a_modal_keeps_to_its_fields_and_closes(sandbox: Sandbox, bot: SampleBot) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    modal = (await alice.slash(lobby, "ask")).modal
    for values in ({}, {"answer": "x"}, {"answer": "x" * 21}, {"answer": "fine", "other": "y"}):
        with pytest.raises(Refused, match="cannot be sent"):
            await alice.submit(modal, values)
    with pytest.raises(Refused, match="not open"):
        await bob.submit(modal, {"answer": "fine"})
    await alice.submit(modal, {"answer": "fine"})
    with pytest.raises(Refused, match="not open"):
        await alice.submit(modal, {"answer": "fine"})


async def test_who_does_not_see_the_channel_does_nothing_there(sandbox: Sandbox, bot: SampleBot) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    offer = (await alice.slash(lobby, "game start", opponent=bob)).message
    lobby.deny(Permission.VIEW_CHANNEL, member=bob)
    with pytest.raises(Refused):
        await bob.slash(lobby, "hand")
    with pytest.raises(Refused):
        await bob.press(offer, label="Accept")
    lobby.allow(Permission.VIEW_CHANNEL, member=bob)
    sandbox.remove_member(bob)
    with pytest.raises(Refused):
        await bob.press(offer, label="Accept")
    sandbox.add_member(bob)
    assert (await bob.press(offer, label="Accept")).text == "accepted"


async def test_commands_may_need_a_permission_or_a_place(sandbox: Sandbox, bot: SampleBot) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    for command in bot.tree.get_commands():
        if command.name == "hand":
            command.default_permissions = bot_permissions = type(bot.permissions_seen)(manage_guild=True)
            assert bot_permissions.manage_guild
        if command.name == "pick":
            command.guild_only = True
    await bot.tree.sync()
    assert "hand" in {each["name"] for each in alice.commands(lobby)}  # Alice owns the server
    assert "hand" not in {each["name"] for each in bob.commands(lobby)}
    in_direct_messages = {each["name"] for each in bob.commands(bob.direct_messages)}
    assert "pick" not in in_direct_messages
    assert "think" in in_direct_messages
    assert (await bob.slash(bob.direct_messages, "find", name="x")).text == "found x"


async def test_the_bot_sees_what_it_lacks(sandbox: Sandbox, bot: SampleBot) -> None:
    alice, bob, games = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("games")
    games.deny(Permission.SEND_MESSAGES)
    await alice.slash(games, "game start", opponent=bob)
    assert not bot.permissions_seen.send_messages
    assert bot.permissions_seen.view_channel
