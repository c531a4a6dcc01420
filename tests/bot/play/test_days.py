"""Matches that are played alone end by themselves when nobody plays on, also those of an earlier process."""

from __future__ import annotations

import pytest

from bot.play.clocks.deadlines import GRACE
from bot.play.days import IDLE
from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused
from bot.scheduler import ends_at
from engines.game import Resign
from tests.bot.play.parts import ANN, CHANNEL, GUILD, Parts, press_ids
from tests.known import there


async def practised(parts: Parts) -> LiveMatch:
    table = await parts.alone()
    with parts.presses.take_up(table.id, next(press_ids)) as press:
        match = await parts.seating.start_alone(table.id, ANN, press)
    parts.days.resume()
    return match


async def test_it_has_no_board_and_no_clock_and_takes_no_room(parts: Parts) -> None:
    match = await practised(parts)
    assert there(await parts.store.match(match.id)).alone
    assert not match.has_board
    assert match.position.timers == ()
    assert parts.registry.in_channel(GUILD, CHANNEL) == []
    assert parts.invitations.open() == ()
    await parts.venues().channel_gone(GUILD, CHANNEL)
    assert match.suspended is None


async def test_it_ends_without_a_winner_a_day_after_the_last_act(parts: Parts) -> None:
    match = await practised(parts)
    await parts.pass_time(IDLE - 1000)
    assert not match.over
    await parts.pass_time(60_000)
    assert match.result is not None
    assert (match.result.kind, match.result.ranks, match.result.counted) == ("idle", (), False)
    await parts.pass_time(700_000)
    assert parts.days.idle


async def test_one_in_quarantine_ends_a_day_after_it_began(parts: Parts) -> None:
    match = await practised(parts)
    row = there(await parts.store.match(match.id))
    later = Parts(parts.store, parts.scheduler)
    later.quarantine.add(row, ValueError(), over=False)
    later.days.resume()
    await parts.pass_time(IDLE - 1000)
    assert [*later.quarantine.live()] != []
    parts.registry.remove(match)
    await parts.pass_time(60_000)
    assert [*later.quarantine.live()] == []
    assert there(await parts.store.finished_match(GUILD, row.id, ANN, 10**6)).result.kind == "idle"
    await later.close()


async def test_one_person_has_three_of_them_at_most(parts: Parts) -> None:
    first, *_ = [await practised(parts) for _ in range(3)]
    with pytest.raises(Refused, match=r"limit\.practice"):
        await practised(parts)
    await first.act(0, Resign())
    parts.registry.remove(first)
    await practised(parts)


async def test_an_attempt_ends_with_its_day_also_if_it_began_between_two_looks_for_other_matches(parts: Parts) -> None:
    await parts.pass_time(200_000)
    await practised(parts)
    deal = await parts.daily.deal(GUILD, "ciq")
    await parts.pass_time(ends_at(deal.day) - parts.now() - 60_000)
    with parts.presses.take_up("", next(press_ids)) as press:
        attempt = await parts.daily.begin(deal, ANN, CHANNEL, press)
    assert attempt is not None
    await parts.pass_time(60_000 + GRACE)
    assert there(attempt.result).kind == "day_over"
