"""The real discord.py on the sandbox: commands, buttons, selects, modals, both kinds of components."""

from __future__ import annotations

import pytest

from discord_sandbox import Sandbox
from tests.sample_bot import SampleBot


async def test_commands_are_synced_and_offered(sandbox: Sandbox, bot: SampleBot) -> None:
    offered = {each["name"] for each in sandbox.user("Alice").commands(sandbox.channel("lobby"))}
    assert offered == {each.name for each in bot.tree.get_commands()} | {"Challenge…"}


async def test_a_subcommand_with_options_is_answered_in_public(sandbox: Sandbox, bot: SampleBot) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    reply = await alice.slash(lobby, "game start", opponent=bob, clock="blitz")
    assert (reply.kind, reply.visibility, reply.failed) == ("message", "public", False)
    assert 0 < reply.elapsed < 3
    assert reply.text == f"{alice.mention} {bob.mention} blitz"
    assert lobby.messages == [reply.message]
    raw = reply.message.raw
    assert raw["type"] == 20
    assert raw["interaction_metadata"]["name"] == "game start"
    assert raw["interaction_metadata"]["user"]["id"] == str(alice.id)
    assert raw["author"]["bot"] is True


async def test_only_allowed_mentions_ping(sandbox: Sandbox, bot: SampleBot) -> None:
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    reply = await alice.slash(sandbox.channel("lobby"), "game start", opponent=bob)
    assert alice.mention in reply.text
    assert reply.message.mentions == [bob.id]


async def test_a_button_updates_its_message_and_follows_up_for_one(sandbox: Sandbox, bot: SampleBot) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    offer = (await alice.slash(lobby, "game start", opponent=bob)).message
    reply = await bob.press(offer, label="Accept")
    assert (reply.kind, reply.message) == ("update", offer)
    assert (offer.text, offer.buttons) == ("accepted", [])
    await sandbox.wait_for(lambda: lobby.for_only(bob))
    assert [each.text for each in lobby.for_only(bob)] == ["only for you"]
    assert lobby.for_only(alice) == []


async def test_a_layout_view_lives_in_an_ephemeral_message(sandbox: Sandbox, bot: SampleBot) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    hand = (await alice.slash(lobby, "hand")).message
    assert hand.ephemeral
    assert hand.flags == 1 << 6 | 1 << 15
    assert hand.text == "number 1\na section"
    assert hand.labels == ["Detail", "Count 1"]
    ids = [each["id"] for each in hand.components]
    assert sorted(ids) == list(range(1, len(ids) + 1))
    for number in (1, 2, 3):
        reply = await alice.press(hand, label=f"Count {number}")
        assert (reply.kind, reply.visibility, reply.message) == ("update", "ephemeral", hand)
    assert hand.text == "number 4\na section"
    assert len(lobby.for_only(alice)) == 1


async def test_a_command_in_a_persons_menu(sandbox: Sandbox, bot: SampleBot) -> None:
    reply = await sandbox.user("Alice").context_menu(sandbox.channel("lobby"), "Challenge…", sandbox.user("Bob"))
    assert reply.text == "challenging Bob"
    assert reply.message.raw["interaction_metadata"]["target_user"]["username"] == "bob"


@pytest.mark.parametrize("secret", [True, False])
async def test_a_deferral_fixes_who_sees_the_answer(sandbox: Sandbox, bot: SampleBot, secret: bool) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    reply = await alice.slash(lobby, "think", secret=secret)
    assert (reply.kind, reply.message.loading) == ("deferred", True)
    bot.wake.set()
    await sandbox.wait_for(lambda: reply.text == "thought of it twice")
    assert reply.message.ephemeral is secret  # although the follow-up asked for an ephemeral message
    assert not reply.message.loading
    assert len(lobby.seen_by(alice)) == 1
    assert len(lobby.seen_by(sandbox.user("Bob"))) == (0 if secret else 1)


async def test_a_bot_writes_to_a_person_directly(sandbox: Sandbox, bot: SampleBot) -> None:
    alice = sandbox.user("Alice")
    person = await bot.fetch_user(alice.id)
    await person.send("psst")
    assert [each.text for each in alice.direct_messages.seen_by(alice)] == ["psst"]
    assert alice.direct_messages.seen_by(sandbox.user("Bob")) == []
