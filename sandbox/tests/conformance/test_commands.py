"""Application commands, menus and events as discord.py's users write them."""

from __future__ import annotations

import pytest

from discord_sandbox import Refused, Sandbox
from discord_sandbox.discord_py import connected
from tests.conformance.bots import commands, conversation


async def test_plain_options_arrive_as_their_types(sandbox: Sandbox) -> None:
    alice, bob, lobby, games = (
        sandbox.user("Alice"),
        sandbox.user("Bob"),
        sandbox.channel("lobby"),
        sandbox.channel("games"),
    )
    everyone = str(sandbox.server().everyone.id)
    async with connected(commands.bot(), sandbox):
        assert (await alice.slash(lobby, "add", first=2, **{"and": 0.5})).text == "2 + 0.5 = 2.5"
        with pytest.raises(Refused):
            await alice.slash(lobby, "add", first=2, **{"and": 11})
        assert (await alice.slash(lobby, "say", where=games, what="hello")).visibility == "ephemeral"
        assert games.last.text == "hello"
        with pytest.raises(Refused):
            await alice.slash(lobby, "say", where=games, what="x" * 21)
        assert (await alice.slash(lobby, "joined", member=bob)).text.startswith("Bob <t:")
        assert (await alice.slash(lobby, "joined")).text.startswith("Alice <t:")
        told = await alice.slash(lobby, "about", role=everyone, anyone=everyone, loud=True)
        assert told.text == "@everyone Role True"
        told = await alice.slash(lobby, "about", role=everyone, anyone=bob, loud=False)
        assert told.text == "@everyone Member False"


async def test_transformers_choices_and_enums(sandbox: Sandbox) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    async with connected(commands.bot(), sandbox):
        assert (await alice.slash(lobby, "plot", point="3,4")).text == "x=3 y=4"
        assert (await alice.slash(lobby, "plot", point="here")).text == "TransformerError"
        assert (await alice.slash(lobby, "buy", fruit="Cherry", size="Large")).text == "Cherry Large now"
        assert (await alice.slash(lobby, "buy", fruit=0, size=1, how="later")).text == "Apple Small later"
        with pytest.raises(Refused):
            await alice.slash(lobby, "buy", fruit="Plum", size=1)


async def test_groups_in_groups(sandbox: Sandbox) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    async with connected(commands.bot(), sandbox):
        assert (await alice.slash(lobby, "deck size")).text == "52"
        assert (await alice.slash(lobby, "deck pile turn", cards=3)).text == "turned 3"
        with pytest.raises(Refused):
            await alice.slash(lobby, "deck pile")


async def test_permissions_and_checks(sandbox: Sandbox) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with connected(commands.bot(), sandbox):
        assert (await alice.slash(lobby, "manage")).text == "managed"  # who owns the server may do all
        with pytest.raises(Refused):
            await bob.slash(lobby, "manage")
        assert (await bob.slash(lobby, "never")).text == "CheckFailure"


async def test_completions_know_the_other_options(sandbox: Sandbox) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    async with connected(commands.bot(), sandbox):
        offered = await alice.autocomplete(lobby, "card", option="name", value="", suit="spades")
        assert offered.choices[0] == {"name": "ace of spades", "value": "ace"}
        offered = await alice.autocomplete(lobby, "card", option="name", value="UEE")
        assert [each["name"] for each in offered.choices] == ["queen of any suit"]
        assert (await alice.slash(lobby, "card", suit="spades", name="joker")).text == "joker of spades"


async def test_a_menu_of_a_message(sandbox: Sandbox) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with connected(commands.bot(), sandbox):
        written = bob.say(lobby, "seven!!")
        counted = await alice.context_menu(lobby, "Count letters", written)
        assert (counted.visibility, counted.text) == ("ephemeral", "7 by Bob")


async def test_a_menu_of_a_person(sandbox: Sandbox) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with connected(commands.bot(), sandbox):
        shown = await alice.context_menu(lobby, "Show name", bob)
        assert (shown.visibility, shown.text) == ("ephemeral", "Bob")


async def test_replies_edits_and_deletions(sandbox: Sandbox) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    async with connected(conversation.bot(), sandbox) as client:
        assert isinstance(client, conversation.Talker)
        asked = alice.say(lobby, "!hello")
        await sandbox.wait_for(lambda: lobby.last.text == "Hello!")
        assert lobby.last.raw["message_reference"]["message_id"] == str(asked.id)
        assert lobby.last.mentions == [alice.id]
        alice.say(lobby, "!edit")
        await sandbox.wait_for(lambda: lobby.last.text == "40" and lobby.last.edited)
        alice.say(lobby, "!delete")
        await sandbox.wait_for(lambda: len(client.noticed) == 2)
        assert client.noticed == ["10 -> 40", "deleted gone soon"]
        alice.say(lobby, "!last")
        await sandbox.wait_for(lambda: lobby.last.text == "!last < !delete < 40")


async def test_who_comes_is_greeted_and_the_clock_writes(sandbox: Sandbox) -> None:
    bob, lobby, games = sandbox.user("Bob"), sandbox.channel("lobby"), sandbox.channel("games")
    sandbox.remove_member(bob)
    async with connected(conversation.bot(), sandbox):
        await sandbox.wait_for(lambda: [each.text for each in games.messages] == ["tick 1", "tick 2", "tick 3"])
        sandbox.add_member(bob)
        await sandbox.wait_for(lambda: lobby.messages)
        assert lobby.last.text == f"Welcome {bob.mention}"
