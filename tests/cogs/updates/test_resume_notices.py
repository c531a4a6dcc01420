"""The notice that a match was resumed: to the others, after the board, as loud as each of them chose."""

from __future__ import annotations

import pytest

from bot.play.live_match import LiveMatch
from bot.store.errors import NotSaved
from bot.store.rows.matches import Suspension
from bot.store.rows.people import NoticeLevel
from tests.bot.play.parts import CHANNEL, ELSEWHERE, GUILD, press_ids
from tests.cogs.fake_messages import CUT, FakeMessage, refused
from tests.cogs.updates.following import NAMES, Following, say


async def resumed(room: Following, level: NoticeLevel = NoticeLevel.PING) -> tuple[LiveMatch, list[FakeMessage]]:
    """A match that seat 0 has resumed elsewhere; what was posted there as text."""
    match = await room.seated()
    await room.store.set_notice_level(GUILD, match.seats[1], level)
    await room.lifecycle.suspend(match, Suspension.NO_SENDING, CHANNEL)
    with room.presses.take_up(match.id, next(press_ids)) as press:
        assert await room.lifecycle.resume(match, ELSEWHERE, 0, press)
    await room.seconds(5)
    return match, [each for each in room.messages.there(ELSEWHERE) if isinstance(each.shown, str)]


async def test_it_is_posted_after_the_board_and_leads_there(room: Following) -> None:
    match, (told,) = await resumed(room)
    first, _ = room.messages.there(ELSEWHERE)
    assert first == room.board_of(match)
    other = match.seats[1]
    named = say("resume.told", player=NAMES[match.seats[0]], others=f"<@{other}>", game="Haymaker")
    assert told.text == f"{named} https://discord.com/channels/{GUILD}/{ELSEWHERE}/{match.board_id}"
    assert told.notified == (other,)


@pytest.mark.parametrize(
    ("level", "named", "notified"),
    [(NoticeLevel.DIRECT, True, 1), (NoticeLevel.QUIET, True, 0), (NoticeLevel.NONE, False, 0)],
)
async def test_it_notifies_each_as_they_chose(room: Following, level: NoticeLevel, named: bool, notified: int) -> None:
    match, (told,) = await resumed(room, level)
    assert (f"<@{match.seats[1]}>" in told.text, len(told.notified)) == (named, notified)


async def test_where_a_level_cannot_be_read_it_is_quiet(room: Following, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> None:
        raise NotSaved("the disk failed")

    monkeypatch.setattr(room.store, "notice_level", broken)
    _, (told,) = await resumed(room)
    assert told.notified == ()


async def test_where_the_board_could_not_be_posted_nothing_is_announced(room: Following) -> None:
    room.messages.fail("post", refused(50001), times=2)
    match = await room.opened()
    await room.seconds(2)
    assert match.suspended is Suspension.NO_ACCESS
    with room.presses.take_up(match.id, next(press_ids)) as press:
        assert await room.lifecycle.resume(match, ELSEWHERE, 0, press)
    await room.seconds(5)
    assert room.messages.there(ELSEWHERE) == []


async def test_a_cut_connection_is_no_fault_of_the_program(room: Following, caplog: pytest.LogCaptureFixture) -> None:
    match = await room.seated()
    await room.lifecycle.suspend(match, Suspension.NO_SENDING, CHANNEL)
    with room.presses.take_up(match.id, next(press_ids)) as press:
        assert await room.lifecycle.resume(match, ELSEWHERE, 0, press)
    await room.seconds(0.5)
    room.messages.fail("post", CUT)
    await room.seconds(5)
    assert [each.text for each in room.messages.there(ELSEWHERE) if isinstance(each.shown, str)] == []
    assert "error" not in caplog.text
