"""Application commands: reading what a bot registers, keeping it, and finding what a person types.

Source: Discord's developer documentation, "Application Commands".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sandbox import errors
from sandbox.errors import Faults
from sandbox.feed import Event, Feed
from sandbox.forms import Form
from sandbox.state import World
from sandbox.wire import JsonObject

CHAT_INPUT, USER, MESSAGE = 1, 2, 3
SUBCOMMAND, SUBCOMMAND_GROUP = 1, 2
STRING, INTEGER, BOOLEAN, USER_OPTION, CHANNEL_OPTION, ROLE_OPTION, MENTIONABLE = 3, 4, 5, 6, 7, 8, 9
NUMBER, ATTACHMENT = 10, 11
MOST_COMMANDS = {CHAT_INPUT: 100, USER: 15, MESSAGE: 15}
MOST_CHARACTERS = 8000
_NAME = re.compile(r"[-_'\w]{1,32}")


class Commands:
    """The application's commands: global ones (key None) and those of single servers."""

    def __init__(self, world: World, feed: Feed) -> None:
        self._world = world
        self._feed = feed
        self._by_scope: dict[int | None, dict[int, JsonObject]] = {None: {}}

    def in_scope(self, server_id: int | None) -> list[JsonObject]:
        """The commands registered globally (None) or for one server alone."""
        return list(self._by_scope.get(server_id, {}).values())

    def offered_in(self, server_id: int | None) -> list[JsonObject]:
        """The commands a client shows in a server, or (None) in direct messages with the bot."""
        if server_id is None:
            return [each for each in self.in_scope(None) if _allows_direct(each)]
        return [each for each in self.in_scope(None) if _allows_servers(each)] + self.in_scope(server_id)

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
            read.append(_read_command(form))
        faults.check()
        _refuse_too_many(read)
        before = {(each["type"], each["name"]): each for each in self.in_scope(server_id)}
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

    def _read_one(self, raw: JsonObject) -> JsonObject:
        faults = Faults()
        read = _read_command(Form(raw, faults))
        faults.check()
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


def _allows_direct(command: JsonObject) -> bool:
    contexts = command["contexts"]
    return bool(command["dm_permission"]) if contexts is None else 1 in contexts


def _allows_servers(command: JsonObject) -> bool:
    contexts = command["contexts"]
    return contexts is None or 0 in contexts


def _refuse_too_many(commands: list[JsonObject]) -> None:
    for kind, most in MOST_COMMANDS.items():
        if sum(each["type"] == kind for each in commands) > most:
            raise errors.too_many_commands()


def _read_command(form: Form) -> JsonObject:
    value = form.value
    kind = form.one_of("type", (CHAT_INPUT, USER, MESSAGE)) or CHAT_INPUT
    name = form.text("name", 1, 32, required=True)
    options: list[JsonObject] = []
    if kind == CHAT_INPUT:
        _check_name(form, name)
        form.text("description", 1, 100, required=True)
        options = list(_read_options(form, depth=0))
        if _characters(value) > MOST_CHARACTERS:
            form.own_fault("APPLICATION_COMMAND_TOO_LARGE", f"Command exceeds maximum size ({MOST_CHARACTERS})")
    elif value.get("description"):
        form.fault(
            "description",
            "APPLICATION_COMMANDS_DESCRIPTION_NOT_ALLOWED",
            "Context menu commands cannot have descriptions",
        )
    command: JsonObject = {
        "default_member_permissions": _permissions(form),
        "type": kind,
        "name": name,
        "name_localizations": value.get("name_localizations"),
        "description": value.get("description") or "",
        "description_localizations": value.get("description_localizations"),
        "dm_permission": value.get("dm_permission", True),
        "contexts": value.get("contexts"),
        "integration_types": value.get("integration_types") or [0],
        "nsfw": bool(value.get("nsfw", False)),
    }
    if options:
        command["options"] = options
    return command


def _permissions(form: Form) -> str | None:
    found = form.value.get("default_member_permissions")
    if found is None or str(found).isdecimal():
        return None if found is None else str(found)
    form.fault("default_member_permissions", "NUMBER_TYPE_COERCE", f"Value {found!r} is not int.")
    return None


def _check_name(form: Form, name: str | None) -> None:
    if name is not None and (not _NAME.fullmatch(name) or name != name.lower()):
        form.fault("name", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


def _read_options(form: Form, depth: int) -> Iterator[JsonObject]:
    names: set[str] = set()
    optional_seen = False
    for option in form.forms("options", 0, 25):
        name = option.text("name", 1, 32, required=True)
        _check_name(option, name)
        option.text("description", 1, 100, required=True)
        if name in names:
            option.fault(
                "name", "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_IN_USE", "This option name is already in use"
            )
        names.add(name or "")
        kind = option.one_of("type", range(SUBCOMMAND, ATTACHMENT + 1), required=True)
        kept = {key: each for key, each in option.value.items() if each is not None}
        if kind in (SUBCOMMAND, SUBCOMMAND_GROUP):
            if depth > 1 or (depth == 1 and kind == SUBCOMMAND_GROUP):
                option.fault(
                    "type", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Sub-command option is nested too deep"
                )
            kept["options"] = list(_read_options(option, depth + 1))
            kept.pop("required", None)
        else:
            if option.truth("required"):
                if optional_seen:
                    option.own_fault(
                        "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                        "Required options must be placed before non-required options",
                    )
            else:
                optional_seen = True
            if kind is not None:
                _read_value_option(option, kind)
        yield kept


def _read_value_option(option: Form, kind: int) -> None:
    option.truth("autocomplete")
    if option.value.get("autocomplete") and option.value.get("choices"):
        option.fault(
            "autocomplete",
            "APPLICATION_COMMAND_OPTIONS_CHOICES_AND_AUTOCOMPLETE",
            "Choices and autocomplete exclude each other",
        )
    for choice in option.forms("choices", 0, 25):
        choice.text("name", 1, 100, required=True)
        if kind == STRING:
            choice.text("value", 1, 100, required=True)
        elif isinstance(choice.value.get("value"), bool) or not isinstance(
            choice.value.get("value"), int if kind == INTEGER else int | float
        ):
            choice.fault("value", "NUMBER_TYPE_COERCE", "Value is not a number of the option's type.")
    if kind == STRING:
        option.integer("min_length", 0, 6000)
        option.integer("max_length", 1, 6000)


def _characters(command: JsonObject) -> int:
    """The sum Discord limits: names, descriptions and choice values, of all options too."""
    total = 0
    for key in ("name", "description", "value"):
        found = command.get(key)
        if isinstance(found, str):
            total += len(found)
    for key in ("options", "choices"):
        for inner in command.get(key) or ():
            if isinstance(inner, dict):
                total += _characters(inner)
    return total
