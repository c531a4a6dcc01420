"""The board: edited in place, tried again, posted anew where it must be, and left alone where its place is lost."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
import logging

import pytest

from bot.play.live_match import LiveMatch
from bot.play.server_settings import BOARD_FORM
from bot.store.errors import NotSaved
from bot.store.queries.invitations import InvitationState
from bot.store.queries.matches import Suspension
from bot.telemetry import Telemetry
from cogs.board_pictures import LATE, WORDS_AFTER_LATE, WORDS_AFTER_REFUSAL
from cogs.screens.renderer import PICTURE_REFUSALS, sheet
from cogs.updates.board_updater import LOST, REMOVALS, REMOVALS_WITHIN
from cogs.updates.channel_messages import NotTaken, Posted
from cogs.updates.edit_queue import FIRST_RETRY_DELAY, SPACING, TRIES
from cogs.updates.shown_messages import SPACING_OF_OLD, STALE
from discord_sandbox.virtual_time import settle
from engines.game import Resign
from tests.bot.play.parts import ANN, BOB, CHANNEL, ELSEWHERE, press_ids
from tests.cogs.fake_messages import CUT, DOWN, LIMITED, refused
from tests.cogs.updates.following import NOTICE_AFTER, Following
from tests.failing_rules import raising


async def test_a_change_edits_the_board_in_place_and_a_change_that_shows_nothing_does_not(room: Following) -> None:
    match = await room.seated()
    board = room.board_of(match)
    await room.move(match)
    assert room.board_requests() == [("edit", board.posted)]
    assert room.is_right(match)
    await room.seconds(SPACING)
    room.updates.match_changed(match)
    await room.seconds(SPACING)
    assert room.messages.tries["edit"] == 1


async def test_the_question_counts_as_shown_once_its_edit_was_taken(room: Following) -> None:
    match = await room.seated()
    gate = room.messages.hold()
    await room.move(match)
    (timer,) = match.position.timers
    await room.seconds(20)
    gate.set()
    await settle()
    assert match.deadline_with_grace(timer) >= timer.deadline + 20_000


async def test_an_edit_by_the_bot_is_counted_as_one(room: Following, monkeypatch: pytest.MonkeyPatch) -> None:
    match, edited = await room.seated(), list[str]()
    monkeypatch.setattr(Telemetry, "board_edited", lambda _, by: edited.append(by))
    await room.move(match)
    await room.seconds(5)
    assert edited == ["bot"]


@pytest.mark.parametrize("failure", [CUT, DOWN, LIMITED, refused(30046)], ids=lambda failure: failure.reason)
async def test_an_edit_that_was_not_taken_is_tried_again_until_it_is(room: Following, failure: NotTaken) -> None:
    match = await room.seated()
    room.messages.fail("edit", failure, times=TRIES - 1)
    await room.move(match)
    assert not room.is_right(match)
    await room.seconds(FIRST_RETRY_DELAY * 2**TRIES)
    assert room.is_right(match)
    assert room.messages.tries["edit"] == TRIES


async def test_after_the_last_try_the_board_waits_for_the_next_change(room: Following) -> None:
    match = await room.seated()
    room.messages.fail("edit", DOWN, times=TRIES)
    await room.move(match)
    await room.seconds(600)
    assert (room.messages.tries["edit"], room.is_right(match)) == (TRIES, False)
    await room.move(match)
    assert room.is_right(match)


async def test_a_change_is_tried_at_once_and_what_was_to_be_tried_again_costs_nothing_more(room: Following) -> None:
    match = await room.seated()
    room.messages.fail("edit", DOWN)
    await room.move(match)
    await room.move(match)
    await room.seconds(SPACING)
    assert room.is_right(match)
    await room.seconds(600)
    assert room.messages.tries["edit"] == 2


async def test_a_deleted_board_is_posted_anew_once_by_the_next_change(room: Following) -> None:
    match = await room.seated()
    room.board_of(match).deleted = True
    await room.move(match)
    await room.seconds(60)
    assert [doing for doing, _ in room.board_requests()] == ["post"]
    assert room.is_right(match)


async def test_F_39_a_board_that_is_removed_again_and_again_suspends_the_match(room: Following) -> None:
    match = await room.seated()  # the message that was pressed is not there: the first removal
    for _ in range(10):
        if match.suspended is not None:
            break
        room.board_of(match).deleted = True
        await room.move(match)
        await room.seconds(SPACING)
    assert match.suspended is Suspension.BOARD_REMOVED
    await room.seconds(3600)
    assert (room.messages.tries["post"], room.messages.tries["edit"]) == (REMOVALS - 1, REMOVALS)


async def test_F_39_boards_that_are_removed_now_and_then_are_posted_again(room: Following) -> None:
    match = await room.seated()
    await room.seconds(REMOVALS_WITHIN / 1000)
    for _ in range(2 * REMOVALS):
        room.board_of(match).deleted = True
        await room.move(match)
        await room.seconds(REMOVALS_WITHIN / 1000 / REMOVALS + 1)
        assert room.is_right(match)


@pytest.mark.parametrize("code", [200000, 200001])
async def test_F_39_a_board_that_automod_blocks_suspends_the_match(room: Following, code: int) -> None:
    match = await room.seated()
    room.board_of(match).deleted = True
    room.messages.fail("post", refused(code))
    await room.move(match)
    assert match.suspended is Suspension.BOARD_REMOVED
    await room.seconds(600)
    assert room.messages.tries["post"] == 1


async def test_the_first_change_after_55_minutes_posts_the_board_and_deletes_the_old_one(room: Following) -> None:
    match = await room.seated()
    old = room.board_of(match)
    await room.seconds(STALE / 1000)
    await room.move(match)
    await room.seconds(60)
    new = room.board_of(match)
    assert room.board_requests() == [("post", new.posted), ("delete", old.posted)]
    assert room.is_right(match)
    await room.move(match)
    assert room.board_requests()[2:] == [("edit", new.posted)]


async def test_a_repair_never_moves_an_old_board_unless_its_edits_are_limited(room: Following) -> None:
    match = await room.seated()
    old = room.board_of(match)
    await room.seconds(STALE / 1000)
    await match.act(*room.next_act(match))
    room.updates.match_repaired(match)
    await settle()
    assert room.board_requests() == [("edit", old.posted)]
    await room.seconds(SPACING_OF_OLD)
    await match.act(*room.next_act(match))
    room.messages.fail("edit", LIMITED)
    room.updates.match_repaired(match)
    await settle()
    assert room.board_requests()[1:] == [("post", room.board_of(match).posted), ("delete", old.posted)]


@pytest.mark.parametrize("failure", [CUT, LIMITED, refused(50013)], ids=lambda failure: failure.reason)
async def test_an_old_board_that_cannot_be_deleted_is_no_fault_of_the_program(
    room: Following, failure: NotTaken, caplog: pytest.LogCaptureFixture
) -> None:
    match = await room.seated()
    await room.seconds(STALE / 1000)
    room.messages.fail("delete", failure)
    await room.move(match)
    assert [record.levelname for record in caplog.records if record.levelno >= logging.ERROR] == []
    await room.move(match)
    await room.seconds(SPACING)
    assert room.board_requests()[-1] == ("edit", room.board_of(match).posted)


@pytest.mark.parametrize("code", LOST)
async def test_where_its_place_is_lost_the_match_is_suspended_and_nothing_more_is_sent(
    room: Following, code: int
) -> None:
    match = await room.seated()
    tries = 2 if code in PICTURE_REFUSALS else 1  # once more without the picture
    room.messages.fail("edit", refused(code), times=tries)
    await room.move(match)
    assert match.suspended == LOST[code]
    await room.seconds(600)
    assert room.messages.tries["edit"] == tries


async def test_after_the_end_the_last_board_is_shown_and_nothing_more(room: Following) -> None:
    match = await room.seated()
    await match.call_off(0, next(press_ids))
    await match.call_off(1, next(press_ids))
    room.clock.settle(match)
    room.updates.match_changed(match)
    await room.seconds(1)
    assert (room.messages.tries["edit"], room.is_right(match)) == (1, True)
    await room.seconds(24 * 3600)
    assert room.messages.tries["edit"] == 1


async def test_a_resumed_match_has_its_board_where_it_was_resumed_and_none_where_it_was(room: Following) -> None:
    match = await room.seated()
    old = room.board_of(match)
    await room.lifecycle.suspend(match, Suspension.NO_SENDING, CHANNEL)
    await room.resume(match)
    await room.seconds(10)
    assert old.deleted
    assert room.is_right(match)
    assert room.board_of(match).posted.channel_id == ELSEWHERE


async def test_a_board_posted_while_its_match_was_resumed_elsewhere_is_deleted(room: Following) -> None:
    match = await room.seated()
    room.board_of(match).deleted = True
    await match.act(*room.next_act(match))
    room.updates.match_changed(match)
    gate = room.messages.hold()
    await settle()
    await room.lifecycle.suspend(match, Suspension.NO_SENDING, CHANNEL)
    await room.resume(match)
    gate.set()
    await room.seconds(30)
    assert [each for each in room.messages.there(CHANNEL) if each.text] == []
    assert room.is_right(match)


async def test_a_board_whose_place_cannot_be_saved_is_the_board_all_the_same(
    room: Following, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await room.seated()
    room.board_of(match).deleted = True

    monkeypatch.setattr(room.store, "set_board", raising(NotSaved("the disk is full")))
    await room.move(match)
    await room.seconds(SPACING)
    assert room.is_right(match)
    assert room.messages.tries == {"edit": 1, "post": 1}


@pytest.mark.parametrize("failure", [CUT, DOWN, LIMITED], ids=lambda failure: failure.reason)
async def test_an_old_board_that_a_cut_connection_left_is_removed_later(room: Following, failure: NotTaken) -> None:
    match = await room.seated()
    room.seen(match)
    await room.seconds(STALE / 1000)
    room.messages.fail("delete", failure, times=TRIES - 1)
    await room.move(match)
    assert len(room.messages.there(CHANNEL)) == 2
    await room.seconds(FIRST_RETRY_DELAY * 2**TRIES)
    assert room.is_right(match)
    assert room.messages.tries["delete"] == TRIES


async def test_the_old_board_of_a_resumed_match_is_removed_after_a_cut_connection_too(room: Following) -> None:
    match = await room.seated()
    old = room.board_of(match)
    room.messages.fail("delete", CUT)
    await room.lifecycle.suspend(match, Suspension.NO_SENDING, CHANNEL)
    await room.resume(match)
    await room.seconds(60)
    assert old.deleted


async def test_nothing_is_asked_of_a_deleted_channel_when_its_match_is_resumed(room: Following) -> None:
    """X7: the board went with the channel, and so did a mention."""
    match = await room.seated()
    await room.seconds(NOTICE_AFTER)
    assert len(room.texts()) == 1
    asked = room.messages.tries.total()
    room.messages.gone.add(CHANNEL)
    await room.lifecycle.suspend(match, Suspension.CHANNEL_GONE, CHANNEL)
    await room.seconds(10)
    assert room.messages.tries.total() == asked
    assert await room.store.notices() == []
    await room.resume(match)
    await room.seconds(10)
    assert [posted.channel_id for _, posted in room.messages.requests[1:]] == [ELSEWHERE, ELSEWHERE]
    assert room.messages.tries["delete"] == 0
    assert room.is_right(match)


async def test_an_invitation_that_closed_without_a_press_shows_how_it_ended(room: Following) -> None:
    invitation = await room.invited()
    posted = Posted(CHANNEL, 1)
    room.updates.invitation_closed(invitation, InvitationState.EXPIRED)
    await room.seconds(SPACING)
    assert room.messages.tries["edit"] == 0, "it was never posted, so there is nothing to edit"
    shown = await room.messages.post_text(invitation.guild_id, CHANNEL, "asked", [ANN])
    await room.store.set_invitation_message(invitation.id, shown.message_id)
    (stored,) = await room.store.open_invitations()
    room.updates.invitation_closed(stored, InvitationState.EXPIRED)
    await room.seconds(SPACING)
    assert room.messages.messages[shown].text == "haymaker expired"
    assert posted not in room.messages.messages


@pytest.mark.parametrize("closed", [False, True])
async def test_an_open_invitation_is_shown_again_only_if_it_is_still_open(room: Following, closed: bool) -> None:
    invitation = await room.invited()
    shown = await room.messages.post_text(invitation.guild_id, CHANNEL, "asked", [ANN])
    await room.invitations.note_message(invitation, shown.message_id)
    if closed:
        await room.seating.turn_down(invitation.id, ANN)
    room.updates.invitation_repaired(invitation)  # as it was before its message was noted
    await room.seconds(2)
    assert room.messages.messages[shown].text == ("asked" if closed else "haymaker open")


async def test_a_late_edit_of_the_invitation_is_undone_though_an_answer_has_shown_the_board_since(
    room: Following,
) -> None:
    posted = await room.messages.post(1, CHANNEL, sheet(room.invitation_with_buttons(), "asked"))
    invitation = await room.invited()
    await room.invitations.note_message(invitation, posted.message_id)
    salted = await room.seating.add_salt(invitation.id, ANN, "a pinch")
    gate = room.messages.hold()
    room.updates.invitation_changed(salted)
    await settle()  # the edit is under way
    with room.presses.take_up(invitation.id, next(press_ids)) as press:
        match = await room.seating.take_seat(invitation.id, BOB, posted.message_id, press)
    assert isinstance(match, LiveMatch)
    gate.set()
    await settle()  # it came after the answer to the press, and shows the invitation
    assert not room.is_right(match)
    made = sheet(room.board(match), match.id)
    room.updates.board_updater.note_shown(match, made, match.position)  # the answer is known to be taken
    await room.seconds(2 * SPACING)
    assert room.is_right(match)


# ---------------------------------------------------------------------------------------------- pictures


async def ended(room: Following, match: LiveMatch | None = None) -> LiveMatch:
    """A match that is over, whose last board is on its way."""
    match = match or await room.seated()
    await match.act(0, Resign())
    room.clock.settle(match)
    room.updates.match_changed(match)
    return match


def picture_of(room: Following, match: LiveMatch) -> bytes:
    """The picture on a match's board; empty for none."""
    shown = room.board_of(match).shown
    assert not isinstance(shown, str)
    return shown.picture


async def test_a_board_is_a_picture_of_its_table_at_each_moment(room: Following) -> None:
    match = await room.seated()
    seen = {picture_of(room, match)}
    for _ in range(2):
        await room.move(match)
        await room.seconds(SPACING)
        seen.add(picture_of(room, match))
    await ended(room, match)
    await room.seconds(SPACING + 1)
    seen.add(picture_of(room, match))
    assert len(seen - {b""}) == 4
    assert room.is_right(match)


async def test_where_edits_are_two_seconds_late_boards_are_words_and_back(room: Following) -> None:
    match = await room.seated()

    async def slow() -> int:
        await asyncio.sleep(LATE + 1)
        return 1

    for ahead in (False, True):
        if ahead:
            room.edits.request_edit(("channel", CHANNEL), "other", slow)
        await room.move(match)
        await room.seconds(LATE + 2 + SPACING)
        assert (picture_of(room, match) == b"", room.is_right(match)) == (ahead, True)
    await room.seconds(WORDS_AFTER_LATE)
    await room.move(match)
    await room.seconds(SPACING)
    assert (picture_of(room, match) != b"", room.is_right(match)) == (True, True)


async def test_after_a_refused_picture_boards_are_words_for_a_while(room: Following) -> None:
    match = await room.seated()
    room.messages.fail("edit", refused(40005))
    for _ in range(2):
        await room.move(match)
        await room.seconds(SPACING)
        assert (picture_of(room, match), room.is_right(match)) == (b"", True)
    assert room.messages.tries["edit"] == 3
    await room.seconds(WORDS_AFTER_REFUSAL)
    await room.move(match)
    assert picture_of(room, match)


async def test_a_server_that_prefers_words_has_no_picture(room: Following) -> None:
    match = await room.seated()
    await room.pictures.server_settings.change(match.guild_id, ANN, BOARD_FORM, "emojis")
    await room.move(match)
    assert (picture_of(room, match), room.is_right(match)) == (b"", True)


@pytest.mark.parametrize("code", [50013, 50035, 40005])
async def test_where_the_picture_is_refused_the_board_is_shown_without_it(room: Following, code: int) -> None:
    match = await room.seated()
    room.messages.fail("edit", refused(code))
    await ended(room, match)
    await room.seconds(SPACING)
    assert (room.messages.tries["edit"], picture_of(room, match), match.suspended) == (2, b"", None)
    shown = room.board_of(match).shown
    assert not isinstance(shown, str)
    assert shown.mark() == sheet(room.board(match), match.id).mark()


async def test_a_refusal_without_a_picture_is_what_it_always_was(room: Following) -> None:
    match = await room.seated()
    room.pictures.note_refused(match)
    room.messages.fail("edit", refused(50013))
    await room.move(match)
    assert match.suspended is Suspension.NO_SENDING


async def test_a_repair_of_a_last_board_that_was_shown_uploads_nothing(room: Following) -> None:
    match = await ended(room)
    await room.seconds(SPACING)
    edits = room.messages.tries["edit"]
    room.updates.match_repaired(match)
    await room.seconds(SPACING)
    assert (room.messages.tries["edit"], room.messages.tries["find"], room.is_right(match)) == (edits, 1, True)


async def test_a_repair_of_a_last_board_that_was_not_shown_does(room: Following) -> None:
    match = await room.seated()
    await match.act(0, Resign())
    for error in (None, DOWN):  # the look at the message may fail, too
        if error is not None:
            room.messages.fail("find", error)
        room.board_of(match).shown = sheet(room.board(match), match.id)
        room.updates.match_repaired(match)
        await room.seconds(SPACING)
        assert room.is_right(match)
        assert picture_of(room, match)
