"""The gateway: sessions of the bot's shards, and which of them gets which events.

Source: Discord's developer documentation, "Gateway" and "Gateway Events".
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Protocol

from discord_sandbox.gateway import member_chunks
from discord_sandbox.gateway.identify_limits import IdentifyLimits
from discord_sandbox.gateway.intents import INTENT_OF
from discord_sandbox.gateway.sessions import Session
from discord_sandbox.model import payloads, permissions, snowflake
from discord_sandbox.model.clock import Clock
from discord_sandbox.model.faults import EventFault, FaultsOnDemand
from discord_sandbox.model.feed import Event, Feed
from discord_sandbox.model.limits import Limits
from discord_sandbox.model.rate_limits import RateLimits
from discord_sandbox.model.snowflake import shard_of
from discord_sandbox.model.state import Intent, Server, World
from discord_sandbox.model.transcript import Transcript
from discord_sandbox.model.wire import JsonObject

_IN_CHANNELS = frozenset(
    {
        "CHANNEL_PINS_UPDATE",
        "MESSAGE_DELETE_BULK",
        "MESSAGE_REACTION_ADD",
        "MESSAGE_REACTION_REMOVE",
        "MESSAGE_REACTION_REMOVE_ALL",
        "MESSAGE_REACTION_REMOVE_EMOJI",
        "TYPING_START",
    }
)
"""Events that come only from channels the bot sees."""
_MESSAGE_EVENTS = frozenset({"MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE"})


DIRECT_MESSAGES = "@me"
"""What stands for direct messages beside the ids of servers, as in the addresses of Discord's client."""


class Connection(Protocol):
    """An open connection of a client."""

    @property
    def session(self) -> Session | None: ...

    def cut(self, code: int | None) -> None: ...

    def ask_to_reconnect(self) -> None: ...

    def invalidate(self, *, resumable: bool) -> None: ...

    def ask_for_heartbeat(self) -> None: ...

    def fall_silent(self) -> None: ...

    async def close(self) -> None: ...


class Gateway:
    """All sessions and open connections."""

    def __init__(
        self,
        world: World,
        feed: Feed,
        clock: Clock,
        *,
        limits: Limits,
        transcript: Transcript,
        rate_limits: RateLimits,
        faults: FaultsOnDemand,
    ) -> None:
        self.world = world
        self.clock = clock
        self.limits = limits
        self.rate_limits = rate_limits
        self.faults = faults
        self.identify_limits = IdentifyLimits(clock, limits)
        self.sessions: dict[str, Session] = {}
        self.connections: dict[Connection, None] = {}  # in the order in which they came
        self.unavailable: set[int] = set()  # servers that Discord itself cannot reach
        self._asked_for_everybody: dict[int, float] = {}
        self._late: set[asyncio.Task[None]] = set()
        self._heard: JsonObject = {"connected": False, "away": []}
        self._feed = feed
        self._transcript = transcript
        feed.listen(self._hear)

    @property
    def connected(self) -> int:
        """How many sessions have a client right now."""
        return sum(session.outlet is not None for session in self.sessions.values())

    def start_session(self, intents: int, shard: int, shards: int) -> Session:
        """Begin a session after a successful IDENTIFY; the caller gives it an outlet."""
        self.forget_expired()
        session = Session(intents, shard, shards, self.limits.replayable_events)
        self.sessions[session.id] = session
        return session

    def welcome(self, session: Session, resume_url: str) -> None:
        """Send READY and the shard's servers."""
        world = self.world
        mine = [each for each in world.servers.values() if self._is_here(each, session)]
        session.dispatch(
            "READY",
            {
                "v": 10,
                "user": payloads.own_user(world.application.bot),
                "user_settings": {},
                "guilds": [{"id": str(each.id), "unavailable": True} for each in mine],
                "session_id": session.id,
                "session_type": "normal",
                "resume_gateway_url": resume_url,
                "shard": [session.shard, session.shards],
                "application": {"id": str(world.application.id), "flags": 0},
                "private_channels": [],
                "relationships": [],
                "presences": [],
                "geo_ordered_rtc_regions": [],
                "auth": {},
                "_trace": ["sandbox"],
            },
        )
        if session.wants(Intent.GUILDS):
            for each in mine:
                if each.id not in self.unavailable:
                    session.dispatch("GUILD_CREATE", self._server_create(each, session))
        self.note(f"gateway: READY for shard {session.shard} of {session.shards}, {len(mine)} servers")
        self._connections_changed()

    def resumable(self, session_id: object) -> Session | None:
        """The session to resume, if it is still kept."""
        self.forget_expired()
        return self.sessions.get(session_id) if isinstance(session_id, str) else None

    def forget_expired(self) -> None:
        """Drop sessions that were cut off longer ago than they may be resumed."""
        oldest = self.clock.now() - self.limits.resume_window
        for session in list(self.sessions.values()):
            if session.cut_at is not None and session.cut_at < oldest:
                del self.sessions[session.id]

    def detached(self, session: Session, *, resumable: bool) -> None:
        """Record that a session's client is gone."""
        session.outlet = None
        session.cut_at = self.clock.now()
        if not resumable:
            self.sessions.pop(session.id, None)
        self._connections_changed()

    def attached(self, session: Session, replayed: int) -> None:
        """Record that a session's client is back."""
        self.note(f"gateway: RESUMED shard {session.shard}, {replayed} events replayed")
        self._connections_changed()

    def hears(self, server_id: int | None) -> bool:
        """Whether a client gets the events of a server (None: of direct messages) right now."""
        return any(each.outlet is not None and self._hears(each, server_id) for each in self.sessions.values())

    def attendance(self) -> JsonObject:
        """Whether any client is connected, and the places whose events none of them gets: the ids of servers, and
        DIRECT_MESSAGES. Nothing is listed while nobody is connected at all."""
        shards = {(each.shard, each.shards) for each in self.sessions.values() if each.outlet is not None}
        if not shards:
            return {"connected": False, "away": []}
        away = [
            str(server.id)
            for server in self.world.servers.values()
            if self._bot_is_in(server.id) and not any(shard_of(server.id, total) == shard for shard, total in shards)
        ]
        direct = any(shard == 0 for shard, _ in shards)
        return {"connected": True, "away": away if direct else [*away, DIRECT_MESSAGES]}

    def _connections_changed(self) -> None:
        """Tell the pages if the bot, or one of its shards, came or went, and wake the waiters."""
        heard = self.attendance()
        if heard == self._heard:
            self._feed.wake_waiters()
            return
        self._heard = heard
        self._feed.publish(Event("SANDBOX_BOT", heard))

    def leave_to(self, session: Session) -> None:
        """Close the connection that a session still has, because its client came back over another."""
        for connection in list(self.connections):
            if connection.session is session:
                connection.cut(1000)

    def forget(self, session: Session) -> None:
        """End a session that can no longer be resumed."""
        self.sessions.pop(session.id, None)

    def servers_of(self, shard: int, shards: int) -> int:
        """How many of the bot's servers belong to a shard."""
        bot_id = self.world.application.bot.id
        servers = self.world.servers.values()
        return sum(bot_id in each.members and shard_of(each.id, shards) == shard for each in servers)

    def note(self, words: str) -> None:
        """Write into the transcript what happens to connections."""
        self._transcript.note(self.clock.now(), words)

    # What can happen to the connections: to all of them, or to those of one shard.

    def drop(self, *, resumable: bool = True, code: int | None = None, shard: int | None = None) -> None:
        """Cut connections: with a close code, or (None) as a broken network does."""
        cut = self._connections_of(shard)
        if not resumable:
            for session in [each for each in self.sessions.values() if shard in (None, each.shard)]:
                self.forget(session)
        for connection in cut:
            connection.cut(code)

    def ask_to_reconnect(self, shard: int | None = None) -> None:
        """Send op 7 to the clients."""
        for connection in self._connections_of(shard):
            connection.ask_to_reconnect()

    def invalidate(self, *, resumable: bool, shard: int | None = None) -> None:
        """Send op 9 to the clients; unless `resumable`, the sessions are gone."""
        for connection in self._connections_of(shard):
            connection.invalidate(resumable=resumable)

    def ask_for_heartbeat(self, shard: int | None = None) -> None:
        """Send op 1 to the clients, which answer with a heartbeat."""
        for connection in self._connections_of(shard):
            connection.ask_for_heartbeat()

    def fall_silent(self, shard: int | None = None) -> None:
        """Let open connections go dead without a close; new ones work."""
        for connection in self._connections_of(shard):
            connection.fall_silent()

    def _connections_of(self, shard: int | None) -> list[Connection]:
        """The connections with a session of this shard; without one, all of them, identified or not."""
        if shard is None:
            return list(self.connections)
        return [each for each in self.connections if each.session is not None and each.session.shard == shard]

    def reset_token(self) -> None:
        """End every session and make the token worthless, as Discord does when the day's budget is overdrawn."""
        self.world.application.token = f"reset-{secrets.token_urlsafe(16)}"
        self.note("gateway: the day's identifies are spent; every session ends and the token is reset")
        self.drop(resumable=False, code=4004)

    async def close(self) -> None:
        """Close every connection, at the sandbox's end; sessions end with it."""
        self.sessions.clear()
        for each in self._late:
            each.cancel()
        await asyncio.gather(*(connection.close() for connection in tuple(self.connections)))

    # Which session gets which event.

    def dispatch(self, name: str, data: JsonObject, server_id: int | None) -> None:
        """Send an event that needs no intent to the shard it belongs to."""
        self._tell(name, lambda: self._dispatch(name, data, server_id))

    def _dispatch(self, name: str, data: JsonObject, server_id: int | None) -> None:
        self._transcript.event(self.clock.now(), name, data)
        for session in self.sessions.values():
            if self._hears(session, server_id):
                session.dispatch(name, data)

    def _tell(self, name: str, send: Callable[[], None]) -> None:
        """Send an event, unless a fault says otherwise."""
        if not self.faults.watch_events:
            send()
            return
        fault = self.faults.strike_event(name)
        if fault is None:
            send()
            self.faults.sent(name)
        elif fault.drop:
            self.note(f"fault {fault.number}: {name} is dropped")
        else:
            overtaken = fault.hold() if fault.reorder else None
            late = asyncio.ensure_future(self._tell_late(fault, overtaken, send))
            self._late.add(late)
            late.add_done_callback(self._late.discard)

    async def _tell_late(self, fault: EventFault, overtaken: asyncio.Event | None, send: Callable[[], None]) -> None:
        if fault.delay:
            await self.clock.sleep(fault.delay)
        if overtaken is not None:
            await fault.wait(overtaken)
        for _ in range(2 if fault.twice else 1):
            send()

    def server_joined(self, server: Server) -> None:
        """Tell the bot that it is now in `server`, or that the server is available again."""
        was_known = server.id in self.unavailable
        self.unavailable.discard(server.id)
        for session in self.sessions.values():
            if session.wants(Intent.GUILDS) and self._hears(session, server.id):
                data = self._server_create(server, session)
                if not was_known:
                    del data["unavailable"]  # its absence marks a new server, not one that is available again
                session.dispatch("GUILD_CREATE", data)
        self.note(f"gateway: GUILD_CREATE for {server.name}")
        self._connections_changed()  # its shard may be one that nobody has

    def server_lost(self, server: Server) -> None:
        """Tell the bot that Discord itself cannot reach `server` for now."""
        self.unavailable.add(server.id)
        data: JsonObject = {"id": str(server.id), "unavailable": True}
        self._tell("GUILD_DELETE", lambda: self._send("GUILD_DELETE", data, server.id, Intent.GUILDS))

    def members_chunk(self, session: Session, asked: JsonObject) -> None:
        """Answer a request for a server's members (op 8), in chunks; without the intent, not at all."""
        server = self.world.servers.get(snowflake.parsed(str(asked.get("guild_id", ""))) or 0)
        if server is None or not self._is_here(server, session):
            return
        if not member_chunks.may_ask(session, asked):
            self.note("gateway: members were asked for without their intent; nothing comes")
            return
        wait = self._wait_for_everybody(server) if member_chunks.asks_for_everybody(asked) else 0.0
        if wait:
            meta = {"guild_id": str(server.id), "nonce": asked.get("nonce")}
            session.dispatch("RATE_LIMITED", {"opcode": 8, "retry_after": round(wait, 3), "meta": meta})
            return
        for chunk in member_chunks.chunks(server, asked, self.limits.members_a_chunk):
            session.dispatch("GUILD_MEMBERS_CHUNK", chunk)

    def _wait_for_everybody(self, server: Server) -> float:
        """Seconds until a server's whole list may be asked for again, where limits are enforced."""
        now = self.clock.now()
        wait = self._asked_for_everybody.get(server.id, 0.0) + self.limits.whole_list_pause - now
        if wait > 0 and self.rate_limits.enforced:
            return wait
        self._asked_for_everybody[server.id] = now
        return 0.0

    def _server_create(self, server: Server, session: Session) -> JsonObject:
        return payloads.server_create(
            server, self.world.application.bot.id, with_members=session.wants(Intent.GUILD_PRESENCES)
        )

    def _is_here(self, server: Server, session: Session) -> bool:
        """Whether the bot is in `server` and the session is its shard's."""
        is_in = self.world.application.bot.id in server.members
        return is_in and shard_of(server.id, session.shards) == session.shard

    def _hears(self, session: Session, server_id: int | None) -> bool:
        if server_id is None:
            return session.shard == 0
        return shard_of(server_id, session.shards) == session.shard

    def _hear(self, event: Event) -> None:
        if not self.sessions or not self._bot_is_in(event.server_id):
            return
        if event.name in _MESSAGE_EVENTS:
            self._hear_of_message(event)
            return
        intent = INTENT_OF.get((event.name, event.server_id is not None))
        if intent is None or (event.name in _IN_CHANNELS and not self._bot_sees(event)):
            return
        needed = 0 if self._is_about_the_bot(event) else intent
        self._tell(event.name, lambda: self._send(event.name, event.data, event.server_id, needed))

    def _is_about_the_bot(self, event: Event) -> bool:
        """Changes of the bot's own membership come without the members' intent."""
        bot_id = str(self.world.application.bot.id)
        return event.name == "GUILD_MEMBER_UPDATE" and event.data.get("user", {}).get("id") == bot_id

    def _hear_of_message(self, event: Event) -> None:
        if event.reader is not None or not self._bot_sees(event):
            return
        direct = event.server_id is None
        intent = Intent.DIRECT_MESSAGES if direct else Intent.GUILD_MESSAGES
        if not any(session.wants(intent) for session in self.sessions.values()):
            return
        data = dict(event.data)
        message = event.message
        if event.server_id is not None:
            data["guild_id"] = str(event.server_id)
            member = None if message is None else self.world.servers[event.server_id].members.get(message.author.id)
            if member is not None and event.name != "MESSAGE_DELETE":
                data["member"] = payloads.member(member, with_user=False)
        own = message is not None and message.author.id == self.world.application.bot.id
        mentioned = any(each["id"] == str(self.world.application.bot.id) for each in data.get("mentions", ()))
        is_open = direct or own or mentioned
        self._tell(event.name, lambda: self._send(event.name, data, event.server_id, intent, open_to_all=is_open))

    def _send(
        self, name: str, data: JsonObject, server_id: int | None, intent: int, *, open_to_all: bool = True
    ) -> None:
        self._transcript.event(self.clock.now(), name, data)
        hidden = None
        for session in self.sessions.values():
            if not (session.wants(intent) or not intent) or not self._hears(session, server_id):
                continue
            if open_to_all or session.reads_content or name == "MESSAGE_DELETE":
                session.dispatch(name, data)
            else:
                hidden = hidden or {**data, "content": "", "embeds": [], "attachments": [], "components": []}
                session.dispatch(name, hidden)

    def _bot_sees(self, event: Event) -> bool:
        """Whether the bot may see the channel of an event; a deleted channel counts as seen."""
        channel = self.world.channels.get(event.channel_id or 0)
        if channel is None:
            return True
        if channel.server is None:
            return not self.world.is_without_bot(channel)
        member = channel.server.members.get(self.world.application.bot.id)
        if member is None:
            return False
        bits = permissions.in_channel(channel.server, channel, member, self.clock.now())
        return permissions.may_see(channel, member, bits)

    def _bot_is_in(self, server_id: int | None) -> bool:
        if server_id is None:
            return True
        server = self.world.servers.get(server_id)
        return server is not None and self.world.application.bot.id in server.members
