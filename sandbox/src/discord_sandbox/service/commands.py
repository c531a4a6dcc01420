"""Application commands: reading what a bot registers, keeping it, and finding what a person types.

Source: Discord's developer documentation, "Application Commands".
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache

from discord_sandbox.model import errors, wire
from discord_sandbox.model.errors import Faults
from discord_sandbox.model.feed import Event, Feed
from discord_sandbox.model.state import Channel, User, World
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.service.command_permissions import CommandPermissions
from discord_sandbox.validation.command_form import CHAT_INPUT, MESSAGE, USER, read_command
from discord_sandbox.validation.forms import Form

MOST_COMMANDS = {CHAT_INPUT: 100, USER: 15, MESSAGE: 15}
MOST_CREATED_A_DAY = 200
_DAY = 24 * 3600.0


class Commands:
    """The application's commands: global ones (key None) and those of single servers."""

    def __init__(self, world: World, feed: Feed) -> None:
        self._world = world
        self._feed = feed
        self._by_scope: dict[int | None, dict[int, JsonObject]] = {None: {}}
        self._created: dict[int | None, deque[float]] = {}
        self.permissions = CommandPermissions(world.application.id)

    def in_scope(self, server_id: int | None) -> list[JsonObject]:
        """The commands registered globally (None) or for one server."""
        return list(self._by_scope.get(server_id, {}).values())

    def offered_in(self, channel: Channel, user: User) -> list[JsonObject]:
        """The commands a person's client shows in a channel."""
        installed = not self._world.is_without_bot(channel)
        server_id = None if channel.server is None else channel.server.id
        context = context_of(self._world, channel)
        found = [each for each in self.in_scope(None) if _in_context(each, context)]
        if server_id is not None and installed:
            found += self.in_scope(server_id)
        return [
            each
            for each in found
            if (installed and _FOR_SERVERS in each["integration_types"])
            or (user.has_installed and _FOR_USERS in each["integration_types"])
        ]

    def get(self, server_id: int | None, command_id: int) -> JsonObject:
        """One command; raises ApiError 10063."""
        found = self._by_scope.get(server_id, {}).get(command_id)
        if found is None:
            raise errors.unknown_command()
        return found

    def replace_all(self, server_id: int | None, raw: object) -> list[JsonObject]:
        """Make the scope's commands exactly these; those of the same name and type keep their id."""
        faults = Faults()
        if not isinstance(raw, list):
            faults.add((), "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            raw = []
        read: list[JsonObject] = []
        for index, each in enumerate(raw):
            form = Form(each if isinstance(each, dict) else {}, faults, (index,))
            read.append(self._read(form))
        faults.check()
        _refuse_too_many(read)
        before = {(each["type"], each["name"]): each for each in self.in_scope(server_id)}
        self._count_new(server_id, sum((each["type"], each["name"]) not in before for each in read))
        fresh: dict[int, JsonObject] = {}
        for index, each in enumerate(read):
            key = (each["type"], each["name"])
            if any(key == (other["type"], other["name"]) for other in fresh.values()):
                faults.add(
                    (index,),
                    "APPLICATION_COMMANDS_DUPLICATE_NAME",
                    "Application command names must be unique",
                )
                faults.check()
            command = self._finished(server_id, each, before.get(key))
            fresh[int(command["id"])] = command
        self._by_scope[server_id] = fresh
        self._tell(server_id)
        return list(fresh.values())

    def create(self, server_id: int | None, raw: JsonObject) -> tuple[JsonObject, bool]:
        """Register one command, or replace the one of its name and type; the flag tells a new one."""
        read = self._read_one(raw)
        before = next(
            (each for each in self.in_scope(server_id) if (each["type"], each["name"]) == (read["type"], read["name"])),
            None,
        )
        others = [each for each in self.in_scope(server_id) if each is not before]
        _refuse_too_many([*others, read])
        self._count_new(server_id, 0 if before else 1)
        command = self._finished(server_id, read, before)
        self._by_scope.setdefault(server_id, {})[int(command["id"])] = command
        self._tell(server_id)
        return command, before is None

    def change(self, server_id: int | None, command_id: int, raw: JsonObject) -> JsonObject:
        """Change the given fields of one command."""
        before = self.get(server_id, command_id)
        read = self._read_one({**before, **raw})
        command = self._finished(server_id, read, before)
        self._by_scope[server_id][command_id] = command
        self._tell(server_id)
        return command

    def remove(self, server_id: int | None, command_id: int) -> None:
        """Remove one command; raises ApiError 10063."""
        self.get(server_id, command_id)
        del self._by_scope[server_id][command_id]
        self._tell(server_id)

    def _count_new(self, server_id: int | None, count: int) -> None:
        """Raise ApiError 30034 past 200 creations within a day, globally or in one server."""
        now = self._world.clock.now()
        created = self._created.setdefault(server_id, deque())
        while created and created[0] <= now - _DAY:
            created.popleft()
        if len(created) + count > MOST_CREATED_A_DAY:
            raise errors.too_many_command_creations(MOST_CREATED_A_DAY)
        created.extend([now] * count)

    def _read_one(self, raw: JsonObject) -> JsonObject:
        faults = Faults()
        read = self._read(Form(raw, faults))
        faults.check()
        return read

    def _read(self, form: Form) -> JsonObject:
        """A command, with a fault if it is for people and the application may be installed in servers alone."""
        read = _without_faults(wire.write(form.value)) or read_command(form)
        if _FOR_USERS in read["integration_types"] and not self._world.application.user_install:
            form.fault(
                "integration_types",
                "APPLICATION_COMMAND_INVALID_INTEGRATION_TYPE",
                "The application does not allow this integration type",
            )
        return read

    def _finished(self, server_id: int | None, read: JsonObject, before: JsonObject | None) -> JsonObject:
        new_id = str(self._world.snowflakes.next())
        command: JsonObject = {
            "id": new_id if before is None else before["id"],
            "application_id": str(self._world.application.id),
            "version": new_id,
            **read,
        }
        if server_id is not None:
            command["guild_id"] = str(server_id)
        return command

    def _tell(self, server_id: int | None) -> None:
        scopes = [server_id] if server_id is not None else list(self._world.servers)
        for each in scopes:
            self._feed.publish(Event("SANDBOX_COMMANDS", {}, server_id=each))


@lru_cache(maxsize=2 * sum(MOST_COMMANDS.values()))
def _without_faults(raw: bytes) -> JsonObject | None:
    """What `read_command` makes of a command without faults; nothing if it has any. Nobody changes it.

    It is kept, because tests register the same commands at each start of their bot.
    """
    faults = Faults()
    read = read_command(Form(wire.read(raw), faults))
    return None if faults else read


_SERVER, _BOT_DIRECT, _PRIVATE = 0, 1, 2  # contexts
_FOR_SERVERS, _FOR_USERS = 0, 1  # integration types


def context_of(world: World, channel: Channel) -> int:
    """What Discord calls the kind of place that a channel is."""
    if channel.server is not None:
        return _SERVER
    return _PRIVATE if world.is_without_bot(channel) else _BOT_DIRECT


def _in_context(command: JsonObject, context: int) -> bool:
    contexts = command["contexts"]
    if contexts is None:
        return context == _SERVER or bool(command["dm_permission"])
    return context in contexts


def _refuse_too_many(commands: list[JsonObject]) -> None:
    for kind, most in MOST_COMMANDS.items():
        if sum(each["type"] == kind for each in commands) > most:
            raise errors.too_many_commands()
