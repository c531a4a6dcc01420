"""Checks a command, as it was sent, against the commands as they are now.

Discord sends commands as they were last announced, perhaps by another version. discord.py trusts them: it does not
answer what it cannot read, ignores an option that no longer exists, and passes on a choice that no longer exists. So a
command is checked before it is carried out, except for what discord.py notices itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import discord
from discord import AppCommandOptionType, AppCommandType, app_commands

from bot.play.refusals import Refused
from cogs.interactions.responses import Interaction

_TYPES: Mapping[AppCommandOptionType, type] = {
    AppCommandOptionType.string: str,
    AppCommandOptionType.integer: int,
    AppCommandOptionType.boolean: bool,
    AppCommandOptionType.user: str,
}
"""The kinds of option that the commands use, and the type of their values in JSON."""


def validate_command(tree: app_commands.CommandTree[Any], interaction: Interaction) -> None:
    """Raise Refused for a command that differs from the tree's, or for values that it does not take.

    While an option is still being typed, only the shape must be right.
    """
    data: dict[str, Any] = dict(interaction.data or {})
    if data.get("type", AppCommandType.chat_input.value) == AppCommandType.chat_input.value:
        command, options = _found(tree, data)
        if interaction.type is not discord.InteractionType.autocomplete:
            _check_options(command, options)
        _check_readable(interaction, data, options)
    else:
        _check_menu(interaction, data)


def _found(
    tree: app_commands.CommandTree[Any], data: dict[str, Any]
) -> tuple[app_commands.Command[Any, ..., Any], Any]:
    """The command that was sent, with its options. Raises Refused for an unknown one."""
    name, options = data.get("name"), data.get("options", [])
    command = tree.get_command(name) if isinstance(name, str) else None
    while isinstance(command, app_commands.Group):
        match options:
            case [{"name": str(name), **more}]:
                command, options = command.get_command(name), more.get("options", [])
            case _:
                raise Refused("command.changed")
    if not isinstance(command, app_commands.Command):
        raise Refused("command.changed")
    return command, options


def _check_options(command: app_commands.Command[Any, ..., Any], options: Any) -> None:
    known = {parameter.display_name: parameter for parameter in command.parameters}
    if not isinstance(options, list):
        raise Refused("command.changed")
    for option in options:
        match option:
            case {"name": str(name), "type": kind, "value": value} if name in known and known[name].type.value == kind:
                _check_value(known.pop(name), value)
            case _:
                raise Refused("command.changed")


def _check_value(parameter: app_commands.Parameter, value: object) -> None:
    expected = _TYPES.get(parameter.type)
    if expected is not None and type(value) is not expected:
        raise Refused("command.bad_value")
    if parameter.choices and not any(choice.value == value for choice in parameter.choices):
        choices = ", ".join(str(choice.value) for choice in parameter.choices)
        raise Refused("option.choice", option=parameter.display_name, choices=choices)


def _check_menu(interaction: Interaction, data: dict[str, Any]) -> None:
    match data:
        case {"type": AppCommandType.user.value, "name": str(), "target_id": str(target)}:
            option = {"name": "target", "type": AppCommandOptionType.user.value, "value": target}
            _check_readable(interaction, data, [option])
        case _:
            raise Refused("command.changed")


def _check_readable(interaction: Interaction, data: dict[str, Any], options: Any) -> None:
    """Raise Refused for options that discord.py cannot read, and for people whose data was not sent with them, or whose
    names are no text."""
    try:
        read = app_commands.Namespace(interaction, data.get("resolved", {}), options)
    except Exception:  # noqa: BLE001  whatever fails, the command cannot be carried out
        raise Refused("command.bad_value") from None
    if interaction.type is not discord.InteractionType.autocomplete and any(
        type(value) is discord.Object for _, value in read
    ):
        raise Refused("command.bad_value")
    people = (value for _, value in read if isinstance(value, discord.User | discord.Member))
    if not all(isinstance(person.display_name, str) for person in people):
        raise Refused("command.bad_value")
