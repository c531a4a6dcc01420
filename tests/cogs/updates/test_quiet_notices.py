"""What can wait comes when quiet hours end, and in slow matches one ping an hour is enough."""

from __future__ import annotations

import pytest

from bot.play.live_match import LiveMatch
from bot.store.queries.matches import Suspension
from bot.store.queries.people import NoticeLevel
from cogs.updates.notifier import Notifier
from cogs.updates.quiet_hours import HOUR, QUIET_HOURS, UTC_OFFSET, QuietHours
from cogs.updates.ready_questions import ReadyQuestions
from tests.bot.play.parts import ANN, BOB, CHANNEL, ELSEWHERE, on_turn
from tests.cogs.updates.following import NOTICE_AFTER, FakeWording, Following

HOURS = 3


async def quiet(room: Following, hours: int = HOURS) -> float:
    """Both players have quiet hours from the present hour on; returns how many seconds are left of them."""
    hour = room.now() // HOUR % 24
    for user in (ANN, BOB):
        await room.store.set_preference(user, UTC_OFFSET, "0")
        await room.store.set_preference(user, QUIET_HOURS, f"{hour}-{(hour + hours) % 24}")
    return hours * 3600 - room.now() % HOUR / 1000


def asked(match: LiveMatch) -> int:
    return match.seats[on_turn(match)]


async def test_a_turn_waits_until_quiet_hours_end(room: Following) -> None:
    left = await quiet(room)
    match = await room.seated()
    await room.seconds(left - 60)
    assert room.mentions() == []
    await room.seconds(70)
    assert [each.notified for each in room.mentions()] == [(asked(match),)]


async def test_who_presses_in_their_quiet_hours_is_not_told_when_they_end(room: Following) -> None:
    left = await quiet(room)
    match = await room.seated()
    await room.seconds(NOTICE_AFTER + 60)
    room.seen(match)
    await room.seconds(left)
    assert room.mentions() == []


async def test_a_question_that_comes_while_one_before_is_being_held_back_is_told(
    room: Following, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = await quiet(room)
    match = await room.seated()
    first, user, read = match.window_number, asked(match), Notifier.quiet_hours

    async def slowly(notifier: Notifier, user_id: int) -> QuietHours:
        found = await read(notifier, user_id)
        if match.window_number == first:
            await room.pass_turn(match)
            await room.pass_turn(match)
        return found

    monkeypatch.setattr(Notifier, "quiet_hours", slowly)
    await room.seconds(left + NOTICE_AFTER)
    assert asked(match) == user
    assert [each.notified for each in room.mentions()] == [(user,)]


async def test_a_clock_that_ends_in_quiet_hours_pings_once_at_its_warning(room: Following) -> None:
    await quiet(room, 6)
    match = await room.seated("7200s")
    await room.seconds(7200 - 1800 - 60)
    assert room.mentions() == []
    await room.seconds(120)
    assert [each.notified for each in room.mentions()] == [(asked(match),)]


async def test_a_warning_that_can_wait_comes_when_quiet_hours_end(room: Following) -> None:
    left = await quiet(room)
    match = await room.seated(f"{round(left) + 900}s")
    await room.seconds(left - 60)
    assert room.mentions() == [], "its warning came due, and its clock ends later"
    await room.seconds(120)
    assert [each.notified for each in room.mentions()] == [(asked(match),)]


async def test_what_an_earlier_process_held_back_is_told_by_the_next(room: Following) -> None:
    left = await quiet(room)
    match = await room.seated(f"{round(left) + 900}s")
    await room.seconds(left - 60)
    room.updates.notices.close()
    notices = room.new_notices(room.updates.postings)
    notices.was_due(match, on_turn(match))
    await room.seconds(120)
    assert [each.notified for each in room.mentions()] == [(asked(match),)]


async def test_what_cannot_wait_is_there_and_silent(room: Following) -> None:
    """That a match was resumed, and that somebody waits at a table for who sits there."""
    await quiet(room)
    match = await room.seated()
    await room.lifecycle.suspend(match, Suspension.NO_SENDING, CHANNEL)
    await room.resume(match)
    await room.seconds(10)
    (resumed,) = room.mentions(ELSEWHERE)
    assert f"<@{match.seats[1]}>" in resumed.text
    assert resumed.notified == ()
    asking = ReadyQuestions(room.notifier, room.edits, FakeWording(), lambda *_: True)
    asking.ask(await room.invited(ANN, BOB), (BOB,))
    await room.seconds(10)
    (asked_here,) = room.mentions()
    assert f"<@{BOB}>" in asked_here.text
    assert asked_here.notified == ()


@pytest.mark.parametrize("level", [NoticeLevel.PING, NoticeLevel.DIRECT])
async def test_a_second_turn_within_an_hour_is_there_and_silent(room: Following, level: NoticeLevel) -> None:
    await room.choose(level)
    notified: list[bool] = []
    matches: list[LiveMatch] = []
    while len(matches) < 2:
        match = await room.seated()
        if asked(match) == ANN:
            matches.append(match)
        else:
            room.seen(match)
    await room.seconds(NOTICE_AFTER + 10)
    there = [each for each in (*room.mentions(), *room.messages.direct(ANN)) if isinstance(each.shown, str)]
    for match in matches:
        (notice,) = [each for each in there if str(match.board_id) in each.text]
        notified.append(ANN in notice.notified)
    assert sorted(notified) == [False, True]
