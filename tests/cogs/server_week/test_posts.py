"""The messages of a server's week: one a room, silent, edited in place, posted once, and where the owner wishes."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from bot.play.server_settings import FIRST_ROLE, WEEK, KnownServerSettings
from bot.scheduler import DAY
from bot.store.errors import Busy, NotSaved
from bot.store.queries import begun_deletions
from bot.store.queries.begun_deletions import Deletion
from bot.telemetry import NO_TELEMETRY
from bot.ui.screen import Button, Press, Screen, Text
from cogs.screens.renderer import Sheet
from cogs.server_week.posts import FIRST_AFTER, LOOKS_EVERY, WeekMessages
from cogs.server_week.queries import WeekQueries
from cogs.updates.channel_messages import NotTaken
from cogs.updates.server_roles import UNKNOWN_MEMBER, ServerRoles
from cogs.updates.server_week import ServerWeek, WeekPost
from cogs.updates.shown_messages import ShownMessages
from tests.bot.play.parts import ANN, BOB, CAT, GUILD
from tests.cogs.fake_messages import CUT, FakeMessage, refused
from tests.cogs.updates.following import Following
from tests.failing_rules import raising

OWNER, HERE, THERE, ROLE = 9, 7001, 7002, 8001
NO_ACCESS, NO_PERMISSION = 50001, 50013


class FakeRoles:
    """Who has which role; it may refuse."""

    def __init__(self) -> None:
        self.had: set[tuple[int, int]] = set()
        self.refusal: NotTaken | None = None
        self.tries = 0

    async def give(self, guild_id: int, user_id: int, role_id: int) -> None:
        self._answer(guild_id)
        self.had.add((user_id, role_id))

    async def take(self, guild_id: int, user_id: int, role_id: int) -> None:
        self._answer(guild_id)
        self.had.discard((user_id, role_id))

    def _answer(self, guild_id: int) -> None:
        assert guild_id == GUILD
        self.tries += 1
        if self.refusal is not None:
            raise self.refusal


class House:
    """A server whose rooms say what a test has them say."""

    def __init__(self, room: Following) -> None:
        self.room = room
        self.said: dict[str, WeekPost | None] = {"daily": None, "leaderboards": None}
        self.roles = FakeRoles()
        self.settings = KnownServerSettings(room.store, room.scheduler.now)
        self.queries = WeekQueries(room.store)
        self.start()

    def start(self) -> None:
        """Begin as a new process does."""
        room = self.room
        self.week = ServerWeek()
        for name in self.said:
            self.week.posts[name] = self._reader(name)
        shown = ShownMessages(room.messages, room.edits, room.scheduler, NO_TELEMETRY)
        roles = cast("ServerRoles", self.roles)
        self.posts = WeekMessages(self.week, self.queries, shown, room.messages, room.edits, roles, self.settings)

    def _reader(self, name: str):  # type: ignore[no-untyped-def]  # a `ReadPost`
        async def read(guild_id: int) -> WeekPost | None:
            assert guild_id == GUILD
            return self.said[name]

        return read

    async def choose(self, name: str, *ids: int) -> None:
        await self.settings.change(GUILD, OWNER, name, " ".join(map(str, ids)))

    async def look(self) -> None:
        await self.posts.look(GUILD)
        await self.room.seconds(10)

    def there(self, channel_id: int = HERE) -> list[FakeMessage]:
        return self.room.messages.there(channel_id)


def said(text: str, edition: int = 0, firsts: tuple[int, ...] | None = None) -> WeekPost:
    screen = Screen("Title", (Text(text),), ((Button("Look", Press("daily")),),))
    return WeekPost(screen, edition, firsts)


@pytest.fixture
async def house(room: Following) -> House:
    made = House(room)
    await made.choose(WEEK, HERE)
    made.said["daily"] = said("first")
    return made


async def test_a_room_has_one_silent_message_that_is_edited_only_when_it_changes(house: House) -> None:
    await house.look()
    (message,) = house.there()
    assert isinstance(message.shown, Sheet)
    assert message.shown.silent
    await house.look()
    assert message.edits == 0
    await house.room.seconds(DAY / 1000)
    house.said["daily"] = said("second")
    await house.look()
    assert (house.there(), message.edits) == ([message], 1)
    assert "second" in message.text
    house.start()
    await house.look()
    assert message.edits == 1, "the next process knows what it shows"


async def test_a_message_is_deleted_when_there_is_nothing_to_say_any_more(house: House) -> None:
    await house.look()
    house.said["daily"] = None
    await house.look()
    assert house.there() == []
    assert await house.queries.posts(GUILD) == {}
    house.said["daily"] = said("again")
    await house.look()
    assert len(house.there()) == 1


async def test_another_channel_gets_the_message_and_no_channel_none(house: House) -> None:
    await house.look()
    await house.choose(WEEK, THERE)
    await house.look()
    assert (house.there(), len(house.there(THERE))) == ([], 1)
    await house.choose(WEEK)
    assert await house.queries.posted_in() == [GUILD]
    await house.look()
    assert house.there(THERE) == []
    assert await house.queries.posted_in() == []


async def test_a_message_with_a_channel_of_its_own_stands_there_whatever_the_weeks_is(house: House) -> None:
    house.said["leaderboards"] = replace(said("own"), channel_id=THERE)
    await house.choose(WEEK)
    await house.look()
    assert (house.there(), len(house.there(THERE))) == ([], 1)
    await house.choose(WEEK, HERE)
    house.room.messages.fail("post", refused(NO_ACCESS))
    await house.look()
    assert (house.there(), HERE in house.week.channels, THERE in house.week.channels) == ([], True, False)
    house.said["leaderboards"] = replace(said("changed"), channel_id=THERE)
    await house.look()
    assert "changed" in house.there(THERE)[0].text, "what one channel refuses says nothing of the other"


async def test_a_season_that_has_ended_keeps_its_message_when_the_next_one_ends(house: House) -> None:
    house.said["leaderboards"] = said("november", 20_000)
    await house.look()
    house.said["leaderboards"] = None
    await house.look()
    house.said["leaderboards"] = said("december", 20_031)
    await house.look()
    await house.look()
    assert [each for each in ("november", "december") if any(each in it.text for it in house.there())] == [
        "november",
        "december",
    ]
    assert len(house.there()) == 3
    await house.choose(WEEK, THERE)
    await house.look()
    assert len(house.there(THERE)) == 1, "what is a record stays where it is"


async def test_a_message_that_somebody_deleted_is_posted_again_when_it_changes(house: House) -> None:
    await house.look()
    await house.room.messages.delete(house.there()[0].posted)
    house.said["daily"] = said("second")
    await house.look()
    assert len(house.there()) == 1


@pytest.mark.parametrize("edition", [0, 20_000])
async def test_a_kill_between_post_and_note_leaves_one_message(house: House, edition: int) -> None:
    house.said["daily"] = said("first", edition)
    await house.look()
    (row,) = (await house.queries.posts(GUILD)).values()
    await house.queries.put(replace(row, message_id=None))
    house.start()
    await house.look()
    assert len(house.there()) == 1
    assert (await house.queries.posts(GUILD))["daily"].message_id == house.there()[0].posted.message_id


async def test_a_kill_before_the_post_of_another_season_leaves_the_former_message(house: House) -> None:
    house.said["daily"] = said("november", 20_000)
    await house.look()
    (row,) = (await house.queries.posts(GUILD)).values()
    await house.queries.put(replace(row, edition=20_031, message_id=None))
    house.start()
    house.said["daily"] = said("december", 20_031)
    await house.look()
    assert ["november" in each.text for each in house.there()] == [True, False]


async def test_a_post_whose_answer_was_lost_is_found_and_not_made_twice(house: House) -> None:
    house.room.messages.lose_reply(CUT)
    await house.look()
    assert len(house.there()) == 1
    assert (await house.queries.posts(GUILD))["daily"].message_id is not None


async def test_a_channel_that_refuses_is_asked_once_a_day_and_its_owner_can_read_why(house: House) -> None:
    house.room.messages.fail("post", refused(NO_ACCESS), times=9)
    await house.look()
    tries = house.room.messages.tries["post"]
    assert HERE in house.week.channels
    for _ in range(5):
        await house.look()
    assert house.room.messages.tries["post"] == tries
    house.room.messages.recover()
    await house.room.seconds(DAY / 1000)
    await house.look()
    assert len(house.there()) == 1
    assert HERE not in house.week.channels


async def test_another_channel_is_asked_at_once_after_a_refusal(house: House) -> None:
    house.room.messages.fail("post", refused(NO_ACCESS))
    await house.look()
    await house.choose(WEEK, THERE)
    assert THERE not in house.week.channels
    await house.look()
    assert len(house.there(THERE)) == 1


async def test_the_role_goes_from_the_former_first_to_the_next(house: House) -> None:
    await house.choose(FIRST_ROLE, ROLE)
    house.said["leaderboards"] = said("november", 20_000, (ANN, BOB))
    await house.look()
    assert house.roles.had == {(ANN, ROLE), (BOB, ROLE)}
    house.said["leaderboards"] = None
    await house.look()
    assert house.roles.had == {(ANN, ROLE), (BOB, ROLE)}
    house.said["leaderboards"] = said("december", 20_031, (CAT, BOB))
    tries = house.roles.tries
    await house.look()
    assert house.roles.had == {(CAT, ROLE), (BOB, ROLE)}
    assert house.roles.tries == tries + 2
    assert await house.queries.export(GUILD, CAT) == {"season_roles": [str(ROLE)]}
    assert await house.queries.export(GUILD, ANN) == {"season_roles": []}


async def test_a_role_that_may_not_be_given_is_tried_once_a_day(house: House) -> None:
    await house.choose(FIRST_ROLE, ROLE)
    house.said["leaderboards"] = said("november", 20_000, (ANN,))
    house.roles.refusal = refused(NO_PERMISSION)
    for _ in range(4):
        await house.look()
    assert house.roles.tries == 1
    assert ROLE in house.week.roles
    assert len(house.there()) == 2, "the messages are there all the same"
    house.roles.refusal = None
    await house.room.seconds(DAY / 1000)
    await house.look()
    assert house.roles.had == {(ANN, ROLE)}
    assert ROLE not in house.week.roles


async def test_who_hides_before_the_roles_turn_gets_none(house: House) -> None:
    await house.choose(FIRST_ROLE, ROLE)
    house.said["leaderboards"] = said("november", 20_000, (ANN,))
    await house.posts.look(GUILD)
    house.said["leaderboards"] = said("november", 20_000, (BOB,))
    await house.room.seconds(10)
    assert house.roles.had == {(BOB, ROLE)}
    house.said["leaderboards"] = said("november", 20_000, (ANN,))
    await house.posts.look(GUILD)
    house.said["leaderboards"] = None
    await house.room.seconds(10)
    assert house.roles.had == {(BOB, ROLE)}


async def test_nobody_is_noted_as_first_while_their_data_are_being_deleted(house: House) -> None:
    deletion = Deletion(GUILD, ANN, -77)
    await house.room.store.database.write(lambda db: begun_deletions.begin(db, deletion))
    with pytest.raises(Busy):
        await house.queries.note_given(GUILD, ANN, ROLE)
    assert await house.queries.firsts(GUILD) == []


async def test_a_first_who_has_left_holds_nobody_up(house: House) -> None:
    await house.choose(FIRST_ROLE, ROLE)
    house.said["leaderboards"] = said("november", 20_000, (ANN,))
    house.roles.refusal = refused(UNKNOWN_MEMBER)
    await house.look()
    assert ROLE not in house.week.roles


async def test_a_kill_between_giving_and_noting_gives_it_again(house: House) -> None:
    await house.choose(FIRST_ROLE, ROLE)
    house.said["leaderboards"] = said("november", 20_000, (ANN,))
    await house.look()
    await house.queries.note_taken(GUILD, ANN, ROLE)
    house.start()
    await house.look()
    assert await house.queries.firsts(GUILD) == [(ANN, ROLE)]


async def test_a_room_that_raises_leaves_the_others(house: House) -> None:
    house.week.posts = {
        "a count": raising(Busy("for minutes")),
        "an odd one": raising(RuntimeError()),
        **house.week.posts,
    }
    await house.look()
    assert len(house.there()) == 1
    house.week.posts = {"daily": raising(NotSaved("gone"))}
    await house.look()
    assert len(house.there()) == 1


async def test_all_servers_are_looked_at_again_and_again(house: House) -> None:
    await house.posts.resume()
    await house.room.seconds(FIRST_AFTER + 5)
    (message,) = house.there()
    house.said["daily"] = said("second")
    await house.room.seconds(LOOKS_EVERY + 5)
    await house.posts.close()
    assert "second" in message.text
