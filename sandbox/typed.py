"""What a person types after a slash: held against the command, and made an interaction's data.

Refuses what Discord's client would not send. Source: Discord's developer documentation,
"Application Command Interaction Data".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sandbox import commands, permissions, shapes
from sandbox.state import Channel, World
from sandbox.wire import JsonObject


class Refused(Exception):  # noqa: N818  it tells of a refusal, as Discord's client would show it
    """Discord's client would not let a person do this."""


@dataclass(slots=True)
class Typed:
    """A command as typed: the interaction's data, and the full name with its subcommands."""

    data: JsonObject
    name: str


@dataclass(slots=True)
class _Context:
    world: World
    channel: Channel
    resolved: JsonObject = field(default_factory=dict)

    def resolve_user(self, raw_id: str) -> None:
        """Put a user, and their membership, into the resolved data."""
        user = self.world.users.get(int(raw_id)) if raw_id.isdecimal() else None
        if user is None:
            raise Refused(f"there is no user {raw_id}")
        self.resolved.setdefault("users", {})[raw_id] = shapes.user(user)
        server = self.channel.server
        member = None if server is None else server.members.get(user.id)
        if server is not None and member is not None:
            bits = permissions.in_channel(server, self.channel, member, self.world.clock.now())
            self.resolved.setdefault("members", {})[raw_id] = {
                **shapes.member(member, with_user=False),
                "permissions": str(bits),
            }

    def resolve_channel(self, raw_id: str) -> None:
        """Put a channel of this server into the resolved data."""
        server = self.channel.server
        channel = None if server is None or not raw_id.isdecimal() else server.channels.get(int(raw_id))
        if channel is None:
            raise Refused(f"there is no channel {raw_id} here")
        bits = permissions.EVERYONE_MAY
        self.resolved.setdefault("channels", {})[raw_id] = shapes.interaction_channel(channel, bits)

    def resolve_role(self, raw_id: str) -> None:
        """Put a role of this server into the resolved data."""
        server = self.channel.server
        role = None if server is None or not raw_id.isdecimal() else server.roles.get(int(raw_id))
        if role is None:
            raise Refused(f"there is no role {raw_id} here")
        self.resolved.setdefault("roles", {})[raw_id] = shapes.role(role)


def type_command(
    world: World, channel: Channel, command: JsonObject, path: Sequence[str], given: Mapping[str, object]
) -> Typed:
    """Check a finished command; `path` are its subcommand group and subcommand, `given` its options.

    Raises Refused for a missing or unknown option, or a value the client would not take.
    """
    context = _Context(world, channel)
    leaf, nested = _descend(command, path)
    schema = {each["name"]: each for each in leaf.get("options", ())}
    _refuse_unknown(given, schema)
    values: list[JsonObject] = []
    for name, option in schema.items():
        if given.get(name) is not None:
            value = _value(context, option, given[name])
            values.append({"name": name, "type": option["type"], "value": value})
        elif option.get("required"):
            raise Refused(f"the option {name!r} is required")
    return _typed(command, path, nested, values, context)


def type_unfinished(
    world: World,
    channel: Channel,
    command: JsonObject,
    path: Sequence[str],
    given: Mapping[str, object],
    *,
    focused: str,
    value: str,
) -> Typed:
    """The data of an autocomplete: options so far, unchecked, and what stands in the focused one."""
    context = _Context(world, channel)
    leaf, nested = _descend(command, path)
    schema = {each["name"]: each for each in leaf.get("options", ())}
    option = schema.get(focused)
    if option is None or not option.get("autocomplete"):
        raise Refused(f"the option {focused!r} offers no completion")
    values: list[JsonObject] = []
    for name, each in schema.items():
        if name == focused:
            values.append({"name": name, "type": each["type"], "value": value, "focused": True})
        elif given.get(name) is not None:
            kept = _value(context, each, given[name])
            values.append({"name": name, "type": each["type"], "value": kept})
    return _typed(command, path, nested, values, context)


def _typed(
    command: JsonObject,
    path: Sequence[str],
    nested: list[JsonObject],
    values: list[JsonObject],
    context: _Context,
) -> Typed:
    options = values
    for step in reversed(nested):
        options = [{"name": step["name"], "type": step["type"], "options": options}]
    data: JsonObject = {"id": command["id"], "name": command["name"], "type": commands.CHAT_INPUT}
    if "guild_id" in command:
        data["guild_id"] = command["guild_id"]
    if options:
        data["options"] = options
    if context.resolved:
        data["resolved"] = context.resolved
    return Typed(data, " ".join([command["name"], *path]))


def _descend(command: JsonObject, path: Sequence[str]) -> tuple[JsonObject, list[JsonObject]]:
    here = command
    nested: list[JsonObject] = []
    for name in path:
        inner = next(
            (
                each
                for each in here.get("options", ())
                if each["name"] == name and each["type"] in (commands.SUBCOMMAND, commands.SUBCOMMAND_GROUP)
            ),
            None,
        )
        if inner is None:
            raise Refused(f"/{here['name']} has no subcommand {name!r}")
        nested.append(inner)
        here = inner
    if any(each["type"] in (commands.SUBCOMMAND, commands.SUBCOMMAND_GROUP) for each in here.get("options", ())):
        raise Refused(f"/{' '.join([command['name'], *path])} needs a subcommand")
    return here, nested


def _refuse_unknown(given: Mapping[str, object], schema: Mapping[str, JsonObject]) -> None:
    unknown = given.keys() - schema.keys()
    if unknown:
        raise Refused(f"no such option: {', '.join(sorted(unknown))}; there are {', '.join(schema) or 'none'}")


def _value(context: _Context, option: JsonObject, given: object) -> object:
    kind = option["type"]
    if kind == commands.STRING:
        value: object = _string(option, given)
    elif kind == commands.BOOLEAN:
        value = _boolean(option, given)
    elif kind in (commands.INTEGER, commands.NUMBER):
        value = _number(option, given, whole=kind == commands.INTEGER)
    else:
        return _entity(context, kind, str(given))
    choices = option.get("choices")
    if choices:
        chosen = next((each for each in choices if value in (each["value"], each["name"])), None)
        if chosen is None:
            raise Refused(f"{option['name']!r} takes one of {[each['value'] for each in choices]}")
        return chosen["value"]
    return value


def _string(option: JsonObject, given: object) -> str:
    value = str(given)
    if not option.get("min_length", 0) <= len(value) <= option.get("max_length", 6000):
        raise Refused(f"{option['name']!r} is too short or too long")
    return value


def _boolean(option: JsonObject, given: object) -> bool:
    if isinstance(given, bool):
        return given
    if given in ("true", "True", "false", "False"):
        return given in ("true", "True")
    raise Refused(f"{option['name']!r} is true or false")


def _number(option: JsonObject, given: object, *, whole: bool) -> float:
    try:
        value: float = int(str(given)) if whole else float(str(given))
    except ValueError:
        raise Refused(f"{option['name']!r} is a number") from None
    if value < option.get("min_value", value) or value > option.get("max_value", value):
        raise Refused(f"{option['name']!r} is out of range")
    return value


def _entity(context: _Context, kind: int, raw_id: str) -> str:
    if kind == commands.USER_OPTION:
        context.resolve_user(raw_id)
    elif kind == commands.CHANNEL_OPTION:
        context.resolve_channel(raw_id)
    elif kind == commands.ROLE_OPTION:
        context.resolve_role(raw_id)
    elif kind == commands.MENTIONABLE:
        is_role = context.channel.server is not None and raw_id in map(str, context.channel.server.roles)
        (context.resolve_role if is_role else context.resolve_user)(raw_id)
    else:
        raise Refused("files as options are not taken here")
    return raw_id


def resolve_selection(world: World, channel: Channel, kind: int, values: Sequence[str]) -> JsonObject:
    """The resolved data of a user, role, mentionable or channel select (component types 5 to 8)."""
    context = _Context(world, channel)
    for value in values:
        if kind == 5:
            context.resolve_user(value)
        elif kind == 6:
            context.resolve_role(value)
        elif kind == 7:
            _entity(context, commands.MENTIONABLE, value)
        else:
            context.resolve_channel(value)
    return context.resolved
