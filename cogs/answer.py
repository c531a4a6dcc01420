"""Answering an interaction: exactly once, in time, and never with an exception.

An answer that fails loses nothing: the move stands, the board shows it, and the next press is answered anew. So
failures are logged and swallowed here. The answer has a deadline of its own, for the library would still be retrying
when Discord has long told the player that the interaction failed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Iterable
from io import BytesIO
from typing import TypeAlias

import aiohttp
import discord

from bot.screen import Screen, Text
from cogs.renderer import Sheet, sheet

_log = logging.getLogger(__name__)

Interaction: TypeAlias = discord.Interaction[discord.Client]

DEADLINE = 2.8
"""Seconds; Discord gives 3 from the press."""


async def privately(interaction: Interaction, screen: Screen, table: str) -> Sheet | None:
    """Show a screen to the one who pressed: in the pressed message when that is theirs alone, else in a new one.

    Returns what was shown, or None where it could not be.
    """
    made = sheet(screen, table)
    message = interaction.message
    if message is not None and message.flags.ephemeral:
        answering = interaction.response.edit_message(view=made)
    else:
        answering = interaction.response.send_message(view=made, ephemeral=True)
    return made if await _in_time(interaction, answering) else None


async def in_place(interaction: Interaction, screen: Screen, table: str) -> Sheet | None:
    """Change the public message that was pressed."""
    made = sheet(screen, table)
    return made if await _in_time(interaction, interaction.response.edit_message(view=made)) else None


async def publicly(interaction: Interaction, screen: Screen, table: str, ping: Iterable[int]) -> int | None:
    """Post a new public message that pings these users alone; its id, or None where it could not be posted."""
    users = [discord.Object(user) for user in ping]
    mentions = discord.AllowedMentions(users=users, everyone=False, roles=False, replied_user=False)
    posting = interaction.response.send_message(view=sheet(screen, table), allowed_mentions=mentions)
    posted = await _in_time(interaction, posting)
    return posted.message_id if isinstance(posted, discord.InteractionCallbackResponse) else None


async def silently(interaction: Interaction) -> None:
    """Give a press its one answer, and leave everything as it is shown."""
    await _in_time(interaction, interaction.response.defer())


async def note(interaction: Interaction, text: str) -> None:
    """Say one thing privately, in a message of its own."""
    made = sheet(Screen("", (Text(text),)), "note")
    if interaction.response.is_done():
        await _in_time(interaction, interaction.followup.send(view=made, ephemeral=True, wait=True))
    else:
        await _in_time(interaction, interaction.response.send_message(view=made, ephemeral=True))


async def choices(interaction: Interaction, offered: Iterable[tuple[str, str]]) -> None:
    """Offer completions (name, value) to somebody who types an option."""
    made = [discord.app_commands.Choice(name=name, value=value) for name, value in offered]
    await _in_time(interaction, interaction.response.autocomplete(made))


async def document(interaction: Interaction, text: str, name: str, content: bytes) -> None:
    """Hand over a file privately, with a line about it."""
    file = discord.File(BytesIO(content), name)
    await _in_time(interaction, interaction.response.send_message(text, file=file, ephemeral=True))


async def afterwards(interaction: Interaction, screen: Screen, table: str) -> None:
    """Put a screen in place of the answer that was given, when what it announced is done."""
    await _in_time(interaction, interaction.edit_original_response(view=sheet(screen, table)))


async def _in_time(interaction: Interaction, answering: Awaitable[object]) -> object | None:
    """Await an answer within the deadline; its result (True for none), or None when it failed."""
    try:
        async with asyncio.timeout(DEADLINE):
            return await answering or True
    except TimeoutError:
        _log.warning("an answer took longer than %.1f s (interaction %d)", DEADLINE, interaction.id)
    except discord.HTTPException as error:
        _log.warning(
            "an answer was refused: HTTP %d, code %d (interaction %d)", error.status, error.code, interaction.id
        )
    except (discord.InteractionResponded, discord.ClientException, aiohttp.ClientError, OSError) as error:
        _log.warning("an answer failed: %s (interaction %d)", type(error).__name__, interaction.id)
    return None
