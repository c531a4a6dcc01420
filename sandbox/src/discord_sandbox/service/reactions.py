"""Reactions: who put which emoji under which message.

Source: Discord's developer documentation, "Create Reaction" and the events about reactions.
"""

from __future__ import annotations

from collections.abc import Iterable

from discord_sandbox.model import errors, payloads, snowflake
from discord_sandbox.model.feed import Event, Feed
from discord_sandbox.model.state import Message, User, World
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.validation.emoji import looks_like_unicode

MOST_EMOJIS = 20
"""Different ones under one message."""


class Reactions:
    """Adds and removes reactions.

    An emoji is named as addresses write it: itself, or name:id for an application's own.
    """

    def __init__(self, world: World, feed: Feed) -> None:
        self._world = world
        self._feed = feed

    def read(self, raw: str) -> str:
        """The emoji's name within the sandbox; raises ApiError 10014 for one that does not exist."""
        _, _, raw_id = raw.rpartition(":")
        if snowflake.parsed(raw_id) is not None and int(raw_id) in self._world.application.emojis:
            return f"{self._world.application.emojis[int(raw_id)]['name']}:{raw_id}"
        if ":" in raw or not looks_like_unicode(raw):
            raise errors.unknown_emoji()
        return raw

    def add(self, message: Message, user: User, emoji: str) -> None:
        """Let somebody react; a second time nothing happens. Raises ApiError 30010 at 20 emojis."""
        users = message.reactions.get(emoji)
        if users is None:
            if len(message.reactions) >= MOST_EMOJIS:
                raise errors.too_many_reactions(MOST_EMOJIS)
            users = message.reactions[emoji] = []
        if user.id in users:
            return
        users.append(user.id)
        self._show(message)
        server = message.channel.server
        more: JsonObject = {"message_author_id": str(message.author.id), "burst": False, "type": 0}
        if server is not None and user.id in server.members:
            more["member"] = payloads.member(server.members[user.id])
        self._tell("MESSAGE_REACTION_ADD", message, {"user_id": str(user.id), "emoji": _emoji_payload(emoji), **more})

    def remove(self, message: Message, user_id: int, emoji: str) -> None:
        """Remove one person's reaction, if there is one."""
        users = message.reactions.get(emoji, [])
        if user_id not in users:
            return
        users.remove(user_id)
        if not users:
            del message.reactions[emoji]
        self._show(message)
        data = {"user_id": str(user_id), "emoji": _emoji_payload(emoji), "burst": False, "type": 0}
        self._tell("MESSAGE_REACTION_REMOVE", message, data)

    def clear(self, message: Message, emoji: str | None = None) -> None:
        """Remove all reactions, or all with one emoji."""
        if emoji is None:
            message.reactions.clear()
            self._show(message)
            self._tell("MESSAGE_REACTION_REMOVE_ALL", message, {})
        elif message.reactions.pop(emoji, None) is not None:
            self._show(message)
            self._tell("MESSAGE_REACTION_REMOVE_EMOJI", message, {"emoji": _emoji_payload(emoji)})

    def users(self, message: Message, emoji: str) -> Iterable[User]:
        """Who reacted with this emoji, by id."""
        return (self._world.users[each] for each in sorted(message.reactions.get(emoji, ())))

    def _show(self, message: Message) -> None:
        """Update the message's JSON without marking it as edited."""
        shown = [
            {
                "emoji": _emoji_payload(emoji),
                "count": len(users),
                "count_details": {"burst": 0, "normal": len(users)},
                "burst_colors": [],
                "me_burst": False,
                "me": self._world.application.bot.id in users,
            }
            for emoji, users in message.reactions.items()
        ]
        message.data = {**message.data, "reactions": shown}
        if not shown:
            del message.data["reactions"]

    def _tell(self, name: str, message: Message, more: JsonObject) -> None:
        channel = message.channel
        data: JsonObject = {"channel_id": str(channel.id), "message_id": str(message.id), **more}
        if channel.server is not None:
            data["guild_id"] = str(channel.server.id)
        server_id = None if channel.server is None else channel.server.id
        self._feed.publish(Event(name, data, server_id, channel.id))


def _emoji_payload(emoji: str) -> JsonObject:
    name, _, raw_id = emoji.rpartition(":")
    return {"id": raw_id, "name": name, "animated": False} if name else {"id": None, "name": emoji}
