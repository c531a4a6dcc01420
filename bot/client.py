"""The discord.py client: the gateway's events, and nothing of the games."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import importlib
import json
import logging
import math
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol

import aiohttp
import discord
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.http import Route
from discord.shard import EventItem, EventType

from bot import faults, heartbeat, lag
from bot.invitations import Invitations
from bot.limits import Limits
from bot.matches import Matches
from bot.metrics import Metrics
from bot.places import Places
from bot.refusals import Refused
from bot.saving import unsaved
from bot.sessions import Sessions
from bot.settings import Settings
from bot.store.base import Busy, NotSaved, Store, StoreError
from bot.words import words

_log = logging.getLogger(__name__)

BEAT_SECONDS = 5.0
TIDYING_SECONDS = 60.0
LOOK_AGAIN_SECONDS = 1.0
"""How often somebody who waits for a session looks whether it may begin."""
AWAY_SECONDS = 10.0
"""What is lost by a connection gone for less than this is not given back; the clocks stand all the same."""
AGAIN_SECONDS = 5.0
"""When the clocks could not be let go, for the store failed, they are tried again after this."""


class Front(Protocol):
    """What the client needs of the cogs, which it loads by name."""

    def load(self) -> None:
        """Register every command."""

    async def resume(self) -> None:
        """Take up what was open when the process ended."""

    async def close(self) -> None:
        """Let go of everything that runs."""

    async def admit(self, interaction: discord.Interaction[CardroomClient]) -> bool:
        """Whether a command is to be carried out: it can still be answered, and its sender sends not too many."""

    async def on_interaction(self, interaction: discord.Interaction[CardroomClient]) -> None:
        """Answer a press."""

    async def note(self, interaction: discord.Interaction[CardroomClient], text: str) -> None:
        """Say one thing privately."""


class Tree(app_commands.CommandTree["CardroomClient"]):
    """The slash commands; what goes wrong in them is said privately."""

    async def interaction_check(self, interaction: discord.Interaction[CardroomClient]) -> bool:
        """Drop commands that a RESUME replayed after their token died, and those of a burst."""
        return await self.client.front.admit(interaction)

    async def on_error(
        self, interaction: discord.Interaction[CardroomClient], error: app_commands.AppCommandError
    ) -> None:
        """Answer a command that could not be carried out."""
        say = words(str(interaction.locale))
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        if isinstance(cause, app_commands.CheckFailure):
            return
        if isinstance(cause, Busy | NotSaved):
            cause = unsaved(cause)
        if isinstance(cause, Refused):
            text = say(cause.key, **cause.values)
        elif isinstance(cause, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
            text = say("command.changed")
        elif isinstance(cause, app_commands.TransformerError):
            text = say("command.bad_value")
        else:
            text = say("error.number", number=faults.note(cause, "carrying out a command"))
        await self.client.front.note(interaction, text)


def tidy_seldom(http: discord.http.HTTPClient) -> None:
    """Have the library look through the limits of all channels it spoke to in the last five minutes now and then.

    It does so whenever it meets one more (2.7), which takes a tenth of the time where boards in thousands are painted.
    """
    tidy, last = http._try_clear_expired_ratelimits, time.monotonic()

    def seldom() -> None:
        nonlocal last
        if time.monotonic() - last >= TIDYING_SECONDS:
            last = time.monotonic()
            tidy()

    http._try_clear_expired_ratelimits = seldom  # type: ignore[method-assign]  # the library offers no other way


class PatientShard(discord.shard.Shard):
    """One connection of the client, which lets a new session wait until it may begin. Resuming costs nothing.

    The library begins one at once, again and again, where Discord invalidates each (2.7). Waiting here, before a line
    is opened, holds up no other shard, and ending the client ends it.
    """

    async def reidentify(self, exc: ReconnectWebSocket) -> None:
        """Resume, or begin a new session when that is due."""
        if exc.resume or not self._waits(EventItem(EventType.identify, self, exc)):
            await super().reidentify(exc)

    async def reconnect(self) -> None:
        """Begin a new session when that is due."""
        if not self._waits(EventItem(EventType.reconnect, self, None)):
            await super().reconnect()

    def _waits(self, item: EventItem) -> bool:
        if not isinstance(self._client, CardroomClient) or not self._client.sessions.wait():
            return False
        self._dispatch("shard_disconnect", self.id)
        self._task = asyncio.get_running_loop().create_task(self._come_back(self._client, item))
        return True

    async def _come_back(self, client: CardroomClient, item: EventItem) -> None:
        await client.until_a_session_may_begin()
        self._queue_put(item)


class CardroomClient(discord.AutoShardedClient):
    """The connection to Discord, with the house behind it."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        matches: Matches,
        invitations: Invitations,
        places: Places,
        *,
        metrics: Metrics | None = None,
    ) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_ratelimit_timeout=30.0,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            enable_debug_events=False,
        )
        self.settings = settings
        self.store = store
        self.matches = matches
        self.invitations = invitations
        self.places = places
        self.sessions = Sessions(store, matches.now)
        self.metrics = metrics
        self.resumed: Callable[[], None] = lambda: None
        """Called once everything unfinished is taken up."""
        tidy_seldom(self.http)
        self._leaving = asyncio.Event()
        self.http.http_trace = metrics.trace() if metrics is not None else None
        self.tree = Tree(self)
        self.front: Front = importlib.import_module("cogs.front").Front(self)
        self._beating: list[asyncio.Task[None]] = []
        self._lost: asyncio.TimerHandle | None = None
        self._met: set[int] = set()
        self._settling: set[asyncio.Task[None]] = set()
        self._held = True  # until the first sessions have begun: nobody can press before

    async def setup_hook(self) -> None:
        """Before the first connection: where to connect, which commands there are, what was open."""
        shards, gateway, limit = await self.http.get_bot_gateway()
        # After a session that cannot be resumed the library goes back to this constant, not to what it was told.
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
        await self.sessions.load(
            self.application_id or 0,
            shards,
            total=limit["total"],
            remaining=limit["remaining"],
            reset_after=limit["reset_after"],
        )
        if self.sessions.wait():
            self._live()  # who waits is well
            await self.until_a_session_may_begin()
        if self._leaving.is_set():
            return
        self.front.load()
        await self._announce_commands()
        self.matches.hold()
        self.invitations.hold()
        await self.front.resume()
        self.resumed()
        self._live()
        self._beating += [
            asyncio.create_task(self._note_time()),
            asyncio.create_task(lag.watch(self._note_lag)),
            asyncio.create_task(self.places.keep()),
        ]

    def _live(self) -> None:
        """Renew the sign of life from now on; it also tells that the bot is ready, so it begins no sooner."""
        if not self._beating:
            self._beating = [asyncio.create_task(heartbeat.beat(self.settings.heartbeat_file))]

    async def launch_shards(self) -> None:
        """Connect, unless we were told to end before."""
        if not self._leaving.is_set():
            await super().launch_shards()

    async def until_a_session_may_begin(self) -> None:
        """Wait until a session at the gateway may begin, or until we are told to end."""
        wait = self.sessions.wait()
        if not wait:
            return
        _log.warning(
            "the next session begins in %d s: %d began in the last hour, Discord leaves us %d today",
            math.ceil(wait / 1000),
            self.sessions.lately,
            self.sessions.left,
        )
        while self.sessions.wait() and not self._leaving.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._leaving.wait(), LOOK_AGAIN_SECONDS)

    async def _announce_commands(self) -> None:
        """Tell Discord our commands, only when they are not what it was told last."""
        payload = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        payload.sort(key=lambda command: str(command["name"]))
        fingerprint = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
        fact = f"commands:{self.application_id}"
        known = {command.name for command in await self.tree.fetch_commands()}
        if await self.store.fact(fact) == fingerprint and known == {str(command["name"]) for command in payload}:
            return
        await self.tree.sync()
        await self.store.set_fact(fact, fingerprint)
        _log.info("announced %d commands", len(payload))

    async def _note_time(self) -> None:
        """Note in the store that we are here, so that the next start knows how long we were not."""
        while True:
            before = time.monotonic()
            await asyncio.sleep(BEAT_SECONDS)
            stood = time.monotonic() - before - BEAT_SECONDS
            if self._lost is not None or self._held:
                continue
            try:
                if stood > AWAY_SECONDS:
                    _log.warning("the process stood still for %.0f s: all clocks are given it back", stood)
                    await self._give_back()
                else:
                    await self.store.beat(self.matches.now())
            except Exception as error:  # noqa: BLE001  a full disk must not stop the heart; the next beat tries again
                _log.warning("the time could not be noted: %s", type(error).__name__)

    def _note_lag(self, seconds: float) -> None:
        if self.metrics is not None:
            self.metrics.loop_lag(seconds)

    def note_board(self, seconds: float) -> None:
        """Hear that a board that changed so long ago is shown now."""
        if self.metrics is not None:
            self.metrics.board_lag(seconds)

    # ------------------------------------------------------------------------------------ events

    async def on_interaction(self, interaction: discord.Interaction[CardroomClient]) -> None:
        """Every press of a component."""
        await self.front.on_interaction(interaction)

    @property
    def connected(self) -> bool:
        """Whether presses reach us, as far as is known."""
        return self.is_ready() and not self._held and not self.is_closed()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Hand an event to whoever waits for it; an interaction is noted the moment it arrives."""
        if event == "interaction" and self.metrics is not None:
            self.metrics.interaction(args[0].id)
        if event == "shard_connect":
            self._session_begun(args[0])
        super().dispatch(event, *args, **kwargs)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Before a session begins anew, of which a day has a thousand."""
        if self.metrics is not None:
            self.metrics.identify()
        await self.sessions.began()
        await super().before_identify_hook(shard_id, initial=initial)

    async def on_ready(self) -> None:
        """Connected, with a new session."""
        _log.info("ready: %d servers", len(self.guilds))

    async def on_shard_ready(self, shard: int) -> None:
        """A new session has told all it had to tell: what it did not name of our channels may be gone."""
        await self._see_to("looking for channels", self._look_round(shard))

    async def on_shard_resumed(self, _shard_id: int) -> None:
        """Connected again, in the session that was lost."""
        await self._found()

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel was deleted."""
        await self._see_to("losing a channel", self.places.channel_gone(channel.id))

    async def on_raw_thread_delete(self, gone: discord.RawThreadDeleteEvent) -> None:
        """A thread was deleted."""
        await self._see_to("losing a thread", self.places.channel_gone(gone.thread_id))

    async def on_raw_thread_update(self, changed: discord.RawThreadUpdateEvent) -> None:
        """A thread changed; it may have been archived or locked."""
        about = changed.data.get("thread_metadata", {})
        if about.get("archived") or about.get("locked"):
            await self._see_to("losing a thread", self.places.thread_closed(changed.thread_id))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """We were removed from a server; one that Discord cannot reach for now does not come here."""
        await self._see_to("leaving a server", self.places.left(guild.id))

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """We were added to a server."""
        await self._see_to("joining a server", self.places.came(guild.id))

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A server is told of; one that no session named was joined while nobody listened."""
        if not self.places.is_here(guild.id):
            await self._see_to("joining a server", self.places.came(guild.id))

    # ------------------------------------------------------------------------------------ sessions and clocks

    def _session_begun(self, shard: int) -> None:
        """READY came. It names every server of its shard that we are in, and nothing else ever does.

        This runs while the library reads it: the servers that it names have just been put in, as not available yet,
        among those that a former session left behind.
        """
        here = [guild.id for guild in self.guilds if guild.shard_id == shard and guild.unavailable]
        self._begin(self._settle(shard, here))

    async def _settle(self, shard: int, here: list[int]) -> None:
        await self._see_to("looking for servers", self.places.session(shard, self.shard_count or 1, here))
        self._met.add(shard)
        await self._found()

    async def _look_round(self, shard: int) -> None:
        """Ask for the channels of matches and invitations that Discord has not named: deleted, or a thread put away."""
        for guild_id, channel_id in self.places.in_use():
            guild = self.get_guild(guild_id)
            if guild is None or guild.unavailable or guild.shard_id != shard:
                continue
            if guild.get_channel_or_thread(channel_id) is not None:
                continue
            try:
                channel = await self.fetch_channel(channel_id)
            except discord.NotFound:
                await self.places.channel_gone(channel_id)
            except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
                _log.info("a channel could not be asked for: %s", type(error).__name__)
            else:
                if isinstance(channel, discord.Thread) and (channel.archived or channel.locked):
                    await self.places.thread_closed(channel_id)

    async def _see_to(self, doing: str, work: Awaitable[None]) -> None:
        """Do what an event asks for. What fails is logged; the next start, session or look finds it again."""
        try:
            await work
        except StoreError as error:
            _log.warning("%s could not be noted: %s", doing, type(error).__name__)
        except Exception as error:  # noqa: BLE001  the library would log its text
            faults.note(error, doing)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._settling.add(task)
        task.add_done_callback(self._settling.discard)

    async def on_shard_disconnect(self, _shard_id: int) -> None:
        """Discord is out of reach: the clocks stop, for nobody can press."""
        if self._lost is None and not self._held:
            self._lost = asyncio.get_running_loop().call_later(AWAY_SECONDS, self._hold)
            self.matches.hold()
            self.invitations.hold()

    def _hold(self) -> None:
        self._lost = None
        self._held = True
        _log.warning("Discord is out of reach: all clocks stand")

    async def _found(self) -> None:
        if self._lost is not None:
            self._lost.cancel()
            self._lost = None
            if not self._held:
                self.matches.go_on()
                self.invitations.go_on()
        if not self._held or len(self._met) < (self.shard_count or 1):
            return
        self._held = False
        try:
            await self._give_back()
        except StoreError as error:
            self._held = True
            _log.warning("the clocks could not be let go: %s", type(error).__name__)
            self._lost = asyncio.get_running_loop().call_later(AGAIN_SECONDS, lambda: self._begin(self._found()))
            return
        _log.info("Discord is there: all clocks go on")

    async def _give_back(self) -> None:
        """Let the clocks go on, credited with the time since the last beat."""
        await self.matches.release()
        await self.invitations.release()

    async def close(self) -> None:
        """Leave nothing running."""
        self._leaving.set()
        for task in (*self._beating, *self._settling):
            task.cancel()
        await asyncio.gather(*self._beating, *self._settling, return_exceptions=True)
        if self._lost is not None:
            self._lost.cancel()
        await self.front.close()
        await super().close()


# The library has no other way to say which class its connections are of.
discord.shard.Shard = PatientShard  # type: ignore[misc]


def point_at(api_base: str) -> None:
    """Have the library speak to this API: Discord's own, a proxy's or the sandbox's."""
    Route.BASE = api_base


def build(settings: Settings, store: Store, now: Callable[[], int]) -> CardroomClient:
    """The client and the house behind it, not yet connected."""
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # nobody needs to hear that we have no voice
    limits = Limits.of(settings)
    matches = Matches(store, now, limits)
    invitations = Invitations(store, now, matches, limits)
    metrics = Metrics(lambda: len(list(matches.live()))) if settings.metrics_port else None
    places = Places(store, matches, invitations, now, settings.purge_days)
    return CardroomClient(settings, store, matches, invitations, places, metrics=metrics)
