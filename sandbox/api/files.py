"""Uploaded files and the application's emojis, served to anybody who has their address."""

from __future__ import annotations

import html

from aiohttp import web

from sandbox.service.backend import Backend
from sandbox.validation.attachments import StoredFile

_HEADERS = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox"}
_DRAWN = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><circle cx="24" cy="24" r="22" fill="#5865f2"/>'
    '<text x="24" y="33" font-family="sans-serif" font-size="26" font-weight="700" text-anchor="middle" '
    'fill="#ffffff">{}</text></svg>'
)


def add_routes(app: web.Application, backend: Backend) -> None:
    """Serve every stored file, and a picture for every emoji."""

    async def attachment(request: web.Request) -> web.StreamResponse:
        raw_id = request.match_info["attachment_id"]
        return _served(backend.attachments.files.get(int(raw_id)) if raw_id.isdecimal() else None)

    async def emoji(request: web.Request) -> web.StreamResponse:
        raw_id = request.match_info["emoji_id"]
        return _served(_emoji(backend, int(raw_id)) if raw_id.isdecimal() else None)

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
