"""Where commands can be used, and from where."""

from __future__ import annotations

from typing import Any

from discord import app_commands

IN_SERVERS: dict[str, Any] = {
    "allowed_contexts": app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
    "allowed_installs": app_commands.AppInstallationType(guild=True, user=False),
}
"""Commands are for servers, because they are about their matches and standings."""

IN_SERVERS_AND_DIRECT = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False)
"""Where commands can be used that need no server: direct messages with the bot belong to none."""

DIRECT_TOO: dict[str, Any] = {**IN_SERVERS, "allowed_contexts": IN_SERVERS_AND_DIRECT}
