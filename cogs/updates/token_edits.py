"""Edits of messages through the tokens of the interactions that made or updated them.

A private message can be edited only so, for fifteen minutes
(https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages). A board can be edited by
the bot's own token, too. The library would wait as long as a limit asks for, and try again; so for boards whatever
Discord answers to one request is reported at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import aiohttp
import discord
from discord.http import handle_message_parameters, json_or_text
from discord.utils import MISSING
from discord.webhook.async_ import async_context

from bot.gateway.lean import requests as direct_requests
from cogs.interactions.responses import Interaction
from cogs.screens.renderer import Sheet
from cogs.updates.channel_messages import UNKNOWN_MESSAGE, NotTaken, translate_failures

WITHIN: Final = 5.0
"""Seconds for an answer. After that it is unknown whether Discord has taken the edit."""
_TOO_MANY: Final = 429
_FAILED: Final = 500
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


class TokenEdits(Protocol):
    """Edits through tokens."""

    async def edit(self, token: InteractionToken, made: Sheet) -> None:
        """Replace what the token's interaction made or updated. Raises NotTaken."""


class DiscordHands:
    """`TokenEdits` of hands, by discord.py, which waits for limits and tries again."""

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


class DiscordBoardEdits:
    """`TokenEdits` of boards: one request, and no waiting."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def edit(self, token: InteractionToken, made: Sheet) -> None:
        webhook = discord.Webhook.partial(token.application_id, token.token, client=self._client)
        mentions = self._client.allowed_mentions
        with translate_failures():
            async with asyncio.timeout(WITHIN):
                if not await direct_requests.edit(webhook, made, mentions=mentions, wrap=_OneRequest):
                    await self._edit(token, made, webhook.session)

    async def _edit(self, token: InteractionToken, made: Sheet, session: aiohttp.ClientSession) -> None:
        once: Any = _OneRequest(session)
        files, mentions = made.files() or MISSING, self._client.allowed_mentions
        with handle_message_parameters(view=made, attachments=files, previous_allowed_mentions=mentions) as body:
            # Not by `webhook.edit_message`: it makes objects of the message that Discord sends back.
            await async_context.get().edit_webhook_message(
                token.application_id,
                token.token,
                ORIGINAL,
                session=once,
                payload=body.payload,
                multipart=body.multipart,
                files=body.files,
                with_components=True,
            )


class _OneRequest:
    """An HTTP session, as far as the library's adapter for interactions uses it, whose limits and failures are not
    tried again: they are raised before the adapter sees them."""

    def __init__(self, session: Any) -> None:
        self._session = session

    @asynccontextmanager
    async def request(self, method: str, url: str, **options: Any) -> AsyncIterator[aiohttp.ClientResponse]:
        """Make a request, as `aiohttp.ClientSession.request` does. Raises what the library would in the end."""
        async with self._session.request(method, url, **options) as response:
            if response.status == _TOO_MANY:
                raise discord.HTTPException(response, await json_or_text(response))
            if response.status >= _FAILED:
                raise discord.DiscordServerError(response, await json_or_text(response))
            yield response


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
