"""The table that says whose rows each command and press may make, as a bot has it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from discord import AppCommandType, app_commands

from cogs.actions.commands import Commands
from cogs.actions.dispatcher import Router
from cogs.interactions.whose_rows import Whose, written_by
from tests.insides import Insides


def table_of(app: Insides) -> dict[str, Whose]:
    """By the names of commands, with a slash and their groups, and of verbs."""
    return {**dict(_commands(app.find(Commands).tree)), **app.find(Router).writes}


def _commands(tree: app_commands.CommandTree[Any]) -> Iterator[tuple[str, Whose]]:
    for kind in (AppCommandType.chat_input, AppCommandType.user):
        for each in tree.get_commands(type=kind):
            if not isinstance(each, app_commands.Group):
                yield f"/{each.name}", written_by(each)
                continue
            for command in each.walk_commands():
                assert isinstance(command, app_commands.Command)
                yield f"/{command.qualified_name}", written_by(command)
