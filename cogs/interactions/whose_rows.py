"""Whose rows a command or a press may make: the law of privacy, as a table next to what people do.

Each command and verb says so where it is declared (`writes`, and `Verbs`), and may make rows of its own person alone if
it says nothing. Who sits at a table or plays a match came there by a press of their own, or was invited. So nobody is
stored whom others only look at, and nobody comes back after a deletion before they use the bot again or are invited.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import StrEnum
from typing import Any, Final, TypeVar

from discord import app_commands

from cogs.interactions.responses import Interaction

AnyCommand = TypeVar("AnyCommand", bound=app_commands.Command[Any, ..., Any] | app_commands.ContextMenu)

_WRITES: Final = "cardroom writes"


class Whose(StrEnum):
    """Whose rows something may make."""

    NOBODY = "nobody"
    """It only shows something, or deletes."""
    ACTOR = "actor"
    """Those of the person who does it."""
    INVITED = "invited"
    """Those, and those of the people whom they invite by it."""
    KEPT_AWAY = "kept away"
    """Those, which may have the id of somebody whom they keep away by it, and nothing else of them."""


class NotTheirs(Exception):  # noqa: N818  says what was tried
    """A command or a press was about to store somebody whose rows it may not make."""


def writes(whose: Whose) -> Callable[[AnyCommand], AnyCommand]:
    """Have a command make rows of these people alone."""

    def declare(command: AnyCommand) -> AnyCommand:
        command.extras[_WRITES] = whose
        return command

    return declare


def written_by(command: app_commands.Command[Any, ..., Any] | app_commands.ContextMenu | None) -> Whose:
    """Whose rows a command may make."""
    declared: Whose = Whose.ACTOR if command is None else command.extras.get(_WRITES, Whose.ACTOR)
    return declared


def allow(interaction: Interaction, whose: Whose) -> None:
    """Say whose rows an interaction may make, before it is carried out."""
    interaction.extras[_WRITES] = whose


def check_may_store(interaction: Interaction, invited: Collection[object] = ()) -> None:
    """Raise NotTheirs unless an interaction may make rows of its person, and of the people whom it invites."""
    whose = interaction.extras.get(_WRITES, Whose.ACTOR)
    if whose is Whose.NOBODY or (invited and whose is not Whose.INVITED):
        raise NotTheirs(whose)
