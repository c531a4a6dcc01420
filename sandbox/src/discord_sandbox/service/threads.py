"""Threads: begun, joined, archived by time or by hand, locked; and who may still write in them.

Source: Discord's developer documentation, "Threads".
"""

from __future__ import annotations

from discord_sandbox.model import errors, payloads, permissions
from discord_sandbox.model.clock import Clock
from discord_sandbox.model.feed import Event, Feed
from discord_sandbox.model.permissions import Permission
from discord_sandbox.model.state import Channel, ChannelType, Intent, Server, Thread, User, World
from discord_sandbox.model.wire import JsonObject

AUTO_ARCHIVE = (60, 1440, 4320, 10080)
"""Minutes without a message after which a thread may be archived."""

_MINUTE = 60.0


class Threads:
    """Changes threads, and publishes that."""

    def __init__(self, world: World, feed: Feed, clock: Clock) -> None:
        self._world = world
        self._feed = feed
        self._clock = clock

    def begin(
        self,
        parent: Channel,
        owner: User,
        name: str,
        kind: ChannelType,
        *,
        thread_id: int | None = None,
        auto_archive: int | None = None,
        slow_mode: int | None = None,
        invitable: bool = True,
        tags: list[int] | None = None,
    ) -> Channel:
        """Begin a thread below `parent`; `thread_id` is its message's id, if it has one."""
        now = self._clock.now()
        minutes = auto_archive or parent.settings.get("default_auto_archive_duration") or 1440
        thread = Thread(parent, owner.id, now, now, minutes, invitable=invitable, tags=tags or [])
        thread.members[owner.id] = now
        channel = Channel(
            id=thread_id or self._world.snowflakes.next(),
            name=name,
            kind=kind,
            server=parent.server,
            parent_id=parent.id,
            slow_mode=slow_mode or parent.settings.get("default_thread_rate_limit_per_user") or 0,
            thread=thread,
        )
        self._world.add_channel(channel)
        self._tell("THREAD_CREATE", channel, {**payloads.thread(channel, self._bot_id), "newly_created": True})
        self._watch(channel)
        return channel

    def changed(self, channel: Channel) -> None:
        """Publish that a thread's name, state or settings have changed."""
        self._tell("THREAD_UPDATE", channel, payloads.thread(channel))

    def archive(self, channel: Channel) -> None:
        """Archive a thread."""
        thread = channel.as_thread
        thread.archived, thread.archived_at = True, self._clock.now()

    def unarchive(self, channel: Channel) -> None:
        """Unarchive a thread; its time starts again."""
        thread = channel.as_thread
        thread.archived, thread.archived_at = False, self._clock.now()
        thread.active_at = thread.archived_at
        self._watch(channel)

    def delete(self, channel: Channel) -> None:
        """Remove a thread with its messages."""
        data: JsonObject = {
            "id": str(channel.id),
            "guild_id": "" if channel.server is None else str(channel.server.id),
            "parent_id": str(channel.parent_id),
            "type": int(channel.kind),
        }
        self._tell("THREAD_DELETE", channel, data)
        self._world.remove_channel(channel)

    def join(self, channel: Channel, user: User) -> None:
        """Add somebody to a thread, if they are not in it."""
        thread = channel.as_thread
        if user.id in thread.members:
            return
        unseen = channel.kind == ChannelType.PRIVATE_THREAD and not self._bot_sees(channel)
        thread.members[user.id] = self._clock.now()
        if unseen and user.id == self._bot_id:
            self._tell("THREAD_CREATE", channel, payloads.thread(channel, self._bot_id))
        self._members_changed(channel, added=user)

    def leave(self, channel: Channel, user: User) -> None:
        """Remove somebody from a thread; raises ApiError 10007 if they are not in it."""
        thread = channel.as_thread
        if user.id not in thread.members:
            raise errors.unknown_member()
        self._members_changed(channel, removed=user)
        del thread.members[user.id]

    def before_message(self, channel: Channel, author: User) -> None:
        """Prepare to send a message in a thread, and unarchive it if needed.

        Raises ApiError 50083 if the thread is archived and locked, 160005 if it is locked.
        """
        thread = channel.as_thread
        if thread.locked and not self._may_manage(channel, author):
            raise errors.thread_archived() if thread.archived else errors.thread_locked()
        if thread.archived:
            self.unarchive(channel)
            self.changed(channel)

    def after_message(self, channel: Channel, author: User | None, mentioned: list[JsonObject]) -> None:
        """After a message in a thread, add its author (None: nobody) and the people it pings."""
        thread = channel.as_thread
        thread.sent += 1
        thread.active_at = self._clock.now()
        if author is not None:
            self.join(channel, author)
        for each in mentioned:
            user = self._world.users[int(each["id"])]
            if channel.server is not None and user.id in channel.server.members:
                self.join(channel, user)

    def active(self, server: Server) -> list[Channel]:
        """The server's threads that are not archived, the newest first."""
        found = [each for each in server.threads.values() if not each.as_thread.archived]
        return sorted(found, key=lambda each: each.id, reverse=True)

    def _may_manage(self, channel: Channel, user: User) -> bool:
        server = channel.server
        member = None if server is None else server.members.get(user.id)
        if server is None or member is None:
            return False
        bits = permissions.in_channel(server, channel, member, self._clock.now())
        return bool(bits & Permission.MANAGE_THREADS)

    def _watch(self, channel: Channel) -> None:
        """Archive the thread if it has been inactive for long enough."""
        thread = channel.as_thread

        def look() -> None:
            if thread.archived or channel.id not in self._world.channels:
                return
            if self._clock.now() < thread.active_at + thread.auto_archive * _MINUTE:
                self._watch(channel)
                return
            self.archive(channel)
            self.changed(channel)

        still = thread.active_at + thread.auto_archive * _MINUTE - self._clock.now()
        self._clock.after(max(0.0, still), look)

    def _members_changed(self, channel: Channel, *, added: User | None = None, removed: User | None = None) -> None:
        thread, server = channel.as_thread, channel.server
        if server is None:
            return
        data: JsonObject = {
            "id": str(channel.id),
            "guild_id": str(server.id),
            "member_count": min(50, len(thread.members) - (removed is not None)),
        }
        if added is not None:
            data["added_members"] = [payloads.thread_member(channel, added.id, with_member=added.id in server.members)]
        if removed is not None:
            data["removed_member_ids"] = [str(removed.id)]
        who = added or removed
        if self._world.application.allowed_intents & Intent.GUILD_MEMBERS or (who and who.id == self._bot_id):
            self._tell("THREAD_MEMBERS_UPDATE", channel, data)
        else:
            self._feed.wake_waiters()

    @property
    def _bot_id(self) -> int:
        return self._world.application.bot.id

    def _bot_sees(self, channel: Channel) -> bool:
        server = channel.server
        own = None if server is None else server.members.get(self._bot_id)
        if server is None or own is None:
            return False
        bits = permissions.in_channel(server, channel, own, self._clock.now())
        return permissions.may_see(channel, own, bits)

    def _tell(self, name: str, channel: Channel, data: JsonObject) -> None:
        if channel.server is not None and self._bot_sees(channel):
            self._feed.publish(Event(name, data, channel.server.id, channel.id))
        else:
            self._feed.wake_waiters()
