"""Uploaded files and the application's emojis, served to anybody who has their address.

A file's address ends with a signature that nobody can guess, as on Discord: a file may belong to a private message.
"""

from __future__ import annotations

import hmac
import html

from aiohttp import web

from discord_sandbox.model import snowflake
from discord_sandbox.service.backend import Backend
from discord_sandbox.validation.attachments import SIGNATURE, StoredFile

_HEADERS = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox"}
_DRAWN = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><circle cx="24" cy="24" r="22" fill="#5865f2"/>'
    '<text x="24" y="33" font-family="sans-serif" font-size="26" font-weight="700" text-anchor="middle" '
    'fill="#ffffff">{}</text></svg>'
)


def add_routes(app: web.Application, backend: Backend) -> None:
    """Serve every stored file, and a picture for every emoji."""

    async def attachment(request: web.Request) -> web.StreamResponse:
        stored = backend.attachments.files.get(snowflake.parsed(request.match_info["attachment_id"]) or 0)
        signed = stored is not None and hmac.compare_digest(
            stored.signature.encode(), request.query.get(SIGNATURE, "").encode()
        )
        return _served(stored if signed else None)

    async def emoji(request: web.Request) -> web.StreamResponse:
        return _served(_emoji(backend, snowflake.parsed(request.match_info["emoji_id"]) or 0))

    app.router.add_get("/attachments/{attachment_id}/{filename}", attachment)
    app.router.add_get("/emojis/{emoji_id}", emoji)


def _emoji(backend: Backend, emoji_id: int) -> StoredFile | None:
    """An emoji's picture. A world's description has only names, so a letter is drawn for those."""
    known = backend.world.application.emojis.get(emoji_id)
    if known is None:
        return None
    drawn = _DRAWN.format(html.escape(known["name"][:1].upper())).encode()
    return backend.attachments.emojis.get(emoji_id, StoredFile("image/svg+xml", drawn))


def _served(stored: StoredFile | None) -> web.Response:
    if stored is None:
        raise web.HTTPNotFound
    return web.Response(body=stored.content, content_type=stored.content_type, headers=_HEADERS)
