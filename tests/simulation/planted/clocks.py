"""Faults in clocks and times, in backups and purges."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import discord

import bot.__main__ as bot_main
from bot.gateway.discord_time import DiscordTime
from bot.gateway.shards import BudgetedClient
from bot.ops import backups, process
from bot.play import venues
from bot.play.clocks.match_clock import MatchClock
from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused, Unsaved
from bot.play.venues import Venues
from bot.scheduler import LoopScheduler
from engines.game import IllegalAction
from tests.simulation import disk
from tests.simulation.planted.fault import Fault, replaced
from tests.simulation.weather_fields import Weather

_CLOCKS: Final = frozenset({"due clocks ring"})
_io_error = disk.io_error


def _any_error() -> Exception:
    error = _io_error()
    error.sqlite_errorcode = 11  # SQLITE_CORRUPT: the file cannot be read just now
    error.sqlite_errorname = "SQLITE_CORRUPT"
    return error


async def _time_up(self: Any, match: LiveMatch, timer: Any) -> None:
    """As it was before any error of the store was caught."""
    if not self._is_running(match, timer):
        return
    if self.now() < self._due(match, timer):
        self.follow(match)
        return
    try:
        if not await match.run_out(timer):
            return
    except IllegalAction:
        return
    except Unsaved:
        await self._put_off(match)
    except Refused:
        return
    self.settle(match)
    self._observers.match_changed(match)


_make = getattr(LiveMatch, "_make")  # noqa: B009  a fault is planted in what is private


def _whole_timers(self: Any, now: int) -> Any:
    """A resumed clock has its whole time again."""
    return self._timers(self._position.window, now, ())


async def _purge_by_the_clock(self: Any, _observed: Any) -> None:
    """As it was before the days were counted by what was observed."""
    for guild_id, at in (await self.store.departures()).items():
        if self._is_away(guild_id) and self.scheduler.now() - at >= self.purge_days * venues.DAY:
            await self._purge(guild_id)


async def _run_until_closed(client: Any, token: str, *_: object, **__: object) -> int:
    """As it was before what the client waits for was cancelled."""
    running, stop = asyncio.ensure_future(client.start(token)), asyncio.Event()
    for number in process.STOP_SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    waiting = asyncio.ensure_future(stop.wait())
    await asyncio.wait({running, waiting}, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    if stop.is_set():
        await client.close()
    await running
    return 0


_DISCORD_SAYS_NO_TIME: Final = replaced(DiscordTime, "ahead", 0)
"""A second net: soon after a start the bot goes by Discord's clock, so no purge reads the machine's."""


def _by_time(folder: Path) -> list[backups.Backup]:
    return sorted(_in_order(folder), key=lambda each: each.time or datetime.max.replace(tzinfo=UTC))


_in_order = backups.kept


CLOCKS: Final = (
    Fault(
        "A1",
        "a process that is told to end waits for what Discord has not answered",
        frozenset({"told ends"}),
        Weather(games=("haymaker",), tables=1, thinking=60.0, latency=0.6, restarts=240.0, restart_pause=1.0),
        (14, 4, 2, 3),
        0.3,
        (
            replaced(bot_main, "run_until_stopped", _run_until_closed),
            replaced(BudgetedClient, "launch_shard", discord.AutoShardedClient.launch_shard),
        ),
    ),
    Fault(
        "A4",
        "a purge believes the machine's clock",
        frozenset({"thirty days are thirty"}),
        Weather(
            games=("haymaker",),
            tables=1,
            thinking=20.0,
            guild_leaves=4.0,
            guild_return_seconds=3600.0,
            restarts=10.0,
            clock_steps=4.0,
            clock_step_seconds=3_456_000.0,
        ),
        (1, 2, 3),
        3.0,
        (replaced(Venues, "purge", _purge_by_the_clock),),
        (_DISCORD_SAYS_NO_TIME,),
    ),
    Fault(
        "B2",
        "the clock of a match that is resumed begins anew",
        frozenset({"clocks are fair"}),
        Weather(
            games=("haymaker",),
            tables=2,
            thinking=60.0,
            clocks=("relaxed",),
            guild_leaves=10.0,
            guild_return_seconds=60.0,
            pauses=0.2,
        ),
        (2, 4, 5),
        2.0,
        (replaced(LiveMatch, "_resumed_timers", _whole_timers),),
    ),
    Fault(
        "A5",
        "backups go by the times in their names",
        frozenset({"backups exist"}),
        Weather(
            games=("haymaker",),
            tables=1,
            thinking=300.0,
            clocks=("daily",),
            clock_steps=3.0,
            clock_step_seconds=172_800.0,
        ),
        (1, 2, 3),
        3.0,
        (replaced(backups, "kept", _by_time), replaced(backups, "LAST_KEPT", 2)),
        settings={"CARDROOM_BACKUP_HOURS": "0.1"},
    ),
    Fault(
        "A10",
        "the machine's clock is read once, at the start",
        frozenset({"shown times are right"}),
        Weather(games=("haymaker",), tables=1, thinking=30.0, clocks=("relaxed",), clock_steps=4.0),
        (1, 2),
        0.7,
        (replaced(LoopScheduler, "drift", lambda _self: 0),),
    ),
    Fault(
        "E2",
        "an error of the store that nobody thought of ends the clock",
        _CLOCKS,
        Weather(
            games=("haymaker",),
            tables=3,
            thinking=5.0,
            clocks=("blitz",),
            absent=1.0,
            store_spells=10.0,
            store_spell_seconds=60.0,
            store_spell_share=0.9,
        ),
        (18, 3, 1, 2),
        0.6,
        (replaced(MatchClock, "_time_up", _time_up),),
        (replaced(disk, "io_error", _any_error),),
    ),
    Fault(
        "clock not held",
        "clocks run on while Discord is out of reach",
        frozenset({"clocks are fair"}),
        Weather(
            games=("haymaker",),
            tables=4,
            thinking=5.0,
            clocks=("blitz",),
            absent=0.5,
            outages=20.0,
            outage_seconds=60.0,
        ),
        (4, 3, 1),
        0.6,
        (replaced(MatchClock, "pause", lambda _self: None),),
    ),
)
