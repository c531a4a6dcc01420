"""Who may have installed the application, and where it is then used."""

from __future__ import annotations

from enum import IntEnum


class InstallationType(IntEnum):
    """Who may have installed the application, for a command to be offered
    (https://discord.com/developers/docs/resources/application#application-object-application-integration-types)."""

    SERVER = 0
    PERSON = 1


class InteractionContextType(IntEnum):
    """Where a command is offered
    (https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object-interaction-context-types)."""

    SERVER = 0
    BOT_CHAT = 1
    OTHER_CHAT = 2
