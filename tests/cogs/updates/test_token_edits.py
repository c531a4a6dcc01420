"""Boards through the tokens of interactions: while there is one, and never at the cost of an old board."""

from __future__ import annotations

import asyncio

import pytest

from bot.play.live_match import LiveMatch
from bot.ui.screen import Screen, Text
from cogs.interactions import responses
from cogs.updates import board_updater
from cogs.updates.channel_messages import NotTaken, Posted
from cogs.updates.edit_queue import FIRST_RETRY_DELAY, SPACING
from cogs.updates.token_edits import EDITS_WITHIN, MOST_EDITS, TOKEN_SECONDS, BoardTokens
from discord_sandbox.virtual_time import settle
from engines.game import Resign
from tests.cogs.fake_interaction import FakeInteraction, Seen
from tests.cogs.fake_messages import CUT, DOWN
from tests.cogs.updates.following import Following

SCREEN = Screen("", (Text("shown"),))


def answer(status: int, code: int) -> NotTaken:
    return NotTaken("HTTPException", code, status=status, answered=True)


async def pressed(room: Following, match: LiveMatch) -> str:
    """Somebody's press is answered with the board itself; the token that it gives."""
    assert match.board_id is not None
    interaction = FakeInteraction({}, source=Seen("", private=False), message_id=match.board_id)
    assert await responses.edit_source(interaction.as_interaction, SCREEN, match.id)
    room.token_edits.reaches[interaction.token] = Posted(match.channel_id, match.board_id)
    room.board_tokens.note_answered(interaction.as_interaction)
    return interaction.token


async def with_token(room: Following) -> LiveMatch:
    """A match whose board has a token."""
    match = await room.seated()
    await pressed(room, match)
    return match


async def test_a_board_with_a_token_is_edited_through_it_once_a_second_and_the_last_state_wins(room: Following) -> None:
    match = await with_token(room)
    for _ in range(4):
        await room.move(match)
    assert room.token_edits.tries == 1
    await room.seconds(SPACING)
    assert (room.token_edits.tries, room.messages.tries["edit"], room.is_right(match)) == (2, 0, True)


async def test_boards_with_tokens_do_not_wait_for_their_channel(room: Following) -> None:
    matches = [await with_token(room) for _ in range(3)]
    for match in matches:
        await room.move(match)
    assert (room.token_edits.tries, room.messages.tries["edit"]) == (3, 0)


@pytest.mark.parametrize("is_cut", [False, True])
async def test_after_an_edit_and_an_answer_that_crossed_the_board_is_edited_once_more(
    room: Following, *, is_cut: bool
) -> None:
    """The edit lands last and shows the past, but its reply comes first or never."""
    match = await with_token(room)
    room.token_edits.gate = asyncio.Event()
    await room.move(match)
    await room.move(match)
    place = Posted(match.channel_id, match.board_id or 0)
    late = FakeInteraction({}, source=Seen("", private=False), message_id=place.message_id, reply_takes=0.2)
    room.token_edits.reaches[late.token] = place
    answering = asyncio.create_task(room.updates.board_updater.answer(late.as_interaction, match))
    if is_cut:
        await answering
        room.token_edits.failures = [CUT]
    await room.seconds(0.1)
    room.token_edits.gate.set()
    await answering
    await room.seconds(FIRST_RETRY_DELAY + 2 * SPACING)
    assert room.is_right(match)


@pytest.mark.parametrize(
    "refusal",
    [answer(404, 10008), answer(404, 10015), answer(401, 50027), answer(403, 50013), answer(400, 50083)],
    ids=lambda refusal: str(refusal.code),
)
async def test_a_refused_token_is_dropped_and_the_bots_own_edits_the_board_at_once(
    room: Following, refusal: NotTaken
) -> None:
    match = await with_token(room)
    tries = 2 if refusal.refuses_picture else 1  # once more without the picture
    room.token_edits.failures.extend([refusal] * tries)
    await room.move(match)
    assert (room.token_edits.tries, room.messages.tries["edit"], room.is_right(match)) == (tries, 1, True)
    await room.seconds(SPACING)
    await room.move(match)
    assert (room.token_edits.tries, room.messages.tries["edit"], room.is_right(match)) == (tries, 2, True)


@pytest.mark.parametrize("limit", [answer(429, 0), answer(429, 30046)], ids=lambda limit: str(limit.code))
async def test_a_limited_token_is_left_alone_for_a_moment_and_the_board_is_right_at_once(
    room: Following, limit: NotTaken
) -> None:
    match = await with_token(room)
    room.token_edits.failures.append(limit)
    await room.move(match)
    assert (room.token_edits.tries, room.messages.tries["edit"], room.is_right(match)) == (1, 1, True)
    await room.seconds(SPACING)
    await room.move(match)
    assert (room.token_edits.tries, room.messages.tries["edit"]) == (1, 2)
    await room.seconds(EDITS_WITHIN)
    await room.move(match)
    assert (room.token_edits.tries, room.messages.tries["edit"], room.is_right(match)) == (2, 2, True)


@pytest.mark.parametrize("failure", [CUT, DOWN], ids=lambda failure: failure.reason)
async def test_an_edit_that_may_have_been_taken_is_not_sent_again_before_its_time(
    room: Following, failure: NotTaken
) -> None:
    match = await with_token(room)
    room.token_edits.failures.append(failure)
    await room.move(match)
    assert (room.token_edits.tries, room.messages.tries["edit"]) == (1, 0)
    await room.seconds(FIRST_RETRY_DELAY + SPACING)
    assert (room.token_edits.tries, room.messages.tries["edit"], room.is_right(match)) == (1, 1, True)


async def test_a_token_that_expires_before_its_turn_costs_no_request(room: Following) -> None:
    match = await with_token(room)
    await room.seconds(TOKEN_SECONDS - SPACING / 2)
    await room.move(match)
    await room.move(match)
    await room.seconds(SPACING)
    assert (room.token_edits.tries, room.messages.tries["edit"], room.is_right(match)) == (1, 1, True)


async def test_the_newest_token_of_a_board_is_used(room: Following) -> None:
    match = await with_token(room)
    newest = await pressed(room, match)
    await room.move(match)
    assert [token for token, _ in room.token_edits.taken] == [newest]


async def test_a_board_that_was_posted_anew_is_not_edited_through_the_old_ones_token(room: Following) -> None:
    match = await with_token(room)
    old = room.board_of(match)
    old.deleted = True
    await room.move(match)
    await room.seconds(2 * SPACING)
    await room.move(match)
    await room.seconds(2 * SPACING)
    assert room.is_right(match)
    assert [posted for _, posted in room.token_edits.taken] == []
    assert not room.board_tokens.can_edit(old.posted.message_id)


async def test_a_board_that_players_bring_down_is_posted_though_it_has_a_token(room: Following) -> None:
    match = await with_token(room)
    await room.seconds(60)
    assert room.updates.board_updater.bring_down(match)
    await room.seconds(2 * SPACING)
    assert [doing for doing, _ in room.board_requests()] == ["post", "delete"]
    assert (room.token_edits.tries, room.is_right(match)) == (0, True)


async def test_a_board_has_one_writer_at_a_time_whatever_its_ways(room: Following) -> None:
    match = await room.seated()
    gate = room.messages.hold()
    await room.move(match)  # by the bot's own token, and under way
    await pressed(room, match)
    await room.move(match)
    assert (room.token_edits.tries, room.messages.tries["edit"]) == (0, 1)
    gate.set()
    await room.seconds(2 * SPACING)
    assert (room.token_edits.tries, room.messages.tries["edit"], room.is_right(match)) == (1, 1, True)


async def test_a_repair_is_made_by_the_bots_own_token(room: Following) -> None:
    match = await with_token(room)
    await match.act(*room.next_act(match))
    room.updates.match_repaired(match)
    await settle()
    assert (room.token_edits.tries, room.messages.tries["edit"], room.is_right(match)) == (0, 1, True)


@pytest.mark.parametrize("refused", [False, True])
async def test_the_last_board_has_its_picture_unless_that_is_refused_and_its_token_is_forgotten(
    room: Following, refused: bool
) -> None:
    match = await with_token(room)
    if refused:
        room.token_edits.failures.append(answer(400, 40005))
    await match.act(0, Resign())
    room.clock.settle(match)
    room.updates.match_changed(match)
    await room.seconds(SPACING)
    shown = room.board_of(match).shown
    assert not isinstance(shown, str)
    assert (bool(shown.picture), room.token_edits.tries) == (not refused, 1 + refused)
    assert room.messages.tries["edit"] == 0
    assert len(room.board_tokens) == 0


async def test_no_token_is_kept_where_the_way_is_turned_off(room: Following) -> None:
    match = await with_token(room)
    off = BoardTokens(room.token_edits, room.scheduler, enabled=False)
    interaction = FakeInteraction({}, source=Seen("", private=False), message_id=match.board_id or 0)
    await responses.edit_source(interaction.as_interaction, SCREEN, match.id)
    off.note_answered(interaction.as_interaction)
    assert len(off) == 0


async def test_a_private_answer_gives_no_token(room: Following) -> None:
    match = await room.seated()
    interaction = FakeInteraction({}, source=Seen("", private=False), message_id=match.board_id or 0)
    await responses.reply_private(interaction.as_interaction, SCREEN, match.id)
    room.board_tokens.note_answered(interaction.as_interaction)
    assert len(room.board_tokens) == 0


async def test_an_answer_that_was_cut_gives_no_token_unless_the_board_is_its_message(room: Following) -> None:
    """Another process may have answered first; then the token edits that answer."""
    match = await room.seated()
    interaction = FakeInteraction({}, source=Seen("", private=False), message_id=match.board_id or 0)
    interaction.fail_first_response(ConnectionResetError(), after=True)
    assert await responses.edit_source(interaction.as_interaction, SCREEN, match.id)
    room.board_tokens.note_answered(interaction.as_interaction)
    assert len(room.board_tokens) == 0


async def test_a_token_takes_five_edits_in_two_seconds_and_no_more(room: Following) -> None:
    match = await with_token(room)
    tokens, board = room.board_tokens, match.board_id or 0
    shown = room.board_of(match).shown
    assert not isinstance(shown, str)
    taken = [await tokens.edit(board, shown) for _ in range(MOST_EDITS + 1)]
    assert taken == [True] * MOST_EDITS + [False]
    await room.seconds(EDITS_WITHIN)
    assert tokens.can_edit(board)


async def test_in_a_chat_without_the_bot_an_edit_waits_for_a_token_that_rests(
    room: Following, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await with_token(room)
    monkeypatch.setattr(board_updater, "is_chat", lambda _: True)
    tokens, board, shown = room.board_tokens, match.board_id or 0, room.board_of(match).shown
    assert not isinstance(shown, str)
    for _ in range(MOST_EDITS):
        assert await tokens.edit(board, shown)
    await room.move(match)
    assert not room.is_right(match)
    await room.seconds(EDITS_WITHIN + 2 * FIRST_RETRY_DELAY)  # a first try may come too early
    assert (room.is_right(match), room.messages.tries["edit"]) == (True, 0)


async def test_expired_tokens_are_forgotten_with_the_next_one(room: Following) -> None:
    first = await with_token(room)
    await room.seconds(TOKEN_SECONDS)
    await pressed(room, await room.seated())
    assert first.board_id is not None
    assert len(room.board_tokens) == 1
