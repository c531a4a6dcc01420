"""Mentions: one for a player who stays away, as loud as they choose, gone when it is no longer needed."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest

from bot.gateway.requests import EDITS_PER_SECOND
from bot.play.live_match import LiveMatch
from bot.store.errors import NotSaved
from bot.store.queries.matches import Suspension
from bot.store.queries.people import NoticeLevel
from bot.store.queries.screens import Notice
from bot.telemetry import NO_TELEMETRY
from bot.ui import isolation
from cogs.updates.channel_messages import NotTaken
from cogs.updates.edit_queue import FIRST_RETRY_DELAY, SPACING, TRIES, EditQueue
from cogs.updates.match_notices import MatchNotices
from cogs.updates.shown_messages import Postings
from cogs.updates.shown_records import LITTLE, mark_of_text
from discord_sandbox.virtual_time import settle
from tests.bot.play.parts import CHANNEL, ELSEWHERE, GUILD, on_turn
from tests.cogs.fake_messages import CUT, DOWN, LIMITED, FakeMessage, refused
from tests.cogs.updates.following import NAMES, NOTICE_AFTER, SERVER, Following, say

HOUR = 3600


def mention(match: LiveMatch) -> str:
    """The beginning of the mention of the one whose turn it is."""
    player = isolation.mention(match.seats[on_turn(match)])
    return say("notice.your_turn", player=player, game="Haymaker", when="")


async def away(room: Following) -> LiveMatch:
    """A match whose player on turn has stayed away until they were mentioned."""
    match = await room.seated()
    await room.seconds(NOTICE_AFTER)
    return match


def started_again(room: Following) -> MatchNotices:
    """The mentions of the next process, on the same store and messages."""
    return room.new_notices(Postings(room.messages, room.store, room.edits, room.scheduler))


async def test_a_player_is_mentioned_once_after_a_while_with_a_link_to_the_board(room: Following) -> None:
    match = await room.seated()
    await room.seconds(NOTICE_AFTER - 2)
    assert room.texts() == []
    await room.seconds(2)
    (posted,) = room.mentions()
    assert posted.text.startswith(mention(match))
    assert posted.text.endswith(f"/{match.guild_id}/{match.channel_id}/{match.board_id}")
    assert posted.notified == (match.seats[on_turn(match)],)
    await room.seconds(3600)
    assert room.mentions() == [posted]


async def test_who_has_pressed_something_meanwhile_is_not_mentioned(room: Following) -> None:
    match = await room.seated()
    await room.seconds(NOTICE_AFTER / 2)
    room.seen(match)
    await room.seconds(3600)
    assert room.texts() == []
    await room.pass_turn(match)
    await room.seconds(NOTICE_AFTER)
    assert len(room.texts()) == 1, "the next question is another one's"


async def test_who_presses_before_their_mention_has_its_turn_is_not_mentioned(room: Following) -> None:
    match = await room.seated()
    room.messages.fail("post", CUT)
    await room.seconds(NOTICE_AFTER)
    room.seen(match)
    await room.seconds(FIRST_RETRY_DELAY * 2**TRIES)
    assert room.texts() == []
    await room.pass_turn(match)
    await room.seconds(NOTICE_AFTER)
    assert len(room.texts()) == 1, "the next question is another one's"


async def test_a_mention_goes_that_was_being_posted_when_its_player_pressed(room: Following) -> None:
    match = await room.seated()
    gate = room.messages.hold()
    await room.seconds(NOTICE_AFTER)
    room.seen(match)
    gate.set()
    await room.seconds(2)
    assert room.texts() == []
    assert await room.store.notices() == []


async def test_a_mention_goes_as_soon_as_the_player_presses_or_the_match_goes_on(room: Following) -> None:
    match = await away(room)
    room.seen(match)
    await room.seconds(2)
    assert room.texts() == []
    assert await room.store.notices() == []
    await room.pass_turn(match)
    await room.seconds(NOTICE_AFTER)
    assert len(room.texts()) == 1
    await room.pass_turn(match)
    await room.seconds(2)
    assert room.texts() == []


async def test_a_mention_that_comes_too_late_is_not_posted_and_one_that_came_too_late_is_removed(
    room: Following,
) -> None:
    match = await room.seated()
    gate = room.messages.hold()
    await room.seconds(NOTICE_AFTER)
    await room.pass_turn(match)
    gate.set()
    await room.seconds(2)
    assert room.texts() == []
    assert await room.store.notices() == []


async def test_a_direct_message_names_the_server_harmlessly_and_goes_when_done(room: Following) -> None:
    await room.choose(NoticeLevel.DIRECT)
    match = await away(room)
    user = match.seats[on_turn(match)]
    (told,) = room.messages.direct(user)
    assert SERVER.replace("*", r"\*") in told.text
    await room.pass_turn(match)
    await room.seconds(2)
    assert room.messages.direct(user) == []


@pytest.mark.parametrize("failure", [CUT, LIMITED, refused(50001)], ids=lambda each: each.reason)
async def test_a_mention_that_is_not_taken_is_no_fault_of_the_program(
    room: Following, failure: NotTaken, caplog: pytest.LogCaptureFixture
) -> None:
    match = await room.seated()
    room.messages.fail("post", failure)
    await room.seconds(NOTICE_AFTER)
    assert room.texts() == []
    await room.pass_turn(match)
    await room.seconds(NOTICE_AFTER)
    assert len(room.texts()) == 1
    room.messages.fail("delete", failure)
    await room.pass_turn(match)
    await room.seconds(2)
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.mark.parametrize("failure", [CUT, DOWN, LIMITED], ids=lambda each: each.reason)
async def test_a_mention_that_a_cut_connection_left_is_removed_later(room: Following, failure: NotTaken) -> None:
    match = await away(room)
    room.messages.fail("delete", failure, times=TRIES - 1)
    await room.pass_turn(match)
    await room.seconds(2)
    assert len(room.texts()) == 1
    assert len(await room.store.notices()) == 1, "its row stays until it is gone"
    await room.seconds(NOTICE_AFTER - 5)
    room.seen(match)
    await room.seconds(FIRST_RETRY_DELAY * 2**TRIES)
    assert room.texts() == []
    assert await room.store.notices() == []


async def test_a_warning_waits_until_the_mention_it_replaces_is_gone(room: Following) -> None:
    match = await away(room)
    room.messages.fail("delete", CUT)
    room.updates.notices.warn(match, on_turn(match))
    await room.seconds(0.5)
    (row,) = await room.store.notices()
    assert [each.posted.message_id for each in room.mentions()] == [row.message_id]
    await room.seconds(FIRST_RETRY_DELAY * 2**TRIES)
    (warning,) = room.mentions()
    assert warning.posted.message_id != row.message_id
    (row,) = await room.store.notices()
    assert warning.posted.message_id == row.message_id


async def test_a_mention_that_stands_after_many_cut_connections_is_removed_at_the_next_start(room: Following) -> None:
    match = await away(room)
    room.messages.fail("delete", CUT, times=100)
    await room.pass_turn(match)
    await room.seconds(50)
    assert len(room.texts()) == 1
    room.updates.notices.close()
    await room.edits.close(0)
    room.messages.recover()
    room.edits = EditQueue(SPACING, EDITS_PER_SECOND, room.scheduler, NO_TELEMETRY)
    next_start = started_again(room)
    await next_start.load({match.id})
    next_start.restore(match)
    await room.seconds(2)
    assert room.texts() == []
    assert await room.store.notices() == []


async def test_a_mention_that_was_removed_by_somebody_else_is_forgotten(room: Following) -> None:
    match = await away(room)
    (posted,) = room.mentions()
    posted.deleted = True
    await room.pass_turn(match)
    await room.seconds(2)
    assert await room.store.notices() == []
    assert room.updates.notices.idle is False, "the next player is waited for"


async def test_a_start_takes_up_a_mention_that_is_still_needed(room: Following) -> None:
    match = await away(room)
    next_start = started_again(room)
    await next_start.load({match.id})
    next_start.restore(match)
    await settle()
    assert len(room.texts()) == 1
    next_start.seen(match, on_turn(match))
    await room.seconds(2)
    assert room.texts() == []


# ---------------------------------------------------------------------------------------------- what mentions say


async def edits_at_the_next_start(room: Following, match: LiveMatch) -> int:
    """How often the next process edits the only mention."""
    (posted,) = room.mentions()
    before = posted.edits
    next_start = started_again(room)
    await next_start.load({match.id})
    next_start.restore(match)
    with room.edits.repairing():
        next_start.match_changed(match)
    await room.seconds(600)
    next_start.close()
    return posted.edits - before


async def mark_of(room: Following) -> bytes | None:
    """The stored mark of the only mention."""
    (row,) = await room.store.notices()
    return row.mark


async def move_deadline(room: Following, match: LiveMatch, seconds: float) -> None:
    """Move the deadline, and have the mention say so."""
    match.shift_time(round(1000 * seconds))
    room.updates.notices.match_changed(match)
    await room.seconds(3 * SPACING)


def deadline(match: LiveMatch) -> str:
    """The deadline as a mention shows it."""
    (timer,) = match.position.timers
    return f"<t:{timer.deadline // 1000}:R>"


@pytest.mark.parametrize("level", [NoticeLevel.PING, NoticeLevel.DIRECT])
async def test_a_start_edits_a_mention_whose_deadline_moved_much(room: Following, level: NoticeLevel) -> None:
    await room.choose(level)
    match = await away(room)
    (posted,) = [*room.mentions(), *room.messages.direct(match.seats[on_turn(match)])]
    match.shift_time(HOUR * 1000)
    for edits in (1, 1):
        next_start = started_again(room)
        await next_start.load({match.id})
        next_start.match_changed(match)
        await room.seconds(600)
        next_start.close()
        assert posted.edits == edits
        assert deadline(match) in posted.text


async def test_a_start_edits_a_mention_once_if_nobody_knows_what_it_says(room: Following) -> None:
    match = await away(room)
    (row,) = await room.store.notices()
    await room.store.add_notice(replace(row, mark=None))
    assert await edits_at_the_next_start(room, match) == 1
    assert await edits_at_the_next_start(room, match) == 0


async def test_a_deadline_that_moved_little_is_shown_when_it_is_near(room: Following) -> None:
    match = await away(room)
    (posted,) = room.mentions()
    await move_deadline(room, match, 300)
    assert deadline(match) not in posted.text
    (timer,) = match.position.timers
    near = timer.deadline / 1000 - LITTLE * 300 - room.scheduler.now() / 1000
    await room.seconds(near - 5)
    await move_deadline(room, match, 0)
    assert posted.edits == 0
    await room.seconds(5)
    assert posted.edits == 1
    assert deadline(match) in posted.text


@pytest.mark.parametrize("back", [False, True])
async def test_a_kill_between_an_edit_and_its_mark_edits_once_too_often(
    room: Following, monkeypatch: pytest.MonkeyPatch, back: bool
) -> None:
    """Even if the mention should say again what it said before: nobody knows that it doesn't."""
    match = await away(room)
    (posted,) = room.mentions()
    mark_notice = room.store.mark_notice

    async def killed(notice: Notice) -> None:
        if notice.mark is not None:
            raise NotSaved("the process was killed")
        await mark_notice(notice)

    with monkeypatch.context() as patch:
        patch.setattr(room.store, "mark_notice", killed)
        await move_deadline(room, match, HOUR)
    assert posted.edits == 1
    match.shift_time(-HOUR * 1000 if back else 0)
    assert await edits_at_the_next_start(room, match) == 1
    assert deadline(match) in posted.text
    assert await edits_at_the_next_start(room, match) == 0


@pytest.mark.parametrize("failure", [CUT, DOWN, LIMITED, refused(50001)], ids=lambda each: each.reason)
async def test_no_mark_says_what_a_failed_edit_should_have_said(room: Following, failure: NotTaken) -> None:
    match = await away(room)
    (posted,) = room.mentions()
    room.messages.fail("edit", failure, times=TRIES)
    await move_deadline(room, match, HOUR)
    await room.seconds(600)
    assert posted.edits == 0
    assert await mark_of(room) is None
    room.messages.recover()
    assert await edits_at_the_next_start(room, match) == 1
    assert await mark_of(room) is not None


async def test_a_mention_that_goes_while_it_is_edited_leaves_no_row(room: Following) -> None:
    match = await away(room)
    gate = room.messages.hold()
    await move_deadline(room, match, HOUR)
    await room.pass_turn(match)
    gate.set()
    await room.seconds(5)
    assert room.messages.tries["edit"] >= 1
    assert await room.store.notices() == []


async def test_a_late_mark_is_not_that_of_the_warning_that_took_the_mentions_place(room: Following) -> None:
    """A direct message is edited beside what happens in the match's channel."""
    await room.choose(NoticeLevel.DIRECT)
    match = await away(room)
    user = match.seats[on_turn(match)]
    gate = room.messages.hold()
    await move_deadline(room, match, HOUR)
    assert await mark_of(room) is None
    room.updates.notices.warn(match, on_turn(match))
    await settle()
    gate.set()
    await room.seconds(5)
    (warning,) = room.messages.direct(user)
    (row,) = await room.store.notices()
    assert (row.message_id, row.mark) == (warning.posted.message_id, mark_of_text(warning.text))


# ---------------------------------------------------------------------------------------------- a resumed match


async def resumed(room: Following) -> tuple[LiveMatch, list[FakeMessage]]:
    """A match that seat 0 has resumed elsewhere; what was posted there as text."""
    match = await room.seated()
    await room.lifecycle.suspend(match, Suspension.NO_SENDING, CHANNEL)
    await room.resume(match)
    await room.seconds(5)
    return match, room.mentions(ELSEWHERE)


async def test_that_a_match_was_resumed_is_posted_after_the_board_and_leads_there(room: Following) -> None:
    match, (told,) = await resumed(room)
    first, _ = room.messages.there(ELSEWHERE)
    assert first == room.board_of(match)
    other = match.seats[1]
    named = say("resume.told", player=NAMES[match.seats[0]], others=isolation.mention(other), game="Haymaker")
    assert told.text == f"{named} https://discord.com/channels/{GUILD}/{ELSEWHERE}/{match.board_id}"
    assert told.notified == (other,)


async def test_where_the_board_of_a_resumed_match_could_not_be_posted_nothing_is_announced(room: Following) -> None:
    room.messages.fail("post", refused(50001), times=2)
    match = await room.opened()
    await room.seconds(2)
    assert match.suspended is Suspension.NO_ACCESS
    await room.resume(match)
    await room.seconds(5)
    assert room.messages.there(ELSEWHERE) == []
