"""Edits the private messages that answer interactions, through the tokens of those interactions.

Discord lets such a message be edited only through a token of its own interactions, for fifteen minutes
(https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import discord

from bot.gateway.lean import requests as direct_requests
from cogs.interactions.responses import Interaction
from cogs.screens.renderer import Sheet
from cogs.updates.channel_messages import UNKNOWN_MESSAGE, NotTaken, translate_failures

GONE: Final = frozenset({UNKNOWN_MESSAGE, 10015, 50027})
"""Discord's error codes for a message that was dismissed, for an interaction that was never answered or is over, and
for an invalid token (https://discord.com/developers/docs/topics/opcodes-and-status-codes#json)."""
_GONE_STATUSES: Final = frozenset({401, 404})
ORIGINAL: Final[Any] = "@original"
"""Discord's name for the message that answers an interaction, in place of its id."""


@dataclass(frozen=True, slots=True)
class InteractionToken:
    """What lets the bot edit what an interaction made or updated, for fifteen minutes. The token is a secret and is in
    no log."""

    application_id: int
    token: str = field(repr=False)


class HandMessages(Protocol):
    """The answers to interactions."""

    async def edit(self, token: InteractionToken, made: Sheet) -> None:
        """Replace the message that answers the token's interaction. Raises NotTaken."""


class DiscordHands:
    """`HandMessages` by discord.py."""

    def __init__(
        self, client: discord.Client, refused: Callable[[discord.HTTPException], None] = lambda _: None
    ) -> None:
        """`refused` gets every refusal of an edit."""
        self._client = client
        self._refused = refused

    async def edit(self, token: InteractionToken, made: Sheet) -> None:
        webhook = discord.Webhook.partial(token.application_id, token.token, client=self._client)
        with translate_failures():
            mentions = self._client.allowed_mentions
            try:
                if not await direct_requests.edit(webhook, made, mentions=mentions):
                    await webhook.edit_message(ORIGINAL, view=made)
            except discord.HTTPException as error:
                self._refused(error)
                raise


def is_gone(error: NotTaken) -> bool:
    """Whether a refused edit says that no further edit can reach the message. Anything else may pass."""
    return error.code in GONE or error.status in _GONE_STATUSES


def token_of(interaction: Interaction) -> InteractionToken:
    """The token of an interaction."""
    return InteractionToken(interaction.application_id, interaction.token)


def message_of(interaction: Interaction) -> int:
    """Which private message shows the answer to an interaction: the id of the interaction that the message was sent
    for. It is the interaction's own id, unless the answer replaces the private message that was pressed."""
    pressed = interaction.message
    if pressed is None or not pressed.flags.ephemeral or pressed.interaction_metadata is None:
        return interaction.id
    return pressed.interaction_metadata.id
