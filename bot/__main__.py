"""`python -m bot`: the bot alone. It makes all the parts and connects them, so it is the one module that imports them
all.

Exit codes are sysexits.h's:
0 asked to stop · 1 an error in the program · 73 the database cannot be used · 75 Discord or the database's server
cannot be reached, or another process serves these shards, or the database has other data than this one knows: try again
later · 78 wrong configuration, so a restart does not help
"""

from __future__ import annotations

from bot.ops import process

if __name__ == "__main__":
    process.end_on_signals()

import argparse
import asyncio
import gc
import logging
import os
import sys
import threading
from collections.abc import Callable, Sequence

import aiohttp
import discord

from bot import heartbeat, logs
from bot.cluster.ownership import Ownership
from bot.computers.pool import WorkerPool
from bot.computers.reviewer import Reviewer
from bot.computers.thinker import RuleOfThumb, Thinker
from bot.games import DISTRIBUTIONS
from bot.gateway import card_emojis
from bot.gateway.access import DiscordAccess
from bot.gateway.client import CardroomClient, point_at
from bot.gateway.connectivity import ConnectionGuard
from bot.gateway.sessions import IdentifyBudget
from bot.gateway.shards import read_in_small_pieces
from bot.ops import databases, game_packages
from bot.ops.metrics import Metrics, serving
from bot.play.clocks.match_clock import MatchClock
from bot.play.computers.seats import ComputerSeats
from bot.play.days import Days
from bot.play.limits import Limits
from bot.play.log_packing import LogPacking
from bot.play.match_lifecycle import MatchLifecycle
from bot.play.match_press import MatchPresses
from bot.play.match_registry import MatchRegistry
from bot.play.matchmaking.invitations import Invitations, Inviting
from bot.play.matchmaking.seating import Seating
from bot.play.observers import Observers
from bot.play.quarantine import Quarantine
from bot.play.restoring import MatchRestorer
from bot.play.venues import Venues
from bot.scheduler import LoopScheduler, Scheduler
from bot.settings import (
    ACCEPT_OLDER,
    ACCEPT_OLDER_HELP,
    EXIT_CONFIGURATION,
    EXIT_DATABASE,
    EXIT_UNREACHABLE,
    LOCAL,
    LOCAL_HELP,
    ConfigurationError,
    Settings,
    load_settings,
)
from bot.store.errors import StoreError
from bot.store.store import Store
from bot.telemetry import NO_TELEMETRY, Telemetry
from cogs.actions.dispatcher import Dispatcher
from cogs.wiring import wire

EXIT_REPLACED = 75

STOPS_WITHIN = 1.0
"""Seconds that a connection attempt gets to end after the request to stop."""

FATAL_CLOSES = {
    4004: "DISCORD_TOKEN: Discord does not accept it",
    4010: "Discord refused the shard: start only one bot per token",
    4011: "Discord requires more shards for this bot",
    4012: "Discord no longer supports this gateway version: update Cardroom",
    4013: "Discord refused the intents: update Cardroom",
    4014: "Discord refused an intent that needs its approval",
}
"""Close codes after which reconnecting would only waste the day's identifies, with what to do instead."""

_log = logging.getLogger("bot")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bot until it is asked to stop, and return the exit code."""
    process.end_on_signals()
    parser = argparse.ArgumentParser(prog="python -m bot", description="Run the bot alone.")
    parser.add_argument(ACCEPT_OLDER, action="store_true", help=ACCEPT_OLDER_HELP)
    parser.add_argument(LOCAL, action="store_true", help=LOCAL_HELP, dest="local")
    arguments = parser.parse_args(argv)
    try:
        settings = load_settings()
        token = settings.require_token()
    except ConfigurationError as error:
        return _give_up(str(error), EXIT_CONFIGURATION)
    logs.set_up(settings.log_level, settings.secrets)
    last_moment = threading.Timer(process.ENDS_WITHIN, _end_at_once)
    last_moment.daemon = True
    try:
        return asyncio.run(
            run(
                settings,
                token,
                last_moment,
                accept_older=arguments.accept_older,
                local=arguments.local,
            )
        )
    except ConfigurationError as error:
        return _give_up(str(error), EXIT_CONFIGURATION)
    except StoreError as error:
        return _give_up(str(error), databases.exit_code(error))
    except KeyboardInterrupt:
        return 0
    finally:
        last_moment.cancel()


def _end_at_once(code: int = 0) -> None:
    """End the process even if something still blocks it, such as a thread in a DNS lookup, which cannot be cancelled.

    Nothing is lost: every move that was answered is in the database.
    """
    _log.warning("not everything ended within %d s", process.ENDS_WITHIN)
    sys.stderr.flush()
    os._exit(code)


async def run(
    settings: Settings,
    token: str,
    last_moment: threading.Timer,
    *,
    accept_older: bool = False,
    local: bool = False,
    connector: aiohttp.BaseConnector | None = None,
) -> int:
    """Run the bot in the running loop until it is asked to stop, and return the exit code.

    `accept_older` accepts a database that is older than its witness. `local` begins sessions without waiting. The
    bot opens connections to Discord with `connector`; without one, as discord.py does. Raises ConfigurationError and
    StoreError, each with one line to show.
    """
    read_in_small_pieces()
    scheduler = LoopScheduler()
    metrics = Metrics(scheduler.monotonic) if settings.metrics_port else None
    telemetry: Telemetry = NO_TELEMETRY if metrics is None else metrics
    _load_games(telemetry)
    store = await databases.open_store(settings, now=scheduler.now, telemetry=telemetry, accept_older=accept_older)
    ownership = Ownership(store, settings.shard_ranges, scheduler, telemetry)
    _tune_garbage_collector()  # before the wait for shards: a spare then has less to do
    try:
        await _claim_shards(ownership, settings)
        point_at(settings.discord_api_base)
        client, registry = build(
            settings,
            store,
            scheduler,
            telemetry,
            on_resumed=gc.freeze,  # without a collection, which would hold up all answers
            thinker=WorkerPool(settings.computer_workers, telemetry),
            local=local,
            connector=connector,
            ownership=ownership,
        )
        beside_play = (
            asyncio.create_task(databases.keep_backups(settings, store, telemetry)),
            asyncio.create_task(LogPacking(store, scheduler, telemetry).run()),
        )
        health = serving(
            metrics,
            store,
            lambda: client.connected,
            lambda: len(registry),
            settings.metrics_port,
        )
        checking = asyncio.create_task(databases.check_file(store))
        async with client, health:
            try:
                return await run_until_stopped(client, token, last_moment, ownership=ownership, checking=checking)
            finally:
                for each in beside_play:
                    each.cancel()
                await asyncio.wait(beside_play)  # the files of backups are closed before the store
                checking.add_done_callback(_heard)
    finally:
        await ownership.release()  # once nothing is written any more
        await store.close()


async def _claim_shards(ownership: Ownership, settings: Settings) -> None:
    """Wait until this process has shards to serve. Meanwhile its heartbeat continues: a spare is healthy."""
    beating = asyncio.create_task(heartbeat.beat(settings.heartbeat_file))
    try:
        await ownership.claim()
    finally:
        beating.cancel()


def _load_games(telemetry: Telemetry) -> None:
    """Load the games of other packages. The bot runs without those that cannot be used."""
    for left_out in game_packages.load():
        _log.error("game %s", left_out)
        telemetry.fault("loading a game")
    for key, distribution in DISTRIBUTIONS.items():
        _log.info("game %s is installed by %s", key, distribution)


def build(
    settings: Settings,
    store: Store,
    scheduler: Scheduler,
    telemetry: Telemetry,
    on_resumed: Callable[[], None] = lambda: None,
    *,
    thinker: Thinker | None = None,
    reviewer: Reviewer | None = None,
    local: bool = False,
    connector: aiohttp.BaseConnector | None = None,
    ownership: Ownership | None = None,
) -> tuple[CardroomClient, MatchRegistry]:
    """The client, not yet connected, and the matches behind it. `on_resumed` is called whenever many more matches were
    restored after a start, and at the end.

    `thinker` answers for computer players; without one they play by rule of thumb. `reviewer` says what decided a
    match; without one a process does. `ownership` holds the shards; without one nobody else can have them.
    """
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # no voice is used, so no warning is needed
    limits, observers, quarantine = Limits(settings), Observers(), Quarantine(store, telemetry)
    now = scheduler.now
    registry = MatchRegistry(store, quarantine, now, telemetry)
    access = DiscordAccess(now)
    clock = MatchClock(store, registry, observers, scheduler, telemetry=telemetry, access=access)
    lifecycle = MatchLifecycle(
        store,
        registry,
        clock,
        quarantine=quarantine,
        limits=limits,
        observers=observers,
        now=now,
        access=access,
    )
    invitations = Invitations(store, observers, scheduler)
    restorer = MatchRestorer(store, registry, clock, quarantine=quarantine, now=now, telemetry=telemetry)
    days = Days(registry, lifecycle, quarantine, scheduler)
    computers = ComputerSeats(
        RuleOfThumb(telemetry) if thinker is None else thinker,
        store,
        settle=clock.settle,
        changed=observers.match_changed,
        scheduler=scheduler,
        telemetry=telemetry,
    )

    def dispatcher(client: CardroomClient) -> Dispatcher:
        made = wire(
            client,
            registry,
            clock,
            lifecycle,
            invitations,
            inviting=Inviting(invitations, registry, limits, now),
            seating=Seating(invitations, registry, lifecycle, store=store, limits=limits, now=now),
            restorer=restorer,
            presses=MatchPresses(clock, observers),
            days=days,
            observers=observers,
            scheduler=scheduler,
            computers=computers,
            reviewer=Reviewer(telemetry) if reviewer is None else reviewer,
            access=access,
        )
        observers.add(computers)
        return made

    client = CardroomClient(
        settings,
        store,
        Venues(
            store,
            registry,
            lifecycle,
            invitations,
            observers=observers,
            scheduler=scheduler,
            safeguard=databases.safeguard(settings, store, telemetry),
            purge_days=settings.purge_days,
        ),
        ConnectionGuard(store, clock, invitations, scheduler),
        identify_budget=IdentifyBudget(store, now, spaced=not local),
        dispatcher=dispatcher,
        telemetry=telemetry,
        on_resumed=on_resumed,
        connector=connector,
        emoji_pause=card_emojis.LOCAL_PAUSE if local else card_emojis.PAUSE,
        ownership=ownership,
    )
    access.connect(client)
    return client, registry


def _tune_garbage_collector() -> None:
    """Run the garbage collector less often, and never on objects that live until the end.

    By default it takes a tenth of the time under load. Each run blocks all answers for 30 ms, and with thousands of
    matches in memory for half a second.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


async def run_until_stopped(
    client: discord.Client,
    token: str,
    last_moment: threading.Timer,
    *,
    ownership: Ownership,
    checking: asyncio.Task[None],
) -> int:
    """Run the client until it ends. SIGINT and SIGTERM close it cleanly, before `last_moment` ends the process.

    So do the loss of its shards, and an error of `checking`, which reads the database's file beside play. The error is
    raised once the client is closed.
    """
    running = asyncio.create_task(client.start(token))
    keeping = asyncio.create_task(ownership.keep())
    told, damaged = asyncio.Event(), asyncio.Event()
    for number in process.STOP_SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, told.set)
    checking.add_done_callback(lambda done: damaged.set() if _failed(done) else None)
    stopping = (told, damaged, ownership.lost)
    waiting = [asyncio.create_task(event.wait()) for event in stopping]
    await asyncio.wait({running, *waiting}, return_when=asyncio.FIRST_COMPLETED)
    for event in waiting:
        event.cancel()
    if any(event.is_set() for event in stopping):
        code, why = _why_stopped(told, damaged, ownership.why_lost)
        _log.info("stopping, because %s" if code else "%s", why)
        last_moment.args = [code]
        last_moment.start()
        running.cancel()  # it may wait for an answer, for a rate limit or for the gateway
        await asyncio.wait({running}, timeout=STOPS_WITHIN)
        await client.close()
        keeping.cancel()
        await asyncio.gather(running, keeping, return_exceptions=True)  # their errors no longer matter
        if code == EXIT_DATABASE:
            checking.result()
        return code if code == 0 else _give_up(why, code)
    keeping.cancel()
    try:
        await running
    except Exception as error:
        line, code = _why(error)
        if not line:
            raise
        return _give_up(line, code)
    return 0


def _why_stopped(told: asyncio.Event, damaged: asyncio.Event, why_lost: str) -> tuple[int, str]:
    """The exit code, and why. `why_lost` is why the shards are lost."""
    if told.is_set():
        return 0, "told to stop"
    if damaged.is_set():
        return EXIT_DATABASE, "the database is damaged"
    return EXIT_REPLACED, why_lost


def _failed(done: asyncio.Task[None]) -> bool:
    return done.done() and not done.cancelled() and done.exception() is not None


def _heard(done: asyncio.Task[None]) -> None:
    """Read the error of a task that nobody waits for any more. Otherwise asyncio would log it."""
    _failed(done)


def _why(error: Exception) -> tuple[str, int]:
    """Explain in one line why the client gave up, with the exit code; an empty line for an error in the program."""
    match error:
        case discord.LoginFailure():
            return FATAL_CLOSES[4004], EXIT_CONFIGURATION
        case discord.PrivilegedIntentsRequired():
            return FATAL_CLOSES[4014], EXIT_CONFIGURATION
        case discord.ConnectionClosed(code=code) if code in FATAL_CLOSES:
            return FATAL_CLOSES[code], EXIT_CONFIGURATION
        case discord.ConnectionClosed(code=code):
            return f"Discord closed the connection (code {code})", EXIT_UNREACHABLE
        case discord.HTTPException() | discord.GatewayNotFound() | OSError():
            return f"Discord cannot be reached ({type(error).__name__})", EXIT_UNREACHABLE
    return "", 1


def _give_up(line: str, code: int) -> int:
    sys.stderr.write(f"cardroom: {line}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
