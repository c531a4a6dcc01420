"""Answers without their echo, because the bot knows what it sent.

discord.py (2.7) asks Discord to send back every message that answers an interaction, and makes objects of it; for a
hand that is a fifth of a press's work. The bot requests only new public messages, because it needs their ids.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

import aiohttp
from discord import InteractionResponseType, MessageFlags
from discord.http import MultipartParameters, Route
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

CALLBACK = "/interactions/{webhook_id}/{webhook_token}/callback"
_NEW_MESSAGE = InteractionResponseType.channel_message.value
_CHANGED_MESSAGE = InteractionResponseType.message_update.value
_EPHEMERAL = MessageFlags(ephemeral=True).value


class NoEcho(AsyncWebhookAdapter):
    """The library's adapter for interactions, without the echo of private messages and of changed ones."""

    def create_interaction_response(
        self,
        interaction_id: int,
        token: str,
        *,
        session: aiohttp.ClientSession,
        proxy: str | None = None,
        proxy_auth: aiohttp.BasicAuth | None = None,
        params: MultipartParameters,
    ) -> Coroutine[Any, Any, Any]:
        """Give the first response. The result is Discord's or, without an echo, the part of it that is known."""
        payload = params.payload
        if payload is None or _echo_wanted(payload):
            return super().create_interaction_response(
                interaction_id, token, session=session, proxy=proxy, proxy_auth=proxy_auth, params=params
            )
        route = Route("POST", CALLBACK, webhook_id=interaction_id, webhook_token=token)
        answering = self.request(route, session, payload=payload, proxy=proxy, proxy_auth=proxy_auth)
        return _known(interaction_id, answering)


def request_none() -> None:
    """Request no echoes in the current task, and in tasks that it starts."""
    async_context.set(NoEcho())  # type: ignore[no-untyped-call]  # the library's constructor has no types


async def _known(interaction_id: int, answering: Coroutine[Any, Any, Any]) -> dict[str, Any]:
    await answering
    return {"interaction": {"id": interaction_id}}


def _echo_wanted(payload: dict[str, Any]) -> bool:
    kind = payload.get("type")
    if kind == _NEW_MESSAGE:
        return not payload["data"].get("flags", 0) & _EPHEMERAL
    return kind != _CHANGED_MESSAGE
