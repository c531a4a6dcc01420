"""The discord.py client: it receives the gateway's events, announces commands, and knows nothing about games."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Any, Final, Protocol, TypeVar

import aiohttp
import discord
from discord import app_commands
from discord.http import Route

from bot import heartbeat, logs
from bot.gateway import announced_commands, card_emojis
from bot.gateway.card_emojis import CardEmojis
from bot.gateway.connectivity import ConnectionGuard, LoopLag, Replays, close_while
from bot.gateway.installations import leave_foreign_server
from bot.gateway.kept_sessions import KeptSessions
from bot.gateway.lean.press import read_presses_leanly
from bot.gateway.lean.servers import HAVE_THREADS, SlimServers
from bot.gateway.lean.session import LeanSession
from bot.gateway.requests import EDITS_PER_SECOND, RateLimiter, RequestWatch, request_trace
from bot.gateway.sessions import IdentifyBudget, SessionTurns
from bot.gateway.shards import BudgetedClient
from bot.ops import process
from bot.play.refusals import Refused, as_unsaved
from bot.play.venues import Venues
from bot.scheduler import Tasks
from bot.settings import Settings
from bot.store.errors import Busy, Fenced, NotSaved, StoreError, Unsettled
from bot.store.store import Store
from bot.telemetry import NO_TELEMETRY, Telemetry
from bot.ui.catalogue import translations

_log = logging.getLogger(__name__)

T = TypeVar("T")

REPLAYED = "replayed"
"""An interaction that the gateway replayed has this key among its extras."""
_BAD_REQUEST: Final = 400
JOB_MILLISECONDS: Final = 600_000
"""How long a job stays with a process that doesn't ask for it again, and holds its shards."""


class Job(StrEnum):
    """What one process does for the whole bot; so it is called in the data."""

    COMMANDS = "commands"
    """Announce the slash commands to Discord."""
    EMOJIS = "emojis"
    """Upload and remove the application's emojis of cards."""


class InteractionDispatcher(Protocol):
    """What the client needs from the cogs; `bot.__main__` passes it in."""

    def load(self) -> None:
        """Register every command."""

    async def resume(self, restored: Callable[[], None]) -> None:
        """Restore what was open when the process ended. Unfinished matches come into play later, in the background;
        `restored` is called when many more have, and at the end."""

    async def close(self) -> None:
        """Stop everything that runs."""

    async def admit(self, interaction: discord.Interaction[CardroomClient]) -> bool:
        """Whether to carry out a command: it can still be answered, and its sender is within the burst limit."""

    async def on_interaction(self, interaction: discord.Interaction[CardroomClient]) -> None:
        """Answer a press."""

    async def joined(self, guild: discord.Guild) -> None:
        """Do what follows when the bot has joined a server, such as greeting it."""

    async def reply_text(self, interaction: discord.Interaction[CardroomClient], text: str) -> None:
        """Answer with a private text."""


class HeldShards(Protocol):
    """The shards that this process holds (`bot.cluster.ownership`)."""

    def is_current(self) -> bool:
        """Whether it surely holds them."""

    async def confirm(self) -> bool:
        """Whether the data say so, too."""

    def when_in_doubt(self, silence: Callable[[], None], certain: Callable[[], None]) -> None:
        """Have `silence` called when the process falls silent, and `certain` when it surely holds them after all."""


class CardroomClient(BudgetedClient):
    """The connection to Discord. It passes events on to `Venues`, `ConnectionGuard` and the dispatcher."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        venues: Venues,
        connection_guard: ConnectionGuard,
        *,
        identify_budget: IdentifyBudget,
        dispatcher: Callable[[CardroomClient], InteractionDispatcher],
        telemetry: Telemetry,
        on_resumed: Callable[[], None] = lambda: None,
        connector: aiohttp.BaseConnector | None = None,
        emoji_pause: float = card_emojis.PAUSE,
        ownership: HeldShards | None = None,
    ) -> None:
        """`dispatcher` makes the object that answers presses and commands, and gets this client. `on_resumed` is called
        whenever many more unfinished matches were restored, and at the end; presses come meanwhile. `connector` opens
        the connections to Discord, if not the library's own. `emoji_pause` is in seconds, between two uploads of
        emojis. `ownership` says whether this process still has its shards; without one, nobody else can have them."""
        # Watching costs each request some microseconds, so nothing watches if nothing is counted.
        self._request_watch = None if telemetry is NO_TELEMETRY else RequestWatch(telemetry)
        asked = settings.edits_per_second / EDITS_PER_SECOND
        self.rate_limiter = RateLimiter(asked or store.serves.share)
        super().__init__(
            identify_budget,
            SessionTurns(store),
            store.serves,
            connector=connector,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_ratelimit_timeout=30.0,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            enable_debug_events=False,
            http_trace=request_trace(self._request_watch, self.rate_limiter, connection_guard.discord_time.note_reply),
        )
        if settings.lean_requests:
            read_presses_leanly(self)
        self._servers = SlimServers(self, venues.in_use)
        self._kept_sessions = KeptSessions(self, store, self._servers)
        self._resumed_shards: set[int] = set()
        """Those that go on with a session of another process."""
        self.settings = settings
        self.store = store
        self.venues = venues
        self.connection_guard = connection_guard
        self.telemetry = telemetry
        self._on_resumed = on_resumed
        self.loop_lag = LoopLag(telemetry)
        self._replays = Replays()
        self._lean_session: LeanSession | None = None
        self._ownership = ownership
        self.card_emojis = CardEmojis(self, pause=emoji_pause, may_upload=lambda: self._falls_to_us(Job.EMOJIS))
        self.tree = CardroomCommandTree(self)
        self.dispatcher = dispatcher(self)
        self._background: list[asyncio.Task[None]] = []
        self._connected_shards: set[int] = set()
        self._ready_shards: set[int] = set()
        """Those that have had a session whose servers were looked at."""
        self._described_shards: set[int] = set()
        """Those whose servers are all known."""
        self._has_reported_ready = False
        self._tasks = Tasks()

    async def _falls_to_us(self, job: Job) -> bool:
        """Whether this process does a job now: the first that asks does, and keeps it by asking again. Raises
        StoreError."""
        return await self.store.take_job(job.value, JOB_MILLISECONDS)

    async def setup_hook(self) -> None:
        """Before the first connection, find out where to connect, register commands, and restore what was open."""
        if self._ownership is not None and self.store.is_shared:
            close_while(self.http.connector, lambda: not self.is_current)
            self._ownership.when_in_doubt(self.connection_guard.fall_silent, self.connection_guard.end_silence)
        await self.fetch_gateway()
        self.connection_guard.begin_time()
        self._resumed_shards = await self._kept_sessions.take()
        for shard in self._resumed_shards:
            self._replays.connection_lost(shard)  # what comes before RESUMED may be old
        if self.identify_budget.delay_ms() and self._resumed_shards < set(self.own_shards):
            self._start_heartbeat()  # waiting to identify is healthy
            await self.wait_for_identify()
        if self.stopping.is_set():
            return
        self.dispatcher.load()
        if await self._falls_to_us(Job.COMMANDS):
            await self.tree.announce(self.store, to_people=self.settings.user_install)
        self.connection_guard.pause_clocks()
        if self.settings.card_emojis:
            keeping = self.card_emojis.keep()  # at once: boards are compared as they look with emojis
            self._tasks.begin(self._run_logged("keeping the emojis of cards", keeping))
        await self.dispatcher.resume(self._on_resumed)
        self._start_heartbeat()
        self._background += [
            asyncio.create_task(self.connection_guard.run_beats()),
            asyncio.create_task(self.loop_lag.watch()),
            asyncio.create_task(self.venues.run_daily()),
            asyncio.create_task(self.watch_sessions()),
            asyncio.create_task(self._kept_sessions.run()),
        ]

    def _start_heartbeat(self) -> None:
        """Start to renew the heartbeat file."""
        if not self._background:
            self._background = [asyncio.create_task(heartbeat.beat(self.settings.heartbeat_file))]

    # ------------------------------------------------------------------------------------ events

    async def on_interaction(self, interaction: discord.Interaction[CardroomClient]) -> None:
        """Handle every press of a component."""
        await self.dispatcher.on_interaction(interaction)

    def lean_session(self, session: aiohttp.ClientSession) -> LeanSession | None:
        """What sends JSON over the connections of the library's session for less (`bot.gateway.lean`)."""
        lean = self._lean_session
        if lean is None or lean.session is not session or lean.base != Route.BASE:
            lean = LeanSession(session, Route.BASE, self.http.user_agent, self._request_watch)
            self._lean_session = lean
        return lean

    @property
    def is_current(self) -> bool:
        """Whether no other process can have this one's shards by now."""
        return self._ownership is None or self._ownership.is_current()

    async def may_resume(self) -> bool:
        """Whether no other process goes on with the sessions of this one. One that stood still may learn that from the
        data alone: who took its shards has resumed them, and Discord has closed its connections."""
        return self._ownership is None or await self._ownership.confirm()

    @property
    def connected(self) -> bool:
        """Whether presses reach the bot, as far as is known."""
        return self.is_ready() and self.is_current and not self.connection_guard.is_away and not self.is_closed()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Dispatch an event. What depends on the order of events is done first, because handlers run later."""
        match event:
            case "socket_event_type":  # of every event, and nobody listens
                return
            case "interaction":
                if not self.is_current:  # the process that has the shards gets it too, and answers
                    return
                self._interaction_arrived(args[0])
            case "guild_available" if self.venues.is_here(args[0].id):  # each server, at the beginning of a session
                return
            case "shard_disconnect":
                self._replays.connection_lost(args[0])
                self._connected_shards.discard(args[0])
            case "shard_resumed":
                self._replays.caught_up(args[0])
                self._connected_shards.add(args[0])
                if args[0] in self._resumed_shards - self._described_shards:
                    self._described_shards.add(args[0])
                    self._session_started(args[0])
            case "shard_connect":
                self._replays.caught_up(args[0])
                self._connected_shards.add(args[0])
                self._resumed_shards.discard(args[0])
                self._session_started(args[0])
            case "shard_ready":
                self._described_shards.add(args[0])
        super().dispatch(event, *args, **kwargs)

    def _interaction_arrived(self, interaction: discord.Interaction[CardroomClient]) -> None:
        self.telemetry.interaction_arrived(interaction.id)
        if self._replays.include(interaction.guild_id, self.shard_count or 1):
            interaction.extras[REPLAYED] = True
        elif not self.loop_lag.stood_still():
            self.connection_guard.discord_time.note_id(interaction.id)
        leave_foreign_server(interaction)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait before a new session, of which Discord grants a thousand per day."""
        self.telemetry.identify()
        await super().before_identify_hook(shard_id, initial=initial)

    async def on_ready(self) -> None:
        """Connected, with a new session."""
        _log.info("ready: %d servers", len(self.guilds))

    async def on_shard_ready(self, shard: int) -> None:
        """A new session has named every server and channel of its shard. Channels in use that it left out may be
        deleted."""
        await self._run_logged("looking for channels", self._check_channels(shard))
        self._settle_resumed()

    async def on_shard_resumed(self, _shard_id: int) -> None:
        """The lost session was resumed."""
        await self._connection_restored()

    async def on_channel_deleted(self, guild_id: int, channel_id: int, kind: int) -> None:
        """A channel of some kind was deleted, and its threads with it."""
        await self._run_logged("losing a channel", self.venues.channel_gone(guild_id, channel_id))
        if kind not in HAVE_THREADS:
            return
        for thread_id, is_sure in [*self._servers.threads_of(guild_id, channel_id)]:
            gone = self.venues.channel_gone if is_sure else self._look_for
            await self._run_logged("losing a thread", gone(guild_id, thread_id))

    async def on_raw_thread_delete(self, gone: discord.RawThreadDeleteEvent) -> None:
        """A thread was deleted."""
        await self._run_logged("losing a thread", self.venues.channel_gone(gone.guild_id, gone.thread_id))

    async def on_raw_thread_update(self, changed: discord.RawThreadUpdateEvent) -> None:
        """A thread changed; it may have been locked. One that is archived is opened again when the bot writes there."""
        if changed.data.get("thread_metadata", {}).get("locked"):
            await self._run_logged("losing a thread", self.venues.thread_locked(changed.guild_id, changed.thread_id))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was removed from a server. An outage of a server does not cause this event."""
        await self._run_logged("leaving a server", self.venues.removed(guild.id))

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was added to a server."""
        await self._run_logged("joining a server", self.venues.joined(guild.id))
        await self._run_logged("greeting a server", self.dispatcher.joined(self._servers.take_joined(guild)))

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A server became available that no session named: the bot joined it while it was offline."""
        await self.on_guild_join(guild)

    # ------------------------------------------------------------------------------------ sessions and clocks

    def _session_started(self, shard: int) -> None:
        """Handle READY, which names every server of its shard that the bot is in, or RESUMED of a session that another
        process left: its servers were stored, and what has changed since then was just replayed.

        This runs while the library reads the event. By now it knows these servers alone.
        """
        here = [guild.id for guild in self.guilds if guild.shard_id == shard]
        self._tasks.begin(self._reconcile_servers(shard, here))

    async def _reconcile_servers(self, shard: int, here: list[int]) -> None:
        looking = self.venues.session_started(shard, self.shard_count or 1, here)
        observed = await self._run_logged("looking for servers", looking)
        self._ready_shards.add(shard)
        await self._connection_restored()
        self._settle_resumed()
        if observed is not None:  # last: nobody's clock waits for the backup that comes before a purge
            await self._run_logged("purging", self.venues.purge(observed))

    def _settle_resumed(self) -> None:
        if self._resumed_shards and self._described_shards >= set(self.own_shards):
            self.settle()

    async def _check_channels(self, shard: int) -> None:
        """Request the channels in use that Discord did not name. They were deleted, or they are archived threads."""
        for guild_id, channel_id in self.venues.in_use():
            guild = self.get_guild(guild_id)
            if guild is None or guild.unavailable or guild.shard_id != shard:
                continue
            if self._servers.is_missing(guild_id, channel_id) and not self.stopping.is_set():
                await self._look_for(guild_id, channel_id)

    async def _look_for(self, guild_id: int, channel_id: int) -> None:
        """Ask Discord whether a channel or thread in use is still there and open."""
        try:
            channel = await self.fetch_channel(channel_id)
        except discord.NotFound:
            await self.venues.channel_gone(guild_id, channel_id)
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            _log.info("a channel could not be asked for: %s", type(error).__name__)
        else:
            thread = channel if isinstance(channel, discord.Thread) else None
            self._servers.note(guild_id, channel_id, 0 if thread is None else thread.parent_id)
            if thread is not None and thread.locked:
                await self.venues.thread_locked(guild_id, channel_id)

    async def _run_logged(self, doing: str, work: Awaitable[T]) -> T | None:
        """Handle an event. A failure is logged; the next start, session or check tries again."""
        try:
            return await work
        except StoreError as error:
            _log.warning("%s could not be noted: %s", doing, type(error).__name__)
        except Exception as error:  # noqa: BLE001  the library would log its text
            logs.log_error(error, doing, self.telemetry)
        return None

    async def on_shard_disconnect(self, _shard_id: int) -> None:
        """Discord is out of reach."""
        self.connection_guard.connection_lost()

    async def _connection_restored(self) -> None:
        whole = self._ready_shards & self._connected_shards >= set(self.own_shards)
        await self.connection_guard.connection_restored(whole=whole)
        if whole and not self._has_reported_ready:
            self._has_reported_ready = True
            process.report_ready()
            await self._kept_sessions.keep(self.sessions())

    async def close(self) -> None:
        """End all background tasks, the dispatcher and the connection."""
        sessions = [] if self.stopping.is_set() else [*self.sessions()]  # what comes later is the next process's
        self.stopping.set()
        for task in self._background:
            task.cancel()
        await self._tasks.ended(cancelled=True)
        await asyncio.gather(*self._background, return_exceptions=True)
        await self.connection_guard.close()
        await self.dispatcher.close()
        await super().close()
        await self._kept_sessions.keep(sessions)


def point_at(api_base: str) -> None:
    """Point the library at this API: Discord's own, a proxy's or another Discord's."""
    Route.BASE = api_base


class CardroomCommandTree(app_commands.CommandTree["CardroomClient"]):
    """The slash commands. Errors in them are answered privately."""

    async def announce(self, store: Store, *, to_people: bool) -> None:
        """Announce the commands to Discord, but only if they or their texts in any language differ from those announced
        last.

        `to_people` offers those that need no server to people who have installed the application for themselves. Where
        Discord doesn't allow that, they are announced without, and the next start tries again.
        """
        fingerprint = announced_commands.fingerprint(self, to_people=to_people)
        application = self.client.application_id
        key = f"commands:{application}"
        known = {command.name for command in await self.fetch_commands()}
        if await store.metadata(key) == fingerprint and known == {command.name for command in self.get_commands()}:
            return
        words = await asyncio.to_thread(announced_commands.languages_by_locale)
        payload = await announced_commands.payloads(self, words)
        if to_people and not await self._announce_to_people(payload):
            fingerprint = announced_commands.fingerprint(self, to_people=False)
            to_people = False
        if not to_people:
            await self.client.http.bulk_upsert_global_commands(application or 0, payload)
        await store.set_metadata(key, fingerprint)
        _log.info("announced %d commands", len(payload))

    async def _announce_to_people(self, payload: list[announced_commands.Payload]) -> bool:
        """Announce these commands to people, too. Returns whether Discord has taken them."""
        offered = announced_commands.offered_to_people(payload)
        try:
            await self.client.http.bulk_upsert_global_commands(self.client.application_id or 0, offered)
        except discord.HTTPException as error:
            if error.status != _BAD_REQUEST:
                raise
            _log.warning(
                "Discord offers the commands to no people (HTTP %d, code %d), but in servers alone: allow User Install"
                " for the application at https://discord.com/developers/applications, or set CARDROOM_USER_INSTALL=off",
                error.status,
                error.code,
            )
            return False
        return True

    async def interaction_check(self, interaction: discord.Interaction[CardroomClient]) -> bool:
        """Drop commands that RESUME replayed after their token expired, and commands beyond the burst limit."""
        return await self.client.dispatcher.admit(interaction)

    async def on_error(
        self, interaction: discord.Interaction[CardroomClient], error: app_commands.AppCommandError
    ) -> None:
        """Answer a command that could not be carried out."""
        say = translations(str(interaction.locale))
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        if isinstance(cause, app_commands.CheckFailure):
            return
        if isinstance(cause, Busy | Fenced | NotSaved | Unsettled):
            cause = as_unsaved(cause)
        if isinstance(cause, Refused):
            text = cause.told(say)
        elif isinstance(cause, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
            text = say("command.changed")
        elif isinstance(cause, app_commands.TransformerError):
            text = say("command.bad_value")
        else:
            number = logs.log_error(cause, "carrying out a command", self.client.telemetry)
            text = say("error.number", number=number)
        await self.client.dispatcher.reply_text(interaction, text)
