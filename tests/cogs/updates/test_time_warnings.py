"""Warnings: once for each question, before its time is up, and none where there is nothing to warn of."""

from __future__ import annotations

import pytest

from bot.play.live_match import LiveMatch
from bot.time_controls import TIME_CONTROLS, warning_lead
from bot.ui.isolation import mention
from cogs.updates.time_warnings import AGAIN, TimeWarnings
from tests.bot.play.parts import on_turn
from tests.cogs.updates.following import Following, say

LEAD = warning_lead(TIME_CONTROLS["normal"].turn)
assert LEAD is not None
BEFORE = TIME_CONTROLS["normal"].turn - LEAD - 2
"""Seconds of a normal clock that have passed, when a match is seated, until just before the warning."""


def warning(match: LiveMatch) -> str:
    """The beginning of the warning of the one whose turn it is."""
    (timer,) = match.position.timers
    player = mention(match.seats[on_turn(match)])
    return say("notice.time_short", player=player, game="Haymaker", when=f"<t:{timer.deadline // 1000}:R>")


def warnings(room: Following, match: LiveMatch) -> list[str]:
    return [text for text in room.texts() if text.startswith(warning(match))]


async def test_a_player_is_warned_once_although_they_were_there(room: Following) -> None:
    match = await room.seated("normal")
    room.seen(match)
    await room.seconds(BEFORE)
    assert warnings(room, match) == []
    await room.seconds(2)
    assert len(warnings(room, match)) == 1
    await room.seconds(10)
    room.updates.match_changed(match)
    await room.seconds(2)
    assert len(room.texts()) == 1


async def test_a_warning_takes_the_place_of_a_mention(room: Following) -> None:
    match = await room.seated("normal")
    await room.seconds(BEFORE)
    assert len(room.texts()) == 1
    await room.seconds(4)
    assert room.texts() == warnings(room, match)


@pytest.mark.parametrize("clock", ["blitz", "90s"])
async def test_where_the_time_is_short_the_mention_is_warning_enough(room: Following, clock: str) -> None:
    match = await room.seated(clock)
    await room.seconds(TIME_CONTROLS["blitz"].turn - 2)
    assert warnings(room, match) == []


async def test_c_15_a_player_is_warned_when_a_quarter_of_their_own_bank_is_left(room: Following) -> None:
    match = await room.seated("600s_10s")
    await room.seconds(448)
    assert warnings(room, match) == []
    await room.seconds(2)
    assert len(warnings(room, match)) == 1
    seat = on_turn(match)
    await room.move(match)
    while on_turn(match) != seat:
        await room.move(match)
    await room.seconds(4)
    assert match.banks is not None
    left = match.banks.of(seat) // 1000
    assert 150 <= left <= 170
    await room.seconds(left - left // 4 - 8)
    assert warnings(room, match) == []
    await room.seconds(8)
    assert len(warnings(room, match)) == 1


async def test_a_deadline_that_moves_is_shown_in_the_warning_that_is_posted(room: Following) -> None:
    match = await room.seated("normal")
    await room.seconds(BEFORE + 2)
    (timer,) = match.position.timers
    await match.postpone(lambda _: timer.deadline + 60_000)
    room.updates.match_changed(match)
    await room.seconds(2)
    assert len(warnings(room, match)) == 1
    assert len(room.texts()) == 1


async def test_while_all_clocks_are_paused_nobody_is_warned_and_afterwards_they_are(room: Following) -> None:
    match = await room.seated("normal")
    room.clock.pause()
    await room.seconds(BEFORE + 10)
    assert warnings(room, match) == []
    room.clock.resume()
    await room.seconds(AGAIN / 1000)
    assert len(warnings(room, match)) == 1


async def test_what_was_due_before_a_start_counts_as_given(room: Following) -> None:
    match = await room.seated("normal")
    room.seen(match)
    room.updates.time_warnings.close()
    await room.seconds(BEFORE + 2)
    next_start = TimeWarnings(room.scheduler, room.clock, room.updates.notices)
    room.clock.note_credit()
    next_start.restore(match, match.position.timers)
    next_start.match_changed(match)
    await room.seconds(5)
    assert room.texts() == []


async def test_nothing_is_kept_of_a_match_that_is_over(room: Following) -> None:
    match = await room.seated("normal")
    assert not room.updates.time_warnings.idle
    await match.call_off(0, 1)
    await match.call_off(1, 2)
    room.clock.settle(match)
    room.updates.match_changed(match)
    assert room.updates.time_warnings.idle
    assert room.updates.notices.idle


async def test_who_is_away_is_not_warned_and_who_was_is_warned_again_when_back(room: Following) -> None:
    match = await room.seated("daily")
    day = TIME_CONTROLS["daily"].turn
    await room.seconds(day - 1800)  # half an hour before the end, and an hour's lead
    assert len(warnings(room, match)) == 1
    await match.set_away(on_turn(match), match.position.timers[0].deadline + 2000 * day)
    room.clock.follow(match)
    room.updates.match_changed(match)
    await room.seconds(day)
    assert warnings(room, match) == []
    await room.seconds(day + 1800)
    assert len(warnings(room, match)) == 1
    assert not match.over
