"""Open hands: kept equal to the match while their token lives, each message of its owner alone."""

from __future__ import annotations

import asyncio

import aiohttp
import pytest

from bot.play.live_match import LiveMatch
from cogs.updates.edit_queue import FIRST_RETRY_DELAY, SPACING, TRIES
from cogs.updates.open_hands import TOKEN_SECONDS
from tests.bot.play.parts import an_act, on_turn, press_ids
from tests.cogs.actions.offline_bot import OfflineBot
from tests.cogs.fake_interaction import FakeInteraction, http_error
from tests.virtual_time import settle


async def waiting_hand(offline_bot: OfflineBot) -> tuple[LiveMatch, FakeInteraction]:
    """A match, and the open hand of the one who waits."""
    match = await offline_bot.opened(clock="daily")
    other = match.seats[1 - on_turn(match)]
    return match, await offline_bot.press_on(match, "cards", other)


async def other_moves(offline_bot: OfflineBot, match: LiveMatch) -> None:
    """The seat on turn acts, and what follows is shown."""
    with offline_bot.presses.take_up(match.id, next(press_ids)) as press:
        await press.act(match, on_turn(match), an_act(match))
    await settle()


async def test_a_hand_follows_the_others_move_and_stays_one_message(offline_bot: OfflineBot) -> None:
    match, hand = await waiting_hand(offline_bot)
    (before,) = hand.texts
    await other_moves(offline_bot, match)
    assert hand.did == ["send", "edit original"]
    (after,) = hand.texts
    assert after != before


async def test_a_change_that_shows_nothing_in_a_hand_edits_nothing(offline_bot: OfflineBot) -> None:
    match, hand = await waiting_hand(offline_bot)
    offline_bot.app.updates.match_changed(match)
    await asyncio.sleep(5)
    assert hand.did == ["send"]


async def test_the_message_that_was_opened_last_is_the_one_that_follows(offline_bot: OfflineBot) -> None:
    match, first = await waiting_hand(offline_bot)
    second = await offline_bot.press_on(match, "cards", first.user_id)
    assert len(offline_bot.app.updates.open_hands) == 1
    await other_moves(offline_bot, match)
    assert (first.did, second.did) == (["send"], ["send", "edit original"])


async def test_of_an_open_hand_only_its_token_is_kept(offline_bot: OfflineBot) -> None:
    _, hand = await waiting_hand(offline_bot)
    assert (hand.message, hand.data) == (None, None)


async def test_a_hand_whose_token_has_expired_is_edited_no_more(offline_bot: OfflineBot) -> None:
    match, hand = await waiting_hand(offline_bot)
    await asyncio.sleep(TOKEN_SECONDS + 1)
    await other_moves(offline_bot, match)
    assert (hand.did, len(offline_bot.app.updates.open_hands)) == (["send"], 0)


@pytest.mark.parametrize(
    "failure", [http_error(503, 0), aiohttp.ClientConnectionError(), OSError()], ids=lambda each: type(each).__name__
)
async def test_an_edit_that_failed_is_tried_again(offline_bot: OfflineBot, failure: Exception) -> None:
    match, hand = await waiting_hand(offline_bot)
    for _ in range(3):
        hand.fail("edit original", failure)
    await other_moves(offline_bot, match)
    assert hand.did == ["send"]
    await asyncio.sleep(FIRST_RETRY_DELAY * 2**4)
    assert hand.did == ["send", "edit original"]


async def test_after_the_last_try_a_hand_waits_for_the_next_change(offline_bot: OfflineBot) -> None:
    match, hand = await waiting_hand(offline_bot)
    for _ in range(TRIES):
        hand.fail("edit original", http_error(503, 0))
    await other_moves(offline_bot, match)
    await asyncio.sleep(300)
    assert hand.did == ["send"]
    await other_moves(offline_bot, match)
    assert hand.did == ["send", "edit original"]


async def test_a_hand_that_was_dismissed_is_edited_no_more(offline_bot: OfflineBot) -> None:
    match, hand = await waiting_hand(offline_bot)
    hand.fail("edit original", http_error(404, 10008))
    await other_moves(offline_bot, match)
    assert len(offline_bot.app.updates.open_hands) == 0
    await asyncio.sleep(300)
    assert hand.did == ["send"]


async def test_the_end_is_shown_in_every_hand_and_then_no_token_is_kept(offline_bot: OfflineBot) -> None:
    match, hand = await waiting_hand(offline_bot)
    other = await offline_bot.press_on(match, "cards", offline_bot.asked(match))
    await offline_bot.press_on(match, "leave", other.user_id)
    await asyncio.sleep(SPACING)
    assert match.over
    assert hand.did == ["send", "edit original"]
    assert len(offline_bot.app.updates.open_hands) == 0
