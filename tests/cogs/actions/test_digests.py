"""One notice a day: all that waits in one message, sent once whatever happens, and how many notices some days have."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import pytest

from bot.play.live_match import LiveMatch
from bot.store.queries.people import NoticeLevel
from cogs.actions.digests import EDIT_AFTER, LOOK_EVERY, Digests
from cogs.screens.renderer import Sheet
from cogs.updates.channel_messages import Posted
from cogs.updates.quiet_hours import HOUR, QUIET_HOURS, UTC_OFFSET
from discord_sandbox.virtual_time import settle
from tests.bot.play.parts import ANN, BOB, CHANNEL, GUILD, an_act, on_turn
from tests.cogs.actions.offline_bot import OfflineBot, say
from tests.cogs.actions.test_match_list import opened, waiting_for
from tests.cogs.fake_messages import CUT, DOWN, FakeMessage

DAY = 24 * 3600
MATCHES = 20
DAYS = 4


@pytest.fixture
async def bot() -> AsyncIterator[OfflineBot]:
    made = OfflineBot()
    await made.app.digests.resume()
    try:
        yield made
    finally:
        await made.close()


async def seconds(bot: OfflineBot, seconds: float) -> None:
    await bot.scheduler.sleep(seconds)
    await settle()


async def choose(bot: OfflineBot, level: NoticeLevel, *users: int) -> None:
    for user in users or (ANN,):
        await bot.store.set_notice_level(GUILD, user, level)


def digests(bot: OfflineBot, user: int = ANN) -> list[FakeMessage]:
    """The digests that somebody can see."""
    return [each for each in bot.messages.direct(user) if not isinstance(each.shown, str)]


def lines(message: FakeMessage) -> list[str]:
    return [line for line in message.text.splitlines() if line.startswith("- ")]


async def move(bot: OfflineBot, match: LiveMatch) -> None:
    """Who is on turn acts until it is the other's turn."""
    seat = on_turn(match)
    while not match.over and on_turn(match) == seat:
        await match.act(seat, an_act(match))
        bot.clock.settle(match)
        bot.observers.match_changed(match)
        await settle()


async def begun_again(bot: OfflineBot) -> Digests:
    """The digests of the next process."""
    old = bot.app.digests
    begun = Digests(
        old.match_list, old.matches, old.notices, old.messages, old.store, edits=old.edits, scheduler=old.scheduler
    )
    await begun.resume()
    return begun


async def test_a_digest_lists_what_waits_by_deadline_and_is_edited_silently(bot: OfflineBot) -> None:
    await choose(bot, NoticeLevel.DIGEST)
    later = await waiting_for(bot, ANN, "604800s")
    await seconds(bot, 2 * LOOK_EVERY)
    (told,) = digests(bot)
    assert len(lines(told)) == 1
    sooner = await waiting_for(bot, ANN, "daily")
    await seconds(bot, EDIT_AFTER + 20)
    assert digests(bot) == [told]
    assert told.edits == 1
    deadlines = [match.position.timers[0].deadline // 1000 for match in (sooner, later)]
    assert [f"<t:{at}:R>" in line for at, line in zip(deadlines, lines(told), strict=True)] == [True, True]
    for match in (later, sooner):
        await move(bot, match)
    await seconds(bot, EDIT_AFTER + 20)
    assert say("digest.none") in told.text
    await seconds(bot, 600)
    assert bot.messages.direct(ANN) == [told], "there is no other direct message"
    assert not [each for each in bot.messages.there(CHANNEL) if ANN in each.notified]


async def test_the_next_one_takes_the_place_of_the_first_only_if_something_waits(bot: OfflineBot) -> None:
    await choose(bot, NoticeLevel.DIGEST)
    match = await waiting_for(bot, ANN, "604800s")
    await seconds(bot, 2 * LOOK_EVERY)
    (first,) = digests(bot)
    await seconds(bot, DAY)
    (second,) = digests(bot)
    assert first.deleted
    assert second is not first
    await move(bot, match)
    await seconds(bot, DAY)
    assert digests(bot) == [second]
    assert say("digest.none") in second.text


async def test_an_edit_that_is_under_way_when_the_next_is_posted_leaves_that_one_alone(
    bot: OfflineBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    await choose(bot, NoticeLevel.DIGEST)
    match = await waiting_for(bot, ANN, "604800s")
    await seconds(bot, 2 * LOOK_EVERY)
    (first,) = digests(bot)
    edit, may_edit = bot.messages.edit, asyncio.Event()

    async def slowly(guild_id: int, posted: Posted, made: Sheet) -> None:
        if posted == first.posted:
            await may_edit.wait()
        await edit(guild_id, posted, made)

    monkeypatch.setattr(bot.messages, "edit", slowly)
    await waiting_for(bot, ANN, "604800s")
    await seconds(bot, DAY)
    (second,) = digests(bot)
    assert first.deleted
    may_edit.set()
    await settle()
    await move(bot, match)
    await seconds(bot, EDIT_AFTER + 20)
    assert (second.edits, len(lines(second))) == (1, 1)


async def test_a_post_that_was_cut_off_is_found_again_and_not_repeated(bot: OfflineBot) -> None:
    await choose(bot, NoticeLevel.DIGEST)
    await waiting_for(bot, ANN, "daily")
    await seconds(bot, 20)
    bot.messages.lose_reply(CUT)
    await seconds(bot, 3 * LOOK_EVERY)
    assert len(digests(bot)) == 1
    (shown,) = await bot.store.shown_digests()
    assert shown.message_id == digests(bot)[0].posted.message_id
    assert shown.posting_at is None


async def test_a_killed_process_leaves_its_digest_to_the_next(bot: OfflineBot) -> None:
    await choose(bot, NoticeLevel.DIGEST)
    match = await waiting_for(bot, ANN, "daily")
    await seconds(bot, 2 * LOOK_EVERY)
    (told,) = digests(bot)
    await bot.app.digests.close()
    again = await begun_again(bot)
    await seconds(bot, 2 * LOOK_EVERY)
    assert digests(bot) == [told]
    await match.act(on_turn(match), an_act(match))
    again.match_changed(match)
    await seconds(bot, EDIT_AFTER + 20)
    assert digests(bot) == [told]
    assert told.edits == 1
    await again.close()


async def test_who_takes_no_direct_messages_is_mentioned_in_the_channel(bot: OfflineBot) -> None:
    await choose(bot, NoticeLevel.DIGEST)
    bot.messages.closed.add(ANN)
    await waiting_for(bot, ANN, "daily")
    await seconds(bot, 3 * LOOK_EVERY)
    assert [each.notified for each in bot.messages.there(CHANNEL) if ANN in each.notified] == [(ANN,)]
    assert bot.messages.direct(ANN) == []


async def test_a_digest_waits_until_quiet_hours_end(bot: OfflineBot) -> None:
    hour = bot.now() // HOUR % 24
    await bot.store.set_preference(ANN, UTC_OFFSET, "0")
    await bot.store.set_preference(ANN, QUIET_HOURS, f"{hour}-{(hour + 3) % 24}")
    await choose(bot, NoticeLevel.DIGEST)
    await waiting_for(bot, ANN, "daily")
    await seconds(bot, 3600)
    assert digests(bot) == []
    await seconds(bot, 3 * 3600)
    assert len(digests(bot)) == 1


# ------------------------------------------------------------------------------------ twenty matches for days


@dataclass
class Days:
    """Some days of twenty matches with a day for each turn: Bob answers at once, and Ann some hours after it is her
    turn. On the third Discord takes no posts for a while, and on the fourth the digests begin anew."""

    bot: OfflineBot
    level: NoticeLevel
    pings: list[int] = field(default_factory=list)
    """When Ann was notified (minutes)."""
    silent: int = 0
    """How many notices of her turn did not notify her."""
    turns: int = 0

    async def pass_by(self) -> None:
        """Let it pass. Every half hour everything that waits for Ann must be told somewhere."""
        await choose(self.bot, self.level)
        await choose(self.bot, NoticeLevel.NONE, BOB)
        matches = [await opened(self.bot) for _ in range(MATCHES)]
        due: dict[str, int] = {}
        seen: set[Posted] = set()
        for half_hour in range(DAYS * 48):
            for number, match in enumerate(matches):
                if match.over or match.suspended is not None:
                    matches[number] = await opened(self.bot)
                elif match.seats[on_turn(match)] == BOB:
                    await move(self.bot, match)
                    self.turns += 1
                    due[match.id] = half_hour + 6 + 7 * number % 40
                elif due.setdefault(match.id, half_hour + 6) <= half_hour:
                    await move(self.bot, match)
            await self.weather(half_hour)
            for _ in range(3):
                await seconds(self.bot, 600)
                self.listen(seen)
            self.nothing_is_lost(matches)

    async def weather(self, half_hour: int) -> None:
        if half_hour == 2 * 48:  # the hour of the digest
            self.bot.messages.fail("post", DOWN, times=12)
        elif half_hour == 3 * 48:
            await self.bot.app.digests.close()
            self.bot.observers.add(begun := await begun_again(self.bot))
            for match in self.bot.registry.live():
                begun.match_repaired(match)  # as at every start

    def listen(self, seen: set[Posted]) -> None:
        """Note what is new."""
        for posted, message in self.bot.messages.messages.items():
            if posted not in seen:
                seen.add(posted)
                if ANN in message.notified or message in digests(self.bot):
                    self.pings.append(self.bot.now() // 60_000)
                elif isinstance(message.shown, str) and (f"<@{ANN}>" in message.text or posted.channel_id == -ANN):
                    self.silent += 1

    def nothing_is_lost(self, matches: Sequence[LiveMatch]) -> None:
        waiting = [match for match in matches if match.awaited and match.seats[on_turn(match)] == ANN]
        if self.level is NoticeLevel.DIGEST:
            (digest,) = digests(self.bot)
            told = say("games.group.waiting", n=len(waiting)) if waiting else say("digest.none")
            assert told in digest.text
        else:
            shown = (*self.bot.messages.there(CHANNEL), *self.bot.messages.direct(ANN))
            there = [each.text for each in shown if isinstance(each.shown, str)]
            assert all(any(str(match.board_id) in text for text in there) for match in waiting)


@pytest.mark.slow  # four days of twenty matches, looked at every ten minutes
@pytest.mark.nightly(rare=True)
@pytest.mark.parametrize("level", [NoticeLevel.DIGEST, NoticeLevel.PING, NoticeLevel.DIRECT])
async def test_twenty_slow_matches_notify_seldom_and_lose_nothing(bot: OfflineBot, level: NoticeLevel) -> None:
    days = Days(bot, level)
    await days.pass_by()
    assert days.turns > 40 * DAYS
    if level is NoticeLevel.DIGEST:
        assert len(days.pings) == 1 + DAYS, "the first at once, and one at its hour on each day"
        assert days.silent == 0
    else:
        assert all(after - before >= 50 for before, after in pairwise(days.pings)), "they are seen every ten minutes"
        assert DAYS * 10 < len(days.pings) < DAYS * 24
        assert days.silent > len(days.pings), "most turns come within an hour of another"
