"""The library's requests by an interaction's token, with less work.

discord.py (2.7) asks Discord to send back every message that answers an interaction, and makes objects of it; for a
hand that is a fifth of a press's work. The bot knows what it sent: it requests only the echo of new public messages,
because it needs their ids. And another session than the library's may send these requests (`bot.gateway.lean_session`).
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, cast

import aiohttp
from discord import InteractionResponseType, MessageFlags
from discord.http import MultipartParameters, Route
from discord.webhook.async_ import AsyncWebhookAdapter

CALLBACK = "/interactions/{webhook_id}/{webhook_token}/callback"
_NEW_MESSAGE = InteractionResponseType.channel_message.value
_CHANGED_MESSAGE = InteractionResponseType.message_update.value
_EPHEMERAL = MessageFlags(ephemeral=True).value


class NoEcho(AsyncWebhookAdapter):
    """The library's adapter for interactions, without the echo of private messages and of changed ones."""

    def __init__(self, session_for: Callable[[aiohttp.ClientSession], object] = lambda session: session) -> None:
        """`session_for` returns what sends in place of the library's session."""
        super().__init__()  # type: ignore[no-untyped-call]  # the library's constructor has no types
        self._session_for = session_for

    async def request(self, route: Route, session: aiohttp.ClientSession, **more: Any) -> Any:
        """Make a request, as the library does: one after the other for each token, and again where that is right."""
        return await self.make(route, cast("aiohttp.ClientSession", self._session_for(session)), **more)

    async def make(self, route: Route, session: aiohttp.ClientSession, **more: Any) -> Any:
        """As `request`, over this very session."""
        return await super().request(route, session, **more)

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


async def _known(interaction_id: int, answering: Coroutine[Any, Any, Any]) -> dict[str, Any]:
    await answering
    return {"interaction": {"id": interaction_id}}


def _echo_wanted(payload: dict[str, Any]) -> bool:
    kind = payload.get("type")
    if kind == _NEW_MESSAGE:
        return not payload["data"].get("flags", 0) & _EPHEMERAL
    return kind != _CHANGED_MESSAGE
