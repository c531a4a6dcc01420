"""A server's settings for who may use a command, and where.

Source: Discord's developer documentation, "Application Command Permissions", and its picture of their order: first the
channel's, then the person's, then the roles'.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from discord_sandbox.model import permissions
from discord_sandbox.model.permissions import Permission
from discord_sandbox.model.state import Channel, Member, Server
from discord_sandbox.model.wire import JsonObject

ROLE, USER, CHANNEL = 1, 2, 3
MOST = 100


@dataclass(frozen=True, slots=True)
class Verdict:
    """One line: a role, a user or a channel (`kind`) may or may not."""

    id: int
    kind: int
    allowed: bool


class CommandPermissions:
    """By server and command; a line for the application's own id applies to all its commands."""

    def __init__(self, application_id: int) -> None:
        self._application_id = application_id
        self._by_server: dict[int, dict[int, JsonObject]] = {}

    def of_server(self, server_id: int) -> Mapping[int, JsonObject]:
        """What was set in a server, by command, as the API gives it."""
        return self._by_server.get(server_id, {})

    def set(self, server: Server, command_id: int, verdicts: list[Verdict]) -> JsonObject:
        """Set a command's verdicts in `server`; an empty list restores the default."""
        told: JsonObject = {
            "id": str(command_id),
            "application_id": str(self._application_id),
            "guild_id": str(server.id),
            "permissions": [
                {"id": str(each.id), "type": each.kind, "permission": each.allowed} for each in verdicts[:MOST]
            ],
        }
        of_server = self._by_server.setdefault(server.id, {})
        if verdicts:
            of_server[command_id] = told
        else:
            of_server.pop(command_id, None)
        return told

    def allows(self, server: Server, channel: Channel, member: Member, command: JsonObject, bits: int) -> bool:
        """Whether `member`, who has `bits` in `channel`, is offered `command` there."""
        if bits & Permission.ADMINISTRATOR:
            return True
        of_server = self._by_server.get(server.id)
        if of_server:
            for set_for in (int(command["id"]), self._application_id):
                verdict = _weigh(of_server.get(set_for), server, channel, member)
                if verdict is not None:
                    return verdict
        return _by_default(command, server, member)


def _weigh(told: JsonObject | None, server: Server, channel: Channel, member: Member) -> bool | None:
    """The verdict of one command's lines; None if they do not mention this member."""
    if told is None:
        return None
    lines = {(each["type"], int(each["id"])): bool(each["permission"]) for each in told["permissions"]}
    place = channel.id if channel.thread is None else channel.thread.parent.id
    everywhere = lines.get((CHANNEL, server.id - 1), True)  # the id for all channels
    if not lines.get((CHANNEL, place), everywhere):
        return False
    if (USER, member.user.id) in lines:
        return lines[USER, member.user.id]
    of_roles = [lines[ROLE, each] for each in member.role_ids if (ROLE, each) in lines]
    if of_roles:
        return any(of_roles)
    return lines.get((ROLE, server.id))


def _by_default(command: JsonObject, server: Server, member: Member) -> bool:
    needed = command["default_member_permissions"]
    if needed is None:
        return True
    bits = permissions.in_server(server, member)
    return needed != "0" and bits & int(needed) == int(needed)
