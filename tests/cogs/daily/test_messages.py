"""The one message a day and channel about deals of the day: edited, posted again when it is old, and never doubled."""

from __future__ import annotations

import pytest

from bot.play.live_match import LiveMatch
from cogs.daily.queries import DailyMessage, DailyQueries
from cogs.updates.edit_queue import SPACING
from cogs.updates.shown_messages import STALE
from engines.game import Resign
from tests.bot.play.parts import ANN, BOB, CAT, CHANNEL, GUILD, press_ids
from tests.cogs.fake_messages import CUT, DOWN, LIMITED, refused
from tests.cogs.updates.following import Following


async def resigned(room: Following, user: int = ANN) -> LiveMatch:
    """An attempt that its person has resigned."""
    deal = await room.daily.deal(GUILD, "haymaker")
    with room.presses.take_up("daily", next(press_ids)) as press:
        match = await room.daily.begin(deal, user, CHANNEL, press)
    assert match is not None
    await room.seconds(SPACING)
    assert room.messages.there(CHANNEL) == [] or user != ANN, "an attempt in play is shown nowhere"
    with room.presses.take_up(match.id, next(press_ids)) as press:
        await press.act(match, 0, Resign())
    await room.seconds(SPACING)
    return match


async def unshown(room: Following) -> list[str]:
    return [each.match_id for each in await DailyQueries(room.store).unshown_attempts(0)]


async def test_the_first_to_finish_is_posted_and_others_are_added_by_an_edit(room: Following) -> None:
    match = await resigned(room)
    (message,) = room.messages.there(CHANNEL)
    assert "1 of 1" in message.text
    await resigned(room, BOB)
    await resigned(room, CAT)
    assert [each.posted for each in room.messages.there(CHANNEL)] == [message.posted]
    assert "3 of 3" in message.text
    assert message.edits == 2
    assert await unshown(room) == []
    assert match.id not in "".join(message.custom_ids()), "nothing leads to a match"


async def test_an_old_message_is_posted_again_at_the_foot_of_the_channel(room: Following) -> None:
    await resigned(room)
    (former,) = room.messages.there(CHANNEL)
    await room.seconds(STALE / 1000)
    await resigned(room, BOB)
    (message,) = room.messages.there(CHANNEL)
    assert message is not former
    assert former.deleted
    assert "2 of 2" in message.text


async def test_a_message_that_somebody_deleted_is_posted_again(room: Following) -> None:
    await resigned(room)
    (former,) = room.messages.there(CHANNEL)
    await room.messages.delete(former.posted)
    await resigned(room, BOB)
    (message,) = room.messages.there(CHANNEL)
    assert "2 of 2" in message.text


@pytest.mark.parametrize("failure", [CUT, DOWN, LIMITED], ids=lambda failure: failure.reason)
async def test_a_post_that_fails_is_tried_again(room: Following, failure: Exception) -> None:
    room.messages.fail("post", failure)  # type: ignore[arg-type]  # a NotTaken
    match = await resigned(room)
    await room.seconds(10)
    (message,) = room.messages.there(CHANNEL)
    assert "1 of 1" in message.text
    assert match.id not in await unshown(room)


async def test_a_post_whose_answer_was_lost_is_found_and_not_made_twice(room: Following) -> None:
    room.messages.lose_reply(CUT)
    await resigned(room)
    await room.seconds(10)
    (message,) = room.messages.there(CHANNEL)
    saved = await DailyQueries(room.store).message(GUILD, CHANNEL, room.days.today())
    assert saved is not None
    assert await unshown(room) == []
    await resigned(room, BOB)
    assert [each.posted for each in room.messages.there(CHANNEL)] == [message.posted]
    assert "2 of 2" in message.text


async def test_after_a_kill_between_post_and_note_the_message_is_found(room: Following) -> None:
    await resigned(room)
    (message,) = room.messages.there(CHANNEL)
    saved = await DailyQueries(room.store).message(GUILD, CHANNEL, room.days.today())
    assert saved is not None
    await DailyQueries(room.store).put_message(DailyMessage(GUILD, CHANNEL, saved.day, None, saved.posted_at))
    await resigned(room, BOB)
    assert [each.posted for each in room.messages.there(CHANNEL)] == [message.posted]
    assert "2 of 2" in message.text


async def test_a_refused_post_is_left_until_the_next_start(room: Following) -> None:
    room.messages.fail("post", refused(50001))
    match = await resigned(room)
    await room.seconds(600)
    assert room.messages.there(CHANNEL) == []
    assert await unshown(room) == [match.id]
    await room.daily_messages.resume()
    await room.seconds(SPACING)
    assert len(room.messages.there(CHANNEL)) == 1
    assert await unshown(room) == []
