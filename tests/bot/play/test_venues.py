"""Venues come and go: what was played there is suspended, called off in the end, and purged."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace

import pytest

from bot.play.live_match import LiveMatch
from bot.play.matchmaking.invitations import Proposal, Terms
from bot.play.venues import CHAT_KEPT, DAY, Venues
from bot.scheduler import LoopScheduler
from bot.store.errors import NotSaved
from bot.store.queries.invitations import InvitationState
from bot.store.queries.matches import Suspension
from bot.store.special_ids import chat_venue
from discord_sandbox.virtual_time import settle
from engines import GAMES
from engines.game import Resign
from tests.bot.play.parts import (
    ANN,
    BEGUN,
    BOB,
    CAT,
    CHANNEL,
    ELSEWHERE,
    GUILD,
    PURGE_DAYS,
    Parts,
    press_ids,
)
from tests.bot.store.memory_store import MemoryStore
from tests.bot.store.rows import opened, record, result
from tests.failing_rules import raising
from tests.known import there


@pytest.fixture
async def venues(parts: Parts) -> AsyncIterator[Venues]:
    made = parts.venues()
    daily = asyncio.create_task(made.run_daily())
    yield made
    daily.cancel()
    with suppress(asyncio.CancelledError):
        await daily


async def test_a_deleted_channel_suspends_its_matches_and_closes_its_invitations(parts: Parts, venues: Venues) -> None:
    match = await parts.opened()
    await parts.invited(BOB, CAT)
    assert venues.in_use() == {(GUILD, CHANNEL)}
    await venues.channel_gone(GUILD, ELSEWHERE)
    assert match.suspended is None
    await venues.channel_gone(GUILD, CHANNEL)
    assert match.suspended is Suspension.CHANNEL_GONE
    assert (parts.invitations.open(), venues.in_use()) == ((), set())


async def test_a_locked_thread_suspends_its_matches_and_leaves_its_invitations(parts: Parts, venues: Venues) -> None:
    match = await parts.opened()
    asked = await parts.invited(BOB, CAT)
    await venues.thread_locked(GUILD, CHANNEL)
    assert match.suspended is Suspension.THREAD_CLOSED
    assert parts.invitations.open() == (asked,)


async def test_a_removal_suspends_and_after_so_many_days_everything_is_purged(parts: Parts, venues: Venues) -> None:
    match = await parts.opened()
    asked = await parts.invited(BOB, CAT)
    await venues.session_started(0, 1, [GUILD])
    await venues.removed(GUILD)
    assert match.suspended is Suspension.REMOVED
    assert there(await parts.invitations.find(asked.id))[1] is InvitationState.CANCELLED
    await parts.pass_time((PURGE_DAYS - 1) * DAY)
    assert GUILD in await parts.store.known_guilds()
    await parts.pass_time(2 * DAY)
    assert GUILD not in await parts.store.known_guilds()
    assert ("purged", GUILD) in parts.heard.take()


async def test_a_server_that_adds_the_bot_again_while_its_removal_is_noted_keeps_its_matches_in_play(
    parts: Parts, venues: Venues, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, asked = await parts.opened(), await parts.invited(BOB, CAT)
    record, go = parts.store.record_departure, asyncio.Event()

    async def slowly(guild_id: int, at: int) -> None:
        await record(guild_id, at)
        await go.wait()

    await venues.session_started(0, 1, [GUILD])
    monkeypatch.setattr(parts.store, "record_departure", slowly)
    removing = asyncio.create_task(venues.removed(GUILD))
    await settle()
    await venues.joined(GUILD)
    go.set()
    await removing
    assert match.suspended is None
    assert parts.invitations.open() == (asked,)


async def test_a_purge_forgets_what_is_in_quarantine_there_and_nothing_else(parts: Parts, venues: Venues) -> None:
    row = there(await parts.store.match((await parts.opened()).id))
    for each in (row, replace(row, id="other", guild_id=GUILD + 4)):
        parts.quarantine.add(each, ValueError(), over=False)
    await venues.session_started(0, 1, [GUILD, GUILD + 4])
    await venues.removed(GUILD)
    await parts.pass_time((PURGE_DAYS + 1) * DAY)
    assert GUILD not in await parts.store.known_guilds()
    assert [each.row.guild_id for each in parts.registry.quarantined()] == [GUILD + 4]


async def test_a_chat_is_purged_a_week_after_its_last_match(parts: Parts, venues: Venues) -> None:
    chat = chat_venue(CHANNEL)
    await opened(parts.store, guild=chat)
    await parts.store.append(record(1), (), replace(result(), ended_at=parts.now()))
    await parts.pass_time(CHAT_KEPT - 2 * DAY)
    assert chat in await parts.store.known_guilds()
    await parts.pass_time(3 * DAY)
    assert chat not in await parts.store.known_guilds()


async def test_F_30_a_purge_takes_a_second_look_a_day_later_and_a_backup(parts: Parts, venues: Venues) -> None:
    await parts.opened()
    await venues.session_started(0, 1, [GUILD])
    await venues.removed(GUILD)
    await parts.pass_time(PURGE_DAYS * DAY + DAY // 2)
    assert GUILD in await parts.store.known_guilds(), "due, but looked at once"
    assert parts.safeguard.backups == 0
    parts.safeguard.fails = True
    await parts.pass_time(DAY)
    assert GUILD in await parts.store.known_guilds()
    assert parts.safeguard.backups == 1
    assert parts.safeguard.since == (PURGE_DAYS + 1) * DAY, "how long it has been away"
    parts.safeguard.fails = False
    await parts.pass_time(DAY)
    assert GUILD not in await parts.store.known_guilds()
    assert parts.safeguard.backups == 2


async def test_sessions_that_begin_together_make_one_backup_before_a_purge(parts: Parts, venues: Venues) -> None:
    await parts.opened()
    await venues.session_started(0, 1, [GUILD])
    await venues.removed(GUILD)
    parts.safeguard.fails = True
    await parts.pass_time((PURGE_DAYS + 2) * DAY)
    parts.safeguard.fails, before = False, parts.safeguard.backups
    await asyncio.gather(venues.reconcile(), venues.reconcile())
    assert parts.safeguard.backups == before + 1
    assert GUILD not in await parts.store.known_guilds()


async def test_F_30_nothing_is_purged_or_called_off_while_the_clock_cannot_be_right(
    parts: Parts, venues: Venues, caplog: pytest.LogCaptureFixture
) -> None:
    match = await parts.opened()
    await venues.session_started(0, 1, [GUILD])
    await venues.removed(GUILD)
    parts.safeguard.doubt = "before the newest backup"
    await parts.pass_time(3 * PURGE_DAYS * DAY)
    assert GUILD in await parts.store.known_guilds()
    assert match.result is None
    assert "the machine's clock is before the newest backup" in caplog.text
    parts.safeguard.doubt = ""
    await parts.pass_time(DAY)
    assert GUILD not in await parts.store.known_guilds()


@pytest.mark.parametrize("off", [-40 * DAY, 40 * DAY, 50 * 365 * DAY], ids=["slow", "fast", "50 years fast"])
@pytest.mark.parametrize("at_first", [True, False])
async def test_F_30_a_clock_that_was_off_at_a_start_purges_and_calls_off_nothing(off: int, at_first: bool) -> None:
    """The bot left a server and lost a channel while the clock was wrong, or it was wrong at a later start."""
    data = None
    match_id = ""
    for is_off in (at_first, not at_first, at_first, not at_first, at_first):
        clock = BEGUN + off if is_off else BEGUN
        scheduler = LoopScheduler(clock)
        store = MemoryStore(now=scheduler.now, data=data)
        parts = Parts(store, scheduler)
        data = store.data
        if not match_id:
            match_id = (await parts.opened()).id
        else:
            await parts.restore_all()
        venues = parts.venues()
        await venues.purge(await venues.session_started(0, 1, []))
        await venues.reconcile()
        assert GUILD in await store.known_guilds()
        assert await store.result(match_id) is None
        await parts.close()


async def test_who_comes_back_in_time_keeps_everything(parts: Parts, venues: Venues) -> None:
    match = await parts.opened()
    await venues.session_started(0, 1, [GUILD])
    await venues.removed(GUILD)
    await parts.pass_time((PURGE_DAYS - 1) * DAY)
    await venues.joined(GUILD)
    assert venues.is_here(GUILD)
    assert await parts.store.departures() == {}
    assert match.suspended is Suspension.REMOVED, "until a player resumes it"
    await parts.pass_time(5 * DAY)
    assert GUILD in await parts.store.known_guilds()


async def test_a_session_finds_servers_that_were_left_and_rejoined_meanwhile(parts: Parts, venues: Venues) -> None:
    match = await parts.opened()
    await venues.session_started(0, 1, [])
    assert match.suspended is Suspension.REMOVED
    assert GUILD in await parts.store.departures()
    await venues.session_started(0, 1, [GUILD])
    assert await parts.store.departures() == {}


async def test_a_shard_says_nothing_of_the_servers_of_another(parts: Parts, venues: Venues) -> None:
    match = await parts.opened()
    mine = (GUILD >> 22) % 2
    await venues.session_started(1 - mine, 2, [])
    assert match.suspended is None
    await venues.session_started(mine, 2, [])
    assert match.suspended is Suspension.REMOVED


async def test_what_nobody_resumes_is_called_off_after_so_many_days(parts: Parts, venues: Venues) -> None:
    match = await parts.opened()
    await venues.session_started(0, 1, [GUILD])
    await venues.channel_gone(GUILD, CHANNEL)
    await parts.pass_time((PURGE_DAYS + 1) * DAY)
    assert there(match.result).kind == "lapsed"


@pytest.mark.parametrize("error", [NotSaved("the disk failed"), ValueError("an altered row")])
async def test_a_day_on_which_the_store_fails_is_made_up_for_on_the_next(
    parts: Parts, venues: Venues, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    await parts.opened()
    await venues.session_started(0, 1, [GUILD])
    await venues.removed(GUILD)
    with monkeypatch.context() as patched:
        patched.setattr(parts.store, "known_guilds", raising(error))
        await parts.pass_time((PURGE_DAYS + 1) * DAY)
        assert type(error).__name__ in caplog.text
        assert "altered row" not in caplog.text
    await parts.pass_time(DAY)
    assert GUILD not in await parts.store.known_guilds()


async def test_a_chat_is_not_purged_in_which_somebody_has_just_begun_to_play_again(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last match there is long over, and the next one begins while the bot looks for what it should purge."""
    venues, (ours, others), used = parts.venues(), map(chat_venue, (77, 78)), parts.store.used_since
    begun: list[LiveMatch] = []

    async def used_until_now(chat: int, since: int) -> bool:
        found = await used(chat, since)
        if chat == ours:
            begun.append(await played_in(parts, chat))
        return found

    for chat in (ours, others):
        match = await played_in(parts, chat)
        assert [await match.call_off(seat, next(press_ids)) for seat in (0, 1)] == [False, True]
        parts.clock.settle(match)
    await parts.pass_time(CHAT_KEPT + DAY)
    monkeypatch.setattr(parts.store, "used_since", used_until_now)
    await venues.reconcile()
    (match,) = begun
    assert await parts.store.match(match.id) is not None
    assert parts.registry.playing(match.id) is match
    assert await parts.store.known_guilds() == {ours}


async def test_sessions_that_begin_together_purge_a_chat_once(parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second purge would forget what was begun there after the first."""
    venues, chat, purge, purged = parts.venues(), chat_venue(77), parts.store.purge_guild, list[int]()
    match = await played_in(parts, chat)
    await match.act(0, Resign())
    parts.clock.settle(match)

    async def counted(guild_id: int, unused_since: int | None = None) -> None:
        purged.append(guild_id)
        await purge(guild_id, unused_since)

    monkeypatch.setattr(parts.store, "purge_guild", counted)
    await parts.pass_time(CHAT_KEPT + DAY)
    await asyncio.gather(venues.reconcile(), venues.reconcile())
    assert purged == [chat]


async def played_in(parts: Parts, chat: int) -> LiveMatch:
    terms = Terms(chat, CHANNEL, "haymaker", GAMES["haymaker"].info.options(), "blitz")
    invitation = await parts.inviting.invite(Proposal(terms, ANN, (BOB,)))
    return await parts.accepted(invitation.id, BOB)
