"""Boards of matches that share a deal: they say nothing until all are over, and then all show their results."""

from __future__ import annotations

from bot.play.live_match import LiveMatch
from bot.store.errors import NotSaved
from cogs.screens.renderer import Sheet
from cogs.updates.edit_queue import SPACING
from cogs.updates.opened_deals import AGAIN_SECONDS
from engines.game import Resign
from tests.bot.play.parts import ANN, BOB, CHANNEL, ELSEWHERE, GUILD
from tests.cogs.updates.following import Following
from tests.shared_deals import begin, sealed

OPEN = "resigned"
"""What a result says, and a closed board doesn't."""


async def two(room: Following) -> list[LiveMatch]:
    """Two matches with one deal, each in a channel of its own, whose boards are posted."""
    deal = sealed()
    found = [
        (await begin(room.store, room.lifecycle, [seats], (GUILD, channel), deal=deal))[0]
        for seats, channel in (((ANN, BOB), CHANNEL), ((BOB, ANN), ELSEWHERE))
    ]
    await room.seconds(SPACING)
    return found


async def end(room: Following, match: LiveMatch) -> None:
    await match.act(0, Resign())
    room.clock.settle(match)
    room.observers.match_changed(match)
    await room.seconds(2 * SPACING)


def text_of(room: Following, channel_id: int) -> str:
    """The one message of a channel, as Discord has it."""
    (message,) = room.messages.there(channel_id)
    assert isinstance(message.shown, Sheet)
    return str(message.shown.to_components())


async def test_a_match_that_nobody_pressed_for_gets_its_board_in_its_channel(room: Following) -> None:
    first, second = await two(room)
    assert first.board_id is not None
    assert second.board_id is not None
    assert "My cards" in text_of(room, CHANNEL)
    assert "My cards" in text_of(room, ELSEWHERE)


async def test_both_results_are_shown_when_the_last_of_them_is_over(room: Following) -> None:
    first, second = await two(room)
    await end(room, first)
    assert "over" in text_of(room, CHANNEL)
    assert OPEN not in text_of(room, CHANNEL)
    await end(room, second)
    assert OPEN in text_of(room, CHANNEL)
    assert OPEN in text_of(room, ELSEWHERE)
    assert room.updates.opened_deals.idle


async def test_they_are_shown_when_a_room_holds_the_deal_no_longer(room: Following) -> None:
    held = True
    room.closed_deals.add(lambda _guild, _deal: held)
    first, second = await two(room)
    await end(room, first)
    await end(room, second)
    room.updates.opened_deals.open(GUILD, first.deal_id)
    await room.seconds(SPACING)
    assert OPEN not in text_of(room, CHANNEL)
    held = False
    room.updates.opened_deals.open(GUILD, first.deal_id)
    await room.seconds(SPACING)
    assert OPEN in text_of(room, CHANNEL)
    assert OPEN in text_of(room, ELSEWHERE)


async def test_what_can_not_be_read_now_is_shown_later(room: Following) -> None:
    first, second = await two(room)
    await end(room, first)
    reads, failures = room.store.matches_of_deal, [NotSaved("the disk is full")]

    async def failing(guild_id: int, deal_id: str) -> object:
        if failures:
            raise failures.pop()
        return await reads(guild_id, deal_id)

    room.updates.opened_deals.store.matches_of_deal = failing  # type: ignore[method-assign, assignment]
    await end(room, second)
    assert OPEN not in text_of(room, CHANNEL)
    await room.seconds(AGAIN_SECONDS + SPACING)
    assert OPEN in text_of(room, CHANNEL)


async def test_a_start_shows_the_results_that_the_former_process_had_no_time_for(room: Following) -> None:
    first, second = await two(room)
    await end(room, first)
    await second.act(0, Resign())
    room.clock.settle(second)
    row = await room.store.match(second.id)
    assert row is not None
    restored = await room.registry.read(row)
    assert restored is not None
    room.updates.restore(restored)
    await room.seconds(2 * SPACING)
    assert OPEN in text_of(room, CHANNEL)
    assert OPEN in text_of(room, ELSEWHERE)
