"""Finding matches: in play by their players and places, finished ones in the store, damaged ones not at all."""

from __future__ import annotations

import pytest

from bot.play.live_match import LiveMatch
from bot.play.match_registry import MatchRegistry
from bot.play.quarantine import Quarantine
from bot.play.refusals import MatchAltered, Unreadable
from bot.store.queries.matches import Record
from bot.telemetry import NO_TELEMETRY
from tests.bot.play.parts import ANN, BOB, CAT, CHANNEL, ELSEWHERE, GUILD, Parts
from tests.known import there


async def test_a_match_in_play_is_found_as_it_is(parts: Parts) -> None:
    match = await parts.opened()
    assert await parts.registry.find(match.id) is match
    assert (
        list(parts.registry.live())
        == parts.registry.in_server(GUILD)
        == parts.registry.in_channel(GUILD, CHANNEL)
        == [match]
    )
    assert parts.registry.in_server(GUILD + 1) == parts.registry.in_channel(GUILD, ELSEWHERE) == []
    assert len(parts.registry) == 1


async def test_an_unfinished_match_is_known_before_it_is_restored_too(parts: Parts) -> None:
    match = await parts.opened()
    row = there(await parts.store.match(match.id))
    assert parts.registry.unfinished(match.id) is match
    parts.registry.remove(match)
    assert parts.registry.unfinished(match.id) is None
    parts.registry.waiting.add([row])
    assert parts.registry.unfinished(match.id) == row


async def test_a_players_matches_come_by_age(parts: Parts) -> None:
    matches = [await parts.opened(ANN, BOB), await parts.opened(BOB, CAT)]
    assert parts.registry.of_player(BOB, GUILD) == matches
    assert parts.registry.of_player(ANN, GUILD) == matches[:1]
    assert parts.registry.of_player(BOB, GUILD + 1) == []


async def test_a_finished_match_is_read_when_it_is_asked_for(parts: Parts) -> None:
    ended = await parts.ended()
    found = there(await parts.registry.find(ended.id))
    assert found is not ended
    assert found.result == ended.result
    assert found.position.state == ended.position.state
    assert len(parts.registry) == 0
    assert await parts.registry.find("unknown") is None


async def test_a_finished_match_that_cannot_be_read_is_refused_under_a_number(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = await parts.ended()

    def failing(*_: object, **__: object) -> None:
        raise ValueError("no such fact")

    monkeypatch.setattr(LiveMatch, "replay", failing)
    for _ in range(2):  # read once, then known
        with pytest.raises(Unreadable):
            await parts.registry.find(ended.id)


async def test_a_finished_match_whose_log_was_altered_is_refused_for_that(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = await parts.ended()

    async def nothing(_: str) -> list[Record]:
        return []

    monkeypatch.setattr(parts.store, "records", nothing)
    for _ in range(2):
        with pytest.raises(MatchAltered, match=r"match\.altered_over\.log"):
            await parts.registry.find(ended.id)


async def test_the_chain_is_the_same_in_play_and_as_stored(parts: Parts) -> None:
    ended = await parts.ended()
    found = there(await parts.registry.find(ended.id))
    assert found.chain == ended.chain == (await parts.store.records(ended.id))[-1].chain.hex()
    live = await parts.opened(ANN, CAT)
    assert live.chain == (await parts.store.records(live.id))[-1].chain.hex()


async def test_a_live_match_whose_log_was_altered_is_quarantined_alone(parts: Parts) -> None:
    match, other = await parts.opened(), await parts.opened(BOB, CAT)
    quarantine = Quarantine(parts.store, NO_TELEMETRY)
    registry = MatchRegistry(parts.store, quarantine, parts.now, NO_TELEMETRY)
    for row in await parts.store.live_matches():
        records = () if row.id == match.id else await parts.store.records(row.id)
        await registry.restore(row, records, await parts.store.timers(row.id), was_stopped=False)
    assert [each.id for each in registry.live()] == [other.id]
    assert [each.row.id for each in registry.quarantined(ANN, GUILD)] == [match.id]
    assert registry.quarantined(CAT, GUILD) == []
    with pytest.raises(MatchAltered, match=r"match\.altered\.log"):
        await registry.find(match.id)


async def test_at_a_start_the_stored_deadlines_are_made_those_of_the_question(parts: Parts) -> None:
    match = await parts.opened()
    await parts.store.set_timers(match.id, ())
    registry = MatchRegistry(parts.store, Quarantine(parts.store, NO_TELEMETRY), parts.now, NO_TELEMETRY)
    (row,) = await parts.store.live_matches()
    restored = there(await registry.restore(row, await parts.store.records(row.id), (), was_stopped=False))
    assert tuple(await parts.store.timers(match.id)) == restored.position.timers != ()


async def test_a_rule_that_failed_is_tried_again_at_a_start(parts: Parts) -> None:
    match = await parts.opened()
    await parts.store.set_paused(match.id, 7)
    registry = MatchRegistry(parts.store, Quarantine(parts.store, NO_TELEMETRY), parts.now, NO_TELEMETRY)
    (row,) = await parts.store.live_matches()
    assert row.paused == 7
    assert there(await registry.restore(row, await parts.store.records(row.id), (), was_stopped=True)).failed is None
    assert [each.paused for each in await parts.store.live_matches()] == [None]
