"""Messages whose id was never recorded are found and removed."""

from __future__ import annotations

import asyncio

import pytest

from bot.gateway.requests import EDITS_PER_SECOND
from bot.play.live_match import LiveMatch
from bot.store.errors import NotSaved
from bot.store.queries.matches import Suspension
from bot.store.queries.screens import Notice, Posting
from bot.telemetry import NO_TELEMETRY
from bot.ui.screen import Button, Press
from cogs.screens.renderer import ButtonsBelow, Sheet, buttons_below, sheet
from cogs.updates.channel_messages import NotTaken, Sent
from cogs.updates.edit_queue import FIRST_RETRY_DELAY, SPACING, TRIES, EditQueue
from cogs.updates.shown_messages import STALE, Postings
from discord_sandbox.virtual_time import settle
from tests.bot.play.parts import ANN, CHANNEL, GUILD, on_turn
from tests.cogs.fake_messages import CUT, DOWN, FakeMessage, refused
from tests.cogs.updates.following import NOTICE_AFTER, Following
from tests.failing_rules import raising


async def killed(room: Following) -> None:
    """End what follows the matches, as a killed process does."""
    await room.edits.close(0)
    room.updates.notices.close()


async def started_again(room: Following, *matches: LiveMatch) -> Postings:
    """The next process's."""
    room.edits = EditQueue(SPACING, EDITS_PER_SECOND, room.scheduler, NO_TELEMETRY)
    postings = Postings(room.messages, room.store, room.edits, room.scheduler)
    notices = [notice.message_id for notice in await room.store.notices()]
    await postings.load({match.id for match in matches})
    for match in matches:
        postings.restore(match.id, match, lambda: notices)
    await room.seconds(5)
    return postings


def boards(room: Following) -> list[FakeMessage]:
    return [each for each in room.messages.there(CHANNEL) if isinstance(each.shown, Sheet)]


def my_cards(match: LiveMatch) -> ButtonsBelow:
    """The button below a mention."""
    return buttons_below((Button("My cards", Press("cards")),), match.id)


@pytest.mark.parametrize("failure", [CUT, DOWN], ids=lambda failure: failure.reason)
async def test_a_board_whose_post_was_cut_after_it_was_taken_is_not_posted_twice(
    room: Following, failure: NotTaken
) -> None:
    match = await room.seated()
    room.board_of(match).deleted = True
    room.messages.lose_reply(failure)
    await room.move(match)
    await room.seconds(FIRST_RETRY_DELAY * 2)
    assert room.is_right(match)
    assert await room.store.postings() == []


@pytest.mark.parametrize("failure", [CUT, DOWN], ids=lambda failure: failure.reason)
async def test_a_mention_whose_post_was_cut_after_it_was_taken_is_there_once_and_goes(
    room: Following, failure: NotTaken
) -> None:
    match = await room.seated()
    room.messages.lose_reply(failure)
    await room.seconds(NOTICE_AFTER + 2 * FIRST_RETRY_DELAY)
    assert len(room.texts()) == 1
    room.seen(match)
    await room.seconds(2)
    assert room.texts() == []
    assert await room.store.postings() == []


async def test_an_ordinary_post_is_recorded_before_and_leaves_no_record(room: Following) -> None:
    match = await room.seated()
    room.seen(match)
    await room.seconds(STALE / 1000)
    gate = room.messages.hold()
    old = match.board_id
    await room.move(match)
    (posting,) = await room.store.postings()
    assert posting == Posting(match.id, None, CHANNEL, old, posting.at)
    gate.set()
    await room.seconds(2)
    assert await room.store.postings() == []
    assert room.messages.tries["find"] == 0
    assert room.is_right(match)


async def test_a_post_that_was_refused_leaves_no_record(room: Following) -> None:
    match = await room.seated()
    room.board_of(match).deleted = True
    room.messages.fail("post", refused(50035))
    await room.move(match)
    assert await room.store.postings() == []


async def test_a_board_that_a_killed_process_posted_is_removed_by_the_next_and_mentions_stay(room: Following) -> None:
    match = await room.seated()
    await killed(room)
    await room.store.add_posting(Posting(match.id, None, CHANNEL, match.board_id, room.now()))
    await room.messages.post(GUILD, CHANNEL, sheet(room.board(match), match.id))
    await room.messages.post_text(GUILD, CHANNEL, "your turn", [], my_cards(match))
    await started_again(room, match)
    assert boards(room) == [room.board_of(match)]
    assert room.texts() == ["your turn"]
    assert await room.store.postings() == []


async def test_a_former_board_that_a_killed_process_did_not_remove_is_removed_by_the_next(room: Following) -> None:
    match = await room.seated()
    former = room.board_of(match)
    await killed(room)
    await room.store.add_posting(Posting(match.id, None, CHANNEL, match.board_id, room.now()))
    posted = await room.messages.post(GUILD, CHANNEL, sheet(room.board(match), match.id))
    assert await match.place_board(CHANNEL, posted.message_id)
    await started_again(room, match)
    assert former.deleted
    assert boards(room) == [room.board_of(match)]


async def test_a_mention_that_a_killed_process_posted_is_removed_and_recorded_ones_stay(room: Following) -> None:
    match = await room.seated()
    seat = on_turn(match)
    await killed(room)
    await room.store.add_posting(Posting(match.id, seat, CHANNEL, None, room.now()))
    text = f"<@{match.seats[seat]}>, your turn"
    await room.messages.post_text(GUILD, CHANNEL, text, [], my_cards(match))
    kept = await room.messages.post_text(GUILD, CHANNEL, text, [])
    await room.store.add_notice(Notice(match.id, seat, match.seats[seat], CHANNEL, kept.message_id))
    await room.messages.post_text(GUILD, CHANNEL, "Somebody has resumed a match.", [])
    await started_again(room, match)
    assert room.texts() == [text, "Somebody has resumed a match."]
    assert await room.store.postings() == []


async def test_a_direct_message_that_a_killed_process_sent_is_removed(room: Following) -> None:
    match = await room.seated()
    seat = on_turn(match)
    await killed(room)
    user = match.seats[seat]
    await room.store.add_posting(Posting(match.id, seat, -user, None, room.now()))
    await room.messages.send_directly(
        user, f"Your turn https://discord.com/channels/{GUILD}/{CHANNEL}/{match.board_id}"
    )
    await room.messages.send_directly(user, "Something else")
    await started_again(room, match)
    assert [each.text for each in room.messages.direct(user)] == ["Something else"]


async def test_a_direct_message_that_is_sent_while_a_lost_one_is_looked_for_stays(
    room: Following, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await room.seated()
    seat = on_turn(match)
    user, find, held, may_find = match.seats[seat], room.messages.find_sent, asyncio.Event(), asyncio.Event()
    await killed(room)
    await room.store.add_posting(Posting(match.id, seat, -user, None, room.now()))

    async def slowly(channel_id: int, since: int) -> list[Sent]:
        if not held.is_set():
            held.set()
            await may_find.wait()
        return await find(channel_id, since)

    monkeypatch.setattr(room.messages, "find_sent", slowly)
    postings = await started_again(room, match)
    assert held.is_set()
    async with postings.posting(match, seat, -user, ()):
        await room.messages.send_directly(user, f"https://discord.com/channels/{GUILD}/{CHANNEL}/{match.board_id}")
    may_find.set()
    await room.seconds(5)
    assert len(room.messages.direct(user)) == 1


async def test_looking_is_tried_again_after_a_failure_and_given_up_after_a_refusal(room: Following) -> None:
    match = await room.seated()
    await killed(room)
    await room.store.add_posting(Posting(match.id, None, CHANNEL, match.board_id, room.now()))
    await room.messages.post(GUILD, CHANNEL, sheet(room.board(match), match.id))
    room.messages.fail("find", CUT, times=TRIES - 1)
    await started_again(room, match)
    assert len(boards(room)) == 2
    await room.seconds(FIRST_RETRY_DELAY * 2**TRIES)
    assert len(boards(room)) == 1
    await room.store.add_posting(Posting(match.id, None, CHANNEL, match.board_id, room.now()))
    room.messages.fail("find", refused(50001))
    postings = await started_again(room, match)
    assert postings.idle
    assert await room.store.postings() == []


async def test_nothing_is_asked_of_a_lost_place(room: Following) -> None:
    match = await room.seated()
    await room.lifecycle.suspend(match, Suspension.CHANNEL_GONE, CHANNEL)
    await room.store.add_posting(Posting(match.id, None, CHANNEL, match.board_id, room.now()))
    room.messages.tries.clear()
    await started_again(room, match)
    assert room.messages.tries.total() == 0
    assert await room.store.postings() == []


async def test_a_store_that_cannot_write_stops_no_board(room: Following, monkeypatch: pytest.MonkeyPatch) -> None:
    match = await room.seated()
    room.board_of(match).deleted = True

    monkeypatch.setattr(room.store, "add_posting", raising(NotSaved("the disk is full")))
    monkeypatch.setattr(room.store, "remove_posting", raising(NotSaved("the disk is full")))
    await room.move(match)
    await settle()
    assert room.is_right(match)


async def test_an_invitation_whose_message_was_not_recorded_is_found(room: Following) -> None:
    invitation = await room.invited(ANN)
    posted = await room.messages.post(GUILD, CHANNEL, sheet(room.invitation_with_buttons(), invitation.id))
    room.messages.fail("find", CUT)
    room.updates.postings.find_invitation(invitation, room.invitations.note_message)
    await room.seconds(10)
    (noted,) = room.invitations.open()
    assert noted.message_id == posted.message_id
