"""A start puts the unfinished matches in play, a few at a time."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from bot.play.live_match import LiveMatch
from bot.play.restoring import AT_A_TIME
from bot.store.errors import Busy, NotSaved
from bot.store.queries.matches import MatchRow, SavedMatch, Suspension
from discord_sandbox.virtual_time import settle
from engines import GAMES
from laws.play import random_act
from tests.bot.play.parts import ANN, CHANNEL, GUILD, Parts, press_ids
from tests.games.cases import case_of
from tests.known import there

MATCHES = 2 * AT_A_TIME


@pytest.fixture
async def house(parts: Parts) -> Parts:
    """Twice as many matches as are restored together, of all games, with a few acts each."""
    games = sorted(GAMES)
    for number in range(MATCHES):
        game = games[number % len(games)]
        guest, *more = range(100 + 10 * number, 99 + 10 * number + case_of(game).setups[0][1])
        await play_on(await parts.opened(ANN, guest, game=game, more=tuple(more)), number // len(games))
    return parts


async def play_on(match: LiveMatch, acts: int) -> None:
    """Have players act at random so many times, as long as somebody is awaited."""
    source = random.Random(acts)
    for _ in range(acts):
        if not match.awaited:
            break
        seat = min(match.awaited)
        await match.act(seat, random_act(match.choices(seat), source), interaction_id=next(press_ids))


@asynccontextmanager
async def restarted(house: Parts) -> AsyncIterator[Parts]:
    """The house in another process, before anything is restored."""
    later = Parts(house.store, house.scheduler)
    try:
        yield later
    finally:
        await later.close()


def in_play(parts: Parts) -> dict[str, tuple[Any, ...]]:
    """The position of each match in play."""
    found = {}
    for match in parts.registry.live():
        position = match.position
        found[match.id] = (position.state, position.acts, [timer.deadline for timer in position.timers], match.chain)
    return found


async def test_restored_matches_are_those_that_were_played(house: Parts) -> None:
    async with restarted(house) as later:
        await later.restore_all()
        assert in_play(later) == in_play(house)
        assert len(in_play(later)) == MATCHES


async def test_a_match_that_somebody_waits_for_is_restored_first(house: Parts) -> None:
    async with restarted(house) as later:
        await later.restorer.begin()
        wanted = list(later.registry.waiting.rows())[-1].id
        seen: list[str] = []

        async def note(row: MatchRow) -> None:
            seen.append(row.id)

        waiting = asyncio.create_task(later.registry.waiting.restored((wanted,)))
        await asyncio.sleep(0)
        await later.restorer.run(note)
        await waiting
        assert seen[0] == wanted


async def test_the_matches_of_somebody_who_comes_are_restored_first(house: Parts) -> None:
    async with restarted(house) as later:
        await later.restorer.begin()
        wanted, seen = list(later.registry.waiting.rows())[-1], list[str]()

        async def note(row: MatchRow) -> None:
            seen.append(row.id)

        coming = asyncio.create_task(later.registry.bring_in(wanted.seats[1]))
        await asyncio.sleep(0)
        await later.restorer.run(note)
        await coming
        assert seen[0] == wanted.id


async def test_a_match_that_waits_is_suspended_with_its_channel(house: Parts) -> None:
    async with restarted(house) as later:
        await later.restorer.begin()
        gone = asyncio.create_task(later.venues().channel_gone(GUILD, CHANNEL))
        await asyncio.sleep(0)
        await later.restorer.run()
        await gone
        assert {match.suspended for match in later.registry.live()} == {Suspension.CHANNEL_GONE}
        assert len(later.registry) == MATCHES


async def test_a_store_that_fails_meanwhile_loses_nothing(house: Parts) -> None:
    async with restarted(house) as later:
        await later.restorer.begin()
        fifth, failed = list(later.registry.waiting.rows())[4].id, False

        async def prepare(row: MatchRow) -> None:
            nonlocal failed
            if row.id == fifth and not failed:
                failed = True
                raise NotSaved("the disk failed")

        await later.restorer.run(prepare)
        assert failed
        assert len(later.registry) == MATCHES


async def test_deadlines_that_change_while_matches_are_read_ahead_are_read_again(house: Parts) -> None:
    """Whoever changes all deadlines waits for the matches that are put in play; the next ones were read already."""
    async with restarted(house) as later:
        await later.restorer.begin()
        last = list(later.registry.waiting.rows())[-1].id
        moved = [replace(timer, deadline=timer.deadline + 5000) for timer in await house.store.timers(last)]
        assert moved
        changing: list[asyncio.Task[None]] = []

        async def change() -> None:
            async with later.registry.waiting.changing():
                assert later.registry.playing(last) is None
                await house.store.set_timers(last, moved)

        async def prepare(_: MatchRow) -> None:
            if not changing:
                changing.append(asyncio.create_task(change()))
                await settle()

        await later.restorer.run(prepare)
        await changing[0]
        assert list(there(later.registry.playing(last)).position.timers) == moved


async def test_what_was_read_while_deadlines_changed_is_read_again(house: Parts) -> None:
    async with restarted(house) as later:
        await later.restorer.begin()
        first = next(iter(later.registry.waiting.rows())).id
        moved = [replace(timer, deadline=timer.deadline + 5000) for timer in await house.store.timers(first)]
        assert moved
        async with later.registry.waiting.changing():
            restoring = asyncio.create_task(later.restorer.run())
            await settle()
            await house.store.set_timers(first, moved)
        await restoring
        assert list(there(later.registry.playing(first)).position.timers) == moved


async def test_the_next_matches_are_read_while_others_are_put_in_play(
    house: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved_matches, read = house.store.saved_matches, list[str]()

    async def noting(ids: Sequence[str]) -> dict[str, SavedMatch]:
        read.extend(ids)
        return await saved_matches(ids)

    monkeypatch.setattr(house.store, "saved_matches", noting)
    async with restarted(house) as later:
        read_before: list[int] = []

        async def prepare(_: MatchRow) -> None:
            await settle()
            read_before.append(len(read))

        await later.restorer.begin()
        await later.restorer.run(prepare)
        assert read_before[0] == 2 * AT_A_TIME
        assert sorted(read) == sorted(set(read)), "each once"


async def test_a_store_that_fails_to_read_ahead_is_tried_again(house: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    saved_matches, reads = house.store.saved_matches, list[int]()

    async def failing(ids: Sequence[str]) -> dict[str, SavedMatch]:
        reads.append(len(ids))
        if len(reads) == 2:
            raise NotSaved("the disk failed")
        return await saved_matches(ids)

    monkeypatch.setattr(house.store, "saved_matches", failing)
    async with restarted(house) as later:
        await later.restore_all()
        assert len(later.registry) == MATCHES
        assert reads == [AT_A_TIME, AT_A_TIME, AT_A_TIME]


async def test_a_match_that_cannot_be_shown_has_its_clock_all_the_same(
    house: Parts, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_match: LiveMatch, _saved: SavedMatch) -> None:
        raise ValueError("an altered mark")

    async with restarted(house) as later:
        await later.restorer.begin()
        await later.restorer.run(restored=broken)
        assert "ValueError" in caplog.text
        match = next(match for match in later.registry.live() if match.awaited and not match.inactive)
        acts = match.position.acts
        await later.pass_time(600_000)
        assert match.over or match.position.acts > acts


async def test_a_stop_meanwhile_keeps_nobody_waiting(house: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise what waits for a match would never end, and the process would have to be ended by force."""

    async def never(_: Sequence[str]) -> dict[str, SavedMatch]:
        await asyncio.Event().wait()
        return {}

    async with restarted(house) as later:
        await later.restorer.begin()
        monkeypatch.setattr(house.store, "saved_matches", never)
        running = asyncio.create_task(later.restorer.run())
        waiting = asyncio.create_task(later.registry.bring_in(ANN))
        await settle()
        running.cancel()
        await asyncio.wait([waiting], timeout=5)
        assert waiting.done()
        assert isinstance(waiting.exception(), Busy)
        with pytest.raises(Busy):
            await asyncio.wait_for(later.registry.bring_in(ANN), 5)
