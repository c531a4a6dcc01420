"""Views, selects, layouts and modals as discord.py's users write them, each driven by people."""

from __future__ import annotations

import pytest

from discord_sandbox import Refused, Sandbox
from discord_sandbox.discord_py import connected
from tests.conformance.bots import layouts, modals, persistent, selects, views


async def test_a_question_waits_for_its_asker(sandbox: Sandbox) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with connected(views.bot(), sandbox):
        asked = (await alice.slash(lobby, "sure")).message
        assert (await bob.press(asked, label="Yes")).text == "not your question"
        assert (await alice.press(asked, label="Yes")).kind == "deferred_update"
        await sandbox.wait_for(lambda: (asked.text, asked.buttons) == ("done", []))
        asked = (await alice.slash(lobby, "sure")).message
        assert (await alice.press(asked, label="No")).visibility == "ephemeral"
        await sandbox.wait_for(lambda: asked.text == "left")


async def test_a_tally_counts_in_its_own_message_until_it_is_done(sandbox: Sandbox) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with connected(views.bot(), sandbox):
        tally = (await alice.slash(lobby, "tally")).message
        for who, shown in ((alice, "1"), (bob, "2"), (alice, "3")):
            assert (await who.press(tally, label=tally.labels[0])).message == tally
            assert tally.labels == [shown]
        assert (tally.buttons[0].style, tally.buttons[0].disabled, tally.buttons[0].emoji) == (3, True, "🎲")
        with pytest.raises(Refused):
            await alice.press(tally, label="3")


async def test_a_door_gives_each_person_a_tally_of_their_own(sandbox: Sandbox) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with connected(views.bot(), sandbox):
        door = (await alice.slash(lobby, "door")).message
        mine, yours = [(await who.press(door, label="Start")).message for who in (alice, bob)]
        await alice.press(mine, label="0")
        assert (mine.labels, yours.labels) == (["1"], ["0"])
        assert lobby.for_only(bob) == [yours]
        with pytest.raises(Refused):
            await alice.press(yours, label="0")


async def test_pages_are_embeds_with_buttons_at_both_ends(sandbox: Sandbox) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    async with connected(views.bot(), sandbox):
        pages = (await alice.slash(lobby, "pages")).message
        assert pages.text == "Pages\none\nof: 3\n1"
        assert pages.button("Back").disabled
        for _ in range(2):
            await alice.press(pages, label="On")
        assert pages.text == "Pages\nthree\nof: 3\n3"
        assert pages.button("On").disabled


async def test_a_link_is_a_button_that_nobody_presses(sandbox: Sandbox) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    async with connected(views.bot(), sandbox):
        there = (await alice.slash(lobby, "look", words="cards")).message
        assert (there.button("Look").style, there.button("Look").url) == (5, "https://example.org/?q=cards")
        with pytest.raises(Refused):
            await alice.press(there, label="Look")


async def test_registered_views_and_items_outlive_the_process(sandbox: Sandbox) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with connected(persistent.bot(), sandbox):
        poll = (await alice.slash(lobby, "poll")).message
        own = (await alice.slash(lobby, "own")).message
        await alice.press(own, label="0")
    async with connected(persistent.bot(), sandbox):
        assert (await bob.press(poll, label="Against")).text == "counted against"
        assert (await bob.press(own, label="1")).text == "not yours"
        await alice.press(own, label="1")
        assert own.buttons[0].custom_id == f"own:2:{alice.id}"


async def test_a_select_of_strings_answers_with_its_choice(sandbox: Sandbox) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    async with connected(selects.bot(), sandbox):
        which = (await alice.slash(lobby, "favourite")).message
        assert [option.default for option in which.selects[0].options] == [False, True]
        assert (await alice.select(which, values=["Spades"])).text == "You like Spades"
        with pytest.raises(Refused):
            await alice.select(which, values=["Clubs"])


async def test_selects_of_people_roles_and_channels_resolve_what_is_chosen(sandbox: Sandbox) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    everyone = sandbox.server().everyone
    async with connected(selects.bot(), sandbox):
        whom = (await alice.slash(lobby, "everything")).message
        by_kind = {select.kind: select.custom_id for select in whom.selects}
        wanted = {
            5: ([str(alice.id), str(bob.id)], "Alice Bob"),
            6: ([str(everyone.id)], "@everyone"),
            7: ([str(bob.id)], "Member"),
            8: ([str(lobby.id)], "#lobby"),
        }
        for kind, (values, answer) in wanted.items():
            reply = await alice.select(whom, custom_id=by_kind[kind], values=values)
            assert reply.text == answer
        assert (await alice.select(whom, custom_id=by_kind[7], values=[])).text == "nobody"


async def test_a_private_panel_is_built_anew_after_each_change(sandbox: Sandbox) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    async with connected(selects.bot(), sandbox):
        panel = (await alice.slash(lobby, "settings")).message
        assert panel.ephemeral
        assert panel.text == "# Settings\nSound: quiet"
        await alice.press(panel, label="Loud")
        assert panel.text == "# Settings\nSound: loud"
        await alice.select(panel, values=["blue"])
        assert [(each.label, each.default) for each in panel.selects[0].options] == [("red", False), ("blue", True)]
        assert panel.labels == ["Quiet"]


async def test_a_layout_with_every_kind_of_component_and_files(sandbox: Sandbox) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    async with connected(layouts.bot(), sandbox) as client:
        card = (await alice.slash(lobby, "card")).message
        assert [each["type"] for each in card.components] == [17, 9, 10, 10, 11, 14, 12, 13, 1, 2, 10]
        by_type = {each["type"]: each for each in card.components}
        picture = by_type[11]["media"]
        assert (picture["width"], picture["height"], by_type[11]["description"]) == (1, 1, "one point")
        assert [item["spoiler"] for item in by_type[12]["items"]] == [True, False]
        assert (by_type[13]["name"], by_type[13]["size"]) == ("notes.txt", 5)
        assert (await alice.press(card, label="Like")).message == card
        assert card.button("Liked").disabled
        read = await client.get_channel(lobby.id).fetch_message(card.id)  # type: ignore[union-attr]  # a text channel
        assert len(read.attachments) == 2
        assert await read.attachments[1].read() == b"notes"


async def test_a_text_that_is_too_long_is_refused_and_the_bot_can_say_so(sandbox: Sandbox) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    async with connected(layouts.bot(), sandbox):
        reply = await alice.slash(lobby, "long")
        await sandbox.wait_for(lambda: reply.message.text == "refused with 50035")


async def test_a_modal_of_the_older_kind(sandbox: Sandbox) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    async with connected(modals.bot(), sandbox):
        opened = (await alice.slash(lobby, "feedback")).modal
        assert (opened.title, list(opened.labels)) == ("Feedback", ["Name", "Words"])
        with pytest.raises(Refused):
            await alice.submit(opened, {"Words": "no name"})
        reply = await alice.submit(opened, {"Name": "Al"})
        assert (reply.visibility, reply.text) == ("ephemeral", "Thanks, Al: -")


async def test_a_modal_of_labels_selects_and_text(sandbox: Sandbox) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with connected(modals.bot(), sandbox):
        opened = (await alice.slash(lobby, "report")).modal
        reply = await alice.submit(opened, {"Kind": ["Manners"], "Whom": [str(bob.id)], "More": "twice"})
        assert (reply.visibility, reply.text) == ("public", "Manners, Bob: twice")


async def test_a_modal_opened_by_a_button_changes_that_message(sandbox: Sandbox) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    async with connected(modals.bot(), sandbox):
        titled = (await alice.slash(lobby, "titled")).message
        opened = (await alice.press(titled, label="Rename")).modal
        reply = await alice.submit(opened, {"Title": "Haymaker"})
        assert (reply.kind, reply.message, titled.text) == ("update", titled, "Haymaker")
