"""The objects of the ids in an interaction: users, members, roles, channels, messages and attachments.

Source: Discord's developer documentation, "Resolved Data Structure".
"""

from __future__ import annotations

from dataclasses import dataclass, field

from discord_sandbox.model import payloads, permissions, snowflake
from discord_sandbox.model.permissions import Permission
from discord_sandbox.model.state import Channel, Message, User
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.service.backend import Backend
from discord_sandbox.validation.attachments import MOST_BYTES, Upload
from discord_sandbox.validation.controls import Kind


class Refused(Exception):  # noqa: N818  a refusal, as Discord's client would show it
    """Discord's client would not let a person do this."""


@dataclass(frozen=True, slots=True)
class File:
    """A person's file, for an option or a modal."""

    filename: str
    content: bytes


@dataclass(slots=True)
class Resolved:
    """Gathers `data`, the `resolved` of one interaction of `user` in `channel`.

    Each method raises Refused for anything that the client does not offer there.
    """

    backend: Backend
    channel: Channel
    user: User
    data: JsonObject = field(default_factory=dict)

    def user_of(self, raw_id: str) -> str:
        """A user, and their membership."""
        found = self.backend.world.users.get(snowflake.parsed(raw_id) or 0)
        if found is None:
            raise Refused(f"there is no user {raw_id}")
        self.data.setdefault("users", {})[raw_id] = payloads.user(found)
        server = self.channel.server
        member = None if server is None else server.members.get(found.id)
        if server is not None and member is not None:
            bits = permissions.in_channel(server, self.channel, member, self.backend.clock.now())
            self.data.setdefault("members", {})[raw_id] = {
                **payloads.member(member, with_user=False),
                "permissions": str(bits),
            }
        return raw_id

    def channel_of(self, raw_id: str, kinds: object = None) -> str:
        """A channel or thread of this server that the person sees, of one of `kinds` where given."""
        server = self.channel.server
        found = self.backend.world.channels.get(snowflake.parsed(raw_id) or 0)
        if server is None or found is None or found.server is not server:
            raise Refused(f"there is no channel {raw_id} here")
        member = server.members[self.user.id]
        bits = permissions.in_channel(server, found, member, self.backend.clock.now())
        if not permissions.may_see(found, member, bits):
            raise Refused(f"there is no channel {raw_id} here")
        if isinstance(kinds, list) and kinds and int(found.kind) not in kinds:
            raise Refused(f"{found.name!r} is not of a kind that is asked for")
        self.data.setdefault("channels", {})[raw_id] = payloads.interaction_channel(found, bits)
        return raw_id

    def role_of(self, raw_id: str) -> str:
        """A role of this server."""
        server = self.channel.server
        role = None if server is None or snowflake.parsed(raw_id) is None else server.roles.get(int(raw_id))
        if role is None:
            raise Refused(f"there is no role {raw_id} here")
        self.data.setdefault("roles", {})[raw_id] = payloads.role(role)
        return raw_id

    def mentionable_of(self, raw_id: str) -> str:
        """A role or a user."""
        server = self.channel.server
        is_role = server is not None and snowflake.parsed(raw_id) is not None and int(raw_id) in server.roles
        return self.role_of(raw_id) if is_role else self.user_of(raw_id)

    def message_of(self, message: Message) -> str:
        """A message, whose menu was opened."""
        self.data.setdefault("messages", {})[str(message.id)] = message.data
        return str(message.id)

    def file_of(self, given: object) -> str:
        """A file, uploaded now; its attachment's id."""
        if not isinstance(given, File):
            raise Refused("a file is wanted")
        if len(given.content) > MOST_BYTES:
            raise Refused("your files are too powerful: 10 MiB at most")
        if not self._bits() & Permission.ATTACH_FILES:
            raise Refused("you cannot attach files here")
        stored = self.backend.attachments.store(Upload(0, given.filename, given.content), {})
        self.data.setdefault("attachments", {})[stored["id"]] = {**stored, "ephemeral": True}
        return str(stored["id"])

    def selected(self, control: JsonObject, raw_id: str) -> str:
        """A value of a user, role, mentionable or channel select."""
        kind = control["type"]
        if kind == Kind.USER_SELECT:
            return self.user_of(raw_id)
        if kind == Kind.ROLE_SELECT:
            return self.role_of(raw_id)
        if kind == Kind.MENTIONABLE_SELECT:
            return self.mentionable_of(raw_id)
        return self.channel_of(raw_id, control.get("channel_types"))

    def _bits(self) -> int:
        server = self.channel.server
        if server is None:
            return permissions.IN_DIRECT_MESSAGES
        return permissions.in_channel(server, self.channel, server.members[self.user.id], self.backend.clock.now())
