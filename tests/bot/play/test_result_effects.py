"""What a result did is known when a match ends, and worked out again for one that is read after a restart."""

from __future__ import annotations

from bot.play.live_match import LiveMatch
from bot.play.restoring import effects_of
from bot.store.queries.profiles import HeadToHead
from engines.game import Resign
from tests.bot.play.parts import ANN, BOB, CAT, Parts, an_act, on_turn


async def played_out(parts: Parts, host: int, guest: int, *, moves: int = 3) -> LiveMatch:
    """A match that the host resigns after some moves, unless it is over before."""
    match = await parts.opened(host, guest)
    for _ in range(moves):
        await match.act(on_turn(match), an_act(match))
    if not match.over:
        await match.act(0, Resign())
    parts.clock.settle(match)
    return match


async def read_again(parts: Parts, match: LiveMatch) -> LiveMatch:
    """A finished match as another process finds it."""
    return await parts.registry.find(match.id) or match


async def test_a_match_knows_what_its_result_did(parts: Parts) -> None:
    match = await played_out(parts, ANN, BOB)
    assert match.effects is not None
    lost, won = match.effects.ratings
    assert won.after.shown - won.before.shown > 0 > lost.after.shown - lost.before.shown
    assert match.effects.head_to_head == HeadToHead((0, 1))


async def test_a_match_that_does_not_count_did_nothing(parts: Parts) -> None:
    match = await played_out(parts, ANN, BOB, moves=0)
    assert match.effects is None
    assert await effects_of(parts.store, match) is None


async def test_after_later_matches_it_is_still_what_it_was_then(parts: Parts) -> None:
    first = await played_out(parts, ANN, BOB)
    await played_out(parts, CAT, BOB)
    last = await played_out(parts, BOB, ANN)
    for match in (first, last):
        found = await read_again(parts, match)
        assert found is not match
        assert await effects_of(parts.store, found) == match.effects


async def test_a_start_knows_it_of_the_matches_that_have_just_ended(parts: Parts) -> None:
    match = await played_out(parts, ANN, BOB)
    await parts.store.record_heartbeat(parts.now())
    (found,) = await Parts(parts.store, parts.scheduler).restore_all()
    assert found.id == match.id
    assert found.effects == match.effects is not None
