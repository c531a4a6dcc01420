"""Checks what a person types after a slash against the command, and makes an interaction's data.

Refuses what Discord's client would not send. Source: Discord's developer documentation,
"Application Command Interaction Data".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from discord_sandbox.clients.resolved_data import Refused, Resolved
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.validation import command_form as commands


@dataclass(slots=True)
class Typed:
    """A command as typed: the interaction's data, and the full name with its subcommands."""

    data: JsonObject
    name: str


def type_command(resolved: Resolved, command: JsonObject, path: Sequence[str], given: Mapping[str, object]) -> Typed:
    """Check a finished command; `path` are its subcommand group and subcommand, `given` its options.

    Raises Refused for a missing or unknown option, or a value the client would not take.
    """
    leaf, nested = _descend(command, path)
    schema = {each["name"]: each for each in leaf.get("options", ())}
    _refuse_unknown(given, schema)
    values: list[JsonObject] = []
    for name, option in schema.items():
        if given.get(name) is not None:
            value = _value(resolved, option, given[name])
            values.append({"name": name, "type": option["type"], "value": value})
        elif option.get("required"):
            raise Refused(f"the option {name!r} is required")
    return _typed(command, path, nested, values, resolved)


def type_unfinished(
    resolved: Resolved,
    command: JsonObject,
    path: Sequence[str],
    given: Mapping[str, object],
    *,
    focused: str,
    value: str,
) -> Typed:
    """The data of an autocomplete: the options so far, unchecked, and the text in the focused one."""
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
            kept = _value(resolved, each, given[name])
            values.append({"name": name, "type": each["type"], "value": kept})
    return _typed(command, path, nested, values, resolved)


def _typed(
    command: JsonObject,
    path: Sequence[str],
    nested: list[JsonObject],
    values: list[JsonObject],
    resolved: Resolved,
) -> Typed:
    options = values
    for step in reversed(nested):
        options = [{"name": step["name"], "type": step["type"], "options": options}]
    data: JsonObject = {"id": command["id"], "name": command["name"], "type": commands.CHAT_INPUT}
    if "guild_id" in command:
        data["guild_id"] = command["guild_id"]
    if options:
        data["options"] = options
    if resolved.data:
        data["resolved"] = resolved.data
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


def _value(resolved: Resolved, option: JsonObject, given: object) -> object:
    kind = option["type"]
    choices = option.get("choices")
    if choices:
        return _choice(option["name"], choices, given)
    if kind == commands.STRING:
        value: object = _string(option, given)
    elif kind == commands.BOOLEAN:
        value = _boolean(option, given)
    elif kind in (commands.INTEGER, commands.NUMBER):
        value = _number(option, given, whole=kind == commands.INTEGER)
    else:
        return _entity(resolved, option, given)
    return value


def _choice(name: str, choices: Sequence[JsonObject], given: object) -> object:
    """The value of a choice, found by its value or its name."""
    for each in choices:
        if given == each["name"] or str(given) == str(each["value"]):
            return each["value"]
    raise Refused(f"{name!r} takes one of {[each['value'] for each in choices]}")


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


def _entity(resolved: Resolved, option: JsonObject, given: object) -> str:
    kind = option["type"]
    if kind == commands.USER_OPTION:
        return resolved.user_of(str(given))
    if kind == commands.CHANNEL_OPTION:
        return resolved.channel_of(str(given), option.get("channel_types"))
    if kind == commands.ROLE_OPTION:
        return resolved.role_of(str(given))
    if kind == commands.MENTIONABLE:
        return resolved.mentionable_of(str(given))
    return resolved.file_of(given)
