"""The gateway: sessions of the bot's shards, and which of them hears of what.

Source: Discord's developer documentation, "Gateway" and "Gateway Events".
"""

from __future__ import annotations

import asyncio
from typing import Protocol

from sandbox import shapes
from sandbox.clock import Clock
from sandbox.feed import Event, Feed
from sandbox.intents import INTENT_OF
from sandbox.limits import Limits
from sandbox.sessions import Session
from sandbox.snowflake import shard_of
from sandbox.state import Intent, Server, World
from sandbox.transcript import Transcript
from sandbox.wire import JsonObject

_MESSAGE_EVENTS = frozenset({"MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE"})


class Cuttable(Protocol):
    """A live socket that can be closed from here."""

    def cut(self, code: int | None) -> None: ...

    async def close(self) -> None: ...


class Gateway:
    """Every session, and the sockets that are open."""

    def __init__(self, world: World, feed: Feed, clock: Clock, limits: Limits, transcript: Transcript) -> None:
        self.world = world
        self.clock = clock
        self.limits = limits
        self.sessions: dict[str, Session] = {}
        self.sockets: set[Cuttable] = set()
        self.identifies_left = limits.identifies_a_day
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
        self.identifies_left -= 1
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
                "user": shapes.own_user(world.application.bot),
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
                session.dispatch("GUILD_CREATE", self._server_create(each, session))
        self._feed.stir()

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
        """Note that a session's client is gone."""
        session.outlet = None
        session.cut_at = self.clock.now()
        if not resumable:
            self.sessions.pop(session.id, None)
        self._feed.stir()

    def attached(self) -> None:
        """Note that a session's client is back."""
        self._feed.stir()

    def drop(self, *, resumable: bool = True, code: int | None = None) -> None:
        """Cut every socket: with a close code, or (None) as a broken line does."""
        if not resumable:
            self.sessions.clear()
        for socket in list(self.sockets):
            socket.cut(code)

    async def close(self) -> None:
        """Close every socket, at the sandbox's end; sessions end with it."""
        self.sessions.clear()
        await asyncio.gather(*(socket.close() for socket in tuple(self.sockets)))

    def dispatch(self, name: str, data: JsonObject, server_id: int | None) -> None:
        """Send an event that needs no intent to the shard it belongs to."""
        self._transcript.event(self.clock.now(), name, data)
        for session in self.sessions.values():
            if self._hears(session, server_id):
                session.dispatch(name, data)

    def server_joined(self, server: Server) -> None:
        """Tell the bot that it is now in `server`."""
        for session in self.sessions.values():
            if session.wants(Intent.GUILDS) and self._hears(session, server.id):
                session.dispatch("GUILD_CREATE", self._server_create(server, session))

    def members_chunk(self, session: Session, asked: JsonObject) -> None:
        """Answer a request for a server's members (op 8) in one chunk."""
        raw_id = str(asked.get("guild_id", ""))
        server = self.world.servers.get(int(raw_id)) if raw_id.isdecimal() else None
        if server is None:
            return
        prefix = str(asked.get("query") or "").lower()
        wanted = asked.get("user_ids")
        ids = None if wanted is None else {str(each) for each in (wanted if isinstance(wanted, list) else [wanted])}
        members = [
            shapes.member(each)
            for each in server.members.values()
            if (str(each.user.id) in ids if ids is not None else each.user.username.startswith(prefix))
        ]
        limit = asked.get("limit") or len(members)
        chunk: JsonObject = {
            "guild_id": str(server.id),
            "members": members[:limit],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": sorted((ids or set()) - {each["user"]["id"] for each in members}),
        }
        if asked.get("nonce") is not None:
            chunk["nonce"] = asked["nonce"]
        session.dispatch("GUILD_MEMBERS_CHUNK", chunk)

    def _server_create(self, server: Server, session: Session) -> JsonObject:
        return shapes.server_create(
            server, self.world.application.bot.id, with_members=session.wants(Intent.GUILD_MEMBERS)
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
        if not self.sessions:
            return
        if event.name in _MESSAGE_EVENTS:
            self._hear_of_message(event)
            return
        intent = INTENT_OF.get((event.name, event.server_id is not None))
        if intent is None or not self._bot_is_in(event.server_id):
            return
        self._send(event.name, event.data, event.server_id, intent)

    def _hear_of_message(self, event: Event) -> None:
        if event.reader is not None or not self._bot_is_in(event.server_id):
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
                data["member"] = shapes.member(member, with_user=False)
        own = message is not None and message.author.id == self.world.application.bot.id
        mentioned = any(each["id"] == str(self.world.application.bot.id) for each in data.get("mentions", ()))
        self._send(event.name, data, event.server_id, intent, open_to_all=direct or own or mentioned)

    def _send(
        self, name: str, data: JsonObject, server_id: int | None, intent: int, *, open_to_all: bool = True
    ) -> None:
        self._transcript.event(self.clock.now(), name, data)
        hidden = None
        for session in self.sessions.values():
            if not (session.wants(intent) and self._hears(session, server_id)):
                continue
            if open_to_all or session.reads_content or name == "MESSAGE_DELETE":
                session.dispatch(name, data)
            else:
                hidden = hidden or {**data, "content": "", "embeds": [], "attachments": [], "components": []}
                session.dispatch(name, hidden)

    def _bot_is_in(self, server_id: int | None) -> bool:
        if server_id is None:
            return True
        server = self.world.servers.get(server_id)
        return server is not None and self.world.application.bot.id in server.members
