"""Edits of a message through the token of the interaction that made or updated it: one request, and no waiting.

The library would wait as long as a limit asks for, and try again. A board can be edited by the bot's own token in that
time, so whatever Discord answers is reported at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final, Protocol

import aiohttp
import discord
from discord.http import handle_message_parameters, json_or_text
from discord.utils import MISSING
from discord.webhook.async_ import async_context

from bot.gateway.lean import requests as direct_requests
from cogs.screens.renderer import Sheet
from cogs.updates.channel_messages import translate_failures
from cogs.updates.hand_messages import ORIGINAL, InteractionToken

WITHIN: Final = 5.0
"""Seconds for an answer. After that it is unknown whether Discord has taken the edit."""
_TOO_MANY: Final = 429
_FAILED: Final = 500


class TokenEdits(Protocol):
    """Edits through tokens."""

    async def edit(self, token: InteractionToken, made: Sheet) -> None:
        """Replace what the token's interaction made or updated. Raises NotTaken, also for a limit, without waiting."""


class DiscordTokenEdits:
    """`TokenEdits` by discord.py."""

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
