"""What every `ChannelMessages` does, Discord's own and the fake of the unit tests."""

from __future__ import annotations

from typing import Protocol

import pytest

from bot.art.images import Family
from bot.art.layout import Strip, TableLayout, backs
from bot.ui.screen import Button, Picture, Press, Screen, Text
from cogs.screens.renderer import Sheet, buttons_below, sheet
from cogs.screens.tables import with_pictures
from cogs.updates.channel_messages import (
    TAKES_NO_DIRECT_MESSAGES,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
    ChannelMessages,
    NotTaken,
    Posted,
)


class Venue(Protocol):
    """A server's channel and a person, as a test sees and changes them."""

    guild_id: int
    channel_id: int
    person_id: int
    begun: int
    """A moment before anything was sent (ms UTC)."""

    def seen(self) -> list[str]:
        """The texts of the channel's messages, the oldest first."""

    def seen_directly(self) -> list[str]:
        """The texts of the person's direct messages."""

    def notified(self) -> list[list[int]]:
        """Whom each of the channel's messages has notified."""

    def delete_channel(self) -> None:
        """Delete the channel."""

    def somebody_writes(self) -> None:
        """Let somebody else write in the channel."""

    def close_direct_messages(self) -> None:
        """Let the person take no direct messages."""

    def cut(self, method: str) -> None:
        """Cut the connection at the next request of a method, before it has an effect."""

    def refuse(self, method: str, status: int, code: int) -> None:
        """Refuse the next request of a method."""


def saying(text: str) -> Sheet:
    """A screen with one text."""
    return sheet(Screen("", (Text(text),)), "note")


PICTURED = Screen(
    "",
    (Text("before"), Picture(TableLayout(Family.FRENCH, (Strip(backs("", 3)),) * 2), "3 cards"), Text("after")),
)
"""A screen with a picture between two texts."""


class ChannelMessagesContract:
    """The contract's tests; a subclass gives the fixtures `messages` and `venue`."""

    async def test_a_screen_is_posted_edited_and_deleted(self, messages: ChannelMessages, venue: Venue) -> None:
        posted = await messages.post(venue.guild_id, venue.channel_id, saying("first"))
        assert posted.channel_id == venue.channel_id
        assert venue.seen() == ["first"]
        await messages.edit(venue.guild_id, posted, saying("second"))
        assert venue.seen() == ["second"]
        await messages.delete(posted)
        assert venue.seen() == []

    async def test_a_picture_is_uploaded_and_found_again(self, messages: ChannelMessages, venue: Venue) -> None:
        drawing = with_pictures(PICTURED)
        pictured, plain = sheet(drawing, "note"), sheet(PICTURED, "note")
        with_one, without = [await messages.post(venue.guild_id, venue.channel_id, made) for made in (pictured, plain)]
        assert await messages.shows_picture(with_one, pictured)
        assert not await messages.shows_picture(without, pictured)
        await messages.edit(venue.guild_id, without, pictured)
        assert await messages.shows_picture(without, pictured)
        assert venue.seen() == ["before\nafter"] * 2

    async def test_a_text_notifies_those_it_is_to_notify_and_nobody_else(
        self, messages: ChannelMessages, venue: Venue
    ) -> None:
        mention = f"<@{venue.person_id}>"
        loud = await messages.post_text(venue.guild_id, venue.channel_id, f"{mention} loud", [venue.person_id])
        await messages.post_text(venue.guild_id, venue.channel_id, f"{mention} quiet", [])
        assert venue.notified() == [[venue.person_id], []]
        await messages.edit_text(loud, f"{mention} later")
        assert venue.seen() == [f"{mention} later", f"{mention} quiet"]

    async def test_a_direct_message_is_sent_edited_and_deleted(self, messages: ChannelMessages, venue: Venue) -> None:
        posted = await messages.send_directly(venue.person_id, "hello")
        assert venue.seen_directly() == ["hello"]
        await messages.edit_text(posted, "goodbye")
        assert venue.seen_directly() == ["goodbye"]
        await messages.delete(posted)
        assert (venue.seen_directly(), venue.seen()) == ([], [])

    async def test_the_channel_of_direct_messages_is_that_of_the_message(
        self, messages: ChannelMessages, venue: Venue
    ) -> None:
        channel_id = await messages.open_direct(venue.person_id)
        assert (await messages.send_directly(venue.person_id, "hello")).channel_id == channel_id

    async def test_what_was_sent_is_found_with_its_text_and_controls(
        self, messages: ChannelMessages, venue: Venue
    ) -> None:
        buttons = Screen("", (Text("choose"),), ((Button("one", Press("cards")), Button("two", Press("rules"))),))
        venue.somebody_writes()
        screen = await messages.post(venue.guild_id, venue.channel_id, sheet(buttons, "abcdefghij"))
        row = buttons_below((Button("three", Press("cards")),), "abcdefghij")
        text = await messages.post_text(venue.guild_id, venue.channel_id, "hello", [], row)
        gone = await messages.post_text(venue.guild_id, venue.channel_id, "gone", [])
        await messages.delete(gone)
        ids = ("g1:abcdefghij:0:cards", "g1:abcdefghij:0:rules")
        a_day_ahead = venue.begun + 24 * 3600 * 1000
        for since in (venue.begun, a_day_ahead):  # of a machine whose clock is right, and ahead of Discord's
            found = await messages.find_sent(venue.channel_id, since)
            assert [(each.posted, each.custom_ids) for each in found] == [(screen, ids), (text, ids[:1])]
            assert [each.text for each in found] == ["", "hello"]

    async def test_who_takes_no_direct_messages_gets_none(self, messages: ChannelMessages, venue: Venue) -> None:
        venue.close_direct_messages()
        with pytest.raises(NotTaken) as refused:
            await messages.send_directly(venue.person_id, "hello")
        assert (refused.value.code, refused.value.answered) == (TAKES_NO_DIRECT_MESSAGES, True)

    async def test_a_message_that_is_gone_is_neither_edited_nor_deleted(
        self, messages: ChannelMessages, venue: Venue
    ) -> None:
        posted = await messages.post(venue.guild_id, venue.channel_id, saying("first"))
        await messages.delete(posted)
        for again in (
            messages.edit(venue.guild_id, posted, saying("second")),
            messages.edit_text(posted, "second"),
            messages.delete(posted),
        ):
            with pytest.raises(NotTaken) as refused:
                await again
            assert (refused.value.code, refused.value.answered) == (UNKNOWN_MESSAGE, True)

    async def test_a_channel_that_is_gone_takes_nothing(self, messages: ChannelMessages, venue: Venue) -> None:
        posted = await messages.post(venue.guild_id, venue.channel_id, saying("first"))
        venue.delete_channel()
        for again in (
            messages.post(venue.guild_id, venue.channel_id, saying("second")),
            messages.post_text(venue.guild_id, venue.channel_id, "second", []),
            messages.edit(venue.guild_id, posted, saying("second")),
            messages.delete(posted),
            messages.find_sent(venue.channel_id, venue.begun),
        ):
            with pytest.raises(NotTaken) as refused:
                await again
            assert refused.value.code == UNKNOWN_CHANNEL

    async def test_a_refusal_has_discords_code_and_changes_nothing(
        self, messages: ChannelMessages, venue: Venue
    ) -> None:
        posted = await messages.post(venue.guild_id, venue.channel_id, saying("first"))
        venue.refuse("PATCH", 403, 50001)
        with pytest.raises(NotTaken) as refused:
            await messages.edit(venue.guild_id, posted, saying("second"))
        assert (refused.value.code, refused.value.answered) == (50001, True)
        assert venue.seen() == ["first"]

    async def test_a_cut_connection_is_no_answer(self, messages: ChannelMessages, venue: Venue) -> None:
        posted = await messages.post(venue.guild_id, venue.channel_id, saying("first"))
        venue.cut("DELETE")
        with pytest.raises(NotTaken) as cut:
            await messages.delete(posted)
        assert (cut.value.code, cut.value.answered) == (0, False)
        venue.cut("POST")
        with pytest.raises(NotTaken) as cut:
            await messages.post(venue.guild_id, venue.channel_id, saying("second"))
        assert (cut.value.code, cut.value.answered) == (0, False)
        assert venue.seen() == ["first"]

    async def test_an_unknown_message_is_not_found(self, messages: ChannelMessages, venue: Venue) -> None:
        with pytest.raises(NotTaken) as refused:
            await messages.delete(Posted(venue.channel_id, 1))
        assert refused.value.code == UNKNOWN_MESSAGE
