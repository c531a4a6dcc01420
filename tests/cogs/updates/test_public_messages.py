"""The one public message of what people sign up for: edited, posted again, and there once whatever happens."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.store.errors import NotSaved
from bot.telemetry import NO_TELEMETRY
from bot.ui.screen import Button, Press, Screen, Text
from cogs.updates.public_messages import PublicMessage, PublicMessages
from cogs.updates.shown_messages import STALE, ShownMessages
from tests.bot.play.parts import CHANNEL, ELSEWHERE, GUILD
from tests.cogs.fake_messages import FakeMessage, refused
from tests.cogs.updates.following import Following

NO_HISTORY = 50001


class Club:
    """Something that people sign up for, with what is kept of its message."""

    def __init__(self, room: Following) -> None:
        self.room = room
        self.kept = PublicMessage("k3club", GUILD, CHANNEL, None, room.scheduler.now(), None, self.screen("first"))
        self.fails = False
        self.start()

    def start(self) -> None:
        """Begin as a new process does."""
        shown = ShownMessages(self.room.messages, self.room.edits, self.room.scheduler, NO_TELEMETRY)
        self.messages = PublicMessages("club", self.read, self.note, shown, self.room.edits)

    def screen(self, text: str) -> Screen:
        return Screen("Club", (Text(text),), ((Button("Join", Press("join")),),))

    async def read(self, guild_id: int, target: str) -> PublicMessage:
        assert (guild_id, target) == (GUILD, self.kept.id)
        return self.kept

    async def note(self, shown: PublicMessage, message_id: int) -> bool:
        if self.fails:
            raise NotSaved("full")
        assert shown.id == self.kept.id
        stays = shown.channel_id == self.kept.channel_id
        if stays:
            self.kept = replace(self.kept, message_id=message_id)
        return stays

    async def show(self, text: str, *, begins: bool = False) -> None:
        """Have the message say something else, perhaps because something has begun."""
        begun_at = self.room.scheduler.now() if begins else self.kept.begun_at
        self.kept = replace(self.kept, screen=self.screen(text), begun_at=begun_at)
        self.messages.request(GUILD, self.kept.id)
        await self.room.seconds(5)

    def there(self) -> list[FakeMessage]:
        return self.room.messages.there(CHANNEL)

    def is_right(self, text: str) -> bool:
        """Whether it is there once, as it is noted, and says this."""
        told = [(each.posted.message_id, text in each.text) for each in self.there()]
        return told == [(self.kept.message_id, True)]


@pytest.fixture
async def club(room: Following) -> Club:
    made = Club(room)
    await made.show("first")
    assert made.is_right("first")
    return made


async def test_it_is_edited_and_posted_again_once_something_has_begun(club: Club) -> None:
    first = club.kept.message_id
    await club.show("second")
    assert club.is_right("second")
    assert club.kept.message_id == first
    await club.show("third", begins=True)
    assert club.is_right("third")
    assert club.kept.message_id != first


@pytest.mark.parametrize("begins", [True, False], ids=["something has begun", "it has grown old"])
async def test_a_copy_whose_post_was_never_noted_goes(club: Club, *, begins: bool) -> None:
    if not begins:
        await club.room.seconds(STALE / 1000)
    club.fails, copied_at = True, club.room.scheduler.now()
    await club.show("second", begins=begins)
    await club.room.seconds(3600)
    assert len(club.there()) > 1
    club.fails = False
    club.start()
    await club.show("third")
    await club.room.seconds(5)
    assert club.is_right("third")
    assert club.room.messages.looked_since <= copied_at


@pytest.mark.parametrize("after", [0, 2], ids=["at once", "while it is posted"])
async def test_only_one_is_left_however_fast_it_is_moved(club: Club, after: int) -> None:
    def move(channel_id: int) -> None:
        club.messages.left(GUILD, club.kept.id, club.kept.channel_id, club.kept.message_id)
        club.kept = replace(club.kept, channel_id=channel_id, message_id=None)
        club.messages.request(GUILD, club.kept.id)

    move(ELSEWHERE)
    posting = club.room.messages.hold()
    await club.room.seconds(after)
    move(CHANNEL)
    posting.set()
    await club.room.seconds(10)
    assert len(club.there()) == 1
    await club.show("second")
    assert [each.text.count("second") for each in club.there()] == [1]
    assert club.room.messages.there(ELSEWHERE) == []


async def test_a_first_post_that_was_never_noted_is_found(room: Following) -> None:
    club = Club(room)
    club.fails = True
    await club.show("first")
    club.fails = False
    club.start()
    await club.show("second")
    assert ["second" in each.text for each in club.there()] == [True]


async def test_it_is_posted_again_where_nothing_can_be_looked_for(club: Club) -> None:
    club.room.messages.fail("find", refused(NO_HISTORY))
    await club.show("second", begins=True)
    assert club.is_right("second")
