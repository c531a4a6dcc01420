"""Notices of open tables: to those who asked for them, one an hour, and not more than a server bears."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from dataclasses import replace
from typing import Any

import pytest

from bot.budgets import TABLE_NEWS_FOR
from bot.play.access import Access
from bot.play.matchmaking.invitations import Proposal, Terms
from bot.play.refusals import Refused
from bot.store.errors import StoreError
from bot.store.queries.invitations import Invitation, InvitationKind
from bot.store.queries.matches import Obstacle
from bot.ui.isolation import mention
from cogs.matchmaking import notices
from cogs.matchmaking.notices import LOOK_AFTER, MOST_MENTIONS, PAUSE, SLICE, TableNotices
from cogs.matchmaking.queries import TableSubscriber
from cogs.screens.safe_names import safe_server_name
from cogs.updates.channel_messages import NotTaken
from cogs.updates.notifier import Notifier
from cogs.updates.quiet_hours import HOUR, QUIET_HOURS, UTC_OFFSET
from cogs.wording import Wording
from engines import GAMES
from tests.bot.play.parts import ANN, BEGUN, BOB, CAT, CHANNEL, GUILD, MESSAGE, attended_badly
from tests.cogs.fake_messages import LIMITED, refused
from tests.cogs.updates.following import SERVER, FakeWording, Following, say
from tests.failing_rules import raising

HOST = 1_000
LINK = f"https://discord.com/channels/{GUILD}/{CHANNEL}/{MESSAGE}"


async def subscribe(room: Following, *users: int, game: str = "ciq", guild: int = GUILD) -> None:
    for user in users:
        await room.subscriptions.set_subscription(guild, user, game, wanted=True)


async def opened(room: Following, game: str = "ciq", guild: int = GUILD, host: int = HOST, **kinds: Any) -> Invitation:
    """A table whose message is posted, and of which people are being notified."""
    terms = Terms(guild, CHANNEL, game, GAMES[game].info.options(), "normal")
    table = await room.inviting.invite(Proposal(terms, host, **{"kind": InvitationKind.TABLE, **kinds}))
    await room.invitations.note_message(table, MESSAGE)
    table = replace(table, message_id=MESSAGE)
    room.table_notices.invitation_opened(table)
    return table


def told(room: Following, *users: int) -> list[int]:
    """Those of these people who have a direct message, once for each."""
    return [user for user in users for _ in room.messages.direct(user)]


class Seen:
    """An `Access` that says the same of each person every time."""

    def __init__(self, **obstacles: Obstacle) -> None:
        self.found = {int(user.lstrip("u")): obstacle for user, obstacle in obstacles.items()}
        self.asked: list[int] = []

    async def obstacle(self, _guild_id: int, _channel_id: int, user_id: int) -> Obstacle | None:
        self.asked.append(user_id)
        return self.found.get(user_id)


def with_access(room: Following, access: Access, wording: Wording | None = None) -> TableNotices:
    """The notices with somebody who knows who can see what, and other words, in place of those of the room."""
    made = TableNotices(
        Notifier(room.messages, room.store, access),
        room.subscriptions,
        room.store,
        room.edits,
        wording=wording or FakeWording(),
        open_invitation=room.invitations.open_by_id,
        scheduler=room.scheduler,
        admission=room.invitations.admission,
    )
    room.table_notices = made
    return made


async def test_nobody_is_notified_who_may_not_play_or_is_kept_apart_from_somebody_there(room: Following) -> None:
    async def may_play(guild_id: int, user_id: int) -> None:
        if (guild_id, user_id) == (GUILD, ANN):
            raise Refused("place.roles")

    async def kept_apart(user_id: int, others: Collection[int]) -> Collection[int]:
        return others if user_id == CAT else ()

    room.invitations.admission.may_play.append(may_play)
    room.invitations.admission.kept_apart.append(kept_apart)
    await subscribe(room, ANN, BOB, CAT)
    await opened(room)
    await room.seconds(30)
    assert told(room, ANN, BOB, CAT) == [BOB]


async def test_those_who_asked_for_it_get_one_direct_message(room: Following) -> None:
    await subscribe(room, ANN)
    await subscribe(room, CAT, game="haymaker")
    await opened(room)
    await room.seconds(5)
    (message,) = room.messages.direct(ANN)
    assert message.text == say("tables.open_there", game="CIQ", server=safe_server_name(SERVER, GUILD), link=LINK)
    assert told(room, CAT) == []
    assert room.messages.there(CHANNEL) == []
    assert room.table_notices.idle


@pytest.mark.parametrize("kinds", [{"private": True}, {"kind": InvitationKind.CHALLENGE, "guests": (CAT,)}])
async def test_of_private_tables_and_challenges_nobody_hears(room: Following, kinds: dict[str, Any]) -> None:
    await subscribe(room, ANN)
    await opened(room, **kinds)
    await room.seconds(5)
    assert told(room, ANN) == []
    assert room.table_notices.idle


async def test_of_tables_for_reliable_people_only_those_hear_who_can_join(room: Following) -> None:
    await subscribe(room, ANN, CAT)
    await attended_badly(room.store, ANN, room.scheduler.now())
    await opened(room, reliable=True)
    await room.seconds(5)
    assert told(room, ANN, CAT) == [CAT]


async def test_neither_the_host_nor_those_seated_hear_of_their_own_table(room: Following) -> None:
    await subscribe(room, HOST, ANN, CAT)
    table = await opened(room)
    with room.presses.take_up(table.id, 1) as press:
        await room.seating.take_seat(table.id, CAT, MESSAGE, press)
    await room.seconds(5)
    assert told(room, HOST, ANN, CAT) == [ANN]


@pytest.mark.parametrize("meanwhile", ["it is closed", "they sit down"])
async def test_who_can_see_a_table_hears_of_it_only_if_it_is_news_by_then(room: Following, meanwhile: str) -> None:
    class Slow(Seen):
        async def obstacle(self, guild_id: int, channel_id: int, user_id: int) -> Obstacle | None:
            if meanwhile == "it is closed":
                await room.invitations.withdraw(table)
            else:
                with room.presses.take_up(table.id, 1) as press:
                    await room.seating.take_seat(table.id, user_id, MESSAGE, press)
            return await super().obstacle(guild_id, channel_id, user_id)

    access = Slow()
    with_access(room, access)
    await subscribe(room, ANN)
    table = await opened(room)
    await room.seconds(5)
    assert access.asked == [ANN]
    assert told(room, ANN) == []
    assert await room.subscriptions.last_notice(ANN) is None


async def test_of_who_has_their_data_deleted_meanwhile_nothing_is_recorded(room: Following) -> None:
    class Slow(Seen):
        async def obstacle(self, guild_id: int, channel_id: int, user_id: int) -> Obstacle | None:
            await room.store.anonymise(guild_id, user_id, -77, [])
            return await super().obstacle(guild_id, channel_id, user_id)

    access = Slow()
    with_access(room, access)
    await subscribe(room, ANN)
    await opened(room)
    await room.seconds(5)
    assert access.asked == [ANN]
    assert await room.subscriptions.last_notice(ANN) is None
    assert told(room, ANN) == []


async def test_nobody_hears_of_two_tables_within_an_hour(room: Following) -> None:
    await subscribe(room, ANN)
    await subscribe(room, ANN, game="haymaker", guild=GUILD + 1)
    await opened(room)
    await opened(room, "haymaker", GUILD + 1)  # both are under way at once
    await room.seconds(5)
    assert told(room, ANN) == [ANN]
    await room.seconds(HOUR / 1000 - 10)
    await opened(room, host=HOST + 1)
    await room.seconds(5)
    assert told(room, ANN) == [ANN]
    await room.seconds(10)
    await opened(room, host=HOST + 2)
    await room.seconds(5)
    assert told(room, ANN) == [ANN, ANN]


async def test_a_table_that_is_announced_again_after_a_restart_is_told_nobody_twice(room: Following) -> None:
    await subscribe(room, ANN)
    table = await opened(room)
    await room.seconds(5)
    await subscribe(room, CAT)
    with_access(room, Seen()).invitation_opened(table)
    await room.seconds(5)
    assert told(room, ANN, CAT) == [ANN, CAT]


async def test_a_notice_from_a_clock_that_was_ahead_holds_nothing_up(room: Following) -> None:
    await subscribe(room, ANN)
    await room.subscriptions.record_notice(ANN, BEGUN + 40 * 24 * HOUR)
    await opened(room)
    await room.seconds(5)
    assert told(room, ANN) == [ANN]


async def test_nobody_hears_of_a_table_in_their_quiet_hours(room: Following) -> None:
    await subscribe(room, ANN, CAT)
    hour = BEGUN // HOUR % 24
    for user, ahead in ((ANN, 2), (CAT, 3)):
        await room.store.set_preference(user, UTC_OFFSET, str(ahead))
        await room.store.set_preference(user, QUIET_HOURS, f"{(hour + 2) % 24}-{(hour + 3) % 24}")
    await opened(room)
    await room.seconds(5)
    assert told(room, ANN, CAT) == [CAT]
    assert await room.subscriptions.last_notice(ANN) is None


async def test_nobody_hears_of_a_table_whose_quiet_hours_begin_before_their_turn(room: Following) -> None:
    first, last = range(1, 11), 99
    await subscribe(room, *first, last)
    await opened(room)
    await room.seconds(5)
    assert 0 < len(told(room, *first)) < len(first), "they have been read, and are told one after the other"
    hour = BEGUN // HOUR % 24
    await room.store.set_preference(last, UTC_OFFSET, "0")
    await room.store.set_preference(last, QUIET_HOURS, f"{hour}-{(hour + 1) % 24}")
    await room.seconds(20)
    assert told(room, *first, last) == [*first]
    assert await room.subscriptions.last_notice(last) is None


async def test_only_those_who_can_see_the_channel_hear_of_a_table(room: Following) -> None:
    people = dict(enumerate(Obstacle, start=1))
    await subscribe(room, *people, 99)
    with_access(room, Seen(**{f"u{user}": obstacle for user, obstacle in people.items()}))
    await opened(room)
    await room.seconds(20)
    heard = {people.get(user) for user in told(room, *people, 99)}
    assert heard == {None, Obstacle.NO_SENDING}
    (gone,) = [user for user, obstacle in people.items() if obstacle is Obstacle.GONE]
    assert await room.subscriptions.games_of(GUILD, gone) == []
    for user, obstacle in people.items():
        if obstacle not in (Obstacle.GONE, Obstacle.NO_SENDING):
            assert await room.subscriptions.games_of(GUILD, user) == ["ciq"]
            assert await room.subscriptions.last_notice(user) is None


async def test_who_takes_no_direct_messages_is_mentioned_until_the_table_closes(room: Following) -> None:
    people = range(1, MOST_MENTIONS + 3)
    await subscribe(room, *people)
    room.messages.closed.update(people)
    table = await opened(room)
    await room.seconds(20)
    mentions = room.messages.there(CHANNEL)
    assert [message.notified for message in mentions] == [(user,) for user in people[:MOST_MENTIONS]]
    known = [await room.subscriptions.last_notice(user) is not None for user in people]
    assert known == [True] * MOST_MENTIONS + [False] * 2, "who could not be told keeps their hour"
    assert mentions[0].text == say("tables.open_here", player=mention(people[0]), game="CIQ", link=LINK)
    await room.seconds(LOOK_AFTER)
    assert len(room.messages.there(CHANNEL)) == MOST_MENTIONS
    await room.seating.turn_down(table.id, HOST)
    await room.seconds(LOOK_AFTER + MOST_MENTIONS)
    assert room.messages.there(CHANNEL) == []
    assert room.table_notices.idle


@pytest.mark.parametrize("full", [False, True], ids=["it closes", "it is full"])
async def test_a_table_that_closes_or_is_full_is_no_news(room: Following, *, full: bool) -> None:
    people = range(1, 11)
    await subscribe(room, *people, game="haymaker")
    table = await opened(room, "haymaker")
    await room.seconds(3.5)
    heard = told(room, *people)
    assert 1 < len(heard) < 6
    if full:
        with room.presses.take_up(table.id, 1) as press:
            await room.seating.take_seat(table.id, CAT + 100, MESSAGE, press)
    else:
        await room.seating.turn_down(table.id, HOST)
    await room.seconds(20)
    assert told(room, *people) == heard
    assert room.table_notices.idle


@pytest.mark.parametrize("deleted", [False, True], ids=["unsubscribed", "deleted"])
async def test_who_wants_none_any_more_when_their_turn_comes_gets_none(room: Following, *, deleted: bool) -> None:
    people = range(1, 11)
    await subscribe(room, *people)
    await opened(room)
    await room.seconds(3.5)
    assert told(room, 10) == []
    if deleted:
        await room.store.anonymise(GUILD, 10, -77, [])
    else:
        await room.subscriptions.set_subscription(GUILD, 10, "ciq", wanted=False)
    await room.seconds(30)
    assert told(room, *people) == [*range(1, 10)]
    assert await room.subscriptions.last_notice(10) is None


async def test_a_hundred_thousand_subscribers_are_bounded_work(
    room: Following, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = 0
    people = 100_000

    async def subscribers(guild_id: int, game: str, after: int, most: int) -> list[Any]:
        nonlocal reads
        reads += 1
        assert most == SLICE
        return [TableSubscriber(user, None) for user in range(after + 1, min(after + most, people) + 1)]

    async def games_of(_guild_id: int, _user_id: int) -> list[str]:
        return ["ciq"]

    async def record_notice(_user_id: int, _at: int) -> bool:
        return True

    monkeypatch.setattr(room.subscriptions, "subscribers", subscribers)
    monkeypatch.setattr(room.subscriptions, "games_of", games_of)
    monkeypatch.setattr(room.subscriptions, "record_notice", record_notice)
    await opened(room)
    seconds = TABLE_NEWS_FOR + 60
    await room.seconds(seconds)
    heard = len([each for each in room.messages.messages.values() if each.posted.channel_id < 0])
    assert 0.8 * TABLE_NEWS_FOR < heard <= TABLE_NEWS_FOR + 1
    assert reads <= heard // SLICE + 1
    assert room.table_notices.idle


async def test_each_table_goes_on_where_the_one_before_it_stopped(
    room: Following, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "SLICE", 2)
    people = range(1, 7)
    await subscribe(room, *people)
    first = await opened(room)
    await room.seconds(1.5)
    assert told(room, *people) == [1, 2]
    await room.seating.turn_down(first.id, HOST)
    await room.seconds(HOUR / 1000)
    await opened(room, host=HOST + 1)
    await room.seconds(3.5)
    assert told(room, *people) == [1, 2, 3, 4, 5, 6]
    await room.seconds(10)
    assert told(room, *people) == [1, 1, 2, 2, 3, 4, 5, 6]
    assert room.table_notices.idle


@pytest.mark.parametrize("error", [refused(40003), LIMITED], ids=["too fast", "limited"])
async def test_it_pauses_when_discord_wants_fewer_direct_messages(room: Following, error: NotTaken) -> None:
    people = range(1, 6)
    await subscribe(room, *people)
    room.messages.fail("post", error)
    await opened(room)
    await room.seconds(20)
    assert told(room, *people) == []
    assert room.messages.there(CHANNEL) == []
    assert room.table_notices.idle
    await opened(room, host=HOST + 1)
    await room.seconds(PAUSE / 2)
    assert told(room, *people) == []
    await room.seconds(PAUSE)
    await opened(room, host=HOST + 2)
    await room.seconds(20)
    assert told(room, *people) == [*people], "whoever was to be first has not lost their hour"


async def test_a_store_that_fails_ends_it_and_tells_nobody(room: Following, monkeypatch: pytest.MonkeyPatch) -> None:
    await subscribe(room, ANN)

    with monkeypatch.context() as patched:
        patched.setattr(room.subscriptions, "record_notice", raising(StoreError("the disk is full")))
        await opened(room)
        await room.seconds(5)
    assert told(room, ANN) == []
    assert room.table_notices.idle


async def test_it_waits_for_a_server_that_is_not_known_yet(room: Following, monkeypatch: pytest.MonkeyPatch) -> None:
    await subscribe(room, ANN)
    names: list[str] = []
    wording = FakeWording()
    monkeypatch.setattr(wording, "server_name", lambda _: "".join(names))
    with_access(room, room.access, wording)
    await opened(room)
    await room.seconds(10)
    assert told(room, ANN) == []
    names.append(SERVER)
    await room.seconds(10)
    assert told(room, ANN) == [ANN]


async def test_a_table_is_no_news_in_its_first_seconds(room: Following, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "TABLE_NEWS_AFTER", 20)
    await subscribe(room, ANN)
    early = await opened(room)
    await room.seconds(19)
    await room.seating.turn_down(early.id, HOST)
    await room.seconds(10)
    assert told(room, ANN) == []
    await opened(room)
    await room.seconds(19)
    assert told(room, ANN) == []
    await room.seconds(5)
    assert told(room, ANN) == [ANN]


async def test_a_table_that_closes_soon_gives_the_hour_back_and_its_host_is_no_news_for_an_hour(
    room: Following,
) -> None:
    await subscribe(room, ANN)
    table = await opened(room)
    await room.seconds(5)
    assert told(room, ANN) == [ANN]
    await room.seating.turn_down(table.id, HOST)
    await room.seconds(LOOK_AFTER + 5)
    assert await room.subscriptions.last_notice(ANN) is None
    await opened(room)
    await room.seconds(5)
    assert told(room, ANN) == [ANN], "the same host again"
    await opened(room, host=HOST + 1)
    await room.seconds(5)
    assert told(room, ANN) == [ANN, ANN]
    assert await room.subscriptions.last_notice(ANN) is not None


async def test_a_table_that_became_a_match_has_had_its_hour(room: Following) -> None:
    await subscribe(room, ANN)
    table = await opened(room, "haymaker", auto_start=True)
    await subscribe(room, ANN, game="haymaker")
    room.table_notices.invitation_opened(table)
    await room.seconds(5)
    assert told(room, ANN) == [ANN]
    with room.presses.take_up(table.id, 1) as press:
        await room.seating.take_seat(table.id, CAT, MESSAGE, press)
    await room.seconds(LOOK_AFTER + 5)
    assert await room.subscriptions.last_notice(ANN) is not None


@pytest.fixture(autouse=True)
def news_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table is news as soon as it is open."""
    monkeypatch.setattr(notices, "TABLE_NEWS_AFTER", 0)


@pytest.fixture(autouse=True)
async def nothing_is_left(room: Following) -> AsyncIterator[None]:
    """Nothing under way fails unseen."""
    yield
    assert room.edits.idle
