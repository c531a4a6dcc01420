"""Answering an interaction: exactly once, in time, and never with an exception.

A failed answer loses nothing: the move is made, the board shows it, and the next press is answered again. So failures
are logged and not raised. The answer has a deadline of its own, because the library would still be retrying long after
Discord has told the player that the interaction failed.

A slow answer is deferred (`cogs.interactions.deferral`), and is then given in another way. A deferral is private,
whatever the answer will be: a message that was deferred in public would stay public when it gets its content, even if
that is secret.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Iterable
from io import BytesIO
from typing import Any, TypeAlias

import aiohttp
import discord

from bot.gateway.client import CardroomClient
from bot.ui.screen import Screen, Text
from cogs.interactions import time_limits
from cogs.interactions.deferral import Deferral, DeferralTimer
from cogs.interactions.time_limits import DEFERRED_WITHIN, FIRST_RESPONSE_WITHIN
from cogs.screens.renderer import Sheet, sheet

_log = logging.getLogger(__name__)

Interaction: TypeAlias = discord.Interaction[CardroomClient]

_TIMER = "deferral_timer"
"""The key of an interaction's deferral timer among its extras."""


def start_timer(interaction: Interaction, age: float) -> None:
    """Start the timer that defers the answer if it is not given soon. `age` is the interaction's, in seconds."""
    seconds = max(0.0, time_limits.DEFER_AFTER - age)
    interaction.extras[_TIMER] = DeferralTimer(seconds, lambda: _defer(interaction))


def was_deferred(interaction: Interaction) -> bool:
    """Whether the first response was a deferral, so that another answer may follow if one failed."""
    timer: DeferralTimer | None = interaction.extras.get(_TIMER)
    return timer is not None and timer.expired


async def reply_private(interaction: Interaction, screen: Screen, table: str) -> Sheet | None:
    """Show a screen to the person who pressed: in the pressed message if only they see it, otherwise in a new one.

    Returns what was shown, or None if it could not be shown.
    """
    made = sheet(screen, table)
    if await _await_deferral(interaction) is not Deferral.NOT:
        return made if await _edit_deferred(interaction, view=made) else None
    if _is_own_message(interaction):
        answering = interaction.response.edit_message(view=made)
    else:
        answering = interaction.response.send_message(view=made, ephemeral=True)
    return made if await _in_time(interaction, answering) else None


async def edit_source(interaction: Interaction, screen: Screen, table: str) -> Sheet | None:
    """Edit the public message that was pressed. Returns what was shown, or None if it could not be shown."""
    made = sheet(screen, table)
    if await _await_deferral(interaction) is Deferral.NOT or interaction.message is None:
        return made if await _in_time(interaction, interaction.response.edit_message(view=made)) else None
    changed = await _in_time(interaction, interaction.message.edit(view=made), DEFERRED_WITHIN)
    await _delete_deferred(interaction)
    return made if changed else None


async def post(interaction: Interaction, screen: Screen, table: str, ping: Iterable[int]) -> int | None:
    """Post a new public message that pings only these users. Returns its id, or None if it could not be posted."""
    users = [discord.Object(user) for user in ping]
    mentions = discord.AllowedMentions(users=users, everyone=False, roles=False, replied_user=False)
    made = sheet(screen, table)
    if await _await_deferral(interaction) is Deferral.NOT or interaction.channel_id is None:
        answered = await _in_time(interaction, interaction.response.send_message(view=made, allowed_mentions=mentions))
        return answered.message_id if isinstance(answered, discord.InteractionCallbackResponse) else None
    # Not as a follow-up: the first one replaces the deferral's message, which is private.
    channel = interaction.client.get_partial_messageable(interaction.channel_id, guild_id=interaction.guild_id)
    posted = await _in_time(interaction, channel.send(view=made, allowed_mentions=mentions), DEFERRED_WITHIN)
    if not isinstance(posted, discord.Message):
        return None
    await _delete_deferred(interaction)
    return posted.id


async def ack(interaction: Interaction) -> None:
    """Acknowledge a press without changing any message."""
    await _in_time(interaction, interaction.response.defer())


async def reply_text(interaction: Interaction, text: str) -> None:
    """Send a text in a new private message."""
    made = sheet(Screen("", (Text(text),)), "note")
    deferral = await _await_deferral(interaction)
    if deferral is Deferral.THINKING:
        await _edit_deferred(interaction, view=made)
    elif deferral is not Deferral.NOT or interaction.response.is_done():
        await _in_time(interaction, interaction.followup.send(view=made, ephemeral=True, wait=True), DEFERRED_WITHIN)
    else:
        await _in_time(interaction, interaction.response.send_message(view=made, ephemeral=True))


async def reply_choices(interaction: Interaction, offered: Iterable[tuple[str, str]]) -> None:
    """Offer completions (name, value) to somebody who types an option."""
    made = [discord.app_commands.Choice(name=name, value=value) for name, value in offered]
    await _in_time(interaction, interaction.response.autocomplete(made))


async def reply_file(interaction: Interaction, text: str, name: str, content: bytes) -> None:
    """Send a file privately, with a line of text."""
    file = discord.File(BytesIO(content), name)
    if await _await_deferral(interaction) is not Deferral.NOT:
        await _edit_deferred(interaction, content=text, attachments=[file])
    else:
        await _in_time(interaction, interaction.response.send_message(text, file=file, ephemeral=True))


async def edit_reply(interaction: Interaction, screen: Screen, table: str) -> None:
    """Replace an earlier answer by a screen, once what it announced is done."""
    await _in_time(interaction, interaction.edit_original_response(view=sheet(screen, table)))


# ------------------------------------------------------------------------------------ deferred answers


def _is_own_message(interaction: Interaction) -> bool:
    """Whether only the presser sees the pressed message."""
    return interaction.message is not None and interaction.message.flags.ephemeral


async def _defer(interaction: Interaction) -> Deferral:
    """Give the first response without an answer. Public answers are deferred privately too: see the module."""
    own = _is_own_message(interaction)
    await _in_time(interaction, interaction.response.defer(ephemeral=True, thinking=not own))
    # Even if that failed, Discord may have accepted it, and it accepts only one first response.
    return Deferral.UNSEEN if own else Deferral.THINKING


async def _await_deferral(interaction: Interaction) -> Deferral:
    """Stop the interaction's timer. Returns what is currently shown in the answer's place."""
    timer: DeferralTimer | None = interaction.extras.get(_TIMER)
    return Deferral.NOT if timer is None else await timer.answered()


async def _edit_deferred(interaction: Interaction, **content: Any) -> object | None:
    """Put the answer into the message that the deferral keeps for it."""
    interaction.extras[_TIMER].filled()
    return await _in_time(interaction, interaction.edit_original_response(**content), DEFERRED_WITHIN)


async def _delete_deferred(interaction: Interaction) -> None:
    """Delete the message that says that the bot is thinking, because the answer was given elsewhere."""
    if await _await_deferral(interaction) is Deferral.THINKING:
        interaction.extras[_TIMER].filled()
        await _in_time(interaction, interaction.delete_original_response(), DEFERRED_WITHIN)


# ------------------------------------------------------------------------------------ in time


async def _in_time(
    interaction: Interaction, answering: Awaitable[object], within: float = FIRST_RESPONSE_WITHIN
) -> object | None:
    """Await an answer that may take `within` seconds. Returns its result (True for none), or None if it failed."""
    try:
        async with asyncio.timeout(within):
            return await answering or True
    except TimeoutError:
        _log.warning("an answer took longer than %.1f s (interaction %d)", within, interaction.id)
        interaction.client.telemetry.answer_slow()
    except discord.HTTPException as error:
        _log.warning(
            "an answer was refused: HTTP %d, code %d (interaction %d)", error.status, error.code, interaction.id
        )
        interaction.client.telemetry.answer_refused(error.code)
    except (discord.InteractionResponded, discord.ClientException, aiohttp.ClientError, OSError, RuntimeError) as error:
        # aiohttp raises RuntimeError for a session that was closed: the bot is stopping.
        _log.warning("an answer failed: %s (interaction %d)", type(error).__name__, interaction.id)
    return None
