"""A deal that several matches share is closed until all of them are over, and while a room holds it closed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.play.closed_deals import Closing
from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused
from engines.game import Resign
from tests.bot.play.parts import ANN, BOB, CAT, CHANNEL, GUILD, Parts
from tests.known import there
from tests.shared_deals import begin, sealed

DAN = 4


async def two(parts: Parts) -> list[LiveMatch]:
    return await begin(parts.store, parts.lifecycle, [(ANN, BOB), (CAT, DAN)], (GUILD, CHANNEL))


async def end(parts: Parts, match: LiveMatch) -> None:
    await match.act(0, Resign())
    parts.clock.settle(match)


async def test_it_opens_with_the_end_of_the_last_match_for_all_of_them(parts: Parts) -> None:
    first, second = await two(parts)
    await end(parts, first)
    for match in (first, second):
        assert parts.closed_deals.closing(match) == Closing(None)
        with pytest.raises(Refused, match=r"shared\.closed"):
            parts.closed_deals.check_open(match)
    await end(parts, second)
    for match in (first, second):
        parts.closed_deals.check_open(match)


async def test_a_room_keeps_it_closed_because_others_will_play_it(parts: Parts) -> None:
    held = set[tuple[int, str]]()
    parts.closed_deals.add(lambda guild, deal: (guild, deal) in held)
    first, second = await two(parts)
    held.add((GUILD, first.deal_id))
    for match in (first, second):
        await end(parts, match)
    assert parts.closed_deals.closing(first) == Closing(None)
    held.clear()
    assert parts.closed_deals.closing(first) is None


async def test_one_that_waits_to_be_restored_or_is_in_quarantine_keeps_it_closed(parts: Parts) -> None:
    first, second = await two(parts)
    await end(parts, first)
    later = Parts(parts.store, parts.scheduler, seed=2)
    await later.restorer.begin()
    row = there(await parts.store.match(first.id))
    assert later.closed_deals.closing(row) is not None
    await later.restorer.run()
    assert later.closed_deals.closing(row) is not None
    third = Parts(parts.store, parts.scheduler, seed=3)
    third.quarantine.add(there(await parts.store.match(second.id)), ValueError(), over=False)
    assert third.closed_deals.closing(row) is not None
    await third.lifecycle.end_quarantined(next(iter(third.quarantine.live())))
    assert third.closed_deals.closing(row) is None


async def test_matches_of_other_deals_and_servers_do_not_keep_it_closed(parts: Parts) -> None:
    deal = sealed()
    (match,) = await begin(parts.store, parts.lifecycle, [(ANN, BOB)], (GUILD, CHANNEL), deal=deal)
    await begin(parts.store, parts.lifecycle, [(CAT, DAN)], (GUILD, CHANNEL))
    await begin(parts.store, parts.lifecycle, [(CAT, DAN)], (GUILD + 1, CHANNEL), deal=deal)
    await end(parts, match)
    assert parts.closed_deals.closing(match) is None


async def test_a_deal_that_nobody_shares_is_never_closed(parts: Parts) -> None:
    match = await parts.opened()
    assert parts.closed_deals.closing(match) is None
    assert parts.closed_deals.closing(replace(there(await parts.store.match(match.id)), shared=True)) is not None
